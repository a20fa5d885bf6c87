//! `project.ron`: read it or refuse it with places; what is read is written and read back the same.
#![no_main]

#[path = "placed.rs"]
mod placed;

use framewalk_runtime::scene::project::{parse_project, write_project};

libfuzzer_sys::fuzz_target!(|text: &str| {
    match parse_project(text) {
        Ok(project) => assert_eq!(parse_project(&write_project(&project)), Ok(project)),
        Err(faults) => placed::assert_placed(text, &faults),
    }
});
