//! What the runtime records below its stages, and that recording it changes nothing.

use framewalk_runtime::frame::record::FrameRecord;
use framewalk_runtime::frame::zones::{Recording, ZoneReceiver, switch, zone, zone_ring};
use framewalk_runtime::render::NullRenderer;
use framewalk_runtime::scene::format::parse_scene;
use framewalk_runtime::sim::RunSettings;
use framewalk_runtime::sim::virtual_time::{VirtualOptions, VirtualRun};
use framewalk_runtime::time::Rate;

const SCENE: &str = r#"(
    format: 1,
    entities: [(id: 1, name: "Mover", motion: Steady(velocity: (1, 0, 0)))],
)"#;

/// 120 ticks a second, 60 frames.
fn run() -> VirtualRun {
    let settings = RunSettings { tick_rate: Rate::hz(120).expect("a rate"), ..RunSettings::default() };
    let mut run = VirtualRun::new(
        &parse_scene(SCENE).expect("a scene"),
        &settings,
        Box::new(NullRenderer::new()),
        VirtualOptions::default(),
    )
    .expect("it can be run");
    run.sim_mut().core_mut().set_app_update(Box::new(|_, _, _| {
        zone!("a game's own");
    }));
    run
}

fn frames(run: &mut VirtualRun, count: u32) -> Vec<FrameRecord> {
    (0..count).for_each(|_| _ = run.next_frame().expect("nothing fails in it"));
    run.drain_frames().collect()
}

fn names(receiver: &mut ZoneReceiver) -> Vec<(&'static str, u32)> {
    let mut names = Vec::new();
    receiver.drain(|zone| names.push((zone.name, zone.depth)));
    names
}

#[test]
fn every_tick_and_a_games_own_code_leave_zones_and_no_frame_is_another_for_it() {
    let mut unlooked = run();
    let without = frames(&mut unlooked, 5);

    let (sender, mut receiver) = zone_ring(256);
    sender.record_this_thread();
    let mut looked = run();
    let mut with = frames(&mut looked, 4);
    names(&mut receiver);
    with.extend(frames(&mut looked, 1));
    let tick = [("physics", 1), ("roll poses", 1), ("tick", 0)];
    let expected = [
        &[("a game's own", 1), ("app_update", 0)][..],
        &tick,
        &tick,
        &[("scene_view", 0), ("rendering", 0), ("census", 0)],
    ]
    .concat();
    assert_eq!(names(&mut receiver), expected);

    // The same to the bit, and the same simulated state.
    assert_eq!(without, with);
    assert_eq!(unlooked.sim().core().world().state_hash(), looked.sim().core().world().state_hash());

    switch(Recording::Off);
    frames(&mut looked, 3);
    assert_eq!(names(&mut receiver), []);
    switch(Recording::On);
    frames(&mut looked, 1);
    assert_eq!(names(&mut receiver), expected);
    assert_eq!(receiver.lost(), 0);
}
