//! The display a window is on.

#[cfg(target_os = "linux")]
mod x11;

use std::cell::Cell;
#[cfg(target_os = "linux")]
use std::cell::{OnceCell, RefCell};

use framewalk_runtime::time::Rate;
use winit::window::Window;

/// How often the rate of the display is looked up, while anything happens at all: no event tells that the list of
/// displays has changed.
pub const LOOK_PERIOD: framewalk_runtime::time::Nanos = framewalk_runtime::time::Nanos::from_millis(1_000);

/// Asks displays for their rate. What is no rate is said in the log, once for each display that comes with one.
#[derive(Debug, Default)]
pub struct Displays {
    // In thousandths of a hertz: what was refused last.
    refused: Cell<Option<u32>>,
    // None where there is no X server to ask, or it does not answer any more.
    #[cfg(target_os = "linux")]
    screens: OnceCell<RefCell<Option<x11::Screens>>>,
}

impl Displays {
    /// The refresh rate of the display that the window is on, where the system knows it and a frame clock can keep it.
    #[must_use]
    pub fn rate_of(&self, window: &Window) -> Option<Rate> {
        let current = window.current_monitor();
        let name = current.as_ref().and_then(winit::monitor::MonitorHandle::name);
        #[cfg(target_os = "linux")]
        if let Some(millihertz) = self.asked_of_x(window) {
            return self.accepted(name.as_deref(), millihertz?);
        }
        // A window remembers the display it is on as that was when it came there; the list may be newer.
        let current = current?;
        let now = window.available_monitors().find(|monitor| monitor.name() == current.name());
        self.accepted(name.as_deref(), now.unwrap_or(current).refresh_rate_millihertz()?)
    }

    /// In thousandths of a hertz, where an X server says: none where its display has no rate.
    #[cfg(target_os = "linux")]
    fn asked_of_x(&self, window: &Window) -> Option<Option<u32>> {
        let screens = self.screens.get_or_init(|| RefCell::new(x11::Screens::of(window)));
        let mut screens = screens.try_borrow_mut().ok()?;
        let answer = screens.as_mut()?.millihertz(window);
        if answer.is_err() {
            *screens = None;
        }
        answer.ok()
    }

    fn accepted(&self, name: Option<&str>, millihertz: u32) -> Option<Rate> {
        let rate = Rate::new(u64::from(millihertz), 1000).ok();
        if rate.is_none() && self.refused.replace(Some(millihertz)) != Some(millihertz) {
            tracing::warn!(
                target: "framewalk",
                display = name.unwrap_or("without a name"),
                asked = format!("{} Hz", f64::from(millihertz) / 1000.0),
                used = "the project's frame rate, or what is set by hand",
                accepted = "1 to 1000 Hz",
                "frame_rate_invalid"
            );
        }
        rate
    }
}

#[cfg(test)]
mod tests {
    use tracing_subscriber::layer::SubscriberExt;

    use super::*;
    use crate::log_lines;

    #[test]
    fn a_display_whose_rate_no_frame_clock_can_keep_is_said_once() {
        let (layer, mut lines) = log_lines::channel();
        let subscriber = tracing_subscriber::registry().with(layer);
        let rates = tracing::subscriber::with_default(subscriber, || {
            let displays = Displays::default();
            let asked = [59_940, 0, 0, 0, 59_940, 0, 1_000_000, 2_400_500, 2_400_500];
            asked.map(|millihertz| displays.accepted(Some("HDMI-1"), millihertz).map(|rate| rate.to_string()))
        });
        let (ntsc, most) = (Some("59.94".to_owned()), Some("1000".to_owned()));
        assert_eq!(rates, [ntsc.clone(), None, None, None, ntsc, None, most, None, None]);
        lines.drain();
        let said: Vec<&str> = lines.lines().map(|line| line.text.as_str()).collect();
        let line = |asked: &str| {
            format!(
                "frame_rate_invalid display=HDMI-1 asked={asked} Hz used=the project's frame rate, or what is set by hand \
                 accepted=1 to 1000 Hz"
            )
        };
        assert_eq!(said, [line("0"), line("2400.5")]);
    }
}
