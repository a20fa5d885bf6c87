//! The two paces of a run: on a manual clock in this thread, or in real time beside a render thread.

use super::drive::{Ended, Pace};
use super::interrupt::interrupted;
use crate::outcome::Ending;
use framewalk_runtime::frame::record::RenderRecord;
use framewalk_runtime::frame::recorder::RuntimeRecord;
use framewalk_runtime::sim::observers::thread::Observers;
use framewalk_runtime::sim::paced::{PacedRun, RenderSide, Step};
use framewalk_runtime::sim::virtual_time::VirtualRun;
use framewalk_runtime::sim::{Control, RunFailure, Sim};
use framewalk_runtime::time::Nanos;

/// Takes time from the grid or from a cadence, without waiting.
pub struct Instant(pub VirtualRun);

impl Pace for Instant {
    fn sim(&self) -> &Sim {
        self.0.sim()
    }

    fn sim_mut(&mut self) -> &mut Sim {
        self.0.sim_mut()
    }

    fn now(&self) -> Nanos {
        self.0.now()
    }

    fn run_frame(&mut self, delta: Option<Nanos>) -> Result<bool, RunFailure> {
        match delta {
            Some(delta) => self.0.next_frame_with_delta(delta),
            None => self.0.next_frame(),
        }
    }

    fn control(&mut self, control: Control) -> Result<(), RunFailure> {
        self.0.control(control)
    }

    fn drain_renders(&mut self, renders: &mut Vec<RenderRecord>) {
        renders.extend(self.0.drain_renders());
    }

    fn end(&mut self, ending: &Ending, renders: &mut Vec<RenderRecord>) -> Ended {
        match ending {
            Ending::Finished => self.0.finish(),
            Ending::Interrupted | Ending::Failed(_) => self.0.abandon(),
        }
        self.drain_renders(renders);
        let failure = self.0.failure().map(ToString::to_string);
        Ended { counts: self.0.counts(), failure, ..Ended::default() }
    }
}

/// Waits for each deadline on this thread; frames are rendered on another.
pub struct Real {
    pub run: PacedRun,
    pub render: RenderSide,
    /// Those that were asked for, each at its work.
    pub observers: Observers,
}

impl Pace for Real {
    fn sim(&self) -> &Sim {
        self.run.sim()
    }

    fn sim_mut(&mut self) -> &mut Sim {
        self.run.sim_mut()
    }

    fn now(&self) -> Nanos {
        self.run.clock().now()
    }

    fn run_frame(&mut self, _delta: Option<Nanos>) -> Result<bool, RunFailure> {
        Ok(self.run.wait_and_run(interrupted)? == Step::Frame)
    }

    fn control(&mut self, control: Control) -> Result<(), RunFailure> {
        self.run.control(control)
    }

    fn drain_renders(&mut self, renders: &mut Vec<RenderRecord>) {
        // Emptied after every frame, so the ring, which holds seconds, never fills.
        self.render.records.drain(&mut |record| {
            if let RuntimeRecord::Render(record) = record {
                renders.push(record);
            }
        });
    }

    fn end(&mut self, ending: &Ending, renders: &mut Vec<RenderRecord>) -> Ended {
        let idle = match ending {
            Ending::Finished => {
                self.run.end();
                self.render.thread.wait_idle().map_err(|died| died.to_string())
            }
            Ending::Interrupted | Ending::Failed(_) => Ok(()),
        };
        self.render.thread.shutdown();
        self.drain_renders(renders);
        // Nobody comes to a meeting any more: they are let go, each when it has read the frame it has.
        self.render.stats.release();
        self.observers.join();
        let failure = self.render.thread.failure().map(|message| format!("the render thread {message}"));
        let failure = failure.or_else(|| self.observers.failure().map(|failure| failure.to_string()));
        Ended {
            counts: self.render.thread.counts(),
            redraws: self.render.thread.redraws(),
            records_lost: self.render.records.lost(),
            failure: failure.or(idle.err()),
            sightings: self.observers.sightings(),
        }
    }
}
