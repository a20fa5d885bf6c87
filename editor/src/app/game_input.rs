//! What a person does while a scene runs, as the game's: keys, the mouse, gamepads. Whose they are, and how they get there.

use framewalk_runtime::input::{InputEvent, InputKind, Key};
use framewalk_runtime::sim::Control;

use super::EditorApp;
use crate::gamepads::Gamepads;
use crate::session::Phase;
use crate::viewport::game_mouse::{self, is_of_mouse};
use crate::viewport::port::Port;
use crate::viewport::{Viewport, keys};

impl EditorApp {
    /// The game has the keyboard: the viewport has egui's focus while a scene lives, and no dialog is open.
    pub(super) fn game_has_keys(&self, ctx: &egui::Context) -> bool {
        self.is_live()
            && self.phase() != Phase::Failed
            && !self.dialogs.is_open()
            && (Viewport::focused(ctx).is_some() || self.away_keyboard.is_some())
    }

    /// The game has the mouse too: the keyboard is in the Camera panel, whose picture is the game's own.
    pub(super) fn game_has_mouse(&self, ctx: &egui::Context) -> bool {
        let port = self.away_keyboard.or_else(|| Viewport::focused(ctx));
        self.game_has_keys(ctx) && port == Some(Port::Camera)
    }

    /// Gives the game its keys and its mouse, as they arrived. When it loses them, everything held is released.
    pub(super) fn forward_input(&mut self, ctx: &egui::Context) {
        let has_mouse = self.game_has_mouse(ctx);
        let has_window = self.away_keyboard.is_some() || ctx.input(|input| input.focused);
        let is_played = self.game_has_keys(ctx) && has_window;
        // With the right button in the Scene panel, keys fly through it.
        let flies = |right_held: bool| right_held && !has_mouse;
        let now = self.run_now();
        let place = self.viewport.game_place.filter(|_| is_played && has_mouse);
        let mut reach = Vec::new();
        let release = |at| InputEvent { at, kind: InputKind::ReleaseAll };
        let mut has_keys = is_played && !flies(self.right_held);
        if self.game_had_keys && !has_keys {
            self.game_mouse.let_go();
            reach.push(release(now));
        }
        self.game_mouse.follow(place.as_ref(), |kind| reach.push(InputEvent { at: now, kind }));
        for event in self.arrived(ctx) {
            if let Some(held) = right_button(event.kind) {
                self.right_held = held;
                if flies(held) && has_keys {
                    reach.push(release(event.at));
                }
                has_keys = is_played && !flies(held);
            }
            let kind = match event.kind {
                kind if is_of_mouse(kind) => self.game_mouse.take(kind, place.as_ref()),
                InputKind::ReleaseAll => {
                    self.game_mouse.forget();
                    Some(event.kind)
                }
                kind => Some(kind),
            };
            reach.extend(kind.filter(|_| has_keys).map(|kind| InputEvent { at: event.at, kind }));
        }
        if has_keys && self.link.is_some() {
            self.gamepads.get_or_insert_with(Gamepads::open);
        }
        // In every pass: what is done to them elsewhere is not for the game, and is not to reach it later.
        if let Some(pads) = &mut self.gamepads {
            pads.poll(has_keys, |kind| reach.push(InputEvent { at: now, kind }));
        }
        for event in reach {
            self.give_input(event);
        }
        self.game_had_keys = has_keys;
    }

    /// In a run that has failed nothing is held any more, and nobody asked anything of it by this.
    fn give_input(&mut self, event: InputEvent) {
        if self.phase() != Phase::Failed {
            self.control(Control::Input(event));
        }
    }

    /// Input of the run that lives that was lost: here, because no pass took it in time, or before a frame took it.
    pub(super) fn input_lost(&self) -> u64 {
        let seen = self.workspace.as_ref().and_then(|workspace| workspace.session.observation());
        let here = || self.link.as_ref().map_or(0, |link| link.input_lost());
        seen.map_or(0, |seen| seen.input_lost + here())
    }

    /// What arrived since the last pass, each with its time; the mouse in pixels of its window.
    fn arrived(&self, ctx: &egui::Context) -> Vec<InputEvent> {
        if let Some(link) = &self.link {
            return link.take_input();
        }
        let (now, scale) = (self.run_now(), ctx.pixels_per_point());
        let of = |event: &egui::Event| {
            keys::from_egui(event, now).or_else(|| game_mouse::from_egui(event, scale, now))
        };
        ctx.input(|input| input.events.iter().filter_map(of).collect())
    }
}

/// Whether the right button is held from this event on; none where it is about something else.
const fn right_button(kind: InputKind) -> Option<bool> {
    match kind {
        InputKind::KeyDown(Key::MouseRight) => Some(true),
        InputKind::KeyUp(Key::MouseRight) | InputKind::ReleaseAll => Some(false),
        _ => None,
    }
}
