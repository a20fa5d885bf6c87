//! Preferences: theme, zoom, what happens while the window is hidden, how a run is drawn, and every key.

use std::iter;

use egui::{Event, RichText, Ui};
use framewalk_inspector::history::History;
use framewalk_inspector::theme::{Theme, size};
use framewalk_inspector::wording;
use framewalk_runtime::frame::record::MOST_OBSERVERS;
use framewalk_runtime::render::FlightLimits;

use crate::command::keymap::{KeyRefusal, Keymap, digit, pressed};
use crate::command::search::score;
use crate::command::{Action, EditorCommand};
use crate::panels::history::memory;
use crate::settings::{
    AUTOSAVES, HISTORIES, MOST_OBSERVER_COST, Settings, ThemeChoice, ThreadSettings, UNDO_MEMORIES, VOLUMES,
    WhenHidden, ZOOMS,
};

/// What the window shows.
pub struct PreferencesFacts<'a> {
    pub settings: &'a Settings,
    pub keymap: &'a Keymap,
    /// Where settings are kept.
    pub file: &'a str,
    /// Logical cores that this program may use.
    pub cores: usize,
}

/// What the window remembers while it is open.
#[derive(Clone, Debug, Default)]
pub struct PreferencesView {
    page: Page,
    search: String,
    asking: Option<Asking>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Page {
    #[default]
    General,
    Keys,
}

/// A command waits for its new key.
#[derive(Clone, Debug)]
struct Asking {
    command: EditorCommand,
    /// A key that was pressed and cannot be given at once.
    refused: Option<(egui::KeyboardShortcut, KeyRefusal)>,
}

impl PreferencesView {
    /// The next key is for a command, Escape included.
    #[must_use]
    pub fn waits_for_key(&self) -> bool {
        self.asking.is_some()
    }
}

/// Draws the window; true when it is done.
pub fn ui(
    ui: &mut Ui,
    view: &mut PreferencesView,
    facts: &PreferencesFacts<'_>,
    actions: &mut Vec<Action>,
) -> bool {
    let screen = ui.ctx().content_rect().size();
    ui.set_width(600.0_f32.min(screen.x - 72.0));
    ui.set_height(600.0_f32.min(screen.y - 90.0));
    ui.label(RichText::new("Preferences").size(15.0));
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        for (page, label) in [(Page::General, "General"), (Page::Keys, "Keys")] {
            if ui.selectable_label(view.page == page, label).clicked() {
                view.page = page;
                view.asking = None;
            }
        }
    });
    ui.separator();
    let room = ui.available_height() - 40.0;
    // Each page stands where it was left.
    let area = egui::ScrollArea::vertical().id_salt(view.page as u8);
    area.max_height(room).min_scrolled_height(room).auto_shrink(false).show(ui, |ui| match view.page {
        Page::General => general_ui(ui, facts, actions),
        Page::Keys => keys_ui(ui, view, facts.keymap, actions),
    });
    ui.separator();
    ui.button("Close").clicked()
}

fn general_ui(ui: &mut Ui, facts: &PreferencesFacts<'_>, actions: &mut Vec<Action>) {
    let theme = Theme::of(ui);
    let settings = facts.settings;
    section(ui, &theme, "Theme");
    ui.horizontal(|ui| {
        for (choice, command, label) in [
            (ThemeChoice::System, EditorCommand::ThemeSystem, "As the system"),
            (ThemeChoice::Dark, EditorCommand::ThemeDark, "Dark"),
            (ThemeChoice::Light, EditorCommand::ThemeLight, "Light"),
        ] {
            let radio = ui.radio(settings.theme == choice, label).on_hover_text(command.tooltip());
            if radio.clicked() {
                actions.push(Action::Command(command));
            }
        }
    });
    section(ui, &theme, "Zoom");
    ui.horizontal(|ui| {
        for zoom in ZOOMS {
            let chosen = (settings.zoom - zoom).abs() < 0.005;
            let text = format!("{:.0} %", zoom * 100.0);
            if ui.selectable_label(chosen, theme.figure(text)).clicked() {
                actions.push(Action::SetZoom(zoom));
            }
        }
    });
    let keys =
        [EditorCommand::ZoomIn, EditorCommand::ZoomOut].map(|command| facts.keymap.text(ui.ctx(), command));
    let note =
        format!("Now {:.0} %. {} and {} change it by a tenth.", settings.zoom * 100.0, keys[0], keys[1]);
    ui.label(RichText::new(note).color(theme.dim));
    section(ui, &theme, "Snapping");
    crate::viewport::gizmo::strip::steps_ui(ui, settings.steps, actions);
    section(ui, &theme, "While the window is hidden");
    ui.horizontal(|ui| {
        for (choice, label) in
            [(WhenHidden::KeepRunning, "A run goes on"), (WhenHidden::Pause, "A run is paused")]
        {
            if ui.radio(settings.when_hidden == choice, label).clicked() {
                actions.push(Action::SetWhenHidden(choice));
            }
        }
    });
    section(ui, &theme, "Sounds of a run");
    ui.horizontal(|ui| {
        ui.label("Volume");
        for hundredths in VOLUMES {
            let text = theme.figure(format!("{hundredths} %"));
            let chosen = ui.selectable_label(settings.volume_percent == hundredths, text);
            let label = format!("Volume {hundredths} %");
            if chosen.accessible_name(label).clicked() {
                actions.push(Action::SetVolume(hundredths));
            }
        }
        let mut muted = settings.muted;
        let mute = EditorCommand::MuteSounds;
        if ui.checkbox(&mut muted, "Muted").on_hover_text(mute.tooltip()).clicked() {
            actions.push(Action::Command(mute));
        }
    });
    section(ui, &theme, "Unsaved work is kept for recovery");
    ui.horizontal(|ui| {
        for seconds in AUTOSAVES {
            let text = format!("after {seconds} s");
            if ui.selectable_label(settings.autosave_seconds == seconds, text).clicked() {
                actions.push(Action::SetAutosave(seconds));
            }
        }
    });
    ui.label(RichText::new("Outside of the project; it is offered after a crash.").color(theme.dim));
    history_ui(ui, &theme, settings, actions);
    undo_ui(ui, &theme, settings, actions);
    flight_ui(ui, &theme, settings, actions);
    threads_ui(ui, &theme, settings, facts.cores, actions);
    section(ui, &theme, "Kept in");
    ui.add(egui::Label::new(RichText::new(facts.file).monospace().color(theme.dim)).selectable(true).wrap());
}

fn history_ui(ui: &mut Ui, theme: &Theme, settings: &Settings, actions: &mut Vec<Action>) {
    section(ui, theme, "History");
    let now = settings.history_frames();
    ui.horizontal(|ui| {
        for frames in HISTORIES {
            let text = theme.figure(wording::grouped(frames as u64));
            let memory = wording::bytes(frames.saturating_mul(History::BYTES_A_FRAME));
            let chosen = ui.selectable_label(now == frames, text).on_hover_text(format!("Up to {memory}."));
            if chosen.clicked() && now != frames {
                actions.push(Action::SetHistoryFrames(frames));
            }
        }
    });
    let memory = wording::bytes(now.saturating_mul(History::BYTES_A_FRAME));
    let note = format!(
        "Keeps the records of the newest {} frames: up to {memory}, {} bytes a frame. With fewer, the oldest go at once.",
        wording::grouped(now as u64),
        History::BYTES_A_FRAME
    );
    ui.add(egui::Label::new(RichText::new(note).color(theme.dim)).wrap());
}

fn undo_ui(ui: &mut Ui, theme: &Theme, settings: &Settings, actions: &mut Vec<Action>) {
    section(ui, theme, "Memory for undo");
    ui.horizontal_wrapped(|ui| {
        let some = UNDO_MEMORIES.map(Some).into_iter();
        for choice in some.chain([None]) {
            let text = match choice {
                Some(mebibytes) => theme.figure(memory((mebibytes as usize) << 20)),
                None => RichText::new("as much as there is"),
            };
            let label = ui.selectable_label(settings.undo_mebibytes == choice, text);
            if label.clicked() && settings.undo_mebibytes != choice {
                actions.push(Action::SetUndoMemory(choice));
            }
        }
    });
    let note = "In each scene. Past it the oldest steps are forgotten, with less of it at once; the last step is always kept.";
    ui.add(egui::Label::new(RichText::new(note).color(theme.dim)).wrap());
}

/// How a run is drawn.
fn flight_ui(ui: &mut Ui, theme: &Theme, settings: &Settings, actions: &mut Vec<Action>) {
    section(ui, theme, "Drawing a run");
    let limits = settings.flight_limits();
    let (frames_in_flight, instance_buffers) = (limits.frames_in_flight(), limits.instance_buffers());
    let mut choice = |ui: &mut Ui, label: &str, most: u8, now: u8, set: &dyn Fn(u8) -> Action| {
        ui.label(label);
        ui.horizontal(|ui| {
            for number in 1..=most {
                let chosen = ui
                    .selectable_label(now == number, theme.figure(number.to_string()))
                    .accessible_name(format!("{label}: {number}"));
                if chosen.clicked() && now != number {
                    actions.push(set(number));
                }
            }
        });
        ui.end_row();
    };
    egui::Grid::new("drawing a run").spacing([16.0, 3.0]).show(ui, |ui| {
        let most = FlightLimits::MOST_FRAMES_IN_FLIGHT;
        choice(ui, "Pictures in flight", most, frames_in_flight, &|frames_in_flight| Action::SetFlight {
            frames_in_flight,
            instance_buffers,
        });
        let most = FlightLimits::MOST_INSTANCE_BUFFERS;
        choice(ui, "Instance buffers", most, instance_buffers, &|instance_buffers| Action::SetFlight {
            frames_in_flight,
            instance_buffers,
        });
    });
    let note = "From the next Play on. Pictures in flight are in the GPU's queue: more keep it busy, fewer show what is newer. \
                One buffer more than those is enough; with fewer the render thread stalls, and Threads says how often.";
    ui.add(egui::Label::new(RichText::new(note).color(theme.dim)).wrap());
}

/// How the threads of a run are set up.
fn threads_ui(ui: &mut Ui, theme: &Theme, settings: &Settings, cores: usize, actions: &mut Vec<Action>) {
    section(ui, theme, "Threads of a run");
    let now = settings.threads;
    egui::Grid::new("threads of a run").spacing([16.0, 3.0]).show(ui, |ui| {
        let mut row = |ui: &mut Ui, label: &str, choices: &[(String, ThreadSettings)]| {
            ui.label(label);
            ui.horizontal(|ui| {
                for (name, setting) in choices {
                    let chosen = ui
                        .selectable_label(now == *setting, theme.figure(name))
                        .accessible_name(format!("{label}: {name}"));
                    if chosen.clicked() && now != *setting {
                        actions.push(Action::SetThreads(*setting));
                    }
                }
            });
            ui.end_row();
        };
        let most = u8::try_from(cores).unwrap_or(u8::MAX).min(12);
        let automatic = ("automatic".to_owned(), ThreadSettings { workers: None, ..now });
        let numbers =
            (0..=most).map(|workers| (workers.to_string(), ThreadSettings { workers: Some(workers), ..now }));
        row(ui, "Workers", &iter::once(automatic).chain(numbers).collect::<Vec<_>>());
        let two = |off: &str, on: &str, of: &dyn Fn(bool) -> ThreadSettings| {
            [(off.to_owned(), of(false)), (on.to_owned(), of(true))]
        };
        row(
            ui,
            "Cores",
            &two("wherever there is room", "one of its own each", &|own_cores| ThreadSettings {
                own_cores,
                ..now
            }),
        );
        row(ui, "Simulation wakes", &two("relaxed", "precise", &|precise| ThreadSettings { precise, ..now }));
        row(
            ui,
            "Render thread wakes",
            &two("relaxed", "precise", &|render_precise| ThreadSettings { render_precise, ..now }),
        );
        let numbers = (0..=MOST_OBSERVERS as u8)
            .map(|observers| (observers.to_string(), ThreadSettings { observers, ..now }));
        row(ui, "Observers of the lockstep", &numbers.collect::<Vec<_>>());
        observer_cost_ui(ui, now, actions);
    });
    let note = "From the next Play on. Workers help with the ticks, and change nothing of what they come to. Relaxed is late by \
                what waking takes, some 100 µs; precise spins for a moment before each deadline, for one or two parts in a \
                hundred of a core. Observers are more readers of every frame beside the render thread: in lockstep all wait for \
                the slowest, as Handoff shows, and in the other handoffs they wait. With a cost each of them is busy for so \
                long with every frame.";
    ui.add(egui::Label::new(RichText::new(note).color(theme.dim)).wrap());
    if now.own_cores {
        let note = match cores {
            1 => "This program may use one core only: each thread runs on that.",
            _ => "Which thread stays on which core is said in the Threads panel.",
        };
        ui.add(egui::Label::new(RichText::new(note).color(theme.dim)).wrap());
    }
}

/// As `run --observer-cost`.
fn observer_cost_ui(ui: &mut Ui, now: ThreadSettings, actions: &mut Vec<Action>) {
    const LABEL: &str = "Cost of each observer";
    ui.label(LABEL);
    let mut millis = now.observer_cost().as_millis_f64();
    // As many digits as it has, to a microsecond.
    let shown = |millis: f64, _| format!("{}", (millis * 1000.0).round() / 1000.0);
    let most = MOST_OBSERVER_COST.as_millis_f64();
    let value = egui::DragValue::new(&mut millis).range(0.0..=most).speed(0.25).custom_formatter(shown);
    let value = ui.add_enabled(now.observers() > 0, value.suffix(" ms").update_while_editing(false));
    let what = "How long each of them takes at least with every frame, 0 to 1000 ms: as run --observer-cost.";
    let value = value.accessible_name(format!("{LABEL}, ms")).on_hover_text(what);
    if value.on_disabled_hover_text("There is no observer.").changed() {
        let observer_cost_micros = (millis * 1000.0).round() as u32;
        actions.push(Action::SetThreads(ThreadSettings { observer_cost_micros, ..now }));
    }
    ui.end_row();
}

fn section(ui: &mut Ui, theme: &Theme, title: &str) {
    ui.add_space(10.0);
    ui.label(theme.section(title));
}

fn keys_ui(ui: &mut Ui, view: &mut PreferencesView, keymap: &Keymap, actions: &mut Vec<Action>) {
    let theme = Theme::of(ui);
    take_key(ui, view, keymap, actions);
    ui.horizontal(|ui| {
        let search =
            egui::TextEdit::singleline(&mut view.search).hint_text("Find a command…").desired_width(240.0);
        ui.add(search).accessible_name("Find a command to change its key");
        let reset = ui.add_enabled(keymap.has_changes(), egui::Button::new("Reset all keys"));
        let reset = reset.on_hover_text("Gives every command the keys it had at first.");
        if reset.on_disabled_hover_text("No key has been changed.").clicked() {
            actions.push(Action::ResetKeys);
            view.asking = None;
        }
    });
    for (keys, holder, other) in keymap.clashes() {
        let keys = ui.ctx().format_shortcut(&keys);
        let text = format!(
            "{keys} is given twice: {} has it, {} does not.",
            holder.full_label(),
            other.full_label()
        );
        ui.colored_label(theme.late, text);
    }
    ui.add_space(4.0);
    egui::Grid::new("keys")
        .num_columns(3)
        .spacing([12.0, 3.0])
        .striped(true)
        .min_col_width(ui.available_width() / 5.0)
        .show(ui, |ui| {
            for command in EditorCommand::every() {
                if score(&view.search, &command.full_label()).is_some() {
                    key_row_ui(ui, &theme, view, keymap, command, actions);
                    ui.end_row();
                }
            }
        });
}

/// While a command waits for its key, the next press is that key and goes nowhere else; Escape lets it be.
fn take_key(ui: &Ui, view: &mut PreferencesView, keymap: &Keymap, actions: &mut Vec<Action>) {
    let Some(asking) = &mut view.asking else { return };
    let press = ui.input_mut(|input| {
        let mut found = None;
        input.events.retain(|event| match event {
            Event::Key { key, physical_key, pressed: true, repeat: false, modifiers } if found.is_none() => {
                found = Some((*modifiers, digit(*key, *physical_key)));
                false
            }
            Event::Text(_) => false,
            _ => true,
        });
        found
    });
    let Some((modifiers, key)) = press else { return };
    if key == egui::Key::Escape {
        view.asking = None;
        return;
    }
    let shortcut = pressed(modifiers, key);
    match keymap.may_give(asking.command, shortcut) {
        Ok(()) => {
            actions.push(Action::SetKeys(asking.command, Some(vec![shortcut])));
            view.asking = None;
        }
        Err(refusal) => asking.refused = Some((shortcut, refusal)),
    }
}

fn key_row_ui(
    ui: &mut Ui,
    theme: &Theme,
    view: &mut PreferencesView,
    keymap: &Keymap,
    command: EditorCommand,
    actions: &mut Vec<Action>,
) {
    let label = command.full_label();
    ui.label(&label).on_hover_text(command.tooltip());
    let keys: Vec<String> = keymap.keys(command).iter().map(|keys| ui.ctx().format_shortcut(keys)).collect();
    let asking = view.asking.as_ref().filter(|asking| asking.command == command).cloned();
    let text = match (&asking, keys.is_empty()) {
        (Some(_), _) => RichText::new("press a key…").color(theme.accent),
        (None, true) => RichText::new("none").color(theme.faint),
        (None, false) => theme.figure(keys.join("  ")),
    };
    let button = ui.add(egui::Button::new(text).min_size(egui::vec2(160.0, 20.0)));
    let button = button.accessible_name(format!("Change the key of {label}"));
    if button.on_hover_text("Click, then press the new key. Escape keeps the old one.").clicked() {
        view.asking = Some(Asking { command, refused: None });
    }
    ui.horizontal(|ui| {
        if let Some(Asking { refused: Some((shortcut, refusal)), .. }) = asking {
            refusal_ui(ui, theme, view, command, shortcut, refusal, actions);
            return;
        }
        if keymap.is_changed(command) {
            let reset = ui.small_button("Reset").accessible_name(format!("Reset the key of {label}"));
            if reset.on_hover_text("Gives it back the key it had at first.").clicked() {
                actions.push(Action::SetKeys(command, None));
            }
        }
        if !keys.is_empty() {
            let clear = ui.small_button("None").accessible_name(format!("Take the key from {label}"));
            if clear.on_hover_text("Leaves this command without a key.").clicked() {
                actions.push(Action::SetKeys(command, Some(Vec::new())));
            }
        }
    });
}

/// Says why a key cannot be given, and offers to take it from who has it.
fn refusal_ui(
    ui: &mut Ui,
    theme: &Theme,
    view: &mut PreferencesView,
    command: EditorCommand,
    shortcut: egui::KeyboardShortcut,
    refusal: KeyRefusal,
    actions: &mut Vec<Action>,
) {
    let keys = ui.ctx().format_shortcut(&shortcut);
    let small = |text: String| RichText::new(text).size(size::SMALL).color(theme.late);
    match refusal {
        KeyRefusal::Reserved => {
            ui.label(small(format!("{keys} is kept for finding one's way.")));
        }
        KeyRefusal::TakenBy(holder) => {
            ui.label(small(format!("{keys} is {}'s.", holder.full_label())));
            if ui.small_button("Take it").clicked() {
                actions.push(Action::SetKeys(command, Some(vec![shortcut])));
                view.asking = None;
            }
        }
    }
}
