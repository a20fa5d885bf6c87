//! A thread that looks after the sounds of one run at their own rate, whatever its window does meanwhile.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::Builder;
use std::time::Duration;

use framewalk_runtime::joining::Joinable;
use framewalk_runtime::time::source::RealClock;

use super::Audio;

/// Longest that is waited for it to end: a device may take half of that to close.
const LAST_LOOK: Duration = Duration::from_millis(400);

/// What is asked of it between two updates.
#[derive(Clone, Copy, Debug)]
enum Order {
    Hold(bool),
    Look,
    Volume(f32),
}

/// The sounds of a run, heard until this is dropped. Of a thread that has panicked nothing is heard any more, which the log
/// says; the run goes on.
pub struct AudioThread {
    // Dropped, it ends the thread. A person gives them, a few a second: they never heap up.
    orders: Option<Sender<Order>>,
    thread: Option<Joinable>,
}

impl AudioThread {
    /// Takes over what is to be heard.
    ///
    /// # Errors
    /// The system refuses a thread.
    pub fn start(audio: Audio) -> io::Result<Self> {
        let (orders, given) = channel();
        let look_after = move || {
            if catch_unwind(AssertUnwindSafe(|| look_after(audio, &given))).is_err() {
                tracing::error!(target: "framewalk", "audio_ended_by_a_panic");
            }
        };
        let thread = Joinable::spawn(Builder::new(), "mixer", look_after)?;
        Ok(Self { orders: Some(orders), thread: Some(thread) })
    }

    /// The run stands, or goes on. While it stands the thread sleeps.
    pub fn hold(&self, held: bool) {
        self.order(Order::Hold(held));
    }

    /// A run that stands was stepped.
    pub fn look(&self) {
        self.order(Order::Look);
    }

    /// Of all sounds together, 0 to 1.
    pub fn set_volume(&self, volume: f32) {
        self.order(Order::Volume(volume));
    }

    /// One that has panicked takes none, and has said so.
    fn order(&self, order: Order) {
        let _ = self.orders.as_ref().map(|orders| orders.send(order));
    }
}

impl Drop for AudioThread {
    fn drop(&mut self) {
        self.orders.take();
        let left = self.thread.take().and_then(|thread| thread.join_within(LAST_LOOK).err());
        if let Some(left) = left {
            tracing::warn!(target: "framewalk", thread = left.name(), "thread_left");
        }
    }
}

/// The thread's whole life.
fn look_after(mut audio: Audio, orders: &Receiver<Order>) {
    let clock = RealClock::new();
    loop {
        match orders.recv_timeout(audio.wait(clock.now())) {
            Ok(Order::Hold(held)) => audio.hold(held, clock.now()),
            Ok(Order::Look) => audio.look(),
            Ok(Order::Volume(volume)) => audio.set_volume(volume),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        audio.update_if_due(clock.now());
    }
    audio.end();
    tell(&mut audio);
}

/// For the log: how well the rate was kept.
fn tell(audio: &mut Audio) {
    let figures = audio.figures();
    let late = figures.late.summary();
    let micros = |nanos: framewalk_runtime::time::Nanos| nanos.0 / 1_000;
    tracing::debug!(
        target: "framewalk",
        rate = %figures.asked,
        updates = figures.updates,
        missed = figures.missed,
        late_p50_micros = late.map_or(0, |late| micros(late.p50)),
        late_p99_micros = late.map_or(0, |late| micros(late.p99)),
        cues = figures.cues,
        started = figures.started,
        lost = figures.lost,
        "audio_ended"
    );
}
