//! With the right button in the Scene panel the keys fly through it, and are not the game's: docked, and in a window of
//! its own.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use std::cell::RefCell;

use egui::{Event, PointerButton, Pos2, RawInput, Rect, ViewportInfo, pos2, vec2};
use framewalk::command::EditorCommand;
use framewalk::panels::Pane;

use super::comfort::opened;
use super::game_mouse::held;
use super::space::pointer;
use super::*;

const OWN_SIZE: [f32; 2] = [640.0, 420.0];

thread_local! {
    /// What the window of the Scene panel hears in its next pass.
    static HEARD: RefCell<Vec<Event>> = const { RefCell::new(Vec::new()) };
}

fn right_button(pressed: bool) -> Event {
    let (pos, modifiers) = (pos2(OWN_SIZE[0] / 2.0, OWN_SIZE[1] / 2.0), Modifiers::NONE);
    Event::PointerButton { pos, button: PointerButton::Secondary, pressed, modifiers }
}

/// Stands in for a system that has windows to give: the second one has the keyboard.
fn give_windows(editor: &Harness<'_, EditorApp>) {
    editor.ctx.set_embed_viewports(false);
    egui::Context::set_immediate_viewport_renderer(|ctx, window| {
        let mut input = RawInput {
            viewport_id: window.ids.this,
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, OWN_SIZE.into())),
            focused: true,
            events: HEARD.take(),
            ..RawInput::default()
        };
        let info =
            ViewportInfo { parent: Some(window.ids.parent), focused: Some(true), ..Default::default() };
        input.viewports = std::iter::once((window.ids.this, info)).collect();
        let mut draw = window.viewport_ui_cb;
        ctx.run_ui(input, |ui| draw(ui)).drop_without_applying_deltas();
    });
}

fn key(key: Key, pressed: bool) -> Event {
    Event::Key { key, physical_key: None, pressed, repeat: false, modifiers: Modifiers::NONE }
}

fn hear(editor: &mut Harness<'_, EditorApp>, event: Event) {
    HEARD.with_borrow_mut(|heard| heard.push(event));
    editor.step();
}

#[test]
fn in_a_window_of_its_own_keys_with_the_right_button_are_not_the_games() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = opened(settings.path());
    give_windows(&editor);
    editor.state_mut().run_command(EditorCommand::OwnWindow(Pane::Scene));
    passes(&mut editor, 3);
    editor.key_press(Key::F5);
    passes(&mut editor, 5);
    editor.key_down(Key::ArrowRight);
    assert_eq!(held(&mut editor), ["ArrowRight"], "the game has the keys of that window");
    hear(&mut editor, Event::PointerMoved(pos2(OWN_SIZE[0] / 2.0, OWN_SIZE[1] / 2.0)));
    hear(&mut editor, right_button(true));
    editor.key_down(Key::W);
    assert_eq!(held(&mut editor), [""; 0], "it has let go of one, and was not given the other");
    editor.key_up(Key::W);
    editor.key_up(Key::ArrowRight);
    hear(&mut editor, right_button(false));
    editor.key_down(Key::ArrowRight);
    assert_eq!(held(&mut editor), ["ArrowRight"]);
}

#[test]
fn keys_fly_from_the_press_of_the_right_button_to_its_release_in_the_order_in_which_they_came() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = opened(settings.path());
    editor.key_press(Key::F5);
    passes(&mut editor, 5);
    let at = editor.get_by_label("Viewport").rect().min + vec2(300.0, 200.0);
    let button = |pressed| {
        let (button, modifiers) = (PointerButton::Secondary, Modifiers::NONE);
        Event::PointerButton { pos: at, button, pressed, modifiers }
    };
    pointer(&mut editor, at);
    // All of it in one pass, as after one that took long.
    let together = |editor: &mut Harness<'_, EditorApp>, events: Vec<Event>| {
        editor.input_mut().events.extend(events);
        // It flies on for as long as a key is held.
        editor.state_mut().set_virtual_step(PASS);
        editor.run_steps(10);
        held_keys(editor)
    };
    assert_eq!(
        together(&mut editor, vec![key(Key::ArrowRight, true), button(true), key(Key::W, true)]),
        [""; 0]
    );
    assert_eq!(
        together(&mut editor, vec![key(Key::W, false), button(false), key(Key::ArrowUp, true)]),
        ["ArrowUp"]
    );
    assert_eq!(together(&mut editor, vec![button(true)]), [""; 0], "what is held is let go of");
}
