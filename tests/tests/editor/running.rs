//! Changing a running world in the panel: several entities together, every part, and what of it is kept.

#![allow(
    clippy::unwrap_used,
    clippy::float_cmp,
    reason = "a test that fails says where; numbers are read back"
)]

use framewalk::command::EditorCommand;
use framewalk_runtime::scene::BodyKind;
use framewalk_runtime::world::{EntityObservation, ObservedParts};

use super::editing::{Place, enter, run, scene};
use super::*;

const SCENE: &str = "// My scene.
(
    format: 1,
    entities: [
        (id: 1, name: \"Light\", transform: (position: (-2, 3, 0)), shape: Sphere(radius: 0.5, color: \"#e8d44d\"), body: (mass: 1)),
        (id: 2, name: \"Heavy\", transform: (position: (2, 3, 0)), shape: Sphere(radius: 0.5, color: \"#e8d44d\"), body: (mass: 2, bounce: 0.5)),
        // Makes more of them.
        (id: 3, name: \"Spring\", spawner: (every_ticks: 600, limit: 4, shape: Sphere(radius: 0.2, color: \"#2bb58a\"))),
        (id: 4, name: \"Jumper\", shape: Cube(size: (1, 1, 1), color: \"#56b4e9\"), teleporter: (every_ticks: 600, poses: [(position: (0, 1, 0))])),
    ],
)
";

/// Paused in a run, with these selected.
fn paused(place: &Place, names: &[&str]) -> Harness<'static, EditorApp> {
    std::fs::write(place.scene(), SCENE).unwrap();
    let mut editor = place.open();
    for (nth, name) in names.iter().enumerate() {
        let modifiers = if nth == 0 { Modifiers::NONE } else { Modifiers::COMMAND };
        editor.get_all_by_label(name).next().unwrap().click_modifiers(modifiers);
        editor.run();
    }
    press(&mut editor, "Play");
    passes(&mut editor, 12);
    press(&mut editor, "Pause");
    editor.key_press(Key::Escape);
    editor.run();
    editor
}

fn observed(editor: &Harness<'_, EditorApp>, id: u64) -> EntityObservation {
    let seen = editor.state().workspace().unwrap().session.observation().unwrap();
    seen.others.iter().chain(&seen.watched).find(|of| of.id.0 == id).unwrap().clone()
}

fn parts(editor: &Harness<'_, EditorApp>, id: u64) -> ObservedParts {
    observed(editor, id).parts
}

fn steps(editor: &Harness<'_, EditorApp>) -> usize {
    editor.state().workspace().unwrap().scenes.front.document.history().done_count()
}

/// As History names it.
fn last_step(editor: &Harness<'_, EditorApp>) -> String {
    let history = editor.state().workspace().unwrap().scenes.front.document.history();
    history.names().last().unwrap().to_owned()
}

/// Chooses one of the names of a list.
fn choose(editor: &mut Harness<'_, EditorApp>, label: &str, name: &str) {
    editor.get_by_label(label).click();
    editor.run();
    press(editor, name);
}

#[test]
fn several_change_together_only_in_the_run_and_are_kept_as_one_step() {
    let place = Place::new();
    let mut editor = paused(&place, &["Light", "Heavy"]);
    assert!(editor.query_by_label_contains("2 entities, changed together").is_some());
    let mixed = editor.get_by_label("Running mass").value().unwrap_or_default();
    assert!(mixed.contains("mixed"), "{mixed}");
    let velocities = [1, 2].map(|id| parts(&editor, id).velocity);
    let authored = scene(&editor).clone();
    enter(&mut editor, "Running mass", "5");
    let masses = [1, 2].map(|id| parts(&editor, id).body.unwrap().mass);
    assert_eq!(masses, [5.0, 5.0]);
    let bounces = [1, 2].map(|id| parts(&editor, id).body.unwrap().bounce);
    assert_eq!(bounces, [0.0, 0.5], "what was not changed stays as it is in each");
    assert_eq!([1, 2].map(|id| parts(&editor, id).velocity), velocities);
    enter(&mut editor, "Running position y", "7");
    let places = [1, 2].map(|id| observed(&editor, id).local.position);
    assert_eq!(places.map(|at| (at.x, at.y)), [(-2.0, 7.0), (2.0, 7.0)]);
    assert_eq!((scene(&editor).clone(), steps(&editor)), (authored.clone(), 0), "only in the run");

    press(&mut editor, "Keep this body");
    assert_eq!(last_step(&editor), "Keep body of 2 entities");
    let masses: Vec<f32> = scene(&editor).entities.iter().filter_map(|of| Some(of.body?.mass)).collect();
    assert_eq!((masses, steps(&editor)), (vec![5.0, 5.0], 1));
    assert_eq!(scene(&editor).entities[0].transform, authored.entities[0].transform, "the body alone");
    press(&mut editor, "Stop");
    run(&mut editor, EditorCommand::Undo);
    assert_eq!(*scene(&editor), authored);
    run(&mut editor, EditorCommand::Save);
    assert_eq!(place.text(), SCENE);
}

#[test]
fn a_body_of_another_kind_and_size_goes_on_in_the_run_and_is_kept() {
    let place = Place::new();
    let mut editor = paused(&place, &["Light"]);
    let before = observed(&editor, 1);
    enter(&mut editor, "Running radius", "1.5");
    assert_eq!(observed(&editor, 1).velocity, before.velocity, "as fast as it was");
    choose(&mut editor, "Running kind of shape", "cube");
    choose(&mut editor, "Running kind of body", "fixed");
    let after = observed(&editor, 1);
    assert_eq!(after.parts.body.unwrap().kind, BodyKind::Fixed);
    assert_eq!(after.world.position, before.world.position, "it stays where it is");
    press(&mut editor, "Resume");
    passes(&mut editor, 12);
    press(&mut editor, "Pause");
    assert_eq!(observed(&editor, 1).world.position, before.world.position, "it stands");
    press(&mut editor, "Keep this body");
    assert_eq!(last_step(&editor), "Keep body of Light");
    press(&mut editor, "Keep this shape");
    assert_eq!((last_step(&editor).as_str(), steps(&editor)), ("Keep shape of Light", 2));
    press(&mut editor, "Stop");
    run(&mut editor, EditorCommand::Save);
    assert!(place.text().contains("Cube(size: (1, 1, 1)") && place.text().contains("Fixed"));
    run(&mut editor, EditorCommand::Undo);
    run(&mut editor, EditorCommand::Undo);
    run(&mut editor, EditorCommand::Save);
    assert_eq!(place.text(), SCENE);
}

#[test]
fn a_spawner_and_a_teleporter_are_changed_in_the_run_and_kept() {
    let place = Place::new();
    let mut editor = paused(&place, &["Spring"]);
    enter(&mut editor, "Running every", "2");
    enter(&mut editor, "Running limit", "3");
    press(&mut editor, "Resume");
    passes(&mut editor, 12);
    press(&mut editor, "Pause");
    let rows = editor.state().workspace().unwrap().rows().len();
    assert_eq!(rows, 4 + 3, "three of them by now");
    press(&mut editor, "Keep this spawner");
    press(&mut editor, "Jumper");
    press(&mut editor, "Add a pose");
    enter(&mut editor, "Running every", "5");
    assert_eq!(parts(&editor, 4).teleporter.unwrap().poses.len(), 2);
    press(&mut editor, "Keep this teleporter");
    press(&mut editor, "Stop");
    assert_eq!(steps(&editor), 2);
    let spawner = scene(&editor).named("Spring").unwrap().spawner.clone().unwrap();
    assert_eq!((spawner.every_ticks, spawner.limit), (2, 3));
    assert_eq!(scene(&editor).named("Jumper").unwrap().teleporter.as_ref().unwrap().poses.len(), 2);
}
