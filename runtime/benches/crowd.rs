//! A frame of `projects/crowd`, a hundred thousand movers, in real time and without drawing: the six stages of the run
//! itself, sixty times a second, and what its tick, its roll of poses and its snapshot take of that.
//!
//! `cargo bench -p framewalk-runtime --no-default-features --features sim --bench crowd`. The render thread takes every
//! snapshot, and draws nothing.

#[path = "shared/row.rs"]
mod row;

use framewalk_runtime::frame::zones::{ZONE_RING_CAPACITY, zone_ring};
use framewalk_runtime::jobs::thread::WorkersOptions;
use framewalk_runtime::render::NullRenderer;
use framewalk_runtime::scene::format::parse_scene;
use framewalk_runtime::sim::RunSettings;
use framewalk_runtime::sim::paced::{PacedOptions, PacedRun};
use row::{Aim, Row};

/// Ten seconds.
const FRAMES: usize = 600;
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
    // Two cores have room for one worker beside the thread `sim`; the renderer sleeps most of the time.
    let (mut with, mut without) = (measured(1, frames), measured(0, frames));
    for (share, name) in [(0.5, "p50"), (0.99, "p99")] {
        let peer = ("no worker", percentile(&mut without.frames, share));
        Row {
            what: &format!("a frame of `crowd`, without drawing, one worker, {name}"),
            unit: "ms",
            ours: percentile(&mut with.frames, share),
            peer: Some(peer),
            aim: Some(Aim::Cost(PERIOD)),
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
}

fn measured(workers: usize, frames: usize) -> Measured {
    let scene = parse_scene(include_str!("../../projects/crowd/scenes/main.ron")).expect("a sample");
    let settings = RunSettings { workers: WorkersOptions::of(workers), ..RunSettings::default() };
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
    }
    render.thread.shutdown();
    measured
}

fn percentile(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values[((values.len() - 1) as f64 * share).ceil() as usize]
}
