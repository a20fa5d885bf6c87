//! The menu bar: the commands by name, the project and scene in the middle.

use egui::{EventFilter, FocusDirection, Key, Popup, Rangef, Response, RichText, Ui};
use framewalk_inspector::theme::Theme;

use crate::command::keymap::Keymap;
use crate::command::naming::Naming;
use crate::command::{Action, EditorCommand, NewEntity, PLACES, Situation};
use crate::panels::Pane;
use crate::project::store::spelt;
use crate::shell::areas;
use crate::shell::emblem::emblem;
use crate::shell::fonts::STRONG;
use crate::shell::welcome::Offer;
use crate::viewport::camera::Side;
use crate::viewport::gizmo::Tool;

/// What the bar shows beside the commands.
pub struct MenuFacts<'a> {
    pub situation: Situation,
    pub keymap: &'a Keymap,
    /// Project and scene file.
    pub title: Option<(String, String)>,
    /// The scene is not as in its file.
    pub dirty: bool,
    /// The project's scenes, and which one is open.
    pub scenes: &'a [String],
    pub scene: Option<&'a str>,
    /// Commands that stand for something that is on.
    pub ticked: &'a [EditorCommand],
    /// Projects that are known: recent ones and samples.
    pub known: &'a [&'a Offer],
    /// The first menu is to be opened, for the keyboard.
    pub wanted: bool,
}

const FILE: &[&[EditorCommand]] = &[
    &[EditorCommand::Name(Naming::NewProject), EditorCommand::OpenProject, EditorCommand::CloseProject],
    &[EditorCommand::Name(Naming::NewScene)],
    &[
        EditorCommand::Save,
        EditorCommand::Name(Naming::SaveAs),
        EditorCommand::SaveAll,
        EditorCommand::Revert,
    ],
    &[EditorCommand::Name(Naming::DuplicateScene), EditorCommand::Name(Naming::RenameScene)],
    &[EditorCommand::CloseScene, EditorCommand::CloseOtherScenes],
    &[EditorCommand::TakeOver],
    &[EditorCommand::Settings],
    &[EditorCommand::Quit],
];
const EDIT: &[&[EditorCommand]] = &[
    &[EditorCommand::Undo, EditorCommand::Redo],
    &[EditorCommand::Cut, EditorCommand::Copy, EditorCommand::Paste],
    &[EditorCommand::Duplicate, EditorCommand::Delete, EditorCommand::Rename],
    &[
        EditorCommand::MoveUp,
        EditorCommand::MoveDown,
        EditorCommand::MakeChildOfPrevious,
        EditorCommand::Unparent,
    ],
    &[EditorCommand::ToggleHidden, EditorCommand::ToggleLocked, EditorCommand::ShowAll],
    &[EditorCommand::SelectAll, EditorCommand::ClearSelection],
];
const RUN: &[&[EditorCommand]] = &[
    &[EditorCommand::PlayOrResume, EditorCommand::Pause, EditorCommand::Stop, EditorCommand::Restart],
    &[EditorCommand::StepStage, EditorCommand::StepFrame, EditorCommand::StepTick],
    &[EditorCommand::Slower, EditorCommand::NormalSpeed, EditorCommand::Faster],
    &[
        EditorCommand::EditSpeed,
        EditorCommand::EditTickRate,
        EditorCommand::EditFrameRate,
        EditorCommand::EditPhysicsDivisor,
        EditorCommand::EditHandoff,
    ],
    &[EditorCommand::CompareHandoffs],
    &[EditorCommand::MuteSounds],
];
const SCENE: &[&[EditorCommand]] = &[
    &[EditorCommand::LocalAxes],
    &[EditorCommand::FrameSelection, EditorCommand::FrameAll],
    &[
        EditorCommand::NextScene,
        EditorCommand::PreviousScene,
        EditorCommand::SceneRight,
        EditorCommand::SceneLeft,
    ],
    &[EditorCommand::OpenSceneFile, EditorCommand::OpenSceneFolder, EditorCommand::OpenProjectFile],
];
const VIEW: &[&[EditorCommand]] = &[
    &[
        EditorCommand::Orthographic,
        EditorCommand::LookThroughCamera,
        EditorCommand::DrawLastTick,
        EditorCommand::ShowGrid,
        EditorCommand::ShowGhosts,
        EditorCommand::ShowTrails,
    ],
    &[EditorCommand::GoLive],
    &[EditorCommand::ThemeSystem, EditorCommand::ThemeDark, EditorCommand::ThemeLight],
    &[EditorCommand::ZoomIn, EditorCommand::ZoomOut, EditorCommand::ZoomReset],
    &[EditorCommand::MaximiseViewport, EditorCommand::ResetLayout],
    &[EditorCommand::MenuBar, EditorCommand::NextArea, EditorCommand::PreviousArea],
];
const HELP: &[&[EditorCommand]] = &[&[EditorCommand::Palette, EditorCommand::TakeTour]];

/// Draws the bar into a panel of its height.
pub fn ui(ui: &mut Ui, facts: &MenuFacts<'_>, actions: &mut Vec<Action>) {
    let theme = Theme::of(ui);
    let whole = ui.max_rect();
    // What lies between the menus and the button at the right.
    let mut room = whole.x_range();
    ui.horizontal_centered(|ui| {
        ui.add_space(4.0);
        emblem(ui, &theme);
        let name = RichText::new("Framewalk").family(egui::FontFamily::Name(STRONG.into()));
        ui.add(egui::Label::new(name));
        ui.add_space(4.0);
        egui::MenuBar::new().ui(ui, |ui| {
            let menus = [
                ui.menu_button("File", |ui| file_menu_ui(ui, facts, actions)).response,
                ui.menu_button("Edit", |ui| groups_ui(ui, EDIT, facts, actions)).response,
                ui.menu_button("Scene", |ui| scene_menu_ui(ui, facts, actions)).response,
                ui.menu_button("Run", |ui| groups_ui(ui, RUN, facts, actions)).response,
                ui.menu_button("View", |ui| view_menu_ui(ui, facts, actions)).response,
                ui.menu_button("Help", |ui| groups_ui(ui, HELP, facts, actions)).response,
            ];
            room.min = menus[menus.len() - 1].rect.right();
            areas::note(ui.ctx(), menus[0].id, whole);
            walk_menus(ui, &menus, facts.wanted);
        });
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.add_space(8.0);
            let keys = facts.keymap.text(ui.ctx(), EditorCommand::Palette);
            let button = egui::Button::new("Commands").shortcut_text(keys).frame_when_inactive(false);
            let button = ui.add(button).accessible_name("Commands");
            room.max = button.rect.left();
            if button.on_hover_text(EditorCommand::Palette.tooltip()).clicked() {
                actions.push(Action::Command(EditorCommand::Palette));
            }
        });
    });
    if let Some((project, scene)) = &facts.title {
        title_ui(ui, &theme, (whole, room), project, scene, facts.dirty);
    }
}

/// The arrow keys on the bar: aside to the next menu, which opens where one is open already; down opens one.
fn walk_menus(ui: &Ui, menus: &[Response], wanted: bool) {
    let open = |menu: &Response| {
        menu.request_focus();
        Popup::open_id(ui.ctx(), Popup::default_response_id(menu));
        ui.ctx().request_repaint();
    };
    if wanted {
        return menus.first().map_or((), open);
    }
    let Some(at) = menus.iter().position(Response::has_focus) else { return };
    let filter = EventFilter { horizontal_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(menus[at].id, filter));
    let is_open = |menu: &Response| Popup::is_id_open(ui.ctx(), Popup::default_response_id(menu));
    let [left, right, down] = [Key::ArrowLeft, Key::ArrowRight, Key::ArrowDown]
        .map(|key| ui.input(|input| input.modifiers.is_none() && input.key_pressed(key)));
    if left || right {
        let next = if right { (at + 1) % menus.len() } else { (at + menus.len() - 1) % menus.len() };
        if menus.iter().any(is_open) {
            open(&menus[next]);
        } else {
            menus[next].request_focus();
        }
    } else if down && !is_open(&menus[at]) {
        // Not on to what stands below the bar.
        ui.memory_mut(|memory| memory.move_focus(FocusDirection::None));
        open(&menus[at]);
    }
}

fn file_menu_ui(ui: &mut Ui, facts: &MenuFacts<'_>, actions: &mut Vec<Action>) {
    ui.menu_button("Open recent or sample", |ui| {
        for offer in facts.known {
            if ui.button(&offer.name).on_hover_text(offer.path.display().to_string()).clicked() {
                actions.push(Action::OpenPath(offer.path.clone()));
            }
        }
    });
    groups_ui(ui, FILE, facts, actions);
}

fn scene_menu_ui(ui: &mut Ui, facts: &MenuFacts<'_>, actions: &mut Vec<Action>) {
    for scene in facts.scenes {
        let open = facts.scene == Some(scene.as_str());
        if ui.add(egui::Button::selectable(open, scene.as_str())).clicked() && !open {
            actions.push(Action::OpenScene(scene.clone()));
        }
    }
    if !facts.scenes.is_empty() {
        ui.separator();
    }
    ui.menu_button("Add", |ui| {
        for command in NewEntity::ALL.map(EditorCommand::Add) {
            if command_ui(ui, command, facts) {
                actions.push(Action::Command(command));
            }
        }
    });
    ui.menu_button("Tool", |ui| {
        for command in Tool::ALL.map(EditorCommand::Tool) {
            if command_ui(ui, command, facts) {
                actions.push(Action::Command(command));
            }
        }
    });
    groups_ui(ui, SCENE, facts, actions);
}

fn view_menu_ui(ui: &mut Ui, facts: &MenuFacts<'_>, actions: &mut Vec<Action>) {
    groups_ui(ui, VIEW, facts, actions);
    ui.separator();
    ui.menu_button("Look from the side", |ui| {
        for command in Side::ALL.map(EditorCommand::LookFrom) {
            if command_ui(ui, command, facts) {
                actions.push(Action::Command(command));
            }
        }
    });
    ui.menu_button("Look from", |ui| {
        for command in (1..=PLACES).map(EditorCommand::GoToPlace) {
            if command_ui(ui, command, facts) {
                actions.push(Action::Command(command));
            }
        }
    });
    ui.menu_button("Keep this view as", |ui| {
        for command in (1..=PLACES).map(EditorCommand::KeepPlace) {
            if command_ui(ui, command, facts) {
                actions.push(Action::Command(command));
            }
        }
    });
    for (title, commands) in [
        ("Go to panel", Pane::ALL.map(EditorCommand::ShowPanel)),
        ("Panels", Pane::ALL.map(EditorCommand::TogglePanel)),
        ("Own windows", Pane::ALL.map(EditorCommand::OwnWindow)),
    ] {
        ui.menu_button(title, |ui| {
            for command in commands {
                if command_ui(ui, command, facts) {
                    actions.push(Action::Command(command));
                }
            }
        });
    }
}

fn groups_ui(ui: &mut Ui, groups: &[&[EditorCommand]], facts: &MenuFacts<'_>, actions: &mut Vec<Action>) {
    ui.set_min_width(230.0);
    for (index, group) in groups.iter().enumerate() {
        if index > 0 {
            ui.separator();
        }
        for &command in *group {
            if command_ui(ui, command, facts) {
                actions.push(Action::Command(command));
            }
        }
    }
}

/// One line of a menu: label, key, tooltip; disabled with its reason.
fn command_ui(ui: &mut Ui, command: EditorCommand, facts: &MenuFacts<'_>) -> bool {
    let allowed = command.allowed(&facts.situation);
    // "Paused" is what the lit button says; in a menu the command is Pause.
    let label = match command {
        EditorCommand::Pause => command.label().to_owned(),
        EditorCommand::GoToPlace(place) | EditorCommand::KeepPlace(place) => format!("Place {place}"),
        _ => command.label_in(facts.situation.phase).to_owned(),
    };
    let keys = facts.keymap.text(ui.ctx(), command);
    let button =
        egui::Button::selectable(facts.ticked.contains(&command), label.as_str()).shortcut_text(keys);
    // Without its key, which a screen reader reads by itself.
    let response = ui.add_enabled(allowed.is_ok(), button).accessible_name(label.as_str());
    let response = match allowed {
        Ok(()) => response.on_hover_text(command.tooltip()),
        Err(reason) => response.on_disabled_hover_text(reason),
    };
    response.clicked()
}

/// What stands apart from the title at its left, and at its right, where the mark of unsaved work is.
const TITLE_MARGIN: f32 = 20.0;

/// Where the title begins, and how wide it may be: in the middle of the bar, but on nothing else.
fn title_within(width: f32, whole: Rangef, room: Rangef) -> (f32, f32) {
    let most = (room.span() - 2.0 * TITLE_MARGIN).max(0.0);
    let width = width.min(most);
    let least = room.min + TITLE_MARGIN;
    let last = (room.max - TITLE_MARGIN - width).max(least);
    ((whole.center() - 0.5 * width).clamp(least, last), most)
}

/// `whole` is the bar, `room` what of it is free.
fn title_ui(
    ui: &Ui,
    theme: &Theme,
    (whole, room): (egui::Rect, Rangef),
    project: &str,
    scene: &str,
    dirty: bool,
) {
    let font = Theme::text_font(ui);
    let mut job = egui::text::LayoutJob::default();
    let mut part = |text: &str, color| {
        job.append(text, 0.0, egui::TextFormat::simple(font.clone(), color));
    };
    part(&spelt::line(project), theme.text);
    part("  /  ", theme.faint);
    part(scene, theme.text);
    let width = ui.painter().layout_job(job.clone()).size().x;
    let (left, most) = title_within(width, whole.x_range(), room);
    if width > most {
        job.wrap = egui::text::TextWrapping::truncate_at_width(most);
    }
    let galley = ui.painter().layout_job(job);
    let at = egui::pos2(left, whole.center().y - 0.5 * galley.size().y);
    let end = at + galley.size();
    ui.painter().galley(at, galley, theme.text);
    if dirty {
        let dot = egui::pos2(end.x + 10.0, whole.center().y);
        ui.painter().circle_filled(dot, 4.0, theme.run);
        let place = egui::Rect::from_center_size(dot, egui::vec2(14.0, 14.0));
        let response = ui.interact(place, egui::Id::unique("framewalk_dirty"), egui::Sense::hover());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, "Not saved"));
        response.on_hover_text("The scene has changes that are not in its file.");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_title_stands_in_the_middle_of_the_bar_and_never_on_a_menu_or_a_button() {
        let of = |width, end, room| title_within(width, Rangef::new(0.0, end), room);
        assert_eq!(of(200.0, 1000.0, Rangef::new(300.0, 900.0)), (400.0, 560.0));
        assert_eq!(of(200.0, 640.0, Rangef::new(340.0, 510.0)), (360.0, 130.0), "cut to what is free");
        assert_eq!(of(100.0, 640.0, Rangef::new(300.0, 510.0)), (320.0, 170.0), "moved aside");
        assert_eq!(of(100.0, 300.0, Rangef::new(310.0, 200.0)), (330.0, 0.0), "no room at all");
    }

    #[test]
    fn every_command_stands_in_a_menu() {
        let listed: Vec<_> =
            [FILE, EDIT, RUN, SCENE, VIEW, HELP].into_iter().flatten().copied().flatten().collect();
        for command in EditorCommand::ALL {
            assert_eq!(listed.iter().filter(|listed| **listed == command).count(), 1, "{command:?}");
        }
    }
}
