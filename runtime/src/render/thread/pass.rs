//! One turn of the render thread's loop: a frame, a redraw, or sleep.

use std::thread;
use std::time::Duration;

use super::RenderThreadOptions;
use crate::frame::record::{RenderOutcome, RenderRecord};
use crate::frame::recorder::RuntimeRecord;
use crate::handoff::{FrameConsumer, FrameDescriptor};
use crate::log_limit::RateLimit;
use crate::render::guarded::guarded;
use crate::render::{Attention, BatchFigures, RenderError, Renderer};
use crate::time::source::RealClock;
use crate::time::{FrameIndex, Nanos};

/// How long it sleeps at most while the renderer has something under way beside its frames.
const LOOK_AGAIN: Nanos = Nanos::from_millis(1);

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
    // When something was last drawn, or tried.
    last_drawn: Nanos,
    failures_logged: RateLimit,
    // `on_stop` answers an `on_start` that began.
    started: bool,
}

impl<S> Pass<S> {
    pub(super) fn new(
        consumer: FrameConsumer<S>,
        renderer: Box<dyn Renderer<S>>,
        clock: RealClock,
        options: RenderThreadOptions,
    ) -> Self {
        Self {
            consumer,
            renderer,
            clock,
            options,
            last_drawn: Nanos::ZERO,
            failures_logged: RateLimit::new(),
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
        guarded("on_stop", None, || self.renderer.on_stop())
    }

    /// Abandons what is in flight after a panic, and what is pending.
    pub(super) fn close(&mut self) {
        if self.consumer.is_in_flight() {
            self.consumer.finish(RenderOutcome::Abandoned);
        }
        self.consumer.close();
    }

    /// Draws the newest frame; without one, the last snapshot for a changed view whose period is over; else sleeps.
    ///
    /// # Errors
    /// The renderer panicked: in which stage, of which frame, with which message.
    pub(super) fn draw_frame_or_redraw(&mut self) -> Result<Turn, String> {
        if let Some(frame) = self.consumer.take() {
            self.draw(&frame)?;
            // Frames may follow one another without a pause: what is asked beside them has its turn after each.
            self.attend()?;
            return Ok(Turn::Frame);
        }
        let attention = self.attend()?;
        match self.redraw_due_in()? {
            Some(Nanos::ZERO) => self.redraw(),
            at_most => {
                let at_most = match attention {
                    Attention::Idle => at_most,
                    Attention::UnderWay => Some(at_most.map_or(LOOK_AGAIN, |due| due.min(LOOK_AGAIN))),
                    // More may be asked.
                    Attention::Answered => return Ok(Turn::Slept),
                };
                self.consumer.sleep(at_most.map(duration));
                Ok(Turn::Slept)
            }
        }
    }

    fn draw(&mut self, frame: &FrameDescriptor) -> Result<(), String> {
        let taken = self.clock.now();
        let mut record =
            RenderRecord { run: self.options.run, frame: frame.frame, taken, ..RenderRecord::default() };
        let drawn = self.draw_stages(frame, &mut record);
        self.last_drawn = self.clock.now();
        record.outcome = match drawn {
            Ok(Ok(())) => RenderOutcome::Rendered,
            Ok(Err(_)) | Err(_) => RenderOutcome::Abandoned,
        };
        if frame.frame != FrameIndex::default() {
            self.options.records.send(RuntimeRecord::Render(record));
        }
        // After a panic the frame stays in flight until the reason is known to everybody: see `close`.
        if let Err((stage, error)) = drawn? {
            self.log_failure(stage, frame.frame, &error);
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
            thread::sleep(duration(self.options.submit_cost - submit));
            submit = self.clock.now() - record.submit_start;
        }
        record.submit = submit;
        let done = matches!(submitted, Ok(Ok(())));
        record.gpu = self.renderer.gpu_time().filter(|_| done);
        record.presented = self.renderer.presented().filter(|_| done);
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
        Ok(Some((self.options.redraw_after - waited).max(Nanos::ZERO)))
    }

    fn redraw(&mut self) -> Result<Turn, String> {
        let (renderer, snapshot) = (&mut self.renderer, self.consumer.snapshot());
        let redrawn = guarded("redraw", None, || renderer.redraw(snapshot))?;
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
        if let Some(held_back) = self.failures_logged.allow(self.clock.now()).held_back() {
            tracing::error!(
                target: "framewalk", stage, frame = frame.0, error = %error, held_back, "render_failed"
            );
        }
    }
}

fn duration(nanos: Nanos) -> Duration {
    Duration::from_nanos(nanos.0.max(0).unsigned_abs())
}
