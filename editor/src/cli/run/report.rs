//! The report of a run: what happened, first what is the same every time, last what was measured.

use crate::audio::AudioFigures;
use crate::outcome::{Identity, InWindow, Outcome};
use crate::project::store::process;
use framewalk_inspector::stats::{Distribution, ROUNDED};
use framewalk_runtime::frame::record::{FrameRecord, HandoffCounts};
use framewalk_runtime::frame::stage::Stage;
use framewalk_runtime::jobs::seating::{Seated, Seating};
use framewalk_runtime::sim::observers::Sightings;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

/// The JSON report. Its fields and their order are the file's format.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    pub project: String,
    pub scene: String,
    pub frames: u64,
    pub ticks: u64,
    pub stepped_ticks: u64,
    pub cut_ticks: u64,
    pub tick_rate: String,
    pub frame_rate: String,
    pub handoff: &'static str,
    pub elapsed_nanos: i64,
    pub overstep_ticks: f64,
    pub alpha: f64,
    pub clamped_nanos: i64,
    pub capped_ticks: u64,
    pub late_frames: u64,
    pub missed_deadlines: u64,
    pub time_reversals: u64,
    pub published: u64,
    pub rendered: u64,
    pub dropped: u64,
    pub abandoned: u64,
    pub shown: u64,
    pub unseen: u64,
    pub redraws: u64,
    pub conserved: bool,
    /// Empty where the world was left in the middle of a frame.
    pub state_hash: Option<String>,
    pub frame_interval_ms: Percentiles,
    pub animation_error_ms: ErrorFigures,
    /// Free handoff: frames that were never drawn, because a newer one was, and the ticks in them: one each, but where several
    /// share a frame, or time stands.
    pub undrawn: u64,
    pub undrawn_ticks: u64,
    /// Pictures drawn: one for each rendered frame, and in the free handoff one for each deadline of the render thread.
    pub pictures: u64,
    /// Pictures of the free handoff in which alpha was held just below 1, since the next tick had not come.
    pub held: u64,
    /// Pictures of the free handoff that the render thread began after their own deadline.
    pub late_pictures: u64,
    /// The render thread's own frame rate in the free handoff; elsewhere the frame rate.
    pub render_rate: String,
    /// How long the simulation waited for the renderer at each meeting of the lockstep; empty in the other handoffs.
    pub sim_wait_ms: Percentiles,
    /// How long the renderer had nothing to draw before each picture; in lockstep its wait at the meeting.
    pub render_wait_ms: Percentiles,
    /// Meetings of the lockstep: each published a frame.
    pub meetings: u64,
    /// Each observer of the lockstep in order; none where nobody observed.
    pub observers: Vec<ObserverReport>,
    /// How often ticks made something sound, whether or not anybody listens.
    pub sound_cues: u64,
    /// What `tick_rate`, `frame_rate`, `render_rate`, `handoff` and `physics_divisor` say is that of the last frame: which of
    /// them other frames had differently.
    pub changed: Vec<&'static str>,
    /// Ticks that a physics step spans: so many ticks behind the others bodies are drawn, where that is more than one.
    pub physics_divisor: u32,
    /// The frames were given the deltas of a cadence: no grid of `frame_rate` was kept.
    pub cadence: bool,
    /// `exact`, or how percentiles are rounded: of a window that was open for long. Means and maxima never are.
    pub percentiles: &'static str,
    pub measured: Measured,
}

/// Nearest-rank percentiles in ms; all empty where there was nothing to measure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Percentiles {
    pub mean: Option<f64>,
    pub p50: Option<f64>,
    pub p95: Option<f64>,
    pub p99: Option<f64>,
    pub p999: Option<f64>,
    pub max: Option<f64>,
}

/// Of the absolute values, in ms; all empty where no two frames could be compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ErrorFigures {
    pub mean_abs: Option<f64>,
    pub p99_abs: Option<f64>,
    pub max_abs: Option<f64>,
}

/// What one observer of the lockstep saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ObserverReport {
    /// Frames that it read; of those, the ones that were whole, and the ones of which the first observer read the same.
    pub frames: u64,
    pub whole: u64,
    pub agreed: u64,
    /// How long it waited at each meeting until all had come.
    pub waited_ms: Percentiles,
}

/// What differs from run to run, and from machine to machine.
#[derive(Clone, Debug, Serialize)]
pub struct Measured {
    pub frame_time_ms: Percentiles,
    pub stages: Stages,
    /// From the arrival of an input event to the tick that saw it, and to the frame that showed that tick; the oldest
    /// event of each frame that saw any.
    pub input_to_tick_ms: Percentiles,
    pub input_to_shown_ms: Percentiles,
    /// How late the render thread woke for what it waited for: after a frame was published, in the free handoff after its own
    /// deadline. Of the pictures it waited for.
    pub wake_delay_ms: Percentiles,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<WindowFigures>,
    pub records_lost: u64,
    /// Input events that came faster than frames took them.
    pub input_lost: u64,
    pub threads: Option<u64>,
    pub peak_rss_bytes: Option<u64>,
    /// With `--pin`: the core that each thread of the run stayed on, `null` where the system refused it; empty where there was
    /// only one core.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cores: Option<Cores>,
}

/// Which thread stayed on which core, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cores(pub Vec<Seated>);

impl Serialize for Cores {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let core = |seated: &Seated| seated.stays.then_some(seated.core.0);
        serializer.collect_map(self.0.iter().map(|seated| (&seated.thread, core(seated))))
    }
}

/// How the window's thread kept its own time, and the frame clock that of the display.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct WindowFigures {
    /// Looks a second, as asked for.
    pub poll_rate: String,
    pub poll_interval_ms: Percentiles,
    /// Refreshes of the display that a picture had to wait for.
    pub refreshes_seen: u64,
    /// From the nearest refresh to each deadline, once the two are locked.
    pub phase_error_ms: ErrorFigures,
    pub audio: AudioReport,
}

/// How the window's thread looked after what sounds.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AudioReport {
    /// The sound device there was last; `none` where nothing was heard.
    pub device: String,
    /// Frames it took a second; 0 without one.
    pub sample_rate: u32,
    /// Times that a device went away, and gaps that were heard because samples came too late for it.
    pub device_losses: u64,
    pub underruns: u64,
    /// Updates a second, as asked for.
    pub rate: String,
    pub updates: u64,
    /// Updates left out, because one before them was late.
    pub missed: u64,
    /// How long after its deadline each update was made.
    pub late_ms: Percentiles,
    /// Cues that came, sounds started of them, and cues lost on the way.
    pub cues: u64,
    pub started: u64,
    pub lost: u64,
}

/// One entry for each stage, by its name.
#[derive(Clone, Copy, Debug)]
pub struct Stages(pub [StageFigures; Stage::COUNT]);

/// Durations of one stage, in µs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct StageFigures {
    pub mean_us: Option<f64>,
    pub p50_us: Option<f64>,
    pub p99_us: Option<f64>,
    pub max_us: Option<f64>,
}

impl Serialize for Stages {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(Stage::COUNT))?;
        for (stage, figures) in Stage::ALL.iter().zip(&self.0) {
            map.serialize_entry(stage.name(), figures)?;
        }
        map.end()
    }
}

/// What the process itself used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessFigures {
    pub threads: Option<u64>,
    pub peak_rss_bytes: Option<u64>,
    pub cores: Option<Cores>,
}

impl ProcessFigures {
    /// Of this process, now; empty where the system does not say.
    #[must_use]
    pub fn now() -> Self {
        process::status().map_or_else(|_| Self::default(), |text| Self::parse(&text))
    }

    fn parse(status: &str) -> Self {
        let value = |key: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(key))?;
            line.split_whitespace().next()?.parse::<u64>().ok()
        };
        let peak_rss_bytes = value("VmHWM:").map(|kilobytes| kilobytes * 1024);
        Self { threads: value("Threads:"), peak_rss_bytes, cores: None }
    }

    /// And where the threads of its run stayed, which were to have cores of their own.
    #[must_use]
    pub fn seated(self, seating: Option<&Seating>) -> Self {
        Self { cores: seating.map(|seating| Cores(seating.seated())), ..self }
    }
}

impl Report {
    /// Sums a run up.
    #[must_use]
    pub fn new(identity: &Identity, outcome: &Outcome, process: ProcessFigures) -> Self {
        let figures = &outcome.figures;
        let last = figures.last.unwrap_or_else(|| FrameRecord {
            tick_rate: identity.tick_rate,
            frame_rate: identity.frame_rate,
            render_rate: identity.frame_rate,
            physics_divisor: identity.physics_divisor,
            handoff: HandoffCounts { mode: identity.handoff, ..HandoffCounts::default() },
            ..FrameRecord::default()
        });
        let counts = outcome.counts;
        // Without a window every rendered frame counts as shown.
        let (shown, unseen) = match &outcome.window {
            Some(_) => (figures.shown, figures.unseen),
            None => (counts.rendered, 0),
        };
        let window = outcome.window.as_ref();
        let are_exact = figures.are_exact() && window.is_none_or(InWindow::is_exact);
        Self {
            project: identity.project.clone(),
            scene: identity.scene.clone(),
            frames: figures.frames,
            ticks: last.totals.ticks,
            stepped_ticks: last.totals.stepped,
            cut_ticks: last.totals.cut,
            tick_rate: last.tick_rate.to_string(),
            frame_rate: last.frame_rate.to_string(),
            handoff: last.handoff.mode.name(),
            elapsed_nanos: figures.elapsed.0,
            overstep_ticks: last.alpha,
            alpha: last.alpha,
            clamped_nanos: last.totals.clamped.0,
            capped_ticks: last.totals.capped,
            late_frames: figures.late,
            missed_deadlines: figures.missed,
            time_reversals: last.totals.time_reversals,
            published: counts.published,
            rendered: counts.rendered,
            dropped: counts.dropped,
            abandoned: counts.abandoned,
            shown,
            unseen,
            redraws: outcome.redraws,
            conserved: outcome.conserved(),
            state_hash: outcome.state_hash.map(|hash| format!("{hash:016x}")),
            frame_interval_ms: Percentiles::of(&figures.intervals),
            animation_error_ms: ErrorFigures::of(&figures.animation_errors),
            undrawn: counts.undrawn,
            undrawn_ticks: figures.undrawn_ticks,
            pictures: figures.pictures,
            held: figures.held,
            late_pictures: figures.late_pictures,
            render_rate: last.render_rate.to_string(),
            sim_wait_ms: Percentiles::of(&figures.sim_waits),
            render_wait_ms: Percentiles::of(&figures.render_waits),
            meetings: outcome.meetings,
            observers: observers(outcome),
            sound_cues: figures.sound_cues,
            changed: figures.changed(),
            physics_divisor: last.physics_divisor,
            cadence: identity.cadence,
            percentiles: if are_exact { "exact" } else { ROUNDED },
            measured: Measured::new(outcome, process),
        }
    }

    /// The report as it is written: indented JSON, and a newline at its end.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Plain numbers, texts and maps with text keys: nothing in it can fail.
        let mut text = serde_json::to_string_pretty(self).expect("a report of plain values is valid JSON");
        text.push('\n');
        text
    }
}

fn observers(outcome: &Outcome) -> Vec<ObserverReport> {
    let of = |(seen, waits): (&Sightings, &Distribution)| {
        let Sightings { frames, whole, agreed, .. } = *seen;
        ObserverReport { frames, whole, agreed, waited_ms: Percentiles::of(waits) }
    };
    outcome.sightings.iter().zip(&outcome.figures.observer_waits).map(of).collect()
}

impl Percentiles {
    fn of(values: &Distribution) -> Self {
        values.summary().map_or_else(Self::default, |summary| Self {
            mean: Some(summary.mean_nanos / 1e6),
            p50: Some(summary.p50.as_millis_f64()),
            p95: Some(summary.p95.as_millis_f64()),
            p99: Some(summary.p99.as_millis_f64()),
            p999: Some(summary.p999.as_millis_f64()),
            max: Some(summary.max.as_millis_f64()),
        })
    }
}

impl ErrorFigures {
    /// Of absolute values.
    fn of(errors: &Distribution) -> Self {
        errors.summary().map_or_else(Self::default, |summary| Self {
            mean_abs: Some(summary.mean_nanos / 1e6),
            p99_abs: Some(summary.p99.as_millis_f64()),
            max_abs: Some(summary.max.as_millis_f64()),
        })
    }
}

impl StageFigures {
    fn of(durations: &Distribution) -> Self {
        durations.summary().map_or_else(Self::default, |summary| Self {
            mean_us: Some(summary.mean_nanos / 1e3),
            p50_us: Some(summary.p50.0 as f64 / 1e3),
            p99_us: Some(summary.p99.0 as f64 / 1e3),
            max_us: Some(summary.max.0 as f64 / 1e3),
        })
    }
}

impl WindowFigures {
    fn of(window: &InWindow) -> Self {
        let InWindow { polls, phase, audio, .. } = window;
        Self {
            poll_rate: polls.asked.to_string(),
            poll_interval_ms: Percentiles::of(&polls.intervals),
            refreshes_seen: phase.refreshes,
            phase_error_ms: ErrorFigures::of(&phase.errors),
            audio: AudioReport::of(audio),
        }
    }
}

impl AudioReport {
    fn of(audio: &AudioFigures) -> Self {
        Self {
            device: audio.heard.device.clone().unwrap_or_else(|| "none".to_owned()),
            sample_rate: audio.heard.sample_rate,
            device_losses: audio.heard.losses,
            underruns: audio.heard.underruns,
            rate: audio.asked.to_string(),
            updates: audio.updates,
            missed: audio.missed,
            late_ms: Percentiles::of(&audio.late),
            cues: audio.cues,
            started: audio.started,
            lost: audio.lost,
        }
    }
}

impl Measured {
    fn new(outcome: &Outcome, process: ProcessFigures) -> Self {
        let figures = &outcome.figures;
        Self {
            frame_time_ms: Percentiles::of(&figures.frame_times),
            stages: Stages(figures.stages.each_ref().map(StageFigures::of)),
            input_to_tick_ms: Percentiles::of(&figures.input_to_tick),
            input_to_shown_ms: Percentiles::of(&figures.input_to_shown),
            wake_delay_ms: Percentiles::of(&figures.wake_delays),
            window: outcome.window.as_ref().map(WindowFigures::of),
            records_lost: outcome.records_lost,
            input_lost: outcome.input_lost,
            threads: process.threads,
            peak_rss_bytes: process.peak_rss_bytes,
            cores: process.cores,
        }
    }
}

#[cfg(test)]
#[path = "report_tests.rs"]
mod tests;
