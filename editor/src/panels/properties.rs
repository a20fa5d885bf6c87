//! Properties of the selected entity: to change in Edit; while a scene runs to read, with where the picture has it
//! between two ticks.

pub mod by_hand;
mod draw;
mod editing;
mod expression;
mod fields;
pub mod part;
mod rows;
pub mod running;
mod telling;
pub mod view;

use egui::{Align, Color32, Layout, RichText, ScrollArea, Ui, vec2};
use framewalk_inspector::panels::marks;
use framewalk_inspector::theme::{Theme, size};
use framewalk_inspector::wording;
use framewalk_runtime::render::picture::{Picture, PictureItem};
use framewalk_runtime::scene::Entity;
use framewalk_runtime::sim::observe::MOST_COMPARED;
use framewalk_runtime::world::{EntityObservation, ObservedField};
use glam::Vec3;

use self::rows::{LABEL_WIDTH, figure_width, head_ui, row, width_of};
use self::running::{RunningFacts, RunningView};
use self::view::EditingView;
use crate::command::Action;
use crate::document::indexed::IndexedScene;
use crate::panels::Pane;
use crate::viewport::overlay;

/// What three numbers side by side take, in points.
const LEAST_VECTOR: f32 = 160.0;
/// With less than this for all three they stand one below the other.
const LEAST_BESIDE: f32 = 150.0;
/// Between the border of a box and what stands in it, left and right.
const BOX_PADDING: f32 = 7.0;

/// What the panel shows.
pub struct PropertiesFacts<'a> {
    pub observed: Option<&'a EntityObservation>,
    /// Something is selected, whether or not it can be read.
    pub selected: bool,
    /// The picture on screen, while a scene lives.
    pub picture: Option<&'a Picture>,
    /// The authored scene and the selected entities in it, the primary one apart, while nothing runs.
    pub authored: Option<(&'a IndexedScene, Vec<&'a Entity>, &'a Entity)>,
    /// What can be changed of the running world, while there is one.
    pub running: Option<RunningFacts<'a>>,
    pub selected_count: usize,
}

/// Draws the panel.
pub fn ui(
    ui: &mut Ui,
    view: &mut EditingView,
    running_view: &mut RunningView,
    facts: &PropertiesFacts<'_>,
    actions: &mut Vec<Action>,
) {
    let theme = Theme::of(ui);
    egui::Frame::new().inner_margin(egui::Margin::symmetric(10, 10)).show(ui, |ui| {
        let has_keys = ui.memory(|memory| memory.has_focus(Pane::Properties.focus_id()));
        if has_keys
            && ui.input(|input| input.events.contains(&egui::Event::Copy))
            && let Some(observed) = facts.observed
        {
            ui.ctx().copy_text(as_text(observed));
        }
        if let Some((scene, entities, primary)) = &facts.authored {
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 4.0;
                editing::ui(ui, view, scene, entities, primary, actions);
            });
            return;
        }
        let Some(observed) = facts.observed else {
            let text = if facts.selected {
                "The selected entity is not in the world now."
            } else {
                "Select an entity in the outliner or in the picture: its properties appear here."
            };
            ui.label(RichText::new(text).color(theme.dim));
            return;
        };
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 4.0;
            name_ui(ui, &theme, facts, observed);
            // Where the picture has it stands right below where the last tick has it.
            let first = observed.fields.first().map_or("", |field| field.section);
            let end = observed.fields.iter().take_while(|field| field.section == first).count();
            let (transform, rest) = observed.fields.split_at(end);
            let sections =
                |ui: &mut Ui, running: &mut RunningView, fields: &[ObservedField], actions: &mut _| {
                    match &facts.running {
                        Some(facts) => running::ui(ui, running, facts, observed, fields, actions),
                        None => fields_ui(ui, &theme, fields),
                    }
                };
            sections(ui, running_view, transform, actions);
            if let Some(picture) = facts.picture.filter(|_| facts.selected_count < 2)
                && let Some(item) = picture.item(observed.id)
            {
                ui.scope(|ui| interpolation_ui(ui, &theme, picture, &item));
            }
            sections(ui, running_view, rest, actions);
        });
    });
}

/// What is selected, by its name or by how many there are.
fn name_ui(ui: &mut Ui, theme: &Theme, facts: &PropertiesFacts<'_>, observed: &EntityObservation) {
    let shown = 1 + facts.running.as_ref().map_or(0, |running| running.others.len());
    if facts.selected_count < 2 {
        value_row(ui, theme, "Name", &observed.name);
        if observed.spawned {
            ui.label(RichText::new("Made by a spawner or a crowd: gone after Stop.").color(theme.run));
        }
        return;
    }
    let count = facts.selected_count;
    let text = format!("{count} entities, changed together");
    row(ui, theme, "Selected", width_of(ui, text.as_str()), |ui| _ = ui.label(text));
    if shown < count {
        let text = match shown > MOST_COMPARED {
            true => format!("Only {} of them are compared and changed.", wording::grouped(shown as u64)),
            false => {
                format!("{} of them are not in the world now.", wording::grouped((count - shown) as u64))
            }
        };
        ui.label(RichText::new(text).color(theme.dim));
    }
}

/// Every field, one a line.
fn as_text(observed: &EntityObservation) -> String {
    let fields =
        observed.fields.iter().map(|field| format!("{} {}: {}\n", field.section, field.field, field.value));
    format!("{}\n", observed.name) + &fields.collect::<String>()
}

fn fields_ui(ui: &mut Ui, theme: &Theme, fields: &[ObservedField]) {
    let mut section = "";
    for field in fields {
        if field.section != section {
            section = field.section;
            section_ui(ui, theme, section, "");
        }
        value_row(ui, theme, &capitalised(field.field), &field.value);
    }
}

fn section_ui(ui: &mut Ui, theme: &Theme, title: &str, note: &str) {
    let note = RichText::new(note).size(size::SMALL).color(theme.faint);
    head_ui(ui, theme, title, Some(note).filter(|note| !note.is_empty()), None);
}

/// A row for a value that is only read.
fn value_row(ui: &mut Ui, theme: &Theme, label: &str, value: &str) {
    row(ui, theme, label, value_width(ui, value), |ui| value_ui(ui, theme, value));
}

/// What such a value takes to be read whole, in points.
fn value_width(ui: &Ui, value: &str) -> f32 {
    match vector(value) {
        Some(_) => LEAST_VECTOR,
        None => figure_width(ui, value.chars().count()) + 2.0 * BOX_PADDING,
    }
}

/// Three numbers side by side with the colours of their axes; anything else in one box.
fn value_ui(ui: &mut Ui, theme: &Theme, value: &str) {
    let Some((parts, unit)) = vector(value) else {
        box_ui(ui, theme, None, value, theme.text, true);
        return;
    };
    let (room, layout) = (ui.available_width(), vector_layout(ui));
    let width = if layout.is_vertical() { room } else { (room - 8.0) / 3.0 };
    let axes = [("x", theme.drop), ("y", theme.ok), ("z", theme.accent)];
    ui.with_layout(layout, |ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 2.0);
        for (part, axis) in parts.iter().zip(axes) {
            ui.allocate_ui(vec2(width, 22.0), |ui| {
                box_ui(ui, theme, Some(axis), part, theme.text, true).on_hover_text(format!("{part} {unit}"))
            });
        }
    });
}

/// Three numbers beside each other, and one below the other where they would have no digits left.
fn vector_layout(ui: &Ui) -> Layout {
    if ui.available_width() < LEAST_BESIDE {
        Layout::top_down(Align::Min)
    } else {
        Layout::left_to_right(Align::Center)
    }
}

/// A number with as many of its decimals as fit into so many characters.
fn number_fitting(text: &str, characters: usize) -> String {
    let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let Ok(number) = text.parse::<f64>() else { return text.to_owned() };
    let shorter = (0..decimals).rev().map(|decimals| format!("{number:.decimals$}"));
    std::iter::once(text.to_owned())
        .chain(shorter)
        .find(|text| text.chars().count() <= characters)
        .unwrap_or_else(|| format!("{number:.0}"))
}

/// `1.250, 3.790, 0.000 m` in its three numbers and its unit.
fn vector(value: &str) -> Option<([&str; 3], &str)> {
    let mut parts = value.splitn(3, ", ");
    let parts = [parts.next()?, parts.next()?, parts.next()?];
    let number_end = |part: &str| part.find(|c: char| !(c.is_ascii_digit() || "+-.e".contains(c)));
    let unit = number_end(parts[2]).map_or("", |end| parts[2][end..].trim());
    let numbers = parts.map(|part| &part[..number_end(part).unwrap_or(part.len())]);
    numbers.iter().all(|number| number.parse::<f64>().is_ok()).then_some((numbers, unit))
}

fn box_ui(
    ui: &mut Ui,
    theme: &Theme,
    axis: Option<(&str, Color32)>,
    text: &str,
    color: Color32,
    fill: bool,
) -> egui::Response {
    let wanted = vec2(ui.available_width(), 22.0);
    let (rect, response) = ui.allocate_exact_size(wanted, egui::Sense::CLICK);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, text));
    if marks::copy_asked(&response, "Copy value") {
        ui.ctx().copy_text(text.to_owned());
    }
    if fill {
        // Without a border, which would promise that it can be typed into.
        ui.painter().rect_filled(rect, f32::from(size::CORNER), theme.bg0);
    }
    let mut x = rect.left() + if axis.is_some() { 5.0 } else { BOX_PADDING };
    let painter = ui.painter().with_clip_rect(rect.shrink(1.0));
    let font = Theme::figure_font(ui);
    if let Some((name, color)) = axis {
        let at = egui::pos2(x, rect.center().y);
        x = painter.text(at, egui::Align2::LEFT_CENTER, name, font.clone(), color).right() + 4.0;
    }
    let character = ui.fonts_mut(|fonts| fonts.glyph_width(&font, '0')).max(1.0);
    let at = egui::pos2(x, rect.center().y);
    if axis.is_some() {
        let text = number_fitting(text, ((rect.right() - 3.0 - x) / character).max(0.0) as usize);
        painter.text(at, egui::Align2::LEFT_CENTER, text, font, color);
        return response;
    }
    let galley = marks::cut(ui, text, rect.right() - BOX_PADDING - x, color);
    let is_cut = galley.elided;
    painter.galley(egui::Align2::LEFT_CENTER.anchor_size(at, galley.size()).min, galley, color);
    if is_cut { response.on_hover_text(text) } else { response }
}

fn interpolation_ui(ui: &mut Ui, theme: &Theme, picture: &Picture, item: &PictureItem) {
    section_ui(ui, theme, "Interpolation", "(runtime only, never saved)");
    if !item.simulated {
        ui.label(RichText::new("Not simulated: drawn as it stands.").color(theme.dim));
        return;
    }
    let (before, tick) = (overlay::tick_before(picture), picture.tick.0);
    // Selected a moment ago: the next picture brings its poses.
    let poses = picture.tick_poses(item.entity);
    let (previous, current) = (poses.map(|poses| poses.previous), poses.map(|poses| poses.current));
    let rows = [
        (format!("Tick {}", wording::grouped(before)), previous, theme.dim),
        (format!("Tick {}", wording::grouped(tick)), current, theme.dim),
        ("Drawn".to_owned(), Some(item.drawn), theme.alpha),
    ];
    ui.spacing_mut().item_spacing.y = 0.0;
    // Three numbers with so few decimals say nothing: in a narrow panel they have a line for themselves.
    let least = figure_width(ui, "1.250, 3.790, 0.000".len()) + 2.0 * BOX_PADDING;
    let label_width = if rows::has_room(ui, least) { LABEL_WIDTH + 4.0 } else { 0.0 };
    let room = ui.available_width() - label_width - 2.0 * BOX_PADDING;
    let room = (room / figure_width(ui, 1)).max(0.0) as usize;
    let positions = rows.each_ref().map(|(_, pose, _)| pose.unwrap_or(item.drawn).position);
    let decimals = position_decimals(&positions, room);
    for (label, pose, color) in rows {
        let text = pose.map_or("…".to_owned(), |pose| position_text(pose.position, decimals));
        row(ui, theme, &label, least, |ui| _ = box_ui(ui, theme, None, &text, color, false));
    }
    let alpha = format!("alpha {}", wording::alpha(picture.alpha));
    row(ui, theme, "Blend", 0.0, |ui| _ = box_ui(ui, theme, None, &alpha, theme.alpha, false));
}

fn position_text(position: Vec3, decimals: usize) -> String {
    // Adding 0 turns −0 into 0.
    let position = position + Vec3::ZERO;
    format!("{:.decimals$}, {:.decimals$}, {:.decimals$}", position.x, position.y, position.z)
}

/// As many decimals, 4 at most, as fit into so many characters for all three; the same for all, to compare them.
fn position_decimals(positions: &[Vec3; 3], characters: usize) -> usize {
    let fits =
        |decimals: &usize| positions.iter().all(|at| position_text(*at, *decimals).len() <= characters);
    (0..=4).rev().find(fits).unwrap_or(0)
}

fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_is_three_numbers_and_a_unit() {
        assert_eq!(vector("1.250, -3.790, 0.000 m"), Some((["1.250", "-3.790", "0.000"], "m")));
        assert_eq!(vector("0.00°, 12.4°, 0.00°"), Some((["0.00", "12.4", "0.00"], "°")));
        assert_eq!(vector("1.5 kg"), None);
        assert_eq!(vector("a, b, c"), None);
    }

    #[test]
    fn a_number_gives_up_decimals_before_it_is_cut_off() {
        assert_eq!(number_fitting("-0.500", 6), "-0.500");
        assert_eq!(number_fitting("-12.345", 6), "-12.35");
        assert_eq!(number_fitting("-123.456", 4), "-123");
        assert_eq!(number_fitting("-12345.6", 4), "-12346");
        assert_eq!(number_fitting("12", 1), "12");
    }

    #[test]
    fn the_three_poses_are_written_with_the_same_decimals() {
        let positions = [Vec3::new(-0.3915, 0.5485, 1.4481), Vec3::ONE, Vec3::ZERO];
        assert_eq!(position_decimals(&positions, 23), 4);
        assert_eq!(position_decimals(&positions, 22), 3);
        assert_eq!(position_decimals(&positions, 3), 0);
        assert_eq!(position_text(Vec3::new(-0.25, 0.5, 1.0), 3), "-0.250, 0.500, 1.000");
    }

    #[test]
    fn field_names_begin_with_a_capital() {
        assert_eq!(capitalised("field of view"), "Field of view");
        assert_eq!(capitalised(""), "");
    }
}
