//! A frame loop that has nothing to do with the editor: it makes records as any program could.
//!
//! Everything is worked out on paper, without a clock or a thread: a 144 Hz grid, 60 Hz ticks, six stages of made-up
//! cost, and a renderer that takes about 4 ms a frame and now and then much longer, so that frames get late, dropped
//! and unseen.

use std::collections::VecDeque;

use framewalk_runtime::frame::record::{
    FrameKind, FrameRecord, HandoffCounts, RenderRecord, Shown, ShownRecord, StageFigures, StageTiming,
};
use framewalk_runtime::frame::stage::Stage;
use framewalk_runtime::time::fixed_step::FixedStep;
use framewalk_runtime::time::frame_clock::FrameClock;
use framewalk_runtime::time::{FrameIndex, Nanos, Rate, Tick};

/// What came out of one frame.
#[derive(Clone, Debug, Default)]
pub struct News {
    pub frame: FrameRecord,
    pub rendered: Vec<RenderRecord>,
    pub shown: Vec<ShownRecord>,
}

/// The program's state.
pub struct FrameLoop {
    run: u32,
    clock: FrameClock,
    frame_rate: Rate,
    step: FixedStep,
    now: Nanos,
    last_render_time: Nanos,
    frame: u64,
    tick: u64,
    counts: HandoffCounts,
    // With the simulated time that it shows, as the next two.
    pending: Option<(u64, Nanos)>,
    in_flight: Option<RenderRecord>,
    finished: VecDeque<RenderRecord>,
    random: u64,
}

impl FrameLoop {
    pub fn new(run: u32, frame_hz: u32) -> Self {
        let frame_rate = Rate::hz(frame_hz).unwrap_or_default();
        let start = Nanos::from_secs(100);
        Self {
            run,
            clock: FrameClock::started(start, frame_rate),
            frame_rate,
            step: FixedStep::new(Rate::HZ_60),
            now: start,
            last_render_time: start,
            frame: 0,
            tick: 0,
            counts: HandoffCounts::default(),
            pending: None,
            in_flight: None,
            finished: VecDeque::new(),
            random: 0x9e37_79b9_7f4a_7c15,
        }
    }

    /// Runs the next frame of the grid.
    pub fn next_frame(&mut self) -> News {
        let mut news = News::default();
        let planned = self.clock.next(self.now);
        self.render_until(planned.render_time, &mut news);
        self.present(planned.render_time, &mut news);

        self.frame += 1;
        let first = self.frame == 1;
        let delta = if first { Nanos::ZERO } else { planned.render_time - self.last_render_time };
        let advance = self.step.advance(delta);
        self.tick += u64::from(advance.ticks);
        self.last_render_time = planned.render_time;

        let (stages, end) = self.stages(planned.render_time, advance.ticks);
        self.render_until(end, &mut news);
        let tick_length = self.step.rate().period();
        let simulated = self.step.rate().time_of(self.tick);
        let shown = Nanos((simulated.0 - tick_length.0).max(0)) + advance.overstep;
        let shown_time = if self.tick == 0 { Nanos::ZERO } else { shown };
        let replaced = self.publish(end, shown_time);
        news.frame = FrameRecord {
            run: self.run,
            frame: FrameIndex(self.frame),
            kind: if first { FrameKind::First } else { FrameKind::Running },
            tick: Tick(self.tick),
            render_time: planned.render_time,
            delta,
            clamped: advance.clamped,
            ticks: advance.ticks,
            capped_ticks: advance.capped_ticks,
            overstep: advance.overstep,
            alpha: advance.alpha,
            tick_length,
            tick_rate: self.step.rate(),
            frame_rate: self.frame_rate,
            speed: self.step.speed(),
            max_ticks: self.step.max_ticks(),
            simulated_time: simulated,
            shown_time,
            late: planned.late,
            missed: planned.missed,
            stages,
            figures: self.figures(),
            replaced,
            handoff: self.counts,
            totals: self.step.totals(),
            ..FrameRecord::default()
        };
        self.now = end;
        news
    }

    /// The costs of the six stages; one frame in 230 takes three periods.
    fn stages(&mut self, start: Nanos, ticks: u32) -> ([StageTiming; Stage::COUNT], Nanos) {
        let slow = if self.frame % 230 == 84 { 21_000_000 } else { 0 };
        let base: [u64; Stage::COUNT] = [15_000, 100_000, 8_000, 250_000, 60_000, 30_000];
        let mut at = start;
        let mut timings = [StageTiming::default(); Stage::COUNT];
        for (timing, cost) in timings.iter_mut().zip(base) {
            let jitter = self.roll(cost / 3);
            let cost = if cost == 250_000 { cost + u64::from(ticks) * 600_000 + slow } else { cost };
            timing.start = at;
            timing.duration = Nanos((cost + jitter) as i64);
            at += timing.duration;
        }
        (timings, at)
    }

    fn figures(&mut self) -> StageFigures {
        StageFigures {
            input_events: (self.roll(8) / 6) as u32,
            systems: 4,
            snapshot_buffer: (self.frame % 3) as u8,
            flows: 1,
            agents: 4,
            snapshot_entities: 24,
            entities: 25,
            ..StageFigures::default()
        }
    }

    /// Newest wins: an untaken frame is replaced.
    fn publish(&mut self, at: Nanos, shown_time: Nanos) -> Option<FrameIndex> {
        self.counts.published += 1;
        let replaced = self.pending.replace((self.frame, shown_time));
        self.counts.dropped += u64::from(replaced.is_some());
        if self.in_flight.is_none() {
            self.take(at);
        }
        self.count();
        replaced.map(|(frame, _)| FrameIndex(frame))
    }

    fn take(&mut self, at: Nanos) {
        let Some((frame, shown_time)) = self.pending.take() else { return };
        let hiccup = if frame % 310 == 120 { 24_000_000 } else { 0 };
        let batch = Nanos(300_000 + self.roll(80_000) as i64);
        let submit = Nanos(3_600_000 + self.roll(900_000) as i64 + hiccup);
        self.in_flight = Some(RenderRecord {
            run: self.run,
            frame: FrameIndex(frame),
            taken: at,
            shown_time,
            batch_start: at,
            batch,
            submit_start: at + batch,
            submit,
            instances: 22,
            culled: 2,
            ..RenderRecord::default()
        });
    }

    /// Lets the renderer work until `time`.
    fn render_until(&mut self, time: Nanos, news: &mut News) {
        while let Some(done) = self.in_flight.filter(|record| record.submitted() <= time) {
            self.in_flight = None;
            self.counts.rendered += 1;
            self.finished.push_back(done);
            news.rendered.push(done);
            self.take(done.submitted());
        }
        self.count();
    }

    fn present(&mut self, at: Nanos, news: &mut News) {
        while let Some(picture) = self.finished.pop_front() {
            let shown = match self.finished.is_empty() {
                true => Shown::Presented { at, shown_time: Some(picture.shown_time) },
                false => Shown::Unseen,
            };
            news.shown.push(ShownRecord { run: self.run, frame: picture.frame, shown });
        }
    }

    fn count(&mut self) {
        self.counts.pending = u64::from(self.pending.is_some());
        self.counts.in_flight = u64::from(self.in_flight.is_some());
    }

    /// A number below `limit`, the same ones every time.
    fn roll(&mut self, limit: u64) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        if limit == 0 { 0 } else { self.random % limit }
    }
}
