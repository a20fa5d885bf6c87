//! Starting the program, and reading what it wrote.

use serde_json::Value;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// What a process left.
#[derive(Debug)]
pub struct Done {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

/// The program with nothing of the caller's environment that would change what it says.
pub fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_framewalk"));
    command.env_remove("FRAMEWALK_LOG").env_remove("RUST_LOG").env("COLUMNS", "100").stdin(Stdio::null());
    command
}

/// Runs the program to its end.
pub fn framewalk<A: AsRef<OsStr>>(args: impl IntoIterator<Item = A>) -> Done {
    let output = command().args(args).output().unwrap();
    Done {
        status: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Arguments as one text, split at blanks.
pub fn framewalk_line(line: &str) -> Done {
    framewalk(line.split_whitespace())
}

/// A sample project of the repository.
pub fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../projects").join(name)
}

/// A project in a temporary folder.
pub struct TestProject {
    pub folder: TempDir,
}

impl TestProject {
    /// 60 Hz ticks and frames, and one scene of these entities.
    pub fn new(entities: &str) -> Self {
        let project = Self { folder: tempfile::tempdir().unwrap() };
        project.write(
            "project.ron",
            "(format: 1, name: \"Test\", scenes: [\"main\"], tick_rate: 60, frame_rate: 60)",
        );
        project.write("scenes/main.ron", &format!("(format: 1, entities: [{entities}])"));
        project
    }

    /// One steady mover at 1 m/s along x.
    pub fn mover() -> Self {
        Self::new(
            "(id: 1, name: \"Mover\", shape: Cube(size: (1, 1, 1), color: \"#2bb58a\"), \
             motion: Steady(velocity: (1, 0, 0)))",
        )
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file inside, and returns where.
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    /// Runs it in instant pace, with these further arguments.
    pub fn instant(&self, arguments: &str) -> Ran {
        instant(self.path(), arguments)
    }
}

/// What a run in instant pace reported.
#[derive(Debug)]
pub struct Ran {
    pub report: Value,
    pub csv: Table,
    pub stderr: String,
}

/// Runs a project in instant pace with report and CSV, and insists on status 0.
pub fn instant(project: &Path, arguments: &str) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    let (report, csv) = (folder.path().join("report.json"), folder.path().join("frames.csv"));
    let mut command = command();
    command.arg("run").arg(project).args(["--pace", "instant"]).args(arguments.split_whitespace());
    let output = command.arg("--report").arg(&report).arg("--csv").arg(&csv).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{arguments}: {stderr}");
    let report = serde_json::from_slice(&std::fs::read(report).unwrap()).unwrap();
    Ran { report, csv: Table::parse(&std::fs::read_to_string(csv).unwrap()), stderr }
}

impl Ran {
    pub fn number(&self, field: &str) -> u64 {
        self.report[field].as_u64().unwrap_or_else(|| panic!("{field}: {}", self.report[field]))
    }
}

/// A CSV without quoted cells.
#[derive(Debug, PartialEq, Eq)]
pub struct Table {
    pub names: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Table {
    pub fn parse(text: &str) -> Self {
        let cells = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
        let mut lines = text.lines();
        let names = cells(lines.next().unwrap());
        let rows: Vec<Vec<String>> = lines.map(cells).collect();
        assert!(
            rows.iter().all(|row| row.len() == names.len()),
            "a line has another number of cells: {text}"
        );
        Self { names, rows }
    }

    pub fn texts(&self, name: &str) -> Vec<&str> {
        let column =
            self.names.iter().position(|own| own == name).unwrap_or_else(|| panic!("no column {name}"));
        self.rows.iter().map(|row| row[column].as_str()).collect()
    }

    pub fn integers(&self, name: &str) -> Vec<i64> {
        self.texts(name).into_iter().map(|cell| cell.parse().unwrap()).collect()
    }

    pub fn floats(&self, name: &str) -> Vec<f64> {
        self.texts(name).into_iter().map(|cell| cell.parse().unwrap()).collect()
    }

    /// The columns before the first measured one.
    pub fn exact(&self) -> Vec<&[String]> {
        let measured = self.names.iter().position(|name| name == "drain_inputs_ns").unwrap();
        self.rows.iter().map(|row| &row[..measured]).collect()
    }
}
