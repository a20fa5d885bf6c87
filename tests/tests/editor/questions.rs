//! Questions come by themselves: what was done before one could be seen does not answer it.

use egui::{Event, PointerButton, Pos2, pos2};
use framewalk::command::{EditorCommand, NewEntity};

use super::comfort::{is_shown, opened};
use super::*;

const QUESTION: &str = "main.ron has changes that are not saved";
/// Outside of every question.
const ASIDE: Pos2 = pos2(40.0, 500.0);

/// It is asked, and a frame has just been drawn that shows it.
fn asked(settings: &Path) -> Harness<'static, EditorApp> {
    let mut editor = opened(settings);
    press(&mut editor, "Skip the tour");
    editor.state_mut().run_command(EditorCommand::Add(NewEntity::Cube));
    editor.run();
    editor.event(Event::PointerMoved(ASIDE));
    editor.run();
    editor.state_mut().run_command(EditorCommand::CloseProject);
    while !stands(&editor) {
        editor.step();
    }
    editor
}

/// One frame, in which all of this arrives.
fn frame<const N: usize>(editor: &mut Harness<'_, EditorApp>, events: [Event; N]) {
    editor.input_mut().events.extend(events);
    editor.step();
}

fn button(pos: Pos2, pressed: bool) -> Event {
    Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE }
}

fn stands(editor: &Harness<'_, EditorApp>) -> bool {
    is_shown(editor, QUESTION) && editor.state().workspace().is_some()
}

#[test]
fn a_click_outside_that_was_made_while_the_window_stood_still_does_not_cancel() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = asked(settings.path());
    frame(&mut editor, [button(ASIDE, true), button(ASIDE, false)]);
    frame(&mut editor, []);
    assert!(stands(&editor), "clicked before it was seen");
    frame(&mut editor, [button(ASIDE, true), button(ASIDE, false)]);
    frame(&mut editor, []);
    assert!(!is_shown(&editor, QUESTION) && editor.state().workspace().is_some(), "now it was seen");
}

#[test]
fn a_button_that_went_down_before_a_question_was_seen_does_not_answer_when_it_comes_up() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = asked(settings.path());
    frame(&mut editor, [button(ASIDE, true)]);
    frame(&mut editor, []);
    frame(&mut editor, [button(ASIDE, false)]);
    frame(&mut editor, []);
    assert!(stands(&editor));
    editor.key_press(Key::Escape);
    editor.run();
    assert!(!is_shown(&editor, QUESTION), "it is answered by what comes after");
}

#[test]
fn a_click_that_hits_an_answer_nobody_has_seen_is_no_answer() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = asked(settings.path());
    let discard = editor.get_by_label("Discard").rect().center();
    frame(
        &mut editor,
        [Event::PointerMoved(discard), button(discard, true), button(discard, false), key(Key::Escape)],
    );
    frame(&mut editor, []);
    assert!(stands(&editor));
    frame(&mut editor, [button(discard, true), button(discard, false)]);
    frame(&mut editor, []);
    assert!(editor.state().workspace().is_none(), "thrown away, as was asked for");
}

fn key(key: Key) -> Event {
    Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers: Modifiers::NONE }
}
