//! What is to be played in a bare window, and what that left.

use framewalk_runtime::render::FlightLimits;
use framewalk_runtime::scene::Scene;
use framewalk_runtime::sim::RunSettings;
use framewalk_runtime::sim::paced::PacedOptions;
use framewalk_runtime::time::{Nanos, Rate};

use crate::outcome::Outcome;

/// What is to be played, and how.
#[derive(Clone, Debug)]
pub struct Plan {
    pub project: String,
    pub scene_name: String,
    pub scene: Scene,
    pub settings: RunSettings,
    /// The frame rate was asked for: the display's own is not followed.
    pub fixed_rate: bool,
    pub stop: Stop,
    pub poll: Rate,
    /// How often what sounds is looked after.
    pub audio: Rate,
    /// How the threads meet their deadlines, and how many observe the lockstep.
    pub options: PacedOptions,
    /// What each observer takes at least with a frame.
    pub observer_cost: Nanos,
    /// How it is drawn.
    pub flights: FlightLimits,
    pub size: [u32; 2],
    pub fullscreen: bool,
    /// The records of all frames are wanted, for a table: what is reported needs none of them.
    pub keep_all: bool,
}

impl Plan {
    /// The frame rate from now on, where that is another than the one `kept` so far: that of the display the window is
    /// on, or the project's where none is known. A number that was asked for stays.
    #[must_use]
    pub fn other_rate(&self, display: Option<Rate>, kept: Rate) -> Option<Rate> {
        let wanted = display.filter(|_| !self.fixed_rate).unwrap_or(self.settings.frame_rate);
        (wanted != kept).then_some(wanted)
    }
}

/// When the window closes by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    Never,
    Frames(u64),
    /// With the first frame whose elapsed time is at least this.
    Elapsed(Nanos),
}

/// What a window left when it was closed.
#[derive(Clone, Debug)]
pub struct Played {
    pub outcome: Outcome,
    /// The frame rate that was kept last.
    pub frame_rate: Rate,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_moved_from_display_to_display_is_followed_once_each_time_and_a_number_stays() {
        let hz = |hz| Rate::hz(hz).unwrap();
        let mut plan = Plan {
            project: "Test".to_owned(),
            scene_name: "main".to_owned(),
            scene: Scene::default(),
            settings: RunSettings { frame_rate: hz(50), ..RunSettings::default() },
            fixed_rate: false,
            stop: Stop::Never,
            poll: hz(1000),
            audio: hz(250),
            options: PacedOptions::default(),
            observer_cost: Nanos::ZERO,
            flights: FlightLimits::SINGLE,
            size: [320, 200],
            fullscreen: false,
            keep_all: false,
        };
        let displays =
            [None, Some(hz(60)), Some(hz(60)), Some(hz(144)), None, None, Some(hz(50)), Some(hz(75))];
        let followed = |plan: &Plan| {
            let mut kept = hz(50);
            displays.map(|display| plan.other_rate(display, kept).inspect(|rate| kept = *rate))
        };
        let expected = [None, Some(hz(60)), None, Some(hz(144)), Some(hz(50)), None, None, Some(hz(75))];
        assert_eq!(followed(&plan), expected);
        plan.fixed_rate = true;
        assert_eq!(followed(&plan), [None; 8]);
    }
}
