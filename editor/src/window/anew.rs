//! A window in the place of one that is gone, since its graphics device was lost: where it stands, and when that is
//! tried no more. Pure, but for what is asked of a window.

use std::collections::VecDeque;

use framewalk_runtime::time::Nanos;
use winit::window::Window;

/// So many devices may be lost within a minute: one more, and it is said what to do instead of being tried again.
pub const MOST_LOSSES: usize = 3;
const WITHIN: Nanos = Nanos::from_secs(60);

/// When devices were lost.
#[derive(Clone, Debug, Default)]
pub struct DeviceLosses {
    times: VecDeque<Nanos>,
}

impl DeviceLosses {
    /// One more is lost, now: true where another is asked for.
    pub fn another(&mut self, now: Nanos) -> bool {
        self.times.push_back(now);
        while self.times.front().is_some_and(|first| now - *first > WITHIN) {
            self.times.pop_front();
        }
        self.times.len() <= MOST_LOSSES
    }
}

/// Where a window stood. Lengths are in points of its display.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WindowFrame {
    size: Option<[f32; 2]>,
    at: Option<[f32; 2]>,
    maximised: bool,
    full: bool,
}

impl WindowFrame {
    #[must_use]
    pub fn of(window: &Window) -> Self {
        let scale = window.scale_factor();
        let (maximised, full) = (window.is_maximized(), window.fullscreen().is_some());
        let size = window.inner_size().to_logical::<f32>(scale);
        // Where the system tells nobody, or moves windows by itself, it chooses again.
        let at = window.outer_position().ok().map(|at| at.to_logical::<f32>(scale));
        let is_free = !maximised && !full;
        Self {
            size: (is_free && size.width >= 1.0 && size.height >= 1.0).then_some([size.width, size.height]),
            at: at.filter(|_| is_free).map(|at| [at.x, at.y]),
            maximised,
            full,
        }
    }

    /// The same window as it was first opened, but here.
    #[must_use]
    pub fn place(&self, mut window: egui::ViewportBuilder) -> egui::ViewportBuilder {
        if let Some(size) = self.size {
            window = window.with_inner_size(size);
        }
        if let Some(at) = self.at {
            window = window.with_position(at);
        }
        window.with_maximized(self.maximised).with_fullscreen(self.full)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_devices_lost_in_a_minute_are_replaced_and_a_fourth_is_not() {
        let mut losses = DeviceLosses::default();
        let mut at = |second| losses.another(Nanos::from_secs(second));
        assert_eq!([at(0), at(10), at(20), at(30)], [true, true, true, false]);
        assert!(!at(61), "those of the seconds 10 to 61 are four");
        assert!(at(200), "long after, it is one");
    }

    #[test]
    fn a_window_comes_back_where_it_stood_and_a_large_one_as_large_as_it_was() {
        let first = || egui::ViewportBuilder::default().with_inner_size([1560.0, 940.0]);
        let stood =
            WindowFrame { size: Some([800.0, 600.0]), at: Some([40.0, 30.0]), ..WindowFrame::default() };
        let window = stood.place(first());
        assert_eq!(window.inner_size, Some(egui::vec2(800.0, 600.0)));
        assert_eq!(window.position, Some(egui::pos2(40.0, 30.0)));
        let large = WindowFrame { maximised: true, ..WindowFrame::default() };
        let window = large.place(first());
        assert_eq!((window.maximized, window.fullscreen), (Some(true), Some(false)));
        assert_eq!(window.inner_size, Some(egui::vec2(1560.0, 940.0)), "what it is when it is no more");
    }
}
