//! A panel in a window of its own: where it is, what is remembered of it, and how the window is drawn.

use egui::{Context, Ui, ViewportBuilder, ViewportId, pos2, vec2};
use framewalk_inspector::theme::Theme;

use crate::panels::Pane;
use crate::settings::WindowPlace;

/// One window: as it was opened, and where it is now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Undocked {
    opened: WindowPlace,
    /// As of the last pass.
    pub now: WindowPlace,
    /// The system has made the window.
    pub is_made: bool,
}

/// A first window is so large; a strip is lower.
const SIZE: [f32; 2] = [640.0, 420.0];
const STRIP_SIZE: [f32; 2] = [900.0, 96.0];
const LEAST_SIZE: [f32; 2] = [220.0, 80.0];
const MOST_SIZE: f32 = 16_384.0;
/// Inside the main window: below the bars, which stay in reach.
const EMBEDDED_AT: [f32; 2] = [320.0, 160.0];

impl Undocked {
    /// A window for a panel that has had none.
    #[must_use]
    pub fn new(pane: Pane) -> Self {
        let size = if pane == Pane::Strip { STRIP_SIZE } else { SIZE };
        Self::at(WindowPlace { pane, position: None, size })
    }

    /// A window where it was; a size that makes no sense is mended.
    #[must_use]
    pub fn at(mut place: WindowPlace) -> Self {
        for (side, least) in place.size.iter_mut().zip(LEAST_SIZE) {
            *side = if side.is_finite() { side.clamp(least, MOST_SIZE) } else { least };
        }
        place.position = place.position.filter(|position| position.iter().all(|side| side.is_finite()));
        Self { opened: place, now: place, is_made: false }
    }

    #[must_use]
    pub const fn pane(&self) -> Pane {
        self.opened.pane
    }

    /// The place this window has in egui.
    #[must_use]
    pub fn viewport_id(pane: Pane) -> ViewportId {
        ViewportId::from_hash_of(("framewalk_undocked", pane))
    }

    /// What the system is asked for. The same in every pass: else egui would move the window back.
    #[must_use]
    pub fn builder(&self) -> ViewportBuilder {
        let [width, height] = self.opened.size;
        let builder = ViewportBuilder::default()
            .with_title(format!("{} · Framewalk", self.pane().title()))
            .with_app_id("framewalk")
            .with_inner_size([width, height])
            .with_min_inner_size(LEAST_SIZE);
        match self.opened.position {
            Some([x, y]) => builder.with_position(pos2(x, y)),
            None => builder,
        }
    }

    /// Notes where the window is. Called in its own pass.
    pub fn note_place(&mut self, ui: &Ui) {
        let (outer, inner) = ui.input(|input| (input.viewport().outer_rect, input.viewport().inner_rect));
        let corner = outer.map(|rect| rect.min).filter(|corner| corner.is_finite());
        self.now.position = corner.map(|corner| [corner.x, corner.y]).or(self.now.position);
        if let Some(size) = inner.map(|rect| rect.size()).filter(|size| size.x >= 1.0 && size.y >= 1.0) {
            self.now.size = [size.x, size.y];
        }
    }

    /// The same inside the main window, where the system has no windows to give. True while it stays open.
    pub fn embedded_ui(&self, ctx: &Context, contents: impl FnOnce(&mut Ui)) -> bool {
        let [width, height] = self.opened.size;
        let mut open = true;
        egui::Window::new(self.pane().title())
            .id(egui::Id::unique(Self::viewport_id(self.pane())))
            .open(&mut open)
            .collapsible(false)
            .default_pos(EMBEDDED_AT)
            .default_size(vec2(width, height))
            .min_size(LEAST_SIZE)
            .frame(egui::Frame::window(&ctx.global_style()).inner_margin(0.0))
            .show(ctx, |ui| {
                let (rect, _) = ui.allocate_exact_size(ui.available_size(), egui::Sense::hover());
                let theme = Theme::of(ui);
                ui.painter().rect_filled(rect, 0.0, theme.bg1);
                ui.scope_builder(egui::UiBuilder::new().max_rect(rect), |ui| {
                    ui.set_clip_rect(rect.intersect(ui.clip_rect()));
                    contents(ui);
                });
            });
        open
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "limits come out as they are")]
mod tests {
    use super::*;

    #[test]
    fn a_size_or_place_that_makes_no_sense_is_mended() {
        let place = |position, size| Undocked::at(WindowPlace { pane: Pane::Log, position, size }).now;
        assert_eq!(place(Some([3.0, 4.0]), [300.0, 200.0]).position, Some([3.0, 4.0]));
        assert_eq!(place(None, [f32::NAN, -5.0]).size, LEAST_SIZE);
        assert_eq!(place(None, [1e9, 300.0]).size, [MOST_SIZE, 300.0]);
        assert_eq!(place(Some([f32::INFINITY, 0.0]), [300.0, 200.0]).position, None);
    }

    #[test]
    fn the_window_is_asked_for_the_same_place_while_a_person_moves_it() {
        let mut window = Undocked::at(WindowPlace { pane: Pane::Log, position: None, size: [300.0, 200.0] });
        let before = window.builder();
        window.now = WindowPlace { position: Some([50.0, 60.0]), size: [500.0, 400.0], ..window.now };
        assert_eq!(window.builder(), before);
    }
}
