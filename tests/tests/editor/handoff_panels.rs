//! The three handoffs as a person meets them: chosen, seen, compared.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use egui_kittest::kittest::By;
use framewalk_runtime::frame::record::{FrameRecord, HandoffMode};

use super::comfort::{command, is_shown, opened};
use super::editing::Place;
use super::*;

fn newest(editor: &Harness<'_, EditorApp>) -> FrameRecord {
    editor.state().inspector().history().newest().unwrap().record
}

fn says(editor: &Harness<'_, EditorApp>, part: &str) -> bool {
    editor.query_all_by_label_contains(part).next().is_some()
}

#[test]
fn a_handoff_chosen_while_a_scene_plays_is_the_runs_from_the_next_frame_on_and_no_file_is_written() {
    let settings = tempfile::tempdir().unwrap();
    let project = sample("first-steps").join("project.ron");
    let before = std::fs::read(&project).unwrap();
    let mut editor = opened(settings.path());
    press(&mut editor, "Play");
    passes(&mut editor, 20);
    command(&mut editor, "go to: handoff");
    assert!(says(&editor, "slot handoff: sim holds "));
    for (mode, picture) in [
        (HandoffMode::Lockstep, "lockstep handoff: sim writes buffer "),
        (HandoffMode::Free, "free handoff: 4 ticks are kept, "),
        (HandoffMode::Slot, "slot handoff: sim holds "),
    ] {
        let last = newest(&editor).frame;
        let now = newest(&editor).handoff.mode.name();
        press(&mut editor, &format!("Handoff {now}"));
        press(&mut editor, mode.name());
        passes(&mut editor, 20);
        assert!(is_shown(&editor, &format!("Handoff {}", mode.name())), "the field says {}", mode.name());
        assert_eq!(newest(&editor).handoff.mode, mode);
        assert!(says(&editor, picture), "{picture}");
        let frames = editor.state().inspector().history().run(1);
        let changed = frames.range(0, usize::MAX).filter(|entry| entry.record.frame > last);
        let changed: Vec<_> = changed.filter(|entry| entry.record.settings_changed).collect();
        assert_eq!(changed.len(), 1, "one mark in strip and plots");
        assert_eq!(changed[0].record.handoff.mode, mode);
        assert!(frames.range(0, usize::MAX).all(|entry| entry.record.handoff.balanced()));
    }
    press(&mut editor, "Stop");
    assert_eq!(std::fs::read(&project).unwrap(), before);
}

#[test]
fn in_the_project_panel_the_handoff_is_the_projects_and_is_written_to_its_file() {
    let place = Place::new();
    let mut editor = place.open();
    let project = place.scene().parent().unwrap().parent().unwrap().join("project.ron");
    let before = std::fs::read_to_string(&project).unwrap();
    command(&mut editor, "go to: project");
    for (from, to) in [("slot", "lockstep"), ("lockstep", "free")] {
        press(&mut editor, "Handoff of the project");
        press(&mut editor, to);
        let expected = before.replace("handoff: slot", &format!("handoff: {to}"));
        assert_eq!(std::fs::read_to_string(&project).unwrap(), expected, "from {from}");
    }
    press(&mut editor, "Play");
    passes(&mut editor, 20);
    assert_eq!(newest(&editor).handoff.mode, HandoffMode::Free);
}

#[test]
fn the_handoff_is_chosen_by_keys_alone() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = opened(settings.path());
    press(&mut editor, "Skip the tour");
    press(&mut editor, "Play");
    passes(&mut editor, 5);
    editor.key_press_modifiers(Modifiers::ALT, Key::H);
    editor.run();
    let focused = editor.query_all(By::new().predicate(|node| node.is_focused())).next_back().unwrap();
    assert_eq!(focused.accesskit_node().label().unwrap_or_default(), "slot");
    editor.key_press(Key::Tab);
    editor.run();
    editor.key_press(Key::Enter);
    editor.run();
    passes(&mut editor, 5);
    assert_eq!(newest(&editor).handoff.mode, HandoffMode::Lockstep);
    assert!(!is_shown(&editor, "free"), "the list is closed");
}

#[test]
fn the_comparison_says_what_it_measured_and_what_it_did_not() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = opened(settings.path());
    press(&mut editor, "Skip the tour");
    command(&mut editor, "go to: compare");
    assert!(says(&editor, "will be here, side by side"));
    command(&mut editor, "compare handoffs");
    editor.run_steps(4);
    assert!(says(&editor, "first-steps / main · 5 s each · ticks 60 Hz, frames 60 Hz"));
    assert!(says(&editor, "dropped, frames: slot 0, lockstep 0, free 0"));
    assert!(says(
        &editor,
        "CPU of sim, % of a core: slot not measured, lockstep not measured, free not measured"
    ));
    assert!(says(&editor, "tick to drawn p50, ms: slot "));
    assert!(says(&editor, "key events shown, events: slot "));
    let comparison = editor.state().comparison().unwrap().clone();
    assert_eq!(comparison.measured.len(), 3);
    for measured in &comparison.measured {
        assert!(measured.counts.balanced(), "{measured:?}");
        assert!(measured.frames > 290 && measured.inputs > 30, "{measured:?}");
        assert!(measured.input_to_drawn.unwrap().count > 30, "{measured:?}");
    }
    press(&mut editor, "Copy as text");
    editor.step();
    press(&mut editor, "Play");
    passes(&mut editor, 3);
    assert!(says(&editor, "Stop the running scene first: it would take time from what is measured."));
}

/// The text of a drag value is taken over when it is typed and Enter pressed.
fn set_number(editor: &mut Harness<'_, EditorApp>, label: &str, text: &str) {
    press(editor, label);
    editor.event(egui::Event::Text(text.to_owned()));
    editor.run();
    editor.key_press(Key::Enter);
    editor.run();
}

fn value(editor: &Harness<'_, EditorApp>, label: &str) -> Option<String> {
    editor.get_by_label(label).accesskit_node().value()
}

#[test]
fn the_render_cost_is_the_scenes_at_first_and_what_was_set_drops_frames() {
    const COST: &str = "Render cost of each picture, ms";
    let settings = tempfile::tempdir().unwrap();
    let mut editor = open(Some(sample("handoffs")), settings.path());
    editor.run();
    press(&mut editor, "Skip the tour");
    command(&mut editor, "go to: compare");
    assert_eq!(value(&editor, COST).unwrap(), "render cost 25 ms", "the load of Slow picture");
    set_number(&mut editor, COST, "3");
    assert_eq!(value(&editor, COST).unwrap(), "render cost 25 ms", "the scene's own load stays");
    set_number(&mut editor, COST, "40");
    command(&mut editor, "compare handoffs");
    editor.run_steps(4);
    assert!(says(&editor, "frames 60 Hz · render cost 40 ms · counted, not drawn"));
    assert!(says(&editor, "picture p50, ms: slot 40.00, lockstep 40.00, free 40.00"));
    let rect = |label: &str| editor.get_all_by_label_contains(label).next().unwrap().rect();
    let (above, head, below) = (rect("animation error max, ms"), rect("COST"), rect("picture p50, ms"));
    assert!(head.top() - above.bottom() >= 10.0, "a group stands apart from the one above: {above} {head}");
    assert!(below.top() - head.bottom() < 10.0, "and its head belongs to what is below: {head} {below}");
    let measured = &editor.state().comparison().unwrap().measured;
    let pictures: Vec<u64> = measured.iter().map(|one| one.pictures).collect();
    // Five seconds, 40 ms a picture, and those that were under way at the end.
    assert_eq!(pictures, [127, 126, 127]);
    assert!(measured[0].counts.dropped > 170 && measured[1].counts.dropped == 0, "{measured:?}");
}

#[test]
fn what_a_comparison_counts_is_counted_with_the_last_frame_and_its_picture() {
    use framewalk::session::RunThreads;
    use framewalk::session::compare::{Comparing, Wanted};
    use framewalk::session::run::Drive;
    use framewalk_inspector::comparison::Pictures;
    use framewalk_runtime::sim::RunSettings;

    let text = std::fs::read_to_string(sample("first-steps").join("scenes/main.ron")).unwrap();
    // Pictures take 25 ms, so that one is under way when the time is over.
    let wanted = Wanted {
        scene: framewalk_runtime::scene::format::parse_scene(&text).unwrap(),
        settings: RunSettings::default(),
        lasting: Nanos::from_millis(990),
        drive: Drive::Virtual { step: Nanos::from_millis(10) },
        threads: RunThreads::default(),
        pictures: Pictures::Counted,
        render_cost: Nanos::from_millis(25),
        about: "a test".to_owned(),
    };
    let mut comparing = Comparing::start(wanted, || {}).unwrap();
    comparing.poll();
    let comparison = comparing.comparison();
    assert_eq!(comparison.measured.len(), 3, "{:?}", comparison.ended);
    for one in &comparison.measured {
        let counts = &one.counts;
        assert_eq!((counts.pending, counts.in_flight), (0, 0), "{:?}: {counts:?}", one.mode);
        assert!(counts.balanced() && one.frames == counts.published, "{:?}: {counts:?}", one.mode);
        assert!(one.mode == HandoffMode::Free || one.pictures == counts.rendered, "{:?}", one.mode);
    }
}

#[test]
fn a_handoff_chosen_in_a_pause_is_said_to_be_that_of_the_next_frame_and_then_only_its_own_ticks_are_kept() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = opened(settings.path());
    press(&mut editor, "Skip the tour");
    press(&mut editor, "Play");
    passes(&mut editor, 30);
    press(&mut editor, "Pause");
    command(&mut editor, "go to: handoff");
    press(&mut editor, "Handoff slot");
    press(&mut editor, "free");
    passes(&mut editor, 3);
    assert!(is_shown(&editor, "free from the next frame"));
    assert!(is_shown(&editor, "free handoff, 6 buffers, from the next frame"));
    assert!(says(&editor, "slot handoff: sim holds "));
    command(&mut editor, "step tick");
    passes(&mut editor, 3);
    assert!(!says(&editor, "from the next frame"));
    assert!(says(&editor, "free handoff: 1 tick is kept, "));
}
