//! Faults that other engines had, as inputs; what is right stands in each test's name.

use crate::support::{Ran, TestProject};

fn replay(deltas: &str, arguments: &str) -> Ran {
    let project = TestProject::mover();
    let file = project.write("deltas.txt", deltas);
    project.instant(&format!("--probe Mover --cadence {} {arguments}", file.display()))
}

#[test]
fn eight_hours_in_one_delta_run_five_ticks_and_no_fast_forward() {
    let ran = replay("16666667\n28800s\n16666667\n16666667\n", "");
    assert_eq!(ran.csv.integers("ticks"), [0, 1, 5, 1, 1]);
    assert_eq!(ran.number("capped_ticks"), 10);
    assert_eq!(ran.number("clamped_nanos"), 28_800_000_000_000 - 250_000_000);
    assert_eq!(ran.report["conserved"], true);
}

#[test]
fn a_hundred_stalls_log_at_most_one_line_a_second() {
    let ran = replay(&"300ms\n".repeat(100), "");
    assert_eq!(ran.number("ticks"), 500);
    assert_eq!((ran.number("capped_ticks"), ran.number("clamped_nanos")), (1000, 100 * 50_000_000));
    let lines = ran.stderr.lines().filter(|line| !line.contains("thread_")).count();
    assert!((1..=31).contains(&lines), "{lines} lines: {}", ran.stderr);
}

#[test]
fn an_uneven_cadence_has_a_frame_without_a_tick_and_moves_with_the_time() {
    let ran = replay("16.6ms\n16.6ms\n2.6ms\n17.4ms\n16.6ms\n", "");
    assert_eq!(ran.csv.integers("ticks"), [0, 0, 1, 1, 1, 1]);
    let (x, delta) = (ran.csv.floats("Mover.px"), ran.csv.integers("delta_ns"));
    for frame in 3..x.len() {
        let speed = (x[frame] - x[frame - 1]) / (delta[frame] as f64 / 1e9);
        assert!((speed - 1.0).abs() < 2e-4, "frame {}: {speed}", frame + 1);
    }
}

#[test]
fn fast_ticks_on_a_slow_grid_do_not_collapse_and_caps_are_counted() {
    let project = TestProject::mover();
    for (rate, ticks) in [("500", 5_000), ("1000", 10_000)] {
        let ran = project.instant(&format!("--tick-rate {rate} --frame-rate 60"));
        assert_eq!((ran.number("ticks"), ran.number("capped_ticks")), (ticks, 0), "{rate}");
        let ran = project.instant(&format!("--tick-rate {rate} --frame-rate 60 --max-ticks 5"));
        assert_eq!((ran.number("ticks"), ran.number("capped_ticks")), (3_000, ticks - 3_000), "{rate}");
        assert_eq!(ran.report["conserved"], true);
    }
}

#[test]
fn a_tick_that_costs_twice_its_length_is_slow_motion_and_not_a_spiral() {
    let project = TestProject::new("(id: 1, name: \"Heavy\", load: (tick_micros: 33333))");
    let ran = project.instant("--seconds 10");
    assert!((290..=310).contains(&ran.number("ticks")), "{}", ran.report);
    assert!(ran.number("capped_ticks") > 250 && ran.number("late_frames") > 50, "{}", ran.report);
    assert!(ran.csv.integers("ticks").iter().all(|ticks| *ticks <= 5));
    assert_eq!(ran.report["conserved"], true);
}

#[test]
fn sixty_on_sixty_is_never_called_overloaded() {
    let ran = TestProject::mover().instant("--seconds 600");
    assert_eq!((ran.number("frames"), ran.number("ticks")), (36_001, 36_000));
    assert_eq!(ran.number("elapsed_nanos"), 600_000_000_000);
    for field in ["late_frames", "missed_deadlines", "capped_ticks", "clamped_nanos", "dropped"] {
        assert_eq!(ran.number(field), 0, "{field}");
    }
    assert_eq!(ran.csv.integers("ticks")[1..], [1; 36_000]);
    assert_eq!(ran.stderr, "");
}

#[test]
fn time_going_backward_is_a_delta_of_0_and_counted() {
    let ran = replay("16666667\n-1ms\n16666667\n", "");
    assert_eq!(ran.csv.integers("delta_ns"), [0, 16_666_667, 0, 16_666_667]);
    assert_eq!(ran.csv.integers("render_time_ns"), [0, 16_666_667, 16_666_667, 33_333_334]);
    assert_eq!(ran.number("time_reversals"), 1);
    assert_eq!((ran.number("elapsed_nanos"), ran.number("ticks")), (33_333_334, 2));
    assert_eq!(ran.report["conserved"], true);
}

#[test]
fn one_moment_of_start_is_as_good_as_another_and_nothing_moves_backward() {
    // Where the first tick falls between two frames is varied over one tick.
    for phase in (0..25).map(|step| step * 16_666_667 / 25) {
        let deltas = format!("{phase}\n{}", "13888889\n".repeat(100));
        let ran = replay(&deltas, "");
        let x = ran.csv.floats("Mover.px");
        assert!(x.windows(2).all(|pair| pair[1] >= pair[0]), "phase {phase}: {x:?}");
        let (tick, alpha) = (ran.csv.integers("tick"), ran.csv.floats("alpha"));
        for frame in 0..x.len() {
            let expected =
                if tick[frame] == 0 { 0.0 } else { (tick[frame] as f64 - 1.0 + alpha[frame]) / 60.0 };
            assert!((x[frame] - expected).abs() < 1e-6, "phase {phase}, frame {}: {}", frame + 1, x[frame]);
        }
    }
}

#[test]
fn a_parent_that_teleports_takes_its_child_along_in_the_same_frame() {
    let project = TestProject::new(
        "(id: 1, name: \"Parent\", teleporter: (every_ticks: 10, poses: [(position: (1000, 0, 0)), (position: (0, 0, 0))])),
         (id: 2, name: \"Child\", parent: 1, transform: (position: (0, 2, 0)))",
    );
    let ran = project.instant("--seconds 1 --frame-rate 144 --probe Parent --probe Child");
    let (parent, child) = (ran.csv.floats("Parent.px"), ran.csv.floats("Child.px"));
    assert_eq!(parent, child);
    assert!(parent.iter().all(|x| *x == 0.0 || *x == 1000.0), "{parent:?}");
    assert!(parent.contains(&1000.0) && ran.csv.floats("Child.py").iter().all(|y| *y == 2.0));
}

#[test]
fn a_spinner_turns_evenly_through_half_a_turn() {
    let project = TestProject::new(
        "(id: 1, name: \"Spinner\", motion: Spin(axis: (0, 1, 0), degrees_per_second: 300))",
    );
    let ran = project.instant("--seconds 3 --tick-rate 10 --frame-rate 144 --probe Spinner");
    let q = |name: &str| ran.csv.floats(&format!("Spinner.{name}"));
    let (x, y, z, w) = (q("qx"), q("qy"), q("qz"), q("qw"));
    let tick = ran.csv.integers("tick");
    for frame in 0..x.len() {
        let length = (x[frame].powi(2) + y[frame].powi(2) + z[frame].powi(2) + w[frame].powi(2)).sqrt();
        assert!((length - 1.0).abs() < 1e-5, "frame {}: length {length}", frame + 1);
        if frame > 0 && tick[frame - 1] >= 1 {
            let dot = (y[frame] * y[frame - 1] + w[frame] * w[frame - 1]).abs().min(1.0);
            let degrees_per_second = 2.0 * dot.acos().to_degrees() * 144.0;
            // acos near 1 of f32 numbers: half a degree of 2 a frame is far from a stall or a jump.
            assert!((degrees_per_second - 300.0).abs() < 30.0, "frame {}: {degrees_per_second}", frame + 1);
        }
    }
}
