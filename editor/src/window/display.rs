//! The display a window is on.

use framewalk_runtime::time::Rate;
use winit::window::Window;

/// How often the rate of the display is looked up, while anything happens at all: no event tells that the list of
/// displays has changed.
pub const LOOK_PERIOD: framewalk_runtime::time::Nanos = framewalk_runtime::time::Nanos::from_millis(1_000);

/// The refresh rate of the display that the window is on, where the system knows it.
#[must_use]
pub fn rate_of(window: &Window) -> Option<Rate> {
    let current = window.current_monitor()?;
    // A window remembers the display it is on as that was when it came there; the list may be newer. On X11 both are
    // read anew only when a display's size or place changes: a new rate alone is seen once the window goes elsewhere.
    let now = window.available_monitors().find(|monitor| monitor.name() == current.name());
    let millihertz = now.unwrap_or(current).refresh_rate_millihertz()?;
    Rate::new(u64::from(millihertz), 1000).ok()
}
