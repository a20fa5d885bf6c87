//! The few lines a person reads after a run that was asked for no report.

use super::report::{Cores, ObserverReport, Report};
use crate::project::store::spelt;
use framewalk_inspector::wording::{count, noun};
use framewalk_runtime::jobs::seating::Seated;
use std::fmt::Write;

/// The report in short, for stdout.
#[must_use]
pub fn summary(report: &Report) -> String {
    let mut text = String::new();
    let r = report;
    // Writing to a String does not fail.
    let _ = writeln!(
        text,
        "{} / {}: {} {}, {} {} in {:.3} s ({})",
        spelt::line(&r.project),
        spelt::line(&r.scene),
        r.frames,
        noun(r.frames, "frame", "frames"),
        r.ticks,
        noun(r.ticks, "tick", "ticks"),
        r.elapsed_nanos as f64 / 1e9,
        settings(r)
    );
    let _ = writeln!(
        text,
        "  frames     published {} = rendered {} + dropped {}{} + abandoned {}; late {}, missed deadlines {}",
        r.published,
        r.rendered,
        r.dropped,
        if r.undrawn > 0 { format!(" + undrawn {}", r.undrawn) } else { String::new() },
        r.abandoned,
        r.late_frames,
        r.missed_deadlines
    );
    if r.percentiles != "exact" {
        let _ = writeln!(
            text,
            "  figures    of all {} frames: means and maxima exact, percentiles {}",
            r.frames, r.percentiles
        );
    }
    if r.measured.records_lost > 0 {
        let _ = writeln!(
            text,
            "  lost       {} records of frames and pictures: what they would have told is in no figure but those of published and ticks",
            r.measured.records_lost
        );
    }
    let (sim, render) = (r.sim_wait_ms, r.render_wait_ms);
    if sim.p50.is_some() {
        let _ = write!(text, "  lockstep   waits, ms: sim p50 {}, max {}", millis(sim.p50), millis(sim.max));
        // Those of the renderer are of all pictures, also of what came another way.
        let _ = match r.changed.contains(&"handoff") {
            true => writeln!(text),
            false => writeln!(text, "; render p50 {}, max {}", millis(render.p50), millis(render.max)),
        };
    }
    observers(&mut text, r);
    if r.handoff == "free" {
        let _ = writeln!(
            text,
            "  free       {} {} undrawn; {} {} on {} Hz, {} late, alpha held in {}",
            r.undrawn_ticks,
            noun(r.undrawn_ticks, "tick", "ticks"),
            r.pictures,
            noun(r.pictures, "picture", "pictures"),
            r.render_rate,
            r.late_pictures,
            r.held
        );
    }
    let _ = writeln!(
        text,
        "  time       clamped {:.3} ms, capped ticks {}, alpha {:.3}; {}",
        r.clamped_nanos as f64 / 1e6,
        r.capped_ticks,
        r.alpha,
        if r.conserved { "both equations held after every frame" } else { "AN EQUATION DID NOT HOLD" }
    );
    let interval = r.frame_interval_ms;
    let _ = writeln!(
        text,
        "  interval   ms: mean {}, p50 {}, p99 {}, max {}",
        millis(interval.mean),
        millis(interval.p50),
        millis(interval.p99),
        millis(interval.max)
    );
    let error = r.animation_error_ms;
    let _ = writeln!(
        text,
        "  animation  error, ms: mean {}, p99 {}, max {}",
        millis(error.mean_abs),
        millis(error.p99_abs),
        millis(error.max_abs)
    );
    let (to_tick, to_shown) = (r.measured.input_to_tick_ms, r.measured.input_to_shown_ms);
    if to_tick.p50.is_some() {
        let _ = writeln!(
            text,
            "  input      ms: to the tick p50 {}, p99 {}; to the picture p50 {}, p99 {}",
            millis(to_tick.p50),
            millis(to_tick.p99),
            millis(to_shown.p50),
            millis(to_shown.p99)
        );
    }
    if r.measured.input_lost > 0 {
        let lost = count(r.measured.input_lost, "event", "events");
        let _ = writeln!(text, "  input      {lost} lost: more came at once than a frame takes");
    }
    if let Some(window) = &r.measured.window {
        let interval = window.poll_interval_ms;
        let _ = writeln!(
            text,
            "  window     shown {}, unseen {}; its thread looked every, ms: p50 {}, p99 {}, max {} ({} Hz asked)",
            r.shown,
            r.unseen,
            millis(interval.p50),
            millis(interval.p99),
            millis(interval.max),
            window.poll_rate
        );
        let phase = window.phase_error_ms;
        let _ = match phase.mean_abs {
            Some(_) => writeln!(
                text,
                "  display    {} refreshes seen; deadlines off them by, ms: mean {}, p99 {}, max {}",
                window.refreshes_seen,
                millis(phase.mean_abs),
                millis(phase.p99_abs),
                millis(phase.max_abs)
            ),
            None => writeln!(
                text,
                "  display    {} refreshes seen: too few, or too uneven, or moving with the frames: the frame clock keeps its own grid",
                window.refreshes_seen
            ),
        };
    }
    sound(&mut text, r);
    if let Some(cores) = &r.measured.cores {
        let _ = writeln!(text, "  pinned     {}", pinned(cores));
    }
    let time = r.measured.frame_time_ms;
    let _ = writeln!(
        text,
        "  measured   frame time, ms: p50 {}, p99 {}, max {}; state hash {}",
        millis(time.p50),
        millis(time.p99),
        millis(time.max),
        r.state_hash.as_deref().unwrap_or("-")
    );
    text
}

/// `sim on core 1, render on core 1, worker 0 on core 0`.
fn pinned(cores: &Cores) -> String {
    if cores.0.is_empty() {
        return "nothing: this program may use one core only".to_owned();
    }
    let named = |seated: &Seated| {
        let refused = if seated.stays { "" } else { "refused " };
        format!("{} {refused}on core {}", seated.thread, seated.core.0)
    };
    cores.0.iter().map(named).collect::<Vec<_>>().join(", ")
}

/// Those of the last frame; what was different before is named.
fn settings(r: &Report) -> String {
    let frames = if r.cadence { "of a cadence".to_owned() } else { format!("{} Hz", r.frame_rate) };
    let mut text = format!("ticks {} Hz, frames {frames}, handoff {}", r.tick_rate, r.handoff);
    if r.physics_divisor > 1 {
        // Writing to a String does not fail.
        let _ = write!(text, ", bodies {} ticks behind", r.physics_divisor);
    }
    if !r.changed.is_empty() {
        let _ = write!(text, " in the end; changed on the way: {}", r.changed.join(", ").replace('_', " "));
    }
    text
}

/// What observers of the lockstep saw, and how long each waited for the others.
fn observers(text: &mut String, r: &Report) {
    let Some(first) = r.observers.first() else { return };
    let all = |is_so: fn(&ObserverReport) -> bool| r.observers.iter().all(is_so);
    let each = if r.observers.len() > 1 { "each met" } else { "met" };
    let met = if r.observers.iter().all(|one| one.frames == first.frames) {
        first.frames.to_string()
    } else {
        r.observers.iter().map(|one| one.frames.to_string()).collect::<Vec<_>>().join(", ")
    };
    let whole = if all(|one| one.whole == one.frames) { "all whole" } else { "NOT ALL WHOLE" };
    let same = match all(|one| one.agreed == one.frames) {
        _ if r.observers.len() == 1 => "",
        true => ", all saw the same",
        false => ", NOT ALL SAW THE SAME",
    };
    let waits: Vec<String> = r.observers.iter().map(|one| millis(one.waited_ms.p50)).collect();
    // Writing to a String does not fail.
    let _ = writeln!(
        text,
        "  observers  {}, {each} {met} of {} frames, {whole}{same}; waited, ms: p50 {}",
        r.observers.len(),
        r.meetings,
        waits.join(", ")
    );
}

/// What was to be heard, and through what.
fn sound(text: &mut String, r: &Report) {
    let _ = match &r.measured.window {
        Some(window) => {
            let audio = &window.audio;
            let _ = write!(
                text,
                "  sound      {} cues, {} lost, {} sounds started on device {}",
                audio.cues, audio.lost, audio.started, audio.device
            );
            if audio.device_losses > 0 {
                let _ = write!(text, " (gone away {} times)", audio.device_losses);
            }
            if audio.underruns > 0 {
                let _ = write!(text, ", with {} gaps because samples came too late", audio.underruns);
            }
            writeln!(
                text,
                "; {} updates at {} Hz, late by, ms: p50 {}, p99 {}",
                audio.updates,
                audio.rate,
                millis(audio.late_ms.p50),
                millis(audio.late_ms.p99)
            )
        }
        None if r.sound_cues > 0 => {
            writeln!(text, "  sound      {} {}", r.sound_cues, noun(r.sound_cues, "cue", "cues"))
        }
        None => Ok(()),
    };
}

fn millis(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.3}"))
}
