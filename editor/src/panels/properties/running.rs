//! Properties of entities of the running world, to change: only in this run, unless a value is kept. Of several, the
//! fields show the one chosen last, and `mixed` where others differ; what is changed is changed in all of them.

use egui::{RichText, Ui};
use framewalk_inspector::theme::{Theme, size};
use framewalk_runtime::scene::EntityId;
use framewalk_runtime::world::{EntityObservation, HandEdit, ObservedField};

use super::by_hand::{ByHand, kept};
use super::draw::{Draw, Of};
use super::fields::{Value, Values};
use super::part::{Part, Shown};
use super::rows::HeadButton;
use super::view::EditingView;
use super::{capitalised, rows, section_ui, value_row};
use crate::command::Action;
use crate::document::indexed::IndexedScene;

/// What the fields remember: a value that is being dragged or typed stands still, whatever the world does meanwhile.
#[derive(Debug, Default)]
pub struct RunningView {
    editing: EditingView,
    held: Option<(EntityId, Part, Shown)>,
}

/// What the panel shows of the run.
#[derive(Clone, Copy)]
pub struct RunningFacts<'a> {
    /// The authored scene.
    pub scene: &'a IndexedScene,
    pub by_hand: &'a ByHand,
    /// The other selected entities.
    pub others: &'a [EntityObservation],
}

/// Draws sections of an observation, the parts of which can be changed as fields.
pub fn ui(
    ui: &mut Ui,
    view: &mut RunningView,
    facts: &RunningFacts<'_>,
    observed: &EntityObservation,
    fields: &[ObservedField],
    actions: &mut Vec<Action>,
) {
    let theme = Theme::of(ui);
    for section in fields.chunk_by(|a, b| a.section == b.section) {
        let Some(first) = section.first() else { continue };
        let parts = Part::of_section(first.section);
        head_ui(ui, &theme, facts, observed, (first.section, parts), actions);
        if let Some(part) = parts.first() {
            part_ui(ui, &theme, view, facts, observed, *part, actions);
        }
        let is_field = |field: &&ObservedField| !parts.is_empty() && !Part::is_only_read(field, observed);
        for field in section.iter().filter(|field| !is_field(field)) {
            value_row(ui, &theme, &capitalised(field.field), &field.value);
        }
    }
}

fn part_ui(
    ui: &mut Ui,
    theme: &Theme,
    view: &mut RunningView,
    facts: &RunningFacts<'_>,
    observed: &EntityObservation,
    part: Part,
    actions: &mut Vec<Action>,
) {
    let held = view.held.take_if(|(id, of, _)| *id == observed.id && *of == part);
    let Some(mut shown) = held.map(|(_, _, shown)| shown).or_else(|| Shown::of(part, observed)) else {
        return;
    };
    let owners: Vec<&EntityObservation> =
        facts.others.iter().filter(|other| Shown::of(part, other).is_some()).collect();
    let others: Vec<Values> =
        owners.iter().filter_map(|other| Shown::of(part, other)).map(|mut shown| shown.values()).collect();
    view.editing.is_busy = false;
    let changes: Vec<(String, Value)> = ui
        .push_id(("running", part), |ui| {
            let (view, scene) = (&mut view.editing, facts.scene);
            // Nothing leads back: what a scene has is there again after Stop.
            let first = Values::new();
            let (section, of) = (part.name(), Of::Running);
            let mut draw =
                Draw { ui, theme, view, scene, section, first, of, others: &others, changes: vec![] };
            shown.list(&mut draw);
            draw.changes
        })
        .inner;
    if !changes.is_empty() {
        let all = owners.into_iter().chain([observed]);
        let edits: Vec<(EntityId, HandEdit)> =
            all.flat_map(|of| part.edits(of, &changes).into_iter().map(|edit| (of.id, edit))).collect();
        actions.push(Action::ChangeRun(edits));
    }
    if view.editing.is_busy {
        view.held = Some((observed.id, part, shown));
    }
}

/// The title of a section; what was changed by hand is marked, and can be kept.
fn head_ui(
    ui: &mut Ui,
    theme: &Theme,
    facts: &RunningFacts<'_>,
    observed: &EntityObservation,
    (title, parts): (&'static str, &'static [Part]),
    actions: &mut Vec<Action>,
) {
    let changed = |of: &EntityObservation| facts.by_hand.changed(of.id, parts);
    let is_kept_anew =
        |of: &EntityObservation, parts: &[Part]| !parts.is_empty() && kept(facts.scene, of, parts).is_some();
    let by_hand = !changed(observed).is_empty() || facts.others.iter().any(|of| !changed(of).is_empty());
    // Where it has fallen or was moved to is worth keeping even where nobody put it there.
    let own = if parts == [Part::Transform] { parts.to_vec() } else { changed(observed) };
    let keeps = is_kept_anew(observed, &own) || facts.others.iter().any(|of| is_kept_anew(of, &changed(of)));
    if !by_hand && !keeps {
        section_ui(ui, theme, title, "");
        return;
    }
    let small = |text: &str, color| RichText::new(text).size(size::SMALL).color(color);
    let note = by_hand.then(|| small("only in this run", theme.run));
    let part = parts.first().filter(|_| keeps);
    let button = part.map(|_| {
        let ink = if by_hand { theme.run } else { theme.dim };
        let words = if facts.others.is_empty() { "Keep this value" } else { "Keep these values" };
        HeadButton { words: small(words, ink), fewer: small("Keep", ink), is_bare: false }
    });
    let head = rows::head_ui(ui, theme, title, note, button);
    if let Some(note) = head.note {
        note.on_hover_text("Changed by hand while it runs: gone after Stop, unless it is kept.");
    }
    if let (Some(part), Some(button)) = (part, head.button) {
        let tip = "Writes it to the authored scene, as one step that Undo takes back.";
        let button = button.accessible_name(format!("Keep this {}", part.name()));
        if button.on_hover_text(tip).clicked() {
            actions.push(Action::Keep(parts));
        }
    }
}
