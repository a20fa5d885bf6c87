//! Which ticks a physics step spans, how long it is, and how far bodies are drawn behind simulated time meanwhile.

use crate::time::Rate;
use crate::time::simulated::SimulatedTime;

/// Windows of ticks, one after another: each ends where `tick % divisor == divisor − 1`, or before that where less is
/// known of the way of bodies than a longer one would take.
///
/// All of it is in simulated time, since the length of a tick may change: a step spans what lies between the end of the one
/// before and the last tick of its window, exactly.
#[derive(Clone, Copy, Debug)]
pub struct PhysicsPace {
    divisor: u32,
    /// After the last tick, and after the one before.
    now: SimulatedTime,
    before: SimulatedTime,
    /// Of the last tick; none before the first.
    tick_rate: Option<Rate>,
    under_way: Option<UnderWay>,
    /// The sum of all steps that are over.
    pulled: SimulatedTime,
    /// Steps that are over ended elsewhere than at a tick: the rate changed in the middle of one.
    apart: bool,
    /// Seconds by which bodies are drawn behind, after the last tick and after the one before.
    behind: f64,
    was_behind: f64,
    led: Led,
}

#[derive(Clone, Copy, Debug)]
struct UnderWay {
    /// What it was begun with.
    divisor: u32,
    last: u64,
    /// Simulated time after that tick.
    end: SimulatedTime,
}

/// Where on their way physics has what leads bodies: at the first tick of the last window, or behind it by some seconds.
#[derive(Clone, Copy, Debug)]
struct Led {
    at: SimulatedTime,
    behind: f64,
}

/// What a tick means for physics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// The step under way ends with this tick, before its last one: ticks have another length from this one on.
    pub ends_early: bool,
    /// None: bodies are ahead already, up to the end of a step that ended early.
    pub window: Option<Window>,
}

/// A tick's place in its window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    pub first: bool,
    pub last: bool,
    /// Of the step, in seconds.
    pub seconds: f64,
    /// Which part of its way to where it is now a leading body goes in this step: 1, but where it was led in a longer step
    /// before, and would go faster than it does.
    pub led: f64,
}

/// How bodies move that physics moves: known at the end of a step, and where they go until the next one not before.
#[derive(Clone, Copy, Debug)]
pub struct BodyPace {
    /// After the last tick.
    pub now: SimulatedTime,
    /// Of the last tick.
    pub tick_seconds: f64,
    /// What bodies' newest poses are those of.
    pub pulled: SimulatedTime,
    /// Seconds by which they are drawn behind, after the last tick and after the one before.
    pub behind: f64,
    pub was_behind: f64,
    /// Otherwise they move with every tick, as everything else does.
    pub is_slow: bool,
}

/// The part of a tick by which bodies are drawn faster or slower than they are, where they could be less far behind or have
/// to be farther.
const GIVEN: f64 = 0.01;

/// Seconds; what is shorter than half the shortest tick is part of the next step.
const SHORTEST_STEP: f64 = 0.0005;

impl Default for PhysicsPace {
    fn default() -> Self {
        Self {
            divisor: 1,
            now: SimulatedTime::ZERO,
            before: SimulatedTime::ZERO,
            tick_rate: None,
            under_way: None,
            pulled: SimulatedTime::ZERO,
            apart: false,
            behind: 0.0,
            was_behind: 0.0,
            led: Led { at: SimulatedTime::ZERO, behind: 0.0 },
        }
    }
}

impl PhysicsPace {
    /// For the windows to come.
    pub fn set_divisor(&mut self, divisor: u32) {
        self.divisor = divisor.max(1);
    }

    pub const fn divisor(&self) -> u32 {
        self.divisor
    }

    /// Where this tick stands, which is as long as `tick_rate` says; a window begins or ends with that.
    pub fn at(&mut self, tick: u64, tick_rate: Rate) -> Turn {
        let seconds = tick_rate.period_secs_f64();
        if self.tick_rate.is_none() {
            self.behind = self.due(seconds);
        }
        let has_changed = self.tick_rate.replace(tick_rate).is_some_and(|before| before != tick_rate);
        self.before = self.now;
        self.now.add_ticks(1, tick_rate);
        // It was begun for ticks of another length. What it has computed counts, and is known from now on.
        let cut = if has_changed { self.under_way.take() } else { None };
        if let Some(cut) = cut {
            self.pulled = cut.end;
            self.apart = true;
        }
        let window = match self.under_way {
            Some(UnderWay { last, end, .. }) => {
                if tick >= last {
                    self.end_window(end);
                }
                Some(Window { first: false, last: tick >= last, seconds: 0.0, led: 0.0 })
            }
            None => self.begin_window(tick, tick_rate, seconds),
        };
        self.was_behind = self.behind;
        self.behind = behind_after(self.behind, self.due(seconds), seconds);
        Turn { ends_early: cut.is_some(), window }
    }

    /// With this tick, unless bodies are ahead of it.
    fn begin_window(&mut self, tick: u64, tick_rate: Rate, tick_seconds: f64) -> Option<Window> {
        let ahead = if self.apart { self.pulled.seconds_since(&self.before) } else { 0.0 };
        if tick_seconds - ahead < SHORTEST_STEP {
            return None;
        }
        // Until the window ends nothing more is known of bodies' way than this, and they go on meanwhile.
        let known = (self.behind + ahead) / if ahead < 0.0 { 1.0 + GIVEN } else { 1.0 };
        // As good as whole: hundredths add up to whole ticks but for their rounding.
        let lasts = (known / tick_seconds + 1e-6).max(0.0) as u64;
        let ticks = ticks_from(self.divisor, tick).min(lasts.saturating_add(1));
        let mut end = self.before;
        end.add_ticks(ticks, tick_rate);
        let seconds = if self.apart { end.seconds_since(&self.pulled) } else { tick_seconds * ticks as f64 };
        let led = self.lead(seconds);
        if ticks == 1 {
            self.end_window(end);
        } else {
            self.under_way = Some(UnderWay { divisor: self.divisor, last: tick + ticks - 1, end });
        }
        Some(Window { first: true, last: ticks == 1, seconds, led })
    }

    fn end_window(&mut self, end: SimulatedTime) {
        self.under_way = None;
        self.pulled = end;
        self.apart = false;
    }

    /// For a step of so many seconds: no leading body goes farther in it than it goes in that time, and a hundredth.
    fn lead(&mut self, seconds: f64) -> f64 {
        let way = self.now.seconds_since(&self.led.at) + self.led.behind;
        let share = seconds * (1.0 + GIVEN) / way;
        let share = if share < 1.0 { share } else { 1.0 };
        self.led = Led { at: self.now, behind: way * (1.0 - share) };
        share
    }

    /// How far behind bodies have to be drawn, in seconds, where steps have always been as long as now: at the tick before
    /// a step ends, where the step before it ended. What is known of their way has to last for the step under way.
    fn due(&self, tick_seconds: f64) -> f64 {
        let divisor = self.under_way.map_or(self.divisor, |under_way| under_way.divisor);
        f64::from(divisor - 1) * tick_seconds
    }

    /// After the last tick.
    pub fn of_bodies(&self) -> BodyPace {
        let is_slow = self.divisor > 1 || self.under_way.is_some() || self.was_behind.max(self.behind) > 0.0;
        BodyPace {
            now: self.now,
            tick_seconds: self.tick_rate.map_or(0.0, Rate::period_secs_f64),
            pulled: self.pulled,
            behind: self.behind,
            was_behind: self.was_behind,
            is_slow,
        }
    }
}

/// Of the window that begins with this tick.
fn ticks_from(divisor: u32, tick: u64) -> u64 {
    u64::from(divisor) - tick % u64::from(divisor)
}

/// How far behind bodies are drawn after a tick of so many seconds, `behind` before it: they go on as far as the tick is
/// long, and come a hundredth of it nearer to where they are due.
fn behind_after(behind: f64, due: f64, tick_seconds: f64) -> f64 {
    let most = tick_seconds * GIVEN;
    let after = behind + (due - behind).clamp(-most, most);
    if (after - due).abs() < tick_seconds * 1e-6 { due } else { after }
}

#[cfg(test)]
mod tests;
