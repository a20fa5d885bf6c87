//! One line of figures for every frame of a run.

use crate::outcome::{Outcome, Row};
use framewalk_runtime::frame::record::HandoffMode;
use framewalk_runtime::frame::stage::Stage;
use framewalk_runtime::scene::Pose;
use std::fmt::{Display, Write};

/// The columns before the probes: the same every time in instant pace.
const EXACT_COLUMNS: &str = "frame,tick,render_time_ns,delta_ns,clamped_ns,ticks,capped_ticks,overstep_ns,alpha,\
    published,rendered,dropped,abandoned,pending,in_flight,late,missed,animation_error_ns";

/// The columns between the probes and the measured ones: the same every time in instant pace. `undrawn` is a total, as
/// `dropped` is; `sim_wait_ns` is the simulation's wait at the meeting of the lockstep; `pictures` says how many pictures
/// of this frame were drawn and `held` in how many alpha was held back; the wait before the first of them, the time it was
/// drawn for and the simulated time it showed are empty where there was none.
const HANDOFF_COLUMNS: &str = ",undrawn,sim_wait_ns,render_wait_ns,pictures,held,drawn_at_ns,shown_time_ns";

/// The measured columns after those of the six stages.
/// `displayed_ns` is when the first picture that was shown of this frame was: as the window presented it, without one at the
/// end of its submit; the animation error is measured by it. `gpu_done_ns` is when the GPU was seen to be done with the
/// first picture: that is looked for every 500 µs, and not at all where a submit waits for it.
const LAST_COLUMNS: &str = ",wake_error_ns,batch_ns,submit_ns,displayed_ns,gpu_done_ns";

/// The whole table, header included. `late` is 0 or 1; a cell is empty where there is no value.
#[must_use]
pub fn table(outcome: &Outcome, probes: &[String]) -> String {
    let mut text = String::with_capacity((outcome.frames.len() + 1) * (160 + probes.len() * 60));
    let is_free = outcome.frames.iter().any(|frame| frame.handoff.mode == HandoffMode::Free);
    header(&mut text, probes, if is_free { "@frame" } else { "" });
    for row in outcome.rows(probes.len()) {
        line(&mut text, &row);
    }
    text
}

/// `of` follows the name of each probe. In the free handoff a picture is drawn at an alpha of its own, and the pose at the
/// frame's is in none of them: there its columns say whose it is.
fn header(text: &mut String, probes: &[String], of: &str) {
    text.push_str(EXACT_COLUMNS);
    for name in probes {
        for part in ["px", "py", "pz", "qx", "qy", "qz", "qw"] {
            text.push(',');
            text.push_str(&quoted(&format!("{name}{of}.{part}")));
        }
    }
    text.push_str(HANDOFF_COLUMNS);
    for stage in Stage::ALL {
        push(text, format_args!("{}_ns", stage.name()));
    }
    text.push_str(LAST_COLUMNS);
    text.push('\n');
}

fn line(text: &mut String, row: &Row<'_>) {
    let frame = row.frame;
    let counts = frame.handoff;
    let start = text.len();
    push(text, frame.frame.0);
    push(text, frame.tick.0);
    push(text, frame.render_time.0);
    push(text, frame.delta.0.max(0));
    push(text, frame.clamped.0);
    push(text, frame.ticks);
    push(text, frame.capped_ticks);
    push(text, frame.overstep.0);
    push(text, frame.alpha);
    for count in [
        counts.published,
        counts.rendered,
        counts.dropped,
        counts.abandoned,
        counts.pending,
        counts.in_flight,
    ] {
        push(text, count);
    }
    push(text, u8::from(frame.late));
    push(text, frame.missed);
    push_some(text, row.animation_error.map(|error| error.0));
    for pose in row.poses {
        push_pose(text, pose.as_ref());
    }
    let first = row.pictures.first();
    push(text, counts.undrawn);
    push(text, frame.sim_wait.0);
    push_some(text, first.map(|picture| picture.render_wait.0));
    push(text, row.pictures.len());
    push(text, row.pictures.iter().filter(|picture| picture.held).count());
    push_some(text, first.map(|picture| picture.render_time.0));
    push_some(text, first.map(|picture| picture.shown_time.0));
    for stage in frame.stages {
        push(text, stage.duration.0);
    }
    push(text, frame.wake_error.0);
    push_some(text, first.map(|picture| picture.batch.0));
    push_some(text, first.map(|picture| picture.submit.0));
    push_some(text, row.displayed.map(|at| at.0));
    push_some(text, first.and_then(|picture| picture.flight.done).map(|at| at.0));
    text.push('\n');
    // Every cell is written with its comma in front; the first of a line has none.
    text.remove(start);
}

fn push(text: &mut String, value: impl Display) {
    // Writing to a String does not fail.
    let _ = write!(text, ",{value}");
}

fn push_some(text: &mut String, value: Option<impl Display>) {
    match value {
        Some(value) => push(text, value),
        None => text.push(','),
    }
}

fn push_pose(text: &mut String, pose: Option<&Pose>) {
    match pose {
        Some(pose) => {
            let (p, q) = (pose.position, pose.rotation);
            for value in [p.x, p.y, p.z, q.x, q.y, q.z, q.w] {
                // A zero has no sign here: -0 + 0 is 0.
                push(text, value + 0.0);
            }
        }
        None => text.push_str(",,,,,,,"),
    }
}

/// A header cell, in quotes where a reader would otherwise cut it.
fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

#[cfg(test)]
#[path = "csv_tests.rs"]
mod tests;
