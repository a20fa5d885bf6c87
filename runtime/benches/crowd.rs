//! A frame of `projects/crowd`, a hundred thousand movers, in real time and without drawing: the six stages of the run
//! itself, sixty times a second, and what its tick, its roll of poses and its snapshot take of that.
//!
//! `cargo bench -p framewalk-runtime --no-default-features --features sim --bench crowd`. The render thread takes every
//! snapshot, and draws nothing.

#[path = "shared/row.rs"]
mod row;

use framewalk_runtime::frame::recorder::RuntimeRecord;
use framewalk_runtime::frame::zones::{ZONE_RING_CAPACITY, zone_ring};
use framewalk_runtime::jobs::thread::{Placement, WorkersOptions};
use framewalk_runtime::render::NullRenderer;
use framewalk_runtime::scene::format::parse_scene;
use framewalk_runtime::sim::RunSettings;
use framewalk_runtime::sim::paced::{PacedOptions, PacedRun};
use row::{Aim, Row};

/// Seven and a half seconds.
const FRAMES: usize = 450;
/// Until all memory is there.
const WARM_UP: usize = 30;
/// A frame at 60 Hz, in milliseconds.
const PERIOD: f64 = 16.7;

/// The zones of the sim thread that make up most of a frame.
const PARTS: [(&str, &str); 3] = [
    ("tick, without its roll", "tick"),
    ("roll of previous and current poses", "roll poses"),
    ("snapshot filled", "scene_view"),
];

fn main() {
    let frames = if row::is_measured() { FRAMES } else { 3 };
    row::header();
    // Two cores have room for one beside the thread `sim`: a worker, or the renderer, which sleeps most of the time.
    let (mut with, mut without) =
        (measured(WorkersOptions::of(1), frames), measured(WorkersOptions::of(0), frames));
    let by_the_system = WorkersOptions { placement: Placement::System, ..WorkersOptions::of(1) };
    let mut by_the_system = measured(by_the_system, frames);
    let mut helped = measured(WorkersOptions { waiting_help: true, ..WorkersOptions::of(0) }, frames);
    let mut both = measured(WorkersOptions { waiting_help: true, ..WorkersOptions::of(1) }, frames);
    for (who, ours) in [
        ("one worker", &mut with),
        ("the waiting render thread helps", &mut helped),
        ("one worker, and the waiting render thread helps", &mut both),
    ] {
        for (share, name) in [(0.5, "p50"), (0.99, "p99")] {
            let peer = ("no worker", percentile(&mut without.frames, share));
            Row {
                what: &format!("a frame of `crowd`, without drawing, {who}, {name}"),
                unit: "ms",
                ours: percentile(&mut ours.frames, share),
                peer: Some(peer),
                aim: Some(Aim::Cost(PERIOD)),
            }
            .print();
        }
    }
    for (share, name) in [(0.5, "p50"), (0.99, "p99")] {
        let peer = ("one worker, put by the system", percentile(&mut by_the_system.frames, share));
        Row {
            what: &format!("one worker, off the core of the thread `sim`, {name}"),
            unit: "ms",
            ours: percentile(&mut with.frames, share),
            peer: Some(peer),
            aim: None,
        }
        .print();
    }
    for (share, name) in [(0.5, "p50"), (0.99, "p99")] {
        Row {
            what: &format!("the render thread takes a frame after it was handed over, helping, {name}"),
            unit: "µs",
            ours: percentile(&mut helped.delays, share),
            peer: Some(("no worker, sleeping", percentile(&mut without.delays, share))),
            aim: None,
        }
        .print();
    }
    for (part, (what, _)) in PARTS.into_iter().enumerate() {
        Row {
            what: &format!("of that, {what}, one worker, p50"),
            unit: "ms",
            ours: percentile(&mut with.parts[part], 0.5),
            peer: Some(("no worker", percentile(&mut without.parts[part], 0.5))),
            aim: None,
        }
        .print();
    }
}

/// Milliseconds of every frame.
#[derive(Default)]
struct Measured {
    frames: Vec<f64>,
    parts: [Vec<f64>; PARTS.len()],
    /// Microseconds from handing each frame over to taking it, where the render thread waited for it.
    delays: Vec<f64>,
}

fn measured(workers: WorkersOptions, frames: usize) -> Measured {
    let scene = parse_scene(include_str!("../../projects/crowd/scenes/main.ron")).expect("a sample");
    let settings = RunSettings { workers, ..RunSettings::default() };
    let renderer = Box::new(NullRenderer::default());
    let (mut run, mut render, _looks) =
        PacedRun::start(&scene, &settings, renderer, PacedOptions::default()).expect("it can be run");
    let (zones, mut zone_receiver) = zone_ring(ZONE_RING_CAPACITY);
    zones.record_this_thread();
    let mut measured = Measured::default();
    for frame in 0..WARM_UP + frames {
        run.wait_and_run(|| false).expect("nothing fails in it");
        // What runs in jobs bears the same names, deeper down.
        let mut parts = [0.0; PARTS.len()];
        zone_receiver.drain(|zone| {
            if let Some(part) = PARTS.iter().position(|(_, name)| *name == zone.name && zone.depth < 2) {
                parts[part] += zone.duration.as_millis_f64();
            }
        });
        let [tick, roll, _] = &mut parts;
        *tick -= *roll;
        for record in run.drain_frames().filter(|record| frame >= WARM_UP && record.ticks > 0) {
            measured.frames.push(record.frame_time().as_millis_f64());
            measured.parts.iter_mut().zip(parts).for_each(|(all, part)| all.push(part));
        }
        render.records.drain(|record| {
            if let (true, RuntimeRecord::Render(picture)) = (frame >= WARM_UP, record) {
                measured.delays.extend(picture.wake_delay.map(|delay| delay.0 as f64 / 1e3));
            }
        });
    }
    render.thread.shutdown();
    measured
}

fn percentile(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let place = (values.len().saturating_sub(1) as f64 * share).ceil() as usize;
    // Of none there is none: in a few frames nobody may have waited.
    values.get(place).copied().unwrap_or(f64::NAN)
}
