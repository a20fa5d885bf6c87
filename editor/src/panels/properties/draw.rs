//! Fields as a person sees and changes them.

use std::cell::{Cell, RefCell};

use egui::{DragValue, Response, RichText, Ui, vec2};
use framewalk_inspector::theme::{Theme, size};
use framewalk_runtime::scene::ranges::Range;
use framewalk_runtime::scene::{Color, EntityId};
use glam::Vec3;

use super::fields::{Fields, Value, Values, least_typed, of_axis};
use super::rows::{LABEL_WIDTH, ROW_HEIGHT, figure_width, row, width_of};
use super::view::EditingView;
use super::{LEAST_VECTOR, expression, number_fitting, vector_layout};
use crate::document::indexed::IndexedScene;

/// For the arrow that resets a field, whether or not it is there.
const ARROW_WIDTH: f32 = 16.0;
const MIXED: &str = "mixed";
/// Beside the name in a button that opens a list: its padding, and the arrow of some.
const LIST_PADDING: f32 = 16.0;
const LIST_ARROW: f32 = 24.0;
/// Colours are shown so wide; beside it their digits.
const COLOR_WIDTH: f32 = 48.0;

/// Whose values fields show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    Authored,
    Running,
}

/// Draws fields, and takes note of what is changed.
pub struct Draw<'a> {
    pub ui: &'a mut Ui,
    pub theme: &'a Theme,
    pub view: &'a mut EditingView,
    pub scene: &'a IndexedScene,
    /// What the fields belong to: part of what a complaint is kept by.
    pub section: &'static str,
    /// Where reset leads.
    pub first: Values,
    /// Whose values they are: of the authored scene, or of a running world.
    pub of: Of,
    /// The same fields of the other selected entities, or of as many as tell which are mixed.
    pub others: &'a [Values],
    pub changes: Vec<(String, Value)>,
}

impl Draw<'_> {
    /// What a field is called by those who cannot see where it stands.
    fn spoken(&self, label: &str) -> String {
        match self.of {
            Of::Authored => label.to_owned(),
            Of::Running => format!("Running {}", label.to_lowercase()),
        }
    }

    fn is_mixed(&self, label: &str, value: &Value) -> bool {
        self.others.iter().any(|other| other.get(label).is_some_and(|other| other != value))
    }

    /// A row with the arrow at its end, where one of these differs from what reset leads to. Its content takes `least`
    /// points to be read whole. True: it was clicked.
    fn row(
        &mut self,
        (label, least): (&str, f32),
        values: &[(String, Value)],
        content: impl FnOnce(&mut Self, &mut Ui),
    ) -> bool {
        let resets: Vec<&Value> = values.iter().filter_map(|(label, _)| self.first.get(label)).collect();
        let differs = !resets.is_empty()
            && values.iter().any(|(label, value)| {
                self.is_mixed(label, value) || self.first.get(label).is_some_and(|first| first != value)
            });
        let theme = self.theme;
        let mut clicked = false;
        // Taken out for as long as the row is drawn, so that both can be changed.
        let mut drawn = Some(content);
        let id = self.ui.scope_id().with((self.section, label));
        // By its label, so that a complaint above it takes no field's keyboard away.
        let mut inner = self.ui.new_child(egui::UiBuilder::new().scope_id(id));
        let title = if label.starts_with("Kind of") { "Kind" } else { label };
        // Nothing is reset in a run: Stop does that.
        let arrow = if self.of == Of::Running { 0.0 } else { ARROW_WIDTH };
        row(&mut inner, theme, title, least + arrow, |ui| {
            let width = (ui.available_width() - arrow).max(20.0);
            ui.allocate_ui(vec2(width, ROW_HEIGHT), |ui| {
                ui.set_min_width(width);
                if let Some(content) = drawn.take() {
                    content(self, ui);
                }
            });
            if arrow > 0.0 {
                clicked = arrow_ui(ui, theme, label, differs);
            }
        });
        let rect = inner.min_rect();
        self.ui.advance_cursor_after_rect(rect);
        if clicked {
            self.view.next_gesture();
            for (label, _) in values {
                if let Some(first) = self.first.get(label) {
                    self.changes.push((label.clone(), first.clone()));
                }
            }
        }
        self.complaint_ui(label);
        clicked
    }

    fn complaint_ui(&mut self, label: &str) {
        let key = format!("{} {label}", self.section);
        let Some((_, reason)) = self.view.complaint.as_ref().filter(|(of, _)| *of == key) else { return };
        let text = RichText::new(reason).size(size::SMALL).color(self.theme.drop);
        self.ui.horizontal_wrapped(|ui| ui.label(text));
    }

    /// One number to drag or type; `title` names the row that it stands in.
    fn number_ui(
        &mut self,
        ui: &mut Ui,
        (title, label): (&str, &str),
        width: f32,
        (value, range): (&mut f32, Range),
        (prefix, unit): (&str, &str),
    ) {
        let before = *value;
        let mixed = self.is_mixed(label, &Value::Number(before));
        let room = match prefix.is_empty() {
            true => usize::MAX,
            false => {
                let character =
                    ui.fonts_mut(|fonts| fonts.glyph_width(&Theme::figure_font(ui), '0')).max(1.0);
                let padding = 2.0 * ui.spacing().button_padding.x;
                ((width - padding) / character) as usize
            }
        }
        .saturating_sub(prefix.len());
        let typing = Typing::new(mixed, room);
        let take = |number: f64| match range.holds(number as f32) {
            true => Ok(number),
            false => Err(format!("{} is outside {range}.", number as f32)),
        };
        let speed = speed_of(before, unit);
        // What moves is written like all else of a running world, and its digits stand still while it moves.
        let (least_decimals, most_decimals) = match self.of {
            Of::Running => (if prefix.is_empty() { 0 } else { 3 }, 3),
            Of::Authored => (0, 4),
        };
        let field = DragValue::new(value)
            .range(least_typed(range)..=range.most)
            .clamp_existing_to_range(false)
            .speed(speed)
            .max_decimals(most_decimals)
            .min_decimals(least_decimals)
            .prefix(prefix.to_owned())
            .suffix(unit.to_owned());
        let response = ui.add_sized([width, ROW_HEIGHT], typing.on(field, f64::from(before), unit, &take));
        let response = response.accessible_name(self.spoken(label));
        let new = *value;
        self.follow(&response, title, label, &typing, Value::Number(new), mixed);
        if !prefix.is_empty() && !mixed {
            response.on_hover_text(format!("{label}: {new}"));
        }
    }

    /// Takes note of a change, and of why one was refused.
    fn follow(
        &mut self,
        response: &Response,
        title: &str,
        label: &str,
        typing: &Typing,
        value: Value,
        mixed: bool,
    ) {
        let changed = self.view.follow(response);
        // The same number typed over mixed ones is a change of the others.
        if changed || (mixed && typing.taken.get()) {
            self.changes.push((label.to_owned(), value));
            self.view.complaint = None;
        }
        if let Some(reason) = typing.refused.take() {
            self.view.complaint = Some((format!("{} {title}", self.section), reason));
        } else if response.gained_focus() {
            self.view.complaint = None;
        }
    }
}

/// What a point of dragging changes: in proportion, and near 0 as little as anybody sets by hand. So many digits are shown.
fn speed_of(value: f32, unit: &str) -> f64 {
    let least = if unit == " µs" { 1.0 } else { 0.005 };
    f64::from(value.abs() * 0.005).clamp(least, 10.0)
}

/// What is typed into a number field, as a sum.
struct Typing {
    mixed: bool,
    /// What the field shows: left as it is, it changes nothing, however it is rounded.
    shown: RefCell<String>,
    refused: RefCell<Option<String>>,
    taken: Cell<bool>,
    /// So many characters fit into the field.
    room: usize,
}

impl Typing {
    fn new(mixed: bool, room: usize) -> Self {
        let (shown, refused) = (RefCell::default(), RefCell::default());
        Self { mixed, shown, refused, taken: Cell::new(false), room }
    }

    /// The field with our reading and writing. Nothing is set before it is entered.
    fn on<'a>(
        &'a self,
        field: DragValue<'a>,
        before: f64,
        unit: &'a str,
        take: &'a dyn Fn(f64) -> Result<f64, String>,
    ) -> DragValue<'a> {
        field
            .update_while_editing(false)
            .custom_formatter(move |number, decimals| {
                let text = match self.mixed {
                    true => MIXED.to_owned(),
                    false => {
                        let text = egui::emath::format_with_decimals_in_range(number, decimals);
                        number_fitting(&text, self.room)
                    }
                };
                self.shown.borrow_mut().clone_from(&text);
                text
            })
            .custom_parser(move |typed| {
                let typed = typed.trim();
                if typed == *self.shown.borrow() {
                    return Some(before);
                }
                let typed = typed.strip_suffix(unit.trim()).unwrap_or(typed);
                match expression::value(typed).and_then(take) {
                    Ok(number) => {
                        self.taken.set(true);
                        Some(number)
                    }
                    Err(reason) => {
                        *self.refused.borrow_mut() = Some(reason);
                        None
                    }
                }
            })
    }
}

impl Fields for Draw<'_> {
    fn number(&mut self, label: &str, value: &mut f32, range: Range, unit: &str) {
        let values = [(label.to_owned(), Value::Number(*value))];
        // With a sign, and in a run with what moves.
        let least = figure_width(self.ui, 8) + width_of(self.ui, unit) + LIST_PADDING;
        self.row((label, least), &values, |draw, ui| {
            let width = ui.available_width();
            draw.number_ui(ui, (label, label), width, (value, range), ("", unit));
        });
    }

    fn vector(&mut self, label: &str, value: &mut Vec3, range: Range, unit: &str) {
        let values = [0, 1, 2].map(|axis| (of_axis(label, axis), Value::Number(value[axis])));
        self.row((label, LEAST_VECTOR), &values, |draw, ui| {
            let (room, layout) = (ui.available_width(), vector_layout(ui));
            let width = if layout.is_vertical() { room } else { (room - 8.0) / 3.0 };
            ui.with_layout(layout, |ui| {
                ui.spacing_mut().item_spacing = vec2(4.0, 2.0);
                ui.spacing_mut().button_padding.x = 2.0;
                for (axis, prefix) in ["x ", "y ", "z "].into_iter().enumerate() {
                    let name = of_axis(label, axis);
                    draw.number_ui(ui, (label, &name), width, (&mut value[axis], range), (prefix, ""));
                }
            })
            .response
            .on_hover_text(format!("{label}, {}", if unit.is_empty() { "a number" } else { unit.trim() }));
        });
    }

    fn count(&mut self, label: &str, value: &mut u32, least: u32, most: u32, unit: &str) {
        let values = [(label.to_owned(), Value::Count(*value))];
        let wide = width_of(self.ui, format!("{value}{unit}")) + LIST_PADDING;
        self.row((label, wide), &values, |draw, ui| {
            let before = *value;
            let mixed = draw.is_mixed(label, &Value::Count(before));
            let typing = Typing::new(mixed, usize::MAX);
            let take = |number: f64| {
                if number.fract() != 0.0 {
                    return Err(format!("{number} is no whole number."));
                }
                match (f64::from(least)..=f64::from(most)).contains(&number) {
                    true => Ok(number),
                    false => Err(format!("{number} is outside {least} to {most}.")),
                }
            };
            let field = DragValue::new(value)
                .range(least..=most)
                .clamp_existing_to_range(false)
                .suffix(unit.to_owned());
            let width = ui.available_width();
            let response =
                ui.add_sized([width, ROW_HEIGHT], typing.on(field, f64::from(before), unit, &take));
            let response = response.accessible_name(draw.spoken(label));
            let new = *value;
            draw.follow(&response, label, label, &typing, Value::Count(new), mixed);
        });
    }

    fn color(&mut self, label: &str, value: &mut Color) {
        let values = [(label.to_owned(), Value::Color(*value))];
        let least = COLOR_WIDTH + figure_width(self.ui, "#56b4e9".len());
        self.row((label, least), &values, |draw, ui| {
            let mixed = draw.is_mixed(label, &values[0].1);
            ui.horizontal(|ui| {
                let mut rgb = [value.red, value.green, value.blue];
                let response = ui.color_edit_button_srgb(&mut rgb).accessible_name(draw.spoken(label));
                // A colour like that of the panel has an edge, too.
                let edge = egui::Stroke::new(1.0, draw.theme.line);
                let corner = f32::from(size::CORNER);
                ui.painter().rect_stroke(response.rect, corner, edge, egui::StrokeKind::Inside);
                if draw.view.follow(&response) {
                    *value = Color { red: rgb[0], green: rgb[1], blue: rgb[2] };
                    draw.changes.push((label.to_owned(), Value::Color(*value)));
                }
                let text = if mixed { MIXED.to_owned() } else { value.to_string() };
                ui.label(RichText::new(text).monospace().color(draw.theme.dim));
            });
        });
    }

    fn choice(&mut self, label: &str, value: &mut usize, names: &[&str]) {
        let values = [(label.to_owned(), Value::Choice(*value))];
        let longest = names.iter().map(|name| width_of(self.ui, *name)).fold(0.0, f32::max);
        self.row((label, longest + LIST_PADDING + LIST_ARROW), &values, |draw, ui| {
            let mixed = draw.is_mixed(label, &values[0].1);
            let now = if mixed { MIXED } else { names.get(*value).copied().unwrap_or_default() };
            let width = ui.available_width();
            let shown =
                egui::ComboBox::from_id_salt(label).selected_text(now).width(width).show_ui(ui, |ui| {
                    for (nth, name) in names.iter().enumerate() {
                        let chosen = nth == *value && !mixed;
                        if ui.selectable_label(chosen, *name).clicked() && !chosen {
                            *value = nth;
                            draw.view.next_gesture();
                            draw.changes.push((label.to_owned(), Value::Choice(nth)));
                        }
                    }
                });
            shown.response.accessible_name(draw.spoken(label));
        });
    }

    fn entity(&mut self, label: &str, value: &mut Option<EntityId>) {
        let values = [(label.to_owned(), Value::Entity(*value))];
        let mixed = self.is_mixed(label, &values[0].1);
        let least = picker_width(self.ui, self.scene, *value, mixed);
        self.row((label, least), &values, |draw, ui| {
            let spoken = draw.spoken(label);
            if let Some(chosen) = picker_ui(ui, draw.theme, draw.view, draw.scene, &spoken, *value, mixed) {
                *value = chosen;
                draw.view.next_gesture();
                draw.changes.push((label.to_owned(), Value::Entity(chosen)));
            }
        });
    }

    fn button(&mut self, label: &str) -> bool {
        let pressed = self.ui.horizontal(|ui| {
            let button = width_of(ui, label) + 2.0 * ui.spacing().button_padding.x;
            if LABEL_WIDTH + 4.0 + button <= ui.available_width() {
                ui.add_space(LABEL_WIDTH + 4.0);
            }
            ui.button(label).clicked()
        });
        if pressed.inner {
            self.view.next_gesture();
            self.changes.push((label.to_owned(), Value::Pressed));
        }
        pressed.inner
    }
}

/// A button with the entity's name, and a list to choose another from, with a filter; what was chosen.
pub fn picker_ui(
    ui: &mut Ui,
    theme: &Theme,
    view: &mut EditingView,
    scene: &IndexedScene,
    label: &str,
    value: Option<EntityId>,
    mixed: bool,
) -> Option<Option<EntityId>> {
    let name = picked(scene, value, mixed);
    let mut chosen = None;
    let config = egui::containers::menu::MenuConfig::new()
        .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside);
    let button = egui::Button::new(name).min_size(vec2(ui.available_width(), ROW_HEIGHT)).truncate();
    let (response, _) = egui::containers::menu::MenuButton::from_button(button).config(config).ui(ui, |ui| {
        ui.set_min_width(220.0);
        let field = egui::TextEdit::singleline(&mut view.filter).hint_text("Filter…");
        ui.add(field).accessible_name("Filter entities to choose from");
        if ui.selectable_label(value.is_none() && !mixed, "none").clicked() {
            chosen = Some(None);
        }
        let filter = view.filter.trim().to_lowercase();
        let fits = |name: &str| filter.is_empty() || name.to_lowercase().contains(&filter);
        let found: Vec<_> = scene.entities.iter().filter(|entity| fits(&entity.name)).collect();
        if found.is_empty() {
            ui.label(RichText::new("No entity has such a name.").color(theme.dim));
        }
        egui::ScrollArea::vertical().max_height(220.0).show_rows(ui, ROW_HEIGHT, found.len(), |ui, range| {
            for entity in &found[range] {
                let is = value == Some(entity.id) && !mixed;
                let button = egui::Button::selectable(is, entity.name.as_str());
                let accessible = format!("Choose {}", entity.name);
                if ui.add(button).accessible_name(accessible).clicked() {
                    chosen = Some(Some(entity.id));
                }
            }
        });
        if chosen.is_some() {
            ui.close();
        }
    });
    response.accessible_name(label);
    if chosen.is_some() {
        view.filter.clear();
    }
    chosen
}

/// What the button needs to show that name whole, in points.
pub fn picker_width(ui: &Ui, scene: &IndexedScene, value: Option<EntityId>, mixed: bool) -> f32 {
    width_of(ui, picked(scene, value, mixed)) + LIST_PADDING
}

fn picked(scene: &IndexedScene, value: Option<EntityId>, mixed: bool) -> &str {
    match value {
        _ if mixed => MIXED,
        None => "none",
        Some(id) => scene.entity(id).map_or("nobody", |entity| entity.name.as_str()),
    }
}

/// The arrow keeps its place; it can be seen and clicked where there is something to reset.
fn arrow_ui(ui: &mut Ui, theme: &Theme, label: &str, differs: bool) -> bool {
    let sense = if differs { egui::Sense::click() } else { egui::Sense::hover() };
    let (rect, response) = ui.allocate_exact_size(vec2(ARROW_WIDTH - 4.0, ROW_HEIGHT), sense);
    if !differs {
        return false;
    }
    let name = format!("Reset {label}");
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
    let color = if response.hovered() || response.has_focus() { theme.text } else { theme.faint };
    let (c, stroke) = (rect.center(), egui::Stroke::new(1.3, color));
    let bow = [(-1.0, -3.0), (2.5, -3.0), (4.0, -1.0), (4.0, 1.5), (2.5, 3.5), (-2.0, 3.5)];
    ui.painter().add(egui::Shape::line(bow.map(|(x, y)| c + vec2(x, y)).to_vec(), stroke));
    let head = vec![c + vec2(-5.0, -3.0), c + vec2(-1.0, -6.0), c + vec2(-1.0, 0.0)];
    ui.painter().add(egui::Shape::convex_polygon(head, color, egui::Stroke::NONE));
    response.on_hover_text("Back to the value that it has when it is new.").clicked()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_of_dragging_is_what_a_person_sets_and_of_a_time_no_less_than_a_microsecond() {
        assert_eq!((speed_of(0.0, " m"), speed_of(-4_000.0, " m")), (0.005, 10.0));
        assert_eq!((speed_of(0.0, " µs"), speed_of(160_000.0, " µs")), (1.0, 10.0));
    }
}
