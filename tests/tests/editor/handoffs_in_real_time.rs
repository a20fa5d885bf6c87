//! The comparison on real threads against the real clock, for some tenths of a second.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use std::time::Duration;

use framewalk::session::compare::{Comparing, Wanted};
use framewalk_runtime::frame::record::HandoffMode;
use framewalk_runtime::sim::RunSettings;

use super::*;

fn wanted(lasting: Nanos) -> Wanted {
    let folder = sample("first-steps");
    let text = std::fs::read_to_string(folder.join("scenes/main.ron")).unwrap();
    let scene = framewalk_runtime::scene::format::parse_scene(&text).unwrap();
    let settings = RunSettings::default();
    Wanted { scene, settings, lasting, drive: Drive::Threads, about: "a test".to_owned() }
}

fn until_over(comparing: &mut Comparing) {
    for _ in 0..600 {
        comparing.poll();
        if !comparing.is_running() {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("the comparison is not over after 30 seconds");
}

#[test]
fn all_three_are_measured_on_real_threads_with_what_they_cost() {
    let mut comparing = Comparing::start(wanted(Nanos::from_millis(800)), || {}).unwrap();
    until_over(&mut comparing);
    let comparison = comparing.comparison();
    assert_eq!(comparison.ended, None);
    let modes: Vec<HandoffMode> = comparison.measured.iter().map(|one| one.mode).collect();
    assert_eq!(modes, HandoffMode::ALL);
    for one in &comparison.measured {
        assert!(one.frames > 10 && one.pictures > 5, "{one:?}");
        assert!(one.tick_to_drawn.is_some() && one.input_to_drawn.is_some(), "{one:?}");
        assert!(one.lasted >= Nanos::from_millis(800), "{one:?}");
        if cfg!(target_os = "linux") {
            assert!(one.cpu.is_some_and(|cpu| cpu.sim > Nanos::ZERO), "{one:?}");
        }
    }
    assert_eq!(comparison.measured[1].counts.dropped, 0, "lockstep drops nothing");
}

#[test]
fn a_cancelled_comparison_says_so_and_its_threads_end() {
    let mut comparing = Comparing::start(wanted(Nanos::from_secs(60)), || {}).unwrap();
    assert!(comparing.is_running());
    std::thread::sleep(Duration::from_millis(200));
    comparing.cancel();
    comparing.poll();
    assert!(!comparing.is_running());
    let ended = comparing.comparison().ended.clone().unwrap();
    assert_eq!(ended, "Cancelled before all three had run.");
}
