//! Poses that are functions of simulated time: computed from it whole, in `f64`, and rounded once.

use crate::scene::{Motion, Pose};
use glam::{DQuat, DVec3, Vec3};

/// What a motion starts from; the pose at time 0, or, after a pose set by hand, the one that leads through it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Base {
    pub position: DVec3,
    pub rotation: DQuat,
    pub scale: Vec3,
}

impl Base {
    #[must_use]
    pub fn of(pose: &Pose) -> Self {
        Self { position: pose.position.as_dvec3(), rotation: pose.rotation.as_dquat(), scale: pose.scale }
    }
}

/// The pose at `seconds` of simulated time.
#[must_use]
pub fn pose_at(motion: &Motion, base: &Base, seconds: f64) -> Pose {
    let (mut position, mut rotation) = (base.position, base.rotation);
    match motion {
        Motion::Steady { velocity } => position += velocity.as_dvec3() * seconds,
        // About the entity's own axis, so after (inside) its rotation.
        Motion::Spin { axis, degrees_per_second } => {
            rotation = (rotation * turn(*axis, *degrees_per_second, seconds)).normalize();
        }
        Motion::Orbit { center, axis, degrees_per_second } => {
            let center = center.as_dvec3();
            position = center + turn(*axis, *degrees_per_second, seconds) * (position - center);
        }
        Motion::Oscillate { amplitude, period, phase } => {
            position += oscillation(*amplitude, *period, *phase, seconds);
        }
    }
    Pose { position: position.as_vec3(), rotation: rotation.as_quat(), scale: base.scale }
}

/// The base whose pose at `seconds` is `pose`.
#[must_use]
pub fn base_through(motion: &Motion, pose: &Pose, seconds: f64) -> Base {
    let mut base = Base::of(pose);
    match motion {
        Motion::Steady { velocity } => base.position -= velocity.as_dvec3() * seconds,
        Motion::Spin { axis, degrees_per_second } => {
            base.rotation *= turn(*axis, *degrees_per_second, seconds).conjugate();
        }
        Motion::Orbit { center, axis, degrees_per_second } => {
            let center = center.as_dvec3();
            let back = turn(*axis, *degrees_per_second, seconds).conjugate();
            base.position = center + back * (base.position - center);
        }
        Motion::Oscillate { amplitude, period, phase } => {
            base.position -= oscillation(*amplitude, *period, *phase, seconds);
        }
    }
    base
}

/// The rotation after `seconds`; whole turns are taken off before the sine, so it is as good after hours.
fn turn(axis: Vec3, degrees_per_second: f32, seconds: f64) -> DQuat {
    let degrees = (f64::from(degrees_per_second) * seconds) % 360.0;
    let axis = axis.as_dvec3().normalize_or(DVec3::Y);
    // `libm`, not the machine's own sine: state hashes are to agree between machines.
    let (sin, cos) = libm::sincos(degrees.to_radians() / 2.0);
    DQuat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos)
}

fn oscillation(amplitude: Vec3, period: f32, phase: f32, seconds: f64) -> DVec3 {
    let turns = (seconds / f64::from(period) + f64::from(phase)) % 1.0;
    amplitude.as_dvec3() * libm::sin(turns * std::f64::consts::TAU)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;

    fn at(motion: Motion, seconds: f64) -> Pose {
        pose_at(&motion, &Base::of(&Pose::default()), seconds)
    }

    #[test]
    fn steady_motion_is_velocity_times_time_rounded_once() {
        let steady = Motion::Steady { velocity: Vec3::X };
        for (seconds, x) in [(0.0, 0.0_f32), (0.1, 0.1), (1.0 / 3.0, 1.0 / 3.0), (36_000.1, 36_000.1)] {
            assert_eq!(at(steady, seconds).position, Vec3::new(x, 0.0, 0.0), "{seconds} s");
        }
    }

    #[test]
    fn a_spin_is_as_good_after_a_thousand_hours() {
        let spin = Motion::Spin { axis: Vec3::Y, degrees_per_second: 90.0 };
        let (early, late) = (at(spin, 1.0).rotation, at(spin, 3_600_001.0).rotation);
        let quarter = Quat::from_xyzw(0.0, 0.5_f32.sqrt(), 0.0, 0.5_f32.sqrt());
        assert!(early.dot(quarter) > 1.0 - 1e-6, "{early}");
        assert!(late.dot(early).abs() > 1.0 - 1e-6, "{late}");
    }

    #[test]
    fn an_orbit_goes_round_its_center_and_keeps_its_rotation() {
        let orbit = Motion::Orbit { center: Vec3::X, axis: Vec3::Y, degrees_per_second: 180.0 };
        let half = at(orbit, 1.0);
        assert!(half.position.abs_diff_eq(Vec3::new(2.0, 0.0, 0.0), 1e-6), "{half:?}");
        assert_eq!(half.rotation, Quat::IDENTITY);
    }

    #[test]
    fn an_oscillation_follows_its_sine() {
        let swing = Motion::Oscillate { amplitude: Vec3::new(0.0, 2.0, 0.0), period: 4.0, phase: 0.0 };
        for (seconds, y) in [(0.0, 0.0), (1.0, 2.0), (2.0, 0.0), (3.0, -2.0), (4001.0, 2.0)] {
            assert!((at(swing, seconds).position.y - y).abs() < 1e-6, "{seconds} s");
        }
    }

    #[test]
    fn a_base_leads_through_the_pose_it_was_made_for() {
        let pose = Pose {
            position: Vec3::new(3.0, -2.0, 5.0),
            rotation: Quat::from_rotation_x(1.0),
            scale: Vec3::splat(2.0),
        };
        let motions = [
            Motion::Steady { velocity: Vec3::new(1.0, 2.0, 3.0) },
            Motion::Spin { axis: Vec3::new(1.0, 1.0, 0.0), degrees_per_second: 77.0 },
            Motion::Orbit { center: Vec3::ONE, axis: Vec3::Z, degrees_per_second: -40.0 },
            Motion::Oscillate { amplitude: Vec3::Y, period: 3.0, phase: 0.3 },
        ];
        for motion in motions {
            let again = pose_at(&motion, &base_through(&motion, &pose, 12.34), 12.34);
            assert!(again.position.abs_diff_eq(pose.position, 1e-5), "{motion:?}: {again:?}");
            assert!(again.rotation.dot(pose.rotation) > 1.0 - 1e-6, "{motion:?}: {again:?}");
            assert_eq!(again.scale, pose.scale);
        }
    }
}
