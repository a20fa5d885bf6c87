//! What a script may say, what is refused and where, and when an action is due.

use super::*;

fn faults(text: &str) -> Vec<String> {
    Script::parse(text).unwrap_err().iter().map(ToString::to_string).collect()
}

#[test]
fn every_action_can_be_written() {
    let script = Script::parse(
        r#"[
            // comments and a trailing comma are fine
            (1, play), (2, pause), (2, step_frame), (2, step_tick), (2, step_stage),
            (3, key_down(ArrowRight)), (3, key_up("right")), (3, key_down(PadSouth)), (3, key_up(MouseLeft)),
            (3, tilt(LeftX, -0.5)), (3, tilt("RightTrigger", 1)), (3, pointer(-3, 200)), (3, wheel(-1.5)),
            (4, set_tick_rate(60)), (4, set_tick_rate("59.94")), (4, set_physics_divisor(8)), (4, set_frame_rate(59.94)), (4, set_speed(0.5)),
            (5, set_max_ticks(5)), (5, set_max_ticks(auto)), (5, set_max_delta(250)),
            (5, set_handoff(free)), (6, resume), (7, stop),
        ]"#,
    )
    .unwrap();
    let rate = |text: &str| text.parse::<Rate>().unwrap();
    let right = "ArrowRight".parse::<Key>().unwrap();
    let actions: Vec<Action> = script.entries.iter().map(|(_, action)| *action).collect();
    assert_eq!(
        actions,
        [
            Action::Play,
            Action::Pause,
            Action::StepFrame,
            Action::StepTick,
            Action::StepStage,
            Action::KeyDown(right),
            Action::KeyUp(right),
            Action::KeyDown(Key::PadSouth),
            Action::KeyUp(Key::MouseLeft),
            Action::Tilt(Axis::LeftX, Tilt::new(-0.5)),
            Action::Tilt(Axis::RightTrigger, Tilt::new(1.0)),
            Action::Pointer([-3, 200]),
            Action::Wheel(-1_500),
            Action::SetTickRate(rate("60")),
            Action::SetTickRate(rate("59.94")),
            Action::SetPhysicsDivisor(PhysicsDivisor::new(8).unwrap()),
            Action::SetFrameRate(rate("59.94")),
            Action::SetSpeed("0.5".parse().unwrap()),
            Action::SetMaxTicks(MaxTicks::Fixed(5)),
            Action::SetMaxTicks(MaxTicks::Auto),
            Action::SetMaxDelta(Nanos::from_millis(250)),
            Action::SetHandoff(HandoffMode::Free),
            Action::Play,
            Action::Stop,
        ]
    );
}

#[test]
fn an_empty_list_is_a_script_that_does_nothing() {
    let mut script = Script::parse("[]").unwrap();
    assert_eq!(script.due(1, false), Due::Run);
    assert_eq!(script.due(1, true), Due::End);
}

#[test]
fn every_faulty_entry_is_named_with_line_and_column() {
    let found =
        faults("[\n  (1, pauze),\n  (2, set_tick_rate(0)),\n  (3, key_down(Banana)),\n  (4, play),\n]");
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found[0].starts_with("2:7: ") && found[0].contains("`pause`"), "{}", found[0]);
    assert!(found[1].starts_with("3:21: ") && found[1].contains("1 to 1000 Hz"), "{}", found[1]);
    assert!(found[2].starts_with("4:16: ") && found[2].contains("Banana"), "{}", found[2]);
}

#[test]
fn what_follows_an_action_is_not_called_the_end_of_the_file() {
    assert_eq!(faults("[(1, pause())]"), ["1:11: expected a comma or the closing bracket, found `(`"]);
}

#[test]
fn bad_texts_are_refused_with_a_place_and_no_panic() {
    let deep = "[".repeat(10_000);
    for text in
        ["", "(", "[(1)]", "[(1, )]", "[1]", "{}", "[(-1, play)]", "[(1, play)", "[(1, set_speed)]", &deep]
    {
        let found = faults(text);
        assert!(
            found.iter().all(|fault| fault.split(':').next().unwrap().parse::<u32>().is_ok()),
            "{found:?}"
        );
    }
}

#[test]
fn frames_ascend_from_one_and_nothing_follows_stop() {
    assert!(faults("[(0, play)]")[0].contains("frames count from 1"));
    assert!(faults("[(5, pause), (4, play)]")[0].contains("frame 4 stands after frame 5"));
    assert!(faults("[(5, stop), (6, play)]")[0].contains("nothing happens after `stop`"));
}

#[test]
fn actions_wait_for_their_frame_while_running_and_for_nothing_while_standing() {
    let mut script = Script::parse("[(3, pause), (90, step_tick), (91, play), (91, pause)]").unwrap();
    assert_eq!(script.due(2, false), Due::Run);
    assert_eq!(script.due(3, false), Due::Act(Action::Pause));
    assert_eq!(script.due(3, true), Due::Act(Action::StepTick));
    assert_eq!(script.due(4, true), Due::Act(Action::Play));
    assert_eq!(script.due(4, false), Due::Run);
    assert_eq!(script.due(91, false), Due::Act(Action::Pause));
    assert_eq!(script.due(91, true), Due::End);
}

#[test]
fn limits_are_those_of_a_project_in_the_same_words() {
    for (action, expected) in [
        ("set_max_ticks(0)", "0 is no most number of ticks in a frame: write 1 to 10000, or auto"),
        ("set_max_ticks(10001)", "10001 is no most number of ticks in a frame: write 1 to 10000, or auto"),
        (
            "set_max_ticks(4294967296)",
            "4294967296 is no most number of ticks in a frame: write 1 to 10000, or auto",
        ),
        ("set_max_delta(0)", "0 ms is no longest delta: write a number above 0, at most 60000"),
        ("set_max_delta(60001)", "60001 ms is no longest delta: write a number above 0, at most 60000"),
    ] {
        assert_eq!(
            faults(&format!("[(1, {action})]")),
            [format!("1:{}: {expected}", 7 + action.find('(').unwrap())]
        );
    }
    assert_eq!(
        faults("[(1, set_physics_divisor(65))]"),
        ["1:26: 65 is no number of ticks that a physics step spans: write 1 to 64"]
    );
    assert!(Script::parse("[(1, set_max_ticks(10000)), (1, set_max_delta(60000))]").is_ok());
}
