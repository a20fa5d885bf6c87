//! How the render thread waits: for a frame, for its own deadline, for a view that is due.

use super::Pass;
use crate::frame::record::HandoffMode;
use crate::render::Timed;
use crate::render::frame_wait::Wait;
use crate::time::Nanos;
use crate::time::pacer::Pacer;
use crate::time::rest::Rest;

/// How long it sleeps at most while the renderer has something under way beside its frames.
pub(super) const LOOK_AGAIN: Nanos = Nanos::from_millis(1);

/// In lockstep a render thread that waits looks after so long whether the simulation still comes.
const LOOK_AFTER: Nanos = Nanos::from_millis(250);

impl<S: Timed> Pass<S> {
    /// Waits until its own deadline in the free handoff, whatever is published; where there is something to look at sooner,
    /// so long at most.
    pub(super) fn nap(&mut self, until: Nanos, look: Option<Nanos>) {
        if let Some(look) = look {
            let left = until - self.clock.now();
            self.helping.rest(Some(left.min(look).to_duration()), &|| false);
        } else if self.frame_wait.pacer_mut().nap_until(&self.clock, until, &mut self.helping) {
            self.spins += 1;
        }
    }

    /// Waits for a frame, and comes back to look round. In lockstep the running time of that is counted, and has a limit.
    pub(super) fn sleep(&mut self, at_most: Option<Nanos>) -> Result<(), String> {
        let before = self.clock.now();
        self.waits_since.get_or_insert(before);
        if self.consumer.mode() != HandoffMode::Lockstep || self.consumer.stands() {
            self.wait_for_frame(before, at_most);
            return Ok(());
        }
        let slice = LOOK_AFTER.min(self.options.patience);
        let slice = at_most.map_or(slice, |at_most| at_most.min(slice));
        self.wait_for_frame(before, Some(slice));
        if self.consumer.stands() || !self.consumer.is_met() {
            return Ok(());
        }
        // Where the whole program stood still meanwhile, by a debugger or a lid that was closed, nobody was waited for.
        self.waited += (self.clock.now() - before).min(slice);
        // Looked at meanwhile: the simulation has the same patience, and by the end of it may have gone.
        self.awaits_observer |= self.consumer.awaits_observer();
        if self.waited < self.options.patience {
            return Ok(());
        }
        let waited = self.waited.as_secs_f64();
        if self.awaits_observer {
            return Err(format!(
                "waited {waited} s for an observer of the frames, which did not come to the meeting of the next one: it hangs, \
                 or a look at a frame takes longer than that"
            ));
        }
        Err(format!(
            "waited {waited} s for the simulation, which did not come to the meeting of the next frame: a tick hangs, or takes \
             longer than that"
        ))
    }

    fn wait_for_frame(&mut self, now: Nanos, at_most: Option<Nanos>) {
        match self.what_to_do(now) {
            Wait::Asleep => _ = self.consumer.sleep_by(at_most.map(Nanos::to_duration), &mut self.helping),
            Wait::Nap { until } => {
                self.frame_wait.pacer_mut().sharpen();
                let nap = until - now;
                let nap = at_most.map_or(nap, |most| most.min(nap));
                if self.consumer.sleep_by(Some(nap.to_duration()), &mut self.helping) {
                    self.frame_wait.napped(until, self.clock.now());
                }
            }
            Wait::Spin { until } => {
                self.spins += 1;
                self.consumer.get_up();
                let end = at_most.map_or(until, |at_most| until.min(now + at_most));
                let consumer = &self.consumer;
                let has_come = Pacer::spin_until(&self.clock, end, || consumer.has_come());
                // Cut short for a view or a question, it says nothing of the frame.
                if has_come || end == until {
                    self.frame_wait.spun(has_come);
                }
            }
        }
    }

    /// Nothing is expected where everything stands, and in the free handoff it rests until it is told.
    pub(in crate::render::thread) fn what_to_do(&self, now: Nanos) -> Wait {
        let comes = self.consumer.is_met() && !self.consumer.stands();
        if comes && self.consumer.mode() != HandoffMode::Free {
            self.frame_wait.next(now)
        } else {
            Wait::Asleep
        }
    }
}
