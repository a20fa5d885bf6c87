//! Which keys give which command: those a command has at first, and what a person has changed.

use std::collections::BTreeMap;

use egui::{Key, KeyboardShortcut, Modifiers};

use super::EditorCommand;

/// The keys of every command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Keymap {
    // Only commands whose keys differ from their first ones; an empty list is a command without keys.
    changed: Vec<(EditorCommand, Vec<KeyboardShortcut>)>,
}

/// Why a key cannot be given to a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyRefusal {
    /// It is needed to find one's way: Escape, Tab, Enter, the arrows.
    Reserved,
    /// Another command has it.
    TakenBy(EditorCommand),
}

impl Keymap {
    /// The keys that give a command, the one that is shown first.
    #[must_use]
    pub fn keys(&self, command: EditorCommand) -> &[KeyboardShortcut] {
        let changed = self.changed.iter().find(|(changed, _)| *changed == command);
        changed.map_or(command.keys(), |(_, keys)| keys)
    }

    /// The key that is shown beside a command, as the system writes it; empty where there is none.
    #[must_use]
    pub fn text(&self, ctx: &egui::Context, command: EditorCommand) -> String {
        self.keys(command).first().map_or_else(String::new, |keys| {
            // As people write it.
            ctx.format_shortcut(keys).replace("Comma", ",")
        })
    }

    /// What a press of a key gives. Of two commands with one key, the earlier in the menus wins.
    #[must_use]
    pub fn command(&self, modifiers: Modifiers, key: Key) -> Option<(EditorCommand, KeyboardShortcut)> {
        EditorCommand::every().find_map(|command| {
            let given =
                |keys: &&KeyboardShortcut| keys.logical_key == key && modifiers.matches_exact(keys.modifiers);
            self.keys(command).iter().find(given).map(|keys| (command, *keys))
        })
    }

    /// Whether a key can be given to a command.
    ///
    /// # Errors
    /// Why not.
    pub fn may_give(&self, command: EditorCommand, shortcut: KeyboardShortcut) -> Result<(), KeyRefusal> {
        use Key::{ArrowDown, ArrowLeft, ArrowRight, ArrowUp, Enter, Escape, Tab};
        let reserved = [Escape, Tab, Enter, ArrowDown, ArrowLeft, ArrowRight, ArrowUp];
        if reserved.contains(&shortcut.logical_key) && !has_control(shortcut.modifiers) {
            return Err(KeyRefusal::Reserved);
        }
        match self.holder(shortcut).filter(|holder| *holder != command) {
            Some(holder) => Err(KeyRefusal::TakenBy(holder)),
            None => Ok(()),
        }
    }

    /// The command that has a key.
    #[must_use]
    pub fn holder(&self, shortcut: KeyboardShortcut) -> Option<EditorCommand> {
        EditorCommand::every().find(|command| self.keys(*command).contains(&shortcut))
    }

    /// Keys that more than one command has: from a settings file that was written by hand.
    #[must_use]
    pub fn clashes(&self) -> Vec<(KeyboardShortcut, EditorCommand, EditorCommand)> {
        EditorCommand::every()
            .flat_map(|command| self.keys(command).iter().map(move |keys| (*keys, command)))
            .filter_map(|(keys, command)| {
                let holder = self.holder(keys)?;
                (holder != command).then_some((keys, holder, command))
            })
            .collect()
    }

    /// The keys of this command are not those it had at first.
    #[must_use]
    pub fn is_changed(&self, command: EditorCommand) -> bool {
        self.changed.iter().any(|(changed, _)| *changed == command)
    }

    /// Some command has other keys than at first.
    #[must_use]
    pub fn has_changes(&self) -> bool {
        !self.changed.is_empty()
    }

    /// Gives a command these keys and no others, taking them from whoever has them. `None` gives it back its first ones.
    pub fn set(&mut self, command: EditorCommand, keys: Option<Vec<KeyboardShortcut>>) {
        let keys = keys.unwrap_or_else(|| command.keys().to_vec());
        let others = EditorCommand::every().filter(|other| *other != command);
        for other in others.collect::<Vec<_>>() {
            if self.keys(other).iter().any(|theirs| keys.contains(theirs)) {
                let left = self.keys(other).iter().filter(|theirs| !keys.contains(theirs)).copied().collect();
                self.put(other, left);
            }
        }
        self.put(command, keys);
    }

    fn put(&mut self, command: EditorCommand, keys: Vec<KeyboardShortcut>) {
        self.changed.retain(|(changed, _)| *changed != command);
        if keys != command.keys() {
            self.changed.push((command, keys));
        }
    }

    /// As the settings file keeps it: a command's name and its keys, `Ctrl+K` or `Ctrl+K, F1`; empty for none.
    #[must_use]
    pub fn to_texts(&self) -> BTreeMap<String, String> {
        let written =
            |keys: &[KeyboardShortcut]| keys.iter().map(|keys| shortcut_text(*keys)).collect::<Vec<_>>();
        self.changed.iter().map(|(command, keys)| (command.name(), written(keys).join(", "))).collect()
    }

    /// Reads what the settings file keeps. A command or key that this program does not know is left out and named.
    #[must_use]
    pub fn from_texts(texts: &BTreeMap<String, String>) -> (Self, Vec<String>) {
        let mut keymap = Self::default();
        let mut problems = Vec::new();
        for (name, text) in texts {
            let Some(command) = EditorCommand::every().find(|command| command.name() == *name) else {
                problems.push(format!("Keys are set for `{name}`, which is no command."));
                continue;
            };
            let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
            match parts.map(|part| shortcut_from(part).ok_or(part)).collect::<Result<Vec<_>, _>>() {
                Ok(keys) => keymap.put(command, keys),
                Err(part) => problems.push(format!("`{part}`, set for {}, is no key.", command.full_label())),
            }
        }
        (keymap, problems)
    }
}

/// The key as a person pressed it, ready to be matched: Ctrl on this system is the command key of every system.
#[must_use]
pub fn pressed(modifiers: Modifiers, key: Key) -> KeyboardShortcut {
    let plain_ctrl = modifiers.ctrl && !modifiers.command;
    let pattern = Modifiers { ctrl: plain_ctrl, mac_cmd: false, ..modifiers };
    KeyboardShortcut::new(pattern, key)
}

/// The digit on a key, where Shift or the keyboard's language makes another sign of it: Shift and 1 is no "!".
#[must_use]
pub fn digit(key: Key, physical_key: Option<Key>) -> Key {
    use Key::{Num0, Num1, Num2, Num3, Num4, Num5, Num6, Num7, Num8, Num9};
    let digits = [Num0, Num1, Num2, Num3, Num4, Num5, Num6, Num7, Num8, Num9];
    // A letter or a key of its own keeps its meaning, wherever it lies.
    let is_sign = key.symbol_or_name().chars().all(|sign| !sign.is_alphanumeric());
    physical_key.filter(|physical| is_sign && digits.contains(physical)).unwrap_or(key)
}

fn has_control(modifiers: Modifiers) -> bool {
    modifiers.command || modifiers.ctrl || modifiers.alt
}

/// `Ctrl+Shift+F10`: the same text on every system.
#[must_use]
pub fn shortcut_text(shortcut: KeyboardShortcut) -> String {
    let modifiers = shortcut.modifiers;
    let parts = [
        (modifiers.command, "Ctrl"),
        (modifiers.ctrl, "Control"),
        (modifiers.alt, "Alt"),
        (modifiers.shift, "Shift"),
    ];
    let held = parts.into_iter().filter(|(held, _)| *held).map(|(_, name)| name);
    held.chain([shortcut.logical_key.name()]).collect::<Vec<_>>().join("+")
}

fn shortcut_from(text: &str) -> Option<KeyboardShortcut> {
    let mut parts: Vec<&str> = text.split('+').map(str::trim).collect();
    let key = Key::from_name(parts.pop()?)?;
    let mut modifiers = Modifiers::NONE;
    for part in parts {
        modifiers |= match part {
            "Ctrl" => Modifiers::COMMAND,
            "Control" => Modifiers::CTRL,
            "Alt" => Modifiers::ALT,
            "Shift" => Modifiers::SHIFT,
            _ => return None,
        };
    }
    Some(KeyboardShortcut::new(modifiers, key))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CTRL_J: KeyboardShortcut = KeyboardShortcut::new(Modifiers::COMMAND, Key::J);
    const F10: KeyboardShortcut = KeyboardShortcut::new(Modifiers::NONE, Key::F10);

    #[test]
    fn changed_keys_are_written_and_read_back_equal() {
        let mut keymap = Keymap::default();
        keymap
            .set(EditorCommand::Pause, Some(vec![CTRL_J, KeyboardShortcut::new(Modifiers::ALT, Key::Minus)]));
        keymap.set(EditorCommand::Stop, Some(Vec::new()));
        let texts = keymap.to_texts();
        assert_eq!(texts["Pause"], "Ctrl+J, Alt+Minus");
        assert_eq!(texts["Stop"], "");
        let (read, problems) = Keymap::from_texts(&texts);
        assert_eq!(problems, [""; 0]);
        for command in EditorCommand::every() {
            assert_eq!(read.keys(command), keymap.keys(command), "{command:?}");
        }
    }

    #[test]
    fn every_first_key_has_a_text_that_reads_back() {
        for command in EditorCommand::every() {
            for &keys in command.keys() {
                assert_eq!(shortcut_from(&shortcut_text(keys)), Some(keys), "{command:?}");
            }
        }
    }

    #[test]
    fn unknown_commands_and_keys_are_left_out_and_named() {
        let texts = [("Fly", "F1"), ("Pause", "Hyper+J"), ("Stop", "F9")];
        let texts = texts.map(|(name, keys)| (name.to_owned(), keys.to_owned())).into();
        let (keymap, problems) = Keymap::from_texts(&texts);
        assert_eq!(
            problems,
            ["Keys are set for `Fly`, which is no command.", "`Hyper+J`, set for Pause, is no key."]
        );
        assert_eq!(keymap.keys(EditorCommand::Pause), EditorCommand::Pause.keys());
        assert_eq!(keymap.keys(EditorCommand::Stop)[0].logical_key, Key::F9);
    }

    #[test]
    fn a_key_that_is_taken_names_who_has_it_and_moves_when_told_to() {
        let mut keymap = Keymap::default();
        let taken = Err(KeyRefusal::TakenBy(EditorCommand::StepFrame));
        assert_eq!(keymap.may_give(EditorCommand::Pause, F10), taken);
        assert_eq!(keymap.may_give(EditorCommand::StepFrame, F10), Ok(()));
        keymap.set(EditorCommand::Pause, Some(vec![F10]));
        assert_eq!(keymap.keys(EditorCommand::StepFrame), []);
        assert_eq!(keymap.command(Modifiers::NONE, Key::F10), Some((EditorCommand::Pause, F10)));
        assert_eq!(keymap.clashes(), []);
        keymap.set(EditorCommand::StepFrame, None);
        assert_eq!(keymap.command(Modifiers::NONE, Key::F10), Some((EditorCommand::StepFrame, F10)));
    }

    #[test]
    fn a_digit_is_the_digit_on_its_key_whatever_shift_makes_of_it() {
        assert_eq!(digit(Key::Exclamationmark, Some(Key::Num1)), Key::Num1);
        assert_eq!(digit(Key::Num1, Some(Key::Num1)), Key::Num1);
        assert_eq!(digit(Key::Slash, Some(Key::Num7)), Key::Num7, "a German keyboard");
        assert_eq!(digit(Key::A, Some(Key::Q)), Key::A);
        assert_eq!(digit(Key::End, Some(Key::Num1)), Key::End, "a number pad without its lock");
        assert_eq!(digit(Key::Slash, Some(Key::Slash)), Key::Slash);
    }

    #[test]
    fn the_keys_that_find_the_way_are_reserved() {
        let keymap = Keymap::default();
        let give =
            |modifiers, key| keymap.may_give(EditorCommand::Stop, KeyboardShortcut::new(modifiers, key));
        assert_eq!(give(Modifiers::NONE, Key::Escape), Err(KeyRefusal::Reserved));
        assert_eq!(give(Modifiers::SHIFT, Key::Tab), Err(KeyRefusal::Reserved));
        assert_eq!(give(Modifiers::ALT, Key::Enter), Ok(()));
    }

    #[test]
    fn a_clash_from_a_file_is_named_and_the_earlier_command_wins() {
        let texts = [("Stop".to_owned(), "F10".to_owned())].into();
        let (keymap, _) = Keymap::from_texts(&texts);
        assert_eq!(keymap.clashes(), [(F10, EditorCommand::Stop, EditorCommand::StepFrame)]);
        assert_eq!(keymap.command(Modifiers::NONE, Key::F10).unwrap().0, EditorCommand::Stop);
    }
}
