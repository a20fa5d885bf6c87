//! What a person chooses: rates, looks, theme, layout, the chosen frame. One small change each.

use framewalk_runtime::time::{FrameIndex, Rate};

use super::EditorApp;
use crate::command::Action;
use crate::session::FrameRateChoice;
use crate::settings::{ThemeChoice, WhenHidden};
use crate::shell::dock::{Pane, default_layout, show};
use crate::shell::toolbar::Field;
use crate::viewport::Look;
use crate::viewport::camera::CameraMove;

impl EditorApp {
    /// What was asked for since the last call.
    pub(crate) fn take_actions(&mut self) -> Vec<Action> {
        std::mem::take(&mut self.actions)
    }

    pub(crate) fn set_tick_rate(&mut self, rate: Rate) {
        if let Some(workspace) = &mut self.workspace {
            workspace.session.set_tick_rate(rate);
        }
        self.expect_answer();
    }

    pub(crate) fn set_frame_rate(&mut self, choice: FrameRateChoice) {
        if let Some(workspace) = &mut self.workspace {
            workspace.session.set_frame_rate(choice);
        }
        self.expect_answer();
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

    pub(crate) fn toggle_look(&mut self) {
        let live = self.is_live();
        let look = match self.viewport.look(live) {
            Look::Free => Look::Camera,
            Look::Camera => Look::Free,
        };
        self.viewport.set_look(live, look);
    }

    pub(crate) fn toggle_grid(&mut self) {
        self.viewport.grid ^= true;
    }

    pub(crate) fn toggle_ghosts(&mut self) {
        self.viewport.ghosts ^= true;
    }

    pub(crate) fn toggle_last_tick(&mut self) {
        self.viewport.last_tick ^= true;
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

    pub(crate) fn open_settings(&mut self) {
        self.dialogs.settings = true;
    }

    pub(crate) fn show_pane(&mut self, pane: Pane) {
        show(&mut self.layout, pane);
    }

    pub(crate) fn reset_layout(&mut self) {
        self.layout = default_layout();
        self.save_settings();
    }

    pub(crate) fn clear_log(&mut self) {
        self.log.clear();
    }
}
