//! What the editor remembers between two starts: a plain file, written by `project/store`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use framewalk_runtime::frame::record::MOST_OBSERVERS;
use framewalk_runtime::render::FlightLimits;
use framewalk_runtime::time::Nanos;
use serde::{Deserialize, Serialize};

use crate::panels::Pane;
use crate::viewport::camera::FlyCamera;
use crate::viewport::gizmo::{Space, Steps, Tool};

/// How many projects the welcome page lists.
pub const RECENT_PROJECTS: usize = 10;

/// How many frames the inspector keeps by default.
pub const HISTORY_FRAMES: usize = 100_000;

/// Numbers of frames that are offered; any between 100 and the last is kept.
pub const HISTORIES: [usize; 5] = [10_000, 30_000, 100_000, 300_000, 1_000_000];

/// Seconds after a change until unsaved work is kept that are offered; any from 1 to 600 is kept.
pub const AUTOSAVES: [u32; 4] = [5, 10, 30, 60];

/// MiB of memory for what can be undone that are offered; any from 1 to the last is kept.
pub const UNDO_MEMORIES: [u32; 6] = [1, 16, 64, 256, 1024, 4096];

/// Volumes of sounds that are offered, in hundredths; any up to 100 is kept.
pub const VOLUMES: [u8; 5] = [10, 25, 50, 75, 100];

/// The most that an observer of the lockstep may be made to take with a frame.
pub const MOST_OBSERVER_COST: Nanos = Nanos::from_millis(1_000);

/// Zooms that are offered; any between the first and the last is kept.
pub const ZOOMS: [f32; 7] = [0.5, 0.75, 0.9, 1.0, 1.25, 1.5, 2.0];

/// The settings file. Fields it does not name keep their defaults.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Version of the file; this program writes 1 and refuses newer ones.
    pub format: u32,
    pub theme: ThemeChoice,
    /// How large everything in the window is, 1 being normal.
    pub zoom: f32,
    pub when_hidden: WhenHidden,
    /// How loud a run's sounds are, 0 to 100.
    pub volume_percent: u8,
    /// Nothing of a run is heard.
    pub muted: bool,
    /// Frames that the inspector keeps. At least 100, at most a million.
    pub history_frames: usize,
    /// Seconds after a change until unsaved work is kept for recovery. At least 1, at most 600.
    pub autosave_seconds: u32,
    /// Pictures of a run that may be in flight on the GPU, 1 to 3, and instance buffers that they are drawn from, 1 to 8.
    pub frames_in_flight: u8,
    pub instance_buffers: u8,
    /// How the threads of a run in real time are set up.
    pub threads: ThreadSettings,
    /// MiB of memory for what can be undone, in each scene: at least 1, at most 4096. `None`: as much as there is.
    pub undo_mebibytes: Option<u32>,
    /// Keys that were changed: the name of a command and its keys, as `Ctrl+K`.
    pub keys: BTreeMap<String, String>,
    /// The tour was taken or skipped.
    pub tour_taken: bool,
    /// Newest first.
    pub recent: Vec<PathBuf>,
    /// Places to look from, by project folder and scene (`/folder#scene`) and by number.
    pub places: BTreeMap<String, BTreeMap<u8, KeptPlace>>,
    /// Scenes that are open, or were last, by project folder.
    pub open_scenes: BTreeMap<PathBuf, OpenScenes>,
    pub layout: Option<egui_tiles::Tree<Pane>>,
    /// Panels that have windows of their own, and where such windows are or were last.
    pub undocked: Vec<Pane>,
    pub windows: Vec<WindowPlace>,
    pub view: ViewSettings,
    /// What Ctrl rounds to while something is moved, turned or scaled.
    pub steps: Steps,
}

/// What is remembered of the window that a panel has or had, in points.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WindowPlace {
    pub pane: Pane,
    /// Of the window's corner on the desktop, where the system says it.
    pub position: Option<[f32; 2]>,
    pub size: [f32; 2],
}

/// What the viewport shows, and from where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ViewSettings {
    pub grid: bool,
    pub ghosts: bool,
    pub trails: bool,
    pub last_tick: bool,
    /// Through the scene's camera: while nothing runs, and while a scene lives.
    pub camera_in_edit: bool,
    pub camera_in_run: bool,
    pub tool: Tool,
    pub space: Space,
}

/// How the threads of a run in real time are set up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ThreadSettings {
    /// Threads that help with a tick, at most 48; `None`: as many as the machine has cores for.
    pub workers: Option<u8>,
    /// Each thread of a run stays on a core of its own.
    pub own_cores: bool,
    /// The simulation spins briefly before its deadlines, and so is on time to a microsecond.
    pub precise: bool,
    /// So does the render thread.
    pub render_precise: bool,
    /// More readers of every frame of the lockstep, at most [`MOST_OBSERVERS`].
    pub observers: u8,
    /// Microseconds that each of them takes at least with a frame, at most a million.
    pub observer_cost_micros: u32,
}

impl ThreadSettings {
    /// How many observe the lockstep, within what has room at a meeting.
    #[must_use]
    pub fn observers(&self) -> usize {
        usize::from(self.observers).min(MOST_OBSERVERS)
    }

    /// What each of them takes at least with a frame.
    #[must_use]
    pub fn observer_cost(&self) -> Nanos {
        Nanos(i64::from(self.observer_cost_micros) * 1_000).min(MOST_OBSERVER_COST)
    }
}

impl Default for ViewSettings {
    fn default() -> Self {
        Self {
            grid: true,
            ghosts: true,
            trails: false,
            last_tick: false,
            camera_in_edit: false,
            camera_in_run: true,
            tool: Tool::default(),
            space: Space::default(),
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            format: 1,
            theme: ThemeChoice::default(),
            zoom: 1.0,
            when_hidden: WhenHidden::default(),
            volume_percent: 75,
            muted: false,
            history_frames: HISTORY_FRAMES,
            autosave_seconds: 10,
            frames_in_flight: FlightLimits::default().frames_in_flight(),
            instance_buffers: FlightLimits::default().instance_buffers(),
            threads: ThreadSettings::default(),
            undo_mebibytes: Some(64),
            keys: BTreeMap::new(),
            tour_taken: false,
            recent: Vec::new(),
            places: BTreeMap::new(),
            open_scenes: BTreeMap::new(),
            layout: None,
            undocked: Vec::new(),
            windows: Vec::new(),
            view: ViewSettings::default(),
            steps: Steps::default(),
        }
    }
}

impl Settings {
    /// Frames to keep, within what is sensible.
    #[must_use]
    pub fn history_frames(&self) -> usize {
        self.history_frames.clamp(100, 1_000_000)
    }

    /// How a run is drawn, within what there may be.
    #[must_use]
    pub fn flight_limits(&self) -> FlightLimits {
        FlightLimits::nearest(self.frames_in_flight, self.instance_buffers)
    }

    /// Memory for what can be undone in a scene, in bytes, within what is sensible.
    #[must_use]
    pub fn undo_bytes(&self) -> usize {
        self.undo_mebibytes.map_or(usize::MAX, |mebibytes| (mebibytes.clamp(1, 4096) as usize) << 20)
    }

    /// How long after a change unsaved work is kept for recovery, within what is sensible.
    #[must_use]
    pub fn autosave(&self) -> framewalk_runtime::time::Nanos {
        framewalk_runtime::time::Nanos::from_secs(i64::from(self.autosave_seconds.clamp(1, 600)))
    }

    /// How loud sounds are, 0 to 1.
    #[must_use]
    pub fn volume(&self) -> f32 {
        if self.muted { 0.0 } else { f32::from(self.volume_percent.min(100)) / 100.0 }
    }

    /// The zoom, kept within what is offered; 1 where the file says something that is no size.
    #[must_use]
    pub fn checked_zoom(&self) -> f32 {
        if self.zoom.is_finite() { self.zoom.clamp(ZOOMS[0], ZOOMS[ZOOMS.len() - 1]) } else { 1.0 }
    }

    /// Puts a project at the head of the recent ones. One whose path is no text cannot be written down, and with it
    /// nothing else could.
    pub fn remember(&mut self, root: &Path) {
        if root.to_str().is_none() {
            return;
        }
        self.forget(root);
        self.recent.insert(0, root.to_owned());
        self.recent.truncate(RECENT_PROJECTS);
        // What is remembered of a project goes with it.
        let recent = &self.recent;
        self.open_scenes.retain(|root, _| recent.contains(root));
        self.places.retain(|key, _| {
            // The names of scenes may have a `#` too.
            let is_of = |root: &PathBuf| key.strip_prefix(&*root.to_string_lossy());
            recent.iter().any(|root| is_of(root).is_some_and(|scene| scene.starts_with('#')))
        });
    }

    /// Takes a project off the recent ones.
    pub fn forget(&mut self, root: &Path) {
        self.recent.retain(|known| known != root);
    }
}

/// The scenes of a project that are open, each in a tab.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OpenScenes {
    /// From left to right, as `project.ron` names them.
    pub scenes: Vec<String>,
    pub front: String,
}

/// A place to look from that a person has kept.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptPlace {
    /// Metres.
    pub eye: [f32; 3],
    /// Radians, as in the renderer's fly camera.
    pub yaw: f32,
    pub pitch: f32,
    /// Metres from the eye to what is orbited.
    pub distance: f32,
    /// Without perspective.
    #[serde(default)]
    pub orthographic: bool,
}

impl From<FlyCamera> for KeptPlace {
    fn from(camera: FlyCamera) -> Self {
        let FlyCamera { eye, yaw, pitch, distance, orthographic } = camera;
        Self { eye: eye.to_array(), yaw, pitch, distance, orthographic }
    }
}

impl KeptPlace {
    /// The camera there; `None` where the file was given numbers that are no place.
    #[must_use]
    pub fn camera(&self) -> Option<FlyCamera> {
        let Self { eye, yaw, pitch, distance, orthographic } = *self;
        let finite = eye.iter().chain([&yaw, &pitch, &distance]).all(|number| number.is_finite());
        let distance = distance.clamp(0.1, 900.0);
        finite.then(|| FlyCamera { eye: eye.into(), yaw, pitch, distance, orthographic })
    }
}

/// Dark or light.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ThemeChoice {
    /// As the system is; dark where it does not say.
    #[default]
    System,
    Dark,
    Light,
}

/// What a run does while nobody can see the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum WhenHidden {
    #[default]
    KeepRunning,
    Pause,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_project_comes_first_and_once() {
        let mut settings = Settings::default();
        for name in ["a", "b", "a"] {
            settings.remember(Path::new(name));
        }
        assert_eq!(settings.recent, [PathBuf::from("a"), PathBuf::from("b")]);
    }

    #[test]
    fn kept_places_go_when_their_project_is_forgotten() {
        let mut settings = Settings::default();
        let place = KeptPlace::from(FlyCamera::default());
        for number in 0..11 {
            let root = format!("/games/{number}");
            settings.remember(Path::new(&root));
            settings.places.entry(format!("{root}#main #2")).or_default().insert(1, place);
        }
        settings.remember(Path::new("/games/10"));
        assert_eq!(settings.places.len(), 10);
        assert!(!settings.places.contains_key("/games/0#main #2"));
        assert_eq!(place.camera(), Some(FlyCamera::default()));
        assert_eq!(KeptPlace { yaw: f32::NAN, ..place }.camera(), None);
    }

    #[test]
    fn memory_for_undo_is_within_what_is_sensible_or_all_there_is() {
        let bytes = |undo_mebibytes| Settings { undo_mebibytes, ..Settings::default() }.undo_bytes();
        assert_eq!(Settings::default().undo_bytes(), 64 << 20);
        assert_eq!([Some(0), Some(5000)].map(bytes), [1 << 20, 4 << 30]);
        assert_eq!(bytes(None), usize::MAX);
    }

    #[test]
    fn a_run_is_drawn_with_two_pictures_in_flight_from_five_buffers_or_what_there_may_be() {
        let limits = |settings: Settings| {
            let limits = settings.flight_limits();
            (limits.frames_in_flight(), limits.instance_buffers())
        };
        assert_eq!(limits(Settings::default()), (2, 5));
        assert_eq!(
            limits(Settings { frames_in_flight: 9, instance_buffers: 0, ..Settings::default() }),
            (3, 1)
        );
    }

    #[test]
    fn threads_are_set_up_as_usual_where_the_file_does_not_say() {
        let read = |text: &str| ron::from_str::<Settings>(text).map(|settings| settings.threads);
        assert_eq!(read("(format: 1)"), Ok(ThreadSettings::default()));
        assert_eq!(
            read("(format: 1, threads: (workers: Some(2), own_cores: true))"),
            Ok(ThreadSettings { workers: Some(2), own_cores: true, ..ThreadSettings::default() })
        );
        let observers = |text| read(text).map(|threads| threads.observers());
        assert_eq!(observers("(format: 1, threads: (observers: 6))"), Ok(6));
        assert_eq!(
            observers("(format: 1, threads: (observers: 200))"),
            Ok(6),
            "as many as there is room for"
        );
        let cost = |text| read(text).map(|threads| threads.observer_cost());
        assert_eq!(cost("(format: 1, threads: (observers: 2))"), Ok(Nanos::ZERO));
        assert_eq!(cost("(format: 1, threads: (observer_cost_micros: 12500))"), Ok(Nanos(12_500_000)));
        assert_eq!(
            cost("(format: 1, threads: (observer_cost_micros: 4000000000))"),
            Ok(Nanos(1_000_000_000)),
            "no longer than a second"
        );
        assert!(read("(format: 1, threads: (wokers: Some(2)))").is_err());
    }

    #[test]
    fn no_more_than_ten_projects_are_remembered() {
        let mut settings = Settings::default();
        for number in 0..20 {
            settings.remember(Path::new(&number.to_string()));
        }
        assert_eq!(settings.recent.len(), 10);
        assert_eq!(settings.recent[0], PathBuf::from("19"));
    }
}
