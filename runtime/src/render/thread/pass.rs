//! One turn of the render thread's loop: a frame, a redraw, or sleep.

mod in_flight;
mod waiting;

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::thread;

use super::RenderThreadOptions;
use crate::frame::record::{HandoffMode, RenderOutcome, RenderRecord};
use crate::handoff::{FrameConsumer, FrameDescriptor, Taken};
use crate::jobs::seating::Seat;
use crate::jobs::{Helping, Queue};
use crate::log_limit::LimitedLine;
use crate::render::begun::begun;
use crate::render::frame_wait::FrameWait;
use crate::render::guarded::guarded;
use crate::render::own_clock::{Own, OwnClock};
use crate::render::{Attention, BatchFigures, RenderError, Renderer, Room, Timed};
use crate::time::frame_clock::Planned;
use crate::time::source::RealClock;
use crate::time::{FrameIndex, Nanos};
use in_flight::Waits;

/// What one turn did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    Frame,
    Redraw,
    Slept,
}

impl Turn {
    pub(super) fn redrawn(self) -> bool {
        self == Self::Redraw
    }
}

/// The renderer with all that the loop around it needs.
pub(super) struct Pass<S> {
    consumer: FrameConsumer<S>,
    renderer: Box<dyn Renderer<S>>,
    clock: RealClock,
    options: RenderThreadOptions,
    // For the free handoff.
    own_clock: OwnClock,
    // For the two others.
    frame_wait: FrameWait,
    // What it does while it waits, where it does anything.
    helping: Option<Helping>,
    // Since when it has looked for a frame in vain; none where it has not, since it was busy last.
    waits_since: Option<Nanos>,
    // Times it has waited without sleep.
    spins: u64,
    // When something was last drawn, or tried.
    last_drawn: Nanos,
    // When it was done with the last picture, or began.
    idle_since: Nanos,
    // Lockstep: how much running time it has waited for the next frame.
    waited: Nanos,
    // In that wait the simulation came, and an observer did not.
    awaits_observer: bool,
    failures_logged: LimitedLine,
    // Records of pictures under way, oldest first.
    awaited: VecDeque<RenderRecord>,
    // How many pictures are under way, for whoever waits until none is.
    under_way: Arc<AtomicUsize>,
    // What was waited for the GPU since the last picture, and what stood still for want of a buffer since the beginning.
    room: Waits,
    // `on_stop` answers an `on_start` that began.
    started: bool,
}

impl<S: Timed> Pass<S> {
    pub(super) fn new(
        consumer: FrameConsumer<S>,
        renderer: Box<dyn Renderer<S>>,
        clock: RealClock,
        options: RenderThreadOptions,
        cores: usize,
        under_way: Arc<AtomicUsize>,
    ) -> Self {
        let idle_since = clock.now();
        let frame_wait = FrameWait::new(options.pacing, cores);
        let helping = options.jobs.as_ref().map(|jobs| Helping::new(jobs, Queue::Render));
        Self {
            consumer,
            renderer,
            clock,
            options,
            own_clock: OwnClock::default(),
            frame_wait,
            helping,
            waits_since: None,
            spins: 0,
            last_drawn: Nanos::ZERO,
            idle_since,
            waited: Nanos::ZERO,
            awaits_observer: false,
            failures_logged: LimitedLine::new(|held_back| {
                tracing::error!(target: "framewalk", held_back, "render_failed");
            }),
            awaited: VecDeque::with_capacity(8),
            under_way,
            room: Waits::default(),
            started: false,
        }
    }

    /// Those of the calling thread, from now on.
    pub(super) fn record_zones(&mut self) {
        if let Some(zones) = self.options.zones.take() {
            zones.record_this_thread();
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.options.name
    }

    pub(super) fn run(&self) -> u32 {
        self.options.run
    }

    pub(super) const fn seat(&self) -> Option<&Seat> {
        self.options.seat.as_ref()
    }

    /// How often it has waited without sleep so far.
    pub(super) const fn spins(&self) -> u64 {
        self.spins
    }

    /// The frame taken last, drawn or being drawn.
    pub(super) fn last_taken(&self) -> Option<FrameDescriptor> {
        self.consumer.last_taken()
    }

    pub(super) fn start(&mut self) -> Result<(), String> {
        self.started = true;
        guarded("on_start", None, || self.renderer.on_start())
    }

    pub(super) fn stop(&mut self) -> Result<(), String> {
        if !self.started {
            return Ok(());
        }
        self.started = false;
        self.failures_logged.finish();
        guarded("on_stop", None, || self.renderer.on_stop())?;
        self.collect_finished().map(|_| ())
    }

    /// Abandons what is in flight after a panic, and what is pending.
    pub(super) fn close(&mut self) {
        if self.consumer.is_in_flight() {
            self.consumer.finish(RenderOutcome::Abandoned);
        }
        self.consumer.close();
    }

    /// Draws the frame that is to be drawn now; without one, the last snapshot for a changed view whose period is over;
    /// else sleeps.
    ///
    /// # Errors
    /// The renderer panicked: in which stage, of which frame, with which message. Or the simulation did not come to the
    /// meeting.
    pub(super) fn draw_frame_or_redraw(&mut self) -> Result<Turn, String> {
        if self.collect_finished()? {
            // Who waits for it is told before anything else: it may be long until something else comes.
            return Ok(Turn::Slept);
        }
        let room = guarded("room", None, || self.renderer.room())?;
        if room != Room::Now {
            return self.wait_for_room(room);
        }
        let mut free_until = None;
        if self.consumer.mode() == HandoffMode::Free {
            let now = self.clock.now();
            match self.own_clock.next(&mut self.consumer, now) {
                Own::Draw(taken, planned) => return self.draw_and_attend(&taken, planned),
                Own::Wait { until } => free_until = Some(until),
                Own::Rest => {}
            }
        } else {
            self.own_clock.stop();
            if let Some(taken) = self.consumer.take_at(Nanos::MAX) {
                self.frame_wait.taken(&taken);
                return self.draw_and_attend(&taken, Planned::default());
            }
        }
        let attention = self.attend()?;
        let look = match (attention, self.renderer.under_way()) {
            (_, 1..) => Some(in_flight::LOOK_SOON),
            (Attention::UnderWay, 0) => Some(waiting::LOOK_AGAIN),
            (Attention::Idle | Attention::Answered, 0) => None,
        };
        match self.redraw_due_in()? {
            // Until its own deadline, whatever is published; a tick that is long in coming keeps nobody from looking about.
            Some(Nanos::ZERO) if free_until.is_none() || self.own_clock.has_shown_all() => self.redraw(),
            // More may be asked.
            _ if attention == Attention::Answered => Ok(Turn::Slept),
            due => {
                match free_until {
                    Some(until) => self.nap(until, look),
                    None => self.sleep(due.map(|due| look.map_or(due, |look| look.min(due))).or(look))?,
                }
                Ok(Turn::Slept)
            }
        }
    }

    fn draw_and_attend(&mut self, taken: &Taken, planned: Planned) -> Result<Turn, String> {
        self.draw(taken, planned)?;
        // Frames may follow one another without a pause: what is asked beside them has its turn after each.
        self.attend()?;
        Ok(Turn::Frame)
    }

    fn draw(&mut self, taken: &Taken, planned: Planned) -> Result<(), String> {
        let now = self.clock.now();
        (self.waited, self.awaits_observer) = (Nanos::ZERO, false);
        let frame = &taken.frame;
        let mut record = begun(&mut self.consumer, self.options.run, taken, planned, self.waits_since, now);
        record.render_wait = (now - self.idle_since - self.room.wait - self.room.stall).max(Nanos::ZERO);
        let drawn = self.draw_stages(frame, &mut record);
        self.last_drawn = self.clock.now();
        self.idle_since = self.last_drawn;
        self.waits_since = None;
        self.own_clock.done(self.last_drawn);
        record.outcome = match drawn {
            Ok(Ok(())) => RenderOutcome::Rendered,
            Ok(Err(_)) | Err(_) => RenderOutcome::Abandoned,
        };
        self.say_under_way();
        let is_under_way = record.outcome == RenderOutcome::Rendered && self.renderer.under_way() > 0;
        if is_under_way {
            self.awaited.push_back(record);
        } else {
            self.send(record);
        }
        // After a panic the frame stays in flight until the reason is known to everybody: see `close`.
        match drawn? {
            Ok(()) => self.failures_logged.look(self.last_drawn),
            Err((stage, error)) => self.log_failure(stage, frame.frame, &error),
        }
        self.consumer.finish(record.outcome);
        Ok(())
    }

    /// Batch, then submit. The outer error is a panic, the inner one the renderer's own.
    fn draw_stages(
        &mut self,
        frame: &FrameDescriptor,
        record: &mut RenderRecord,
    ) -> Result<Result<(), (&'static str, RenderError)>, String> {
        let (renderer, snapshot) = (&mut self.renderer, self.consumer.snapshot());
        record.batch_start = record.taken;
        let batched = guarded("batch", Some(frame.frame), || renderer.batch(frame, snapshot));
        record.submit_start = self.clock.now();
        record.batch = record.submit_start - record.batch_start;
        let BatchFigures { instances, culled } = match batched? {
            Ok(figures) => figures,
            Err(error) => return Ok(Err(("batch", error))),
        };
        (record.instances, record.culled) = (instances, culled);
        let submitted = guarded("submit", Some(frame.frame), || renderer.submit(frame, snapshot));
        let mut submit = self.clock.now() - record.submit_start;
        if matches!(submitted, Ok(Ok(()))) && submit < self.options.submit_cost {
            thread::sleep((self.options.submit_cost - submit).to_duration());
            submit = self.clock.now() - record.submit_start;
        }
        record.submit = submit;
        if matches!(submitted, Ok(Ok(()))) {
            record.flight = self.renderer.flight();
            record.presented = self.renderer.presented();
            // Of a picture under way that is not known yet.
            record.gpu = self.renderer.gpu_time().filter(|_| self.renderer.under_way() == 0);
        }
        self.note_waits(record);
        Ok(submitted?.map_err(|error| ("submit", error)))
    }

    fn attend(&mut self) -> Result<Attention, String> {
        guarded("attend", None, || self.renderer.attend())
    }

    /// None: no view waits, or there is no snapshot to draw yet.
    fn redraw_due_in(&mut self) -> Result<Option<Nanos>, String> {
        if self.consumer.last_taken().is_none()
            || !guarded("view_changed", None, || self.renderer.view_changed())?
        {
            return Ok(None);
        }
        let waited = self.clock.now() - self.last_drawn;
        Ok(Some((self.redraw_after() - waited).max(Nanos::ZERO)))
    }

    /// The frame rate may change while a run goes on: it is asked for each time.
    pub(super) fn redraw_after(&self) -> Nanos {
        self.options.redraw_after.unwrap_or_else(|| self.consumer.render_rate().period())
    }

    fn redraw(&mut self) -> Result<Turn, String> {
        let renderer = &mut self.renderer;
        self.waits_since = None;
        // A frame that has come in this moment is drawn instead.
        let Some(snapshot) = self.consumer.keep() else { return Ok(Turn::Slept) };
        let redrawn = guarded("redraw", None, || renderer.redraw(snapshot))?;
        if redrawn == Ok(true) {
            self.note_waits(&mut RenderRecord { flight: self.renderer.flight(), ..RenderRecord::default() });
        }
        match redrawn {
            Ok(true) => return Ok(Turn::Redraw),
            // Nothing came of it and a view may still wait: one period more, lest this loop never sleeps.
            Ok(false) => {}
            Err(error) => self.log_failure("redraw", FrameIndex::default(), &error),
        }
        self.last_drawn = self.clock.now();
        Ok(Turn::Slept)
    }

    fn log_failure(&mut self, stage: &str, frame: FrameIndex, error: &RenderError) {
        if let Some(held_back) = self.failures_logged.allow(self.clock.now()) {
            tracing::error!(
                target: "framewalk", stage, frame = frame.0, error = %error, held_back, "render_failed"
            );
        }
    }
}
