//! What the README shows of the command line is what the program says today.

use crate::support::{command, framewalk_line};
use std::path::Path;

#[test]
fn the_example_of_the_readme_says_what_stands_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let blocks: Vec<&str> = readme.split("\n```").skip(1).step_by(2).collect();
    let at = blocks.iter().position(|block| block.trim_start().starts_with("framewalk run")).unwrap();
    let (typed, expected) = (blocks[at].trim(), blocks[at + 1].trim_start_matches('\n'));

    let arguments = typed.split_whitespace().skip(1);
    let output = command().args(arguments).current_dir(root).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said.lines().count(), expected.lines().count(), "{said}");
    for (said, expected) in said.lines().zip(expected.lines()) {
        assert_eq!(repeatable(said), repeatable(expected), "README.md: write what `{typed}` says");
    }
}

/// The part of a line that is the same every time: of the measured one, the state hash.
fn repeatable(line: &str) -> &str {
    match line.split_once("; state hash ") {
        Some((_, hash)) => hash,
        None => line,
    }
}

#[test]
fn every_option_that_the_readme_names_exists() {
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md")).unwrap();
    let start = readme.find("## Without a window").unwrap();
    let section = &readme[start..start + readme[start..].find("## As a library").unwrap()];
    let help = framewalk_line("run --help").stdout;
    let options = section.split(['`', ' ', '\n']).filter(|word| word.starts_with("--") && word.len() > 2);
    // `--release` and `--bin` are cargo's.
    for option in options.filter(|option| !["--release", "--bin", "--help"].contains(option)) {
        assert!(help.contains(option), "README.md names {option}, and `framewalk run --help` does not");
    }
}
