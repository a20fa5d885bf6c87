//! What may be changed of a run between two of its frames: rates, limits, the handoff, where its deadlines lie.

use super::{Control, Mode, Sim};
use crate::frame::record::HandoffMode;
use crate::time::frame_clock::FrameClock;
use crate::time::{Nanos, Rate};

/// Deadlines and overstep are each rounded to whole nanoseconds.
const ROUNDING: Nanos = Nanos(2);

impl Sim {
    pub(super) fn apply_setting(&mut self, control: Control, now: Nanos) {
        let fixed_step = self.core.fixed_step_mut();
        // The next frame of a running sim comes when it would have come, and brings the poses that pictures go on from.
        let waits = matches!(control, Control::SetHandoff(HandoffMode::Free))
            && self.mode == Mode::Running
            && !self.first_due
            && !self.resuming;
        match control {
            Control::SetSpeed(speed) => self.core.set_speed(speed, now),
            Control::SetTickRate(rate) => fixed_step.set_rate(rate),
            Control::SetMaxTicks(max_ticks) => fixed_step.set_max_ticks(max_ticks),
            Control::SetMaxDelta(max_delta) => fixed_step.set_max_delta(max_delta),
            Control::SetPhysicsDivisor(divisor) => self.core.set_physics_divisor(divisor),
            Control::SetFrameRate(rate) => {
                self.frame_rate = rate;
                self.core.producer_mut().set_render_rate(rate);
            }
            Control::SetHandoff(mode) => self.core.producer_mut().set_mode(mode),
            _ => return,
        }
        if !waits && self.set_grid_rate() {
            let arrived = self.arrived.unwrap_or(now);
            self.clock.change_rate(self.last_tick_due(), self.grid_rate, arrived, now);
        }
        self.say_refused_grid();
        self.settings_changed = true;
    }

    /// True where it is another now.
    pub(super) fn set_grid_rate(&mut self) -> bool {
        let grid_rate = self.wanted_grid_rate();
        std::mem::replace(&mut self.grid_rate, grid_rate) != grid_rate
    }

    /// In the free handoff the deadlines of frames are the times at which ticks are due. Where they are no longer, as after
    /// a change of rate, a resume or time that was clamped, a grid that is begins with this frame's last tick.
    pub(super) fn follow_ticks(&mut self) {
        let is_followed = self.core.producer().mode() == HandoffMode::Free && self.mode == Mode::Running;
        let changed = is_followed && self.set_grid_rate();
        if !is_followed || self.grid_refused {
            return;
        }
        let tick_due = self.last_tick_due();
        let off = self.clock.next_deadline() - (tick_due + self.grid_rate.period());
        let speed = self.core.fixed_step().speed();
        let rounding = speed.on_the_clock(ROUNDING).unwrap_or(Nanos::MAX).max(ROUNDING);
        if changed || off.0.abs() > rounding.0 {
            self.clock = FrameClock::begun(tick_due, self.grid_rate);
        }
    }

    /// When the last tick was due: before the last frame by what that left over, in the free handoff; elsewhere frames have a
    /// grid of their own, and this is that of the last one.
    fn last_tick_due(&self) -> Nanos {
        let fixed_step = self.core.fixed_step();
        let since = match self.core.producer().mode() {
            HandoffMode::Free => fixed_step.speed().on_the_clock(fixed_step.overstep()),
            HandoffMode::Slot | HandoffMode::Lockstep => None,
        };
        self.last_render_time - since.unwrap_or(Nanos::ZERO)
    }

    /// Says once in the log that the frames of the free handoff cannot come as often as its ticks; and again only after they
    /// could meanwhile.
    pub(super) fn say_refused_grid(&mut self) {
        let (rate, speed) = (self.core.fixed_step().rate(), self.core.fixed_step().speed());
        let is_free = self.core.producer().mode() == HandoffMode::Free;
        // At speed 0 no tick comes, whatever the grid.
        let refused = is_free && speed.thousandths() > 0 && rate.times(speed).is_none();
        if refused && !self.grid_refused {
            tracing::warn!(
                target: "framewalk",
                asked = format!("{rate} Hz at speed {speed}"),
                used = format!("{} Hz", self.grid_rate),
                accepted = "1 to 1000 Hz",
                "frame_rate_invalid"
            );
        }
        self.grid_refused = refused;
    }

    /// The display's rate; in the free handoff that of the ticks on the clock, so that each frame is one tick. Where that
    /// is no rate (at speed 0, or above 1000 Hz) the nearest there is.
    pub(super) fn wanted_grid_rate(&self) -> Rate {
        if self.core.producer().mode() != HandoffMode::Free {
            return self.frame_rate;
        }
        let (rate, speed) = (self.core.fixed_step().rate(), self.core.fixed_step().speed());
        if speed.thousandths() == 0 {
            return rate;
        }
        rate.scaled(speed)
    }

    /// Moves the grid of the clock that paces the pictures. In the free handoff that is the renderer's; ticks keep theirs.
    pub(super) fn shift_grid(&mut self, by: Nanos) {
        match self.core.producer().mode() {
            _ if self.mode != Mode::Running => {}
            HandoffMode::Free => self.core.producer_mut().shift_render_grid(by),
            HandoffMode::Slot | HandoffMode::Lockstep => self.clock.shift(by),
        }
    }
}
