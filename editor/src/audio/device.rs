//! The device that sounds are heard through: opened, lost and opened again, on a thread of its own.
//!
//! ```text
//!   speaker ── commands ──▶ renderer ──▶ samples ──▶ device, while it takes them
//!                              ▲                └──▶ nowhere, while it does not: as many as time has passed
//!                              └── looked after by the thread `sound`
//! ```
//!
//! So whatever became of a device, a sound is where it would be if it had been heard, and none comes late in a heap. What
//! kira brings for this ends with its first device: it never comes back, opens the device twice a second to see whether it
//! is still the system's, and panics where another cannot be opened.

pub mod pace;
pub mod system;

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::thread::Builder;
use std::time::Duration;

use framewalk_runtime::joining::Joinable;
use framewalk_runtime::time::source::RealClock;
use kira::backend::{Backend, Renderer};

use super::Heard;
use pace::{Pace, Pacing, Tries};

/// How often the device is looked after.
const LOOK_PERIOD: Duration = Duration::from_millis(50);
/// Longest that is made up for at once: after a machine has slept, its sounds are over.
const MOST_PASSED: Duration = Duration::from_secs(1);
/// Longest that is waited for a device to close.
const LAST_LOOK: Duration = Duration::from_millis(200);
/// Before any device has said its own.
const FIRST_SAMPLE_RATE: u32 = 48_000;
/// Frames that are passed over at a time.
const CHUNK: usize = 1_024;
/// Troubles that wait for the next look; what is more says nothing new.
const MOST_TROUBLES: usize = 16;

/// Where devices come from.
pub trait Devices: Send + 'static {
    /// Takes samples for as long as it is there.
    type Stream;

    /// Opens the one that is the system's now, in the sample rate it takes: said to `source` before it is first asked.
    ///
    /// # Errors
    /// Why there is none: a sentence.
    fn open(&mut self, source: &Source, troubles: Troubles) -> Result<(Self::Stream, String), String>;
}

/// What a device takes its samples from.
#[derive(Clone)]
pub struct Source(Arc<Samples>);

struct Samples {
    // Of a device, or of the thread that looks after it while no device takes anything: never waited for by the former.
    renderer: Mutex<Renderer>,
    sample_rate: AtomicU32,
    // Frames a device took.
    taken: AtomicU64,
}

impl Source {
    fn new(renderer: Renderer) -> Self {
        let sample_rate = AtomicU32::new(FIRST_SAMPLE_RATE);
        Self(Arc::new(Samples { renderer: Mutex::new(renderer), sample_rate, taken: AtomicU64::new(0) }))
    }

    /// From now on so many frames are taken a second.
    pub fn set_sample_rate(&self, sample_rate: u32) {
        if self.0.sample_rate.swap(sample_rate, Ordering::Relaxed) != sample_rate {
            let mut renderer = self.0.renderer.lock().unwrap_or_else(PoisonError::into_inner);
            renderer.on_change_sample_rate(sample_rate);
        }
    }

    /// A device's: the next samples, interleaved.
    pub fn fill(&self, samples: &mut [f32], channels: u16) {
        if channels == 0 {
            return;
        }
        self.0.taken.fetch_add((samples.len() / usize::from(channels)) as u64, Ordering::Relaxed);
        let mut renderer = match self.0.renderer.try_lock() {
            Ok(renderer) => renderer,
            Err(TryLockError::Poisoned(renderer)) => renderer.into_inner(),
            // It comes back after a silence that was passed over; that goes on for this once.
            Err(TryLockError::WouldBlock) => return samples.fill(0.0),
        };
        renderer.on_start_processing();
        renderer.process(samples, channels);
    }

    /// Nobody took these.
    fn pass_over(&self, time: Duration) {
        let mut left = (time.as_secs_f64() * f64::from(self.0.sample_rate.load(Ordering::Relaxed))) as usize;
        let mut renderer = self.0.renderer.lock().unwrap_or_else(PoisonError::into_inner);
        let mut unheard = [0.0; CHUNK];
        while left > 0 {
            let frames = left.min(CHUNK);
            renderer.on_start_processing();
            renderer.process(&mut unheard[..frames], 1);
            left -= frames;
        }
    }

    fn taken(&self) -> u64 {
        self.0.taken.load(Ordering::Relaxed)
    }
}

/// What a device has to say after it was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// It takes nothing any more: why.
    Lost(String),
    /// Something went wrong, once or for good: whether it still takes samples shows. One that is dead may say so as fast as
    /// it can.
    Failed(String),
    /// Samples came too late once, and a gap was heard.
    Underrun,
}

/// Where a device says it; it waits for nobody.
#[derive(Clone)]
pub struct Troubles(SyncSender<Trouble>);

impl Troubles {
    pub fn tell(&self, trouble: Trouble) {
        let _ = self.0.try_send(trouble);
    }
}

/// What there is to know of it from elsewhere.
pub type Told = Arc<Mutex<Heard>>;

/// Devices as kira's way out.
pub struct DeviceBackend<D: Devices> {
    devices: Option<D>,
    told: Told,
    // Dropped, it ends the thread.
    end: Option<Sender<()>>,
    thread: Option<Joinable>,
}

impl<D: Devices> Backend for DeviceBackend<D> {
    type Settings = (D, Told);
    type Error = std::io::Error;

    fn setup((devices, told): Self::Settings, _: usize) -> Result<(Self, u32), Self::Error> {
        Ok((Self { devices: Some(devices), told, end: None, thread: None }, FIRST_SAMPLE_RATE))
    }

    fn start(&mut self, renderer: Renderer) -> Result<(), Self::Error> {
        let Some(devices) = self.devices.take() else { return Ok(()) };
        let (end, ended) = channel();
        let told = Arc::clone(&self.told);
        let source = Source::new(renderer);
        let look_after = move || look_after(Keeper::new(devices, source, told), &ended);
        self.thread = Some(Joinable::spawn(Builder::new(), "sound", look_after)?);
        self.end = Some(end);
        Ok(())
    }
}

impl<D: Devices> Drop for DeviceBackend<D> {
    fn drop(&mut self) {
        self.end.take();
        // A sound server that does not answer may hold it: nobody waits for that, and nothing is heard of it.
        let left = self.thread.take().and_then(|thread| thread.join_within(LAST_LOOK).err());
        if let Some(left) = left {
            tracing::warn!(target: "framewalk", thread = left.name(), "thread_left");
        }
    }
}

/// The thread's whole life.
fn look_after<D: Devices>(mut keeper: Keeper<D>, ended: &Receiver<()>) {
    let clock = RealClock::new();
    let mut looked = clock.now();
    keeper.look(Duration::ZERO);
    while ended.recv_timeout(LOOK_PERIOD) == Err(RecvTimeoutError::Timeout) {
        let now = clock.now();
        keeper.look((now - looked).to_duration());
        looked = now;
    }
}

/// Keeps a device open, and time passing where there is none. It knows no thread and no clock.
struct Keeper<D: Devices> {
    devices: D,
    source: Source,
    told: Told,
    stream: Option<D::Stream>,
    troubles: (Troubles, Receiver<Trouble>),
    tries: Tries,
    pace: Pace,
    // Said in the log last.
    reason: Option<String>,
}

impl<D: Devices> Keeper<D> {
    fn new(devices: D, source: Source, told: Told) -> Self {
        let (troubles, waiting) = sync_channel(MOST_TROUBLES);
        Self {
            devices,
            source,
            told,
            stream: None,
            troubles: (Troubles(troubles), waiting),
            tries: Tries::default(),
            pace: Pace::default(),
            reason: None,
        }
    }

    /// So much time has passed since the last look.
    fn look(&mut self, passed: Duration) {
        let passed = passed.min(MOST_PASSED);
        let mut failed = None;
        while let Ok(trouble) = self.troubles.1.try_recv() {
            match trouble {
                Trouble::Underrun => self.tell(|heard| heard.underruns += 1),
                Trouble::Failed(reason) => failed = Some(reason),
                Trouble::Lost(reason) => self.lose(reason),
            }
        }
        if self.stream.is_none() && self.tries.is_due(passed) {
            self.open();
        }
        let sample_rate = self.source.0.sample_rate.load(Ordering::Relaxed);
        let pacing = self.pace.look(passed, self.source.taken(), sample_rate, self.stream.is_some());
        if let Some(reason) = failed.filter(|_| pacing != Pacing::Taken) {
            self.lose(reason);
        }
        match pacing {
            Pacing::Taken => self.tries.went_well(passed),
            Pacing::Waiting => {}
            Pacing::Unheard => self.source.pass_over(passed),
            Pacing::Rushing => {
                self.lose("it takes samples as fast as they come, and plays none".to_owned());
                self.tries.give_up();
            }
        }
    }

    fn open(&mut self) {
        match self.devices.open(&self.source, self.troubles.0.clone()) {
            Ok((stream, device)) => {
                let sample_rate = self.source.0.sample_rate.load(Ordering::Relaxed);
                tracing::info!(target: "framewalk", device, sample_rate, "audio_opened");
                self.stream = Some(stream);
                self.reason = None;
                self.pace = Pace::beginning_at(self.source.taken());
                self.tell(|heard| {
                    heard.device = Some(device.clone());
                    heard.sample_rate = sample_rate;
                });
            }
            Err(reason) => {
                self.tries.failed();
                if self.reason.as_ref() != Some(&reason) {
                    tracing::info!(target: "framewalk", reason, "audio_silent");
                    self.reason = Some(reason);
                }
            }
        }
    }

    /// It is closed; another one is looked for.
    fn lose(&mut self, reason: String) {
        // Said more than once, or of the one before.
        if self.stream.take().is_none() {
            return;
        }
        while self.troubles.1.try_recv().is_ok() {}
        tracing::warn!(target: "framewalk", reason, "audio_lost");
        self.tell(|heard| heard.losses += 1);
        self.tries.lost();
    }

    fn tell(&self, change: impl FnOnce(&mut Heard)) {
        change(&mut self.told.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

#[cfg(test)]
mod tests;
