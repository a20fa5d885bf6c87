//! What of a project is changed in the editor: the settings that are typed, how each is read, and what it then says.

use framewalk_inspector::glossary::sense;
use framewalk_inspector::wording::count;
use framewalk_runtime::frame::record::HandoffMode;
use framewalk_runtime::scene::project::{Limits, PhysicsDivisor, Project};
use framewalk_runtime::time::fixed_step::MaxTicks;
use framewalk_runtime::time::{Nanos, Rate, Speed};

/// One thing that `project.ron` is to say from now on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProjectChange {
    TickRate(Rate),
    FrameRate(Rate),
    AudioRate(Rate),
    Speed(Speed),
    LongestDelta(Nanos),
    TickCap(MaxTicks),
    Physics(PhysicsDivisor),
    Handoff(HandoffMode),
    /// The scene that is opened and run first.
    FirstScene(String),
}

impl ProjectChange {
    pub fn apply(&self, project: &mut Project) {
        match self {
            Self::TickRate(rate) => project.tick_rate = *rate,
            Self::FrameRate(rate) => project.frame_rate = *rate,
            Self::AudioRate(rate) => project.audio_rate = *rate,
            Self::Speed(speed) => project.speed = *speed,
            Self::LongestDelta(delta) => project.limits.max_delta = *delta,
            Self::TickCap(cap) => project.limits.max_ticks = *cap,
            Self::Physics(divisor) => project.physics_divisor = *divisor,
            Self::Handoff(handoff) => project.handoff = *handoff,
            Self::FirstScene(name) => {
                // The others keep their order.
                if let Some(position) = project.scenes.iter().position(|scene| scene == name) {
                    project.scenes[..=position].rotate_right(1);
                }
            }
        }
    }

    /// What is so from now on, as part of a sentence.
    #[must_use]
    pub fn said(&self) -> String {
        match self {
            Self::TickRate(rate) => format!("the tick rate is {rate} Hz"),
            Self::FrameRate(rate) => format!("the frame rate is {rate} Hz where no display says its own"),
            Self::AudioRate(rate) => format!("sounds are looked after {rate} times a second"),
            Self::Speed(speed) => format!("the speed is {speed}"),
            Self::LongestDelta(delta) => format!("the longest delta is {} ms", delta.as_millis_f64()),
            Self::TickCap(MaxTicks::Auto) => "the tick cap follows the tick rate".to_owned(),
            Self::TickCap(MaxTicks::Fixed(ticks)) => {
                format!("a frame runs {} at most", count((*ticks).into(), "tick", "ticks"))
            }
            Self::Physics(divisor) => {
                format!("a physics step spans {}", count(divisor.ticks().into(), "tick", "ticks"))
            }
            Self::Handoff(handoff) => format!("the handoff is {}", handoff.name()),
            Self::FirstScene(name) => format!("{name} is the scene that is opened first"),
        }
    }
}

/// A setting of the project that is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    TickRate,
    FrameRate,
    Speed,
    LongestDelta,
    TickCap,
    AudioRate,
}

impl Setting {
    /// In the order in which they are shown.
    pub const ALL: [Self; 6] =
        [Self::TickRate, Self::FrameRate, Self::Speed, Self::LongestDelta, Self::TickCap, Self::AudioRate];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::TickRate => "Tick rate",
            Self::FrameRate => "Frame rate",
            Self::Speed => "Speed",
            Self::LongestDelta => "Longest delta",
            Self::TickCap => "Tick cap",
            Self::AudioRate => "Audio rate",
        }
    }

    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Self::TickRate | Self::FrameRate | Self::AudioRate => "Hz",
            Self::Speed => "×",
            Self::LongestDelta => "ms",
            Self::TickCap => "ticks",
        }
    }

    #[must_use]
    pub fn explained(self) -> &'static str {
        match self {
            Self::TickRate => sense("tick rate"),
            Self::FrameRate => sense("frame rate"),
            Self::Speed => sense("speed"),
            Self::LongestDelta => "The longest delta that is accepted; the rest of it is clamped time.",
            Self::TickCap => {
                "Most ticks in one frame; the rest of what is due is capped: dropped, never queued. A number, or auto."
            }
            Self::AudioRate => "What sounds is looked after so often a second.",
        }
    }

    /// What the project says now, as people write it.
    #[must_use]
    pub fn text(self, project: &Project) -> String {
        match self {
            Self::TickRate => project.tick_rate.to_string(),
            Self::FrameRate => project.frame_rate.to_string(),
            Self::Speed => project.speed.to_string(),
            Self::LongestDelta => project.limits.max_delta.as_millis_f64().to_string(),
            Self::TickCap => match project.limits.max_ticks {
                MaxTicks::Auto => AUTO.to_owned(),
                MaxTicks::Fixed(ticks) => ticks.to_string(),
            },
            Self::AudioRate => project.audio_rate.to_string(),
        }
    }

    /// What stands behind the field beside its unit: what is not plain from the number.
    #[must_use]
    pub fn note(self, project: &Project) -> String {
        match (self, project.limits.max_ticks) {
            (Self::TickCap, cap @ MaxTicks::Auto) => format!("ticks: {} here", cap.at(project.tick_rate)),
            _ => self.unit().to_owned(),
        }
    }

    /// Reads what was typed.
    ///
    /// # Errors
    /// A sentence with what is accepted.
    pub fn read(self, text: &str) -> Result<ProjectChange, String> {
        let text = text.trim();
        let rate = || text.parse::<Rate>().map_err(|error| error.to_string());
        match self {
            Self::TickRate => rate().map(ProjectChange::TickRate),
            Self::FrameRate => rate().map(ProjectChange::FrameRate),
            Self::AudioRate => rate().map(ProjectChange::AudioRate),
            Self::Speed => text.parse().map(ProjectChange::Speed).map_err(|error| format!("{error}")),
            Self::LongestDelta => Limits::max_delta_millis(text)
                .map(ProjectChange::LongestDelta)
                .map_err(|fault| fault.sentence()),
            Self::TickCap if text.eq_ignore_ascii_case(AUTO) => Ok(ProjectChange::TickCap(MaxTicks::Auto)),
            Self::TickCap => Limits::max_ticks(text)
                .map(|ticks| ProjectChange::TickCap(MaxTicks::Fixed(ticks)))
                .map_err(|fault| format!("{}, or {AUTO}", fault.sentence().trim_end_matches('.'))),
        }
    }
}

/// The tick cap that follows the tick rate.
const AUTO: &str = "auto";

#[cfg(test)]
mod tests {
    use super::*;

    fn project() -> Project {
        framewalk_runtime::scene::project::parse_project(
            "(format: 1, name: \"P\", scenes: [\"a\", \"b\", \"c\"])",
        )
        .unwrap()
    }

    #[test]
    fn what_a_field_shows_reads_back_to_the_same() {
        let project = project();
        for setting in Setting::ALL {
            let text = setting.text(&project);
            let mut again = project.clone();
            setting.read(&text).unwrap().apply(&mut again);
            assert_eq!(again, project, "{setting:?} {text}");
        }
    }

    #[test]
    fn each_setting_is_read_as_people_write_it() {
        let rate = |text: &str| text.parse::<Rate>().unwrap();
        for (setting, text, expected) in [
            (Setting::TickRate, "120", ProjectChange::TickRate(rate("120"))),
            (Setting::FrameRate, " 59.94 ", ProjectChange::FrameRate(rate("59.94"))),
            (Setting::AudioRate, "500", ProjectChange::AudioRate(rate("500"))),
            (Setting::Speed, "0.5", ProjectChange::Speed(Speed::from_thousandths(500).unwrap())),
            (Setting::LongestDelta, "100", ProjectChange::LongestDelta(Nanos::from_millis(100))),
            (Setting::TickCap, "8", ProjectChange::TickCap(MaxTicks::Fixed(8))),
            (Setting::TickCap, "Auto", ProjectChange::TickCap(MaxTicks::Auto)),
        ] {
            assert_eq!(setting.read(text), Ok(expected), "{setting:?} {text}");
        }
    }

    #[test]
    fn what_cannot_be_read_says_what_can() {
        for (setting, text, expected) in [
            (Setting::TickRate, "0", "1 to 1000 Hz"),
            (Setting::FrameRate, "fast", "1 to 1000 Hz"),
            (Setting::Speed, "9", "0 to 8"),
            (Setting::LongestDelta, "0", "above 0"),
            (Setting::LongestDelta, "60001", "at most 60000"),
            (Setting::TickCap, "0", "write 1 to 10000, or auto"),
        ] {
            let refused = setting.read(text).unwrap_err();
            assert!(refused.contains(expected), "{setting:?} {text}: {refused}");
        }
    }

    #[test]
    fn the_first_scene_goes_to_the_front_and_the_others_keep_their_order() {
        let mut project = project();
        ProjectChange::FirstScene("c".to_owned()).apply(&mut project);
        assert_eq!(project.scenes, ["c", "a", "b"]);
        ProjectChange::FirstScene("none".to_owned()).apply(&mut project);
        assert_eq!(project.scenes, ["c", "a", "b"]);
    }
}
