use framewalk_runtime::frame::sounds::Soundscape;
use framewalk_runtime::scene::{EntityId, Pose, Sound};
use framewalk_runtime::time::{FrameIndex, Nanos, Tick};
use framewalk_runtime::world::SoundCue;
use glam::Vec3;

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
