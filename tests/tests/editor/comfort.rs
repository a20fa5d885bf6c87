//! What makes the editor easy to use: the palette, preferences and keys, panels that open and close, the Project panel.

use egui::accesskit::Toggled;
use framewalk::panels::Pane;
use framewalk::project::opener::Opener;
use framewalk::settings::ThemeChoice;
use framewalk::shell::dock::is_open;
use framewalk::shell::status::Severity;

use super::*;

pub(crate) fn opened(settings: &Path) -> Harness<'static, EditorApp> {
    let mut editor = open(Some(sample("first-steps")), settings);
    editor.run();
    editor
}

pub(crate) fn command(editor: &mut Harness<'_, EditorApp>, letters: &str) {
    editor.key_press_modifiers(Modifiers::COMMAND, Key::K);
    editor.run();
    editor.get_by_label("Find a command").type_text(letters);
    editor.run();
    editor.key_press(Key::Enter);
    editor.run();
}

pub(crate) fn is_shown(editor: &Harness<'_, EditorApp>, label: &str) -> bool {
    editor.query_all_by_label(label).next().is_some()
}

fn panel_is_open(editor: &Harness<'_, EditorApp>, pane: Pane) -> bool {
    is_open(editor.state().settings().layout.as_ref().expect("the layout is kept"), pane)
}

#[test]
fn the_palette_finds_a_command_by_some_letters_and_enter_runs_it() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = opened(settings.path());
    command(&mut editor, "light");
    assert_eq!(editor.state().settings().theme, ThemeChoice::Light);
    assert!(!is_shown(&editor, "Find a command"), "it closes when the command runs");
    press(&mut editor, "Commands");
    assert!(is_shown(&editor, "Find a command"), "the button at the menu's right opens it");
    editor.key_press(Key::Escape);
    editor.run();
    assert!(!is_shown(&editor, "Find a command"), "Escape closes it");
}

#[test]
fn what_one_would_say_in_full_is_found_too() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = opened(settings.path());
    let cubes = |editor: &Harness<'_, EditorApp>| {
        let scene = editor.state().workspace().unwrap().scenes.front.document.scene();
        scene.entities.iter().filter(|entity| entity.name.starts_with("Cube")).count()
    };
    let before = cubes(&editor);
    command(&mut editor, "add a cube");
    assert_eq!(cubes(&editor), before + 1);
}

#[test]
fn the_palette_walks_by_arrows() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = opened(settings.path());
    editor.key_press_modifiers(Modifiers::COMMAND, Key::K);
    editor.run();
    editor.get_by_label("Find a command").type_text("theme");
    editor.run();
    for (key, theme) in [(Key::ArrowDown, "Dark theme"), (Key::ArrowUp, "Theme of the system")] {
        editor.key_press(key);
        editor.run();
        let row = editor.get_by_label(theme);
        assert_eq!(row.accesskit_node().toggled(), Some(Toggled::True), "{theme}");
    }
    editor.key_press(Key::ArrowDown);
    editor.key_press(Key::ArrowDown);
    editor.key_press(Key::Enter);
    editor.run();
    assert_eq!(editor.state().settings().theme, ThemeChoice::Light);
}

#[test]
fn the_palette_says_why_a_command_is_not_allowed_and_does_not_run_it() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = opened(settings.path());
    command(&mut editor, "stop");
    assert!(is_shown(&editor, "Nothing runs."));
    assert!(is_shown(&editor, "Find a command"), "it stays open");
}

#[test]
fn the_keyboard_goes_back_to_the_game_when_the_palette_closes() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = opened(settings.path());
    press(&mut editor, "Play");
    passes(&mut editor, 3);
    command(&mut editor, "half speed");
    editor.key_down(Key::ArrowRight);
    passes(&mut editor, 30);
    let session = &editor.state().workspace().unwrap().session;
    assert_eq!(session.choices.speed.thousandths(), 500);
    assert_eq!(held_keys(&editor), ["ArrowRight"]);
}

#[test]
fn a_key_that_another_command_has_is_named_and_taken_only_when_told_to() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = opened(settings.path());
    editor.key_press_modifiers(Modifiers::COMMAND, Key::Comma);
    editor.run();
    press(&mut editor, "Keys");
    editor.get_by_label("Change the key of Pause").scroll_to_me();
    editor.run();
    press(&mut editor, "Change the key of Pause");
    editor.key_press(Key::F10);
    editor.run();
    assert!(is_shown(&editor, "F10 is Step frame's."));
    assert!(editor.state().settings().keys.is_empty(), "nothing has changed yet");
    press(&mut editor, "Take it");
    let keys = &editor.state().settings().keys;
    assert_eq!((keys["Pause"].as_str(), keys["StepFrame"].as_str()), ("F10", ""));
    press(&mut editor, "Close");
    let armed =
        |editor: &Harness<'_, EditorApp>| editor.state().workspace().unwrap().session.choices.start_paused;
    editor.key_press(Key::F7);
    editor.run();
    assert!(!armed(&editor), "the old key does nothing");
    editor.key_press(Key::F10);
    editor.run();
    assert!(armed(&editor), "the new key gives the command");
    drop(editor);

    let mut editor = opened(settings.path());
    editor.key_press(Key::F10);
    editor.run();
    assert!(armed(&editor), "and the next start remembers it");
    editor.key_press_modifiers(Modifiers::COMMAND, Key::Comma);
    editor.run();
    press(&mut editor, "Keys");
    press(&mut editor, "Reset all keys");
    assert!(editor.state().settings().keys.is_empty());
}

#[test]
fn escape_while_a_key_is_asked_for_keeps_the_old_one_and_the_window() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = opened(settings.path());
    editor.key_press_modifiers(Modifiers::COMMAND, Key::Comma);
    editor.run();
    press(&mut editor, "Keys");
    editor.get_by_label("Change the key of Pause").scroll_to_me();
    editor.run();
    press(&mut editor, "Change the key of Pause");
    editor.key_press(Key::Escape);
    editor.run();
    assert!(editor.state().settings().keys.is_empty());
    assert!(is_shown(&editor, "Change the key of Pause"));
}

#[test]
fn the_zoom_is_changed_by_key_and_remembered() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = opened(settings.path());
    editor.key_press_modifiers(Modifiers::COMMAND, Key::Plus);
    editor.run();
    drop(editor);
    let editor = opened(settings.path());
    assert!((editor.state().settings().zoom - 1.1).abs() < 1e-6);
    assert!((editor.ctx.zoom_factor() - 1.1).abs() < 1e-6);
}

#[test]
fn a_panel_is_closed_and_opened_and_a_closed_one_stays_closed_at_the_next_start() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = opened(settings.path());
    assert!(is_shown(&editor, "Outliner"));
    command(&mut editor, "panel outliner");
    assert!(!is_shown(&editor, "Outliner"));
    drop(editor);
    let mut editor = opened(settings.path());
    assert!(!is_shown(&editor, "Outliner"));
    command(&mut editor, "panel outliner");
    assert!(is_shown(&editor, "Outliner"));
    command(&mut editor, "panel pacing");
    assert!(!panel_is_open(&editor, Pane::Pacing));
    command(&mut editor, "reset layout");
    assert!(panel_is_open(&editor, Pane::Pacing));
}

#[test]
fn when_every_panel_is_closed_the_window_says_how_to_get_them_back() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = opened(settings.path());
    for pane in Pane::ALL {
        command(&mut editor, &format!("panel: {}", pane.title()));
    }
    assert!(is_shown(&editor, "Every panel is closed."));
    press(&mut editor, "Reset layout");
    assert!(is_shown(&editor, "Outliner"));
}

#[test]
fn the_viewport_takes_all_the_room_by_key_and_gives_it_back() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = opened(settings.path());
    editor.key_press_modifiers(Modifiers::SHIFT, Key::F11);
    editor.run();
    assert!(!is_shown(&editor, "Outliner"));
    press(&mut editor, "Show all panels");
    assert!(is_shown(&editor, "Outliner"));
}

#[test]
fn the_project_panel_says_what_the_project_file_says_and_names_a_file_that_does_not_open() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = opened(settings.path());
    press(&mut editor, "Project");
    let project = editor.state().workspace().unwrap().project.project.clone();
    assert!(is_shown(&editor, &project.about));
    let field = editor.get_by_label("Tick rate of the project").accesskit_node().value();
    assert_eq!(field, Some(project.tick_rate.to_string()));
    editor.state_mut().set_opener(Opener::with_program("no-such-opener-here"));
    command(&mut editor, "open the scene's folder");
    // The answer comes from a thread of its own, whenever the system lets that run: each pass looks for it.
    let failed = |editor: &Harness<'_, EditorApp>| {
        let message = editor.state().message().filter(|message| message.severity == Severity::Error)?;
        message.details.first().cloned()
    };
    let fault = loop {
        editor.step();
        if let Some(fault) = failed(&editor) {
            break fault;
        }
        std::thread::yield_now();
    };
    assert!(fault.contains("no-such-opener-here could not be started"), "{fault}");
}

#[test]
fn the_tour_of_a_first_start_walks_four_steps_and_does_not_come_back() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = opened(settings.path());
    for step in 1..=4 {
        assert!(is_shown(&editor, &format!("TOUR, {step} OF 4")), "step {step}");
        press(&mut editor, if step < 4 { "Next" } else { "End of the tour" });
    }
    assert!(editor.state().settings().tour_taken);
    drop(editor);
    let mut editor = opened(settings.path());
    assert!(!is_shown(&editor, "TOUR, 1 OF 4"));
    command(&mut editor, "take the tour");
    assert!(is_shown(&editor, "TOUR, 1 OF 4"), "it can be taken again");
    press(&mut editor, "Skip the tour");
    assert!(!is_shown(&editor, "TOUR, 1 OF 4"));
}

#[test]
fn what_the_viewport_shows_is_remembered() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = opened(settings.path());
    let view = editor.state().settings().view;
    assert!(view.grid && view.ghosts && !view.last_tick && !view.camera_in_edit);
    for letters in ["ground grid", "ghosts of the selected", "draw the last tick", "look through the scene"] {
        command(&mut editor, letters);
    }
    drop(editor);
    let editor = opened(settings.path());
    let view = editor.state().settings().view;
    assert!(!view.grid && !view.ghosts && view.last_tick && view.camera_in_edit);
}

#[test]
fn the_history_is_made_shorter_in_preferences_and_the_newest_frames_stay() {
    let settings = tempfile::tempdir().unwrap();
    std::fs::write(settings.path().join("settings.ron"), "(format: 1, history_frames: 30000)").unwrap();
    let mut editor = opened(settings.path());
    press(&mut editor, "Play");
    passes(&mut editor, 60);
    let newest = ticks(&editor);
    editor.key_press_modifiers(Modifiers::COMMAND, Key::Comma);
    editor.run();
    let bytes = framewalk_inspector::history::History::BYTES_A_FRAME;
    assert!(editor.query_all_by_label_contains(&format!("{bytes} bytes a frame")).next().is_some());
    press(&mut editor, "10 000");
    assert_eq!(editor.state().settings().history_frames, 10_000);
    assert!(editor.state().inspector().history().len() > 40);
    assert!(ticks(&editor) >= newest);
}

#[test]
fn figures_rows_and_values_are_copied_from_their_menus() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = opened(settings.path());
    press(&mut editor, "Skip the tour");
    press(&mut editor, "Play");
    passes(&mut editor, 60);
    press(&mut editor, "Pause");
    command(&mut editor, "go to: stages");
    let mut copied = |part: &str, item: &str| {
        editor
            .query_all_by_label_contains(part)
            .next()
            .unwrap_or_else(|| panic!("no {part}"))
            .click_secondary();
        editor.run();
        editor.get_by_label(item).click();
        editor.step();
        let text = editor.output().platform_output.commands.iter().find_map(|command| match command {
            egui::OutputCommand::CopyText(text) => Some(text.clone()),
            _ => None,
        });
        editor.run();
        text.unwrap_or_else(|| panic!("{item} copies nothing"))
    };
    let figures = copied("overstep", "Copy figures");
    let names: Vec<&str> = figures.lines().map(|line| line.split(' ').next().unwrap_or_default()).collect();
    assert_eq!(names, ["frame", "tick", "alpha", "overstep", "dropped", "late"]);
    assert!(copied("run_scheduler", "Copy row").contains("run_scheduler done"));
    assert!(copied("published = ", "Copy equation").contains(" published = "));
    assert_eq!(copied("Ball 07", "Copy name"), "Ball 07");
}
