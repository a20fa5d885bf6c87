//! The six live figures: frame, tick, alpha, overstep, dropped, late. Each has its fixed width.

use egui::{Align2, Color32, Role, Sense, Ui, pos2, vec2};
use framewalk_runtime::frame::record::HandoffMode;

use crate::glossary::sense;
use crate::live::InspectorAction;
use crate::panels::marks;
use crate::theme::Theme;
use crate::view::View;
use crate::wording::{alpha, grouped, millis};

const HEIGHT: f32 = 34.0;

/// One figure: caption, value, and the width in characters its value never passes in practice.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    pub caption: &'static str,
    pub value: String,
    pub characters: usize,
    pub tint: Tint,
    /// What is to be said beside what the word means; empty where there is nothing.
    pub note: &'static str,
}

/// What a figure's colour says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tint {
    Plain,
    Alpha,
    /// Coloured once it is above 0.
    Dropped,
    Late,
}

/// The figures of this instant: of the open frame where it has come that far, else of the newest. In the free handoff alpha
/// is that of the newest picture, and late are pictures: a frame there is a tick, which leaves nothing over.
#[must_use]
pub fn figures(view: &View<'_>) -> [Figure; 6] {
    let newest = view.history.newest().map(|entry| &entry.record);
    let open = view.live.open.map(|open| (open.record, open.stages_done));
    let frame = open.map(|(record, _)| record.frame).or_else(|| newest.map(|record| record.frame));
    let ticked = open.filter(|(_, done)| *done >= 4).map(|(record, _)| record).or(newest);
    let dropped =
        view.live.counts.map(|counts| counts.dropped).or_else(|| newest.map(|record| record.handoff.dropped));
    let drawn = newest.filter(|record| record.handoff.mode == HandoffMode::Free).map(|_| drawn(view));
    let at = drawn.unwrap_or_else(|| ticked.map(|record| record.alpha));
    let over = ticked.map(|record| record.overstep);
    let totals = view.history.totals();
    let late = newest.map(|_| grouped(if drawn.is_some() { totals.late_pictures } else { totals.late }));
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
    let note = match drawn {
        Some(_) => "Free handoff: of the pictures, which the render thread draws by its own clock.",
        None => "",
    };
    let figure = |caption, value, characters, tint| {
        let note = if matches!(caption, "alpha" | "late") { note } else { "" };
        Figure { caption, value: or_dash(value), characters, tint, note }
    };
    [
        figure("frame", frame.map(|frame| grouped(frame.0)), 9, Tint::Plain),
        figure("tick", ticked.map(|record| grouped(record.tick.0)), 9, Tint::Plain),
        figure("alpha", at.map(alpha), 6, Tint::Alpha),
        figure("overstep", over.map(millis), 9, Tint::Plain),
        figure("dropped", dropped.map(grouped), 7, Tint::Dropped),
        figure("late", late, 7, Tint::Late),
    ]
}

/// Alpha of the picture that is looked at: of the one on screen where the program says which that is, so that this and what
/// stands over the picture agree; else of the newest. None before the first.
fn drawn(view: &View<'_>) -> Option<f64> {
    let run = view.history.totals().run;
    match view.live.on_screen.filter(|on_screen| on_screen.run == run) {
        Some(on_screen) => Some(on_screen.alpha),
        None => view.history.newest_picture().map(|picture| picture.alpha),
    }
}

const GAP: f32 = 14.0;
const CAPTION_LEAST: f32 = 44.0;

fn width_of(figure: &Figure, character: f32) -> f32 {
    (figure.characters as f32 * character).max(CAPTION_LEAST)
}

fn character_width(ui: &Ui) -> f32 {
    let font = Theme::figure_font(ui);
    ui.fonts_mut(|fonts| fonts.glyph_width(&font, '0')).max(1.0)
}

/// What [`ui`] takes where it has room for all of them, whatever the values are.
pub fn width(ui: &Ui, view: View<'_>) -> f32 {
    width_of_all(&figures(&view), character_width(ui))
}

fn width_of_all(figures: &[Figure], character: f32) -> f32 {
    let cells = figures.iter().map(|figure| width_of(figure, character)).sum::<f32>();
    cells + GAP * figures.len().saturating_sub(1) as f32
}

/// As many as have room: the first go first, since frame and tick stand in the panels too.
fn fitting(figures: &[Figure], character: f32, room: f32) -> &[Figure] {
    let fits = |first: &usize| width_of_all(&figures[*first..], character) <= room;
    &figures[(0..figures.len()).find(fits).unwrap_or(figures.len())..]
}

pub fn ui(ui: &mut Ui, view: View<'_>) -> Option<InspectorAction> {
    let theme = Theme::of(ui);
    let figures = figures(&view);
    let font = Theme::figure_font(ui);
    let character = character_width(ui);
    let shown = fitting(&figures, character, ui.available_width());
    let width = width_of_all(shown, character);
    let (rect, response) = ui.allocate_exact_size(vec2(width, HEIGHT), Sense::hover());
    marks::label(&response, Role::Label, "live figures");
    let painter = ui.painter_at(rect).clone();
    let mut left = rect.left();
    let mut action = None;
    for figure in shown {
        let right = left + width_of(figure, character);
        let color = color_of(figure, &theme);
        painter.text(
            pos2(right, rect.top() + 2.0),
            Align2::RIGHT_TOP,
            figure.caption,
            Theme::small_font(ui),
            theme.dim,
        );
        painter.text(
            pos2(right, rect.bottom() - 2.0),
            Align2::RIGHT_BOTTOM,
            &figure.value,
            font.clone(),
            color,
        );
        let cell = egui::Rect::from_min_max(pos2(left, rect.top()), pos2(right, rect.bottom()));
        let cell = ui.interact(cell, response.id.with(figure.caption), Sense::CLICK);
        marks::label(&cell, Role::Label, format!("{} {}", figure.caption, figure.value));
        let told = format!("{}\n{}", sense(figure.caption), figure.note);
        if marks::copy_asked(&cell.on_hover_text(told.trim_end()), "Copy figures") {
            action = Some(InspectorAction::Copy(as_text(&figures)));
        }
        left = right + GAP;
    }
    action
}

/// All of them, one a line.
#[must_use]
pub fn as_text(figures: &[Figure]) -> String {
    figures.iter().map(|figure| format!("{} {}\n", figure.caption, figure.value)).collect()
}

fn color_of(figure: &Figure, theme: &Theme) -> Color32 {
    let is_none = matches!(figure.value.as_str(), "0" | "–");
    match figure.tint {
        Tint::Alpha => theme.alpha,
        Tint::Dropped if !is_none => theme.drop,
        Tint::Late if !is_none => theme.late,
        Tint::Plain | Tint::Dropped | Tint::Late => theme.text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_there_is_no_room_for_all_figures_the_last_are_shown() {
        let figure = |caption, characters| Figure {
            caption,
            value: "0".to_owned(),
            characters,
            tint: Tint::Plain,
            note: "",
        };
        let figures = [figure("frame", 9), figure("dropped", 7), figure("late", 7)];
        let shown = |room| fitting(&figures, 10.0, room).iter().map(|one| one.caption).collect::<Vec<_>>();
        // 90 + 14 + 70 + 14 + 70.
        assert_eq!(shown(258.0), ["frame", "dropped", "late"]);
        assert_eq!(shown(257.0), ["dropped", "late"]);
        assert_eq!(shown(80.0), ["late"]);
        assert_eq!(shown(60.0), [""; 0]);
    }
}
