//! The rules of `ARCHITECTURE.md` that can be enforced, enforced: which line may stand in which room.
//!
//! Each rule reads the sources and lists every line that breaks it, with what to do instead. Where a rule cannot hold,
//! the file stands in a list here, with the reason.

use framewalk_tests::imports::{imports, in_circles};
use framewalk_tests::sources::{CodeLine, SourceFile, all_paths, root, rust_files};

/// A file that a rule does not bind, and why.
type Exception = (&'static str, &'static str);

/// Fails with every breach, one a line.
fn hold(rule: &str, breaches: &[String]) {
    assert!(breaches.is_empty(), "{rule}\n  {}", breaches.join("\n  "));
}

/// Lines of the files that `files` picks in which `breaks` finds something, as `path:line: what it found`.
fn breaches<'a>(
    sources: &'a [SourceFile],
    files: impl Fn(&SourceFile) -> bool,
    breaks: impl Fn(&CodeLine<'a>) -> Option<&'static str>,
) -> Vec<String> {
    let picked = sources.iter().filter(|file| files(file));
    picked
        .flat_map(|file| {
            let found = file.lines().filter_map(|line| breaks(&line).map(|what| (line.number, what)));
            found.map(|(number, what)| format!("{}:{number}: {what}", file.path)).collect::<Vec<_>>()
        })
        .collect()
}

/// The first of `words` that stands in `code` as a word of its own; what begins or ends with a sign may touch others.
fn first_word(code: &str, words: &[&'static str]) -> Option<&'static str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    words.iter().copied().find(|word| {
        code.match_indices(word).any(|(at, _)| {
            let before = code[..at].chars().next_back().is_some_and(is_word) && word.starts_with(is_word);
            let after =
                code[at + word.len()..].chars().next().is_some_and(is_word) && word.ends_with(is_word);
            !before && !after
        })
    })
}

fn excepted(file: &SourceFile, exceptions: &[Exception]) -> bool {
    exceptions.iter().any(|(path, _)| file.path == *path)
}

const INTERFACE_CRATES: &[&str] =
    &["egui", "eframe", "egui_wgpu", "egui_plot", "egui_tiles", "winit", "rfd", "notify"];

#[test]
fn the_runtime_names_no_interface_crate() {
    let found = breaches(
        &rust_files(),
        |file| file.path.starts_with("runtime/"),
        |line| first_word(line.code, INTERFACE_CRATES),
    );
    hold("The runtime runs with nobody looking. Move the line to the inspector or the editor:", &found);
}

#[test]
fn neither_runtime_nor_inspector_touches_files() {
    let words = ["std::fs", "std::path", "fs::", "File::open", "File::create", "OpenOptions", "PathBuf"];
    let found = breaches(
        &rust_files(),
        |file| file.path.starts_with("runtime/src/") || file.path.starts_with("inspector/src/"),
        |line| first_word(line.code, &words),
    );
    hold("Only the editor does I/O. Take the text or the bytes as an argument instead:", &found);
}

#[test]
fn the_editor_touches_files_only_in_the_store_the_watch_and_the_command_line() {
    let words = [
        "std::fs",
        "fs::",
        "File::open",
        "File::create",
        "OpenOptions",
        ".exists()",
        ".is_dir()",
        ".is_file()",
        ".canonicalize()",
        ".read_dir()",
    ];
    let allowed = |path: &str| {
        ["editor/src/project/store.rs", "editor/src/project/watch.rs", "editor/src/cli.rs"].contains(&path)
            || path.starts_with("editor/src/project/store/")
            || path.starts_with("editor/src/cli/")
    };
    let found = breaches(
        &rust_files(),
        |file| file.path.starts_with("editor/src/") && !allowed(&file.path),
        |line| first_word(line.code, &words).filter(|_| !line.only_in_tests),
    );
    hold("Files are opened by `editor/src/project/store.rs`. Ask it for what is needed:", &found);
}

#[test]
fn the_editor_writes_files_in_one_place() {
    let words = ["fs::write", "File::create", ".persist(", ".persist_noclobber("];
    let found = breaches(
        &rust_files(),
        |file| file.path.starts_with("editor/src/") && file.path != "editor/src/project/store/whole.rs",
        |line| first_word(line.code, &words).filter(|_| !line.only_in_tests),
    );
    hold("A file is written whole or not at all: by `editor/src/project/store/whole.rs`:", &found);
}

/// Files beside `time/source.rs` that may read a clock.
const CLOCK_READERS: &[Exception] = &[(
    "runtime/examples/pacing/deadlines.rs",
    "it measures the system's own sleep to an absolute time, which is one on the system's own clock",
)];

#[test]
fn clocks_are_read_only_by_the_time_source() {
    let words = ["Instant::now", "SystemTime::now", "quanta", "UNIX_EPOCH", "clock_gettime"];
    let found = breaches(
        &rust_files(),
        |file| file.path != "runtime/src/time/source.rs" && !excepted(file, CLOCK_READERS),
        |line| first_word(line.code, &words),
    );
    hold("Time is an argument. Take it, or a `TimeSource`, or use `RealClock`:", &found);
}

#[test]
fn models_and_statistics_know_no_egui() {
    let pure = ["model", "stats", "history", "selection", "stats_tests", "history_tests", "selection_tests"];
    let found = breaches(
        &rust_files(),
        |file| file.path.starts_with("inspector/src/") && pure.contains(&file.stem()),
        |line| first_word(line.code, INTERFACE_CRATES),
    );
    hold("A model computes, a `paint.rs` draws. Move the line there, or pass plain values:", &found);
}

#[test]
fn unsafe_stands_only_under_the_handoff() {
    let found = breaches(
        &rust_files(),
        |file| !file.path.starts_with("runtime/src/handoff/"),
        |line| first_word(line.code, &["unsafe", "unsafe_code"]),
    );
    hold(
        "`unsafe` lives under runtime/src/handoff/ only. Do without, or use a crate that did it well:",
        &found,
    );
}

#[test]
fn every_unsafe_block_says_why_it_is_sound() {
    let mut found = Vec::new();
    for file in rust_files().iter().filter(|file| file.path.starts_with("runtime/src/handoff/")) {
        let texts: Vec<&str> = file.text.lines().collect();
        for line in file.lines() {
            // A declaration promises in its docs, under `# Safety`; blocks and impls argue in a comment.
            let is_declaration = line.code.contains("unsafe fn");
            if first_word(line.code, &["unsafe"]).is_none() || is_declaration {
                continue;
            }
            let first = line.number.saturating_sub(8);
            if !texts[first..line.number].iter().any(|text| text.contains("SAFETY:")) {
                found.push(format!("{}:{}: no `// SAFETY:` above it", file.path, line.number));
            }
        }
    }
    hold("Say above each `unsafe` why it is sound:", &found);
}

/// Where a module of the runtime stands; a lower one never names a higher one. Records are plain data, and for all.
const RUNTIME_FLOORS: &[(&str, &[&str])] = &[
    (
        "time",
        &[
            "world",
            "interpolation",
            "snapshot",
            "render",
            "sim",
            "scene",
            "input",
            "handoff",
            "frame::core",
            "frame::agents",
        ],
    ),
    (
        "scene",
        &["world", "interpolation", "snapshot", "render", "sim", "handoff", "frame::core", "frame::agents"],
    ),
    (
        "input",
        &["world", "interpolation", "snapshot", "render", "sim", "handoff", "frame::core", "frame::agents"],
    ),
    (
        "handoff",
        &["jobs", "world", "interpolation", "snapshot", "render", "sim", "scene", "input", "frame::core"],
    ),
    (
        "jobs",
        &[
            "world",
            "interpolation",
            "snapshot",
            "render",
            "sim",
            "scene",
            "input",
            "frame::core",
            "frame::agents",
        ],
    ),
    ("world", &["snapshot", "render", "sim", "handoff", "frame::core", "frame::agents"]),
    ("interpolation", &["snapshot", "render", "sim", "handoff", "frame::core", "frame::agents"]),
    ("snapshot", &["render", "sim", "handoff", "frame::core", "frame::agents"]),
    ("render", &["sim", "world", "frame::core", "frame::agents"]),
    ("frame", &["render", "sim"]),
];

/// Where a module of the editor stands, as in the runtime. The dispatch acts on all of them.
const EDITOR_FLOORS: &[(&str, &[&str])] = &[
    ("document", &["command", "viewport", "panels", "shell", "app", "window", "play", "cli"]),
    ("project", &["command", "viewport", "panels", "shell", "app", "window", "play", "cli"]),
    ("session", &["command", "viewport", "panels", "shell", "app", "window", "play", "cli"]),
    ("settings", &["command", "shell", "app", "window", "play", "cli"]),
    ("command", &["shell", "app", "window", "play", "cli"]),
    ("viewport", &["shell", "app", "window", "play", "cli"]),
    ("panels", &["shell", "app", "window", "play", "cli"]),
    ("shell", &["app", "window", "play", "cli"]),
    ("play", &["shell", "app", "cli"]),
    ("window", &["cli"]),
    ("app", &["cli"]),
];

/// Lines of a crate's modules that name one of a higher floor.
fn lines_that_reach_up(folder: &str, floors: &[(&str, &[&'static str])], spared: &[&str]) -> Vec<String> {
    let sources = rust_files();
    let mut found = Vec::new();
    for (floor, above) in floors {
        let own = |file: &SourceFile| {
            let here = file.path == format!("{folder}{floor}.rs")
                || file.path.starts_with(&format!("{folder}{floor}/"));
            here && !spared.contains(&file.path.as_str())
        };
        let names = |line: &CodeLine<'_>| {
            let name = above.iter().copied().find(|name| {
                let path = format!("crate::{name}");
                line.code.match_indices(&path).any(|(at, _)| {
                    let next = line.code[at + path.len()..].chars().next();
                    !next.is_some_and(|c| c.is_alphanumeric() || c == '_')
                })
            });
            name.filter(|_| !line.only_in_tests)
        };
        found
            .extend(breaches(&sources, own, names).iter().map(|breach| format!("{breach}, above `{floor}`")));
    }
    found
}

#[test]
fn inside_the_runtime_imports_run_from_the_ground_up() {
    let found = lines_that_reach_up("runtime/src/", RUNTIME_FLOORS, &[]);
    hold("A frame knows no thread and a renderer no simulation. Pass plain data down instead:", &found);
}

#[test]
fn inside_the_editor_imports_run_from_the_ground_up() {
    let found = lines_that_reach_up("editor/src/", EDITOR_FLOORS, &["editor/src/command/dispatch.rs"]);
    hold("What both use belongs below both. Move its definition there:", &found);
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let sources = rust_files();
    for folder in ["runtime/src/", "inspector/src/", "editor/src/"] {
        let imports = imports(&sources, folder);
        assert!(imports.len() > 50, "{folder}: {} imports are told: are they still read?", imports.len());
        let found: Vec<String> = in_circles(&imports)
            .iter()
            .map(|import| format!("{} takes {} from {}", import.from, import.name, import.to))
            .collect();
        hold("What ties these together belongs into a file of its own, below all of them:", &found);
    }
}

#[test]
fn frames_and_simulation_start_no_thread() {
    let threads = ["sim", "sim/observers", "render", "jobs"].map(|of| format!("runtime/src/{of}/thread.rs"));
    let found = breaches(
        &rust_files(),
        |file| file.path.starts_with("runtime/src/") && !threads.contains(&file.path),
        |line| first_word(line.code, &["thread::spawn", "thread::Builder"]).filter(|_| !line.only_in_tests),
    );
    hold("A thread is a loop in a `thread.rs` around one call:", &found);
}

#[test]
fn crates_import_one_way() {
    let allowed: [(&str, &[&str]); 3] = [
        ("runtime", &[]),
        ("inspector", &["framewalk-runtime"]),
        ("editor", &["framewalk-runtime", "framewalk-inspector"]),
    ];
    for (folder, below) in allowed {
        let manifest = manifest(folder);
        for table in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let dependencies = manifest.get(table).and_then(toml::Value::as_table);
            for name in dependencies.into_iter().flat_map(toml::Table::keys) {
                assert!(
                    !name.starts_with("framewalk") || below.contains(&name.as_str()),
                    "{folder}/Cargo.toml: [{table}] names {name}; imports run runtime ← inspector ← editor ← tests"
                );
            }
        }
    }
    let inspector = manifest("inspector");
    let runtime = &inspector["dependencies"]["framewalk-runtime"];
    assert!(
        runtime.get("features").is_none(),
        "inspector/Cargo.toml: the inspector sees plain records; it needs no feature of the runtime"
    );
}

#[test]
fn every_crate_compiles_with_the_oldest_promised_compiler_and_the_shared_lints() {
    let workspace = manifest("");
    let package = &workspace["workspace"]["package"];
    assert_eq!(package["rust-version"].as_str(), Some("1.95"), "Cargo.toml: rust-version is a promise");
    assert_eq!(package["edition"].as_str(), Some("2024"), "Cargo.toml: edition");
    for member in workspace["workspace"]["members"].as_array().unwrap() {
        let folder = member.as_str().unwrap();
        let manifest = manifest(folder);
        for field in ["rust-version", "edition", "license"] {
            let shared = manifest["package"][field].get("workspace").and_then(toml::Value::as_bool);
            assert_eq!(shared, Some(true), "{folder}/Cargo.toml: write `{field}.workspace = true`");
        }
        let lints = manifest.get("lints").and_then(|lints| lints.get("workspace"));
        assert_eq!(
            lints.and_then(toml::Value::as_bool),
            Some(true),
            "{folder}/Cargo.toml: [lints] workspace = true"
        );
    }
    for file in ["rust-toolchain", "rust-toolchain.toml"] {
        assert!(
            !root().join(file).exists(),
            "{file}: take it out; `rust-version` says which compilers will do"
        );
    }
}

fn manifest(folder: &str) -> toml::Value {
    let path = root().join(folder).join("Cargo.toml");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn a_long_file_says_at_its_top_why_it_is_long() {
    let long = |file: &&SourceFile| file.text.lines().count() > 500;
    let says_why = |file: &SourceFile| {
        let top = file.text.lines().take_while(|line| line.starts_with("//!") || line.is_empty());
        top.into_iter().any(|line| line.to_lowercase().contains("long because"))
    };
    let found: Vec<String> = rust_files()
        .iter()
        .filter(long)
        .filter(|file| !says_why(file))
        .map(|file| format!("{}:1: {} lines", file.path, file.text.lines().count()))
        .collect();
    hold("Past 500 lines: split the file, or say at its top `//! … long because …`:", &found);
}

#[test]
fn files_are_named_after_a_noun_or_a_verb() {
    let vague = ["mod", "util", "utils", "common", "manager", "managers", "helper", "helpers", "misc"];
    let found: Vec<String> = rust_files()
        .iter()
        .filter(|file| {
            let words = file.path.trim_end_matches(".rs").split(['/', '_']);
            words.into_iter().any(|word| vague.contains(&word))
        })
        .map(|file| format!("{}:1", file.path))
        .collect();
    hold(
        "Name the file after what it is or does (and `scene.rs` beside `scene/`, not `scene/mod.rs`):",
        &found,
    );
}

/// Test files that sleep although their names do not say so.
const SLEEPING_TESTS: &[Exception] = &[
    (
        "runtime/src/render/thread/tests.rs",
        "its renderer sleeps for 4 ms to be the slow stage that the test is about; no test waits for anything by sleeping",
    ),
    (
        "tests/tests/faults.rs",
        "one test is of a thread that never ends, which is said after two real seconds; its name says so",
    ),
];

#[test]
fn tests_do_not_sleep() {
    let named_for_it =
        |file: &SourceFile| file.stem().contains("real_time") || file.stem().contains("window");
    let found = breaches(
        &rust_files(),
        |file| !named_for_it(file) && !excepted(file, SLEEPING_TESTS),
        |line| first_word(line.code, &["thread::sleep", "sleep_ms"]).filter(|_| line.only_in_tests),
    );
    hold("Move a manual clock, or name the file for the real time or the window it needs:", &found);
}

#[test]
fn every_ignored_test_is_run_somewhere() {
    let found =
        breaches(&rust_files(), |_| true, |line| line.code.contains("#[ignore").then_some("#[ignore]"));
    let runs_them = std::fs::read_to_string(root().join(".ci/test")).unwrap().contains("--ignored");
    if !runs_them {
        hold("Nothing runs ignored tests. Add a command to `.ci/test`, or take the attribute out:", &found);
    }
}

/// Every exception still names a file that needs it.
#[test]
fn every_exception_names_a_file_that_is_there() {
    for (path, reason) in CLOCK_READERS.iter().chain(SLEEPING_TESTS) {
        assert!(root().join(path).is_file(), "{path} is gone: take it out of the list");
        assert!(reason.len() > 20, "{path}: say why");
    }
}

/// Folders that a path in the documents may be meant from, beside the root.
const DOCUMENT_BASES: [&str; 4] = ["runtime/src/", "inspector/src/", "editor/src/", "tests/tests/"];

#[test]
fn documents_name_no_file_that_is_not_there() {
    let paths = all_paths();
    let mut found = Vec::new();
    for document in ["README.md", "ARCHITECTURE.md"] {
        let text = std::fs::read_to_string(root().join(document))
            .unwrap_or_else(|error| panic!("{document}: {error}"));
        for (index, line) in text.lines().enumerate() {
            for name in named_paths(line) {
                let there = DOCUMENT_BASES.iter().chain(&[""]).any(|base| {
                    let wanted = format!("{base}{}", name.trim_end_matches('/'));
                    let inside = format!("{wanted}/");
                    paths.iter().any(|path| *path == wanted || path.starts_with(&inside))
                });
                if !there {
                    found.push(format!("{document}:{}: {name}", index + 1));
                }
            }
        }
    }
    hold("These files do not exist. Name the ones that do, or write them:", &found);
}

/// What in a line of Markdown is a path of this repository: in backticks, as a link's target, or in a command.
fn named_paths(line: &str) -> Vec<&str> {
    if line.starts_with("<!--") {
        return Vec::new();
    }
    let in_backticks = line.split('`').skip(1).step_by(2).filter(|name| {
        let endings = [".rs", ".md", ".toml", ".wgsl"];
        !name.contains(' ') && (name.contains('/') || endings.iter().any(|ending| name.ends_with(ending)))
    });
    let links = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let in_commands = line.split([' ', '`']).filter(|word| {
        [".ci/", "projects/", "runtime/", "assets/"].iter().any(|folder| word.starts_with(folder))
    });
    let all = in_backticks.chain(links).chain(in_commands);
    all.filter(|name| {
        let elsewhere = name.contains("://") || name.starts_with('#') || name.starts_with('/');
        let a_rate = name.starts_with(|c: char| c.is_ascii_digit());
        let a_pattern = name.contains(['*', '<', '…', '{', '=']) || name.contains("::");
        !elsewhere && !a_rate && !a_pattern
    })
    .collect()
}

#[test]
fn words_and_paths_are_told_apart() {
    assert_eq!(first_word("let unsafe_code = 1;", &["unsafe"]), None);
    assert_eq!(first_word("unsafe { read() }", &["unsafe"]), Some("unsafe"));
    assert_eq!(first_word("if path.exists() {", &[".exists()"]), Some(".exists()"));
    assert_eq!(first_word("use egui_plot::Plot;", &["egui"]), None);
    assert_eq!(first_word("let at = std::time::Instant::now();", &["Instant::now"]), Some("Instant::now"));
    assert_eq!(
        named_paths("see `time/source.rs`, `Rate` and [the map](ARCHITECTURE.md)."),
        ["time/source.rs", "ARCHITECTURE.md"]
    );
    assert_eq!(named_paths("bash .ci/open projects/first-steps"), [".ci/open", "projects/first-steps"]);
    assert!(named_paths("`60000/1001` Hz").is_empty());
    assert_eq!(named_paths("![a picture](assets/a.png) <https://example.invalid/a>"), ["assets/a.png"]);
}
