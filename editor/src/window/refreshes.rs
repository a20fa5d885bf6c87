//! When a pass of the window had to wait for a free image: the end of such a wait is a refresh of the display.
//!
//! eframe says neither, nor when a picture was shown. But it prepares what a pass paints, then asks the window's surface for
//! its next image, and then paints. So whoever is painted first of all is told, and in between lies that wait and nothing
//! else.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use framewalk_runtime::time::Nanos;
use framewalk_runtime::time::phase_lock::refresh_waited_for;
use framewalk_runtime::time::source::RealClock;

/// What the wait of the last pass for its image came to. Clones are told together.
#[derive(Clone, Debug, Default)]
pub struct Refreshes(Arc<Noted>);

/// Relaxed: painted and read on one thread, that of the window; egui only wants callbacks that could be sent to another.
#[derive(Debug)]
struct Noted {
    asked: AtomicI64,
    refresh: AtomicI64,
}

const NEVER: i64 = i64::MIN;

impl Default for Noted {
    fn default() -> Self {
        Self { asked: AtomicI64::new(NEVER), refresh: AtomicI64::new(NEVER) }
    }
}

impl Refreshes {
    /// Watches the pass that begins: to be called before anything else is painted in it.
    pub fn watch(&self, ctx: &egui::Context) {
        let painter = ctx.layer_painter(egui::LayerId::background());
        // It draws nothing, but what lies outside of the window is not asked to.
        let corner = egui::Rect::from_min_size(painter.clip_rect().min, egui::Vec2::splat(1.0));
        painter.add(egui_wgpu::Callback::new_paint_callback(corner, self.clone()));
    }

    /// The refresh that the last pass waited for; none where it had no need to wait, or was told of before.
    #[must_use]
    pub fn take(&self) -> Option<Nanos> {
        let refresh = self.0.refresh.swap(NEVER, Ordering::Relaxed);
        (refresh != NEVER).then_some(Nanos(refresh))
    }

    /// From now on the next image is waited for.
    fn asked(&self, at: Nanos) {
        self.0.asked.store(at.0, Ordering::Relaxed);
    }

    /// It is there.
    fn got(&self, at: Nanos) {
        let asked = self.0.asked.swap(NEVER, Ordering::Relaxed);
        let refresh = (asked != NEVER).then(|| refresh_waited_for(Nanos(asked), at)).flatten();
        self.0.refresh.store(refresh.map_or(NEVER, |refresh| refresh.0), Ordering::Relaxed);
    }
}

impl egui_wgpu::CallbackTrait for Refreshes {
    /// Everything is ready: next is the image to paint it into.
    fn finish_prepare(
        &self,
        _: &wgpu::Device,
        _: &wgpu::Queue,
        _: &mut wgpu::CommandEncoder,
        _: &mut egui_wgpu::CallbackResources,
    ) -> Vec<wgpu::CommandBuffer> {
        self.asked(RealClock::new().now());
        Vec::new()
    }

    fn paint(
        &self,
        _: egui::PaintCallbackInfo,
        _: &mut wgpu::RenderPass<'static>,
        _: &egui_wgpu::CallbackResources,
    ) {
        self.got(RealClock::new().now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_wait_is_a_refresh_and_told_once() {
        let refreshes = Refreshes::default();
        let micros = Nanos::from_micros;
        for (asked, got, refresh) in
            [(1_000, 9_000, Some(9_000)), (20_000, 20_300, None), (30_000, 30_301, Some(30_301))]
        {
            refreshes.asked(micros(asked));
            refreshes.clone().got(micros(got));
            assert_eq!(refreshes.take(), refresh.map(micros));
            assert_eq!(refreshes.take(), None);
        }
    }

    #[test]
    fn a_pass_that_was_given_no_image_leaves_nothing_to_the_next() {
        let refreshes = Refreshes::default();
        refreshes.asked(Nanos::from_millis(10));
        refreshes.asked(Nanos::from_millis(30));
        refreshes.got(Nanos::from_millis(30));
        assert_eq!(refreshes.take(), None);
        refreshes.got(Nanos::from_millis(50));
        assert_eq!(refreshes.take(), None, "painted without a surface, into a picture of the window");
    }
}
