//! When the same thing fails again and again: once is nothing to speak of, many times in a row is. Pure, but for one
//! count that the window's callbacks read.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use framewalk_runtime::log_limit::LimitedLine;
use framewalk_runtime::time::Nanos;
use framewalk_runtime::time::source::RealClock;

/// So many failures in a row are said, and stay said.
pub const TRIES: u32 = 8;
/// A surface that fails that often is tried this often from then on.
const RETRY_PERIOD: Duration = Duration::from_millis(250);

/// Failures in a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trouble {
    seen: u64,
    in_a_row: u32,
}

impl Trouble {
    /// One more try is over, and `failures` is the count of them so far: true when the last [`TRIES`] have all failed,
    /// once. A try that did not fail starts anew.
    pub fn tried(&mut self, failures: u64) -> bool {
        if failures == self.seen {
            self.in_a_row = 0;
            return false;
        }
        self.seen = failures;
        self.in_a_row = self.in_a_row.saturating_add(1);
        self.in_a_row == TRIES
    }

    #[must_use]
    pub const fn in_a_row(self) -> u32 {
        self.in_a_row
    }
}

/// How the window's surface fares: shared by eframe's callback and the editor.
#[derive(Clone, Debug)]
pub struct SurfaceHealth {
    // Relaxed: counts on one thread, nothing is read because of them.
    failures: Arc<AtomicU64>,
    // Times that nothing reached a window, failures among them.
    without_picture: Arc<AtomicU64>,
    in_a_row: Arc<AtomicU32>,
    logged: Arc<Mutex<LimitedLine>>,
}

impl Default for SurfaceHealth {
    fn default() -> Self {
        let logged = LimitedLine::new(|held_back| {
            tracing::warn!(target: "framewalk", held_back, "surface_lost");
        });
        Self {
            failures: Arc::default(),
            without_picture: Arc::default(),
            in_a_row: Arc::default(),
            logged: Arc::new(Mutex::new(logged)),
        }
    }
}

impl SurfaceHealth {
    /// Times that no picture could be had from the surface.
    #[must_use]
    pub fn failures(&self) -> u64 {
        self.failures.load(Ordering::Relaxed)
    }

    /// Times that a pass was painted and nothing of it reached its window: lost, outdated, hidden, not in time.
    #[must_use]
    pub fn without_picture(&self) -> u64 {
        self.without_picture.load(Ordering::Relaxed)
    }

    /// No picture could be had from the surface, once more.
    pub fn note_loss(&self) {
        self.failures.fetch_add(1, Ordering::Relaxed);
    }

    /// The editor has painted once more: so many times in a row the surface has failed by now.
    pub fn note_in_a_row(&self, times: u32) {
        self.in_a_row.store(times, Ordering::Relaxed);
    }

    /// Says in the log what was held back of losses, once none was for a second.
    pub fn look(&self, now: Nanos) {
        self.logged.lock().unwrap_or_else(PoisonError::into_inner).look(now);
    }

    /// The callback for eframe: a lost surface is made anew, an outdated one configured anew; a surface that fails
    /// again and again is tried a few times a second, not without a pause.
    #[must_use]
    pub fn callback(
        &self,
    ) -> Arc<dyn Fn(&wgpu::CurrentSurfaceTexture) -> egui_wgpu::SurfaceErrorAction + Send + Sync> {
        let health = self.clone();
        let clock = RealClock::new();
        Arc::new(move |status| {
            let action = action(status);
            health.without_picture.fetch_add(1, Ordering::Relaxed);
            // Outdated is what a resize leaves behind: no failure.
            if !matches!(status, wgpu::CurrentSurfaceTexture::Lost | wgpu::CurrentSurfaceTexture::Validation)
            {
                return action;
            }
            health.note_loss();
            let held_back = health.logged.lock().unwrap_or_else(PoisonError::into_inner).allow(clock.now());
            if let Some(held_back) = held_back {
                tracing::warn!(target: "framewalk", ?status, held_back, "surface_lost");
            }
            if health.in_a_row.load(Ordering::Relaxed) >= TRIES {
                std::thread::sleep(RETRY_PERIOD);
            }
            action
        })
    }
}

fn action(status: &wgpu::CurrentSurfaceTexture) -> egui_wgpu::SurfaceErrorAction {
    match status {
        wgpu::CurrentSurfaceTexture::Outdated | wgpu::CurrentSurfaceTexture::Validation => {
            egui_wgpu::SurfaceErrorAction::Reconfigure
        }
        wgpu::CurrentSurfaceTexture::Lost => egui_wgpu::SurfaceErrorAction::RecreateSurface,
        // Hidden, or not in time: nothing is wrong, and the next pass tries again.
        _ => egui_wgpu::SurfaceErrorAction::SkipFrame,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_surface_lost_once_is_made_anew_and_nothing_is_said() {
        let health = SurfaceHealth::default();
        let lost = health.callback();
        let mut trouble = Trouble::default();
        let made = lost(&wgpu::CurrentSurfaceTexture::Lost);
        assert!(matches!(made, egui_wgpu::SurfaceErrorAction::RecreateSurface));
        assert!(!trouble.tried(health.failures()));
        assert!(!trouble.tried(health.failures()), "the next picture came");
        assert_eq!(trouble.in_a_row(), 0);
    }

    #[test]
    fn a_surface_lost_a_thousand_times_is_said_once_after_eight_tries() {
        let mut trouble = Trouble::default();
        let said: Vec<u64> = (1..=1_000).filter(|&failures| trouble.tried(failures)).collect();
        assert_eq!(said, [8]);
        assert!(!trouble.tried(1_000));
        let again: Vec<u64> = (1_001..=1_020).filter(|&failures| trouble.tried(failures)).collect();
        assert_eq!(again, [1_008], "a new row of failures is said anew");
    }

    #[test]
    fn a_hidden_or_resized_window_is_no_failure() {
        let health = SurfaceHealth::default();
        let hidden = health.callback();
        for status in [wgpu::CurrentSurfaceTexture::Occluded, wgpu::CurrentSurfaceTexture::Timeout] {
            assert!(matches!(hidden(&status), egui_wgpu::SurfaceErrorAction::SkipFrame));
        }
        let resized = hidden(&wgpu::CurrentSurfaceTexture::Outdated);
        assert!(matches!(resized, egui_wgpu::SurfaceErrorAction::Reconfigure));
        assert_eq!(health.failures(), 0);
    }
}
