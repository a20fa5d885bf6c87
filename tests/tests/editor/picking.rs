//! Clicks into the picture: they select what is seen, in every phase, by what was drawn or by a ray.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use std::collections::BTreeSet;

use egui::Pos2;
use framewalk::command::EditorCommand;
use framewalk::session::run::Sabotage;
use framewalk::viewport::picking::Spot;
use framewalk_runtime::handoff::FrameDescriptor;
use framewalk_runtime::render::gpu::{GpuContext, GpuRenderer};
use framewalk_runtime::render::pick::PickAsker;
use framewalk_runtime::render::picture::Picture;
use framewalk_runtime::render::view::View;
use framewalk_runtime::render::{BatchFigures, NullRenderer, RenderError, Renderer};
use framewalk_runtime::scene::EntityId;
use framewalk_runtime::snapshot::Snapshot;
use glam::{Vec2, Vec3};

use super::space::{Place, button, pointer, seen, selected};
use super::*;

/// From the front, the box stands before the left half of the large ball; the small one falls beside them.
const SCENE: &str = "(
    format: 1,
    entities: [
        (id: 1, name: \"Camera\", transform: (position: (0, 1.5, 9)), camera: ()),
        (id: 2, name: \"Box\", transform: (position: (-0.6, 1, 1)), shape: Cube(size: (1.2, 1.2, 1.2), color: \"#2bb58a\")),
        (id: 3, name: \"Large\", transform: (position: (0, 1, -1)), shape: Sphere(radius: 1, color: \"#56b4e9\")),
        (id: 4, name: \"Small\", transform: (position: (2, 3, 0)), shape: Sphere(radius: 0.4, color: \"#e8d44d\"), body: (mass: 1)),
        (id: 5, name: \"Stone\", transform: (position: (2, 0.5, -2)), shape: Cube(size: (0.8, 0.8, 0.8), color: \"#ee9a2e\")),
    ],
)
";

const ON_BOX: Vec3 = Vec3::new(-0.3, 1.1, 0.0);
const ON_LARGE: Vec3 = Vec3::new(0.6, 1.1, 0.0);
const ON_NOTHING: Vec3 = Vec3::new(-2.0, 2.0, 0.0);

fn click_with(editor: &mut Harness<'_, EditorApp>, at: Pos2, modifiers: Modifiers) {
    pointer(editor, at);
    editor.event(egui::Event::ModifiersChanged(modifiers));
    button(editor, at, true, modifiers);
    button(editor, at, false, modifiers);
    editor.event(egui::Event::ModifiersChanged(Modifiers::NONE));
    editor.step();
}

fn click(editor: &mut Harness<'_, EditorApp>, point: Vec3) -> Vec<u64> {
    let at = seen(editor, point);
    click_with(editor, at, Modifiers::NONE);
    selected(editor)
}

/// With the tool that has no handles, which would stand before what they belong to.
fn open_scene() -> (Place, Harness<'static, EditorApp>) {
    let place = Place::with(SCENE);
    let mut editor = place.open();
    editor.key_press(Key::Q);
    editor.run();
    (place, editor)
}

fn mark(editor: &mut Harness<'_, EditorApp>, name: &str, command: EditorCommand) {
    press(editor, name);
    editor.state_mut().run_command(command);
    editor.run();
    editor.state_mut().run_command(EditorCommand::ClearSelection);
    editor.run();
}

#[test]
fn a_click_selects_what_is_seen_there_and_beside_everything_nothing() {
    let (_place, mut editor) = open_scene();
    assert_eq!(click(&mut editor, ON_BOX), [2]);
    assert_eq!(click(&mut editor, ON_LARGE), [3]);
    assert_eq!(click(&mut editor, Vec3::new(2.0, 0.5, 0.0)), [5]);
    let at = seen(&editor, ON_BOX);
    click_with(&mut editor, at, Modifiers::COMMAND);
    assert_eq!(selected(&editor), [2, 5]);
    click_with(&mut editor, at, Modifiers::COMMAND);
    assert_eq!(selected(&editor), [5]);
    assert_eq!(click(&mut editor, ON_NOTHING), [0; 0]);
    assert!(!editor.state().is_dirty(), "selecting is no change");
}

#[test]
fn a_click_passes_through_what_is_hidden_or_locked() {
    for command in [EditorCommand::ToggleHidden, EditorCommand::ToggleLocked] {
        let (_place, mut editor) = open_scene();
        mark(&mut editor, "Box", command);
        assert_eq!(click(&mut editor, ON_BOX), [3], "{command:?}");
        mark(&mut editor, "Large", command);
        assert_eq!(click(&mut editor, ON_BOX), [0; 0], "{command:?}");
        editor.state_mut().run_command(EditorCommand::ShowAll);
        editor.run();
        assert_eq!(click(&mut editor, ON_BOX), [2], "{command:?}");
    }
}

/// Where the picture on screen shows the falling ball, with the editor's own view.
fn falling(editor: &Harness<'_, EditorApp>) -> Vec3 {
    editor.state().picture().unwrap().item(EntityId(4)).unwrap().drawn.position
}

#[test]
fn what_moves_is_picked_where_it_is_drawn_while_playing_paused_and_with_a_frame_open() {
    let (_place, mut editor) = open_scene();
    press(&mut editor, "Play");
    passes(&mut editor, 9);
    editor.key_press(Key::Escape);
    editor.key_press(Key::Num1);
    editor.run();
    passes(&mut editor, 1);
    let start = falling(&editor);
    assert!(start.y < 2.95, "it falls: {start}");
    let mut heights = vec![start.y];
    for what in ["Playing", "Pause", "Step stage", "Step stage", "Step frame"] {
        if what == "Playing" {
            passes(&mut editor, 4);
        } else {
            press(&mut editor, what);
            editor.key_press(Key::Escape);
            editor.run();
        }
        let at = falling(&editor);
        // The first click gives the game the keys, and so is meant for bodies only.
        assert_eq!(click(&mut editor, at), [4], "{what}");
        assert_eq!(click(&mut editor, ON_BOX), [2], "{what}");
        // Drawn between two ticks: its lower edge is where the picture has it.
        assert_eq!(click(&mut editor, at - Vec3::Y * 0.37), [4], "{what}");
        assert_eq!(click(&mut editor, at - Vec3::Y * 0.45), [0; 0], "{what}");
        heights.push(falling(&editor).y);
    }
    assert!(heights.last() < heights.first(), "{heights:?}");
}

/// Draws as the other one does, and answers nothing.
struct Deaf(Box<dyn Renderer<Snapshot>>);

impl Renderer<Snapshot> for Deaf {
    fn batch(&mut self, frame: &FrameDescriptor, snapshot: &Snapshot) -> Result<BatchFigures, RenderError> {
        self.0.batch(frame, snapshot)
    }
    fn submit(&mut self, frame: &FrameDescriptor, snapshot: &Snapshot) -> Result<(), RenderError> {
        self.0.submit(frame, snapshot)
    }
}

#[test]
fn where_nobody_draws_the_ray_picks_at_once() {
    let (_place, mut editor) = open_scene();
    let renderer: framewalk::session::run::RendererWrap = Box::new(|_| Box::new(NullRenderer::new()));
    editor.state_mut().sabotage(Sabotage { stage_hook: None, renderer: Some(renderer) });
    press(&mut editor, "Pause");
    press(&mut editor, "Play");
    editor.key_press(Key::Escape);
    editor.key_press(Key::Num1);
    editor.run();
    // The picture of Edit is still the one on screen.
    let at = falling(&editor);
    assert_eq!(click(&mut editor, at), [4]);
    assert_eq!(click(&mut editor, ON_BOX), [2]);
    assert_eq!(click(&mut editor, ON_LARGE), [3]);
}

#[test]
fn where_no_answer_comes_what_is_done_next_finds_selected_what_the_ray_meets() {
    let (_place, mut editor) = open_scene();
    let renderer: framewalk::session::run::RendererWrap = Box::new(|inner| Box::new(Deaf(inner)));
    editor.state_mut().sabotage(Sabotage { stage_hook: None, renderer: Some(renderer) });
    press(&mut editor, "Pause");
    press(&mut editor, "Play");
    editor.key_press(Key::Escape);
    editor.key_press(Key::Num1);
    editor.run();
    let at = falling(&editor);
    click(&mut editor, at);
    editor.state_mut().run_command(EditorCommand::ShowGrid);
    editor.step();
    editor.step();
    assert_eq!(selected(&editor), [4]);
}

#[test]
fn one_of_a_crowd_stands_for_its_crowd_in_edit_and_for_itself_in_a_run() {
    let place = Place::with(
        "(format: 1, entities: [(id: 1, name: \"Camera\", transform: (position: (0, 1, 9)), camera: ()), (id: 5, name: \
         \"Four\", transform: (position: (0, 1, 0)), crowd: (count: 4, spacing: 2, shape: Sphere(radius: 0.5, color: \
         \"#56b4e9\"), motion: Oscillate(amplitude: (0, 0.3, 0), period: 4)))])",
    );
    let mut editor = place.open();
    editor.key_press(Key::Q);
    editor.run();
    let on_one = Vec3::new(1.0, 1.0, 0.0);
    assert_eq!(click(&mut editor, on_one), [5]);
    assert_eq!(click(&mut editor, Vec3::new(0.0, 1.0, 0.0)), [0; 0], "between them");
    let rows = editor.state().workspace().unwrap().rows().len();
    assert_eq!(rows, 2, "the list has what is authored");
    press(&mut editor, "Pause");
    press(&mut editor, "Play");
    editor.key_press(Key::Escape);
    editor.key_press(Key::Num1);
    editor.run();
    assert_eq!(editor.state().workspace().unwrap().rows().len(), 6);
    // The nearer row of the two: the last one.
    assert_eq!(click(&mut editor, on_one), [9]);
}

/// Asks a renderer of its own, which has drawn none of the pictures.
struct ByNumbers {
    renderer: GpuRenderer,
    asker: PickAsker,
}

impl ByNumbers {
    fn new() -> Self {
        let context = GpuContext::headless().expect("tests of drawing need an adapter");
        let (mut renderer, ..) = GpuRenderer::new(context, View::default()).unwrap();
        let asker = renderer.asker();
        Self { renderer, asker }
    }

    fn pick(&mut self, picture: &Picture, pixel: Vec2) -> Option<EntityId> {
        let mut pick = self.asker.blank();
        pick.ask(picture, &picture.outlook, pixel, |_| true);
        assert!(self.asker.ask(pick));
        loop {
            if let Some((_, found)) = self.asker.answer() {
                return found.unwrap();
            }
            self.renderer.attend();
        }
    }
}

#[test]
fn the_ray_and_what_is_drawn_agree_away_from_edges() {
    let mut by_numbers = ByNumbers::new();
    let settings = tempfile::tempdir().unwrap();
    std::fs::write(settings.path().join("settings.ron"), "(format: 1, tour_taken: true)").unwrap();
    for (name, entities) in [("first-steps", 8), ("judder-lab", 5), ("overload", 5), ("pile", 8)] {
        let options = options(Some(sample(name)), settings.path(), log_lines::channel().1);
        let mut editor = Harness::builder()
            .with_size([1280.0, 800.0])
            .with_max_steps(30)
            .wgpu()
            .build_eframe(|cc| EditorApp::new(cc, options));
        editor.run();
        // Passes are counted: those that wait for an answer may be many in such a small window.
        editor.state_mut().run_command(EditorCommand::PlayOrResume);
        editor.state_mut().set_virtual_step(PASS);
        editor.run_steps(25);
        editor.state_mut().set_virtual_step(STANDING);
        editor.run_steps(2);
        let picture = editor.state().picture().unwrap().clone();
        assert!(picture.frame.0 > 2, "{name}: in motion");
        let [width, height] = picture.outlook.size;
        let (mut found, mut compared) = (BTreeSet::new(), 0);
        for (x, y) in (6..width - 6).step_by(11).flat_map(|x| (6..height - 6).step_by(9).map(move |y| (x, y)))
        {
            let pixel = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
            let by_ray = |aside: Vec2| {
                let spot = Spot { outlook: picture.outlook, pixel: pixel + aside };
                spot.by_ray(&picture, |_| true)
            };
            let ray = by_ray(Vec2::ZERO);
            // Beside everything, what is a hair away is picked.
            let away = if ray.is_none() { 4.0 } else { 1.5 };
            let around = (0..8).map(|step| Vec2::from_angle(step as f32 * 0.785) * away);
            if around.clone().chain(around.map(|aside| aside * 0.5)).all(|aside| by_ray(aside) == ray) {
                assert_eq!(by_numbers.pick(&picture, pixel), ray, "{name} at {x} {y}");
                found.extend(ray);
                compared += 1;
            }
        }
        assert!(
            compared > 500 && found.len() >= entities,
            "{name}: {compared} pixels, {} bodies",
            found.len()
        );
    }
}
