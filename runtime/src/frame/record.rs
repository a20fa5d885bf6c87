//! What is kept about one frame, for people to look at: plain facts, no behaviour.

use super::stage::Stage;
use crate::time::{FrameIndex, Nanos, Rate, Speed, Tick};

/// Where a frame's delta came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrameKind {
    /// Frame 1 of a run: delta 0.
    #[default]
    First,
    /// An ordinary frame: its render time minus the previous frame's.
    Running,
    /// The first frame after a resume: one period, however long the pause.
    Resumed,
    /// Granted by Step frame or Step stage: one period.
    SteppedFrame,
    /// Granted by Step tick: delta 0, exactly one tick.
    SteppedTick,
    /// Shows what was changed by hand while everything stands: delta 0, no tick.
    ByHand,
}

/// When a stage began and how long it took; zero while it has not run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageTiming {
    /// Start, ns on the monotonic clock.
    pub start: Nanos,
    /// Start to end, waiting left out.
    pub duration: Nanos,
}

/// One line of figures for each stage; the long form is [`super::details::StageDetails`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageFigures {
    /// Stage 1: input events taken.
    pub input_events: u32,
    /// Stage 2: systems run.
    pub systems: u32,
    /// Stage 3: which of the snapshot buffers was taken, from 0; see [`HandoffMode::buffers`].
    pub snapshot_buffer: u8,
    /// Stage 3: how many go round; 0 where nobody said.
    pub snapshot_buffers: u8,
    /// Stage 4: entities spawned and removed by this frame's ticks.
    pub spawned: u32,
    pub despawned: u32,
    /// Stage 4: sounds that this frame's ticks cued.
    pub sound_cues: u32,
    /// Stage 4: flows that published a view, agents that ran once.
    pub flows: u32,
    pub agents: u32,
    /// Stage 5: entities in the snapshot.
    pub snapshot_entities: u32,
    /// Stage 6: results drained, interpolation entries pruned.
    pub drained: u32,
    pub pruned: u32,
    /// Entities alive after the frame.
    pub entities: u32,
}

/// How frames reach the render thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum HandoffMode {
    /// One slot, newest wins: the simulation keeps the frame clock, and what is not taken in time is dropped.
    #[default]
    Slot,
    /// A meeting at the end of every frame, and two buffers: nothing is dropped, the slower makes the faster wait.
    Lockstep,
    /// Each side keeps a clock of its own: every tick is published, and the renderer blends the two it needs.
    Free,
}

impl HandoffMode {
    pub const ALL: [Self; 3] = [Self::Slot, Self::Lockstep, Self::Free];

    /// As it is written in files, on the command line and in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Slot => "slot",
            Self::Lockstep => "lockstep",
            Self::Free => "free",
        }
    }

    /// How many snapshot buffers go round.
    #[must_use]
    pub const fn buffers(self) -> u8 {
        match self {
            Self::Slot => 3,
            Self::Lockstep => 2,
            Self::Free => 6,
        }
    }

    /// The most frames that can be pending: published and not taken.
    #[must_use]
    pub const fn most_pending(self) -> u64 {
        match self {
            Self::Slot | Self::Lockstep => 1,
            Self::Free => 4,
        }
    }
}

/// Counts of the handoff at one instant; `published` is the sum of the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HandoffCounts {
    /// The way that frames take at this instant.
    pub mode: HandoffMode,
    /// Handed over. In lockstep a frame is handed over by the meeting, not before.
    pub published: u64,
    pub rendered: u64,
    /// Slot: replaced before they were taken. The other two drop nothing.
    pub dropped: u64,
    /// Free: ticks that were never drawn, because a newer one was. No loss: there are more ticks than pictures.
    pub undrawn: u64,
    pub abandoned: u64,
    /// Published, not taken: 0 or 1; in the free handoff up to 4.
    pub pending: u64,
    /// Taken for the first time, stages still running: 0 or 1. In lockstep from the meeting on.
    pub in_flight: u64,
}

impl HandoffCounts {
    /// `published = rendered + dropped + undrawn + pending + in flight + abandoned`, with no more pending than the way
    /// of the handoff allows and at most 1 in flight.
    #[must_use]
    pub const fn balanced(&self) -> bool {
        self.published
            == self.rendered + self.dropped + self.undrawn + self.pending + self.in_flight + self.abandoned
            && self.pending <= self.mode.most_pending()
            && self.in_flight <= 1
    }

    /// The last counts of a run whose renderer was left in the middle of a picture: what it has taken, and what it was still to
    /// take, counts as abandoned, since nobody will be told whether it is drawn after all.
    #[must_use]
    pub const fn without_renderer(self) -> Self {
        let abandoned = self.abandoned + self.pending + self.in_flight;
        Self { abandoned, pending: 0, in_flight: 0, ..self }
    }
}

/// The most observers of the lockstep: what the meeting has room for, beside the simulation and the renderer.
pub const MOST_OBSERVERS: usize = 6;

/// How long each observer waited at a meeting of the lockstep, by its number; nothing of one that is not there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ObserverWaits([Option<Nanos>; MOST_OBSERVERS]);

impl ObserverWaits {
    /// Observer `number` waited so long, at least 0; nothing happens for a number there is none of.
    pub fn set(&mut self, number: usize, wait: Nanos) {
        if let Some(own) = self.0.get_mut(number) {
            *own = Some(wait.max(Nanos::ZERO));
        }
    }

    /// Each observer that is there, by its number, and its wait.
    pub fn iter(&self) -> impl Iterator<Item = (usize, Nanos)> {
        self.0.into_iter().enumerate().filter_map(|(number, wait)| Some((number, wait?)))
    }
}

/// Running totals since Play of the terms of the tick equation, after a frame:
/// `scaled + stepped = ticks + overstep + capped + rounded + cut`, all in ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TickTotals {
    /// Sum of (delta − clamped) × speed × tick rate. For display; the check itself is exact.
    pub scaled_ticks: f64,
    pub stepped: u64,
    /// Every tick run, stepped ones included.
    pub ticks: u64,
    pub capped: u64,
    /// Lost to rounding when a tick rate changed. For display; the check itself is exact.
    pub rounded_ticks: f64,
    /// Due beyond the number of ticks the run was asked for.
    pub cut: u64,
    pub clamped: Nanos,
    pub time_reversals: u64,
    /// The equation held, in whole numbers, after this frame and every one before it.
    pub balanced: bool,
}

/// The plain facts about one frame, complete after its sixth stage.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameRecord {
    /// Which Play this frame belongs to, from 1; frames of two runs never mix.
    pub run: u32,
    pub frame: FrameIndex,
    pub kind: FrameKind,
    /// The count of ticks after this frame.
    pub tick: Tick,
    /// The presentation time this frame is made for.
    pub render_time: Nanos,
    pub delta: Nanos,
    pub clamped: Nanos,
    /// The delta was negative and counted as 0.
    pub time_reversal: bool,
    /// Ticks this frame ran, stepped ones included.
    pub ticks: u32,
    pub stepped_ticks: u32,
    pub capped_ticks: u64,
    pub cut_ticks: u64,
    /// Overstep, rounded down to whole ns.
    pub overstep: Nanos,
    /// Overstep ÷ tick length, in [0, 1).
    pub alpha: f64,
    /// One tick, rounded to whole ns (exactly `1 / tick_rate`).
    pub tick_length: Nanos,
    pub tick_rate: Rate,
    /// Of the grid this frame was due on: the display's, but in the free handoff that of the ticks on the clock.
    pub frame_rate: Rate,
    /// Of the renderer: the display's. The same as `frame_rate` but in the free handoff.
    pub render_rate: Rate,
    pub speed: Speed,
    pub max_ticks: u32,
    /// How many ticks a physics step spans that begins now; 0 where nobody said.
    pub physics_divisor: u32,
    /// Simulated time of the last tick, and the simulated time the picture shows.
    pub simulated_time: Nanos,
    pub shown_time: Nanos,
    /// Reached the frame clock after its own deadline.
    pub late: bool,
    /// Grid points at which no frame ran because this one was late.
    pub missed: u64,
    /// How long after the deadline the wait really ended; 0 of a late frame, which waits for none.
    pub wake_error: Nanos,
    /// A rate, the speed, the handoff, the physics divisor or a limit was changed before this frame.
    pub settings_changed: bool,
    /// When the oldest input event arrived that a tick of this frame was the first to see.
    pub input_arrived: Option<Nanos>,
    /// When that tick began.
    pub input_seen: Option<Nanos>,
    pub stages: [StageTiming; Stage::COUNT],
    /// How long the simulation stood still in stage 4 for jobs that other threads had begun, with none to run itself: part of
    /// the stage's duration. 0 without workers, and on a manual clock.
    pub jobs_wait: Nanos,
    /// Lockstep: how long the simulation waited at the meeting for the renderer, in stage 5 and no part of its duration.
    /// 0 in the other handoffs, which never wait.
    pub sim_wait: Nanos,
    /// Lockstep: how long each observer waited at that meeting, until all had come.
    pub observer_waits: ObserverWaits,
    pub figures: StageFigures,
    /// The untaken frame that publishing this one replaced.
    pub replaced: Option<FrameIndex>,
    /// Read at the end of stage 6.
    pub handoff: HandoffCounts,
    pub totals: TickTotals,
}

impl FrameRecord {
    /// Start to end of the six stages, waiting between them left out.
    #[must_use]
    pub fn frame_time(&self) -> Nanos {
        Nanos(self.stages.iter().map(|stage| stage.duration.0).sum())
    }

    /// From the arrival of the oldest event to the tick that saw it; `None` where no tick saw one.
    #[must_use]
    pub fn input_to_tick(&self) -> Option<Nanos> {
        Some((self.input_seen? - self.input_arrived?).max(Nanos::ZERO))
    }

    /// How many snapshot buffers went round when this frame took its own: another handoff may have been asked for just
    /// before, which the counts only name from stage 5 on.
    #[must_use]
    pub const fn snapshot_buffers(&self) -> u8 {
        match self.figures.snapshot_buffers {
            0 => self.handoff.mode.buffers(),
            buffers => buffers,
        }
    }

    /// Both equations held after this frame.
    #[must_use]
    pub const fn conserved(&self) -> bool {
        self.totals.balanced && self.handoff.balanced()
    }
}

/// How a taken frame ended on the render thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RenderOutcome {
    /// Batch and submit both done.
    #[default]
    Rendered,
    /// Taken, but batch or submit failed, or the thread ended before they were done.
    Abandoned,
}

/// The plain facts about one picture of a frame on the render thread. Redraws have none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RenderRecord {
    pub run: u32,
    /// The frame that is drawn; in the free handoff the newer of the two ticks that are blended.
    pub frame: FrameIndex,
    pub outcome: RenderOutcome,
    /// When it was taken.
    pub taken: Nanos,
    /// How long the render thread had nothing to draw before it took this one: from the end of its last picture, without
    /// what it waited for the GPU. In lockstep that is its wait at the meeting, in the free handoff its wait for its own deadline.
    pub render_wait: Nanos,
    /// How late the render thread woke for it: after its publication, in the free handoff after its own deadline. `None` where
    /// it did not wait: it was busy by then.
    pub wake_delay: Option<Nanos>,
    /// The presentation time this picture is made for: the frame's; in the free handoff the render thread's own.
    pub render_time: Nanos,
    /// The simulated time this picture shows, and where between the last two ticks that is, in [0, 1).
    pub shown_time: Nanos,
    pub alpha: f64,
    /// Free: this frame was drawn before, at an earlier render time. Such a picture counts as no rendered frame.
    pub again: bool,
    /// Free: it shows another moment than its own. The tick that was due had not come, so alpha was held just below 1; or the
    /// render thread looked so late that the ticks of that moment were kept no longer, and alpha was 0.
    pub held: bool,
    /// Free: everything stood by then. What it shows belongs to no moment on the display, so it has no animation error.
    pub ends: bool,
    /// Free: reached the render thread's frame clock after its own deadline, and grid points missed by that.
    pub late: bool,
    pub missed: u64,
    pub batch_start: Nanos,
    pub batch: Nanos,
    pub submit_start: Nanos,
    pub submit: Nanos,
    /// How long the GPU worked on it, by its own clock; `None` where the adapter does not say.
    pub gpu: Option<Nanos>,
    /// How it went through the GPU's queue.
    pub flight: Flight,
    /// Where its own thread put it on a display; `None` where it did not.
    pub presented: Option<Presented>,
    /// Instances drawn, and those culled.
    pub instances: u32,
    pub culled: u32,
}

impl RenderRecord {
    /// When its submit ended: it was in the GPU's queue then. The display time where nothing is presented, also where
    /// [`Flight::done`] is known: what is measured by it would carry half a millisecond of looking for that.
    #[must_use]
    pub const fn submitted(&self) -> Nanos {
        Nanos(self.submit_start.0 + self.submit.0)
    }

    /// How long the render thread had the snapshot to itself: from taking it until the last of it was read. What it waited
    /// for the GPU before and after is no part of that.
    #[must_use]
    pub fn borrowed(&self) -> Nanos {
        self.flight.read.unwrap_or_else(|| self.submitted()) - self.taken
    }
}

/// How a picture went through the GPU's queue. A renderer that is done when its submit returns leaves it as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flight {
    /// Pictures in the queue when it was submitted, itself among them; and how many there may be.
    pub in_flight: u8,
    pub most_in_flight: u8,
    /// Instance buffers in use then, its own among them; and how many go round.
    pub buffers_in_use: u8,
    pub buffers: u8,
    /// How long the render thread waited for it because as many pictures were in flight as may be; and what of that it
    /// waited in the submit, the rest before it took the frame.
    pub wait: Nanos,
    pub submit_wait: Nanos,
    /// How long it stood still because no instance buffer was free; 0 where one was.
    pub stall: Nanos,
    /// Pictures that stalled since the renderer began, this one and redraws among them, and for how long together.
    pub stalls: u64,
    pub stalled: Nanos,
    /// Bytes of its instances, and how many of them were copied: not what the buffer held already.
    pub instance_bytes: u64,
    pub copied_bytes: u64,
    /// When the last of its snapshot had been read.
    pub read: Option<Nanos>,
    /// When its pixels were seen to be there, which is looked for every half millisecond; `None` where they never came, or
    /// nothing says.
    pub done: Option<Nanos>,
}

/// A picture on its way to a display.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Presented {
    /// When it was handed over; the display shows it with its next refresh.
    pub at: Nanos,
    /// When the display let go of the image that it was put on: a refresh. `None` where one was free at once.
    pub refresh: Option<Nanos>,
}

/// What became of a rendered frame in the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The window painted a picture of it for the first time.
    Presented {
        /// The time of that present.
        at: Nanos,
        /// The simulated time which that very picture shows: in the free handoff a frame has several, and its first may
        /// never have been seen. `None` where what it shows belongs to no moment, see [`RenderRecord::ends`].
        shown_time: Option<Nanos>,
    },
    /// A newer rendered frame replaced it before the window painted it.
    Unseen,
}

/// One line from the window about one rendered frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShownRecord {
    pub run: u32,
    pub frame: FrameIndex,
    pub shown: Shown,
}
