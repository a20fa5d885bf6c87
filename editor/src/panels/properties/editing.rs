//! Properties of authored entities as fields to change, of one or of many together: a drag, a typed number or a picked
//! colour is one step.

use egui::{RichText, Ui};
use framewalk_inspector::theme::Theme;
use framewalk_runtime::scene::{Entity, EntityId, Unknown};

use super::draw::{Draw, Of, picker_ui, picker_width};
use super::fields::{self, Apply, Value, Values};
use super::rows::{Head, HeadButton, head_ui, row, width_of};
use super::view::EditingView;
use super::{section_ui, telling};
use crate::command::Action;
use crate::document::arrange::Target;
use crate::document::component::{Component, ComponentKind, usual};
use crate::document::edit::Edit;
use crate::document::history::Gesture;
use crate::document::indexed::IndexedScene;

/// A name of so many points can be read while it is typed.
const LEAST_NAME: f32 = 100.0;

/// Draws every part of the entities that can be changed; the fields show the last of them, and `mixed` where others
/// differ. What is changed is changed in all of them.
pub fn ui(
    ui: &mut Ui,
    view: &mut EditingView,
    scene: &IndexedScene,
    entities: &[&Entity],
    primary: &Entity,
    actions: &mut Vec<Action>,
) {
    let theme = Theme::of(ui);
    let ids: Vec<EntityId> = entities.iter().map(|entity| entity.id).collect();
    if view.shown != ids {
        view.shown = ids.clone();
        view.complaint = None;
    }
    let called = match entities {
        [entity] => entity.name.clone(),
        many => format!("{} entities", many.len()),
    };
    let others: Vec<&Entity> = entities.iter().copied().filter(|entity| entity.id != primary.id).collect();
    if others.is_empty() {
        name_ui(ui, &theme, view, primary, actions);
    } else {
        let text = format!("{called}, edited together");
        row(ui, &theme, "Selected", width_of(ui, text.as_str()), |ui| _ = ui.label(text));
    }
    section_ui(ui, &theme, "Transform", "");
    parent_ui(ui, &theme, view, scene, (primary, &others, &ids), actions);
    transform_ui(ui, &theme, view, scene, (entities, primary, &others), &called, actions);
    for kind in ComponentKind::ALL {
        let Some(component) = kind.of(primary) else { continue };
        let owners: Vec<&Entity> =
            entities.iter().copied().filter(|entity| kind.of(entity).is_some()).collect();
        let unheard = match component {
            Component::Sound(sound) => sound.lacks(primary),
            _ => None,
        };
        let (note, told) = match (owners.len() == entities.len(), unheard) {
            (false, _) => {
                (format!("({} of {})", owners.len(), entities.len()), "So many of the selected have it.")
            }
            (true, Some(lacks)) => {
                (format!("never heard: no {lacks}"), "What makes it sound is a component that it has not.")
            }
            (true, None) => (String::new(), ""),
        };
        if component_head(ui, &theme, kind.name(), (&note, told)) {
            let unset = owners.iter().map(|owner| Edit::Unset { id: owner.id, kind });
            actions.push(once(format!("Remove {} of {called}", kind.name()), together(unset.collect())));
            continue;
        }
        component_ui(ui, &theme, view, scene, (component, &owners, primary), &called, actions);
    }
    for unknown in &primary.unknown {
        unknown_ui(ui, &theme, unknown, entities, &called, actions);
    }
    ui.add_space(10.0);
    add_component_ui(ui, entities, &called, actions);
}

/// On what they hang: none, or an entity that does not hang on them.
fn parent_ui(
    ui: &mut Ui,
    theme: &Theme,
    view: &mut EditingView,
    scene: &IndexedScene,
    (primary, others, ids): (&Entity, &[&Entity], &[EntityId]),
    actions: &mut Vec<Action>,
) {
    let mixed = others.iter().any(|other| other.parent != primary.parent);
    let least = picker_width(ui, scene, primary.parent, mixed);
    row(ui, theme, "Parent", least, |ui| {
        if let Some(parent) = picker_ui(ui, theme, view, scene, "Parent", primary.parent, mixed) {
            actions.push(Action::MoveEntities { ids: ids.to_vec(), to: Target { parent, before: None } });
        }
    });
}

fn transform_ui(
    ui: &mut Ui,
    theme: &Theme,
    view: &mut EditingView,
    scene: &IndexedScene,
    (entities, primary, others): (&[&Entity], &Entity, &[&Entity]),
    called: &str,
    actions: &mut Vec<Action>,
) {
    let telling = telling::transforms(&primary.transform, others.iter().map(|other| other.transform));
    let others: Vec<Values> = telling.into_iter().map(fields::values_of_transform).collect();
    let first = fields::values_of_transform(Default::default());
    let of = Of::Authored;
    let mut draw =
        Draw { ui, theme, view, scene, section: "transform", first, of, others: &others, changes: vec![] };
    fields::transform(&mut draw, &mut primary.transform.clone());
    let changes = draw.changes;
    if !changes.is_empty() {
        let edits = entities.iter().map(|entity| {
            let mut transform = entity.transform;
            fields::transform(&mut Apply(&changes), &mut transform);
            Edit::Place { id: entity.id, transform }
        });
        actions.push(step(view, format!("Move {called}"), together(edits.collect())));
    }
}

fn component_ui(
    ui: &mut Ui,
    theme: &Theme,
    view: &mut EditingView,
    scene: &IndexedScene,
    (mut component, owners, primary): (Component, &[&Entity], &Entity),
    called: &str,
    actions: &mut Vec<Action>,
) {
    let kind = component.kind();
    let others = owners.iter().filter(|owner| owner.id != primary.id);
    let others = telling::components(&component, others.filter_map(|owner| kind.of(owner)));
    let first = fields::first_values(&component);
    let changes: Vec<(String, Value)> = ui
        .push_id(kind.name(), |ui| {
            let (section, of) = (kind.name(), Of::Authored);
            let mut draw =
                Draw { ui, theme, view, scene, section, first, of, others: &others, changes: vec![] };
            fields::component(&mut draw, &mut component);
            draw.changes
        })
        .inner;
    if changes.is_empty() {
        return;
    }
    let edits = owners.iter().filter_map(|owner| {
        let mut component = kind.of(owner)?;
        fields::component(&mut Apply(&changes), &mut component);
        Some(Edit::Set { id: owner.id, component })
    });
    let edit = together(edits.collect());
    actions.push(step(view, format!("Change {} of {called}", kind.name()), edit));
}

/// Several edits as one.
fn together(mut edits: Vec<Edit>) -> Edit {
    if edits.len() == 1 { edits.remove(0) } else { Edit::Several(edits) }
}

fn step(view: &EditingView, name: String, edit: Edit) -> Action {
    Action::Edit { name, edit: Box::new(edit), gesture: Some(Gesture(view.gesture)) }
}

fn once(name: String, edit: Edit) -> Action {
    Action::Edit { name, edit: Box::new(edit), gesture: None }
}

/// The name is taken when it is entered, so that an empty one is never asked for in between.
fn name_ui(ui: &mut Ui, theme: &Theme, view: &mut EditingView, entity: &Entity, actions: &mut Vec<Action>) {
    if view.name.as_ref().is_none_or(|(id, _)| *id != entity.id) {
        view.name = Some((entity.id, entity.name.clone()));
    }
    let Some((_, typed)) = &mut view.name else { return };
    row(ui, theme, "Name", LEAST_NAME, |ui| {
        let field = egui::TextEdit::singleline(typed).desired_width(f32::INFINITY);
        let response = ui.add(field).accessible_name("Name of the entity");
        if response.lost_focus() {
            let name = typed.trim().to_owned();
            if !name.is_empty()
                && name != entity.name
                && !ui.input(|input| input.key_pressed(egui::Key::Escape))
            {
                let edit = Edit::Rename { id: entity.id, name: name.clone() };
                actions.push(once(format!("Rename {} to {name}", entity.name), edit));
            }
            *typed = entity.name.clone();
        } else if !response.has_focus() {
            typed.clone_from(&entity.name);
        }
    });
}

/// A part that this version does not know: it is shown as it is written, and can be taken away.
fn unknown_ui(
    ui: &mut Ui,
    theme: &Theme,
    unknown: &Unknown,
    entities: &[&Entity],
    called: &str,
    actions: &mut Vec<Action>,
) {
    let name = unknown.name.as_str();
    let has_it = |entity: &&&Entity| entity.unknown.iter().any(|part| part.name == name);
    let owners: Vec<&&Entity> = entities.iter().filter(has_it).collect();
    let note = match owners.len() == entities.len() {
        true => "(unknown here; kept as it is)".to_owned(),
        false => format!("(unknown here; {} of {})", owners.len(), entities.len()),
    };
    let told = "This version does not know it: it is kept, and written back as it stands.";
    if component_head(ui, theme, name, (&note, told)) {
        let without = owners.iter().map(|owner| {
            let rest = owner.unknown.iter().filter(|part| part.name != name).cloned();
            Edit::SetUnknown { id: owner.id, unknown: rest.collect() }
        });
        actions.push(once(format!("Remove {name} of {called}"), together(without.collect())));
        return;
    }
    let text = RichText::new(&unknown.text).monospace().color(theme.dim);
    ui.add(egui::Label::new(text).truncate()).on_hover_text(&unknown.text);
}

/// The title of a component and a note on it, with the way to be rid of it.
fn component_head(ui: &mut Ui, theme: &Theme, name: &str, (note, told): (&str, &str)) -> bool {
    let words = || RichText::new("×").color(theme.dim);
    let button = HeadButton { words: words(), fewer: words(), is_bare: true };
    let note = Some(RichText::new(note).color(theme.faint)).filter(|note| !note.is_empty());
    let Head { note, button } = head_ui(ui, theme, name, note, Some(button));
    if let Some(note) = note {
        note.on_hover_text(told);
    }
    let label = format!("Remove {name}");
    button.is_some_and(|button| button.accessible_name(&label).on_hover_text(label).clicked())
}

fn add_component_ui(ui: &mut Ui, entities: &[&Entity], called: &str, actions: &mut Vec<Action>) {
    ui.menu_button("Add component", |ui| {
        for kind in ComponentKind::ALL {
            let without = entities.iter().filter(|entity| kind.of(entity).is_none());
            let edits: Vec<Edit> =
                without.map(|entity| Edit::Set { id: entity.id, component: usual(kind) }).collect();
            if !edits.is_empty() && ui.button(kind.name()).clicked() {
                actions.push(once(format!("Add {} to {called}", kind.name()), together(edits)));
                ui.close();
            }
        }
    });
}
