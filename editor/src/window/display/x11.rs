//! The displays of an X server, as it tells of them.
//!
//! winit reads them once and keeps what it read: a window that stays where it is never learns of another refresh rate, nor
//! of displays that were put elsewhere (winit 0.30: Xlib has no use for the news that were asked for by XCB). So they are
//! read here, on a connection of our own, and again whenever the server says that something is different.

use winit::raw_window_handle::{HasWindowHandle, RawWindowHandle};
use winit::window::Window;
use x11rb::connection::Connection;
use x11rb::errors::ReplyError;
use x11rb::protocol::Event;
use x11rb::protocol::randr::{ConnectionExt as _, ModeFlag, ModeInfo, NotifyMask};
use x11rb::protocol::xproto::{ConnectionExt as _, Window as XWindow};
use x11rb::rust_connection::RustConnection;

/// The displays of the server that a window is on.
#[derive(Debug)]
pub struct Screens {
    connection: RustConnection,
    root: XWindow,
    outputs: Vec<Output>,
}

/// What shows a part of the desktop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Output {
    place: Place,
    millihertz: Option<u32>,
}

/// In pixels of the desktop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    at: [i32; 2],
    size: [i32; 2],
}

impl Screens {
    /// Those of `DISPLAY`; none where this window is not an X server's, or where that has no say in modes.
    #[must_use]
    pub fn of(window: &Window) -> Option<Self> {
        x_window(window)?;
        let (connection, screen) = x11rb::connect(None).ok()?;
        let root = connection.setup().roots.get(screen)?.root;
        let mut screens = Self { connection, root, outputs: Vec::new() };
        screens.begin().ok()?;
        Some(screens)
    }

    /// Refresh rate, in thousandths of a hertz, of the display that most of this window is on; of the first one, where it is
    /// on none. `None` where the display has none.
    ///
    /// # Errors
    /// The server does not answer any more.
    pub fn millihertz(&mut self, window: &Window) -> Result<Option<u32>, ReplyError> {
        let mut changed = false;
        while let Some(event) = self.connection.poll_for_event()? {
            changed |= matches!(event, Event::RandrNotify(_) | Event::RandrScreenChangeNotify(_));
        }
        if changed {
            self.read()?;
        }
        let Some(window) = x_window(window) else { return Ok(None) };
        let size = self.connection.get_geometry(window)?;
        let at = self.connection.translate_coordinates(window, self.root, 0, 0)?;
        let (size, at) = (size.reply()?, at.reply()?);
        let place = Place {
            at: [i32::from(at.dst_x), i32::from(at.dst_y)],
            size: [i32::from(size.width), i32::from(size.height)],
        };
        Ok(output_under(place, &self.outputs).and_then(|output| output.millihertz))
    }

    fn begin(&mut self) -> Result<(), ReplyError> {
        self.connection.randr_query_version(1, 3)?.reply()?;
        let news = NotifyMask::SCREEN_CHANGE | NotifyMask::CRTC_CHANGE;
        self.connection.randr_select_input(self.root, news)?.check()?;
        self.read()
    }

    fn read(&mut self) -> Result<(), ReplyError> {
        let resources = self.connection.randr_get_screen_resources_current(self.root)?.reply()?;
        self.outputs.clear();
        for crtc in &resources.crtcs {
            let crtc = self.connection.randr_get_crtc_info(*crtc, resources.config_timestamp)?.reply()?;
            if crtc.mode == 0 || crtc.outputs.is_empty() {
                continue;
            }
            let mode = resources.modes.iter().find(|mode| mode.id == crtc.mode);
            self.outputs.push(Output {
                place: Place {
                    at: [i32::from(crtc.x), i32::from(crtc.y)],
                    size: [i32::from(crtc.width), i32::from(crtc.height)],
                },
                millihertz: mode.and_then(millihertz),
            });
        }
        Ok(())
    }
}

fn x_window(window: &Window) -> Option<XWindow> {
    match window.window_handle().ok()?.as_raw() {
        RawWindowHandle::Xlib(handle) => u32::try_from(handle.window).ok(),
        RawWindowHandle::Xcb(handle) => Some(handle.window.get()),
        _ => None,
    }
}

/// The one that most of this place is on; the first where it is on none.
fn output_under(place: Place, outputs: &[Output]) -> Option<Output> {
    // The first of those that share it evenly.
    let best = outputs.iter().rev().max_by_key(|output| shared(place, output.place));
    best.copied()
}

/// In pixels.
fn shared(a: Place, b: Place) -> i64 {
    let along = |axis: usize| {
        let end = (a.at[axis] + a.size[axis]).min(b.at[axis] + b.size[axis]);
        i64::from((end - a.at[axis].max(b.at[axis])).max(0))
    };
    along(0) * along(1)
}

/// To the nearest thousandth of a hertz.
fn millihertz(mode: &ModeInfo) -> Option<u32> {
    let mut lines = u64::from(mode.vtotal);
    if mode.mode_flags.contains(ModeFlag::DOUBLE_SCAN) {
        lines *= 2;
    }
    let mut clock = u64::from(mode.dot_clock);
    // Half of the lines at each refresh.
    if mode.mode_flags.contains(ModeFlag::INTERLACE) {
        clock *= 2;
    }
    let dots = lines * u64::from(mode.htotal);
    let rounded = (clock * 1_000 + dots / 2).checked_div(dots)?;
    u32::try_from(rounded).ok().filter(|rate| *rate > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(at: [i32; 2], millihertz: u32) -> Output {
        Output { place: Place { at, size: [1_280, 720] }, millihertz: Some(millihertz) }
    }

    #[test]
    fn a_window_is_on_the_display_that_most_of_it_is_on() {
        let outputs = [output([0, 0], 60_000), output([1_280, 0], 143_911)];
        let on = |x: i32, y: i32| {
            let place = Place { at: [x, y], size: [320, 200] };
            output_under(place, &outputs).and_then(|output| output.millihertz)
        };
        for (x, y, rate) in [
            (100, 100, 60_000),
            (1_500, 100, 143_911),
            (1_119, 100, 60_000),
            (1_121, 100, 143_911),
            // As much on one as on the other, and on none at all.
            (1_120, 100, 60_000),
            (5_000, 5_000, 60_000),
            (1_300, -150, 143_911),
        ] {
            assert_eq!(on(x, y), Some(rate), "{x}, {y}");
        }
        assert_eq!(output_under(outputs[0].place, &[]), None);
    }

    #[test]
    fn a_mode_refreshes_as_often_as_xrandr_says() {
        let mode = |dot_clock, htotal, vtotal, mode_flags| ModeInfo {
            dot_clock,
            htotal,
            vtotal,
            mode_flags,
            ..ModeInfo::default()
        };
        let none = ModeFlag::from(0_u32);
        for (mode, rate) in [
            (mode(148_500_000, 2_200, 1_125, none), Some(60_000)),
            (mode(148_351_648, 2_200, 1_125, none), Some(59_940)),
            (mode(74_480_000, 1_664, 746, none), Some(59_999)),
            (mode(192_000_000, 1_744, 765, none), Some(143_911)),
            (mode(74_250_000, 2_200, 1_125, ModeFlag::INTERLACE), Some(60_000)),
            (mode(25_175_000, 800, 262, ModeFlag::DOUBLE_SCAN), Some(60_055)),
            // Xvfb's.
            (mode(0, 0, 0, none), None),
            (mode(0, 800, 525, none), None),
        ] {
            assert_eq!(millihertz(&mode), rate, "{mode:?}");
        }
    }
}
