//! A selected stretch of frames in figures, without egui.

use framewalk_runtime::time::{FrameIndex, Nanos};

use crate::history::{KeptPicture, RunFrames};
use crate::stats::{Quantile, frame_interval, select_rank};
use crate::wording::{count, grouped, millis, millis_number};

/// Percentiles and counts over a stretch of frames, both ends included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RangeFigures {
    /// Frames held in the stretch.
    pub frames: usize,
    /// Of the frame intervals.
    pub p50: Option<Nanos>,
    pub p99: Option<Nanos>,
    pub worst: Option<Nanos>,
    pub worst_frame: Option<FrameIndex>,
    pub dropped: u32,
    pub late: u32,
    /// In the free handoff, where the figures above but `frames` are those of the pictures: how many there are, and how many
    /// were held.
    pub pictures: Option<(u32, u32)>,
}

impl RangeFigures {
    #[must_use]
    pub fn of(frames: &RunFrames<'_>, first: FrameIndex, last: FrameIndex) -> Self {
        let from = frames.position_at_frame(first);
        let to = frames.position_at_frame(FrameIndex(last.0.saturating_add(1)));
        let fold = frames.fold_positions(from, to);
        let mut intervals: Vec<Nanos> =
            frames.range(from, to).filter_map(|entry| frame_interval(&entry.record)).collect();
        let longest = fold.longest().and_then(|_| frames.position_of_index(fold.longest_index));
        Self {
            frames: to.saturating_sub(from),
            p50: select_rank(&mut intervals, Quantile::P50),
            p99: select_rank(&mut intervals, Quantile::P99),
            worst: fold.longest(),
            worst_frame: longest.and_then(|position| frames.at(position)).map(|entry| entry.frame()),
            dropped: fold.dropped,
            late: fold.late,
            pictures: None,
        }
    }

    /// Of the pictures of so many frames, oldest first.
    #[must_use]
    pub fn of_pictures<'a>(frames: usize, pictures: impl Iterator<Item = &'a KeptPicture>) -> Self {
        let mut figures = Self { frames, ..Self::default() };
        let (mut drawn, mut held) = (0, 0);
        let mut intervals: Vec<Nanos> = Vec::new();
        for picture in pictures.filter(|picture| picture.is_drawn()) {
            drawn += 1;
            held += u32::from(picture.record.held);
            figures.late += u32::from(picture.record.late);
            intervals.extend(picture.interval);
            if picture.interval > figures.worst {
                (figures.worst, figures.worst_frame) = (picture.interval, Some(picture.record.frame));
            }
        }
        figures.p50 = select_rank(&mut intervals, Quantile::P50);
        figures.p99 = select_rank(&mut intervals, Quantile::P99);
        figures.pictures = Some((drawn, held));
        figures
    }

    /// `frames 100–220 · n 121 · p50 6.94 · p99 7.21 · worst 21.40 ms · 3 dropped · 2 late`; of pictures
    /// `frames 100–220 · 15 pictures · between them p50 16.67 · p99 16.67 · worst 33.33 ms · 1 late · 0 held`.
    #[must_use]
    pub fn caption(&self, first: FrameIndex, last: FrameIndex) -> String {
        let text = |value: Option<Nanos>| value.map_or_else(|| "–".to_owned(), millis_number);
        if let Some((pictures, held)) = self.pictures {
            return format!(
                "frames {}–{} · {} · between them p50 {} · p99 {} · worst {} · {} late · {} held",
                grouped(first.0),
                grouped(last.0),
                count(pictures.into(), "picture", "pictures"),
                text(self.p50),
                text(self.p99),
                self.worst.map_or_else(|| "–".to_owned(), millis),
                grouped(self.late.into()),
                grouped(held.into()),
            );
        }
        format!(
            "frames {}–{} · n {} · p50 {} · p99 {} · worst {} · {} dropped · {} late",
            grouped(first.0),
            grouped(last.0),
            grouped(self.frames as u64),
            text(self.p50),
            text(self.p99),
            self.worst.map_or_else(|| "–".to_owned(), millis),
            grouped(self.dropped.into()),
            grouped(self.late.into()),
        )
    }

    /// What the figures mean, and where the worst frame lies.
    #[must_use]
    pub fn meaning(&self) -> String {
        let worst = self
            .worst_frame
            .map_or_else(String::new, |frame| format!("\nThe worst is frame {}.", grouped(frame.0)));
        if let Some((pictures, _)) = self.pictures {
            return format!(
                "{} selected, with {}. p50, p99 and worst: of the times between pictures.\nLate: begun after the render \
                 thread's own deadline. Held: {}\n{}{worst}",
                count(self.frames as u64, "frame", "frames"),
                count(pictures.into(), "picture", "pictures"),
                crate::glossary::sense("held"),
                crate::stats::NEAREST_RANK,
            );
        }
        format!(
            "{} selected. n: frames in the selection; p50, p99 and worst: of their frame intervals.\n\
             Dropped: replaced in the slot before they were taken. Late: reached the frame clock after their own \
             deadline.\n{}{worst}",
            count(self.frames as u64, "frame", "frames"),
            crate::stats::NEAREST_RANK,
        )
    }
}
