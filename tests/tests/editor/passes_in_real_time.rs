//! How often the editor runs a pass on real threads: not at all at rest, seldom out of sight; and that a run's frames
//! depend on none.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use std::time::Duration;

use super::comfort::command;
use super::*;

/// So many times it is looked whether something has come, with a rest between: some minutes, on a machine with better
/// things to do.
const LOOKS: usize = 6_000;
const REST: Duration = Duration::from_millis(10);
/// A pass a tenth of a second, less the frame that egui takes off for drawing it.
const SELDOM: Duration = Duration::from_millis(80);

fn on_threads(settings: &Path) -> Harness<'static, EditorApp> {
    std::fs::write(settings.join("settings.ron"), "(format: 1, tour_taken: true)").unwrap();
    let options = EditorOptions {
        drive: Drive::Threads,
        ..options(Some(sample("judder-lab")), settings, log_lines::channel().1)
    };
    Harness::builder()
        .with_size([1600.0, 1000.0])
        .with_max_steps(30)
        .build_eframe(|cc| EditorApp::new(cc, options))
}

/// When the editor wants its next pass, as of the last one.
fn next_pass(editor: &Harness<'_, EditorApp>) -> Duration {
    editor.output().viewport_output.values().map(|viewport| viewport.repaint_delay).min().unwrap()
}

/// Runs passes until the editor asks for no earlier one than that, and says how many it took.
fn settle(editor: &mut Harness<'_, EditorApp>, least: Duration, what: &str) -> usize {
    for passes in 1..=LOOKS {
        editor.step();
        if next_pass(editor) >= least {
            return passes;
        }
        std::thread::sleep(REST);
    }
    panic!("{what} asks for a pass in {:?} again and again", next_pass(editor));
}

fn click(editor: &mut Harness<'_, EditorApp>, label: &str) {
    editor.get_all_by_label(label).next().unwrap_or_else(|| panic!("no {label}")).click();
    editor.step();
}

fn published(editor: &Harness<'_, EditorApp>) -> u64 {
    editor.state().workspace().unwrap().session.counts().map_or(0, |counts| counts.published)
}

/// Waits for frames without a single pass.
fn let_run(editor: &Harness<'_, EditorApp>, frames: u64) {
    let until = published(editor) + frames;
    let came = (0..LOOKS).any(|_| {
        std::thread::sleep(REST);
        published(editor) >= until
    });
    assert!(came, "no frame comes without a pass: {} of {until}", published(editor));
}

/// Every frame of the run stands where its grid of 60 Hz has it, or is late and says so, and none is missing.
fn keeps_its_grid(editor: &Harness<'_, EditorApp>) -> usize {
    let frames: Vec<_> =
        editor.state().inspector().history().run(1).range(0, usize::MAX).map(|entry| entry.record).collect();
    let reference = frames[0].render_time;
    let mut point = 0_i64;
    for (frame, number) in frames.iter().zip(1_u64..) {
        assert_eq!((frame.frame.0, frame.frame_rate.to_string().as_str()), (number, "60"));
        let deadline = Nanos((point * 1_000_000_000 + 59) / 60);
        let is_met = if frame.late { Nanos::gt } else { Nanos::eq };
        assert!(is_met(&(frame.render_time - reference), &deadline), "point {point}: {frame:?}");
        point += 1 + frame.missed as i64;
    }
    assert_eq!(editor.state().workspace().unwrap().session.lost_records(), 0);
    frames.len()
}

#[test]
fn an_editor_with_nothing_to_do_asks_for_no_pass_in_edit_and_paused() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = on_threads(settings.path());
    settle(&mut editor, Duration::MAX, "the editor in Edit");
    click(&mut editor, "Pause");
    click(&mut editor, "Play");
    settle(&mut editor, Duration::MAX, "the editor paused at frame 1");
    assert_eq!(editor.state().phase(), Phase::Paused);
    assert_eq!(published(&editor), 1);
}

#[test]
fn a_run_out_of_sight_is_looked_at_ten_times_a_second_and_its_history_has_no_hole() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = on_threads(settings.path());
    click(&mut editor, "Play");
    let viewports = &mut editor.input_mut().viewports;
    viewports.get_mut(&egui::ViewportId::ROOT).unwrap().minimized = Some(true);
    // For a moment after Play its answer is looked for more often.
    settle(&mut editor, SELDOM, "the editor out of sight");
    // A thread that looks for problems may call once, when it has looked.
    let passes: usize = (0..20)
        .map(|_| {
            let_run(&editor, 6);
            settle(&mut editor, SELDOM, "the editor out of sight")
        })
        .sum();
    assert!(passes <= 24, "{passes} passes in twenty tenths of a second");
    assert_eq!(editor.state().phase(), Phase::Playing);
    assert!(keeps_its_grid(&editor) >= 120);
}

#[test]
fn a_run_keeps_its_frame_rate_whether_or_not_a_panel_has_a_second_window_and_needs_no_pass_for_it() {
    for windows in [0, 1] {
        let settings = tempfile::tempdir().unwrap();
        let mut editor = on_threads(settings.path());
        settle(&mut editor, Duration::MAX, "the editor in Edit");
        if windows == 1 {
            command(&mut editor, "own window: pacing");
        }
        assert_eq!(editor.state().settings().undocked.len(), windows);
        click(&mut editor, "Play");
        let_run(&editor, 120);
        editor.step();
        assert!(keeps_its_grid(&editor) >= 120, "{windows} windows");
    }
}

#[test]
fn passes_are_recorded_while_frames_come_and_none_while_everything_stands() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = on_threads(settings.path());
    let recorded = |editor: &Harness<'_, EditorApp>| {
        let history = editor.state().inspector().history();
        history.passes().within(1, Nanos(i64::MIN), Nanos::MAX).copied().collect::<Vec<_>>()
    };
    click(&mut editor, "Play");
    for _ in 0..5 {
        let_run(&editor, 2);
        editor.step();
    }
    click(&mut editor, "Pause");
    settle(&mut editor, Duration::MAX, "the paused editor");
    editor.step();
    let passes = recorded(&editor);
    assert!(passes.len() >= 5, "{passes:?}");
    for pair in passes.windows(2) {
        let layout = pair[0].layout.expect("each was laid out");
        assert!(pair[0].logic.end() <= layout.start && layout.end() <= pair[1].logic.start, "{pair:?}");
        // Without a window nobody says when a picture was handed over.
        assert_eq!((pair[0].run, pair[0].paint), (1, None));
    }
    (0..10).for_each(|_| editor.step());
    assert_eq!(recorded(&editor), passes);
}
