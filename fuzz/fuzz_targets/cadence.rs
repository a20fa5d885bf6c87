//! A cadence: a list of deltas, or a refusal with its place.
#![no_main]

#[path = "placed.rs"]
mod placed;

use framewalk_runtime::scene::fault::Fault;
use framewalk_runtime::time::cadence::Cadence;

libfuzzer_sys::fuzz_target!(|text: &str| {
    match Cadence::parse(text) {
        Ok(cadence) => assert!(!cadence.deltas().is_empty()),
        Err(error) => {
            let (line, column) = (u32::try_from(error.line).ok(), u32::try_from(error.column).ok());
            placed::assert_placed(text, &[Fault { line, column, ..Fault::new(error.message) }]);
        }
    }
    let _ = Cadence::is_frame_time_csv(text);
});
