//! Choosing how frames reach the render thread, and what the window then says.

use framewalk::session::FrameRateChoice;
use framewalk_inspector::history::changes::sentences;
use framewalk_runtime::frame::record::{FrameRecord, HandoffMode};
use framewalk_runtime::time::Rate;

use super::*;

/// Wide enough for the whole transport.
fn wide(project: &str, settings: &Path) -> Harness<'static, EditorApp> {
    let options = options(Some(sample(project)), settings, log_lines::channel().1);
    Harness::builder()
        .with_size([1720.0, 1000.0])
        .with_max_steps(30)
        .build_eframe(|cc| EditorApp::new(cc, options))
}

fn newest(editor: &Harness<'_, EditorApp>) -> FrameRecord {
    editor.state().inspector().history().newest().expect("a frame").record
}

#[test]
fn the_handoff_is_chosen_in_the_transport_before_play_and_while_it_runs() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = wide("first-steps", settings.path());
    editor.run();
    editor.get_by_label("slot handoff, 3 buffers");
    press(&mut editor, "Handoff slot");
    press(&mut editor, "lockstep");
    editor.get_by_label("lockstep handoff, 2 buffers");
    press(&mut editor, "Play");
    passes(&mut editor, 10);
    assert_eq!(newest(&editor).handoff.mode, HandoffMode::Lockstep);

    press(&mut editor, "Handoff lockstep");
    press(&mut editor, "free");
    passes(&mut editor, 20);
    let frame = newest(&editor);
    assert_eq!((frame.handoff.mode, frame.conserved()), (HandoffMode::Free, true));
    assert_eq!(frame.frame_rate.to_string(), "60");

    // Pause, three steps and on: whatever the handoff.
    press(&mut editor, "Pause");
    let before = ticks(&editor);
    for _ in 0..3 {
        press(&mut editor, "Step tick");
    }
    assert_eq!(ticks(&editor), before + 3);
    press(&mut editor, "Handoff free");
    press(&mut editor, "slot");
    press(&mut editor, "Step frame");
    assert_eq!(newest(&editor).handoff.mode, HandoffMode::Slot);
    assert!(newest(&editor).settings_changed && newest(&editor).conserved());
    press(&mut editor, "Stop");
}

#[test]
fn a_project_plays_with_the_handoff_it_names() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = wide("high-rate", settings.path());
    editor.run();
    editor.get_by_label("free handoff, 6 buffers");
    press(&mut editor, "Play");
    passes(&mut editor, 20);
    let frame = newest(&editor);
    assert_eq!((frame.handoff.mode, frame.handoff.dropped), (HandoffMode::Free, 0));
    assert!(frame.handoff.undrawn > 3 * frame.handoff.rendered, "{:?}", frame.handoff);
    let history = editor.state().inspector().history();
    assert!(history.newest().is_some_and(|entry| entry.record.ticks == 1));
    press(&mut editor, "Stop");
}

/// The label that says how the picture on screen was blended, and the one of the toolbar's alpha.
fn alphas(editor: &Harness<'_, EditorApp>) -> (String, String) {
    let text = |part: &str| {
        let node = editor.get_all_by_label_contains(part).next().expect("it is on screen").accesskit_node();
        node.label().or_else(|| node.value()).unwrap_or_default()
    };
    let drawn = text(" × tick ");
    let newer = drawn.rsplit_once(" + ").and_then(|(_, newer)| newer.split_once(' ')).expect("two weights").0;
    (format!("alpha {newer}"), text("alpha 0."))
}

#[test]
fn in_the_free_handoff_the_toolbar_s_alpha_is_that_of_the_picture_below_it_at_any_tick_rate() {
    for rate in [10, 512] {
        let settings = tempfile::tempdir().unwrap();
        let options = options(Some(sample("high-rate")), settings.path(), log_lines::channel().1);
        let mut editor = Harness::builder()
            .with_size([1720.0, 700.0])
            .with_max_steps(30)
            .wgpu()
            .build_eframe(|cc| EditorApp::new(cc, options));
        editor.run();
        editor.state_mut().set_tick_rate(Rate::hz(rate).unwrap());
        press(&mut editor, "Play");
        passes(&mut editor, 30);
        for _ in 0..3 {
            passes(&mut editor, 1);
            let (over_the_picture, in_the_toolbar) = alphas(&editor);
            assert_eq!(over_the_picture, in_the_toolbar, "{rate} Hz");
        }
        press(&mut editor, "Pause");
        passes(&mut editor, 5);
        let (over_the_picture, in_the_toolbar) = alphas(&editor);
        assert_eq!(over_the_picture, in_the_toolbar, "{rate} Hz, paused");
        let history = editor.state().inspector().history();
        assert!(history.totals().pictures > 10, "{:?}", history.totals());
        press(&mut editor, "Stop");
    }
}

#[test]
fn marks_of_the_free_handoff_say_what_a_person_changed() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = wide("first-steps", settings.path());
    editor.run();
    press(&mut editor, "Play");
    passes(&mut editor, 10);
    editor.state_mut().set_handoff(HandoffMode::Free);
    passes(&mut editor, 10);
    editor.state_mut().set_tick_rate(Rate::new(240, 1).unwrap());
    passes(&mut editor, 10);
    editor.state_mut().set_frame_rate(FrameRateChoice::Fixed(Rate::new(30, 1).unwrap()));
    passes(&mut editor, 10);
    let history = editor.state().inspector().history();
    let frames = history.run(history.totals().run);
    let said: Vec<String> = (1..frames.len())
        .flat_map(|position| sentences(frames.before(position), &frames.at(position).unwrap().record))
        .collect();
    assert_eq!(
        said,
        [
            "handoff slot → free",
            "tick rate 60 → 240 Hz",
            "most ticks in a frame 5 → 20",
            "frame rate 60 → 30 Hz"
        ]
    );
}
