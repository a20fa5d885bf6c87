//! Keys of the editor: each press of a command's key is that command once.

use std::collections::BTreeSet;

use egui::{Event, Key};

use super::EditorApp;
use crate::command::keymap::digit;
use crate::command::{Action, EditorCommand, belongs_to_text, yields_to_typing};
use crate::panels::Pane;
use crate::shell::status::Message;
use crate::viewport::Viewport;
use crate::viewport::gizmo::Grip;

impl EditorApp {
    /// Turns the key events of this pass into actions, and takes them out of egui's sight.
    pub(super) fn collect_shortcuts(&mut self, ctx: &egui::Context) {
        ctx.input_mut(|input| tell_repeats(&mut input.events, &mut self.held_keys));
        if self.dialogs.is_open() {
            return;
        }
        let gizmo = &self.viewport.gizmo;
        let cancels = gizmo.held.is_some() || gizmo.selecting.is_some();
        if cancels && ctx.input_mut(|input| input.consume_key(egui::Modifiers::NONE, Key::Escape)) {
            self.actions.push(Action::Grip(Grip::Cancel));
        }
        if self.is_reverting() && ctx.input_mut(|input| input.consume_key(egui::Modifiers::NONE, Key::Escape))
        {
            self.give_up_reverting();
        }
        let situation = self.situation();
        let game = self.game_has_keys(ctx);
        let flying = ctx.input(|input| input.pointer.secondary_down());
        let in_text = ctx.text_edit_focused();
        let typing = game || flying || in_text;
        // The arrow keys are for what has the keyboard; else for the frames.
        let focused = ctx.memory(egui::Memory::focused);
        let walks = |pane: &Pane| !pane.lists() && focused == Some(pane.focus_id());
        let walks = !typing && (focused.is_none() || Pane::ALL.iter().any(walks));
        let about_entities = !typing && focused.is_none_or(is_about_entities);
        let actions = &mut self.actions;
        let keymap = &self.keymap;
        let after_typing = &mut self.after_typing;
        let mut refused = None;
        let mut walk = 0;
        ctx.input_mut(|input| {
            input.events.retain(|event| {
                // The system's clipboard keys come as what they mean.
                let of_clipboard = match event {
                    Event::Copy if about_entities => Some(EditorCommand::Copy),
                    Event::Cut if about_entities => Some(EditorCommand::Cut),
                    Event::Paste(text) if !typing => {
                        if EditorCommand::Paste.allowed(&situation).is_ok() {
                            actions.push(Action::Paste(text.clone()));
                        }
                        return false;
                    }
                    _ => None,
                };
                if let Some(command) = of_clipboard {
                    let allowed = command.allowed(&situation).is_ok();
                    if allowed {
                        actions.push(Action::Command(command));
                    }
                    return !allowed;
                }
                let Event::Key { key, physical_key, pressed: true, repeat, modifiers } = event else {
                    return true;
                };
                match keymap.command(*modifiers, digit(*key, *physical_key)) {
                    Some((_, shortcut)) if typing && yields_to_typing(shortcut) => true,
                    Some((_, shortcut)) if in_text && belongs_to_text(shortcut) => true,
                    Some((command, _)) => {
                        if *repeat && !command.repeats() {
                            return false;
                        }
                        match command.allowed(&situation) {
                            _ if in_text && takes_what_is_typed(command) => after_typing.push(command),
                            Ok(()) => actions.push(Action::Command(command)),
                            Err(reason) if !*repeat => refused = Some((command, reason)),
                            Err(_) => {}
                        }
                        false
                    }
                    None if walks && !modifiers.any() && matches!(key, Key::ArrowLeft | Key::ArrowRight) => {
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
        if let Some((command, reason)) = refused {
            self.refuse(command, reason);
        }
        if let Some(focused) = focused.filter(|_| !self.after_typing.is_empty()) {
            // The field takes what is typed when it loses the keyboard: later in this pass.
            ctx.memory_mut(|memory| memory.surrender_focus(focused));
        }
        Self::hand_back_keys(ctx, game);
    }

    /// Gives the commands that waited for what was being typed: it is in the scene now.
    pub(super) fn follow_typing(&mut self, ctx: &egui::Context) {
        for command in std::mem::take(&mut self.after_typing) {
            match command.allowed(&self.situation()) {
                Ok(()) => self.actions.push(Action::Command(command)),
                Err(reason) => self.refuse(command, reason),
            }
            self.run_actions(ctx);
        }
    }

    fn refuse(&mut self, command: EditorCommand, reason: &str) {
        self.say(Message::info(format!("{}: {reason}", command.label().trim_end_matches('…'))));
    }

    /// Esc takes the keyboard back from the game.
    fn hand_back_keys(ctx: &egui::Context, game: bool) {
        if game && ctx.input_mut(|input| input.consume_key(egui::Modifiers::NONE, Key::Escape)) {
            Viewport::surrender_focus(ctx);
        }
    }
}

/// Says of each press whether the key was down already. The interface asks that of the sign on the key, and takes "!" for
/// held from then on where Shift was let go before 1 was.
fn tell_repeats(events: &mut [Event], held: &mut BTreeSet<Key>) {
    for event in events {
        match event {
            Event::Key { key, physical_key, pressed, repeat, .. } => {
                let place = physical_key.unwrap_or(*key);
                let was_held = if *pressed { !held.insert(place) } else { held.remove(&place) };
                *repeat = *pressed && was_held;
            }
            Event::WindowFocused(false) => held.clear(),
            _ => {}
        }
    }
}

/// What it is about is the scene with what is being typed in a field, as if that had been entered.
fn takes_what_is_typed(command: EditorCommand) -> bool {
    matches!(
        command,
        EditorCommand::Save
            | EditorCommand::SaveAll
            | EditorCommand::PlayOrResume
            | EditorCommand::CloseScene
            | EditorCommand::CloseOtherScenes
            | EditorCommand::NextScene
            | EditorCommand::PreviousScene
            | EditorCommand::CloseProject
            | EditorCommand::Quit
    )
}

/// The keyboard is where Copy means the selected entities, and not the text of a panel.
fn is_about_entities(focused: egui::Id) -> bool {
    [Pane::Outliner, Pane::Scene, Pane::Camera, Pane::History].iter().any(|pane| pane.focus_id() == focused)
}
