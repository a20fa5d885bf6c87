//! Everything a person can ask the editor for: one list, from which menus, buttons, keys and tooltips are made.
//!
//! The file is long because each command says all about itself here: its label, its tooltip, and why it is not allowed.

pub mod answer;
pub mod dispatch;
pub mod keymap;
mod keys;
pub mod naming;
pub mod search;

use egui::{Key, KeyboardShortcut, Modifiers};
use framewalk_runtime::frame::record::HandoffMode;
use framewalk_runtime::scene::project::PhysicsDivisor;

use self::answer::Answer;
pub use self::keys::Keys;
use self::keys::{GO_KEYS, KEEP_KEYS, key, panel_keys, place_keys, scene_keys, side_keys, tool_keys, with};
use self::naming::Naming;
use crate::panels::Pane;
use crate::session::Phase;
use crate::viewport::camera::Side;
use crate::viewport::gizmo::Tool;

/// A command. Its label, tooltip, shortcut and the reason why it is not allowed stand on the variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EditorCommand {
    OpenProject,
    /// What needs a name first.
    Name(Naming),
    CloseProject,
    Quit,
    Settings,
    Palette,
    Save,
    SaveAll,
    Revert,
    CloseScene,
    CloseOtherScenes,
    NextScene,
    PreviousScene,
    SceneRight,
    SceneLeft,
    TakeOver,
    Undo,
    Redo,
    Cut,
    Copy,
    Paste,
    Duplicate,
    Delete,
    Rename,
    MoveUp,
    MoveDown,
    MakeChildOfPrevious,
    Unparent,
    ToggleHidden,
    ToggleLocked,
    ShowAll,
    PlayOrResume,
    Pause,
    Stop,
    Restart,
    StepStage,
    StepFrame,
    StepTick,
    Slower,
    NormalSpeed,
    Faster,
    EditSpeed,
    EditTickRate,
    EditFrameRate,
    EditPhysicsDivisor,
    EditHandoff,
    CompareHandoffs,
    MuteSounds,
    FrameSelection,
    FrameAll,
    SelectAll,
    ClearSelection,
    OpenSceneFile,
    OpenSceneFolder,
    OpenProjectFile,
    /// What a drag of the left button does.
    Tool(Tool),
    LocalAxes,
    /// Looks from a side, without perspective.
    LookFrom(Side),
    Orthographic,
    LookThroughCamera,
    DrawLastTick,
    ShowGrid,
    ShowGhosts,
    ShowTrails,
    GoLive,
    ThemeSystem,
    ThemeDark,
    ThemeLight,
    ZoomIn,
    ZoomOut,
    ZoomReset,
    MaximiseViewport,
    ResetLayout,
    TakeTour,
    /// Looks at the scene from a place that was kept: 1 to 9.
    GoToPlace(u8),
    /// Keeps the place from which the scene is looked at: 1 to 9.
    KeepPlace(u8),
    MenuBar,
    NextArea,
    PreviousArea,
    /// Another way for frames to reach the render thread.
    SetHandoff(HandoffMode),
    /// Makes an entity.
    Add(NewEntity),
    /// Opens a panel that is closed, and closes one that is open.
    TogglePanel(Pane),
    /// Brings a panel to the front and gives it the keyboard.
    ShowPanel(Pane),
    /// Moves a panel to a window of its own, or docks it again.
    OwnWindow(Pane),
}

/// What can be made with one command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NewEntity {
    Empty,
    Cube,
    Sphere,
    Capsule,
    Cylinder,
    Plane,
    Body,
    Mover,
    Spawner,
    Crowd,
    Teleporter,
    Player,
    Camera,
    Sun,
    Sky,
}

impl NewEntity {
    pub const ALL: [Self; 15] = [
        Self::Empty,
        Self::Cube,
        Self::Sphere,
        Self::Capsule,
        Self::Cylinder,
        Self::Plane,
        Self::Body,
        Self::Mover,
        Self::Spawner,
        Self::Crowd,
        Self::Teleporter,
        Self::Player,
        Self::Camera,
        Self::Sun,
        Self::Sky,
    ];

    /// What the first one of its kind is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Empty => "Empty",
            Self::Cube => "Cube",
            Self::Sphere => "Sphere",
            Self::Capsule => "Capsule",
            Self::Cylinder => "Cylinder",
            Self::Plane => "Plane",
            Self::Body => "Falling body",
            Self::Mover => "Mover",
            Self::Spawner => "Spawner",
            Self::Crowd => "Crowd",
            Self::Teleporter => "Teleporter",
            Self::Player => "Player",
            Self::Camera => "Camera",
            Self::Sun => "Sun",
            Self::Sky => "Sky",
        }
    }
}

/// How many places to look from are kept for a scene.
pub const PLACES: u8 = 9;

/// What is known about the editor when it is asked whether a command is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Situation {
    pub phase: Phase,
    pub project_open: bool,
    /// The open scene cannot be played: it was refused when it was read.
    pub scene_broken: bool,
    pub something_selected: bool,
    /// Something is hidden or locked.
    pub something_marked: bool,
    pub scene_has_camera: bool,
    /// Which of the places to look from are kept, a bit each: 1 for the first.
    pub places_kept: u16,
    pub can_undo: bool,
    pub can_redo: bool,
    /// The scene in front is not as in its file.
    pub dirty: bool,
    /// Some open scene is not.
    pub any_unsaved: bool,
    /// How many scenes are open, one tab each.
    pub scenes_open: usize,
    /// Another editor has the project open.
    pub read_only: bool,
}

/// A key that text fields have a meaning of their own for: what was typed is undone, not the scene.
#[must_use]
pub fn belongs_to_text(shortcut: KeyboardShortcut) -> bool {
    shortcut.modifiers.command
        && matches!(shortcut.logical_key, Key::Z | Key::Y | Key::X | Key::C | Key::V | Key::A)
}

/// A key that text fields and the game use too: only a command while neither has the keyboard.
#[must_use]
pub fn yields_to_typing(shortcut: KeyboardShortcut) -> bool {
    use Key::{F1, F2, F3, F4, F5, F6, F7, F8, F9, F10, F11, F12};
    let function =
        matches!(shortcut.logical_key, F1 | F2 | F3 | F4 | F5 | F6 | F7 | F8 | F9 | F10 | F11 | F12);
    !function && (shortcut.modifiers.is_none() || shortcut.modifiers.shift_only())
}

const SCENE_HAS_FAULTS: &str = "The scene has faults: see the message and the log.";

impl EditorCommand {
    /// Every command, in the order of the menus; the panels come last, see [`Self::every`].
    pub const ALL: &'static [Self] = &[
        Self::Name(Naming::NewProject),
        Self::OpenProject,
        Self::Name(Naming::NewScene),
        Self::Save,
        Self::Name(Naming::SaveAs),
        Self::SaveAll,
        Self::Name(Naming::DuplicateScene),
        Self::Name(Naming::RenameScene),
        Self::Revert,
        Self::CloseScene,
        Self::CloseOtherScenes,
        Self::TakeOver,
        Self::CloseProject,
        Self::Palette,
        Self::Settings,
        Self::Quit,
        Self::Undo,
        Self::Redo,
        Self::Cut,
        Self::Copy,
        Self::Paste,
        Self::Duplicate,
        Self::Delete,
        Self::Rename,
        Self::MoveUp,
        Self::MoveDown,
        Self::MakeChildOfPrevious,
        Self::Unparent,
        Self::ToggleHidden,
        Self::ToggleLocked,
        Self::ShowAll,
        Self::FrameSelection,
        Self::FrameAll,
        Self::SelectAll,
        Self::ClearSelection,
        Self::NextScene,
        Self::PreviousScene,
        Self::SceneRight,
        Self::SceneLeft,
        Self::OpenSceneFile,
        Self::OpenSceneFolder,
        Self::OpenProjectFile,
        Self::PlayOrResume,
        Self::Pause,
        Self::Stop,
        Self::Restart,
        Self::StepStage,
        Self::StepFrame,
        Self::StepTick,
        Self::Slower,
        Self::NormalSpeed,
        Self::Faster,
        Self::EditSpeed,
        Self::EditTickRate,
        Self::EditFrameRate,
        Self::EditPhysicsDivisor,
        Self::EditHandoff,
        Self::CompareHandoffs,
        Self::MuteSounds,
        Self::LocalAxes,
        Self::Orthographic,
        Self::LookThroughCamera,
        Self::DrawLastTick,
        Self::ShowGrid,
        Self::ShowGhosts,
        Self::ShowTrails,
        Self::GoLive,
        Self::ThemeSystem,
        Self::ThemeDark,
        Self::ThemeLight,
        Self::ZoomIn,
        Self::ZoomOut,
        Self::ZoomReset,
        Self::MaximiseViewport,
        Self::ResetLayout,
        Self::MenuBar,
        Self::NextArea,
        Self::PreviousArea,
        Self::TakeTour,
    ];

    /// Every command there is: the list above, two a place to look from, and three a panel.
    pub fn every() -> impl Iterator<Item = Self> {
        let places = (1..=PLACES).map(Self::GoToPlace).chain((1..=PLACES).map(Self::KeepPlace));
        let made = NewEntity::ALL.into_iter().map(Self::Add);
        let handoffs = HandoffMode::ALL.into_iter().map(Self::SetHandoff);
        let of_panels = [Self::ShowPanel, Self::TogglePanel, Self::OwnWindow];
        let of_panels = of_panels.into_iter().flat_map(|of| Pane::ALL.into_iter().map(of));
        let space = Tool::ALL.map(Self::Tool).into_iter().chain(Side::ALL.map(Self::LookFrom));
        Self::ALL.iter().copied().chain(space).chain(handoffs).chain(made).chain(places).chain(of_panels)
    }

    /// Its name in the settings file; stays the same when the label changes.
    #[must_use]
    pub fn name(self) -> String {
        format!("{self:?}")
    }

    /// The label where the command stands alone, without a menu that says what it is about.
    #[must_use]
    pub fn full_label(self) -> String {
        match self {
            Self::TogglePanel(pane) => format!("Panel: {}", pane.title()),
            Self::GoToPlace(place) => format!("Look from place {place}"),
            Self::KeepPlace(place) => format!("Keep this view as place {place}"),
            Self::ShowPanel(pane) => format!("Go to: {}", pane.title()),
            Self::OwnWindow(pane) => format!("Own window: {}", pane.title()),
            Self::Tool(tool) => format!("Tool: {}", tool.name()),
            Self::LookFrom(side) => format!("Look from: {}", side.name()),
            Self::Add(what) => format!("Add {}", what.name().to_lowercase()),
            Self::SetHandoff(handoff) => format!("Handoff: {}", handoff.name()),
            _ => self.label().to_owned(),
        }
    }

    /// What buttons and menus call it.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::OpenProject => "Open project…",
            Self::Name(what) => what.label(),
            Self::Save => "Save scene",
            Self::SaveAll => "Save all scenes",
            Self::CloseScene => "Close scene",
            Self::CloseOtherScenes => "Close other scenes",
            Self::NextScene => "Next scene",
            Self::PreviousScene => "Previous scene",
            Self::SceneRight => "Move the tab right",
            Self::SceneLeft => "Move the tab left",
            Self::Revert => "Revert to the saved scene",
            Self::TakeOver => "Take over the project",
            Self::Undo => "Undo",
            Self::Redo => "Redo",
            Self::Cut => "Cut",
            Self::Copy => "Copy",
            Self::Paste => "Paste",
            Self::Rename => "Rename",
            Self::MoveUp => "Move up",
            Self::MoveDown => "Move down",
            Self::MakeChildOfPrevious => "Make child of previous",
            Self::Unparent => "Unparent",
            Self::ToggleHidden => "Hide or show",
            Self::ToggleLocked => "Lock or unlock",
            Self::ShowAll => "Show and unlock all",
            Self::Duplicate => "Duplicate",
            Self::Delete => "Delete",
            Self::Add(what) => what.name(),
            Self::CloseProject => "Close project",
            Self::Quit => "Quit",
            Self::Settings => "Preferences…",
            Self::Palette => "Commands…",
            Self::PlayOrResume => "Play",
            Self::Pause => "Pause",
            Self::Stop => "Stop",
            Self::Restart => "Restart",
            Self::StepStage => "Step stage",
            Self::StepFrame => "Step frame",
            Self::StepTick => "Step tick",
            Self::Slower => "Half the speed",
            Self::NormalSpeed => "Normal speed",
            Self::Faster => "Twice the speed",
            Self::EditSpeed => "Set speed…",
            Self::EditTickRate => "Set tick rate…",
            Self::EditFrameRate => "Set frame rate…",
            Self::EditPhysicsDivisor => "Set physics divisor…",
            Self::EditHandoff => "Choose handoff…",
            Self::CompareHandoffs => "Compare handoffs",
            Self::MuteSounds => "Mute sounds",
            Self::SetHandoff(handoff) => handoff.name(),
            Self::FrameSelection => "Frame selection",
            Self::FrameAll => "Frame all",
            Self::Tool(tool) => tool.name(),
            Self::LocalAxes => "Local axes",
            Self::LookFrom(side) => side.name(),
            Self::Orthographic => "Orthographic view",
            Self::SelectAll => "Select all",
            Self::ClearSelection => "Select nothing",
            Self::LookThroughCamera => "Look through the scene's camera",
            Self::DrawLastTick => "Draw the last tick, not the blend",
            Self::ShowGrid => "Ground grid",
            Self::ShowGhosts => "Ghosts of the selected body",
            Self::ShowTrails => "Motion trails",
            Self::GoLive => "Go live",
            Self::ThemeSystem => "Theme of the system",
            Self::ThemeDark => "Dark theme",
            Self::ThemeLight => "Light theme",
            Self::OpenSceneFile => "Open the scene file",
            Self::OpenProjectFile => "Open project.ron",
            Self::OpenSceneFolder => "Open the scene's folder",
            Self::ZoomIn => "Zoom in",
            Self::ZoomOut => "Zoom out",
            Self::ZoomReset => "Normal zoom",
            Self::MaximiseViewport => "Maximise the viewport",
            Self::ResetLayout => "Reset layout",
            Self::TakeTour => "Take the tour",
            Self::GoToPlace(_) => "Look from a kept place",
            Self::KeepPlace(_) => "Keep this view",
            Self::MenuBar => "Menu bar",
            Self::NextArea => "Next area",
            Self::PreviousArea => "Previous area",
            Self::TogglePanel(pane) | Self::ShowPanel(pane) | Self::OwnWindow(pane) => pane.title(),
        }
    }

    /// The label where it depends on what is going on: Play becomes Resume.
    #[must_use]
    pub const fn label_in(self, phase: Phase) -> &'static str {
        match (self, phase) {
            (Self::PlayOrResume, Phase::Paused | Phase::FrameOpen { .. }) => "Resume",
            (Self::Pause, Phase::Paused | Phase::FrameOpen { .. }) => "Paused",
            _ => self.label(),
        }
    }

    /// What it does, in a sentence.
    #[must_use]
    pub const fn tooltip(self) -> &'static str {
        match self {
            Self::Name(what) => what.tooltip(),
            Self::OpenProject => "Opens the folder of a project (with a project.ron in it).",
            Self::Save => "Writes the scene to its file; only what was changed is changed there.",
            Self::SaveAll => "Writes every open scene that has changes to its file.",
            Self::CloseScene => {
                "Closes the tab of the scene in front; what is not saved is asked about first."
            }
            Self::CloseOtherScenes => "Closes the tabs of all scenes but the one in front.",
            Self::NextScene => "Brings the scene of the next tab to the front.",
            Self::PreviousScene => "Brings the scene of the tab before to the front.",
            Self::SceneRight => "Changes places with the tab at the right; nothing where there is none.",
            Self::SceneLeft => "Changes places with the tab at the left; nothing where there is none.",
            Self::Revert => "Reads the scene from its file again; what is not saved is gone.",
            Self::TakeOver => {
                "Asks the other editor to become read-only, and lets you change the project here."
            }
            Self::Undo => "Takes the last change of the scene back.",
            Self::Redo => "Makes the change that was taken back last once more.",
            Self::Cut => "Takes the selected entities, with all that hangs on them, to the clipboard.",
            Self::Copy => {
                "Puts the selected entities, with all that hangs on them, on the clipboard: as text, for this project, another one or a message."
            }
            Self::Paste => "Puts the entities that are on the clipboard at the end of the scene.",
            Self::Rename => "Lets the name be typed in the outliner.",
            Self::MoveUp => "Moves the selected entities before the one above, on the same parent.",
            Self::MoveDown => "Moves the selected entities behind the one below, on the same parent.",
            Self::MakeChildOfPrevious => {
                "Hangs the selected entities on the one before them. They stay where they are."
            }
            Self::Unparent => "Hangs the selected entities one level higher. They stay where they are.",
            Self::ToggleHidden => {
                "Hides the selected entities in Edit, or shows them. Not saved: lasts while the scene is open."
            }
            Self::ToggleLocked => {
                "Keeps clicks in the picture from selecting the selected entities, or lets them. Not saved: lasts while the scene is open."
            }
            Self::ShowAll => "Nothing is hidden or locked any more.",
            Self::Duplicate => "Makes copies of the selected entities and of all that hangs on them.",
            Self::Delete => "Takes the selected entities and all that hangs on them out of the scene.",
            Self::Add(_) => "Makes it in front of the view, at the end of the scene.",
            Self::CloseProject => "Stops what runs and goes back to the welcome page.",
            Self::Quit => "Stops what runs and ends the program.",
            Self::Settings => "Theme, zoom, every key, and what happens while the window is hidden.",
            Self::Palette => "Finds any command by its name and runs it.",
            Self::PlayOrResume => {
                "Plays a copy of the scene, or resumes a paused run. The authored scene is never touched."
            }
            Self::Pause => {
                "Stands still before the next frame. On before Play: the first frame is shown and stands."
            }
            Self::Stop => "Throws the running world away. The authored scene is as it was.",
            Self::Restart => "Stops, and plays again from the authored scene.",
            Self::StepStage => "Runs the next of the six stages, then everything stands. Held: repeats.",
            Self::StepFrame => "Runs exactly one frame, with a delta of one period.",
            Self::StepTick => "Runs a frame with delta 0 and exactly one tick; alpha stays.",
            Self::Slower => "Simulated time runs half as fast as now.",
            Self::NormalSpeed => "Simulated time runs as fast as real time.",
            Self::Faster => "Simulated time runs twice as fast as now, at most 8 times real time.",
            Self::EditSpeed => "How fast simulated time runs against real time: 0 to 8.",
            Self::EditTickRate => "Ticks per second of simulated time: 1 to 1000 Hz, exact.",
            Self::EditFrameRate => "Frames per second: the display's, or a number, which then wins.",
            Self::EditPhysicsDivisor => {
                "How many ticks a physics step spans: 1 to 64. Bodies are drawn in between; a step under way ends first."
            }
            Self::EditHandoff => {
                "How frames reach the render thread, in this run and the next ones. What a project begins with is set in its panel."
            }
            Self::CompareHandoffs => {
                "Runs the scene under slot, lockstep and free, one after the other, and shows their figures side by side."
            }
            Self::MuteSounds => {
                "Lets nothing of a run be heard. What would have sounded is counted all the same."
            }
            Self::SetHandoff(HandoffMode::Slot) => {
                "Slot: three snapshots, the newest frame wins. What is not taken in time is dropped; nobody waits."
            }
            Self::SetHandoff(HandoffMode::Lockstep) => {
                "Lockstep: both threads meet at the end of every frame. Nothing is dropped; the slower makes the faster wait."
            }
            Self::SetHandoff(HandoffMode::Free) => {
                "Free: every tick is published, and the render thread blends the two it needs by its own clock."
            }
            Self::FrameSelection => "Moves the view so that the selection, or the whole scene, fills it.",
            Self::FrameAll => "Moves the view so that the whole scene fills it.",
            Self::Tool(Tool::Select) => {
                "A click selects; a drag draws a box around what is to be selected. Ctrl adds."
            }
            Self::Tool(Tool::Move) => {
                "Drag the arrows, squares or the middle to move the selection. Ctrl: in steps."
            }
            Self::Tool(Tool::Rotate) => "Drag the rings to turn the selection. Ctrl: in steps.",
            Self::Tool(Tool::Scale) => {
                "Drag the handles to scale the selection along its own axes. Ctrl: in steps."
            }
            Self::LocalAxes => "The handles lie along the selection's own axes instead of the world's.",
            Self::LookFrom(_) => "Looks at the scene along an axis, without perspective.",
            Self::Orthographic => "Without perspective: what is far is drawn as large as what is near.",
            Self::SelectAll => "Selects every entity that the outliner lists.",
            Self::ClearSelection => "Selects nothing.",
            Self::LookThroughCamera => "Shows what the scene's own camera sees.",
            Self::DrawLastTick => "Draws every body where the last tick put it, without blending.",
            Self::ShowGrid => "Draws a grid of metres on the ground.",
            Self::ShowTrails => {
                "Marks where the selected body, or without a selection every body, stood in the last 90 pictures; red where frames between were missed."
            }
            Self::ShowGhosts => "Draws the poses of both ticks around the drawn one.",
            Self::GoLive => "Follows the newest frame again instead of the chosen one.",
            Self::ThemeSystem => "Dark or light, as the system is.",
            Self::ThemeDark => "Dark, whatever the system is.",
            Self::ThemeLight => "Light, whatever the system is.",
            Self::OpenSceneFile => "Opens the scene's file in the program that the system has for it.",
            Self::OpenProjectFile => "Opens the project's file in the program that the system has for it.",
            Self::OpenSceneFolder => "Shows the folder of the scene's file.",
            Self::ZoomIn => "Makes everything in the window a tenth larger.",
            Self::ZoomOut => "Makes everything in the window a tenth smaller.",
            Self::ZoomReset => "Shows everything at its normal size.",
            Self::MaximiseViewport => "Gives the viewport the room of every panel; once more puts them back.",
            Self::ResetLayout => "Opens every panel and puts it back where it was at first.",
            Self::TakeTour => "Shows on four cards where to begin.",
            Self::GoToPlace(_) => "Looks at the scene from where this place was kept.",
            Self::KeepPlace(_) => {
                "Keeps from where the scene is looked at now, for this scene, in your settings; the scene file is not touched."
            }
            Self::MenuBar => "Opens the first menu, for the arrow keys to walk on.",
            Self::NextArea => "Gives the keyboard to the next area: menu, transport, each panel in sight.",
            Self::PreviousArea => "Gives the keyboard to the area before.",
            Self::TogglePanel(_) => "Opens this panel, or closes it when it is open.",
            Self::ShowPanel(_) => "Brings this panel to the front and gives it the keyboard.",
            Self::OwnWindow(_) => "Moves this panel to a window of its own, or docks it again.",
        }
    }

    /// The keys that give it where nobody has changed them; the first is the one that is shown. See [`keymap::Keymap`].
    #[must_use]
    pub fn keys(self) -> Keys {
        match self {
            Self::OpenProject => const { &[with(Modifiers::COMMAND, Key::O)] },
            Self::Name(Naming::NewScene) => const { &[with(Modifiers::COMMAND, Key::N)] },
            Self::Name(Naming::SaveAs) => {
                const { &[with(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::S)] }
            }
            Self::Save => const { &[with(Modifiers::COMMAND, Key::S)] },
            Self::SaveAll => const { &[with(Modifiers::COMMAND.plus(Modifiers::ALT), Key::S)] },
            Self::CloseScene => const { &[with(Modifiers::COMMAND, Key::W)] },
            Self::NextScene => scene_keys(true),
            Self::PreviousScene => scene_keys(false),
            Self::SceneRight => const { &[with(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::PageDown)] },
            Self::SceneLeft => const { &[with(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::PageUp)] },
            Self::Undo => const { &[with(Modifiers::COMMAND, Key::Z)] },
            Self::Redo => {
                const {
                    &[
                        with(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::Z),
                        with(Modifiers::COMMAND, Key::Y),
                    ]
                }
            }
            Self::Duplicate => const { &[with(Modifiers::COMMAND, Key::D)] },
            Self::Delete => const { &[key(Key::Delete)] },
            Self::Cut => const { &[with(Modifiers::COMMAND, Key::X)] },
            Self::Copy => const { &[with(Modifiers::COMMAND, Key::C)] },
            Self::Paste => const { &[with(Modifiers::COMMAND, Key::V)] },
            Self::Rename => const { &[key(Key::F2)] },
            Self::MoveUp => const { &[with(Modifiers::ALT, Key::ArrowUp)] },
            Self::MoveDown => const { &[with(Modifiers::ALT, Key::ArrowDown)] },
            Self::MakeChildOfPrevious => const { &[with(Modifiers::ALT, Key::ArrowRight)] },
            Self::Unparent => const { &[with(Modifiers::ALT, Key::ArrowLeft)] },
            Self::ToggleHidden => const { &[key(Key::H)] },
            Self::ToggleLocked => const { &[key(Key::L)] },
            Self::SelectAll => const { &[with(Modifiers::COMMAND, Key::A)] },
            Self::Settings => const { &[with(Modifiers::COMMAND, Key::Comma)] },
            Self::Palette => const { &[with(Modifiers::COMMAND, Key::K)] },
            Self::Quit => const { &[with(Modifiers::COMMAND, Key::Q)] },
            Self::PlayOrResume => const { &[key(Key::F5)] },
            Self::Restart => const { &[with(Modifiers::SHIFT, Key::F5)] },
            Self::Pause => const { &[key(Key::F7)] },
            Self::Stop => const { &[key(Key::F8)] },
            Self::StepFrame => const { &[key(Key::F10)] },
            Self::StepTick => const { &[with(Modifiers::SHIFT, Key::F10)] },
            Self::StepStage => const { &[key(Key::F11)] },
            Self::Slower => const { &[with(Modifiers::ALT, Key::Comma)] },
            Self::NormalSpeed => const { &[with(Modifiers::ALT, Key::Slash)] },
            Self::Faster => const { &[with(Modifiers::ALT, Key::Period)] },
            Self::EditSpeed => const { &[with(Modifiers::ALT, Key::S)] },
            Self::EditTickRate => const { &[with(Modifiers::ALT, Key::T)] },
            Self::EditFrameRate => const { &[with(Modifiers::ALT, Key::F)] },
            Self::EditPhysicsDivisor => const { &[with(Modifiers::ALT, Key::D)] },
            Self::EditHandoff => const { &[with(Modifiers::ALT, Key::H)] },
            Self::FrameSelection => const { &[key(Key::F)] },
            Self::FrameAll => const { &[with(Modifiers::SHIFT, Key::F)] },
            Self::Tool(tool) => tool_keys(tool),
            Self::LocalAxes => const { &[key(Key::X)] },
            Self::LookFrom(side) => side_keys(side),
            Self::Orthographic => const { &[key(Key::Num5)] },
            Self::LookThroughCamera => const { &[key(Key::C)] },
            Self::ShowGrid => const { &[key(Key::G)] },
            Self::ShowTrails => const { &[key(Key::T)] },
            Self::GoLive => const { &[key(Key::End)] },
            Self::ZoomIn => {
                const { &[with(Modifiers::COMMAND, Key::Plus), with(Modifiers::COMMAND, Key::Equals)] }
            }
            Self::ZoomOut => const { &[with(Modifiers::COMMAND, Key::Minus)] },
            Self::ZoomReset => const { &[with(Modifiers::COMMAND, Key::Num0)] },
            Self::MaximiseViewport => const { &[with(Modifiers::SHIFT, Key::F11)] },
            Self::GoToPlace(place) => place_keys(&GO_KEYS, place),
            Self::KeepPlace(place) => place_keys(&KEEP_KEYS, place),
            Self::NextArea => const { &[key(Key::F6)] },
            Self::PreviousArea => const { &[with(Modifiers::SHIFT, Key::F6)] },
            Self::MenuBar => const { &[key(Key::F9)] },
            Self::ShowPanel(pane) => panel_keys(pane),
            Self::ClearSelection
            | Self::ShowAll
            | Self::Revert
            | Self::CloseOtherScenes
            | Self::Name(Naming::NewProject | Naming::DuplicateScene | Naming::RenameScene)
            | Self::TakeOver
            | Self::Add(_)
            | Self::SetHandoff(_)
            | Self::CompareHandoffs
            | Self::MuteSounds
            | Self::CloseProject
            | Self::OpenSceneFile
            | Self::OpenProjectFile
            | Self::TakeTour
            | Self::OpenSceneFolder
            | Self::TogglePanel(_)
            | Self::OwnWindow(_)
            | Self::DrawLastTick
            | Self::ShowGhosts
            | Self::ThemeSystem
            | Self::ThemeDark
            | Self::ThemeLight
            | Self::ResetLayout => &[],
        }
    }

    /// It is an edit of the authored scene, or takes one back.
    const fn changes_the_scene(self) -> bool {
        self.edits_what_is_selected() || matches!(self, Self::Undo | Self::Redo | Self::Paste | Self::Add(_))
    }

    /// It is an edit of the selected entities.
    const fn edits_what_is_selected(self) -> bool {
        matches!(
            self,
            Self::Cut
                | Self::Duplicate
                | Self::Delete
                | Self::Rename
                | Self::MoveUp
                | Self::MoveDown
                | Self::MakeChildOfPrevious
                | Self::Unparent
        )
    }

    /// It is about the selected entities.
    const fn wants_a_selection(self) -> bool {
        self.edits_what_is_selected()
            || matches!(self, Self::ClearSelection | Self::Copy | Self::ToggleHidden | Self::ToggleLocked)
    }

    /// It writes files of the open project.
    const fn writes_files(self) -> bool {
        use Naming::{DuplicateScene, NewScene, RenameScene, SaveAs};
        matches!(
            self,
            Self::Save | Self::SaveAll | Self::Name(NewScene | SaveAs | DuplicateScene | RenameScene)
        )
    }

    /// A held key gives it again and again; all others answer to the press alone.
    #[must_use]
    pub const fn repeats(self) -> bool {
        matches!(self, Self::StepStage)
    }

    /// Changes what is shown of the authored scene, or which one it is, but nothing in it.
    const fn is_of_the_authored_scene(self) -> bool {
        matches!(
            self,
            Self::ToggleHidden
                | Self::ToggleLocked
                | Self::ShowAll
                | Self::Revert
                | Self::Name(Naming::RenameScene)
        )
    }

    /// Why it is not allowed now, as a sentence; `Ok` when it is.
    ///
    /// # Errors
    /// The reason, shown as the tooltip of the disabled control.
    pub fn allowed(self, now: &Situation) -> Result<(), &'static str> {
        let runs = now.phase != Phase::Edit;
        match self {
            Self::OpenProject
            | Self::Quit
            | Self::Settings
            | Self::Palette
            | Self::MenuBar
            | Self::NextArea
            | Self::PreviousArea
            | Self::ZoomIn
            | Self::ZoomOut
            | Self::ZoomReset
            | Self::MuteSounds
            | Self::Name(Naming::NewProject)
            | Self::ThemeSystem
            | Self::ThemeDark
            | Self::ThemeLight => Ok(()),
            _ if !now.project_open => Err("No project is open."),
            Self::PlayOrResume | Self::CompareHandoffs if now.scene_broken => Err(SCENE_HAS_FAULTS),
            Self::PlayOrResume if now.phase == Phase::Playing => Err("The scene is playing."),
            Self::PlayOrResume if now.phase == Phase::Failed => Err("The run has failed: stop it first."),
            Self::CompareHandoffs if runs => {
                Err("Stop the running scene first: it would take time from what is measured.")
            }
            Self::Pause if now.phase == Phase::Failed => {
                Err("The run has failed: nothing runs that could pause.")
            }
            Self::Stop | Self::Restart if !runs => Err("Nothing runs."),
            Self::StepStage | Self::StepFrame | Self::StepTick if now.phase == Phase::Failed => {
                Err("The run has failed: nothing runs that could step. Stop it first.")
            }
            Self::StepStage | Self::StepFrame | Self::StepTick if !runs => {
                Err("Nothing runs: press Play, or Pause and then Play.")
            }
            Self::CloseScene
            | Self::CloseOtherScenes
            | Self::NextScene
            | Self::PreviousScene
            | Self::SceneRight
            | Self::SceneLeft
                if now.scenes_open < 2 =>
            {
                Err("It is the only open scene.")
            }
            Self::CloseScene | Self::NextScene | Self::PreviousScene | Self::Name(Naming::NewScene)
                if runs =>
            {
                Err("The scene in front runs: Stop it first.")
            }
            _ if runs && (self.changes_the_scene() || self.is_of_the_authored_scene()) => {
                Err("A running scene is a copy: Stop, and then change the authored one.")
            }
            Self::Duplicate
            | Self::Delete
            | Self::Paste
            | Self::Add(_)
            | Self::Name(Naming::SaveAs | Naming::DuplicateScene)
                if now.scene_broken =>
            {
                Err(SCENE_HAS_FAULTS)
            }
            Self::TakeOver if !now.read_only => Err("The project can be changed here."),
            _ if now.read_only && (self.changes_the_scene() || self.writes_files()) => {
                Err("Another editor has this project open: take it over to change it here.")
            }
            Self::Undo if !now.can_undo => Err("Nothing was changed."),
            Self::Redo if !now.can_redo => Err("Nothing was undone."),
            Self::Save | Self::Revert if !now.dirty => Err("The scene is as in its file."),
            Self::SaveAll if !now.any_unsaved => Err("Every open scene is as in its file."),
            _ if !now.something_selected && self.wants_a_selection() => Err("Nothing is selected."),
            Self::ShowAll if !now.something_marked => Err("Nothing is hidden or locked."),
            Self::LookThroughCamera if !now.scene_has_camera => Err("The scene has no camera."),
            Self::GoToPlace(place) if now.places_kept & (1 << (place - 1)) == 0 => {
                Err("No view is kept there yet: Ctrl, Shift and the digit keep the present one.")
            }
            _ => Ok(()),
        }
    }
}

/// Where a step of the tour leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TourStep {
    To(usize),
    End,
}

/// What a panel, menu or key asks for; only [`dispatch`] acts on it.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    Command(EditorCommand),
    /// Changes the authored scene, as a step of this name, or as part of the last one of the same gesture.
    Edit {
        name: String,
        edit: Box<crate::document::edit::Edit>,
        gesture: Option<crate::document::history::Gesture>,
    },
    /// What the mouse does with the handles in the picture.
    Grip(crate::viewport::gizmo::Grip),
    /// Selects what is seen at a place in the picture.
    Click(crate::viewport::picking::Click),
    /// A box was drawn around these; they are selected, or added to what is.
    SelectBox {
        ids: Vec<framewalk_runtime::scene::EntityId>,
        add: bool,
    },
    /// What Ctrl rounds to while something is moved, turned or scaled.
    SetSteps(crate::viewport::gizmo::Steps),
    /// Changes the running world, and only that.
    ChangeRun(Vec<(framewalk_runtime::scene::EntityId, framewalk_runtime::world::HandEdit)>),
    /// Writes what the running world has of the selected entities to the authored scene.
    Keep(&'static [crate::panels::properties::part::Part]),
    /// Puts entities, with all that hangs on them, elsewhere in the tree.
    MoveEntities {
        ids: Vec<framewalk_runtime::scene::EntityId>,
        to: crate::document::arrange::Target,
    },
    /// Hides, shows, locks or unlocks one entity.
    ToggleMark {
        mark: crate::document::marks::Mark,
        id: framewalk_runtime::scene::EntityId,
    },
    /// Puts the entities of a text into the scene.
    Paste(String),
    /// Makes a project and opens it.
    MakeProject {
        folder: std::path::PathBuf,
        template: crate::project::store::template::Template,
    },
    /// A name was given for this.
    Named {
        what: Naming,
        name: String,
    },
    /// Opens a file in the program that the system has for it.
    OpenFile(std::path::PathBuf),
    /// Undoes or redoes until so many steps are done.
    JumpInHistory(usize),
    Answer(Answer),
    SetSpeed(framewalk_runtime::time::Speed),
    SetTickRate(framewalk_runtime::time::Rate),
    SetFrameRate(crate::session::FrameRateChoice),
    SetPhysicsDivisor(PhysicsDivisor),
    /// Writes it into the project's file.
    ChangeProject(crate::panels::project::change::ProjectChange),
    Select(Option<framewalk_runtime::scene::EntityId>),
    /// Changes what is selected, where it can be more than one.
    ChangeSelection(crate::document::selection::SelectionChange),
    OpenPath(std::path::PathBuf),
    /// Brings a scene of the project to the front, in a tab of its own.
    OpenScene(String),
    CloseScene(String),
    /// Every open scene but this one.
    CloseOtherScenes(String),
    SaveScene(String),
    /// Moves a tab along the row.
    ShiftTab {
        from: usize,
        to: usize,
    },
    /// Shows the folder of a file in the program that the system has for it.
    OpenFolderOf(std::path::PathBuf),
    ForgetRecent(std::path::PathBuf),
    Camera(crate::viewport::camera::CameraMove),
    Inspector(framewalk_inspector::InspectorAction),
    SetWhenHidden(crate::settings::WhenHidden),
    CopyText(String),
    ShowPane(Pane),
    /// Gives one panel the room of all, or everything back.
    Maximise(Option<Pane>),
    Tour(TourStep),
    /// Other keys for a command; `None` gives it back those it had at first.
    SetKeys(EditorCommand, Option<Vec<KeyboardShortcut>>),
    /// Every command has the keys it had at first.
    ResetKeys,
    /// How large everything in the window is, 1 being normal.
    SetZoom(f32),
    ClearLog,
    /// Seconds until unsaved work is kept.
    SetAutosave(u32),
    /// Pictures in flight and instance buffers of the next run.
    SetFlight {
        frames_in_flight: u8,
        instance_buffers: u8,
    },
    /// How the threads of the next run are set up.
    SetThreads(crate::settings::ThreadSettings),
    /// How loud sounds are, in hundredths.
    SetVolume(u8),
    /// MiB for what can be undone; none is as much as there is.
    SetUndoMemory(Option<u32>),
    /// The other editor is not asked any more.
    CancelTakeOver,
    /// How many frames the inspector keeps.
    SetHistoryFrames(usize),
    /// Moves a panel to a window of its own.
    Undock(Pane),
    /// Puts a panel back from its own window.
    Dock(Pane),
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn no_two_commands_share_a_key() {
        let mut seen: HashMap<KeyboardShortcut, EditorCommand> = HashMap::new();
        for command in EditorCommand::every() {
            for &shortcut in command.keys() {
                let before = seen.insert(shortcut, command);
                assert_eq!(before, None, "{shortcut:?} gives {command:?} and {before:?}");
            }
        }
    }

    #[test]
    fn every_command_is_listed_once_and_explains_itself() {
        for (index, &command) in EditorCommand::ALL.iter().enumerate() {
            assert!(!EditorCommand::ALL[..index].contains(&command), "{command:?} twice");
            assert!(command.tooltip().ends_with('.'), "{command:?}");
            let of_panel = matches!(
                command,
                EditorCommand::TogglePanel(_) | EditorCommand::ShowPanel(_) | EditorCommand::OwnWindow(_)
            );
            assert!(!of_panel, "the panels come by themselves");
        }
    }

    #[test]
    fn what_is_not_allowed_says_why() {
        let edit = Situation {
            phase: Phase::Edit,
            project_open: true,
            scene_broken: false,
            something_selected: false,
            something_marked: false,
            scene_has_camera: false,
            places_kept: 0b10,
            can_undo: false,
            can_redo: false,
            dirty: false,
            any_unsaved: false,
            scenes_open: 1,
            read_only: false,
        };
        assert!(EditorCommand::GoToPlace(1).allowed(&edit).is_err());
        assert_eq!(EditorCommand::GoToPlace(2).allowed(&edit), Ok(()));
        assert_eq!(EditorCommand::Stop.allowed(&edit), Err("Nothing runs."));
        assert_eq!(EditorCommand::PlayOrResume.allowed(&edit), Ok(()));
        assert_eq!(EditorCommand::Pause.allowed(&edit), Ok(()), "pause before play");
        let closed = Situation { project_open: false, ..edit };
        assert_eq!(EditorCommand::PlayOrResume.allowed(&closed), Err("No project is open."));
        assert_eq!(EditorCommand::OpenProject.allowed(&closed), Ok(()));
        let broken = Situation { scene_broken: true, ..edit };
        assert!(EditorCommand::PlayOrResume.allowed(&broken).is_err());
        let failed = Situation { phase: Phase::Failed, ..edit };
        for command in [EditorCommand::StepStage, EditorCommand::StepFrame, EditorCommand::StepTick] {
            let reason = command.allowed(&failed).unwrap_err();
            assert_eq!(reason, "The run has failed: nothing runs that could step. Stop it first.");
        }
        assert_eq!(EditorCommand::Stop.allowed(&failed), Ok(()));
    }

    #[test]
    fn only_step_stage_repeats_while_held() {
        let repeating: Vec<_> = EditorCommand::ALL.iter().filter(|command| command.repeats()).collect();
        assert_eq!(repeating, [&EditorCommand::StepStage]);
    }
}
