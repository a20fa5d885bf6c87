//! The renderer's own frame clock, for the free handoff: when the next picture is due, and when none is. Pure.

use crate::frame::record::RenderOutcome;
use crate::handoff::{FrameConsumer, Held, Taken};
use crate::time::frame_clock::{FrameClock, Planned};
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
    // The last picture showed this frame as far as it goes.
    held_on: Option<FrameIndex>,
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
        self.grid = None;
        self.held_on = None;
    }

    /// The renderer is done with a picture, or was at `now` for another reason.
    pub(crate) fn done(&mut self, now: Nanos) {
        self.ready = now;
    }

    /// The last picture shows its tick as far as that goes: a new one is waited for.
    pub(crate) const fn has_shown_all(&self) -> bool {
        self.held_on.is_some()
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
        self.rest_if_done(consumer);
        let Some(grid) = &mut self.grid else {
            // Where frames came another way before, looking for one is what tells this end to sleep in the new one.
            if !consumer.has_come() {
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

    /// Rests where all that was published is shown and nothing comes by itself. The picture that stands is remembered: it
    /// need not be drawn again.
    pub(crate) fn rest_if_done<S>(&mut self, consumer: &FrameConsumer<S>) {
        if self.held_on.is_some() && consumer.stands() && !consumer.has_new() {
            self.grid = None;
        }
    }

    fn take<S>(&mut self, consumer: &mut FrameConsumer<S>, planned: Planned) -> Own {
        let render_time = planned.render_time;
        self.last_render_time = render_time;
        self.ready = self.ready.max(render_time);
        let Some(taken) = consumer.take_at(render_time) else {
            self.stop();
            return Own::Rest;
        };
        let held = taken.blend.is_some_and(|blend| blend.held != Held::No).then_some(taken.frame.frame);
        let shows_nothing_new = taken.again && held.is_some() && held == self.held_on;
        self.held_on = held;
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
