//! Where on the panel each thread has its lane, and each zone its place in it.

use egui::{Rect, pos2};

use super::model::{Lane, Missing, Timeline, Work, ZoneSpan};

const GAP: f32 = 8.0;
/// Height of a row of zones where there is room for it.
const ROW_HEIGHT: f32 = 14.0;
/// The most of a panel that observers and workers take.
const OTHERS_SHARE: f32 = 0.45;
/// Between two of them, and the least that one is high: below that, some are left out.
const WORKER_GAP: f32 = 3.0;
const LEAST_WORKER: f32 = 3.0;
const LEAST_GAP: f32 = 1.0;

/// How many rows of zones lie in each lane: as many as there ever were in this run, so that nothing jumps while frames
/// come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    run: u32,
    threads: [u32; 3],
    /// How many observers were on show.
    observers: u8,
    /// By their numbers, those of which jobs were on show.
    workers: Vec<u32>,
}

impl Rows {
    /// Grows to hold every zone of the timeline; another run has other workers.
    pub fn hold(&mut self, run: u32, timeline: &Timeline) {
        if self.run != run {
            (self.run, self.observers, self.workers) = (run, 0, Vec::new());
        }
        for span in &timeline.spans {
            if let Work::Read(number) = span.work {
                self.observers = self.observers.max(number + 1);
            }
        }
        let zones = timeline.zones.iter().map(|zone| (zone.lane, zone.row));
        let of_zones = timeline.gaps.iter().filter(|gap| !matches!(gap.missing, Missing::Frames(_)));
        for (lane, row) in zones.chain(of_zones.map(|gap| (gap.lane, 0))) {
            let rows = match lane {
                Lane::Worker(number) => {
                    let number = usize::from(number);
                    if self.workers.len() <= number {
                        self.workers.resize(number + 1, 1);
                    }
                    &mut self.workers[number]
                }
                Lane::Ui => &mut self.threads[0],
                Lane::Sim => &mut self.threads[1],
                Lane::Render => &mut self.threads[2],
                // It has one row, and leaves no zones.
                Lane::Observer(_) => continue,
            };
            *rows = (*rows).max(row + 1);
        }
    }

    pub fn observers(&self) -> usize {
        usize::from(self.observers)
    }

    pub fn workers(&self) -> usize {
        self.workers.len()
    }

    /// Of the lanes below the three threads: of each observer, then of each worker.
    fn others(&self) -> Vec<u32> {
        std::iter::repeat_n(1, self.observers()).chain(self.workers.iter().copied()).collect()
    }
}

/// Where the bar of each thread lies, with its rows of zones below it, and below those the observers and the workers.
///
/// A worker has no stages: its jobs are its bar. Where there is no room for what lies in them, each worker is one row; and
/// where there are more than fit even so, the last ones are left out.
pub struct Lanes {
    bars: [Rect; 3],
    thread_rows: [u32; 3],
    row_height: f32,
    /// Those there is room for: observers, then workers.
    others: Vec<Rect>,
    other_rows: Vec<u32>,
    observers: usize,
    pub left_out: usize,
}

impl Lanes {
    pub fn within(area: Rect, rows: &Rows) -> Self {
        let all_others = rows.others();
        let (other_rows, height, gap) = other_lanes(&all_others, area.height() * OTHERS_SHARE);
        let taken: f32 = other_rows.iter().map(|rows| *rows as f32 * height + gap).sum();
        let above = area.height() - taken - if other_rows.is_empty() { 0.0 } else { GAP };
        let all = rows.threads.iter().sum::<u32>() as f32;
        // In a low panel the bars keep the larger half.
        let row_height = ROW_HEIGHT.min(above * 0.45 / all.max(1.0));
        // The window's lane is half as high as the others.
        let bar_height = ((above - 2.0 * GAP - all * row_height) / 2.5).max(6.0);
        let mut top = area.top();
        let mut next = |height: f32, rows: f32, gap: f32| {
            let bottom = top + height;
            let bar = Rect::from_min_max(pos2(area.left(), top), pos2(area.right(), bottom));
            top = bottom + rows + gap;
            bar
        };
        let bars = [(0.5, 0), (1.0, 1), (1.0, 2)].map(|(share, thread)| {
            next((share * bar_height).min(90.0), rows.threads[thread] as f32 * row_height, GAP)
        });
        let others = other_rows.iter().map(|rows| next(height, (*rows - 1) as f32 * height, gap)).collect();
        let left_out = all_others.len() - other_rows.len();
        let observers = rows.observers().min(other_rows.len());
        Self { bars, thread_rows: rows.threads, row_height, others, other_rows, observers, left_out }
    }

    /// Which of the lanes below the threads it is; none where it is one of those.
    fn place_of(&self, lane: Lane) -> Option<usize> {
        match lane {
            Lane::Ui | Lane::Sim | Lane::Render => None,
            Lane::Observer(number) => Some(usize::from(number)).filter(|place| *place < self.observers),
            Lane::Worker(number) => Some(self.observers + usize::from(number)),
        }
    }

    /// The bar of one of the three threads, or of an observer or a worker there is room for.
    pub fn bar(&self, lane: Lane) -> Option<Rect> {
        match lane {
            Lane::Ui => Some(self.bars[0]),
            Lane::Sim => Some(self.bars[1]),
            Lane::Render => Some(self.bars[2]),
            Lane::Observer(_) | Lane::Worker(_) => self.others.get(self.place_of(lane)?).copied(),
        }
    }

    pub fn shown(&self) -> impl Iterator<Item = (Lane, Rect)> {
        let observers = (0..=u8::MAX).map(Lane::Observer).take(self.observers);
        let lanes = Lane::THREADS.into_iter().chain(observers).chain((0..=u8::MAX).map(Lane::Worker));
        lanes.zip(self.bars.iter().chain(&self.others).copied())
    }

    /// The lanes of all observers and of all workers, each together with what lies in their jobs; none where there is none.
    pub fn groups(&self) -> [(&'static str, Option<Rect>); 2] {
        let around = |bars: &[Rect]| {
            let (first, last) = (bars.first()?, bars.last()?);
            Some(Rect::from_min_max(first.min, last.max))
        };
        let (observers, workers) = self.others.split_at(self.observers);
        let workers = around(workers).map(|all| Rect { max: pos2(all.right(), self.bottom()), ..all });
        [("observers", around(observers)), ("workers", workers)]
    }

    /// From the top of one lane below the threads to that of the next.
    pub fn pitch(&self) -> f32 {
        let pairs = self.others.windows(2).map(|pair| pair[1].top() - pair[0].top());
        pairs.fold(f32::INFINITY, f32::min)
    }

    pub fn bottom(&self) -> f32 {
        match (self.others.last(), self.other_rows.last()) {
            (Some(bar), Some(rows)) => bar.top() + *rows as f32 * bar.height(),
            _ => self.bars[2].bottom() + self.thread_rows[2] as f32 * self.row_height,
        }
    }

    /// From top to bottom of all zones of a thread; none where there is no room for any.
    pub fn zones(&self, lane: Lane) -> Option<(f32, f32)> {
        let bar = self.bar(lane)?;
        let (top, bottom) = match self.place_of(lane) {
            Some(place) => (bar.top(), bar.top() + self.other_rows[place] as f32 * bar.height()),
            None => {
                let thread = Lane::THREADS.iter().position(|thread| *thread == lane)?;
                (bar.bottom(), bar.bottom() + self.thread_rows[thread] as f32 * self.row_height)
            }
        };
        (bottom > top).then_some((top, bottom))
    }

    /// From top to bottom of a zone; none where there is no room for it.
    pub fn zone(&self, zone: &ZoneSpan) -> Option<(f32, f32)> {
        let bar = self.bar(zone.lane)?;
        let (top, height) = match self.place_of(zone.lane) {
            Some(place) => {
                let rows = self.other_rows[place];
                (zone.row < rows).then_some((bar.top() + zone.row as f32 * bar.height(), bar.height()))?
            }
            None => (bar.bottom() + zone.row as f32 * self.row_height, self.row_height),
        };
        let inset = if height > 5.0 { 1.0 } else { 0.0 };
        Some((top + inset, top + height))
    }
}

/// The rows of each lane below the threads that there is room for in so much height, how high a row is, and what lies between
/// two lanes.
fn other_lanes(rows: &[u32], room: f32) -> (Vec<u32>, f32, f32) {
    let count = rows.len() as f32;
    let all: f32 = rows.iter().map(|rows| *rows as f32).sum();
    if all * ROW_HEIGHT + count * WORKER_GAP <= room {
        return (rows.to_vec(), ROW_HEIGHT, WORKER_GAP);
    }
    let height = room / count - WORKER_GAP;
    if height >= LEAST_WORKER {
        return (vec![1; rows.len()], height.min(ROW_HEIGHT), WORKER_GAP);
    }
    let fit = (room / (LEAST_WORKER + LEAST_GAP)).floor().min(count);
    let height = (room / fit.max(1.0) - LEAST_GAP).clamp(LEAST_WORKER, ROW_HEIGHT);
    (vec![1; fit as usize], height, LEAST_GAP)
}

#[cfg(test)]
mod tests {
    use super::super::model::{Gap, Span};
    use super::*;
    use framewalk_runtime::time::{FrameIndex, Nanos};

    /// So many workers, with two rows each.
    fn lanes(workers: u8, height: f32) -> Lanes {
        let zone = |lane, row| ZoneSpan { lane, name: "job", row, from: Nanos(0), to: Nanos(1) };
        let of_workers = (0..workers).map(|number| zone(Lane::Worker(number), 1));
        let zones = of_workers.chain([zone(Lane::Sim, 2), zone(Lane::Render, 0)]).collect();
        let mut rows = Rows::default();
        rows.hold(1, &Timeline { zones, ..Timeline::default() });
        Lanes::within(Rect::from_min_max(pos2(60.0, 20.0), pos2(660.0, 20.0 + height)), &rows)
    }

    #[test]
    fn lanes_lie_below_each_other_inside_of_the_panel_however_many_there_are() {
        for height in [120.0, 200.0, 300.0, 900.0] {
            for workers in [0, 1, 2, 7, 16, 48] {
                let lanes = lanes(workers, height);
                let bars: Vec<Rect> = lanes.shown().map(|(_, bar)| bar).collect();
                assert!(bars.windows(2).all(|pair| pair[0].bottom() < pair[1].top() + 1e-3), "{bars:?}");
                assert!(lanes.bottom() <= 20.0 + height + 1e-3, "{workers} in {height}: {}", lanes.bottom());
                assert_eq!(bars.len() - 3 + lanes.left_out, usize::from(workers), "{workers} in {height}");
                assert!(bars.iter().all(|bar| bar.height() >= 3.0 - 1e-3), "{workers} in {height}: {bars:?}");
            }
        }
    }

    #[test]
    fn what_lies_in_jobs_is_shown_where_there_is_room_for_it() {
        let zone = |number, row| ZoneSpan {
            lane: Lane::Worker(number),
            name: "sweep",
            row,
            from: Nanos(0),
            to: Nanos(1),
        };
        let (open, folded, full) = (lanes(2, 200.0), lanes(7, 200.0), lanes(48, 120.0));
        assert_eq!(open.zone(&zone(1, 1)).map(|(top, bottom)| bottom - top), Some(13.0));
        assert_eq!((folded.zone(&zone(6, 0)).is_some(), folded.zone(&zone(6, 1))), (true, None));
        assert_eq!(
            (full.left_out, full.zone(&zone(12, 0)).is_some(), full.zone(&zone(13, 0))),
            (35, true, None)
        );
    }

    #[test]
    fn a_lane_of_which_zones_were_lost_only_has_room_for_that() {
        let mut rows = Rows::default();
        let gap = |lane| Gap { lane, missing: Missing::Zones(3), from: Nanos(0), to: Nanos(1) };
        let gaps = vec![gap(Lane::Render), gap(Lane::Worker(1))];
        rows.hold(1, &Timeline { gaps, ..Timeline::default() });
        let lanes = Lanes::within(Rect::from_min_max(pos2(60.0, 20.0), pos2(660.0, 320.0)), &rows);
        let height = |lane| lanes.zones(lane).map(|(top, bottom)| bottom - top);
        assert_eq!((height(Lane::Sim), height(Lane::Render)), (None, Some(14.0)));
        assert_eq!(height(Lane::Worker(1)), Some(14.0));
    }

    #[test]
    fn another_run_has_lanes_for_its_own_workers_only() {
        let zone = |lane| ZoneSpan { lane, name: "job", row: 0, from: Nanos(0), to: Nanos(1) };
        let timeline = |lane| Timeline { zones: vec![zone(lane)], ..Timeline::default() };
        let mut rows = Rows::default();
        rows.hold(1, &timeline(Lane::Worker(5)));
        rows.hold(1, &timeline(Lane::Worker(2)));
        assert_eq!(rows.workers(), 6);
        rows.hold(2, &timeline(Lane::Worker(0)));
        assert_eq!(rows.workers(), 1);
    }
    #[test]
    fn observers_have_a_lane_each_between_the_threads_and_the_workers() {
        let read = |number| Span {
            work: Work::Read(number),
            frame: FrameIndex(1),
            from: Nanos(0),
            to: Nanos(1),
            picture: None,
        };
        let job = |number| ZoneSpan {
            lane: Lane::Worker(number),
            name: "job",
            row: 0,
            from: Nanos(0),
            to: Nanos(1),
        };
        let timeline = Timeline { spans: vec![read(1)], zones: vec![job(0)], ..Timeline::default() };
        let mut rows = Rows::default();
        rows.hold(1, &timeline);
        let lanes = Lanes::within(Rect::from_min_max(pos2(60.0, 20.0), pos2(660.0, 320.0)), &rows);
        let names: Vec<String> = lanes.shown().map(|(lane, _)| lane.name()).collect();
        assert_eq!(names, ["ui", "sim", "render", "observer 1", "observer 2", "worker 0"]);
        let tops: Vec<f32> = lanes.shown().map(|(_, bar)| bar.top()).collect();
        assert!(tops.is_sorted(), "{tops:?}");
        let top = |lane| lanes.bar(lane).map(|bar| bar.top());
        assert_eq!((top(Lane::Observer(1)), top(Lane::Worker(0))), (Some(tops[4]), Some(tops[5])));
        assert_eq!(lanes.bar(Lane::Observer(2)), None);
        rows.hold(2, &Timeline::default());
        assert_eq!((rows.observers(), rows.workers()), (0, 0), "another run has its own");
    }
}
