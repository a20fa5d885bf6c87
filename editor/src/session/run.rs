//! A run, however it is driven: on threads against the real clock, or on one thread against a manual one.

use framewalk_runtime::frame::record::HandoffCounts;
use framewalk_runtime::frame::recorder::RuntimeRecord;
use framewalk_runtime::frame::sounds::SoundSender;
use framewalk_runtime::frame::zones::{Zone, ZoneThread};
use framewalk_runtime::jobs::JobsStats;
use framewalk_runtime::jobs::seating::Seating;
use framewalk_runtime::joining::LeftThread;
use framewalk_runtime::render::Renderer;
use framewalk_runtime::scene::Scene;
use framewalk_runtime::sim::observe::Observation;
use framewalk_runtime::sim::observers::fault;
use framewalk_runtime::sim::observers::thread::busy_for;
use framewalk_runtime::sim::thread::LiveRun;
use framewalk_runtime::sim::virtual_time::{VirtualOptions, VirtualRun};
use framewalk_runtime::sim::{Control, RunFailure, RunSettings, Sim, StageHook};
use framewalk_runtime::snapshot::Snapshot;
use framewalk_runtime::time::Nanos;
use framewalk_runtime::time::source::RealClock;

use super::choices::RunOptions;

/// What the session needs of a run.
pub trait Run {
    /// Queued, in order, never lost or merged.
    fn control(&mut self, control: Control);
    /// Hands over what was recorded since the last call, and takes the newest observation.
    fn poll(&mut self, sink: &mut dyn FnMut(RuntimeRecord));
    /// Hands over the zones that ended since the last call.
    fn poll_zones(&mut self, sink: &mut dyn FnMut(ZoneThread, Zone));
    /// The newest look into the world, as of the last poll; `None` before the first one came.
    fn observation(&self) -> Option<&Observation>;
    fn counts(&self) -> HandoffCounts;
    /// How often the last snapshot was drawn again for another view.
    fn redraws(&self) -> u64;
    /// Records that found the ring full.
    fn lost_records(&self) -> u64;
    /// Zones that found their thread's ring full.
    fn lost_zones(&self) -> u64;
    /// Renews the figures of workers and queues; false where nobody runs jobs.
    fn read_jobs(&self, stats: &mut JobsStats) -> bool;
    /// The seats of its threads, where each was to stay on a core of its own.
    fn seating(&self) -> Option<&Seating>;
    fn failure(&self) -> Option<RunFailure>;
    /// Time on the clock that the run keeps.
    fn now(&self) -> Nanos;
    /// A view waits to be drawn.
    fn view_changed(&self);
    /// Whoever draws is asked something beside its frames: by another thread it is answered later, else at once.
    fn attend(&mut self);
    /// Lets virtual time pass; real time passes by itself.
    fn advance(&mut self, by: Nanos);
    /// A frame or the answer to a control is to come by itself, if all is well.
    fn owes_answer(&self, playing: bool) -> bool;
    /// Controls that somebody asked for and that came to nothing, since the run had ended before their turn.
    fn refused(&self) -> u64;
    /// Ends it in order; the last records go to `sink`. Threads that do not end in time are left, and handed out.
    fn stop(self: Box<Self>, sink: &mut dyn FnMut(RuntimeRecord)) -> Ended;
}

/// What is left of a run once it has ended.
pub struct Ended {
    pub left: Vec<LeftThread>,
    /// As it all came to.
    pub counts: HandoffCounts,
    /// Records that found the ring full, from the first to the last frame.
    pub lost_records: u64,
}

/// Faults that a test puts into the next run: what the program must survive cannot be waited for.
#[derive(Default)]
pub struct Sabotage {
    pub stage_hook: Option<StageHook>,
    pub renderer: Option<RendererWrap>,
}

/// Puts a renderer of the test's own around the run's.
pub type RendererWrap = Box<dyn FnOnce(Box<dyn Renderer<Snapshot>>) -> Box<dyn Renderer<Snapshot>>>;

/// Which clock the runs of a session keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drive {
    /// Threads of their own, the real clock.
    Threads,
    /// One thread, and a clock that moves by so much each time the editor's logic runs: for tests.
    Virtual { step: Nanos },
}

impl Drive {
    /// Starts a run of the scene, its threads set up by `options`; `sounds` is told what sounds
    /// in it.
    ///
    /// # Errors
    /// A sentence: a scene that cannot run, or a thread that does not start.
    pub fn start(
        self,
        scene: &Scene,
        settings: &RunSettings,
        renderer: Box<dyn Renderer<Snapshot>>,
        options: RunOptions,
        sounds: Option<SoundSender>,
        sabotage: Sabotage,
    ) -> Result<Box<dyn Run>, String> {
        let renderer = match sabotage.renderer {
            Some(wrap) => wrap(renderer),
            None => renderer,
        };
        let prepare = |sim: &mut Sim| {
            if let Some(sounds) = sounds {
                sim.core_mut().set_sounds(sounds);
            }
            if let Some(hook) = sabotage.stage_hook {
                sim.set_stage_hook(hook);
            }
        };
        match self {
            Self::Threads => {
                let mut run = LiveRun::start_with(scene, settings, renderer, options.paced, prepare)
                    .map_err(|error| error.to_string())?;
                run.start_observers(|_| busy_for(options.observer_cost))
                    .map_err(|error| error.to_string())?;
                Ok(Box::new(run))
            }
            Self::Virtual { .. } => {
                let options =
                    VirtualOptions { render_cost: options.paced.render_cost, ..VirtualOptions::default() };
                let mut run =
                    VirtualRun::new(scene, settings, renderer, options).map_err(|error| error.to_string())?;
                prepare(run.sim_mut());
                Ok(Box::new(run))
            }
        }
    }
}

/// A buffer nobody has filled has revision 0, and so has no world.
fn filled(observation: &Observation) -> Option<&Observation> {
    (observation.entities_revision != 0).then_some(observation)
}

impl Run for LiveRun {
    fn control(&mut self, control: Control) {
        Self::control(self, control);
    }

    fn poll(&mut self, sink: &mut dyn FnMut(RuntimeRecord)) {
        Self::poll(self, sink);
        Self::observation(self);
    }

    fn poll_zones(&mut self, sink: &mut dyn FnMut(ZoneThread, Zone)) {
        Self::poll_zones(self, sink);
    }

    fn observation(&self) -> Option<&Observation> {
        filled(self.last_observation())
    }

    fn counts(&self) -> HandoffCounts {
        Self::counts(self)
    }

    fn redraws(&self) -> u64 {
        Self::redraws(self)
    }

    fn lost_records(&self) -> u64 {
        self.records_lost()
    }

    fn lost_zones(&self) -> u64 {
        self.zones_lost()
    }

    fn read_jobs(&self, stats: &mut JobsStats) -> bool {
        self.jobs().map(|jobs| jobs.read_stats(stats)).is_some()
    }

    fn seating(&self) -> Option<&Seating> {
        Self::seating(self)
    }

    fn failure(&self) -> Option<RunFailure> {
        Self::failure(self)
    }

    fn now(&self) -> Nanos {
        RealClock::new().now()
    }

    fn view_changed(&self) {
        self.wake_renderer();
    }

    fn attend(&mut self) {
        self.wake_renderer();
    }

    fn advance(&mut self, _: Nanos) {}

    fn owes_answer(&self, playing: bool) -> bool {
        playing || self.awaits_answer()
    }

    fn refused(&self) -> u64 {
        Self::refused(self)
    }

    fn stop(mut self: Box<Self>, sink: &mut dyn FnMut(RuntimeRecord)) -> Ended {
        let left = Self::stop(&mut self);
        if let Some(fault) = fault(&self.sightings()) {
            tracing::error!(target: "framewalk", fault, "observers_disagree");
        }
        Self::poll(&mut self, sink);
        Ended { left, counts: Self::counts(&self), lost_records: self.records_lost() }
    }
}

impl Run for VirtualRun {
    fn control(&mut self, control: Control) {
        // A failure is kept by the run, and asked for after each poll.
        let _ = Self::control(self, control);
    }

    fn poll(&mut self, sink: &mut dyn FnMut(RuntimeRecord)) {
        self.drain_frames().for_each(|record| sink(RuntimeRecord::Frame(record)));
        self.drain_renders().for_each(|record| sink(RuntimeRecord::Render(record)));
        self.observations().refresh();
    }

    /// In virtual time there are none: what is shown is the same each time.
    fn poll_zones(&mut self, _: &mut dyn FnMut(ZoneThread, Zone)) {}

    fn observation(&self) -> Option<&Observation> {
        filled(self.last_observation())
    }

    fn counts(&self) -> HandoffCounts {
        Self::counts(self)
    }

    fn redraws(&self) -> u64 {
        0
    }

    fn lost_records(&self) -> u64 {
        0
    }

    fn lost_zones(&self) -> u64 {
        0
    }

    /// In virtual time the editor starts none.
    fn read_jobs(&self, _: &mut JobsStats) -> bool {
        false
    }

    /// Nor are there threads to keep anywhere.
    fn seating(&self) -> Option<&Seating> {
        None
    }

    fn failure(&self) -> Option<RunFailure> {
        Self::failure(self).cloned()
    }

    fn now(&self) -> Nanos {
        Self::now(self)
    }

    fn view_changed(&self) {}

    fn attend(&mut self) {
        Self::attend(self);
    }

    fn advance(&mut self, by: Nanos) {
        // A failure is kept by the run, and asked for after each poll.
        let _ = self.advance_to(self.now() + by);
    }

    fn owes_answer(&self, _: bool) -> bool {
        false
    }

    /// Each is answered at once.
    fn refused(&self) -> u64 {
        0
    }

    fn stop(mut self: Box<Self>, sink: &mut dyn FnMut(RuntimeRecord)) -> Ended {
        let _ = Self::control(&mut self, Control::Stop);
        self.abandon();
        Run::poll(&mut *self, sink);
        Ended { left: Vec::new(), counts: Self::counts(&self), lost_records: 0 }
    }
}
