//! Rates, speed and handoff: chosen for the next run, and changed in the one that lives.

use framewalk_runtime::scene::project::{HandoffMode, PhysicsDivisor};
use framewalk_runtime::sim::Control;
use framewalk_runtime::time::{Rate, Speed};

use super::{FrameRateChoice, Session};

impl Session {
    pub fn set_speed(&mut self, speed: Speed) {
        self.choices.speed = speed;
        self.control(Control::SetSpeed(speed));
    }

    pub fn set_tick_rate(&mut self, rate: Rate) {
        self.choices.tick_rate = rate;
        self.control(Control::SetTickRate(rate));
    }

    /// In the run that lives, from the end of the physics step under way on.
    pub fn set_physics_divisor(&mut self, divisor: PhysicsDivisor) {
        self.choices.physics_divisor = divisor;
        self.control(Control::SetPhysicsDivisor(divisor));
    }

    /// Another way for frames to reach the render thread, in the run that lives too.
    pub fn set_handoff(&mut self, handoff: HandoffMode) {
        self.choices.handoff = handoff;
        self.control(Control::SetHandoff(handoff));
    }

    pub fn set_frame_rate(&mut self, choice: FrameRateChoice) {
        self.choices.frame_rate = choice;
        self.follow_frame_rate();
    }

    /// The window is on a display of this rate; `None` where none is known.
    pub fn set_display_rate(&mut self, rate: Option<Rate>) {
        self.display_rate = rate;
        // Nobody asks that of a run that has failed; the next one starts with it.
        if self.failure.is_none() {
            self.follow_frame_rate();
        }
    }

    fn follow_frame_rate(&mut self) {
        let rate = self.frame_rate();
        if rate != self.frame_rate {
            self.frame_rate = rate;
            self.lose_step();
            self.control(Control::SetFrameRate(rate));
        }
    }
}
