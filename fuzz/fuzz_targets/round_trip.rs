//! A scene that was read, written and read again is the same, and written again the same to the byte.
#![no_main]

use framewalk_runtime::scene::format::{parse_scene, write_scene};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let Ok(scene) = parse_scene(text) else { return };
    let written = write_scene(&scene);
    let again = parse_scene(&written).unwrap_or_else(|faults| panic!("{faults:?} in {written}"));
    assert_eq!(again, scene);
    assert_eq!(write_scene(&again), written);
});
