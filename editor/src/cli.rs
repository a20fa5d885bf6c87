//! The command line: what was asked for, and the exit status that answers it.
//!
//! 0 done, 1 a fault in what was run or checked, 2 wrong usage, 130 interrupted. Errors go to stderr, data to stdout.

pub mod args;
pub mod check;
pub mod cost;
pub mod files;
pub mod flights;
pub mod fmt;
pub mod log;
pub mod new;
pub mod observers;
pub mod pacing;
pub mod play;
pub mod run;
pub mod scene;
pub mod shot;
pub mod ticks;
pub mod workers;

use crate::project::store;
use crate::project::store::load::Problem;
use crate::window::gone::WindowGone;
use args::{Cli, Command};
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use framewalk_runtime::scene::fault::{nearest_name, one_slip_from};
use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// Why a command did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// The request itself makes no sense: a sentence for clap's usage message.
    #[error("{0}")]
    Usage(String),
    /// What was run or checked is at fault: lines for stderr.
    #[error("{}", .0.join("\n"))]
    Fault(Vec<String>),
    /// Ctrl-C or a request to terminate; what had been asked for was still written.
    #[error("interrupted")]
    Interrupted,
}

impl CliError {
    /// A fault of one sentence.
    pub fn fault(sentence: impl Into<String>) -> Self {
        Self::Fault(vec![sentence.into()])
    }
}

impl From<Vec<Problem>> for CliError {
    fn from(problems: Vec<Problem>) -> Self {
        Self::Fault(problems.iter().map(Problem::to_string).collect())
    }
}

/// Reads the process's arguments, does what they say, and answers with the exit status.
#[must_use]
pub fn main() -> ExitCode {
    crate::interrupt::keep_ignoring_hang_up();
    if let Some(error) = std::env::args_os().nth(1).and_then(|first| mistyped_command(&first)) {
        return exit(error, None);
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => error.exit(),
        Err(asked) => return told(&asked),
    };
    let name = cli.command.as_ref().map(Command::name);
    match dispatch(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => exit(error, name),
    }
}

/// Prints the help or the version that was asked for.
fn told(asked: &clap::Error) -> ExitCode {
    match asked.print().and_then(|()| std::io::stdout().flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            let reason = store::reason::reason(&error);
            exit(CliError::fault(format!("error: this could not be written to stdout: {reason}")), None)
        }
        _ => ExitCode::SUCCESS,
    }
}

/// Says what is wrong, and answers with its status; wrong usage shows how `command` is used.
fn exit(error: CliError, command: Option<&str>) -> ExitCode {
    match error {
        CliError::Usage(sentence) => {
            let mut whole = Cli::command();
            whole.build();
            let named = command.and_then(|name| whole.find_subcommand(name).cloned());
            // Prints to stderr with the usage line, and ends with status 2.
            named.unwrap_or(whole).error(ErrorKind::ValueValidation, sentence).exit()
        }
        CliError::Fault(lines) => {
            for line in lines {
                files::error_line(&line);
            }
            ExitCode::from(1)
        }
        CliError::Interrupted => ExitCode::from(130),
    }
}

fn dispatch(cli: Cli) -> Result<(), CliError> {
    match cli.command {
        Some(Command::Run(args)) => {
            log::to_stderr();
            run::run(args)
        }
        Some(Command::Play(args)) => {
            log::to_stderr();
            play::play(&args)
        }
        Some(Command::Check(args)) => check::check(&args),
        Some(Command::Fmt(args)) => fmt::fmt(&args),
        Some(Command::New(args)) => new::new(&args),
        Some(Command::Shot(args)) => shot::shot(&args),
        None => open_editor(cli.project.as_deref()),
    }
}

/// A first word that is no flag, no command and nothing on disk: most likely a command, mistyped or yet to come.
fn mistyped_command(first: &OsStr) -> Option<CliError> {
    let word = first.to_str()?;
    if word.is_empty() {
        // What a script makes of a variable that is not set.
        let sentence =
            "the name of the project is empty: name its folder, or leave it out to open the last one";
        return Some(CliError::Usage(sentence.to_owned()));
    }
    if word.starts_with('-') || Command::NAMES.contains(&word) || word == "help" || Path::new(word).exists() {
        return None;
    }
    Some(no_such_project(word))
}

fn open_editor(project: Option<&Path>) -> Result<(), CliError> {
    if let Err(reason) = crate::window::display_available() {
        return without_display(project, &reason);
    }
    crate::window::open(project.map(Path::to_path_buf)).map_err(|error| {
        CliError::fault(match error.downcast_ref::<WindowGone>() {
            Some(gone) => format!("error: {gone}"),
            None => format!("error: the editor window could not be opened: {error:#}"),
        })
    })?;
    if crate::interrupt::interrupted() { Err(CliError::Interrupted) } else { Ok(()) }
}

/// Does the same job without a window: a report and a picture of the run stay in the current folder.
fn without_display(project: Option<&Path>, reason: &str) -> Result<(), CliError> {
    let Some(project) = project else {
        return Err(CliError::fault(format!(
            "error: no window can be opened: {reason}; name a project to run it without one: framewalk PROJECT"
        )));
    };
    files::error_line(&format!("no window can be opened: {reason}; {} runs without one", project.display()));
    let (report, screenshot) = ("framewalk-report.json", "framewalk.png");
    let outputs = ["--renderer", "gpu", "--size", "1280x800", "--report", report, "--screenshot", screenshot];
    let words = ["framewalk", "run"].into_iter().map(OsStr::new).chain([project.as_os_str()]);
    let cli = Cli::try_parse_from(words.chain(outputs.map(OsStr::new)))
        .map_err(|error| CliError::fault(error.to_string()))?;
    dispatch(cli)?;
    files::error_line(&format!("left {report} and {screenshot} in the current folder"));
    Ok(())
}

fn no_such_project(word: &str) -> CliError {
    if LATER_COMMANDS.contains(&word) {
        return CliError::Usage(format!("the command `{word}` does not exist yet"));
    }
    let known = || Command::NAMES.iter().copied();
    match nearest_name(word, known()).or_else(|| one_slip_from(word, known())) {
        Some(name) => CliError::Usage(format!(
            "there is no project and no command `{word}`; did you mean the command `{name}`?"
        )),
        None => CliError::fault(format!("{word}: no such folder; `framewalk new DIR` makes a project")),
    }
}

/// Commands that are planned and not there.
const LATER_COMMANDS: [&str; 2] = ["export", "compare"];
