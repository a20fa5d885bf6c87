//! How loud a sound is, and from which side it comes, by where it is and where it is heard from.

use framewalk_runtime::scene::Pose;
use glam::Vec3;

/// As it reaches the ears.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Level {
    /// Amplitude, 0–1.
    pub gain: f32,
    /// From −1, left, to 1, right.
    pub pan: f32,
}

/// Nearer than this, m, a sound moves to the middle: nothing jumps from one ear to the other.
const BESIDE: f32 = 1.0;

/// The level of a sound of this volume: full at the listener, falling with the square of what is left of the way to
/// `max_distance`, and nothing from there on. Without a listener it is heard as it is.
#[must_use]
pub fn level(volume: f32, max_distance: f32, listener: Option<&Pose>, place: Vec3) -> Level {
    let Some(listener) = listener else { return Level { gain: volume, pan: 0.0 } };
    // What a listener sees to the right is along its +x.
    let heard = listener.rotation.inverse() * (place - listener.position);
    let distance = heard.length();
    if !distance.is_finite() {
        return Level::default();
    }
    let left = (1.0 - distance / max_distance).max(0.0);
    let pan = (heard.x / distance.max(BESIDE)).clamp(-1.0, 1.0);
    Level { gain: volume * left * left, pan }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;

    #[test]
    fn a_sound_is_as_loud_as_it_is_near_and_comes_from_its_side() {
        let listener = Pose { position: Vec3::new(0.0, 2.0, 10.0), ..Pose::default() };
        for (place, gain, pan) in [
            ((0.0, 2.0, 10.0), 0.8, 0.0),
            ((0.0, 2.0, 0.0), 0.2, 0.0),
            ((10.0, 2.0, 10.0), 0.2, 1.0),
            ((-10.0, 2.0, 10.0), 0.2, -1.0),
            ((-3.0, 2.0, 6.0), 0.45, -0.6),
            ((0.5, 2.0, 10.0), 0.760_5, 0.5),
            ((0.0, 22.0, 10.0), 0.0, 0.0),
            ((90.0, 2.0, 10.0), 0.0, 1.0),
        ] {
            let found = level(0.8, 20.0, Some(&listener), Vec3::from(place));
            assert!(
                (found.gain - gain).abs() < 1e-6 && (found.pan - pan).abs() < 1e-6,
                "{place:?}: {found:?}"
            );
        }
    }

    #[test]
    fn who_turns_round_hears_it_from_the_other_side() {
        let turned = Pose { rotation: Quat::from_rotation_y(std::f32::consts::PI), ..Pose::default() };
        assert!((level(1.0, 20.0, Some(&turned), Vec3::X * 4.0).pan + 1.0).abs() < 1e-6);
    }

    #[test]
    fn without_a_listener_it_is_as_loud_as_it_is_and_in_the_middle() {
        assert_eq!(level(0.3, 20.0, None, Vec3::X * 1e6), Level { gain: 0.3, pan: 0.0 });
    }

    #[test]
    fn what_is_nowhere_is_not_heard() {
        assert_eq!(level(1.0, 20.0, Some(&Pose::default()), Vec3::splat(f32::NAN)), Level::default());
    }
}
