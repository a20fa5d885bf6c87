//! Choosing how frames reach the render thread, and what the window then says.

use framewalk_runtime::frame::record::{FrameRecord, HandoffMode};

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
