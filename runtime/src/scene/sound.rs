//! What an entity sounds like, and when: a tone that is made, no file.

use super::Entity;

/// A tone at the place of its entity. One at a time: where it sounds again, it begins anew.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sound {
    pub when: SoundWhen,
    pub wave: Wave,
    /// Of the tone; noise has none.
    pub hertz: f32,
    /// How long it sounds; 0 = as long as its entity is there.
    pub seconds: f32,
    /// Nearby, 0–1.
    pub volume: f32,
    /// Metres from the camera at which it is not heard any more.
    pub max_distance: f32,
}

impl Default for Sound {
    fn default() -> Self {
        Self {
            when: SoundWhen::Start,
            wave: Wave::Sine,
            hertz: 440.0,
            seconds: 0.2,
            volume: 0.5,
            max_distance: 50.0,
        }
    }
}

impl Sound {
    /// The component without which it is never heard, where this entity lacks it.
    #[must_use]
    pub const fn lacks(&self, owner: &Entity) -> Option<&'static str> {
        match self.when {
            SoundWhen::Spawn if owner.spawner.is_none() => Some("spawner"),
            SoundWhen::Teleport if owner.teleporter.is_none() => Some("teleporter"),
            SoundWhen::Contact if owner.body.is_none() => Some("body"),
            SoundWhen::Jump if owner.controlled.is_none() => Some("controlled"),
            _ => None,
        }
    }
}

/// What makes an entity sound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SoundWhen {
    /// Its first tick.
    #[default]
    Start,
    /// Its spawner makes a copy.
    Spawn,
    /// Its teleporter puts it somewhere.
    Teleport,
    /// Its body begins to touch another: the faster they meet, the louder.
    Contact,
    /// It is controlled, and jumps.
    Jump,
}

impl SoundWhen {
    pub const ALL: [Self; 5] = [Self::Start, Self::Spawn, Self::Teleport, Self::Contact, Self::Jump];

    /// As it is written in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Start => "Start",
            Self::Spawn => "Spawn",
            Self::Teleport => "Teleport",
            Self::Contact => "Contact",
            Self::Jump => "Jump",
        }
    }
}

/// The form of a tone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Wave {
    #[default]
    Sine,
    Triangle,
    Square,
    Noise,
}

impl Wave {
    pub const ALL: [Self; 4] = [Self::Sine, Self::Triangle, Self::Square, Self::Noise];

    /// As it is written in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sine => "Sine",
            Self::Triangle => "Triangle",
            Self::Square => "Square",
            Self::Noise => "Noise",
        }
    }
}
