//! The slot: three buffers, each with one holder.

use egui::{Role, Sense, Ui, vec2};

use super::shapes::{BOX_HEIGHT, Row, arrow_ui, box_ui, buffer_ui};
use crate::panels::handoff::model::{Holder, Slot};
use crate::panels::marks;
use crate::theme::Theme;

pub fn ui(ui: &mut Ui, slot: &Slot, theme: &Theme) {
    let size = vec2(ui.available_width(), BOX_HEIGHT + 16.0);
    let (area, response) = ui.allocate_exact_size(size, Sense::hover());
    marks::label(&response, Role::Label, sentence(slot));
    let (row, counts) = (Row::new(area), &slot.counts);
    let notes = [
        "writes the next frame",
        if counts.pending > 0 { "1 pending" } else { "nothing pending" },
        if counts.in_flight > 0 { "1 in flight" } else { "idle, keeps its last" },
    ];
    for (column, holder) in Holder::ALL.into_iter().enumerate() {
        let is_busy = match holder {
            Holder::Sim => false,
            Holder::Slot => counts.pending > 0,
            Holder::Render => counts.in_flight > 0,
        };
        box_ui(ui, row.place(column), holder.name(), notes[column], is_busy, theme);
        buffer_ui(ui, row.place(column), slot.buffers[column], theme);
    }
    box_ui(ui, row.place(3), "window", "shows the newest", false, theme);
    let taken = counts.published - taken_not(slot);
    let numbers = [counts.published, taken, counts.rendered];
    for (column, (name, number)) in ["publish", "take", "rendered"].into_iter().zip(numbers).enumerate() {
        arrow_ui(ui, row.place(column), row.place(column + 1), name, Some(number), theme);
    }
}

/// Frames that never left the slot for render.
fn taken_not(slot: &Slot) -> u64 {
    (slot.counts.dropped + slot.counts.pending).min(slot.counts.published)
}

/// The drawing for those who do not see it.
fn sentence(slot: &Slot) -> String {
    let of = |holder: usize| {
        slot.buffers[holder].map_or_else(|| "a buffer".to_owned(), |buffer| format!("buffer {}", buffer + 1))
    };
    format!(
        "slot handoff: sim holds {}, slot holds {}, render holds {}; {} pending, {} in flight",
        of(0),
        of(1),
        of(2),
        slot.counts.pending,
        slot.counts.in_flight
    )
}
