//! The three handoffs on a manual clock: what is dropped, who waits, what stays undrawn, and how even the motion is.

use std::sync::{Arc, Mutex};

use super::virtual_time::{VirtualOptions, VirtualRun};
use super::{Control, RunSettings, RunState};
use crate::frame::record::{FrameKind, FrameRecord, HandoffCounts, HandoffMode, RenderRecord};
use crate::handoff::FrameDescriptor;
use crate::render::{BatchFigures, NullRenderer, RenderError, Renderer};
use crate::scene::{Entity, EntityId, Load, Motion, Scene};
use crate::snapshot::Snapshot;
use crate::time::{FrameIndex, Nanos, Rate, Tick};
use HandoffMode::{Free, Lockstep, Slot};
use glam::Vec3;

/// One mover at exactly 1 m/s along +x from x = 0.
fn scene(load: Load) -> Scene {
    let mover = Entity {
        id: EntityId(1),
        name: "Mover".to_owned(),
        motion: Some(Motion::Steady { velocity: Vec3::X }),
        load: Some(load),
        ..Entity::default()
    };
    Scene { entities: vec![mover], ..Scene::default() }
}

/// Where the mover was drawn, and for which render time.
type Drawn = Arc<Mutex<Vec<(Nanos, f64)>>>;

/// Notes what it is given.
struct Noting(Drawn);

impl Renderer<Snapshot> for Noting {
    fn batch(&mut self, frame: &FrameDescriptor, snapshot: &Snapshot) -> Result<BatchFigures, RenderError> {
        assert_eq!((snapshot.frame, snapshot.render_time), (frame.frame, frame.render_time));
        let x = f64::from(snapshot.drawn_pose(EntityId(1)).unwrap().position.x);
        self.0.lock().unwrap().push((frame.render_time, x));
        Ok(BatchFigures::default())
    }

    fn submit(&mut self, _: &FrameDescriptor, _: &Snapshot) -> Result<(), RenderError> {
        Ok(())
    }
}

fn rate(text: &str) -> Rate {
    text.parse().unwrap()
}

fn settings(handoff: HandoffMode, tick_rate: &str, frame_rate: &str) -> RunSettings {
    RunSettings {
        handoff,
        tick_rate: rate(tick_rate),
        frame_rate: rate(frame_rate),
        ..RunSettings::default()
    }
}

struct Ran {
    frames: Vec<FrameRecord>,
    pictures: Vec<RenderRecord>,
    counts: HandoffCounts,
    drawn: Vec<(Nanos, f64)>,
}

/// So many seconds from Play to the end.
fn ran(settings: &RunSettings, seconds: i64, render_cost: i64, load: Load) -> Ran {
    let drawn = Drawn::default();
    let options =
        VirtualOptions { render_cost: Nanos::from_millis(render_cost), ..VirtualOptions::default() };
    let mut run = VirtualRun::new(&scene(load), settings, Box::new(Noting(drawn.clone())), options).unwrap();
    run.advance_to(Nanos::from_secs(seconds)).unwrap();
    run.finish();
    let frames: Vec<_> = run.drain_frames().collect();
    let pictures: Vec<_> = run.drain_renders().collect();
    for frame in &frames {
        assert!(frame.conserved(), "{frame:?}");
    }
    let counts = run.counts();
    assert!(counts.balanced() && counts.pending == 0 && counts.in_flight == 0, "{counts:?}");
    assert_eq!(pictures.iter().filter(|picture| !picture.again).count() as u64, counts.rendered);
    let drawn = drawn.lock().unwrap().clone();
    Ran { frames, pictures, counts, drawn }
}

/// The largest distance from steady motion: of what is drawn at a time from what is drawn at the next.
fn unsteadiness(drawn: &[(Nanos, f64)]) -> f64 {
    let steps = drawn.windows(2).map(|pair| {
        let passed = (pair[1].0 - pair[0].0).as_secs_f64();
        (pair[1].1 - pair[0].1 - passed).abs()
    });
    steps.fold(0.0, f64::max)
}

#[test]
fn a_renderer_that_takes_40_ms_drops_frames_or_holds_the_simulation_up_or_leaves_ticks_undrawn() {
    let outcome = |handoff| {
        let ran = ran(&settings(handoff, "60", "60"), 2, 40, Load::default());
        let HandoffCounts { published, rendered, dropped, undrawn, .. } = ran.counts;
        let late = ran.frames.iter().filter(|frame| frame.late).count();
        let waits = ran.frames.iter().filter(|frame| frame.sim_wait > Nanos::ZERO).count();
        let ticks = ran.frames.last().unwrap().tick.0;
        ([published, rendered, dropped, undrawn], late, waits, ticks)
    };
    assert_eq!(outcome(Slot), ([121, 52, 69, 0], 0, 0, 120));
    // Every frame but the first waits 40 ms less what passed since the last meeting; the time passes all the same.
    let ([published, rendered, dropped, undrawn], late, waits, ticks) = outcome(Lockstep);
    assert_eq!((published, rendered, dropped, undrawn), (52, 52, 0, 0));
    assert_eq!((late, waits, ticks), (50, 51, 120));
    assert_eq!(outcome(Free), ([121, 52, 0, 69], 0, 0, 120));
}

#[test]
fn in_lockstep_the_waits_of_both_sides_are_those_of_the_slower() {
    let slow_renderer = ran(&settings(Lockstep, "60", "60"), 1, 40, Load::default());
    let waits: Vec<i64> = slow_renderer.frames.iter().map(|frame| frame.sim_wait.0 / 1000).collect();
    // Frame 2 is on time; each later one comes at once after the meeting before, and waits a whole picture.
    assert_eq!(waits[..5], [0, 23_333, 40_000, 40_000, 40_000]);
    assert!(slow_renderer.pictures[2..].iter().all(|picture| picture.render_wait == Nanos::ZERO));

    let fast_renderer = ran(&settings(Lockstep, "60", "60"), 1, 4, Load::default());
    assert!(fast_renderer.frames.iter().all(|frame| frame.sim_wait == Nanos::ZERO && !frame.late));
    let waits: Vec<i64> = fast_renderer.pictures.iter().map(|picture| picture.render_wait.0 / 1000).collect();
    assert_eq!(waits[..3], [0, 12_666, 12_666]);
}

#[test]
fn stage_durations_leave_the_wait_at_the_meeting_out() {
    let ran = ran(&settings(Lockstep, "60", "60"), 1, 40, Load::default());
    assert!(
        ran.frames.iter().all(|frame| frame.frame_time() == Nanos::ZERO),
        "nothing but waiting takes time"
    );
}

/// Tick rates on frame rates: fewer ticks than frames, as many, many more, and none that divides the other.
const RATES: [(&str, &str); 8] = [
    ("10", "60"),
    ("60", "60"),
    ("60", "144"),
    ("50", "75"),
    ("512", "60"),
    ("512", "144"),
    ("1000", "59.94"),
    ("60000/1001", "240"),
];

#[test]
fn drawn_motion_is_steady_in_each_handoff_at_every_pair_of_rates() {
    for (ticks, frames) in RATES {
        for handoff in HandoffMode::ALL {
            let ran = ran(&settings(handoff, ticks, frames), 3, 0, Load::default());
            // From the second tick on; before it there is nothing to blend.
            let start = rate(ticks).time_of(3);
            let steady: Vec<_> = ran.drawn.iter().copied().filter(|(time, _)| *time >= start).collect();
            let last = steady.len() - 1;
            // A micrometre: what two f32 at three metres have. The last picture of the free handoff may stand.
            let off = unsteadiness(&steady[..last]);
            assert!(off < 1e-6, "{} of {ticks} on {frames}: {off}", handoff.name());
            assert_eq!(ran.pictures.iter().filter(|picture| picture.held).count(), 0, "{ticks} on {frames}");
        }
    }
}

/// The seed blends the last two uploaded states by the fraction of one tick, whatever lies between the two.
#[test]
fn blending_the_last_two_uploads_by_the_fraction_of_one_tick_is_wrong_by_8_at_512_on_60() {
    let ran = ran(&settings(Free, "512", "60"), 2, 0, Load::default());
    let tick = 1.0 / 512.0;
    // The states uploaded at two pictures are eight or nine ticks apart, and the fraction of the last tick at the time of
    // the second picture is all that is blended: what is drawn jumps from one upload to the next.
    let mut drawn = Vec::new();
    for pair in ran.drawn.windows(2).skip(4) {
        let uploaded = |time: Nanos| (time.as_secs_f64() / tick).floor() * tick;
        let (before, now) = (uploaded(pair[0].0), uploaded(pair[1].0));
        let fraction = (pair[1].0.as_secs_f64() / tick).fract();
        drawn.push((pair[1].0, before + (now - before) * fraction));
    }
    drawn.pop();
    let steps = drawn.windows(2).map(|pair| (pair[1].1 - pair[0].1) / (pair[1].0 - pair[0].0).as_secs_f64());
    let (slowest, fastest) =
        steps.fold((f64::MAX, f64::MIN), |(low, high), step| (low.min(step), high.max(step)));
    // One metre a second is drawn at half of it and at one and a half.
    assert!(slowest < 0.6 && fastest > 1.4, "{slowest} to {fastest} m/s");
    let off = unsteadiness(&drawn);
    assert!(off > 4.0 * tick, "{off} m");
    let last = ran.drawn.len() - 1;
    assert!(unsteadiness(&ran.drawn[4..last]) < 1e-6);
}

#[test]
fn the_free_handoff_runs_one_tick_a_frame_at_any_speed_it_can() {
    for (speed, ticks_in_a_second) in [("1", 60), ("0.5", 30), ("2", 120), ("8", 480), ("0.1", 6)] {
        let settings = RunSettings { speed: speed.parse().unwrap(), ..settings(Free, "60", "60") };
        let ran = ran(&settings, 1, 0, Load::default());
        assert!(ran.frames[1..].iter().all(|frame| frame.ticks == 1), "at {speed}");
        assert_eq!(ran.frames.last().unwrap().tick, Tick(ticks_in_a_second), "at {speed}");
    }
    // Ticks at 4096 Hz: frames at 1000, and the rest of the ticks between them.
    let settings = RunSettings { speed: "8".parse().unwrap(), ..settings(Free, "512", "60") };
    let ran = ran(&settings, 1, 0, Load::default());
    assert_eq!((ran.frames.len(), ran.frames.last().unwrap().tick), (1001, Tick(4096)));
}

#[test]
fn at_speed_0_the_free_handoff_stands_and_comes_back() {
    let settings = RunSettings { speed: "0".parse().unwrap(), ..settings(Free, "60", "60") };
    let mut run = VirtualRun::new(
        &scene(Load::default()),
        &settings,
        Box::new(NullRenderer::default()),
        VirtualOptions::default(),
    )
    .unwrap();
    run.advance_to(Nanos::from_millis(500)).unwrap();
    assert_eq!(run.sim().core().tick(), Tick(0));
    run.control(Control::SetSpeed("1".parse().unwrap())).unwrap();
    run.advance_to(Nanos::from_millis(1500)).unwrap();
    assert!((59..=60).contains(&run.sim().core().tick().0), "{:?}", run.sim().core().tick());
    run.finish();
    assert!(run.counts().balanced());
}

#[test]
fn a_tick_that_comes_late_holds_alpha_once_and_then_is_waited_for() {
    // Ticks of 16.7 ms that take 9: the first of them comes when its motion should have begun long ago.
    let load = Load { tick: Nanos::from_millis(9), ..Load::default() };
    let ran = ran(&settings(Free, "60", "144"), 2, 0, load);
    let held: Vec<_> = ran.pictures.iter().filter(|picture| picture.held).collect();
    assert!(!held.is_empty() && held.len() <= 3, "{} held", held.len());
    assert!(held.iter().all(|picture| picture.render_time < Nanos::from_millis(50)));
    assert!(ran.pictures.iter().all(|picture| picture.alpha < 1.0 && (picture.alpha as f32) < 1.0));
    assert_eq!((ran.counts.dropped, ran.counts.undrawn), (0, 0));
    // Never back, and from then on as steady as if the ticks cost nothing.
    assert!(ran.drawn.windows(2).all(|pair| pair[1].1 >= pair[0].1));
    let last = ran.drawn.len() - 1;
    let off = unsteadiness(&ran.drawn[12..last]);
    assert!(off < 1e-6, "{off}");
}

#[test]
fn a_tick_that_takes_less_than_the_margin_is_never_missed() {
    let load = Load { tick: Nanos::from_micros(900), ..Load::default() };
    for (ticks, frames) in [("60", "60"), ("60", "144"), ("512", "60")] {
        let ran = ran(&settings(Free, ticks, frames), 2, 0, load);
        assert_eq!(ran.pictures.iter().filter(|picture| picture.held).count(), 0, "{ticks} on {frames}");
    }
}

fn standing_run(handoff: HandoffMode) -> (VirtualRun, Drawn) {
    let drawn = Drawn::default();
    let run = VirtualRun::new(
        &scene(Load::default()),
        &settings(handoff, "50", "60"),
        Box::new(Noting(drawn.clone())),
        VirtualOptions::default(),
    )
    .unwrap();
    (run, drawn)
}

#[test]
fn each_step_is_one_tick_of_motion_and_the_standing_draws_nothing() {
    for handoff in HandoffMode::ALL {
        let (mut run, drawn) = standing_run(handoff);
        run.advance_to(Nanos::from_millis(500)).unwrap();
        run.control(Control::Pause).unwrap();
        let pictures = drawn.lock().unwrap().len();
        let stood = drawn.lock().unwrap().last().unwrap().1;
        run.advance_to(Nanos::from_secs(60)).unwrap();
        assert_eq!(drawn.lock().unwrap().len(), pictures, "{}", handoff.name());
        for step in 1..=10 {
            run.control(Control::StepTick).unwrap();
            let x = drawn.lock().unwrap().last().unwrap().1;
            let expected = stood + f64::from(step) * 0.02;
            assert!((x - expected).abs() < 1e-6, "{}: {x} after step {step}, not {expected}", handoff.name());
        }
        assert_eq!(drawn.lock().unwrap().len(), pictures + 10);
        assert!(run.drain_frames().all(|frame| frame.conserved()));
        let counts = run.counts();
        // It was paused at the very time of a tick: in the free handoff its motion begins a millisecond later.
        let pending = u64::from(handoff == Free);
        assert_eq!((counts.pending, counts.in_flight, counts.dropped), (pending, 0, 0), "{counts:?}");
        run.finish();
        assert_eq!(run.counts().pending, 0, "{}: the newest is drawn at the end", handoff.name());
    }
}

#[test]
fn stepping_stages_publishes_in_the_fifth_in_each_handoff() {
    for handoff in HandoffMode::ALL {
        let (mut run, _) = standing_run(handoff);
        run.advance_to(Nanos::from_millis(100)).unwrap();
        for press in 1..=12 {
            run.control(Control::StepStage).unwrap();
            let expected = if press % 6 == 0 { RunState::Paused } else { run.state() };
            assert_eq!(run.state(), expected);
        }
        let frames: Vec<_> = run.drain_frames().collect();
        let newest = frames.last().unwrap();
        assert_eq!((newest.kind, newest.handoff.published), (FrameKind::SteppedFrame, newest.frame.0));
        assert!(newest.conserved());
        // An open frame that is stopped is discarded, unpublished.
        for _ in 0..3 {
            run.control(Control::StepStage).unwrap();
        }
        run.control(Control::Stop).unwrap();
        run.finish();
        assert_eq!(run.counts().published, newest.frame.0, "{}", handoff.name());
    }
}

#[test]
fn the_buffer_of_a_stage_by_stage_frame_is_one_of_those_of_the_handoff_it_takes() {
    let (mut run, _drawn) = standing_run(Slot);
    for (handoff, buffers) in [(Free, 6), (Lockstep, 2), (Slot, 3)] {
        run.control(Control::SetHandoff(handoff)).unwrap();
        (0..3).for_each(|_| run.control(Control::StepStage).unwrap());
        let record = *run.sim().core().record();
        assert_eq!(record.snapshot_buffers(), buffers, "{}", handoff.name());
        assert!(record.figures.snapshot_buffer < buffers, "{record:?}");
        run.control(Control::StepFrame).unwrap();
    }
}

#[test]
fn the_handoff_changes_before_the_next_frame_and_nothing_is_lost() {
    let (mut run, drawn) = standing_run(Slot);
    let mut second = 0;
    for handoff in [Lockstep, Free, Slot, Free, Lockstep, Slot] {
        second += 1;
        run.control(Control::SetHandoff(handoff)).unwrap();
        run.advance_to(Nanos::from_secs(second)).unwrap();
        let frames: Vec<_> = run.drain_frames().collect();
        let changed = frames.iter().position(|frame| frame.settings_changed).unwrap();
        assert!(frames.iter().all(FrameRecord::conserved));
        assert!(frames[changed..].iter().all(|frame| frame.handoff.mode == handoff), "{}", handoff.name());
        let per_second = if handoff == Free { 50 } else { 60 };
        assert!((per_second - 1..=per_second + 1).contains(&(frames.len() as i32)), "{}", frames.len());
    }
    run.finish();
    let counts = run.counts();
    assert!(counts.balanced() && counts.abandoned == 0, "{counts:?}");
    assert_eq!(counts.pending + counts.in_flight, 0);
    assert_eq!(run.sim().core().tick(), Tick(300));
    assert!(
        drawn.lock().unwrap().windows(2).all(|pair| pair[1].1 >= pair[0].1 - 0.021),
        "no tick is drawn twice over"
    );
}

#[test]
fn a_change_of_handoff_waits_for_an_open_frame() {
    let (mut run, _) = standing_run(Slot);
    run.advance_to(Nanos::from_millis(100)).unwrap();
    for _ in 0..4 {
        run.control(Control::StepStage).unwrap();
    }
    run.control(Control::SetHandoff(Lockstep)).unwrap();
    assert!(run.sim().settings_wait());
    assert_eq!(run.sim().core().producer().mode(), Slot);
    run.control(Control::StepFrame).unwrap();
    let frames: Vec<_> = run.drain_frames().collect();
    assert_eq!(frames.last().unwrap().handoff.mode, Slot);
    run.control(Control::StepFrame).unwrap();
    let frames: Vec<_> = run.drain_frames().collect();
    assert_eq!((frames[0].handoff.mode, frames[0].settings_changed), (Lockstep, true));
    assert!(frames[0].conserved());
}

/// Draws two frames, and no third.
struct Breaks(u32);

impl Renderer<Snapshot> for Breaks {
    fn batch(&mut self, _: &FrameDescriptor, _: &Snapshot) -> Result<BatchFigures, RenderError> {
        self.0 += 1;
        assert!(self.0 < 3, "out of paint");
        Ok(BatchFigures::default())
    }

    fn submit(&mut self, _: &FrameDescriptor, _: &Snapshot) -> Result<(), RenderError> {
        Ok(())
    }
}

#[test]
fn a_renderer_that_panics_ends_the_run_in_each_handoff_and_keeps_nobody_waiting() {
    for handoff in HandoffMode::ALL {
        let mut run = VirtualRun::new(
            &scene(Load::default()),
            &settings(handoff, "60", "60"),
            Box::new(Breaks(0)),
            VirtualOptions::default(),
        )
        .unwrap();
        let failure = (0..20).find_map(|_| run.next_frame().err()).expect("the run fails");
        assert_eq!(failure.thread, "render", "{}", handoff.name());
        assert!(failure.message.contains("out of paint"), "{}", failure.message);
        run.abandon();
        let counts = run.counts();
        assert!(counts.balanced() && counts.pending == 0 && counts.in_flight == 0, "{counts:?}");
        // In the free handoff the second picture shows the first frame again.
        assert_eq!(counts.rendered, if handoff == Free { 1 } else { 2 });
    }
}

#[test]
fn the_same_run_is_the_same_each_time_in_each_handoff() {
    for handoff in HandoffMode::ALL {
        let one = || {
            let ran = ran(&settings(handoff, "512", "59.94"), 1, 11, Load::default());
            (ran.frames, ran.pictures, ran.drawn)
        };
        assert!(one() == one(), "{}", handoff.name());
    }
}

#[test]
fn a_picture_of_the_free_handoff_names_the_newer_of_the_two_ticks_it_blends() {
    let ran = ran(&settings(Free, "10", "60"), 1, 0, Load::default());
    // Six pictures to a tick, the first of each no repetition.
    let of_tick_5: Vec<_> = ran.pictures.iter().filter(|picture| picture.frame == FrameIndex(6)).collect();
    assert_eq!(of_tick_5.len(), 6);
    assert_eq!(of_tick_5.iter().filter(|picture| picture.again).count(), 5);
    // Tick 5 comes at 500 ms; its motion, from 400 to 500 ms of simulated time, is drawn a millisecond after that.
    assert_eq!(of_tick_5[0].shown_time.0 / 1_000_000, 415);
    assert_eq!(ran.counts.rendered, ran.counts.published, "each of ten ticks is drawn");
}

#[test]
fn the_picture_that_empties_the_ring_at_the_end_says_that_it_ends_a_motion_and_no_other_does() {
    for (ticks, frames) in [("512", "60"), ("60", "144")] {
        let ran = ran(&settings(Free, ticks, frames), 1, 0, Load::default());
        let ends: Vec<usize> =
            ran.pictures.iter().enumerate().filter(|(_, it)| it.ends).map(|(at, _)| at).collect();
        assert_eq!(ends, [ran.pictures.len() - 1], "{ticks} on {frames}");
    }
    for handoff in [Slot, Lockstep] {
        let ran = ran(&settings(handoff, "512", "60"), 1, 0, Load::default());
        assert!(ran.pictures.iter().all(|picture| !picture.ends));
    }
}

#[test]
fn a_shift_moves_the_clock_that_paces_the_pictures_and_no_other() {
    for handoff in HandoffMode::ALL {
        let (mut run, drawn) = standing_run(handoff);
        run.advance_to(Nanos::from_millis(200)).unwrap();
        run.drain_frames();
        run.control(Control::ShiftGrid(Nanos(50_000))).unwrap();
        run.advance_to(Nanos::from_millis(400)).unwrap();
        // Points of a grid of 60 Hz that begins at 0, and of one of 50.
        let off = |time: Nanos, rate: Rate| {
            (0..30).map(|n| (time - rate.time_of(n)).0).find(|off| off.abs() < 1_000_000)
        };
        let last_picture = drawn.lock().unwrap().last().unwrap().0;
        assert_eq!(off(last_picture, Rate::HZ_60), Some(50_000), "{}", handoff.name());
        let last_frame = run.drain_frames().next_back().unwrap().render_time;
        let expected = if handoff == Free { 0 } else { 50_000 };
        let rate = if handoff == Free { rate("50") } else { Rate::HZ_60 };
        assert_eq!(off(last_frame, rate), Some(expected), "{}", handoff.name());
    }
}

#[test]
fn a_frame_waited_for_is_taken_in_no_time_and_one_that_came_meanwhile_was_not_waited_for() {
    let of = |handoff, cost| -> Vec<Option<Nanos>> {
        let ran = ran(&settings(handoff, "60", "60"), 1, cost, Load::default());
        ran.pictures[1..20].iter().map(|picture| picture.wake_delay).collect()
    };
    for handoff in HandoffMode::ALL {
        assert_eq!(of(handoff, 4), [Some(Nanos::ZERO); 19], "{}", handoff.name());
        assert_eq!(of(handoff, 40), [None; 19], "{}", handoff.name());
    }
}
