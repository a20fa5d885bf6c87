//! One run of the scene after another: starts it, steers it, drains what it records, and says how it stands.

pub mod choices;
pub mod compare;
mod display;
pub mod grid;
pub mod in_step;
pub mod left;
pub mod run;
pub mod shown;
pub mod silence;
pub mod standstill;
mod steering;

use framewalk_inspector::JobsView;
pub use framewalk_inspector::RunPhase as Phase;
use framewalk_runtime::frame::record::{FrameRecord, HandoffCounts, RenderRecord, ShownRecord};
use framewalk_runtime::frame::recorder::RuntimeRecord;
use framewalk_runtime::frame::sounds::{CUE_CAPACITY, SoundReceiver, sounds};
use framewalk_runtime::frame::zones::{Zone, ZoneThread};
use framewalk_runtime::jobs::{JobsStats, seating::Seating};
use framewalk_runtime::render::Renderer;
use framewalk_runtime::scene::project::Project;
use framewalk_runtime::scene::{EntityId, Scene};
use framewalk_runtime::sim::observe::Observation;
use framewalk_runtime::sim::{Control, RunFailure, RunSettings, RunState};
use framewalk_runtime::snapshot::Snapshot;
use framewalk_runtime::time::{FrameIndex, Nanos, Rate};

use self::choices::settings_of;
pub use self::choices::{FrameRateChoice, RunChoices, RunThreads};
use self::in_step::InStep;
use self::left::LeftThreads;
use self::run::{Drive, Run, Sabotage};
use self::shown::ShownLedger;
use self::silence::{Heard, Silence};
use self::standstill::Standstill;
use crate::stamp::{ListStamp, Stamp};

/// Something the session learned while it was polled. Passed through at once, never kept: its size does not matter.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum News {
    Frame(FrameRecord),
    Render(RenderRecord),
    Shown(ShownRecord),
    Zone(ZoneThread, Zone),
}

/// Something that a look at the threads brought up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    Run(Heard),
    /// A thread of an earlier run did not end: a sentence.
    LeftBehind(String),
    /// The whole program stood still for so long.
    Stood(Nanos),
}

/// The run that lives, if one does, and what is known of it.
pub struct Session {
    run: Option<Box<dyn Run>>,
    // Of the run that lives, or lived last.
    stamp: Stamp,
    number: u32,
    phase: Phase,
    pub choices: RunChoices,
    // The grid that was last asked for, so that a display's rate is sent once.
    frame_rate: Rate,
    project_frame_rate: Rate,
    display_rate: Option<Rate>,
    settings: RunSettings,
    /// Of the next runs.
    pub threads: RunThreads,
    // What the project's file said when the choices were taken from it.
    project: Project,
    newest: Option<FrameRecord>,
    failure: Option<RunFailure>,
    // What was asked of this run and not handed over, since it had failed.
    refused: u64,
    shown: ShownLedger,
    // What workers and queues did, and when that was read; none where nobody runs any.
    jobs: JobsStats,
    jobs_read: Option<Nanos>,
    left: LeftThreads,
    silence: Silence,
    standstill: Standstill,
    // Of the run that lives, where something in its scene may be heard, until somebody listens.
    sounds: Option<SoundReceiver>,
    // The frame that was the newest at the last look.
    looked_at: Option<FrameIndex>,
    // How its frames lie to the display's refreshes, and when the window was painted last.
    in_step: InStep,
    painted: Nanos,
}

impl Session {
    /// Nothing runs; rates and limits are the project's.
    #[must_use]
    pub fn new(project: &Project) -> Self {
        Self {
            run: None,
            stamp: Stamp::new(),
            number: 0,
            phase: Phase::Edit,
            choices: RunChoices {
                speed: project.speed,
                tick_rate: project.tick_rate,
                physics_divisor: project.physics_divisor,
                frame_rate: FrameRateChoice::Display,
                handoff: project.handoff,
                start_paused: false,
            },
            frame_rate: project.frame_rate,
            project_frame_rate: project.frame_rate,
            display_rate: None,
            settings: settings_of(project),
            threads: RunThreads::default(),
            project: project.clone(),
            newest: None,
            failure: None,
            refused: 0,
            shown: ShownLedger::default(),
            jobs: JobsStats::default(),
            jobs_read: None,
            left: LeftThreads::default(),
            silence: Silence::default(),
            standstill: Standstill::default(),
            sounds: None,
            looked_at: None,
            in_step: InStep::new(project.frame_rate),
            painted: Nanos::ZERO,
        }
    }

    /// Takes what the project's file says now, but for what a person has set otherwise; once nothing runs any more.
    pub fn follow_project(&mut self, project: &Project) {
        if self.is_live() || self.project == *project {
            return;
        }
        let before = std::mem::replace(&mut self.project, project.clone());
        let choices = &mut self.choices;
        if choices.speed == before.speed {
            choices.speed = project.speed;
        }
        if choices.tick_rate == before.tick_rate {
            choices.tick_rate = project.tick_rate;
        }
        if choices.physics_divisor == before.physics_divisor {
            choices.physics_divisor = project.physics_divisor;
        }
        if choices.handoff == before.handoff {
            choices.handoff = project.handoff;
        }
        self.settings = settings_of(project);
        self.project_frame_rate = project.frame_rate;
    }

    #[must_use]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Threads or a virtual run exist: playing, paused or failed and not yet stopped.
    #[must_use]
    pub fn is_live(&self) -> bool {
        self.run.is_some()
    }

    /// Number of the newest run, from 1; 0 before the first.
    #[must_use]
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The newest complete frame of this run.
    #[must_use]
    pub fn newest(&self) -> Option<&FrameRecord> {
        self.newest.as_ref()
    }

    #[must_use]
    pub fn failure(&self) -> Option<&RunFailure> {
        self.failure.as_ref()
    }

    /// The newest look into the running world.
    #[must_use]
    pub fn observation(&self) -> Option<&Observation> {
        self.run.as_deref().and_then(Run::observation)
    }

    /// Tells the list of entities of that look from any other.
    #[must_use]
    pub fn listed(&self) -> Option<ListStamp> {
        let seen = self.observation()?;
        Some(ListStamp { of: self.stamp, revision: seen.entities_revision })
    }

    /// The handoff's counts at this instant.
    #[must_use]
    pub fn counts(&self) -> Option<HandoffCounts> {
        self.run.as_deref().map(Run::counts)
    }

    /// How often the last snapshot was drawn again for another view, in the run that lives.
    #[must_use]
    pub fn redraws(&self) -> Option<u64> {
        self.run.as_deref().map(Run::redraws)
    }

    /// Records that found the ring full: a loss that must be seen.
    #[must_use]
    pub fn lost_records(&self) -> u64 {
        self.run.as_deref().map_or(0, Run::lost_records)
    }

    /// What workers and queues have done in the newest run, as of the last poll.
    #[must_use]
    pub fn jobs(&self) -> Option<JobsView<'_>> {
        self.jobs_read.map(|at| JobsView { stats: &self.jobs, at })
    }

    /// The seats of the threads of the run that lives, where each was to stay on a core of its own.
    #[must_use]
    pub fn seating(&self) -> Option<&Seating> {
        self.run.as_deref().and_then(Run::seating)
    }

    /// Zones that found their thread's ring full.
    #[must_use]
    pub fn lost_zones(&self) -> u64 {
        self.run.as_deref().map_or(0, Run::lost_zones)
    }

    /// The grid the run is asked to keep, or will be.
    #[must_use]
    pub fn frame_rate(&self) -> Rate {
        match self.choices.frame_rate {
            FrameRateChoice::Fixed(rate) => rate,
            FrameRateChoice::Display => self.display_rate.unwrap_or(self.project_frame_rate),
        }
    }

    /// A settings change was made while a frame stood open or between two frames, and has not acted yet.
    #[must_use]
    pub fn settings_wait(&self) -> bool {
        self.observation().is_some_and(|observation| observation.settings_wait)
            && !matches!(self.phase, Phase::Playing | Phase::Edit)
    }

    /// What the next run starts with.
    #[must_use]
    pub fn next_settings(&self) -> RunSettings {
        RunSettings {
            tick_rate: self.choices.tick_rate,
            physics_divisor: self.choices.physics_divisor,
            frame_rate: self.frame_rate(),
            speed: self.choices.speed,
            handoff: self.choices.handoff,
            start_paused: self.choices.start_paused,
            run: self.number + 1,
            workers: self.threads.workers.clone(),
            ..self.settings.clone()
        }
    }

    /// Starts a run of a copy of the scene.
    ///
    /// # Errors
    /// A sentence: a fault in the scene, or a thread that could not be started.
    pub fn play(
        &mut self,
        scene: &Scene,
        renderer: Box<dyn Renderer<Snapshot>>,
        drive: Drive,
        sabotage: Sabotage,
    ) -> Result<(), String> {
        assert!(self.run.is_none(), "a run is stopped before the next one starts");
        self.frame_rate = self.frame_rate();
        let settings = self.next_settings();
        let (sounding, listener) = scene.sounds().then(|| sounds(CUE_CAPACITY)).unzip();
        self.run =
            Some(drive.start(scene, &settings, renderer, self.threads.options(), sounding, sabotage)?);
        self.sounds = listener;
        self.number += 1;
        self.stamp = Stamp::new();
        self.phase = if self.choices.start_paused { Phase::Paused } else { Phase::Playing };
        // Pause was for this Play: the next one asks again.
        self.choices.start_paused = false;
        self.newest = None;
        self.failure = None;
        self.refused = 0;
        self.shown = ShownLedger::default();
        self.jobs_read = None;
        self.silence = Silence::default();
        self.standstill = Standstill::default();
        self.looked_at = None;
        self.lose_step();
        Ok(())
    }

    /// Ends the run in order and throws its world away. `news` gets the last records. It does not wait for a thread
    /// that is in the middle of something long: that one is left, and looked after.
    pub fn stop(&mut self, now: Nanos, news: &mut dyn FnMut(News)) {
        if let Some(mut run) = self.run.take() {
            run.poll_zones(&mut |thread, zone| news(News::Zone(thread, zone)));
            let (newest, shown) = (&mut self.newest, &mut self.shown);
            let ended = run.stop(&mut |record| take(record, newest, shown, news));
            self.left.add(self.number, ended.left, now);
            let (counts, lost_records) = (ended.counts, ended.lost_records);
            tracing::debug!(
                target: "framewalk",
                run = self.number,
                frames = self.newest.map_or(0, |newest| newest.frame.0),
                published = counts.published,
                rendered = counts.rendered,
                dropped = counts.dropped,
                undrawn = counts.undrawn,
                abandoned = counts.abandoned,
                lost_records,
                "run_ended"
            );
        }
        self.phase = Phase::Edit;
        self.failure = None;
        self.sounds = None;
        self.lose_step();
    }

    /// Hands over what the run that lives makes sound, once; none where nothing in it does.
    pub fn take_sounds(&mut self) -> Option<SoundReceiver> {
        self.sounds.take()
    }

    /// How often its sounds are looked after a second.
    #[must_use]
    pub fn audio_rate(&self) -> Rate {
        self.project.audio_rate
    }

    /// Gives a control to the run; nothing without one. One that has failed does nothing more: it is refused, and counted.
    pub fn control(&mut self, control: Control) {
        match &mut self.run {
            Some(_) if self.failure.is_some() => self.refused += u64::from(control.is_asked_for()),
            Some(run) => run.control(control),
            None => {}
        }
    }

    /// Controls of the run that lives which somebody asked for and which came to nothing, since it had failed by then.
    #[must_use]
    pub fn refused(&self) -> u64 {
        self.refused + self.run.as_deref().map_or(0, Run::refused)
    }

    /// Time on the clock of the run that lives.
    #[must_use]
    pub fn now(&self) -> Option<Nanos> {
        self.run.as_deref().map(Run::now)
    }

    /// Which entities' values come back with each observation: those of the last one at length. Of a run that has failed the
    /// last look is all there is.
    pub fn watch(&mut self, entities: Vec<EntityId>) {
        self.control(Control::Watch(entities));
    }

    /// Wakes whoever draws: a view waits.
    pub fn view_changed(&self) {
        if let Some(run) = &self.run {
            run.view_changed();
        }
    }

    /// Whoever draws is asked something beside its frames.
    pub fn attend(&mut self) {
        if let Some(run) = &mut self.run {
            run.attend();
        }
    }

    /// Moves virtual time on; real time needs nobody.
    pub fn advance(&mut self, by: Nanos) {
        if let Some(run) = &mut self.run {
            run.advance(by);
        }
    }

    /// Takes everything recorded since, and finds out how the run stands. Called ten times a second at least.
    pub fn poll(&mut self, news: &mut dyn FnMut(News)) {
        let paced_by = self.paced_by();
        let Some(run) = &mut self.run else { return };
        let (newest, shown) = (&mut self.newest, &mut self.shown);
        run.poll(&mut |record| {
            self.standstill.take(&record);
            self.in_step.take(&record, paced_by);
            take(record, newest, shown, news);
        });
        run.poll_zones(&mut |thread, zone| news(News::Zone(thread, zone)));
        self.jobs_read = run.read_jobs(&mut self.jobs).then(|| run.now());
        if self.failure.is_none() {
            self.failure = run.failure();
        }
        let state = run.observation().map(|seen| seen.state);
        self.phase = match (&self.failure, state) {
            (Some(_), _) | (None, Some(RunState::Failed)) => Phase::Failed,
            (None, Some(RunState::Running)) => Phase::Playing,
            (None, Some(RunState::Paused)) => Phase::Paused,
            (None, Some(RunState::FrameOpen { next })) => Phase::FrameOpen { next },
            (None, Some(RunState::Stopped) | None) => self.phase,
        };
        self.keep_step(paced_by);
    }

    /// Looks after the threads: does the run answer, and have those of earlier runs ended?
    pub fn look(&mut self, now: Nanos) -> Option<Notice> {
        if let Some(sentence) = self.left.look(now) {
            return Some(Notice::LeftBehind(sentence));
        }
        if let Some(stood) = self.standstill.look_and_tell(now) {
            return Some(Notice::Stood(stood));
        }
        let newest = self.newest.map(|record| record.frame);
        let came = newest != std::mem::replace(&mut self.looked_at, newest);
        let owes = self.owes_answer();
        self.silence.look(now, owes, came, self.frame_rate).map(Notice::Run)
    }

    /// A frame or an answer is to come by itself.
    #[must_use]
    pub fn owes_answer(&self) -> bool {
        let playing = self.phase == Phase::Playing;
        self.phase != Phase::Failed && self.run.as_deref().is_some_and(|run| run.owes_answer(playing))
    }

    /// Threads of earlier runs may still end.
    #[must_use]
    pub fn has_left_threads(&self) -> bool {
        !self.left.is_empty()
    }

    /// Threads of earlier runs that did not end and never may.
    #[must_use]
    pub fn threads_left_behind(&self) -> usize {
        self.left.count()
    }

    /// The window painted a target that names this frame of this run, at this time.
    pub fn presented(&mut self, record: ShownRecord, news: &mut dyn FnMut(News)) {
        if record.run == self.number {
            self.shown.presented(record, &mut |record| news(News::Shown(record)));
        }
    }
}

fn take(
    record: RuntimeRecord,
    newest: &mut Option<FrameRecord>,
    shown: &mut ShownLedger,
    news: &mut dyn FnMut(News),
) {
    match record {
        RuntimeRecord::Frame(frame) => {
            *newest = Some(frame);
            news(News::Frame(frame));
        }
        RuntimeRecord::Render(render) => {
            news(News::Render(render));
            // A frame is shown or unseen once, however often it is drawn in the free handoff.
            if !render.again {
                shown.rendered(&render, &mut |record| news(News::Shown(record)));
            }
        }
    }
}
