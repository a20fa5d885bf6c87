use super::*;

fn samples() -> [(&'static str, &'static str); 8] {
    [
        ("first-steps", include_str!("../../../../projects/first-steps/project.ron")),
        ("judder-lab", include_str!("../../../../projects/judder-lab/project.ron")),
        ("empty", include_str!("../../../../projects/empty/project.ron")),
        ("crowd", include_str!("../../../../projects/crowd/project.ron")),
        ("overload", include_str!("../../../../projects/overload/project.ron")),
        ("pile", include_str!("../../../../projects/pile/project.ron")),
        ("handoffs", include_str!("../../../../projects/handoffs/project.ron")),
        ("high-rate", include_str!("../../../../projects/high-rate/project.ron")),
    ]
}

fn faults(text: &str) -> Vec<String> {
    parse_project(text).err().unwrap_or_default().iter().map(ToString::to_string).collect()
}

#[test]
fn every_sample_is_read_without_a_fault_and_written_as_it_stands() {
    for (name, text) in samples() {
        let project = parse_project(text).unwrap_or_else(|faults| panic!("{name}: {faults:?}"));
        assert_eq!(write_project(&project), text, "{name}");
        assert_eq!(project.limits, Limits::default(), "{name}");
        assert!(project.about.len() > 40 && project.scenes == ["main"], "{name}");
    }
}

#[test]
fn the_judder_lab_ticks_at_ten_hertz() {
    let text = include_str!("../../../../projects/judder-lab/project.ron");
    let project = parse_project(text).expect("a sample");
    assert_eq!(project.tick_rate, Rate::hz(10).expect("a rate"));
}

#[test]
fn rates_are_read_exactly_from_numbers_and_texts() {
    for (written, num, den) in [
        ("60", 60, 1),
        ("\"60\"", 60, 1),
        ("59.94", 2997, 50),
        ("\"59.94\"", 2997, 50),
        ("\"60000/1001\"", 60_000, 1001),
        ("/* PAL */ 50.0", 50, 1),
        ("Some(75)", 75, 1),
    ] {
        let text = format!("(format: 1, name: \"P\", scenes: [\"a\"], tick_rate: {written})");
        let project = parse_project(&text).unwrap_or_else(|faults| panic!("{written}: {faults:?}"));
        assert_eq!(project.tick_rate, Rate::new(num, den).expect("a rate"), "{written}");
        assert_eq!(parse_project(&write_project(&project)), Ok(project), "{written}");
    }
}

#[test]
fn each_handoff_is_read_and_written_by_its_name() {
    for (name, mode) in [
        ("slot", HandoffMode::Slot),
        ("lockstep", HandoffMode::Lockstep),
        ("free", HandoffMode::Free),
        ("\"free\"", HandoffMode::Free),
    ] {
        let text = format!("(format: 1, name: \"P\", scenes: [\"a\"], handoff: {name})");
        let project = parse_project(&text).expect(name);
        assert_eq!(project.handoff, mode);
        assert_eq!(parse_project(&write_project(&project)), Ok(project), "{name}");
    }
}

#[test]
fn what_is_left_out_has_its_default() {
    let project = parse_project("(format: 1, name: \"P\", scenes: [\"b.ron\", \"a\"])").expect("enough said");
    let expected = Project {
        name: "P".to_owned(),
        about: String::new(),
        scenes: vec!["b".to_owned(), "a".to_owned()],
        tick_rate: Rate::HZ_60,
        physics_divisor: PhysicsDivisor::new(1).expect("a divisor"),
        frame_rate: Rate::HZ_60,
        audio_rate: Rate::hz(250).expect("a rate"),
        handoff: HandoffMode::Slot,
        speed: Speed::NORMAL,
        limits: Limits { max_delta: Nanos::from_millis(250), max_ticks: MaxTicks::Auto },
        unknown: Vec::new(),
    };
    assert_eq!(project, expected);
}

#[test]
fn a_physics_step_spans_one_to_sixty_four_ticks() {
    let read = |written: &str| {
        let text = format!("(format: 1, name: \"P\", scenes: [\"a\"], physics_divisor: {written})");
        (parse_project(&text), text)
    };
    for ticks in [1, 2, 8, 64] {
        let (project, _) = read(&ticks.to_string());
        let project = project.expect("in bounds");
        assert_eq!(project.physics_divisor.ticks(), ticks);
        let written = write_project(&project);
        // The default is not written.
        assert_eq!(written.contains(&format!("physics_divisor: {ticks},")), ticks != 1, "{written}");
        assert_eq!(parse_project(&written), Ok(project));
    }
    for written in ["0", "65", "-8", "2.5", "+8", "many"] {
        let (_, text) = read(written);
        let sentence = format!(
            "1:56: physics_divisor: {written} is no number of ticks that a physics step spans: write 1 to 64"
        );
        assert_eq!(faults(&text), [sentence]);
    }
}

#[test]
fn what_sounds_is_looked_after_at_one_to_a_thousand_hertz() {
    let read = |written: &str| {
        let text = format!("(format: 1, name: \"P\", scenes: [\"a\"], audio_rate: {written})");
        (parse_project(&text), text)
    };
    for (written, hertz) in [("1", 1), ("120", 120), ("250", 250), ("1000", 1000)] {
        let project = read(written).0.expect("in bounds");
        assert_eq!(project.audio_rate, Rate::hz(hertz).expect("a rate"));
        // The default is not written.
        let text = write_project(&project);
        assert_eq!(text.contains("audio_rate"), hertz != 250, "{text}");
        assert_eq!(parse_project(&text), Ok(project));
    }
    for written in ["0", "1001", "-250", "often"] {
        let (_, text) = read(written);
        let [sentence] = &faults(&text)[..] else { panic!("{written} is refused once") };
        assert!(sentence.starts_with("1:51: audio_rate: "), "{sentence}");
    }
}

#[test]
fn limits_and_speed_come_back_as_they_were_written() {
    let text = "(
    format: 1,
    name: \"P\",
    scenes: [\"a\"],
    tick_rate: \"60000/1001\",
    frame_rate: 59.94,
    handoff: slot,
    speed: 0.25,
    limits: (max_delta_ms: 12.5, max_ticks: 3),
)
";
    let project = parse_project(text).expect("a project");
    assert_eq!(project.limits, Limits { max_delta: Nanos(12_500_000), max_ticks: MaxTicks::Fixed(3) });
    assert_eq!(project.speed.thousandths(), 250);
    assert_eq!(write_project(&project), text);
}

#[test]
fn every_fault_of_a_project_is_named_with_its_place() {
    let no_rate =
        "is no rate: write 1 to 1000 Hz as a whole number (60), a decimal (59.94) or a fraction (60000/1001)";
    for (fields, expected) in [
        ("tick_rate: 0", format!("2:12: tick_rate: \"0\" {no_rate}")),
        ("tick_rate: 0.5", format!("2:12: tick_rate: \"0.5\" {no_rate}")),
        ("tick_rate: 1001", format!("2:12: tick_rate: \"1001\" {no_rate}")),
        ("tick_rate: -60", format!("2:12: tick_rate: \"-60\" {no_rate}")),
        ("frame_rate: NaN", format!("2:13: frame_rate: \"NaN\" {no_rate}")),
        ("frame_rate: \"60/0\"", format!("2:13: frame_rate: \"60/0\" {no_rate}")),
        (
            "frame_rate: 60000/1001",
            "2:13: frame_rate: a fraction stands in quotes: \"60000/1001\"\n\
             2:18: expected a comma or the closing bracket, found `/`"
                .to_owned(),
        ),
        ("frame_rate: \"\"", format!("2:13: frame_rate: \"\" {no_rate}")),
        (
            "handoff: slots",
            "2:10: handoff: there is no handoff `slots` here, did you mean `slot`? known: slot, lockstep, free"
                .to_owned(),
        ),
        (
            "handoff: \"lock-step\"",
            "2:10: handoff: there is no handoff `lock-step` here, did you mean `lockstep`? known: slot, lockstep, \
             free"
                .to_owned(),
        ),
        ("speed: 9", "2:8: speed: \"9\" is no speed: write 0 to 8 in steps of 0.001".to_owned()),
        (
            "limits: (max_delta_ms: 0, max_ticks: 0)",
            "2:24: limits.max_delta_ms: 0 ms is no longest delta: write a number above 0, at most 60000\n\
             2:38: limits.max_ticks: 0 is no most number of ticks in a frame: write 1 to 10000"
                .to_owned(),
        ),
        (
            "limits: (max_delta_ms: NaN)",
            "2:24: limits.max_delta_ms: NaN ms is no longest delta: write a number above 0, at most 60000"
                .to_owned(),
        ),
        (
            "limits: (max_tick: 3)",
            "2:10: limits: there is no field `max_tick` here, did you mean `max_ticks`? \
             known: max_delta_ms, max_ticks"
                .to_owned(),
        ),
    ] {
        let text = format!("(format: 1, name: \"P\", scenes: [\"a\"],\n{fields})");
        assert_eq!(faults(&text).join("\n"), expected, "{fields}");
    }
}

#[test]
fn faults_of_names_and_scenes_are_collected() {
    let text = "(format: 1,\nname: \" \",\nscenes: [\"a\", \"a.ron\", \"../b\", 7, \"\"],\ntick_rate: 0)";
    assert_eq!(
        faults(text),
        [
            "2:7: name: the name is empty: give the project one",
            "3:15: scenes: the scene \"a\" is named twice",
            "3:24: scenes: \"../b\" is no name of a file in `scenes/`",
            "3:32: scenes: expected a text in quotes, found `7`",
            "3:35: scenes: \"\" is no name of a file in `scenes/`",
            "4:12: tick_rate: \"0\" is no rate: write 1 to 1000 Hz as a whole number (60), a decimal (59.94) or a \
             fraction (60000/1001)",
        ]
    );
    assert_eq!(
        faults("(format: 1, name: \"P\", scenes: [])"),
        ["1:32: scenes: a project has at least one scene: name a file of `scenes/`"]
    );
    assert_eq!(
        faults("(format: 1, scenes: [])"),
        [
            "1:21: scenes: a project has at least one scene: name a file of `scenes/`",
            "1:23: the field `name` is missing"
        ]
    );
    assert_eq!(
        faults("(format: 7, anything: 3)"),
        [
            "1:10: format: this project is of format 7, but this program reads up to format 1: open it with a newer one"
        ]
    );
}

#[test]
fn a_change_of_a_setting_changes_only_its_value() {
    let text = "// Mine.
(
    format: 1, name: \"P\", // the name
    scenes: [\"a.ron\", /* then */ \"b\"],
    tick_rate: 60.0,
    limits: (max_ticks: 0x10),
    theme: Dark, // of a newer version
)
";
    let project = parse_project(text).expect("a project");
    assert_eq!(update_project(text, &project).as_deref(), Ok(text));
    let notes = read_project(text).map(|reading| reading.unknown).unwrap_or_default();
    assert_eq!(
        notes.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["7:5: theme: this version does not know it: it is kept as it is written"]
    );
    type Change = fn(&mut Project);
    let changes: [(Change, &str, &str); 6] = [
        ((|project| project.name = "Q".to_owned()) as fn(&mut Project), "name: \"P\"", "name: \"Q\""),
        (|project| project.tick_rate = Rate::hz(50).expect("a rate"), "60.0", "50"),
        (|project| project.scenes.insert(1, "c".to_owned()), "\"a.ron\",", "\"a.ron\", \"c\","),
        (
            |project| project.limits.max_delta = Nanos::from_millis(5),
            "(max_ticks",
            "(max_delta_ms: 5, max_ticks",
        ),
        (
            |project| project.speed = Speed::from_thousandths(500).expect("a speed"),
            "60.0,",
            "60.0,\n    speed: 0.5,",
        ),
        (|project| project.unknown.clear(), "\n    theme: Dark, // of a newer version", ""),
    ];
    for (change, from, to) in changes {
        let mut changed = project.clone();
        change(&mut changed);
        let expected = text.replacen(from, to, 1);
        assert_eq!(update_project(text, &changed).as_deref(), Ok(expected.as_str()));
        assert_eq!(parse_project(&expected), Ok(changed.clone()));
        assert_eq!(update_project(&expected, &changed), Ok(expected));
    }
}

/// Found by fuzzing: it panicked where arithmetic is checked.
#[test]
fn a_raw_text_without_its_quotes_is_a_fault_and_no_panic() {
    for text in
        ["(me: \"P\"tick_rate: r####*####\"", "(tick_rate: r##", "(name: r#", "(name: r\"", "(name: r##\"#"]
    {
        assert!(parse_project(text).is_err(), "{text}");
        assert!(crate::scene::format::parse_scene(text).is_err(), "{text}");
    }
}
