//! Rows and heads of sections: side by side where there is room, one above the other where there is not, so that nothing
//! is cut in a narrow panel.

use egui::{Align, Button, Label, Layout, Response, RichText, TextStyle, TextWrapMode, Ui, WidgetText, vec2};
use framewalk_inspector::glossary::named_by;
use framewalk_inspector::theme::Theme;

pub const LABEL_WIDTH: f32 = 84.0;
pub const ROW_HEIGHT: f32 = 22.0;
const GAP: f32 = 4.0;
const HEAD_GAP: f32 = 6.0;

/// So wide is a text in one line, in points.
pub fn width_of(ui: &Ui, text: impl Into<WidgetText>) -> f32 {
    text.into().into_galley(ui, Some(TextWrapMode::Extend), f32::INFINITY, TextStyle::Body).size().x
}

/// So wide is a figure of so many characters.
pub fn figure_width(ui: &Ui, characters: usize) -> f32 {
    let character = ui.fonts_mut(|fonts| fonts.glyph_width(&Theme::figure_font(ui), '0')).max(1.0);
    character * characters as f32
}

/// A value of so many points has room beside a label.
pub fn has_room(ui: &Ui, least: f32) -> bool {
    ui.available_width() - LABEL_WIDTH - GAP >= least
}

/// A label, and beside it its value, which is `least` points wide or more; below it, where that does not fit.
pub fn row(ui: &mut Ui, theme: &Theme, label: &str, least: f32, value: impl FnOnce(&mut Ui)) {
    let text = RichText::new(label).color(theme.text);
    let is_beside = width_of(ui, text.clone()) <= LABEL_WIDTH && has_room(ui, least);
    let label_ui = |ui: &mut Ui| {
        let label_ui = ui.add(Label::new(text).truncate());
        if let Some(term) = named_by(label) {
            label_ui.on_hover_text(term.sense);
        }
    };
    if !is_beside {
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 1.0;
            label_ui(ui);
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = GAP;
                value(ui);
            });
        });
        return;
    }
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = GAP;
        let layout = Layout::left_to_right(Align::Center);
        ui.allocate_ui_with_layout(vec2(LABEL_WIDTH, ROW_HEIGHT), layout, |ui| {
            ui.set_min_width(LABEL_WIDTH);
            label_ui(ui);
        });
        value(ui);
    });
}

/// A button at the right end of a head: its words, and fewer of them where those do not fit.
pub struct HeadButton {
    pub words: RichText,
    pub fewer: RichText,
    /// Without a border.
    pub is_bare: bool,
}

/// What was drawn of a head beside its title.
#[derive(Default)]
pub struct Head {
    pub note: Option<Response>,
    pub button: Option<Response>,
}

/// The title of a section, a note on it, and a button. The note goes below them where it does not fit beside the title.
pub fn head_ui(
    ui: &mut Ui,
    theme: &Theme,
    title: &str,
    mut note: Option<RichText>,
    button: Option<HeadButton>,
) -> Head {
    ui.add_space(8.0);
    let heading = theme.section(title);
    let room = ui.available_width();
    let note_width = note.clone().map_or(0.0, |note| HEAD_GAP + width_of(ui, note));
    let left = room - width_of(ui, heading.clone()) - note_width;
    let button = button.map(|button| {
        let padding = if button.is_bare { 0.0 } else { 2.0 * ui.spacing().button_padding.x };
        let wide = |words: &RichText| HEAD_GAP + width_of(ui, words.clone()) + padding;
        let (full, least) = (wide(&button.words), wide(&button.fewer));
        let words = if full <= left { button.words } else { button.fewer };
        let widget = Button::new(words);
        (if button.is_bare { widget.frame(false) } else { widget.small() }, least)
    });
    let is_beside = button.as_ref().map_or(0.0, |(_, least)| *least) <= left;
    let mut head = Head::default();
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = HEAD_GAP;
        let heading = ui.label(heading);
        if let Some(term) = named_by(title) {
            heading.on_hover_text(term.sense);
        }
        if is_beside {
            head.note = note.take().map(|note| ui.label(note));
        }
        if let Some((button, _)) = button {
            let aligned = Layout::right_to_left(Align::Center);
            head.button = Some(ui.with_layout(aligned, |ui| ui.add(button)).inner);
        }
    });
    if let Some(note) = note {
        head.note = Some(ui.add(Label::new(note).wrap()));
    }
    head
}
