//! Drives a run from Play to its end: the script's actions between frames, then the frames themselves.
//!
//! Both paces share this loop; they differ in how a frame is waited for and where it is rendered.

use super::interrupt::interrupted;
use super::plan::{Come, StopAt};
use super::progress::Progress;
use crate::outcome::figures::{RunFigures, Seen};
use crate::outcome::gathering::Gathering;
use crate::outcome::{Ending, Outcome};
use framewalk_runtime::frame::record::{FrameRecord, HandoffCounts, RenderRecord};
use framewalk_runtime::input::{InputEvent, InputKind};
use framewalk_runtime::scene::Pose;
use framewalk_runtime::sim::observers::Sightings;
use framewalk_runtime::sim::script::{Action, Due, Script};
use framewalk_runtime::sim::{Control, Next, RunFailure, RunState, Sim};
use framewalk_runtime::time::Nanos;

/// A run, whatever its pace.
pub trait Pace {
    fn sim(&self) -> &Sim;

    fn sim_mut(&mut self) -> &mut Sim;

    /// Now, on the run's own clock.
    fn now(&self) -> Nanos;

    /// Runs the frame that is due, with `delta` off the grid where one is given; false when it was interrupted.
    ///
    /// # Errors
    /// A fault ended the run.
    fn run_frame(&mut self, delta: Option<Nanos>) -> Result<bool, RunFailure>;

    /// # Errors
    /// A fault ended the run.
    fn control(&mut self, control: Control) -> Result<(), RunFailure>;

    /// Moves what was rendered since the last call to `renders`.
    fn drain_renders(&mut self, renders: &mut Vec<RenderRecord>);

    /// Ends the rendering: to the last frame, or at once.
    fn end(&mut self, ending: &Ending, renders: &mut Vec<RenderRecord>) -> Ended;
}

/// What is known only once the rendering has ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ended {
    pub counts: HandoffCounts,
    pub redraws: u64,
    pub records_lost: u64,
    /// A fault of the renderer, or of an observer.
    pub failure: Option<String>,
    /// What each observer saw.
    pub sightings: Vec<Sightings>,
}

/// What happens in a run beside its settings.
#[derive(Clone, Debug)]
pub struct Course {
    pub stop: StopAt,
    pub script: Script,
    /// Deltas for the frames after the first, instead of the grid's.
    pub cadence: Option<Vec<Nanos>>,
    /// All records and poses are kept, for a table of them: some 900 bytes a frame.
    pub keeps_records: bool,
}

/// So many values of each kind are kept as they came, and percentiles exact: a million frames, some five hours at 60 Hz. It
/// takes 100 MB.
const MOST_EXACT: usize = 1_000_000;

/// Runs to the end, however it comes.
pub fn drive(pace: &mut impl Pace, course: Course, progress: &Progress) -> Outcome {
    let mut driver = Driver {
        pace,
        stop: course.stop,
        script: course.script,
        cadence: course.cadence,
        next_delta: 0,
        come: Come::default(),
        hash_before_open: 0,
        gathering: Gathering::into(RunFigures::with_most_exact(Seen::AtSubmit, MOST_EXACT)),
        kept: course.keeps_records.then(Kept::default),
        frames: Vec::new(),
        renders: Vec::new(),
    };
    let ran = driver.run(progress).and_then(|ending| Ok((ending, driver.end_open_frame()?)));
    let is_whole = ran.is_ok();
    let (mut ending, hash) = ran.unwrap_or_else(|failure| (Ending::Failed(failure.to_string()), None));
    driver.collect();
    let ended = driver.pace.end(&ending, &mut driver.renders);
    driver.take_renders();
    let Driver { gathering, kept, .. } = driver;
    let Kept { frames, poses, mut renders } = kept.unwrap_or_default();
    if let Some(failure) = ended.failure {
        // Where the renderer or an observer broke, that the sim could not publish any more is only what followed.
        ending = Ending::Failed(failure);
    }
    // A frame is taken after it is published, so records come in the order of frames; sorted for certainty. The pictures
    // of one frame stay in their order.
    renders.sort_by_key(|render| render.frame);
    Outcome {
        figures: gathering.finish(),
        frames,
        poses,
        renders,
        counts: ended.counts,
        redraws: ended.redraws,
        // What a fault left is the state after no tick, and may not even bear to be looked at.
        state_hash: hash.or_else(|| is_whole.then(|| pace.sim().core().world().state_hash())),
        records_lost: ended.records_lost,
        input_lost: pace.sim().core().input_lost(),
        window: None,
        meetings: pace.sim().core().producer().meetings(),
        sightings: ended.sightings,
        ending,
    }
}

struct Driver<'a, P: Pace> {
    pace: &'a mut P,
    stop: StopAt,
    script: Script,
    cadence: Option<Vec<Nanos>>,
    // Index of the delta for the next running frame.
    next_delta: usize,
    come: Come,
    // Of the world when the open frame began.
    hash_before_open: u64,
    gathering: Gathering,
    // None where they are not to be kept.
    kept: Option<Kept>,
    // What has just come; empty in between.
    frames: Vec<FrameRecord>,
    renders: Vec<RenderRecord>,
}

/// All that a table is made of.
#[derive(Default)]
struct Kept {
    frames: Vec<FrameRecord>,
    poses: Vec<Option<Pose>>,
    renders: Vec<RenderRecord>,
}

impl<P: Pace> Driver<'_, P> {
    fn run(&mut self, progress: &Progress) -> Result<Ending, RunFailure> {
        let cadence_frames = self.cadence.as_ref().map(|deltas| deltas.len() as u64 + 1);
        loop {
            if interrupted() {
                return Ok(Ending::Interrupted);
            }
            if self.stop.reached(self.come) {
                return Ok(Ending::Finished);
            }
            if self.first_frame_stands() {
                self.run_frame()?;
                continue;
            }
            let stands = self.pace.sim().state() != RunState::Running;
            match self.script.due(self.come.frames + 1, stands) {
                Due::Act(Action::Stop) | Due::End => return Ok(Ending::Finished),
                Due::Act(action) => self.act(action)?,
                Due::Run if self.cadence_is_over() => return Ok(Ending::Finished),
                Due::Run => match self.never_reached() {
                    Some(reason) => return Ok(Ending::Failed(reason)),
                    None => self.run_frame()?,
                },
            }
            progress.set(self.stop.progress(self.come, cadence_frames));
        }
    }

    /// A frame that is open at the end leaves no trace, neither in counts nor, by the hash that comes back, in the state;
    /// but one that is published already is a frame as the others are, and is finished.
    fn end_open_frame(&mut self) -> Result<Option<u64>, RunFailure> {
        if !matches!(self.pace.sim().state(), RunState::FrameOpen { .. }) {
            return Ok(None);
        }
        let frames = self.come.frames;
        self.pace.control(Control::Stop)?;
        self.collect();
        Ok((self.come.frames == frames).then_some(self.hash_before_open))
    }

    /// Paused before Play: frame 1 is still to be shown, and then stands.
    fn first_frame_stands(&self) -> bool {
        self.come.frames == 0 && self.pace.sim().state() == RunState::Paused
    }

    fn cadence_is_over(&self) -> bool {
        // Frame 1 and the first frame after a resume take no delta of the list.
        let takes_one = self.pace.sim().next() != Next::Now;
        takes_one && self.cadence.as_ref().is_some_and(|deltas| self.next_delta >= deltas.len())
    }

    /// Why the run would go on for ever: it waits for ticks, and time stands still.
    fn never_reached(&self) -> Option<String> {
        let StopAt::Ticks(ticks) = self.stop else { return None };
        let stands = self.pace.sim().core().fixed_step().speed().thousandths() == 0;
        (stands && self.script.is_done() && self.cadence.is_none()).then(|| {
            format!("--ticks {ticks} would never be reached: at speed 0 no tick runs, and the script is over")
        })
    }

    fn run_frame(&mut self) -> Result<(), RunFailure> {
        let takes_one = self.pace.sim().next() != Next::Now;
        let delta = self.cadence.as_ref().map(|deltas| {
            let delta = if takes_one { deltas.get(self.next_delta).copied() } else { None };
            delta.unwrap_or_default()
        });
        if self.pace.run_frame(delta)? {
            self.next_delta += usize::from(takes_one);
        }
        self.collect();
        Ok(())
    }

    fn act(&mut self, action: Action) -> Result<(), RunFailure> {
        let steps = matches!(action, Action::StepFrame | Action::StepTick | Action::StepStage);
        if steps && self.come.frames == 0 && self.pace.sim().next() == Next::Now {
            // Stepping pauses first, and a run paused before Play shows its first frame.
            self.pace.control(Control::Pause)?;
            self.run_frame()?;
            if self.stop.reached(self.come) {
                return Ok(());
            }
        }
        let frame_open = matches!(self.pace.sim().state(), RunState::FrameOpen { .. });
        if action == Action::StepTick && frame_open {
            // The same as the control alone, which finishes the open frame first; but here each of the two frames is
            // collected with its own poses.
            self.pace.control(Control::StepFrame)?;
            self.collect();
            if self.stop.reached(self.come) {
                return Ok(());
            }
        }
        if action == Action::StepStage && !frame_open {
            self.hash_before_open = self.pace.sim().core().world().state_hash();
        }
        let at = self.pace.now();
        let input = |kind| Control::Input(InputEvent { at, kind });
        let control = match action {
            Action::Play => Control::Resume,
            Action::Pause => Control::Pause,
            Action::StepFrame => Control::StepFrame,
            Action::StepTick => Control::StepTick,
            Action::StepStage => Control::StepStage,
            Action::KeyDown(key) => input(InputKind::KeyDown(key)),
            Action::KeyUp(key) => input(InputKind::KeyUp(key)),
            Action::Tilt(axis, tilt) => input(InputKind::Tilt(axis, tilt)),
            Action::Pointer(at) => input(InputKind::Pointer(at)),
            Action::Wheel(thousandths) => input(InputKind::Wheel(thousandths)),
            Action::SetTickRate(rate) => Control::SetTickRate(rate),
            Action::SetPhysicsDivisor(divisor) => Control::SetPhysicsDivisor(divisor),
            Action::SetFrameRate(rate) => Control::SetFrameRate(rate),
            Action::SetSpeed(speed) => Control::SetSpeed(speed),
            Action::SetMaxTicks(max_ticks) => Control::SetMaxTicks(max_ticks),
            Action::SetMaxDelta(max_delta) => Control::SetMaxDelta(max_delta),
            Action::SetHandoff(mode) => Control::SetHandoff(mode),
            Action::Stop => Control::Stop,
        };
        self.pace.control(control)?;
        self.collect();
        Ok(())
    }

    /// Takes what the last frame and the renderer left.
    fn collect(&mut self) {
        self.pace.drain_renders(&mut self.renders);
        self.take_renders();
        let sim = self.pace.sim_mut();
        self.frames.extend(sim.drain_finished());
        let poses = sim.core().probe_poses();
        for frame in self.frames.drain(..) {
            self.come.frames += 1;
            self.come.elapsed += Nanos(frame.delta.0.max(0));
            self.come.ticks = frame.tick.0;
            self.gathering.frame(frame);
            if let Some(kept) = &mut self.kept {
                kept.frames.push(frame);
                kept.poses.extend_from_slice(poses);
            }
        }
    }

    fn take_renders(&mut self) {
        for picture in self.renders.drain(..) {
            self.gathering.picture(picture);
            if let Some(kept) = &mut self.kept {
                kept.renders.push(picture);
            }
        }
    }
}

#[cfg(test)]
#[path = "drive_tests.rs"]
mod tests;
