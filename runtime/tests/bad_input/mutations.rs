//! What the fuzz targets in `fuzz/` try for hours, tried for seconds in every run of the tests: texts from the samples
//! with a few bytes changed. No reader panics, and every fault has a line and a column.

use super::tick;
use framewalk_runtime::interpolation::Interpolation;
use framewalk_runtime::scene::fault::Fault;
use framewalk_runtime::scene::format::{parse_scene, write_scene};
use framewalk_runtime::scene::project::{parse_project, write_project};
use framewalk_runtime::sim::script::Script;
use framewalk_runtime::snapshot::Snapshot;
use framewalk_runtime::time::Rate;
use framewalk_runtime::time::cadence::Cadence;
use framewalk_runtime::world::World;

const SCENES: &[&str] = &[
    include_str!("../../../projects/empty/scenes/main.ron"),
    include_str!("../../../projects/first-steps/scenes/main.ron"),
    include_str!("../../../projects/judder-lab/scenes/main.ron"),
    include_str!("../../../projects/overload/scenes/main.ron"),
    "(format: 1, entities: [(id: 1, name: \"C\", crowd: (count: 9, spacing: 1, shape: Cube(size: (1, 1, 1), color: \
     \"#ffffff\"), motion: Spin(degrees_per_second: 9), apart_seconds: 2))])",
];
const PROJECTS: &[&str] = &[
    include_str!("../../../projects/empty/project.ron"),
    include_str!("../../../projects/judder-lab/project.ron"),
    "(format: 1, name: \"P\", scenes: [\"a\", \"b\"], tick_rate: 59.94, frame_rate: \"60000/1001\", handoff: slot, \
     physics_divisor: 8, speed: 0.5, limits: (max_delta_ms: 250, max_ticks: 5))",
];
const CADENCES: &[&str] = &[
    "# a stall\r\n16.6ms\r\n\r\n  16.6ms  # steady\n2.6ms\n\n17.4ms",
    "16700000\n-5us\n0.5s\n16,7ms\n",
    "Application,ProcessID,MsBetweenPresents\ngame.exe,12,16.7\n",
];
const SCRIPTS: &[&str] = &[
    "[\n (10, pause), (10, step_tick), (10, key_down(ArrowRight)), (10, set_tick_rate(\"59.94\")),\n (90, stop)]",
    "[(1, step_stage), (2, set_max_ticks(auto)), (2, set_max_delta(250)), (3, set_speed(0.5)), (3, set_physics_divisor(8))]",
];
/// What a careless hand, or a clever one, puts in.
const TOKENS: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "\"",
    "\\",
    "'",
    "#",
    "/*",
    "*/",
    "//",
    "r#\"",
    "b'",
    "Some(",
    "None",
    "-",
    "NaN",
    "inf",
    "-0",
    "1e38",
    "1e99",
    "0x1p",
    "18446744073709551616",
    "format: 2",
    "\u{feff}",
    "\r\n",
    "\0",
    "µ",
    "parent: 1",
    "\\u{110000}",
    "#![enable(unwrap_newtypes)]",
];

/// A small generator of its own, so that a failure is the same on every machine: SplitMix64.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((word ^ (word >> 31)) % limit.max(1) as u64) as usize
    }

    /// One of the texts after one to three edits.
    fn edited(&mut self, texts: &[&str]) -> String {
        let mut bytes = texts[self.below(texts.len())].as_bytes().to_vec();
        for _ in 0..=self.below(3) {
            let at = self.below(bytes.len() + 1);
            let end = (at + self.below(24)).min(bytes.len());
            match self.below(6) {
                0 => drop(bytes.drain(at..end)),
                1 => drop(bytes.splice(at..end, TOKENS[self.below(TOKENS.len())].bytes())),
                2 => drop(bytes.splice(at..at, TOKENS[self.below(TOKENS.len())].bytes())),
                3 => {
                    let copy = bytes[at..end].to_vec();
                    let to = self.below(bytes.len() + 1);
                    bytes.splice(to..to, copy);
                }
                4 => bytes.truncate(bytes.len() - self.below(bytes.len() / 4 + 1)),
                _ => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte = self.below(256) as u8),
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// Every fault has a place in the text, and says something.
fn assert_placed(text: &str, faults: &[Fault]) {
    assert!(!faults.is_empty(), "refused without a reason: {text:?}");
    let lines: Vec<&str> = text.split('\n').collect();
    for fault in faults {
        let (line, column) = (fault.line.unwrap_or(0) as usize, fault.column.unwrap_or(0) as usize);
        let width = line.checked_sub(1).and_then(|line| lines.get(line)).map(|line| line.chars().count());
        let inside = width.is_some_and(|width| (1..=width + 1).contains(&column));
        assert!(inside && !fault.message.is_empty(), "{fault:?} in {text:?}");
    }
}

#[test]
fn a_changed_scene_is_a_scene_that_plays_or_has_placed_faults() {
    let mut chance = Chance(1);
    let mut played = 0;
    for _ in 0..3_000 {
        let text = chance.edited(SCENES);
        match parse_scene(&text) {
            Err(faults) => assert_placed(&text, &faults),
            Ok(scene) => {
                assert_eq!(parse_scene(&write_scene(&scene)).as_ref(), Ok(&scene), "{text:?}");
                let mut world = World::new(&scene, Rate::HZ_60).expect("what is read can be built");
                let mut store = Interpolation::new(&world);
                (1..=3).for_each(|number| tick(&mut world, number, Rate::HZ_60));
                store.roll(&world);
                Snapshot::default().fill(&world, &store);
                played += 1;
            }
        }
    }
    assert!(played > 50, "only {played} of them could be played: the edits are too rough to try that");
}

#[test]
fn a_changed_project_is_a_project_or_has_placed_faults() {
    let mut chance = Chance(2);
    for _ in 0..5_000 {
        let text = chance.edited(PROJECTS);
        match parse_project(&text) {
            Ok(project) => assert_eq!(parse_project(&write_project(&project)), Ok(project), "{text:?}"),
            Err(faults) => assert_placed(&text, &faults),
        }
    }
}

#[test]
fn a_changed_script_is_a_script_or_has_placed_faults() {
    let mut chance = Chance(3);
    for _ in 0..5_000 {
        let text = chance.edited(SCRIPTS);
        if let Err(faults) = Script::parse(&text) {
            assert_placed(&text, &faults);
        }
    }
}

#[test]
fn a_changed_cadence_is_a_cadence_or_has_a_placed_fault() {
    let mut chance = Chance(4);
    for _ in 0..5_000 {
        let text = chance.edited(CADENCES);
        if let Err(error) = Cadence::parse(&text) {
            let (line, column) = (u32::try_from(error.line).ok(), u32::try_from(error.column).ok());
            assert_placed(&text, &[Fault { line, column, ..Fault::new(error.message) }]);
        }
    }
}
