//! Keys of the editor: each press of a command's key is that command once.

use egui::{Event, Key};

use super::EditorApp;
use crate::command::{Action, yields_to_typing};
use crate::session::Phase;
use crate::viewport::Viewport;

impl EditorApp {
    /// Turns the key events of this pass into actions, and takes them out of egui's sight.
    pub(super) fn collect_shortcuts(&mut self, ctx: &egui::Context) {
        if self.dialogs.is_open() {
            return;
        }
        let situation = self.situation();
        let game = self.game_has_keys(ctx);
        let flying = ctx.input(|input| input.pointer.secondary_down());
        let typing = game || flying || ctx.text_edit_focused();
        let actions = &mut self.actions;
        let keymap = &self.keymap;
        let mut walk = 0;
        ctx.input_mut(|input| {
            input.events.retain(|event| {
                let Event::Key { key, pressed: true, repeat, modifiers, .. } = event else { return true };
                match keymap.command(*modifiers, *key) {
                    Some((_, shortcut)) if typing && yields_to_typing(shortcut) => true,
                    Some((command, _)) => {
                        let wanted = !*repeat || command.repeats();
                        if wanted && command.allowed(&situation).is_ok() {
                            actions.push(Action::Command(command));
                        }
                        false
                    }
                    None if !typing
                        && !modifiers.any()
                        && matches!(key, Key::ArrowLeft | Key::ArrowRight) =>
                    {
                        walk += if *key == Key::ArrowLeft { -1 } else { 1 };
                        false
                    }
                    None => true,
                }
            });
        });
        if walk != 0 && situation.project_open {
            self.inspector.walk(walk);
        }
        self.hand_back_keys(ctx, game);
    }

    /// Esc takes the keyboard back from the game; without a run the viewport needs none.
    fn hand_back_keys(&self, ctx: &egui::Context, game: bool) {
        let escape = game && ctx.input_mut(|input| input.consume_key(egui::Modifiers::NONE, Key::Escape));
        let idle = matches!(self.phase(), Phase::Edit | Phase::Failed);
        if escape || idle {
            Viewport::surrender_focus(ctx);
        }
    }
}
