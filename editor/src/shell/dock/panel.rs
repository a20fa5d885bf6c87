//! One panel, wherever it stands: in the dock, in the room of all, in a window of its own.

use egui::{EventFilter, Key, Sense, Ui, WidgetInfo};

use super::{Pane, Panes};
use crate::shell::areas;

/// Draws one panel into all of `ui`: a stop of the Tab key before everything in it.
pub fn panel_ui(ui: &mut Ui, pane: Pane, panes: &mut dyn Panes) {
    let rect = ui.max_rect();
    let id = pane.focus_id();
    areas::note(ui.ctx(), id, rect);
    // A picture is one itself.
    let stop = pane.port().is_none().then(|| ui.interact(rect, id, Sense::focusable_noninteractive()));
    if let Some(stop) = &stop {
        let name = format!("{} panel", pane.title());
        stop.widget_info(|| WidgetInfo::labeled(egui::Role::Pane, true, &name));
        if stop.has_focus() {
            panel_keys(ui, pane);
        }
    }
    ui.push_id(pane, |ui| panes.pane_ui(ui, pane));
}

/// What keys do in a panel that has the keyboard itself: up and down scroll it. Aside they walk from frame to frame,
/// see [`Pane::lists`].
fn panel_keys(ui: &Ui, pane: Pane) {
    // In the outliner Esc selects nothing.
    let escape = pane == Pane::Outliner;
    let filter =
        EventFilter { horizontal_arrows: true, vertical_arrows: true, escape, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(pane.focus_id(), filter));
    let scrolls = matches!(
        pane,
        Pane::Properties
            | Pane::Project
            | Pane::Stages
            | Pane::Record
            | Pane::Handoff
            | Pane::Threads
            | Pane::Compare
    );
    if !scrolls {
        return;
    }
    let lines = ui.input(|input| {
        let presses = |key| input.num_presses(key) as f32;
        presses(Key::ArrowDown) - presses(Key::ArrowUp)
            + LINES_A_PAGE * (presses(Key::PageDown) - presses(Key::PageUp))
    });
    if lines != 0.0 {
        ui.scroll_with_delta(egui::vec2(0.0, -lines * LINE_HEIGHT));
    }
}

const LINE_HEIGHT: f32 = 22.0;
const LINES_A_PAGE: f32 = 8.0;
