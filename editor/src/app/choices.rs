//! What a person chooses: rates, looks, theme, layout, the chosen frame. One small change each.

use framewalk_runtime::frame::record::HandoffMode;
use framewalk_runtime::scene::project::PhysicsDivisor;
use framewalk_runtime::time::pacer::Pacing;
use framewalk_runtime::time::{FrameIndex, Rate};

use super::EditorApp;
use crate::command::keymap::Keymap;
use crate::command::{Action, EditorCommand, PLACES, TourStep};
use crate::cores::WorkersWanted;
use crate::panels::Pane;
use crate::panels::project::change::ProjectChange;
use crate::project::store::scenes;
use crate::session::{FrameRateChoice, RunThreads, grid};
use crate::settings::{KeptPlace, ThemeChoice, ThreadSettings, WhenHidden};
use crate::shell::dock::{default_layout, is_open, set_open, show};
use crate::shell::status::Message;
use crate::shell::toolbar::Field;
use crate::viewport::Look;
use crate::viewport::camera::CameraMove;

impl EditorApp {
    pub(super) fn apply_theme(&self, ctx: &egui::Context) {
        ctx.set_theme(match self.settings.theme {
            ThemeChoice::System => egui::ThemePreference::System,
            ThemeChoice::Dark => egui::ThemePreference::Dark,
            ThemeChoice::Light => egui::ThemePreference::Light,
        });
    }

    /// What was asked for since the last call.
    pub(crate) fn take_actions(&mut self) -> Vec<Action> {
        std::mem::take(&mut self.actions)
    }

    /// Another tick rate: from the next frame on where a scene runs, and for the next runs.
    pub fn set_tick_rate(&mut self, rate: Rate) {
        if let Some(workspace) = &mut self.workspace {
            workspace.session.set_tick_rate(rate);
        }
        self.say_refused_grid();
        self.expect_answer();
    }

    /// Says what no frame clock can keep of what was chosen: a warning, for the run goes on with what is nearest.
    pub(super) fn say_refused_grid(&mut self) {
        let choices = self.workspace.as_ref().map(|workspace| &workspace.session.choices);
        let refused = choices.and_then(grid::refused);
        let is_said = |text: &String| self.message.as_ref().is_some_and(|message| message.text == *text);
        if let Some(text) = refused.filter(|text| !is_said(text)) {
            self.say(Message::warning(text));
        }
    }

    /// Another frame rate, as [`Self::set_tick_rate`].
    pub fn set_frame_rate(&mut self, choice: FrameRateChoice) {
        if let Some(workspace) = &mut self.workspace {
            workspace.session.set_frame_rate(choice);
        }
        self.expect_answer();
    }

    /// Another way for frames to reach the render thread: from the next frame on where a scene runs, and for the next
    /// runs.
    pub fn set_handoff(&mut self, handoff: HandoffMode) {
        if let Some(workspace) = &mut self.workspace {
            workspace.session.set_handoff(handoff);
        }
        self.say_refused_grid();
        self.expect_answer();
    }

    /// How many ticks a physics step spans: from the end of the one under way on where a scene runs, and in the next runs.
    pub(crate) fn set_physics_divisor(&mut self, divisor: PhysicsDivisor) {
        if let Some(workspace) = &mut self.workspace {
            workspace.session.set_physics_divisor(divisor);
        }
        self.expect_answer();
    }

    /// Writes a change into `project.ron`; it counts from now on. The history of a scene knows nothing of it.
    pub(crate) fn change_project(&mut self, change: &ProjectChange) {
        match change {
            ProjectChange::TickRate(rate) => self.set_tick_rate(*rate),
            ProjectChange::Speed(speed) => self.set_speed(*speed),
            ProjectChange::Physics(divisor) => self.set_physics_divisor(*divisor),
            ProjectChange::Handoff(handoff) => self.set_handoff(*handoff),
            ProjectChange::FrameRate(_)
            | ProjectChange::AudioRate(_)
            | ProjectChange::LongestDelta(_)
            | ProjectChange::TickCap(_)
            | ProjectChange::FirstScene(_) => {}
        }
        let said = change.said();
        let read_only = self.read_only_reason();
        let Some(workspace) = &mut self.workspace else { return };
        let project = &mut workspace.project;
        let written = match read_only {
            Some(reason) => Err((reason, Vec::new())),
            None => scenes::change_project(&project.root, |project| change.apply(project))
                .map_err(|problems| ("It was not written to project.ron.".to_owned(), problems)),
        };
        let counts = written.is_ok() || !matches!(change, ProjectChange::FirstScene(_));
        if counts {
            change.apply(&mut project.project);
            workspace.session.follow_project(&workspace.project.project);
        }
        match written {
            Ok(_) => self.say(Message::info(format!("project.ron: {said} now."))),
            Err((reason, problems)) => {
                let text = if counts {
                    format!("Until the project is closed, {said}. {reason}")
                } else {
                    format!("The order of the scenes stays. {reason}")
                };
                self.say(Message { details: problems, ..Message::warning(text) });
            }
        }
    }

    pub(crate) fn edit_field(&mut self, field: Field) {
        if let Some(workspace) = &self.workspace {
            self.toolbar.open(field, &workspace.session.choices, workspace.session.frame_rate());
        }
    }

    pub(crate) fn move_camera(&mut self, change: CameraMove) {
        let live = self.is_live();
        self.viewport.move_camera(live, change);
    }

    /// Where the places of the open scene stand in the settings.
    pub(super) fn places_key(&self) -> Option<String> {
        let workspace = self.workspace.as_ref()?;
        Some(format!("{}#{}", workspace.project.root.display(), workspace.scenes.front.file.name))
    }

    /// A bit for each place of the open scene that is kept.
    pub(super) fn places_kept(&self) -> u16 {
        let places = self.places_key().and_then(|key| self.settings.places.get(&key));
        places.into_iter().flatten().fold(0, |bits, (place, _)| bits | 1 << (place.clamp(&1, &PLACES) - 1))
    }

    pub(crate) fn keep_place(&mut self, place: u8) {
        let live = self.is_live();
        let Some(key) = self.places_key() else { return };
        // Looked at through the scene's camera: kept where that stands now.
        let camera = self.viewport.seen_from(live);
        self.settings.places.entry(key).or_default().insert(place, camera.into());
        self.save_settings();
        self.say(Message::info(format!("This view is kept as place {place}.")));
    }

    pub(crate) fn go_to_place(&mut self, place: u8) {
        let live = self.is_live();
        let places = self.places_key().and_then(|key| self.settings.places.get(&key));
        if let Some(camera) = places.and_then(|places| places.get(&place)).and_then(KeptPlace::camera) {
            self.viewport.camera = camera;
            self.viewport.set_look(live, Look::Free);
        }
    }

    pub(crate) fn toggle_look(&mut self) {
        let live = self.is_live();
        let look = match self.viewport.look(live) {
            Look::Free => Look::Camera,
            Look::Camera => Look::Free,
        };
        self.viewport.set_look(live, look);
        self.save_settings();
    }

    pub(crate) fn toggle_grid(&mut self) {
        self.viewport.grid ^= true;
        self.save_settings();
    }

    pub(crate) fn toggle_ghosts(&mut self) {
        self.viewport.ghosts ^= true;
        self.save_settings();
    }

    pub(crate) fn toggle_trails(&mut self) {
        self.viewport.show_trails ^= true;
        self.save_settings();
    }

    pub(crate) fn toggle_last_tick(&mut self) {
        self.viewport.last_tick ^= true;
        self.save_settings();
    }

    pub(crate) fn toggle_muted(&mut self) {
        self.settings.muted ^= true;
        self.sounding.set_volume(self.settings.volume());
        self.save_settings();
    }

    /// How loud sounds are, in hundredths.
    pub(crate) fn set_volume(&mut self, hundredths: u8) {
        self.settings.volume_percent = hundredths;
        self.sounding.set_volume(self.settings.volume());
        self.save_settings();
    }

    pub(crate) fn go_to_menu(&mut self) {
        self.menu_wanted = true;
    }

    pub(crate) fn set_undo_memory(&mut self, mebibytes: Option<u32>) {
        self.settings.undo_mebibytes = mebibytes;
        self.save_settings();
    }

    /// Every open scene has the memory for undo that was chosen, also one that was opened since.
    pub(super) fn follow_undo_memory(&mut self) {
        let bytes = self.settings.undo_bytes();
        for scene in self.workspace.iter_mut().flat_map(|open| open.scenes.iter_mut()) {
            scene.document.set_undo_budget(bytes);
        }
    }

    pub(crate) fn set_autosave(&mut self, seconds: u32) {
        self.settings.autosave_seconds = seconds;
        self.save_settings();
    }

    /// The next run is drawn so.
    pub(crate) fn set_flight(&mut self, frames_in_flight: u8, instance_buffers: u8) {
        (self.settings.frames_in_flight, self.settings.instance_buffers) =
            (frames_in_flight, instance_buffers);
        self.save_settings();
    }

    /// The next run has threads like that.
    pub(crate) fn set_threads(&mut self, threads: ThreadSettings) {
        self.settings.threads = threads;
        self.save_settings();
    }

    /// How the threads of a run that begins now are set up.
    pub(super) fn run_threads(&self) -> RunThreads {
        let threads = self.settings.threads;
        let ThreadSettings { workers, own_cores, precise, render_precise, .. } = threads;
        let wanted =
            WorkersWanted { workers: workers.map(usize::from), pin: own_cores, physics_percent: None };
        let pacing = |precise| if precise { Pacing::Precise } else { Pacing::Relaxed };
        RunThreads {
            workers: wanted.in_real_time(),
            pacing: pacing(precise),
            render_pacing: pacing(render_precise),
            observers: threads.observers(),
            observer_cost: threads.observer_cost(),
        }
    }

    /// Keeps so many frames from now on, the newest of those that are held.
    pub(crate) fn set_history_frames(&mut self, frames: usize) {
        self.settings.history_frames = frames;
        self.inspector.set_capacity(self.settings.history_frames());
        self.save_settings();
    }

    pub(crate) fn select_frame(&mut self, frame: FrameIndex) {
        // The frame in which a run has failed never ended: it is shown live.
        if !self.inspector.select(frame) {
            self.inspector.go_live();
        }
    }

    pub(crate) fn go_live(&mut self) {
        self.inspector.go_live();
    }

    pub(crate) fn set_theme(&mut self, theme: ThemeChoice, ctx: &egui::Context) {
        self.settings.theme = theme;
        self.apply_theme(ctx);
        self.save_settings();
    }

    pub(crate) fn set_when_hidden(&mut self, choice: WhenHidden) {
        self.settings.when_hidden = choice;
        self.save_settings();
    }

    pub(crate) fn open_preferences(&mut self, ctx: &egui::Context) {
        Self::come_to_front(ctx);
        self.dialogs.open_preferences(ctx);
    }

    pub(crate) fn open_palette(&mut self, ctx: &egui::Context) {
        Self::come_to_front(ctx);
        self.dialogs.open_palette(ctx);
    }

    /// A tenth larger or smaller; to a whole percentage, so that in and out meet again.
    pub(crate) fn zoom_by(&mut self, tenths: i8, ctx: &egui::Context) {
        let zoom = (self.settings.checked_zoom() * 10.0).round() + f32::from(tenths);
        self.set_zoom(zoom / 10.0, ctx);
    }

    pub(crate) fn set_zoom(&mut self, zoom: f32, ctx: &egui::Context) {
        self.settings.zoom = zoom;
        self.settings.zoom = self.settings.checked_zoom();
        ctx.set_zoom_factor(self.settings.zoom);
        self.save_settings();
    }

    pub(crate) fn set_keys(&mut self, command: EditorCommand, keys: Option<Vec<egui::KeyboardShortcut>>) {
        self.keymap.set(command, keys);
        self.settings.keys = self.keymap.to_texts();
        self.save_settings();
    }

    pub(crate) fn reset_keys(&mut self) {
        self.keymap = Keymap::default();
        self.settings.keys.clear();
        self.save_settings();
    }

    pub(crate) fn toggle_panel(&mut self, pane: Pane) {
        let closed_window = self.close_own_window(pane);
        let open = is_open(&self.layout, pane);
        set_open(&mut self.layout, pane, !open && !closed_window);
        self.maximised = None;
        self.save_settings();
    }

    /// Shows a card of the tour, or ends it: it does not come back by itself.
    pub(crate) fn tour(&mut self, step: TourStep) {
        match step {
            TourStep::To(step) => {
                // What a card points at has to be in sight.
                self.maximised = None;
                for pane in [Pane::Stages, Pane::Pacing, Pane::Strip] {
                    self.dock(pane);
                    show(&mut self.layout, pane);
                }
                self.tour = Some(step);
            }
            TourStep::End => {
                self.tour = None;
                self.settings.tour_taken = true;
                self.save_settings();
            }
        }
    }

    pub(crate) fn maximise(&mut self, pane: Option<Pane>) {
        self.maximised = pane;
    }

    /// Gives the viewport all the room, or puts everything back.
    pub(crate) fn toggle_maximised(&mut self) {
        self.maximised = if self.maximised.is_some() { None } else { Some(Pane::Scene) };
    }

    pub(crate) fn reset_layout(&mut self) {
        self.dock_everything();
        self.layout = default_layout();
        self.maximised = None;
        self.save_settings();
    }

    pub(crate) fn clear_log(&mut self) {
        self.log.clear();
    }
}
