//! Editing in space and in the running world: handles, boxes, sides to look from, and what is only in a run.

#![allow(
    clippy::unwrap_used,
    clippy::float_cmp,
    reason = "a test that fails says where; numbers are read back"
)]

use egui::{Event, PointerButton, Pos2, vec2};
use framewalk::command::EditorCommand;
use framewalk::viewport::camera::Side;
use framewalk::viewport::gizmo::{LENGTH, Tool};
use framewalk_runtime::render::view::{Lens, ViewCamera};
use framewalk_runtime::scene::{Scene, Transform};
use glam::Vec3;

use super::*;

const SCENE: &str = "// My scene.
(
    format: 1,
    entities: [
        (id: 1, name: \"Camera\", transform: (position: (0, 2, 8)), camera: ()),
        // The one that matters.
        (id: 2, name: \"Box\", transform: (position: (1, 0.5, 0)), shape: Cube(size: (1, 1, 1), color: \"#2bb58a\")),
        (id: 3, name: \"Child\", parent: 2, transform: (position: (0, 2, 0)), shape: Sphere(radius: 0.2, color: \"#56b4e9\")),
        (id: 4, name: \"Ball\", transform: (position: (-2, 3, 0)), shape: Sphere(radius: 0.5, color: \"#e8d44d\"), body: (mass: 1)),
    ],
)
";

pub(super) struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        Self::with(SCENE)
    }

    /// A project of this one scene.
    pub(super) fn with(scene: &str) -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap() };
        let project = "(format: 1, name: \"mine\", about: \"\", scenes: [\"main\"], tick_rate: 60, frame_rate: 60, handoff: slot)";
        std::fs::create_dir_all(place.folder.path().join("project/scenes")).unwrap();
        std::fs::write(place.folder.path().join("project/project.ron"), project).unwrap();
        std::fs::write(place.scene(), scene).unwrap();
        std::fs::write(place.folder.path().join("settings.ron"), "(format: 1, tour_taken: true)").unwrap();
        place
    }

    fn scene(&self) -> PathBuf {
        self.folder.path().join("project/scenes/main.ron")
    }

    fn text(&self) -> String {
        std::fs::read_to_string(self.scene()).unwrap()
    }

    /// With pictures of the software adapter, looked at from the front without perspective.
    pub(super) fn open(&self) -> Harness<'static, EditorApp> {
        let project = Some(self.folder.path().join("project"));
        let options = options(project, self.folder.path(), log_lines::channel().1);
        let mut editor = Harness::builder()
            .with_size([1280.0, 1100.0])
            .with_max_steps(30)
            .wgpu()
            .build_eframe(|cc| EditorApp::new(cc, options));
        editor.run();
        editor.key_press(Key::Num1);
        editor.run();
        editor.run();
        editor
    }
}

fn scene<'a>(editor: &'a Harness<'_, EditorApp>) -> &'a Scene {
    editor.state().workspace().unwrap().scenes.front.document.scene()
}

fn steps(editor: &Harness<'_, EditorApp>) -> usize {
    editor.state().workspace().unwrap().scenes.front.document.history().done_count()
}

fn transform(editor: &Harness<'_, EditorApp>, name: &str) -> Transform {
    scene(editor).named(name).unwrap().transform
}

fn command(editor: &mut Harness<'_, EditorApp>, command: EditorCommand) {
    editor.state_mut().run_command(command);
    editor.run();
}

/// Where a point of the world is seen on screen.
pub(super) fn seen(editor: &Harness<'_, EditorApp>, point: Vec3) -> Pos2 {
    let view = editor.state().wanted_view();
    let lens = match view.camera {
        ViewCamera::Fly { eye, yaw, pitch, fov_degrees } => {
            Lens::fly(eye, yaw, pitch, fov_degrees, view.size)
        }
        ViewCamera::Orthographic { pivot, yaw, pitch, height } => {
            Lens::orthographic(pivot, yaw, pitch, height, view.size)
        }
        ViewCamera::Scene => panic!("looked at freely"),
    };
    let rect = editor.get_by_label("Viewport").rect();
    let pixel = lens.pixel(point, view.size).unwrap();
    rect.min + vec2(pixel.x, pixel.y)
}

/// Points a metre, from the front.
fn scale(editor: &Harness<'_, EditorApp>) -> f32 {
    seen(editor, Vec3::X).x - seen(editor, Vec3::ZERO).x
}

pub(super) fn pointer(editor: &mut Harness<'_, EditorApp>, to: Pos2) {
    editor.event(Event::PointerMoved(to));
    editor.step();
}

pub(super) fn button(editor: &mut Harness<'_, EditorApp>, at: Pos2, pressed: bool, modifiers: Modifiers) {
    editor.event(Event::PointerButton { pos: at, button: PointerButton::Primary, pressed, modifiers });
    editor.step();
}

/// Presses at `from` and goes to `to`, the button still held.
fn pull(editor: &mut Harness<'_, EditorApp>, from: Pos2, to: Pos2) {
    pointer(editor, from);
    button(editor, from, true, Modifiers::NONE);
    for part in [0.3, 0.7, 1.0] {
        pointer(editor, from + (to - from) * part);
    }
    editor.step();
}

fn let_go(editor: &mut Harness<'_, EditorApp>, at: Pos2) {
    button(editor, at, false, Modifiers::NONE);
    editor.run();
}

fn close(a: Vec3, b: Vec3) {
    assert!((a - b).length() < 0.02, "{a} is not {b}");
}

const BOX: Vec3 = Vec3::new(1.0, 0.5, 0.0);
/// On the arrows, away from the middle.
const ALONG_X: egui::Vec2 = vec2(LENGTH * 0.7, 0.0);

#[test]
fn a_drag_of_an_arrow_is_one_step_and_one_undo_leads_back_to_the_same_bytes() {
    let place = Place::new();
    let mut editor = place.open();
    press(&mut editor, "Box");
    editor.key_press(Key::W);
    editor.run();
    let from = seen(&editor, BOX) + ALONG_X;
    let to = from + vec2(1.5 * scale(&editor), 30.0);
    pull(&mut editor, from, to);
    assert!(editor.query_by_label_contains("x +1.500").is_some(), "numbers while dragging");
    assert_eq!((steps(&editor), transform(&editor, "Box").position), (0, BOX), "no step while it is held");
    let_go(&mut editor, to);
    close(transform(&editor, "Box").position, Vec3::new(2.5, 0.5, 0.0));
    assert_eq!(transform(&editor, "Box").position.y, 0.5, "what the arrow does not touch stays");
    assert_eq!(steps(&editor), 1);
    assert_eq!(place.text(), SCENE, "nothing is written before it is saved");
    command(&mut editor, EditorCommand::Save);
    assert_ne!(place.text(), SCENE);
    command(&mut editor, EditorCommand::Undo);
    command(&mut editor, EditorCommand::Save);
    assert_eq!(place.text(), SCENE, "to the byte");
}

#[test]
fn escape_cancels_a_drag_and_ctrl_makes_steps_of_it() {
    let place = Place::new();
    let mut editor = place.open();
    press(&mut editor, "Box");
    let from = seen(&editor, BOX) + ALONG_X;
    let to = from + vec2(0.8 * scale(&editor), 0.0);
    pull(&mut editor, from, to);
    editor.key_press(Key::Escape);
    editor.step();
    pointer(&mut editor, to + vec2(40.0, 0.0));
    let_go(&mut editor, to);
    assert_eq!((steps(&editor), transform(&editor, "Box").position), (0, BOX));
    assert!(!editor.state().is_dirty());

    editor.event(Event::ModifiersChanged(Modifiers::COMMAND));
    pull(&mut editor, from, to);
    editor.event(Event::PointerMoved(to));
    editor.step();
    let_go(&mut editor, to);
    editor.event(Event::ModifiersChanged(Modifiers::NONE));
    assert_eq!(transform(&editor, "Box").position, Vec3::new(2.0, 0.5, 0.0), "0.8 m in steps of 0.5 m");
    assert_eq!(steps(&editor), 1);
}

#[test]
fn a_child_is_moved_where_the_pointer_goes_and_not_where_its_parent_turns() {
    let place = Place::new();
    let turned =
        SCENE.replace("(1, 0.5, 0))", "(1, 0.5, 0), rotation_degrees: (0, 0, 90), scale: (2, 2, 2))");
    std::fs::write(place.scene(), &turned).unwrap();
    let mut editor = place.open();
    press(&mut editor, "Child");
    // Two metres up of a parent twice as large and on its side: four to the left.
    let child = Vec3::new(-3.0, 0.5, 0.0);
    let from = seen(&editor, child) + ALONG_X;
    let to = from + vec2(1.0 * scale(&editor), 0.0);
    pull(&mut editor, from, to);
    let_go(&mut editor, to);
    close(transform(&editor, "Child").position, Vec3::new(0.0, 1.5, 0.0));
    assert_eq!(transform(&editor, "Box").rotation_degrees, Vec3::Z * 90.0);
}

#[test]
fn rings_turn_and_boxes_scale_each_in_one_step() {
    let place = Place::new();
    let mut editor = place.open();
    press(&mut editor, "Box");
    editor.key_press(Key::E);
    editor.run();
    let middle = seen(&editor, BOX);
    // A quarter turn on the ring about z, which is seen from its axis.
    pull(&mut editor, middle + vec2(LENGTH, 0.0), middle + vec2(LENGTH * 0.7, -LENGTH * 0.7));
    pointer(&mut editor, middle + vec2(0.0, -LENGTH));
    let_go(&mut editor, middle + vec2(0.0, -LENGTH));
    let degrees = transform(&editor, "Box").rotation_degrees;
    assert!((degrees - Vec3::Z * 90.0).length() < 1.0, "{degrees}");
    assert_eq!(transform(&editor, "Box").position, BOX, "it turns where it stands");
    assert_eq!(steps(&editor), 1);

    command(&mut editor, EditorCommand::Undo);
    editor.key_press(Key::R);
    editor.run();
    let from = middle + vec2(LENGTH * 0.8, 0.0);
    pull(&mut editor, from, middle + vec2(LENGTH * 1.6, 0.0));
    let_go(&mut editor, middle + vec2(LENGTH * 1.6, 0.0));
    close(transform(&editor, "Box").scale, Vec3::new(2.0, 1.0, 1.0));
    // Past the middle, to the other side: never to nothing, never mirrored.
    pull(&mut editor, from, middle - vec2(LENGTH * 1.5, 0.0));
    let_go(&mut editor, middle - vec2(LENGTH * 1.5, 0.0));
    let scale = transform(&editor, "Box").scale;
    assert!(scale.x > 0.0 && scale.x < 0.1, "{scale}");
    assert_eq!(steps(&editor), 2);
}

#[test]
fn digits_look_from_the_sides_and_the_picture_says_so() {
    let place = Place::new();
    let mut editor = place.open();
    let angles = |editor: &Harness<'_, EditorApp>| match editor.state().wanted_view().camera {
        ViewCamera::Orthographic { yaw, pitch, .. } => Some((yaw, pitch)),
        _ => None,
    };
    let sides = [
        (Key::Num1, Side::Front, Side::Back),
        (Key::Num3, Side::Right, Side::Left),
        (Key::Num7, Side::Top, Side::Bottom),
    ];
    for (key, side, opposite) in sides {
        for (modifiers, side) in [(Modifiers::NONE, side), (Modifiers::COMMAND, opposite)] {
            editor.key_press_modifiers(modifiers, key);
            editor.run();
            assert_eq!(angles(&editor), Some(side.angles()), "{side:?}");
            let name = format!("{} · orthographic", side.name().to_lowercase());
            assert!(editor.query_all_by_label_contains(&name).next().is_some(), "{name}");
        }
    }
    let height = |editor: &Harness<'_, EditorApp>| match editor.state().wanted_view().camera {
        ViewCamera::Orthographic { height, .. } => height,
        _ => 0.0,
    };
    let before = height(&editor);
    let middle = editor.get_by_label("Viewport").rect().center();
    pointer(&mut editor, middle);
    editor.event(Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: vec2(0.0, 100.0),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
        modifiers: Modifiers::NONE,
    });
    editor.run();
    assert!(height(&editor) < before * 0.95, "the wheel zooms: {before} {}", height(&editor));
    editor.key_press(Key::Num5);
    editor.run();
    assert_eq!(angles(&editor), None, "with perspective again");
}

#[test]
fn frame_all_shows_everything_whatever_is_selected() {
    let place = Place::new();
    let mut editor = place.open();
    press(&mut editor, "Child");
    editor.key_press(Key::F);
    editor.run();
    let rect = editor.get_by_label("Viewport").rect();
    assert!(!rect.contains(seen(&editor, Vec3::new(-2.0, 3.0, 0.0))), "only the child");
    editor.key_press_modifiers(Modifiers::SHIFT, Key::F);
    editor.run();
    for point in [BOX, Vec3::new(1.0, 2.5, 0.0), Vec3::new(-2.0, 3.0, 0.0)] {
        assert!(rect.contains(seen(&editor, point)), "{point}");
    }
}

pub(super) fn selected(editor: &Harness<'_, EditorApp>) -> Vec<u64> {
    let selection = &editor.state().workspace().unwrap().scenes.front.document.selection;
    let mut ids: Vec<u64> = selection.ids().iter().map(|id| id.0).collect();
    ids.sort_unstable();
    ids
}

#[test]
fn a_box_selects_what_it_holds_ctrl_adds_and_one_drag_moves_all_in_one_step() {
    let place = Place::new();
    let mut editor = place.open();
    editor.key_press(Key::Q);
    editor.run();
    let around =
        |editor: &Harness<'_, EditorApp>, low: Vec3, high: Vec3| (seen(editor, low), seen(editor, high));
    let (from, to) = around(&editor, Vec3::new(0.2, -0.5, 0.0), Vec3::new(1.9, 3.0, 0.0));
    pull(&mut editor, from, to);
    let_go(&mut editor, to);
    assert_eq!(selected(&editor), [2, 3], "the box and its child");
    editor.event(Event::ModifiersChanged(Modifiers::COMMAND));
    let (from, to) = around(&editor, Vec3::new(-3.0, 2.0, 0.0), Vec3::new(-1.0, 4.0, 0.0));
    pull(&mut editor, from, to);
    let_go(&mut editor, to);
    editor.event(Event::ModifiersChanged(Modifiers::NONE));
    assert_eq!(selected(&editor), [2, 3, 4]);
    editor.key_press(Key::W);
    editor.run();
    // The handles stand in the middle of the three.
    let middle = (BOX + Vec3::new(1.0, 2.5, 0.0) + Vec3::new(-2.0, 3.0, 0.0)) / 3.0;
    let from = seen(&editor, middle) + ALONG_X;
    let to = from + vec2(scale(&editor), 0.0);
    pull(&mut editor, from, to);
    let_go(&mut editor, to);
    assert_eq!(steps(&editor), 1);
    close(transform(&editor, "Box").position, BOX + Vec3::X);
    close(transform(&editor, "Ball").position, Vec3::new(-1.0, 3.0, 0.0));
    assert_eq!(transform(&editor, "Child").position, Vec3::new(0.0, 2.0, 0.0), "it goes with its parent");
    command(&mut editor, EditorCommand::Undo);
    assert!(!editor.state().is_dirty());
    let empty = seen(&editor, Vec3::new(2.5, 2.0, 0.0));
    pull(&mut editor, empty, empty + vec2(20.0, 20.0));
    let_go(&mut editor, empty + vec2(20.0, 20.0));
    assert_eq!(selected(&editor), [0; 0], "an empty box selects nothing");
}

fn running(editor: &Harness<'_, EditorApp>) -> framewalk_runtime::world::EntityObservation {
    let session = &editor.state().workspace().unwrap().session;
    session.observation().unwrap().watched.clone().unwrap()
}

/// Types a number into a field.
fn enter(editor: &mut Harness<'_, EditorApp>, label: &str, text: &str) {
    editor.get_by_label(label).scroll_to_me();
    editor.run();
    editor.get_by_label(label).click();
    editor.run();
    editor.key_press_modifiers(Modifiers::COMMAND, Key::A);
    editor.run();
    editor.get_by_label(label).type_text(text);
    editor.run();
    editor.key_press(Key::Enter);
    editor.run();
}

/// Paused in a run of the scene, with the keys in the editor.
fn paused(place: &Place, select: &str) -> Harness<'static, EditorApp> {
    let mut editor = place.open();
    press(&mut editor, select);
    press(&mut editor, "Play");
    passes(&mut editor, 12);
    press(&mut editor, "Pause");
    editor.key_press(Key::Escape);
    editor.run();
    editor.key_press(Key::Num1);
    editor.run();
    editor
}

#[test]
fn what_is_changed_in_a_run_is_gone_after_stop_and_the_bytes_are_as_before() {
    let place = Place::new();
    let mut editor = paused(&place, "Ball");
    let authored = scene(&editor).clone();
    let fallen = running(&editor).world.position.y;
    assert!(fallen < 3.0, "it falls: {fallen}");
    enter(&mut editor, "Running position x", "4");
    assert_eq!(
        running(&editor).world.position,
        Vec3::new(4.0, fallen, 0.0),
        "shown at once, though it stands"
    );
    enter(&mut editor, "Running velocity y", "7");
    assert_eq!(running(&editor).velocity.unwrap().0.y, 7.0);
    assert!(editor.query_all_by_label("only in this run").next().is_some(), "coloured and said");
    assert_eq!(*scene(&editor), authored);
    assert_eq!(steps(&editor), 0);
    press(&mut editor, "Stop");
    assert_eq!(*scene(&editor), authored);
    assert!(!editor.state().is_dirty());
    assert_eq!(place.text(), SCENE);
    command(&mut editor, EditorCommand::Save);
    assert_eq!(place.text(), SCENE);
}

#[test]
fn a_value_that_is_kept_is_one_step_and_one_undo_leads_back() {
    let place = Place::new();
    let mut editor = paused(&place, "Ball");
    enter(&mut editor, "Running position x", "4");
    let kept = running(&editor).world.position;
    press(&mut editor, "Keep this transform");
    assert_eq!((steps(&editor), transform(&editor, "Ball").position), (1, kept));
    assert_eq!(editor.state().phase(), Phase::Paused, "the run goes on");
    assert!(editor.query_by_label("Keep this transform").is_none(), "nothing more to keep");
    press(&mut editor, "Stop");
    assert_eq!(transform(&editor, "Ball").position, kept);
    command(&mut editor, EditorCommand::Undo);
    assert!(!editor.state().is_dirty());
    command(&mut editor, EditorCommand::Save);
    assert_eq!(place.text(), SCENE);
}

#[test]
fn a_handle_teleports_in_a_run_without_a_smear_and_leaves_the_scene_alone() {
    let place = Place::new();
    let mut editor = paused(&place, "Ball");
    let authored = scene(&editor).clone();
    let before = running(&editor).world.position;
    let ticks_before = ticks(&editor);
    let from = seen(&editor, before) + ALONG_X;
    let to = from + vec2(2.0 * scale(&editor), 0.0);
    pull(&mut editor, from, to);
    let_go(&mut editor, to);
    let after = running(&editor).world.position;
    close(after, before + Vec3::X * 2.0);
    assert_eq!(ticks(&editor), ticks_before, "no tick was run for it");
    let poses = editor.state().selected_tick_poses().unwrap();
    assert_eq!(poses.previous, poses.current, "previous = current: no smear");
    close(poses.current.position, after);
    assert_eq!((scene(&editor), steps(&editor)), (&authored, 0));
    // Escape puts the running world back too.
    let from = seen(&editor, after) + ALONG_X;
    pull(&mut editor, from, from + vec2(90.0, 0.0));
    assert!(running(&editor).world.position.x > after.x + 0.2);
    editor.key_press(Key::Escape);
    editor.step();
    let_go(&mut editor, from);
    close(running(&editor).world.position, after);
    press(&mut editor, "Stop");
    assert_eq!((scene(&editor), place.text().as_str()), (&authored, SCENE));
}

#[test]
fn what_is_held_in_a_playing_world_does_not_fall() {
    let place = Place::new();
    let mut editor = place.open();
    press(&mut editor, "Ball");
    press(&mut editor, "Play");
    passes(&mut editor, 5);
    editor.key_press(Key::Escape);
    editor.run();
    editor.key_press(Key::Num1);
    editor.run();
    let before = running(&editor).world.position;
    let from = seen(&editor, before) + ALONG_X;
    pull(&mut editor, from, from + vec2(60.0, 0.0));
    editor.state_mut().set_virtual_step(PASS);
    editor.run_steps(40);
    let held = running(&editor).world.position;
    assert!((held.y - before.y).abs() < 0.05, "it is held: {} {}", held.y, before.y);
    button(&mut editor, from + vec2(60.0, 0.0), false, Modifiers::NONE);
    editor.run_steps(20);
    assert!(running(&editor).world.position.y < held.y - 0.1, "and falls when it is let go");
    editor.state_mut().set_virtual_step(STANDING);
}

#[test]
fn tools_are_buttons_over_the_picture_commands_and_keys() {
    let place = Place::new();
    let mut editor = place.open();
    for (tool, key) in
        [(Tool::Select, Key::Q), (Tool::Rotate, Key::E), (Tool::Scale, Key::R), (Tool::Move, Key::W)]
    {
        editor.key_press(key);
        editor.run();
        let button = editor.get_by_label(tool.name());
        assert_eq!(button.accesskit_node().toggled(), Some(egui::accesskit::Toggled::True), "{tool:?}");
    }
    press(&mut editor, "Scale");
    assert_eq!(editor.state().settings().view.tool, Tool::Scale);
    press(&mut editor, "Snapping steps");
    assert!(editor.query_by_label("Rotate in steps of").is_some());
}
