//! Steady motion is steady at every frame rate.

use crate::support::{instant, sample};

#[test]
fn the_mover_of_judder_lab_is_drawn_at_its_own_speed_at_every_rate() {
    for tick_rate in [10_u32, 60, 64] {
        for frame_rate in [25, 30, 50, 60, 72, 75, 90, 120, 144, 165, 200, 240] {
            let arguments =
                format!("--seconds 3 --tick-rate {tick_rate} --frame-rate {frame_rate} --probe Mover");
            let ran = instant(&sample("judder-lab"), &arguments);
            let (tick, alpha) = (ran.csv.integers("tick"), ran.csv.floats("alpha"));
            let (x, time) = (ran.csv.floats("Mover.px"), ran.csv.integers("render_time_ns"));
            assert_eq!(x.len(), 3 * frame_rate + 1);
            for frame in 0..x.len() {
                let ticks = (tick[frame] as f64 - 1.0 + alpha[frame]).max(0.0);
                let expected = if tick[frame] == 0 { 0.0 } else { ticks / f64::from(tick_rate) };
                let place = format!("{tick_rate} Hz ticks, {frame_rate} Hz frames, frame {}", frame + 1);
                assert!(
                    (x[frame] - expected).abs() < 5e-7,
                    "{place}: drawn at {}, right is {expected}",
                    x[frame]
                );
                if frame > 0 && tick[frame - 1] >= 1 {
                    let speed = (x[frame] - x[frame - 1]) / ((time[frame] - time[frame - 1]) as f64 / 1e9);
                    assert!((speed - 1.0).abs() < 2e-4, "{place}: drawn speed {speed}");
                }
            }
        }
    }
}

#[test]
fn a_following_camera_is_probed_where_it_looks_from() {
    let ran = instant(&sample("judder-lab"), "--seconds 1 --probe Mover --probe Camera");
    let (mover, camera) = (ran.csv.floats("Mover.px"), ran.csv.floats("Camera.px"));
    // judder-lab's camera stands 1.6 m beside the Mover, wherever that is drawn.
    assert!(
        mover.iter().zip(&camera).all(|(mover, camera)| (camera - mover - 1.6).abs() < 1e-6),
        "{camera:?}"
    );
    for column in ["Mover.qx", "Mover.qy", "Mover.qz", "Camera.px"] {
        assert!(!ran.csv.texts(column).contains(&"-0"), "{column}: a zero has no sign");
    }
}
