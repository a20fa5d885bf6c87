//! The renderer's own frame clock, for the free handoff: when the next picture is due, and when none is. Pure.

use crate::frame::record::RenderOutcome;
use crate::handoff::{FrameConsumer, Held, Taken};
use crate::time::frame_clock::{FrameClock, Planned};
use crate::time::motion_clock::MotionClock;
use crate::time::{FrameIndex, Nanos, Rate};

/// A grid of deadlines that starts with the first tick to draw, and ends where nothing moves any more.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnClock {
    // None while it rests.
    grid: Option<FrameClock>,
    rate: Rate,
    last_render_time: Nanos,
    // When the renderer was done with the picture before.
    ready: Nanos,
    // What the last picture showed: this frame, there.
    shown: Option<(FrameIndex, f64)>,
    // That was as far as it goes.
    has_shown_all: bool,
    // Everything stands, and is drawn as it does by this clock.
    stands: Option<MotionClock>,
}

/// What is to be done now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Own {
    /// A picture, made for this time.
    Draw(Taken, Planned),
    /// Nothing before this time.
    Wait { until: Nanos },
    /// Nothing before something new is published.
    Rest,
}

impl OwnClock {
    /// The handoff is another one: the next free one starts anew.
    pub(crate) fn stop(&mut self) {
        *self = Self { ready: self.ready, ..Self::default() };
    }

    /// The renderer is done with a picture, or was at `now` for another reason.
    pub(crate) fn done(&mut self, now: Nanos) {
        self.ready = now;
    }

    /// The last picture shows its tick as far as that goes: a new one is waited for.
    pub(crate) const fn has_shown_all(&self) -> bool {
        self.has_shown_all
    }

    /// When something is to be done next; none while it rests.
    pub(crate) fn next_deadline(&self) -> Option<Nanos> {
        self.grid.as_ref().map(|grid| grid.next_deadline().max(self.ready))
    }

    /// Takes the tick whose time has come. What shows nothing new is not drawn: the tick that follows is late, or
    /// everything stands.
    pub(crate) fn next<S>(&mut self, consumer: &mut FrameConsumer<S>, now: Nanos) -> Own {
        let rate = consumer.render_rate();
        // What was asked of a grid that is gone is asked of nobody.
        let shift = consumer.take_render_shift();
        if consumer.stands() {
            return self.stand(consumer, now);
        }
        // What stood goes on at once, whether or not a tick has come.
        let goes_on = self.stands.take().is_some();
        let Some(grid) = &mut self.grid else {
            // Where frames came another way before, looking for one is what tells this end to sleep in the new one.
            if !goes_on && !consumer.has_come() {
                return Own::Rest;
            }
            self.rate = rate;
            self.ready = now;
            let mut grid = FrameClock::started(now, rate);
            let planned = grid.next(now);
            self.grid = Some(grid);
            return self.take(consumer, planned);
        };
        if rate != self.rate {
            self.rate = rate;
            grid.change_rate(self.last_render_time, rate, self.ready, now);
        }
        grid.shift(shift);
        let deadline = grid.next_deadline();
        if now < deadline {
            return Own::Wait { until: deadline };
        }
        let planned = grid.next(self.ready);
        self.take(consumer, planned)
    }

    /// No time passes: the picture of that moment, and once, but that a step brings another one. It waits for no deadline.
    fn stand<S>(&mut self, consumer: &mut FrameConsumer<S>, now: Nanos) -> Own {
        self.grid = None;
        let motion = consumer.motion();
        if self.stands == Some(motion) && !consumer.has_come() {
            return Own::Rest;
        }
        let at = Planned { render_time: now.max(self.last_render_time), ..Planned::default() };
        let own = self.take(consumer, at);
        // Before the first frame there is nothing yet.
        self.stands = self.shown.is_some().then_some(motion);
        own
    }

    fn take<S>(&mut self, consumer: &mut FrameConsumer<S>, planned: Planned) -> Own {
        let render_time = planned.render_time;
        self.last_render_time = render_time;
        self.ready = self.ready.max(render_time);
        let Some(taken) = consumer.take_at(render_time) else {
            self.stop();
            return Own::Rest;
        };
        let blend = taken.blend.unwrap_or_default();
        let shows = Some((taken.frame.frame, blend.alpha));
        let shows_nothing_new = taken.again && shows == self.shown;
        self.shown = shows;
        self.has_shown_all = blend.held != Held::No;
        if shows_nothing_new {
            consumer.finish(RenderOutcome::Rendered);
            return match self.next_deadline() {
                Some(until) => Own::Wait { until },
                None => Own::Rest,
            };
        }
        Own::Draw(taken, planned)
    }
}
