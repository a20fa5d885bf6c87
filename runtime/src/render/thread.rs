//! The render thread: a loop around one renderer that takes the newest frame, draws it, and sleeps while there is
//! nothing to do. Where it knows when the next frame is due it sleeps until just before that, and looks for it without
//! sleep for a moment; else it sleeps until it is woken. It costs the producer a wake-up only while it sleeps.

mod pass;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{self, Thread};
use std::time::Duration;

use super::guarded::panic_message;
use super::{Renderer, Timed};
use crate::frame::record::HandoffCounts;
use crate::frame::recorder::RecordSender;
use crate::frame::zones::ZoneSender;
use crate::handoff::idle::IdleBarrier;
use crate::handoff::{FrameConsumer, FrameDescriptor, HandoffStats};
use crate::jobs::Jobs;
use crate::jobs::seating::Seat;
use crate::joining::{Joinable, LeftThread};
use crate::time::Nanos;
use crate::time::pacer::Pacing;
use crate::time::source::RealClock;
use pass::Pass;

/// How a render thread is to run.
pub struct RenderThreadOptions {
    /// The name of the thread: `render`.
    pub name: String,
    /// Which Play its records belong to.
    pub run: u32,
    /// What every submit takes at least; the thread sleeps for the rest.
    pub submit_cost: Nanos,
    /// How long after the last picture a changed view is drawn without a new frame; `None`: one period of the frame rate
    /// that the producer has set last, [`FrameProducer::set_render_rate`](crate::handoff::FrameProducer::set_render_rate).
    pub redraw_after: Option<Nanos>,
    /// How it meets deadlines: its own in the free handoff, and those of frames that are expected in the two others.
    pub pacing: Pacing,
    /// Lockstep: the longest it waits for the simulation, running time only.
    pub patience: Nanos,
    /// Where a record of every taken frame goes. Frame 0 is no frame and leaves none.
    pub records: RecordSender,
    /// Where its zones go, if anybody looks at them.
    pub zones: Option<ZoneSender>,
    /// Jobs that it helps with while it waits, those of `render` first.
    pub jobs: Option<Jobs>,
    /// Where it stays, once its renderer has started; `None`: wherever the system puts it.
    pub seat: Option<Seat>,
}

/// The thread could not be started. The handoff is closed.
#[derive(Debug, thiserror::Error)]
#[error("the thread {name} could not be started: {source}")]
pub struct StartError {
    pub name: String,
    pub source: std::io::Error,
}

/// The render thread ended by itself.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the render thread has ended: {message}")]
pub struct RenderThreadDied {
    pub message: String,
}

/// A running render thread. Dropping it shuts it down.
pub struct RenderThread {
    shared: Arc<Shared>,
    stats: HandoffStats,
    thread: Thread,
    // None once it has been joined or left.
    join: Option<Joinable>,
}

/// What the thread and its handle both see.
struct Shared {
    stop: AtomicBool,
    redraws: AtomicU64,
    /// Pictures submitted and not done yet.
    under_way: Arc<AtomicUsize>,
    spins: AtomicU64,
    failure: OnceLock<String>,
    failed_frame: OnceLock<FrameDescriptor>,
    idle: IdleBarrier,
}

impl RenderThread {
    /// Starts the thread; `on_start` runs on it before the first frame is taken.
    ///
    /// # Errors
    /// The system refuses a thread. The handoff is closed then: publishing is an error.
    pub fn start<S: Timed + Send + Sync + 'static>(
        consumer: FrameConsumer<S>,
        renderer: Box<dyn Renderer<S>>,
        clock: RealClock,
        options: RenderThreadOptions,
    ) -> Result<Self, StartError> {
        Self::start_from(thread::Builder::new(), consumer, renderer, clock, options)
    }

    fn start_from<S: Timed + Send + Sync + 'static>(
        builder: thread::Builder,
        consumer: FrameConsumer<S>,
        renderer: Box<dyn Renderer<S>>,
        clock: RealClock,
        options: RenderThreadOptions,
    ) -> Result<Self, StartError> {
        let shared = Arc::new(Shared {
            stop: AtomicBool::new(false),
            redraws: AtomicU64::new(0),
            under_way: Arc::default(),
            spins: AtomicU64::new(0),
            failure: OnceLock::new(),
            failed_frame: OnceLock::new(),
            idle: IdleBarrier::new(),
        });
        let stats = consumer.stats();
        let name = options.name.clone();
        let seen_by_thread = shared.clone();
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let under_way = Arc::clone(&shared.under_way);
        let pass = move || Pass::new(consumer, renderer, clock, options, cores, under_way);
        let body = move || run(seen_by_thread, pass());
        let join = Joinable::spawn(builder, &name, body).map_err(|source| StartError { name, source })?;
        Ok(Self { shared, stats, thread: join.thread().clone(), join: Some(join) })
    }

    /// Waits until no frame is pending or in flight, and the pixels of every picture are there; returns at once after a
    /// shutdown.
    ///
    /// # Errors
    /// The thread has died, before or meanwhile.
    pub fn wait_idle(&self) -> Result<(), RenderThreadDied> {
        self.shared.idle.wait(
            || self.wake(),
            || {
                let counts = self.stats.counts();
                // Acquire: whatever was done with the pictures before is seen by whoever stops waiting for it.
                let under_way = self.shared.under_way.load(Ordering::Acquire);
                counts.pending == 0 && counts.in_flight == 0 && under_way == 0
            },
        );
        match self.failure() {
            Some(message) => Err(RenderThreadDied { message }),
            None => Ok(()),
        }
    }

    /// Stops the thread and joins it. The frame in flight is finished, and so are pictures under way; a pending frame is
    /// abandoned, not drawn. From then on publishing is an error. Does nothing the second time.
    pub fn shutdown(&mut self) {
        if let Some(thread) = self.ask_to_stop() {
            self.note_end(thread.join());
        }
    }

    /// As [`RenderThread::shutdown`], but waits so long at most. A thread that is still in a stage then is left to
    /// itself and handed out; it stops when that stage ends. Nobody waits for it to be idle any more.
    pub fn shutdown_within(&mut self, patience: Duration) -> Option<LeftThread> {
        match self.ask_to_stop()?.join_within(patience) {
            Ok(ended) => {
                self.note_end(ended);
                None
            }
            Err(left) => {
                self.shared.idle.end();
                Some(left)
            }
        }
    }

    fn ask_to_stop(&mut self) -> Option<Joinable> {
        let thread = self.join.take()?;
        // Release: whatever was done before the shutdown is seen by the thread that stops for it.
        self.shared.stop.store(true, Ordering::Release);
        self.wake();
        Some(thread)
    }

    fn note_end(&self, ended: thread::Result<()>) {
        if let Err(payload) = ended {
            self.shared.failure.get_or_init(|| format!("panicked: {}", panic_message(&*payload)));
        }
    }

    /// A view changed, for [`Renderer::view_changed`] to find.
    pub fn wake(&self) {
        self.thread.unpark();
    }

    /// The thread has neither been shut down nor ended by itself.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.join.is_some() && !self.shared.idle.has_ended()
    }

    /// Why it ended by itself, with the stage that was to blame.
    #[must_use]
    pub fn failure(&self) -> Option<String> {
        self.shared.failure.get().cloned()
    }

    /// The frame that was being drawn when it ended by itself; none where that was in `on_start`.
    #[must_use]
    pub fn failed_frame(&self) -> Option<FrameDescriptor> {
        self.shared.failed_frame.get().copied()
    }

    #[must_use]
    pub fn counts(&self) -> HandoffCounts {
        self.stats.counts()
    }

    /// How often the last snapshot was drawn again for another view.
    #[must_use]
    pub fn redraws(&self) -> u64 {
        // Relaxed: a figure to look at.
        self.shared.redraws.load(Ordering::Relaxed)
    }

    /// How often it has waited without sleep: at most once for each picture, and never while everything stands.
    #[must_use]
    pub fn spins(&self) -> u64 {
        // Relaxed: a figure to look at.
        self.shared.spins.load(Ordering::Relaxed)
    }
}

impl Drop for RenderThread {
    fn drop(&mut self) {
        self.shutdown();
    }
}

/// The whole life of the thread. Nothing unwinds out of it.
fn run<S: Timed>(shared: Arc<Shared>, mut pass: Pass<S>) {
    tracing::info!(target: "framewalk", thread = pass.name(), run = pass.run(), "thread_started");
    let name = pass.name().to_owned();
    pass.record_zones();
    let fail = |message: String| {
        tracing::error!(target: "framewalk", thread = name, message, "thread_failed");
        // The first reason is the one that counts.
        let _ = shared.failure.set(message);
    };
    let started = pass.start();
    // After that: a thread that the renderer has started for itself would be kept on that core too.
    let stays = pass.seat().and_then(|seat| seat.take(&name));
    if let Err(died) = started.and_then(|()| draw_until_stopped(&shared, &mut pass)) {
        if let Some(frame) = pass.last_taken() {
            let _ = shared.failed_frame.set(frame);
        }
        // Said before the counts settle: whoever sees the frame abandoned also sees why.
        fail(died);
    }
    drop(stays);
    // Publishing is an error before anything is torn down.
    pass.close();
    if let Err(died) = pass.stop() {
        fail(died);
    }
    let run = pass.run();
    // The renderer's own drop is foreign code too.
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(pass))) {
        fail(format!("panicked while its renderer was dropped: {}", panic_message(&*payload)));
    }
    tracing::info!(target: "framewalk", thread = name, run, "thread_stopped");
    shared.idle.end();
}

fn draw_until_stopped<S: Timed>(shared: &Shared, pass: &mut Pass<S>) -> Result<(), String> {
    // Acquire: the other half of the shutdown's release.
    while !shared.stop.load(Ordering::Acquire) {
        if pass.draw_frame_or_redraw()?.redrawn() {
            // Relaxed: a figure to look at.
            shared.redraws.fetch_add(1, Ordering::Relaxed);
        }
        // Relaxed: as above; this thread alone writes it.
        shared.spins.store(pass.spins(), Ordering::Relaxed);
        shared.idle.announce();
    }
    Ok(())
}

#[cfg(all(test, not(loom)))]
mod tests;
