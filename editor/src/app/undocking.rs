//! Panels in windows of their own: moved out, drawn there, and docked again.

use egui::{Context, Frame, ViewportCommand, ViewportId};
use framewalk_inspector::theme::Theme;

use super::EditorApp;
use crate::command::Action;
use crate::panels::Pane;
use crate::settings::WindowPlace;
use crate::shell::areas;
use crate::shell::dock::{self, is_open, set_open};
use crate::shell::undocked::Undocked;
use crate::viewport::Viewport;
use crate::viewport::port::Port;

impl EditorApp {
    pub(super) fn is_undocked(&self, pane: Pane) -> bool {
        self.undocked.iter().any(|window| window.pane() == pane)
    }

    /// A picture has a window of the system for itself: its keyboard is that window's.
    pub(super) fn is_away(&self, port: Port, ctx: &Context) -> bool {
        !ctx.embed_viewports() && self.undocked.iter().any(|window| window.pane().port() == Some(port))
    }

    pub(crate) fn toggle_own_window(&mut self, pane: Pane) {
        if self.is_undocked(pane) { self.dock(pane) } else { self.undock(pane) }
    }

    /// Moves a panel to a window of its own; its place in the dock stays for it.
    pub(crate) fn undock(&mut self, pane: Pane) {
        if self.is_undocked(pane) {
            return;
        }
        set_open(&mut self.layout, pane, false);
        let before = self.settings.windows.iter().find(|place| place.pane == pane);
        self.undocked.push(before.map_or_else(|| Undocked::new(pane), |place| Undocked::at(*place)));
        if self.maximised == Some(pane) {
            self.maximised = None;
        }
        self.save_settings();
    }

    /// Puts a panel back from its window, to where it was.
    pub(crate) fn dock(&mut self, pane: Pane) {
        if self.close_own_window(pane) {
            set_open(&mut self.layout, pane, true);
            self.save_settings();
        }
    }

    /// The window is gone, and the panel with it. False where there was none.
    pub(super) fn close_own_window(&mut self, pane: Pane) -> bool {
        let Some(at) = self.undocked.iter().position(|window| window.pane() == pane) else { return false };
        let window = self.undocked.remove(at);
        self.settings.windows.retain(|place| place.pane != pane);
        self.settings.windows.push(window.now);
        self.window_goes();
        true
    }

    pub(super) fn dock_everything(&mut self) {
        if !self.undocked.is_empty() {
            self.undocked.clear();
            self.window_goes();
        }
    }

    /// A window of the system goes after the first pass that does not draw it, which is the next one.
    pub(super) fn window_goes(&mut self) {
        self.window_goes = 2;
    }

    /// At the end of a pass: where a window goes after it, nobody may submit until it is gone.
    pub(super) fn let_windows_go(&mut self, ctx: &Context) {
        if let Some(link) = &self.link {
            link.hold_gate_while_unsettled();
        }
        if self.window_goes == 0 {
            return;
        }
        self.window_goes -= 1;
        match (&self.link, self.window_goes) {
            (Some(link), 0) => link.hold_gate(),
            (None, 0) => {}
            _ => ctx.request_repaint(),
        }
    }

    /// What is remembered: the windows that are open, and where those were that have been closed.
    pub(super) fn note_windows(&mut self) {
        for window in &self.undocked {
            self.settings.windows.retain(|place| place.pane != window.pane());
            self.settings.windows.push(window.now);
        }
        self.settings.undocked = self.undocked.iter().map(Undocked::pane).collect();
    }

    /// The windows as they were left.
    pub(super) fn remembered_windows(places: &[WindowPlace], undocked: &[Pane]) -> Vec<Undocked> {
        let mut windows: Vec<Undocked> = Vec::new();
        for &pane in undocked {
            if windows.iter().all(|window| window.pane() != pane) {
                let place = places.iter().find(|place| place.pane == pane);
                windows.push(place.map_or_else(|| Undocked::new(pane), |place| Undocked::at(*place)));
            }
        }
        windows
    }

    /// Draws every panel that has its own window.
    pub(super) fn undocked_ui(&mut self, ctx: &Context, actions: &mut Vec<Action>) {
        self.away_keyboard = None;
        self.right_held = ctx.input(|input| input.pointer.secondary_down());
        if self.workspace.is_none() || self.alone.is_some() {
            self.undocked.iter_mut().for_each(|window| window.is_made = false);
            return;
        }
        for at in 0..self.undocked.len() {
            let stays = if ctx.embed_viewports() {
                self.embedded(at, ctx, actions)
            } else {
                self.own(at, ctx, actions)
            };
            if !stays {
                actions.push(Action::Dock(self.undocked[at].pane()));
            }
        }
    }

    fn embedded(&mut self, at: usize, ctx: &Context, actions: &mut Vec<Action>) -> bool {
        let window = self.undocked[at];
        window.embedded_ui(ctx, |ui| {
            self.with_contents(ui, actions, |_, ui, contents| dock::panel_ui(ui, window.pane(), contents));
        })
    }

    fn own(&mut self, at: usize, ctx: &Context, actions: &mut Vec<Action>) -> bool {
        let mut window = self.undocked[at];
        // Painted in this call, and made where it is new: where a surface is configured, nobody may submit meanwhile.
        let gate = std::sync::Arc::clone(&self.gate);
        let link = self.link.as_ref();
        let is_held = link.is_some_and(|link| link.is_gated());
        let is_configured = !window.is_made || link.is_some_and(|link| link.is_unsettled());
        let held = (is_configured && !is_held)
            .then(|| gate.write().unwrap_or_else(std::sync::PoisonError::into_inner));
        let id = Undocked::viewport_id(window.pane());
        let stays = ctx.show_viewport_immediate(id, window.builder(), |ui, _| {
            window.note_place(ui);
            self.collect_shortcuts(ui.ctx());
            actions.append(&mut self.actions);
            if let Some(port) = window.pane().port()
                && std::mem::take(&mut self.away_wants_keyboard)
            {
                ui.memory_mut(|memory| memory.request_focus(port.id()));
            }
            let frame = Frame::new().fill(Theme::of(ui).bg1);
            egui::CentralPanel::no_frame().frame(frame).show(ui, |ui| {
                self.with_contents(ui, actions, |_, ui, contents| {
                    dock::panel_ui(ui, window.pane(), contents)
                });
            });
            areas::ring(ui.ctx());
            self.right_held |= ui.input(|input| input.pointer.secondary_down());
            let port = Viewport::focused(ui.ctx()).filter(|_| ui.input(|input| input.focused));
            self.away_keyboard = self.away_keyboard.or(port);
            !ui.input(|input| input.viewport().close_requested())
        });
        drop(held);
        window.is_made = true;
        self.undocked[at] = window;
        stays
    }

    /// Brings a panel to the front, in the dock or in its window, and gives it the keyboard.
    pub(crate) fn go_to_panel(&mut self, pane: Pane, ctx: &Context) {
        self.show_pane(pane, ctx);
        if pane.port().is_some_and(|port| self.is_away(port, ctx)) {
            self.away_wants_keyboard = true;
        } else if !self.is_undocked(pane) || ctx.embed_viewports() {
            self.dialogs.give_focus(ctx, pane.focus_id());
        }
    }

    pub(crate) fn show_pane(&mut self, pane: Pane, ctx: &Context) {
        if self.maximised.is_some_and(|maximised| maximised != pane) {
            self.maximised = None;
        }
        if !self.is_undocked(pane) {
            dock::show(&mut self.layout, pane);
        } else if !ctx.embed_viewports() {
            ctx.send_viewport_cmd_to(Undocked::viewport_id(pane), ViewportCommand::Focus);
        }
    }

    /// A dialog was asked for in another window: it is in the main one.
    pub(crate) fn come_to_front(ctx: &Context) {
        if !ctx.embed_viewports() && !ctx.input(|input| input.focused) {
            ctx.send_viewport_cmd_to(ViewportId::ROOT, ViewportCommand::Focus);
        }
    }

    /// Docked or in its own window: not closed.
    pub(super) fn is_anywhere(&self, pane: Pane) -> bool {
        is_open(&self.layout, pane) || self.is_undocked(pane)
    }
}
