//! The Timeline panel: what `ui`, `sim`, `render` and the workers did in the frames around the chosen one.

mod layout;
pub mod model;
mod paint;

use egui::Ui;
use framewalk_runtime::time::{FrameIndex, Nanos};

use crate::live::InspectorAction;
use crate::view::View;
use crate::wording::{grouped, millis};

/// How far the time axis is zoomed and moved.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// Time on show; none: four periods.
    pub span: Option<Nanos>,
    /// Time in the middle; none: the middle of the chosen frame.
    pub middle: Option<Nanos>,
    rows: layout::Rows,
    // The chosen frame of the last pass: when it changes, the view goes to where it is.
    chosen: Option<FrameIndex>,
}

/// `frame 1 204 · stages 1.38 ms · batch 0.31 ms · submit 3.92 ms`; empty while there is no frame.
#[must_use]
pub fn caption(view: View<'_>) -> String {
    let Some(entry) = view.entry() else { return String::new() };
    // What is lost comes first: where the caption is too long, its end is left out.
    let lost = match view.live.zones_lost {
        0 => String::new(),
        lost => format!("{} zones lost · ", grouped(lost)),
    };
    let (frame, stages) = (grouped(entry.frame().0), millis(entry.record.frame_time()));
    let mut text = format!("{lost}frame {frame} · stages {stages}");
    if let Some(render) = &entry.render {
        text += &format!(" · batch {} · submit {}", millis(render.batch), millis(render.submit));
        if entry.pictures > 1 {
            // The frame's first is the one whose times stand there.
            text += &format!(" · 1 of {} pictures", grouped(entry.pictures.into()));
        }
    }
    text
}

pub fn ui(ui: &mut Ui, state: &mut State, view: View<'_>) -> Option<InspectorAction> {
    paint::ui(ui, state, &view)
}
