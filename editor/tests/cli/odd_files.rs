//! Files of another kind than was meant, under names that nobody would choose: each is refused in a sentence, at once,
//! and nothing is changed.

#![cfg(unix)]

use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use crate::support::{TestProject, framewalk};

/// What `check` says of a project; `run` and `shot` refuse it too.
fn refused(project: &TestProject) -> String {
    let root = project.path();
    let picture = root.join("picture.png");
    for words in [
        vec![OsStr::new("run"), root.as_os_str(), "--frames".as_ref(), "1".as_ref()],
        vec!["shot".as_ref(), root.as_os_str(), picture.as_os_str()],
    ] {
        let done = framewalk(words.clone());
        assert_eq!(done.status, 1, "{words:?}: {done:?}");
        assert!(!done.stderr.is_empty() && !picture.exists(), "{words:?}: {done:?}");
    }
    let checked = framewalk(["check".as_ref(), root.as_os_str()]);
    assert_eq!(checked.status, 1, "{checked:?}");
    checked.stdout + &checked.stderr
}

/// What lies in the place of a file.
#[derive(Clone, Copy)]
enum Kind {
    Pipe,
    Folder,
    Circle,
    LinkToNowhere,
    TooLarge,
    Zeros,
}

impl Kind {
    fn put(self, path: &Path) {
        std::fs::remove_file(path).unwrap();
        match self {
            Self::Pipe => assert!(Command::new("mkfifo").arg(path).status().unwrap().success()),
            Self::Folder => std::fs::create_dir(path).unwrap(),
            Self::Circle => symlink(path.file_name().unwrap(), path).unwrap(),
            Self::LinkToNowhere => symlink("nowhere", path).unwrap(),
            // Four gigabytes that take no room.
            Self::TooLarge => File::create(path).unwrap().set_len(4 << 30).unwrap(),
            Self::Zeros => std::fs::write(path, [0; 512]).unwrap(),
        }
    }
}

#[test]
fn whatever_lies_in_the_place_of_a_file_is_called_what_it_is() {
    let makes = [
        (Kind::Pipe, "cannot be read: it is no file, but a pipe or a device"),
        (Kind::Folder, "cannot be read: it is a folder"),
        (Kind::Circle, "cannot be read: its links lead round in a circle"),
        (Kind::LinkToNowhere, "cannot be read: it is a link that leads nowhere"),
        (Kind::TooLarge, "cannot be read: it is larger than 512 MiB"),
        (Kind::Zeros, "nothing but zero bytes"),
    ];
    for file in ["project.ron", "scenes/main.ron"] {
        for (kind, why) in makes {
            let project = TestProject::mover();
            kind.put(&project.path().join(file));
            let said = refused(&project);
            assert!(
                said.contains(&format!("{file}: {why}")) || said.contains(&format!("{file}:1:1: {why}")),
                "{said}"
            );
        }
    }
}

#[test]
fn a_text_of_another_encoding_says_how_to_save_it() {
    let units = "\u{feff}(format: 1)".encode_utf16();
    let text: Vec<u8> = units.flat_map(u16::to_le_bytes).collect();
    for (file, text) in [("project.ron", &text), ("scenes/main.ron", &text[2..].to_vec())] {
        let project = TestProject::mover();
        std::fs::write(project.path().join(file), text).unwrap();
        let said = refused(&project);
        assert!(said.contains(&format!("{file}:1:1: UTF-16 text; save the file as UTF-8")), "{said}");
    }
}

#[test]
fn a_name_with_line_ends_control_characters_or_bytes_that_are_no_text_stays_on_its_line() {
    for (name, shown) in [
        (&b"a\nb.ron"[..], "a\\nb.ron"),
        (&b"\x1b[31mred.ron"[..], "\\u{1b}[31mred.ron"),
        (&b"\xff.ron"[..], "\\xff.ron"),
    ] {
        let project = TestProject::mover();
        std::fs::write(project.path().join("scenes").join(OsStr::from_bytes(name)), "(").unwrap();
        let checked = framewalk(["check".as_ref(), project.path()]);
        let lines: Vec<&str> = checked.stdout.lines().collect();
        assert_eq!((checked.status, lines.len()), (1, 1), "{checked:?}");
        assert!(lines[0].contains(&format!("scenes/{shown}:1:2: ")), "{lines:?}");
    }
}

#[test]
fn what_a_name_says_is_not_obeyed_by_the_terminal() {
    let project = TestProject::mover();
    project.write("project.ron", "(format: 1, name: \"P\\u{1b}[2J\\nQ\", scenes: [\"main\"])");
    let words = ["--pace".as_ref(), "instant".as_ref(), "--frames".as_ref(), "1".as_ref()];
    let done = framewalk(["run".as_ref(), project.path().as_os_str()].into_iter().chain(words));
    assert!(done.stdout.starts_with("P\\u{1b}[2J\\nQ / main: 1 frame, "), "{done:?}");
}

#[test]
fn a_character_that_is_not_seen_is_named() {
    for (text, found) in [
        ("\u{feff}\u{feff}(format: 1)", "1:1: expected a value, found `\\u{feff}`"),
        ("(format:\u{a0}1)", "1:9: expected a value, found `\\u{a0}`"),
    ] {
        let project = TestProject::mover();
        project.write("scenes/main.ron", text);
        let checked = framewalk(["check".as_ref(), project.path()]);
        assert!(checked.stdout.contains(found), "{checked:?}");
    }
}
