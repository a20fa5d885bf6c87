//! A script: actions in the order of frames, or refusals with their places.
#![no_main]

#[path = "placed.rs"]
mod placed;

use framewalk_runtime::sim::script::{Due, Script};

libfuzzer_sys::fuzz_target!(|text: &str| {
    match Script::parse(text) {
        Ok(mut script) => while script.due(u64::MAX, true) != Due::End {},
        Err(faults) => placed::assert_placed(text, &faults),
    }
});
