//! The whole program without a mouse.

use framewalk::panels::Pane;
use framewalk::settings::ThemeChoice;
use framewalk_runtime::frame::stage::Stage;

use super::comfort::is_shown;
use super::*;

fn key(editor: &mut Harness<'_, EditorApp>, key: Key) {
    editor.key_press(key);
    editor.run();
}

fn keys(editor: &mut Harness<'_, EditorApp>, modifiers: Modifiers, key: Key) {
    editor.key_press_modifiers(modifiers, key);
    editor.run();
}

fn types(editor: &mut Harness<'_, EditorApp>, text: &str) {
    editor.event(egui::Event::Text(text.to_owned()));
    editor.run();
}

fn focused(editor: &Harness<'_, EditorApp>) -> String {
    let label = |node: &egui_kittest::Node<'_>| node.accesskit_node().label().unwrap_or_default();
    editor
        .query_all(egui_kittest::kittest::By::new().predicate(|node| node.is_focused()))
        .map(|node| label(&node))
        .next_back()
        .unwrap_or_default()
}

/// Tab until this has the keyboard.
fn tab_to(editor: &mut Harness<'_, EditorApp>, label: &str) {
    let mut passed = Vec::new();
    for _ in 0..120 {
        if focused(editor) == label {
            return;
        }
        key(editor, Key::Tab);
        passed.push(focused(editor));
    }
    panic!("no Tab leads to {label}: {passed:?}");
}

fn chosen(editor: &Harness<'_, EditorApp>) -> u64 {
    editor.state().inspector().chosen().expect("a frame is chosen").frame().0
}

#[test]
fn everything_is_done_without_a_mouse_from_the_welcome_page_to_the_end() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = open(None, settings.path());
    editor.run();
    tab_to(&mut editor, "Open first-steps");
    key(&mut editor, Key::Enter);
    assert_eq!(editor.state().workspace().unwrap().project.project.name, "first-steps");
    tab_to(&mut editor, "Skip the tour");
    key(&mut editor, Key::Enter);

    // Play, give keys to the game, take them back.
    key(&mut editor, Key::F5);
    passes(&mut editor, 20);
    assert_eq!(focused(&editor), "Viewport");
    editor.key_down(Key::Space);
    passes(&mut editor, 10);
    assert_eq!(held_keys(&editor), ["Space"]);
    editor.key_up(Key::Space);
    passes(&mut editor, 10);
    key(&mut editor, Key::Escape);
    assert_ne!(focused(&editor), "Viewport");

    // Pause, and the three steps.
    key(&mut editor, Key::F7);
    passes(&mut editor, 4);
    assert_eq!(editor.state().phase(), Phase::Paused);
    let frame = chosen(&editor);
    key(&mut editor, Key::F10);
    assert_eq!(chosen(&editor), frame + 1);
    let tick = ticks(&editor);
    keys(&mut editor, Modifiers::SHIFT, Key::F10);
    assert_eq!(ticks(&editor), tick + 1);
    key(&mut editor, Key::F11);
    assert_eq!(editor.state().phase(), Phase::FrameOpen { next: Stage::ALL[1] });

    // Open a row of the stages and close it.
    keys(&mut editor, Modifiers::ALT, Key::Num5);
    assert_eq!(focused(&editor), "Stages panel");
    key(&mut editor, Key::Tab);
    assert!(focused(&editor).starts_with("drain_inputs"), "{}", focused(&editor));
    let lines =
        |editor: &Harness<'_, EditorApp>| editor.query_all_by_label_contains("Has not run yet").count();
    key(&mut editor, Key::ArrowDown);
    assert!(focused(&editor).starts_with("run_app_update"), "{}", focused(&editor));
    assert_eq!(lines(&editor), 0);
    key(&mut editor, Key::ArrowRight);
    assert_eq!(lines(&editor), 1, "the arrow opens the row");
    key(&mut editor, Key::ArrowLeft);
    assert_eq!(lines(&editor), 0);
    assert!(focused(&editor).starts_with("run_app_update"), "and the keyboard stays there");
    for _ in 0..5 {
        key(&mut editor, Key::F11);
    }

    // Along the frames and back to live.
    let newest = chosen(&editor);
    keys(&mut editor, Modifiers::ALT, Key::Num4);
    assert_eq!(focused(&editor), "Frames panel");
    key(&mut editor, Key::ArrowLeft);
    key(&mut editor, Key::ArrowLeft);
    key(&mut editor, Key::ArrowRight);
    assert_eq!(chosen(&editor), newest - 1);
    key(&mut editor, Key::Tab);
    assert!(focused(&editor).starts_with("frame strip"));
    key(&mut editor, Key::ArrowLeft);
    assert_eq!(chosen(&editor), newest - 2);
    key(&mut editor, Key::End);
    assert!(editor.state().inspector().is_live());

    // Select in the outliner.
    keys(&mut editor, Modifiers::ALT, Key::Num1);
    key(&mut editor, Key::ArrowDown);
    key(&mut editor, Key::ArrowDown);
    let selected = |editor: &Harness<'_, EditorApp>| {
        let workspace = editor.state().workspace().unwrap();
        workspace.scenes.front.document.selection.primary().unwrap()
    };
    let second = selected(&editor);
    key(&mut editor, Key::ArrowDown);
    assert_ne!(selected(&editor), second);

    // Speed, tick rate, frame rate.
    keys(&mut editor, Modifiers::ALT, Key::S);
    types(&mut editor, "0.5");
    key(&mut editor, Key::Enter);
    assert!(is_shown(&editor, "Speed 0.50×"));
    keys(&mut editor, Modifiers::ALT, Key::T);
    types(&mut editor, "20");
    key(&mut editor, Key::Enter);
    assert!(is_shown(&editor, "Ticks 20 Hz"));
    keys(&mut editor, Modifiers::ALT, Key::F);
    types(&mut editor, "144");
    key(&mut editor, Key::Enter);
    assert!(is_shown(&editor, "Frames 144 Hz"));

    // The palette, and by it a second window.
    keys(&mut editor, Modifiers::COMMAND, Key::K);
    types(&mut editor, "own window: pacing");
    key(&mut editor, Key::Enter);
    assert_eq!(editor.state().settings().undocked, [Pane::Pacing]);
    keys(&mut editor, Modifiers::COMMAND, Key::K);
    types(&mut editor, "own window: pacing");
    key(&mut editor, Key::Enter);
    assert_eq!(editor.state().settings().undocked, []);

    // Preferences.
    keys(&mut editor, Modifiers::COMMAND, Key::Comma);
    tab_to(&mut editor, "Light");
    key(&mut editor, Key::Space);
    assert_eq!(editor.state().settings().theme, ThemeChoice::Light);
    key(&mut editor, Key::Escape);
    assert!(!is_shown(&editor, "Preferences"));

    // The menus.
    key(&mut editor, Key::F9);
    assert!(is_shown(&editor, "Close project"), "the first menu is open");
    key(&mut editor, Key::ArrowRight);
    assert!(is_shown(&editor, "Duplicate") && !is_shown(&editor, "Close project"));
    key(&mut editor, Key::Escape);
    assert!(!is_shown(&editor, "Duplicate"));

    // Stop, and the end.
    key(&mut editor, Key::F8);
    assert_eq!(editor.state().phase(), Phase::Edit);
    // One event, one pass: what it asks of the window stands in the output of that pass.
    editor.event(egui::Event::Key {
        key: Key::Q,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers: Modifiers::COMMAND | Modifiers::CTRL,
    });
    editor.step();
    let commands = editor.output().viewport_output.values().flat_map(|viewport| viewport.commands.iter());
    assert!(commands.into_iter().any(|command| *command == egui::ViewportCommand::Close));
}

#[test]
fn every_panel_is_reached_by_the_key_that_walks_areas_and_by_its_own() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = super::comfort::opened(settings.path());
    tab_to(&mut editor, "Skip the tour");
    key(&mut editor, Key::Enter);
    key(&mut editor, Key::Escape);
    let mut reached = Vec::new();
    for _ in 0..10 {
        key(&mut editor, Key::F6);
        reached.push(focused(&editor));
    }
    let expected = [
        "File",
        "Play",
        "Scene main",
        "Outliner panel",
        "Viewport",
        "Properties panel",
        "Frames panel",
        "Stages panel",
        "Pacing panel",
        "File",
    ];
    assert_eq!(reached, expected);
    keys(&mut editor, Modifiers::SHIFT, Key::F6);
    assert_eq!(focused(&editor), "Pacing panel");
    for pane in Pane::ALL {
        super::comfort::command(&mut editor, &format!("go to: {}", pane.title()));
        editor.run();
        let name = match pane {
            Pane::Scene => "Viewport".to_owned(),
            Pane::Camera => "Camera viewport".to_owned(),
            _ => format!("{} panel", pane.title()),
        };
        assert_eq!(focused(&editor), name);
    }
}

#[test]
fn how_handoffs_are_compared_how_runs_are_drawn_and_what_sounds_is_set_without_a_mouse() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = super::comfort::opened(settings.path());
    tab_to(&mut editor, "Skip the tour");
    key(&mut editor, Key::Enter);
    super::comfort::command(&mut editor, "go to: compare");
    tab_to(&mut editor, "Compare handoffs");
    tab_to(&mut editor, "Seconds for each handoff");
    tab_to(&mut editor, "Render cost of each picture, ms");
    types(&mut editor, "20");
    key(&mut editor, Key::Enter);
    tab_to(&mut editor, "Draw off screen");
    let wanted = editor.state().inspector().comparison_wanted();
    assert_eq!((wanted.seconds, wanted.render_cost), (5, Nanos::from_millis(20)));

    keys(&mut editor, Modifiers::COMMAND, Key::Comma);
    for label in [
        "Volume 25 %",
        "Pictures in flight: 3",
        "Instance buffers: 4",
        "Workers: 1",
        "Cores: one of its own each",
        "Simulation wakes: precise",
        "Observers of the lockstep: 2",
    ] {
        tab_to(&mut editor, label);
        key(&mut editor, Key::Space);
    }
    tab_to(&mut editor, "Cost of each observer, ms");
    types(&mut editor, "12.5");
    key(&mut editor, Key::Enter);
    tab_to(&mut editor, "Close");
    key(&mut editor, Key::Enter);
    let settings = editor.state().settings();
    assert_eq!(settings.volume_percent, 25);
    let limits = settings.flight_limits();
    assert_eq!((limits.frames_in_flight(), limits.instance_buffers()), (3, 4));
    let threads = settings.threads;
    assert_eq!((threads.workers, threads.own_cores), (Some(1), true));
    assert_eq!((threads.precise, threads.render_precise, threads.observers), (true, false, 2));
    assert_eq!(threads.observer_cost(), Nanos(12_500_000));

    press(&mut editor, "Ball 02");
    super::comfort::command(&mut editor, "go to: properties");
    for field in ["When", "Wave", "Frequency", "Length", "Volume", "Max distance"] {
        tab_to(&mut editor, field);
    }
}

#[test]
fn the_log_is_filtered_marked_and_copied_by_keys() {
    let settings = tempfile::tempdir().unwrap();
    let line = |text: &str| log_lines::LogLine {
        at: Nanos::from_millis(5),
        level: tracing::Level::INFO,
        source: "framewalk".to_owned(),
        text: text.to_owned(),
    };
    let lines = log_lines::LogLines::of(["apple one", "pear", "apple two"].map(line));
    let mut editor = open_with(Some(sample("first-steps")), settings.path(), lines);
    editor.run();
    keys(&mut editor, Modifiers::ALT, Key::Num8);
    assert_eq!(focused(&editor), "Log panel");
    key(&mut editor, Key::Tab);
    types(&mut editor, "apple");
    keys(&mut editor, Modifiers::ALT, Key::Num8);
    key(&mut editor, Key::ArrowUp);
    keys(&mut editor, Modifiers::SHIFT, Key::ArrowUp);
    editor.event(egui::Event::Copy);
    editor.step();
    let copied = editor.output().platform_output.commands.iter().find_map(|command| match command {
        egui::OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    let copied = copied.expect("the lines are copied");
    assert_eq!(copied.lines().count(), 2, "{copied}");
    assert!(!copied.contains("pear"));
}

/// Where the keyboard is can be seen: around each stop of the Tab key something changes when it comes there.
#[test]
fn every_stop_of_the_tab_key_is_seen_in_both_themes() {
    for theme in [egui::Theme::Dark, egui::Theme::Light] {
        let settings = tempfile::tempdir().unwrap();
        let options = options(Some(sample("first-steps")), settings.path(), log_lines::channel().1);
        let mut editor = Harness::builder()
            .with_size([1280.0, 800.0])
            .with_max_steps(30)
            .wgpu()
            .build_eframe(|cc| EditorApp::new(cc, options));
        editor.run();
        let command = if theme == egui::Theme::Light { "light theme" } else { "dark theme" };
        super::comfort::command(&mut editor, command);
        press(&mut editor, "Skip the tour");
        press(&mut editor, "Play");
        passes(&mut editor, 30);
        press(&mut editor, "Pause");
        key(&mut editor, Key::Escape);
        let without = editor.render().expect("the software adapter draws");
        let mut seen = std::collections::BTreeSet::new();
        let mut unseen = Vec::new();
        for _ in 0..90 {
            if focused(&editor).ends_with("iewport") {
                // It keeps the Tab key for the game.
                key(&mut editor, Key::F6);
            } else {
                key(&mut editor, Key::Tab);
            }
            let name = focused(&editor);
            if name.is_empty() || !seen.insert(name.clone()) {
                continue;
            }
            let rect = focused_rect(&editor).expand(3.0);
            let with = editor.render().expect("the software adapter draws");
            let changed = (rect.left().max(0.0) as u32..rect.right().min(1279.0) as u32)
                .flat_map(|x| {
                    (rect.top().max(0.0) as u32..rect.bottom().min(799.0) as u32).map(move |y| (x, y))
                })
                .filter(|&(x, y)| contrast(without.get_pixel(x, y).0, with.get_pixel(x, y).0) >= 1.5)
                .count();
            if changed < 30 {
                unseen.push(format!("{name}: {changed} pixels"));
            }
        }
        assert!(seen.len() > 25, "{seen:?}");
        assert_eq!(unseen, [""; 0], "{theme:?}");
    }
}

fn focused_rect(editor: &Harness<'_, EditorApp>) -> egui::Rect {
    let nodes = editor.query_all(egui_kittest::kittest::By::new().predicate(|node| node.is_focused()));
    nodes.map(|node| node.rect()).next_back().expect("it is shown")
}

/// Contrast of two colours as people with weak eyes need it: 1 the same, 21 black on white.
fn contrast(a: [u8; 4], b: [u8; 4]) -> f32 {
    let light = |color: [u8; 4]| {
        let linear = |channel: u8| (f32::from(channel) / 255.0).powf(2.2);
        0.2126 * linear(color[0]) + 0.7152 * linear(color[1]) + 0.0722 * linear(color[2]) + 0.05
    };
    let (a, b) = (light(a), light(b));
    a.max(b) / a.min(b)
}

/// As the window does it while it is hidden: no pass is run, and what is heard waits for the next one.
#[test]
fn a_key_that_came_up_while_the_window_was_hidden_is_pressed_anew() {
    let settings = tempfile::tempdir().unwrap();
    let mut editor = open(Some(sample("first-steps")), settings.path());
    editor.run();
    let armed =
        |editor: &Harness<'_, EditorApp>| editor.state().workspace().unwrap().session.choices.start_paused;
    editor.key_down(Key::F7);
    editor.run();
    assert!(armed(&editor));
    let of_key = |pressed| egui::Event::Key {
        key: Key::F7,
        physical_key: None,
        pressed,
        repeat: false,
        modifiers: Modifiers::NONE,
    };
    let hidden = egui::RawInput { events: vec![of_key(false)], ..egui::RawInput::default() };
    for _ in 0..3 {
        let ctx = editor.ctx.clone();
        let app = editor.state_mut();
        drop(ctx.run_logic(&hidden, |ctx| app.logic_pass(ctx)));
    }
    editor.input_mut().events.extend([of_key(false), of_key(true)]);
    editor.step();
    assert!(!armed(&editor), "it counts as a press, and not as one that goes on");
}
