use std::time::Duration;

use framewalk_runtime::frame::sounds::{CUE_CAPACITY, Soundscape, sounds};
use framewalk_runtime::render::NullRenderer;
use framewalk_runtime::scene::format::parse_scene;
use framewalk_runtime::scene::{EntityId, Pose, Sound};
use framewalk_runtime::sim::virtual_time::{VirtualOptions, VirtualRun};
use framewalk_runtime::sim::{Control, RunSettings};
use framewalk_runtime::time::{FrameIndex, Nanos, Rate, Tick};
use framewalk_runtime::world::SoundCue;
use glam::Vec3;

use super::Audio;
use super::mixer::{MOST_VOICES, Mixer};
use super::recorded::Recorded;

const NOTHING: [&str; 0] = [];

fn cue(entity: u64, seconds: f32, place: Vec3) -> SoundCue {
    let sound = Sound { seconds, volume: 1.0, max_distance: 20.0, ..Sound::default() };
    SoundCue { tick: Tick(1), entity: EntityId(entity), sound, strength: 1.0, place }
}

/// Heard from the origin.
fn scape(places: &[(u64, Vec3)]) -> Soundscape {
    let places = places.iter().map(|(entity, place)| (EntityId(*entity), *place)).collect();
    Soundscape { frame: FrameIndex(1), listener: Some(Pose::default()), places }
}

fn millis(millis: i64) -> Nanos {
    Nanos::from_millis(millis)
}

#[test]
fn a_cue_starts_a_sound_that_ends_when_it_is_over() {
    let (mut mixer, mut output) = (Mixer::default(), Recorded::default());
    let place = Vec3::X * 10.0;
    mixer.update(millis(4), &[cue(7, 0.01, place)], &scape(&[(7, place)]), &mut output);
    assert_eq!(output.take(), ["7 starts 440 Hz 0.250 at 1.00"]);
    for _ in 0..2 {
        mixer.update(millis(4), &[], &scape(&[(7, place)]), &mut output);
        assert_eq!(output.take(), NOTHING);
    }
    mixer.update(millis(4), &[], &scape(&[(7, place)]), &mut output);
    assert_eq!(output.take(), ["7 stops"]);
    assert_eq!(mixer.started(), 1);
}

#[test]
fn a_weak_contact_is_not_as_loud_as_a_strong_one() {
    let (mut mixer, mut output) = (Mixer::default(), Recorded::default());
    let weak = SoundCue { strength: 0.25, ..cue(7, 1.0, Vec3::ZERO) };
    mixer.update(millis(4), &[weak, cue(8, 1.0, Vec3::ZERO)], &scape(&[]), &mut output);
    assert_eq!(output.take(), ["7 starts 440 Hz 0.250 at 0.00", "8 starts 440 Hz 1.000 at 0.00"]);
}

#[test]
fn a_sound_is_heard_from_where_its_entity_is_now_and_small_changes_are_told_together() {
    let (mut mixer, mut output) = (Mixer::default(), Recorded::default());
    let at = |x: f32| scape(&[(7, Vec3::X * x)]);
    mixer.update(millis(4), &[cue(7, 1.0, Vec3::ZERO)], &at(10.0), &mut output);
    assert_eq!(output.take(), ["7 starts 440 Hz 0.250 at 1.00"]);
    mixer.update(millis(4), &[], &at(5.0), &mut output);
    assert_eq!(output.take(), ["7 is 0.562 at 1.00"]);
    mixer.update(millis(4), &[], &at(4.995), &mut output);
    assert_eq!(output.take(), NOTHING);
    mixer.update(millis(4), &[], &at(4.985), &mut output);
    assert_eq!(output.take(), ["7 is 0.564 at 1.00"]);
    // Gone: what it has begun ends where it was last.
    mixer.update(millis(4), &[], &scape(&[]), &mut output);
    assert_eq!(output.take(), NOTHING);
}

#[test]
fn a_sound_without_an_end_sounds_until_its_entity_is_gone() {
    let (mut mixer, mut output) = (Mixer::default(), Recorded::default());
    // The cue may come before the frame in which the entity is there.
    mixer.update(millis(4), &[cue(7, 0.0, Vec3::ZERO)], &scape(&[]), &mut output);
    mixer.update(millis(4), &[], &scape(&[]), &mut output);
    mixer.update(millis(100_000), &[], &scape(&[(7, Vec3::ZERO)]), &mut output);
    assert_eq!(output.take(), ["7 starts 440 Hz 1.000 at 0.00"]);
    mixer.update(millis(4), &[], &scape(&[]), &mut output);
    assert_eq!(output.take(), ["7 stops"]);
}

#[test]
fn an_entity_has_one_voice_and_the_oldest_gives_way_where_there_are_too_many() {
    let (mut mixer, mut output) = (Mixer::default(), Recorded::default());
    let cues: Vec<SoundCue> = (1..=MOST_VOICES as u64).map(|id| cue(id, 1.0, Vec3::ZERO)).collect();
    mixer.update(millis(4), &cues, &scape(&[]), &mut output);
    output.take();
    mixer.update(millis(4), &[cue(1, 1.0, Vec3::ZERO)], &scape(&[]), &mut output);
    assert_eq!(output.take(), ["1 starts 440 Hz 1.000 at 0.00"]);
    mixer.update(millis(4), &[cue(99, 1.0, Vec3::ZERO)], &scape(&[]), &mut output);
    assert_eq!(output.take(), ["2 stops", "99 starts 440 Hz 1.000 at 0.00"]);
    assert_eq!(mixer.started(), MOST_VOICES as u64 + 2);
}

#[test]
fn what_is_held_neither_passes_nor_ends() {
    let (mut mixer, mut output) = (Mixer::default(), Recorded::default());
    mixer.update(millis(4), &[cue(7, 0.01, Vec3::ZERO)], &scape(&[]), &mut output);
    output.take();
    mixer.hold(true, &mut output);
    mixer.hold(true, &mut output);
    mixer.update(millis(10_000), &[], &scape(&[]), &mut output);
    assert_eq!(output.take(), ["held"]);
    mixer.hold(false, &mut output);
    mixer.update(millis(8), &[], &scape(&[]), &mut output);
    assert_eq!(output.take(), ["goes on"]);
    mixer.update(millis(4), &[], &scape(&[]), &mut output);
    assert_eq!(output.take(), ["7 stops"]);
}

#[test]
fn at_the_end_everything_stops_and_nothing_is_held() {
    let (mut mixer, mut output) = (Mixer::default(), Recorded::default());
    mixer.update(millis(4), &[cue(7, 0.0, Vec3::ZERO)], &scape(&[]), &mut output);
    mixer.hold(true, &mut output);
    output.take();
    mixer.end(&mut output);
    assert_eq!(output.take(), ["7 stops", "goes on"]);
}

/// A run at 60 ticks a second in which entity 3 sounds every 45 of them: a twentieth of a second each time.
fn blinker() -> (VirtualRun, Audio, Recorded) {
    let scene = parse_scene(
        "(format: 1, entities: [(id: 3, name: \"Blinker\", teleporter: (every_ticks: 45, poses: [(position: (3, 0, 0)), \
         (position: (0, 4, 0))]), sound: (when: Teleport, seconds: 0.05))])",
    );
    let (scene, settings) = (scene.expect("a scene"), RunSettings::default());
    let mut run =
        VirtualRun::new(&scene, &settings, Box::new(NullRenderer::new()), VirtualOptions::default())
            .expect("it runs");
    let (sender, receiver) = sounds(CUE_CAPACITY);
    run.sim_mut().core_mut().set_sounds(sender);
    let output = Recorded::default();
    (run, Audio::new(Box::new(output.clone()), receiver, Nanos::ZERO, Rate::HZ_250), output)
}

/// At which milliseconds of the first two and a half seconds a tone is handed over, where there is a look each so many.
fn handed_over(look_each: usize) -> Vec<i64> {
    let (mut run, mut audio, output) = blinker();
    let mut starts = Vec::new();
    for at in (0..2_500).step_by(look_each) {
        run.advance_to(millis(at)).expect("nothing fails in it");
        audio.update_if_due(millis(at));
        if output.take().iter().any(|line| line.starts_with("3 starts")) {
            starts.push(at);
        }
    }
    starts
}

#[test]
fn a_tone_is_handed_over_at_the_next_look_after_its_tick_however_seldom_passes_are() {
    // Its ticks are at 750, 1500 and 2250 ms.
    assert_eq!(handed_over(1), [752, 1_500, 2_252]);
    // As it was while each pass looked, twelve times a second.
    assert_eq!(handed_over(83), [830, 1_577, 2_324]);
}

#[test]
fn nothing_is_due_while_a_run_stands_and_what_sounds_goes_on_from_where_it_stood() {
    let (mut run, mut audio, output) = blinker();
    for at in (0..=760).step_by(4) {
        run.advance_to(millis(at)).expect("nothing fails in it");
        audio.update_if_due(millis(at));
    }
    assert_eq!(output.take().len(), 1);
    assert_eq!(audio.wait(millis(761)), Duration::from_millis(3));
    run.control(Control::Pause).expect("it stands");
    audio.hold(true, millis(761));
    audio.hold(true, millis(762));
    assert_eq!((output.take(), audio.wait(millis(762))), (vec!["held".to_owned()], Duration::MAX));
    audio.update_if_due(millis(60_000));
    assert_eq!(output.take(), NOTHING);
    for _ in 0..45 {
        run.control(Control::StepTick).expect("it is stepped");
    }
    audio.look();
    assert!(output.take()[0].starts_with("3 starts"), "what a step makes sound is taken meanwhile");
    audio.hold(false, millis(60_001));
    assert_eq!(output.take(), ["goes on"]);
    for at in 60_001..60_040 {
        audio.update_if_due(millis(at));
    }
    let figures = audio.figures();
    assert_eq!((figures.missed, figures.late.summary().map(|late| late.max)), (0, Some(Nanos::ZERO)));
}
