//! The four plots of frames and the four of pictures: their names, colours and readings.

use egui::Color32;
use framewalk_runtime::time::Nanos;

use crate::history::{Entry, Fate, KeptPicture};
use crate::panels::pacing::columns::Trace;
use crate::panels::pacing::model::limits::Steps;
use crate::panels::pacing::model::{Plots, Plotted, Stem, Window};
use crate::stats::frame_interval;
use crate::theme::Theme;
use crate::view::View;
use crate::wording::{alpha, grouped, millis};

/// One of the four plots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    Alpha,
    Overstep,
    Interval,
    Dropped,
    DrawnAlpha,
    BetweenPictures,
    LatePictures,
    Held,
}

impl Which {
    const OF_FRAMES: [Self; 4] = [Self::Alpha, Self::Overstep, Self::Interval, Self::Dropped];
    const OF_PICTURES: [Self; 4] = [Self::DrawnAlpha, Self::BetweenPictures, Self::LatePictures, Self::Held];

    pub(super) const fn all(plotted: Plotted) -> [Self; 4] {
        match plotted {
            Plotted::Frames => Self::OF_FRAMES,
            Plotted::Pictures => Self::OF_PICTURES,
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Alpha => "alpha",
            Self::Overstep => "overstep, ms",
            Self::Interval => "frame interval, ms",
            Self::Dropped => "dropped",
            Self::DrawnAlpha => "drawn alpha",
            Self::BetweenPictures => "between pictures, ms",
            Self::LatePictures => "late pictures",
            Self::Held => "held below 1",
        }
    }

    /// How wide the chip with its name is at most, in points.
    pub(super) const fn name_width(self) -> f32 {
        match self {
            Self::Alpha | Self::Overstep | Self::Interval | Self::Dropped => 120.0,
            Self::DrawnAlpha | Self::BetweenPictures | Self::LatePictures | Self::Held => 140.0,
        }
    }

    pub(super) fn color(self, theme: &Theme) -> Color32 {
        match self {
            Self::Alpha | Self::DrawnAlpha => theme.alpha,
            Self::Overstep => theme.stages[3],
            Self::Interval | Self::BetweenPictures => theme.ok,
            Self::Dropped => theme.drop,
            Self::LatePictures => theme.late,
            Self::Held => theme.stages[4],
        }
    }

    /// What goes on over time.
    pub(super) const fn trace(self, plots: &Plots) -> Option<&Trace> {
        match self {
            Self::Alpha | Self::DrawnAlpha => Some(&plots.alpha),
            Self::Overstep => Some(&plots.overstep),
            Self::Interval | Self::BetweenPictures => Some(&plots.interval),
            Self::Dropped | Self::LatePictures | Self::Held => None,
        }
    }

    /// What stands alone.
    pub(super) const fn stems(self, plots: &Plots) -> Option<&Vec<Stem>> {
        match self {
            Self::Dropped => Some(&plots.drops),
            Self::LatePictures => Some(&plots.late),
            Self::Held => Some(&plots.held),
            _ => None,
        }
    }

    pub(super) fn top(self, plots: &Plots) -> f64 {
        match self {
            Self::Alpha | Self::DrawnAlpha => 1.08,
            Self::Overstep => plots.overstep_top,
            Self::Interval | Self::BetweenPictures => plots.interval_top,
            Self::Dropped => plots.drops_top,
            Self::LatePictures => plots.late_top,
            Self::Held => plots.held_top,
        }
    }

    /// What it is held to, and how that is called.
    pub(super) const fn limit(self, plots: &Plots) -> Option<(&Steps, &'static str)> {
        match self {
            Self::Overstep => Some((&plots.one_tick, "one tick")),
            Self::Interval | Self::BetweenPictures => Some((&plots.deadline, "deadline")),
            _ => None,
        }
    }

    /// The values the axis names above 0, the one that matters most first.
    pub(super) fn named(self, plots: &Plots) -> Vec<(f64, String)> {
        if let Some((limit, _)) = self.limit(plots) {
            let levels = limit.levels();
            let levels = if levels.is_empty() { vec![0.0] } else { levels };
            return levels.into_iter().map(|level| (level, format!("{level:.1}"))).collect();
        }
        match self.stems(plots) {
            None => vec![(1.0, "1".to_owned())],
            Some(stems) => {
                let most = stems.iter().map(|stem| stem.count).max().unwrap_or(0).max(1);
                vec![(f64::from(most), grouped(u64::from(most)))]
            }
        }
    }

    pub(super) fn reading(self, at: At<'_>) -> String {
        let record = &at.entry.record;
        let of_picture = |value: fn(&KeptPicture) -> String| {
            at.picture.map_or_else(|| format!("frame {}, undrawn", grouped(record.frame.0)), value)
        };
        match self {
            Self::Alpha => alpha(record.alpha),
            Self::Overstep => millis(record.overstep),
            Self::Interval => frame_interval(record).map_or_else(|| "–".to_owned(), millis),
            Self::Dropped => match at.entry.fate {
                Fate::Dropped { by } => {
                    format!("frame {}, replaced by {}", grouped(record.frame.0), grouped(by.0))
                }
                _ => format!("frame {}, not dropped", grouped(record.frame.0)),
            },
            Self::DrawnAlpha => of_picture(|picture| alpha(picture.record.alpha)),
            Self::BetweenPictures => {
                at.picture.and_then(|picture| picture.interval).map_or_else(|| "–".to_owned(), millis)
            }
            Self::LatePictures => of_picture(|picture| match picture.record.late {
                true => {
                    format!("{}, late, {} missed", which_picture(picture), grouped(picture.record.missed))
                }
                false => format!("{}, on time", which_picture(picture)),
            }),
            Self::Held => of_picture(|picture| match picture.record.held {
                true => format!("{}, held", which_picture(picture)),
                false => format!("{}, not held", which_picture(picture)),
            }),
        }
    }
}

/// `frame 12, picture 3`.
fn which_picture(picture: &KeptPicture) -> String {
    format!("frame {}, picture {}", grouped(picture.record.frame.0), grouped(picture.nth.into()))
}

/// What the readings are of: a frame, and where pictures are plotted one of its pictures, if it has any.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    pub(super) entry: &'a Entry,
    pub(super) picture: Option<&'a KeptPicture>,
}

impl<'a> At<'a> {
    /// The frame or picture nearest to a time.
    pub(super) fn nearest(view: &View<'a>, window: &Window, seconds: f64) -> Option<Self> {
        match window.plotted {
            Plotted::Frames => window.nearest(view, seconds).map(|entry| Self { entry, picture: None }),
            Plotted::Pictures => {
                let picture = window.nearest_picture(view, seconds)?;
                let frames = view.frames();
                let entry = frames.at(frames.position(picture.record.frame)?)?;
                Some(Self { entry, picture: Some(picture) })
            }
        }
    }

    /// A frame that was chosen: its first picture.
    pub(super) fn chosen(view: &View<'a>, window: &Window, entry: &'a Entry) -> Self {
        let pictures = view.selection.history(view.history).pictures();
        let of_frame = pictures.of_frames(entry.record.run, entry.frame(), entry.frame());
        let first = pictures.range(of_frame).next().filter(|_| window.plotted == Plotted::Pictures);
        Self { entry, picture: first }
    }

    pub(super) fn played(&self) -> Nanos {
        self.picture.map_or(self.entry.played, |picture| picture.played)
    }
}
