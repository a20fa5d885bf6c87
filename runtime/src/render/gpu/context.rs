//! A device to draw with, whoever owns it, and how it is doing.

use super::GpuError;
use crate::log_limit::LimitedLine;
use crate::time::Nanos;
use crate::time::source::RealClock;
use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, mpsc};
use std::time::Duration;

/// Longest that one picture may take before the GPU counts as hung.
const LONGEST_PICTURE: Duration = Duration::from_secs(20);

/// What has gone wrong on a device, for any thread to read.
#[derive(Debug, Default)]
pub struct DeviceHealth {
    errors: AtomicU64,
    newest: Mutex<Newest>,
    lost: OnceLock<String>,
}

/// The newest error, and when one was last logged.
#[derive(Debug)]
struct Newest {
    message: Option<String>,
    logged: LimitedLine,
}

impl Default for Newest {
    fn default() -> Self {
        let logged = LimitedLine::new(|held_back| {
            tracing::error!(target: "framewalk", held_back, "the graphics device has reported more than is said here");
        });
        Self { message: None, logged }
    }
}

impl DeviceHealth {
    /// Installs this device's handlers: an error nobody caught is logged and counted, where wgpu's own handler would
    /// panic. Whoever owns the device calls this, once.
    pub fn watch(device: &wgpu::Device) -> Arc<Self> {
        let health = Arc::new(Self::default());
        let (of_errors, clock) = (Arc::clone(&health), RealClock::new());
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            of_errors.note(one_line(&error.to_string()), clock.now());
        }));
        let of_loss = Arc::clone(&health);
        device.set_device_lost_callback(move |reason, message| {
            let message = one_line(&message);
            let why = if message.is_empty() { "it gave no reason".to_owned() } else { message.clone() };
            let _ = of_loss.lost.set(why);
            // Whoever destroys it knows, and yet nothing can be drawn with it any more.
            if reason != wgpu::DeviceLostReason::Destroyed {
                tracing::error!(target: "framewalk", "the graphics device is lost: {message}");
            }
        });
        health
    }

    /// Counts an error; logs one a second.
    fn note(&self, message: String, now: Nanos) {
        // Relaxed: a count that orders nothing.
        self.errors.fetch_add(1, Ordering::Relaxed);
        let mut newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(held_back) = newest.logged.allow(now) {
            tracing::error!(target: "framewalk", held_back, "the graphics device reports: {message}");
        }
        newest.message = Some(message);
    }

    /// Says in the log what was held back of errors, once none came for a second. For a thread that may wait for a lock.
    pub fn look(&self, now: Nanos) {
        self.newest.lock().unwrap_or_else(PoisonError::into_inner).logged.look(now);
    }

    /// What went wrong last, if anything did.
    #[must_use]
    pub fn last_error(&self) -> Option<String> {
        self.newest.lock().unwrap_or_else(PoisonError::into_inner).message.clone()
    }

    /// Errors nobody caught, since the device was made.
    #[must_use]
    pub fn errors(&self) -> u64 {
        self.errors.load(Ordering::Relaxed)
    }

    /// Why the device is lost, once it is.
    #[must_use]
    pub fn lost(&self) -> Option<&str> {
        self.lost.get().map(String::as_str)
    }
}

/// Commands in the GPU's queue.
#[derive(Debug)]
pub(super) struct Queued {
    pub index: wgpu::SubmissionIndex,
    // Nothing is ever sent: it ends when the GPU is done.
    over: mpsc::Receiver<Infallible>,
}

/// A device and its queue, shared by everything that draws. Clones are the same device.
#[derive(Clone, Debug)]
pub struct GpuContext {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    pub adapter_name: String,
    /// As wgpu names it: `vulkan`, `metal`, `dx12`, `gl`.
    pub backend: String,
    /// Drawn by the processor.
    pub software: bool,
    /// Held for reading around each submit and never longer; the window holds it for writing while it resizes.
    pub gate: Arc<RwLock<()>>,
    pub health: Arc<DeviceHealth>,
    /// Samples a pixel: 4, or 1 where the adapter has no more.
    pub(super) samples: u32,
}

impl GpuContext {
    /// Any adapter, a software one where there is no other; needs no window and no display. `WGPU_BACKEND` and its
    /// like are heeded.
    ///
    /// # Errors
    /// No adapter, or one that gives no device: a sentence that says which.
    pub fn headless() -> Result<Self, GpuError> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
        Ok(Self::open(&instance, None)?.0)
    }

    /// An adapter that can draw on this surface, and a device of it that nobody else draws with.
    ///
    /// # Errors
    /// No such adapter, or one that gives no device: a sentence that says which.
    pub fn for_surface(
        instance: &wgpu::Instance,
        surface: &wgpu::Surface<'_>,
    ) -> Result<(Self, wgpu::Adapter), GpuError> {
        Self::open(instance, Some(surface))
    }

    fn open(
        instance: &wgpu::Instance,
        surface: Option<&wgpu::Surface<'_>>,
    ) -> Result<(Self, wgpu::Adapter), GpuError> {
        let options = |fallback| wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            force_fallback_adapter: fallback,
            compatible_surface: surface,
            ..Default::default()
        };
        let adapter = pollster::block_on(instance.request_adapter(&options(false)))
            .or_else(|_| pollster::block_on(instance.request_adapter(&options(true))))
            .map_err(|error| GpuError::NoAdapter(one_line(&error.to_string())))?;
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("framewalk"),
            required_features: wanted_features(&adapter),
            required_limits: wgpu::Limits::downlevel_defaults().using_resolution(adapter.limits()),
            memory_hints: wgpu::MemoryHints::MemoryUsage,
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))
            .map_err(|error| GpuError::NoDevice(one_line(&error.to_string())))?;
        let health = DeviceHealth::watch(&device);
        Ok((Self::from_window(device, queue, &adapter, Arc::default(), health), adapter))
    }

    /// A device that the window owns. Its owner has called [`DeviceHealth::watch`], and holds `gate` for writing
    /// while it resizes.
    #[must_use]
    pub fn from_window(
        device: wgpu::Device,
        queue: wgpu::Queue,
        adapter: &wgpu::Adapter,
        gate: Arc<RwLock<()>>,
        health: Arc<DeviceHealth>,
    ) -> Self {
        let info = adapter.get_info();
        let multisampled = [super::COLOR_FORMAT, super::DEPTH_FORMAT]
            .iter()
            .all(|format| adapter.get_texture_format_features(*format).flags.sample_count_supported(4));
        Self {
            device,
            queue,
            adapter_name: info.name,
            backend: info.backend.to_string(),
            software: info.device_type == wgpu::DeviceType::Cpu,
            gate,
            health,
            samples: if multisampled { 4 } else { 1 },
        }
    }

    /// Runs `work` and says what went wrong on the device in it, on this thread.
    pub(super) fn checked<T>(&self, work: impl FnOnce() -> Result<T, GpuError>) -> Result<T, GpuError> {
        let scopes =
            [wgpu::ErrorFilter::Validation, wgpu::ErrorFilter::OutOfMemory, wgpu::ErrorFilter::Internal]
                .map(|filter| self.device.push_error_scope(filter));
        let result = work();
        let mut failure = None;
        for scope in scopes.into_iter().rev() {
            failure = pollster::block_on(scope.pop()).or(failure);
        }
        self.alive()?;
        match failure {
            Some(error) => Err(GpuError::Refused(one_line(&error.to_string()))),
            None => result,
        }
    }

    /// Submits under the gate, then waits until the GPU is done. The gate is free during that.
    pub(super) fn submit_and_wait(&self, commands: wgpu::CommandBuffer) -> Result<(), GpuError> {
        let index = self.submit([commands])?;
        self.wait_for(index)
    }

    /// Submits under the gate.
    pub(super) fn submit(
        &self,
        commands: impl IntoIterator<Item = wgpu::CommandBuffer>,
    ) -> Result<wgpu::SubmissionIndex, GpuError> {
        let index = {
            let _gate = self.gate.read().unwrap_or_else(std::sync::PoisonError::into_inner);
            self.queue.submit(commands)
        };
        self.alive()?;
        Ok(index)
    }

    /// Waits until the GPU is done with what was submitted. wgpu lets no window present anything meanwhile.
    pub(super) fn wait_for(&self, index: wgpu::SubmissionIndex) -> Result<(), GpuError> {
        self.poll(wgpu::PollType::Wait { submission_index: Some(index), timeout: Some(LONGEST_PICTURE) })
    }

    /// As [`GpuContext::submit`]; whether the GPU is done with it can be asked.
    pub(super) fn submit_watched(
        &self,
        commands: impl IntoIterator<Item = wgpu::CommandBuffer>,
    ) -> Result<Queued, GpuError> {
        let index = self.submit(commands)?;
        let (pending, over) = mpsc::channel();
        self.queue.on_submitted_work_done(move || drop(pending));
        Ok(Queued { index, over })
    }

    /// The GPU is done with it; waits for nothing.
    ///
    /// A wait of no length would ask about just this submission, but two threads that ask at once, of which one waits,
    /// make wgpu 30 panic: "If the queue is empty, the current submission index should be at least …".
    pub(super) fn is_done(&self, queued: &Queued) -> Result<bool, GpuError> {
        self.look()?;
        Ok(queued.over.try_recv() == Err(mpsc::TryRecvError::Disconnected))
    }

    /// Lets wgpu notice what the GPU has done; waits for nothing.
    pub(super) fn look(&self) -> Result<(), GpuError> {
        self.poll(wgpu::PollType::Poll)
    }

    fn poll(&self, wait: wgpu::PollType) -> Result<(), GpuError> {
        // wgpu panics where a device is lost in the middle of a wait; here that is an error like any other.
        match catch_unwind(AssertUnwindSafe(|| self.device.poll(wait))) {
            Ok(Ok(_)) => self.alive(),
            Ok(Err(error)) => Err(GpuError::Refused(one_line(&error.to_string()))),
            Err(_) => Err(GpuError::Lost("it went away while a picture was being drawn".to_owned())),
        }
    }

    pub(super) fn alive(&self) -> Result<(), GpuError> {
        self.health.lost().map_or(Ok(()), |reason| Err(GpuError::Lost(reason.to_owned())))
    }
}

/// What a device is asked for beyond the least: timestamps, where the adapter has them.
#[must_use]
pub fn wanted_features(adapter: &wgpu::Adapter) -> wgpu::Features {
    adapter.features() & wgpu::Features::TIMESTAMP_QUERY
}

/// A device's messages run over many lines; a log and a status bar have one.
pub(super) fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thousand_errors_are_counted_and_the_newest_is_known() {
        let health = DeviceHealth::default();
        for error in 1..=1_000 {
            health.note(format!("error {error}"), Nanos::from_millis(error));
        }
        assert_eq!((health.errors(), health.last_error()), (1_000, Some("error 1000".to_owned())));
        assert_eq!(health.lost(), None);
    }
}
