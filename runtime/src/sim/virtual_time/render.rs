//! The renderer on a manual clock: what it takes, and when it is done with it.

use crate::frame::record::{HandoffMode, RenderOutcome, RenderRecord};
use crate::handoff::{FrameConsumer, FrameDescriptor, Taken};
use crate::log_limit::RateLimit;
use crate::render::begun::begun;
use crate::render::guarded::guarded as guarded_call;
use crate::render::own_clock::{Own, OwnClock};
use crate::render::{Attention, BatchFigures, Renderer};
use crate::sim::RunFailure;
use crate::snapshot::Snapshot;
use crate::time::frame_clock::Planned;
use crate::time::{FrameIndex, Nanos, Tick};

/// So often it is looked whether the renderer has done what it was asked beside its frames: for some seconds.
const MOST_LOOKS: u32 = 2_000_000;

#[derive(Clone, Copy, Debug)]
pub(super) struct InFlight {
    pub(super) done: Nanos,
    record: RenderRecord,
}

/// The renderer, and when it is done with what it draws.
pub(super) struct VirtualRender {
    pub(super) consumer: FrameConsumer<Snapshot>,
    pub(super) renderer: Box<dyn Renderer<Snapshot>>,
    run: u32,
    cost: Nanos,
    pub(super) in_flight: Option<InFlight>,
    // For the free handoff.
    own_clock: OwnClock,
    // When it was done with the last picture, or began.
    idle_since: Nanos,
    last_taken: Option<Nanos>,
    pub(super) records: Vec<RenderRecord>,
    pub(super) failure: Option<RunFailure>,
    abandoned_logged: RateLimit,
    redraws_logged: RateLimit,
}

impl VirtualRender {
    /// One that has been idle since `now`, and whose every submit takes at least `cost`.
    pub(super) fn new(
        consumer: FrameConsumer<Snapshot>,
        renderer: Box<dyn Renderer<Snapshot>>,
        run: u32,
        now: Nanos,
        cost: Nanos,
    ) -> Self {
        Self {
            consumer,
            renderer,
            run,
            cost,
            in_flight: None,
            own_clock: OwnClock::default(),
            idle_since: now,
            last_taken: None,
            records: Vec::with_capacity(16),
            failure: None,
            abandoned_logged: RateLimit::new(),
            redraws_logged: RateLimit::new(),
        }
    }

    /// When it has something to do without being given anything; none while it waits for a frame.
    pub(super) fn next_event(&mut self) -> Option<Nanos> {
        match self.in_flight {
            Some(flight) => Some(flight.done),
            None if self.failure.is_some() => None,
            None => self.own_clock.next_deadline(),
        }
    }

    /// The frame in flight ends, if it is due; true when one did.
    pub(super) fn finish_due(&mut self, now: Nanos) -> bool {
        match self.in_flight {
            Some(flight) if flight.done <= now => {
                self.in_flight = None;
                self.idle_since = flight.done;
                self.own_clock.done(flight.done);
                self.consumer.finish(flight.record.outcome);
                self.records.push(flight.record);
                true
            }
            _ => false,
        }
    }

    /// Takes the frame that is to be drawn now, if nothing is in flight; true when one was taken.
    pub(super) fn take(&mut self, now: Nanos) -> bool {
        if self.in_flight.is_some() || self.failure.is_some() {
            return false;
        }
        let (taken, planned) = if self.consumer.mode() == HandoffMode::Free {
            match self.own_clock.next(&mut self.consumer, now) {
                Own::Draw(taken, planned) => (taken, planned),
                Own::Wait { .. } | Own::Rest => return false,
            }
        } else {
            self.own_clock.stop();
            let Some(taken) = self.consumer.take_at(Nanos::MAX) else { return false };
            (taken, Planned::default())
        };
        self.begin(&taken, planned, now);
        true
    }

    fn begin(&mut self, taken: &Taken, planned: Planned, now: Nanos) {
        self.last_taken = Some(now);
        // As a render thread, which wakes in no time here.
        let begun = begun(&mut self.consumer, self.run, taken, planned, Some(self.idle_since), now);
        let cost = self.cost.max(self.consumer.snapshot().submit_load);
        let (figures, outcome) = self.draw(&taken.frame, now);
        // How long a GPU takes is not the run's time.
        let record = RenderRecord {
            outcome,
            render_wait: now - self.idle_since,
            batch_start: now,
            submit_start: now,
            submit: cost,
            instances: figures.instances,
            culled: figures.culled,
            ..begun
        };
        self.in_flight = Some(InFlight { done: now + cost, record });
    }

    pub(super) fn start(&mut self) {
        let renderer = &mut self.renderer;
        let started = guarded_call("on_start", None, || renderer.on_start());
        self.settle_call(started);
    }

    fn draw(&mut self, frame: &FrameDescriptor, now: Nanos) -> (BatchFigures, RenderOutcome) {
        let (renderer, snapshot) = (&mut self.renderer, self.consumer.snapshot());
        let of = Some(frame.frame);
        let drawn = guarded_call("batch", of, || renderer.batch(frame, snapshot)).and_then(|batched| {
            let Ok(figures) = batched else { return Ok(batched) };
            let submitted = guarded_call("submit", of, || renderer.submit(frame, snapshot))?;
            guarded_call("submit", of, || settle(&mut **renderer))?;
            Ok(submitted.map(|()| figures))
        });
        match self.settle_call(drawn) {
            Some(Ok(figures)) => (figures, RenderOutcome::Rendered),
            Some(Err(error)) => {
                if let Some(held_back) = self.abandoned_logged.allow(now).held_back() {
                    tracing::error!(
                        target: "framewalk", frame = frame.frame.0, %error, held_back, "frame_abandoned"
                    );
                }
                (BatchFigures::default(), RenderOutcome::Abandoned)
            }
            None => (BatchFigures::default(), RenderOutcome::Abandoned),
        }
    }

    /// A changed view is drawn once it has waited for a frame for one period of the frame rate as it is now.
    pub(super) fn redraw_if_due(&mut self, now: Nanos) {
        let redraw_after = self.consumer.render_rate().period();
        if self.last_taken.is_some_and(|last| now - last >= redraw_after) {
            self.redraw(now);
        }
    }

    /// A changed view is drawn: it waits for no frame.
    pub(super) fn redraw(&mut self, now: Nanos) {
        if self.failure.is_some() || self.in_flight.is_some() || self.last_taken.is_none() {
            return;
        }
        let renderer = &mut self.renderer;
        let changed = guarded_call("redraw", None, || renderer.view_changed());
        if self.settle_call(changed) != Some(true) {
            return;
        }
        let renderer = &mut self.renderer;
        let Some(snapshot) = self.consumer.keep() else { return };
        let redrawn = guarded_call("redraw", None, || {
            let redrawn = renderer.redraw(snapshot).map(|_| ());
            settle(&mut **renderer);
            redrawn
        });
        if let Some(Err(error)) = self.settle_call(redrawn)
            && let Some(held_back) = self.redraws_logged.allow(now).held_back()
        {
            tracing::error!(target: "framewalk", %error, held_back, "redraw_failed");
        }
    }

    pub(super) fn attend(&mut self) {
        for _ in 0..MOST_LOOKS {
            let renderer = &mut self.renderer;
            let attended = guarded_call("attend", None, || renderer.attend());
            match self.settle_call(attended) {
                Some(Attention::UnderWay) => std::thread::yield_now(),
                Some(Attention::Answered) => {}
                Some(Attention::Idle) | None => break,
            }
        }
    }

    pub(super) fn close(&mut self) {
        self.consumer.close();
        if let Some(held_back) = self.abandoned_logged.finish() {
            tracing::error!(target: "framewalk", held_back, "frame_abandoned");
        }
        if let Some(held_back) = self.redraws_logged.finish() {
            tracing::error!(target: "framewalk", held_back, "redraw_failed");
        }
        let renderer = &mut self.renderer;
        let stopped = guarded_call("on_stop", None, || renderer.on_stop());
        self.settle_call(stopped);
    }

    /// A panic ends the run: the first one is kept, with the frame taken last, and nothing more is drawn.
    fn settle_call<R>(&mut self, called: Result<R, String>) -> Option<R> {
        match called {
            Ok(result) => Some(result),
            Err(message) => {
                let taken = self.consumer.last_taken();
                let (frame, tick) = taken.map_or((FrameIndex(0), Tick(0)), |taken| (taken.frame, taken.tick));
                self.failure.get_or_insert(RunFailure {
                    thread: "render",
                    frame,
                    tick,
                    stage: None,
                    message,
                });
                None
            }
        }
    }
}

/// On a manual clock nothing stays under way: how long a real GPU takes is not the run's time.
fn settle(renderer: &mut dyn Renderer<Snapshot>) {
    renderer.settle();
    while renderer.take_finished().is_some() {}
}
