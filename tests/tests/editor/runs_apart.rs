//! One run after the other, and a look back while a run goes on: frames of two runs never mix.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use framewalk_runtime::time::FrameIndex;

use super::comfort::is_shown;
use super::editing::Place;
use super::*;

fn newest(editor: &Harness<'_, EditorApp>) -> (u32, u64) {
    let record = editor.state().inspector().history().newest().unwrap().record;
    (record.run, record.frame.0)
}

/// Chooses the frame whose bar stands at the right.
fn click_in_strip(editor: &mut Harness<'_, EditorApp>) {
    let strip = editor.get_by_label_contains("frame strip").rect();
    let at = strip.right_center() - egui::vec2(20.0, 0.0);
    editor.hover_at(at);
    editor.step();
    editor.drag_at(at);
    editor.step();
    editor.drop_at(at);
    editor.run();
    assert!(!editor.state().inspector().is_live());
}

/// Frames of a run that are held, and whether they are those from 1 on, each once.
fn held(editor: &Harness<'_, EditorApp>, run: u32) -> (usize, bool) {
    let frames = editor.state().inspector().history().run(run);
    let mut all = frames.range(0, usize::MAX).zip(1..);
    let whole = all.all(|(entry, frame)| (entry.record.run, entry.frame()) == (run, FrameIndex(frame)));
    (frames.len(), whole)
}

#[test]
fn stop_and_play_again_is_another_run_and_strip_plots_and_figures_show_that_one_alone() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = open(Some(sample("judder-lab")), settings.path());
    editor.run();
    press(&mut editor, "Play");
    passes(&mut editor, 60);
    let (run, first_run) = newest(&editor);
    assert!(run == 1 && first_run > 60, "{run}, {first_run}");
    // The view stands on a frame of the first run while that ends.
    click_in_strip(&mut editor);
    press(&mut editor, "Stop");
    let (first_held, _) = held(&editor, 1);

    press(&mut editor, "Pause");
    press(&mut editor, "Play");
    assert_eq!(newest(&editor), (2, 1));
    assert!(editor.state().inspector().is_live(), "the new run is looked at, from its first frame on");
    assert!(is_shown(&editor, "frame 1"), "the live figures are those of the new run");
    assert!(is_shown(&editor, "frame strip, 1 bars to frame 1, live"));
    press(&mut editor, "Resume");
    passes(&mut editor, 20);
    let (run, second_run) = newest(&editor);
    assert!(run == 2 && second_run < first_run, "{run}, {second_run}");
    assert_eq!(held(&editor, 1), (first_held, true));
    assert_eq!(held(&editor, 2), (second_run as usize, true));
    // Walking back ends at the first frame of this run, and never in the one before.
    click_in_strip(&mut editor);
    for _ in 0..second_run + 10 {
        editor.key_press(Key::ArrowLeft);
        editor.run();
    }
    let chosen = editor.state().inspector().chosen().unwrap();
    assert_eq!((chosen.record.run, chosen.frame()), (2, FrameIndex(1)));
}

#[test]
fn a_click_in_the_plots_of_a_playing_run_chooses_a_frame_while_the_run_goes_on_and_one_key_goes_live() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = open(Some(sample("judder-lab")), settings.path());
    editor.run();
    press(&mut editor, "Play");
    passes(&mut editor, 60);
    let before = newest(&editor).1;
    editor.get_all_by_label_contains("pacing plots").next().unwrap().click();
    editor.run();
    assert_eq!(editor.state().phase(), Phase::Playing);
    assert!(!editor.state().inspector().is_live());
    let chosen = editor.state().inspector().chosen().unwrap().frame();
    assert!(chosen.0 <= before);
    passes(&mut editor, 20);
    assert!(newest(&editor).1 > before + 20, "the run goes on");
    assert_eq!(editor.state().inspector().chosen().unwrap().frame(), chosen, "and the frame stays chosen");
    editor.key_press(Key::End);
    editor.run();
    assert!(editor.state().inspector().is_live());
    assert_eq!(editor.state().inspector().chosen().unwrap().frame().0, newest(&editor).1);
    assert_eq!(editor.state().phase(), Phase::Playing);
}

#[test]
fn a_scene_in_which_nothing_moves_pauses_steps_and_resumes_as_any_other() {
    let place = Place::new();
    let mut editor = place.open();
    press(&mut editor, "Play");
    passes(&mut editor, 10);
    press(&mut editor, "Pause");
    assert_eq!(editor.state().phase(), Phase::Paused);
    let (_, stands) = newest(&editor);
    passes(&mut editor, 20);
    assert_eq!(newest(&editor).1, stands, "no frame comes while it stands");
    let before = ticks(&editor);
    press(&mut editor, "Step tick");
    assert_eq!((newest(&editor).1, ticks(&editor)), (stands + 1, before + 1));
    press(&mut editor, "Resume");
    passes(&mut editor, 10);
    assert_eq!(editor.state().phase(), Phase::Playing);
    assert!(newest(&editor).1 > stands + 10);
}
