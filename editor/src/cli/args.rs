//! The arguments of every command, as typed values: what parses is already valid by itself.

use super::cost::cost_millis;
use super::flights::FlightArgs;
use super::observers::ObserverArgs;
use super::pacing::PacingArgs;
use super::scene::SceneArgs;
use super::ticks::{TickArgs, rate};
use crate::project::store::template::Template;
use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use framewalk_runtime::frame::stage::Stage;
use framewalk_runtime::scene::fault::Fault;
use framewalk_runtime::scene::project::HandoffMode;
use framewalk_runtime::time::decimal::decimal_nanos;
use framewalk_runtime::time::{Nanos, Rate};
use std::path::PathBuf;

/// A game editor with a live frame inspector.
#[derive(Parser, Debug)]
#[command(
    name = "framewalk",
    version,
    args_conflicts_with_subcommands = true,
    max_term_width = 100,
    after_help = "Examples:\n  \
        framewalk projects/first-steps        open a project in the editor\n  \
        framewalk run projects/judder-lab --pace instant --report -"
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Project folder to open in the editor; without it, the last project or the welcome page
    #[arg(value_name = "PROJECT")]
    pub project: Option<PathBuf>,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Run a scene without an editor, and report what its frames did
    Run(Box<RunArgs>),
    /// Run a scene in a bare window, at the display's rate
    Play(Box<PlayArgs>),
    /// Check projects and scenes, and name every problem with its place
    Check(CheckArgs),
    /// Bring scene files into canonical form, with their comments
    Fmt(FmtArgs),
    /// Make a new project that plays at once
    New(NewArgs),
    /// Draw the editor, or one of its panels, into a picture without a window
    Shot(ShotArgs),
}

impl Command {
    /// Every command's name, as typed.
    pub const NAMES: [&str; 6] = ["run", "play", "check", "fmt", "new", "shot"];

    /// The name of this command, as typed.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Run(_) => "run",
            Self::Play(_) => "play",
            Self::Check(_) => "check",
            Self::Fmt(_) => "fmt",
            Self::New(_) => "new",
            Self::Shot(_) => "shot",
        }
    }
}

#[derive(Args, Debug)]
#[command(
    max_term_width = 100,
    after_help = "Examples:\n  \
        framewalk run projects/first-steps\n  \
        framewalk run projects/judder-lab --pace instant --seconds 3 --frame-rate 144 --probe Mover --csv -\n  \
        framewalk run projects/first-steps --renderer gpu --frames 120 --screenshot shot.png\n  \
        framewalk run projects/handoffs --handoff lockstep --observers 2 --frames 120\n\n\
        Exit status: 0 done, 1 a fault in what was run, 2 wrong usage, 130 interrupted."
)]
pub struct RunArgs {
    #[command(flatten)]
    pub scene: SceneArgs,

    /// Stop after N frames; the first one counts
    #[arg(long, value_name = "N", value_parser = positive_count, group = "stop", allow_hyphen_values = true)]
    pub frames: Option<u64>,
    /// Stop with the first frame at or after S seconds [default: 10; with --cadence, its end]
    #[arg(long, value_name = "S", value_parser = positive_seconds, group = "stop", allow_hyphen_values = true)]
    pub seconds: Option<Nanos>,
    /// Stop at exactly N ticks; what is due beyond is not run
    #[arg(long, value_name = "N", value_parser = positive_count, group = "stop", allow_hyphen_values = true)]
    pub ticks: Option<u64>,

    /// Wait for deadlines, or take time from the grid without waiting [default: real; with --cadence, instant]
    #[arg(long, value_name = "PACE")]
    pub pace: Option<Pace>,
    /// Deadlines a second, 1 to 1000: 60, 59.94, 60000/1001 [default: the project's]
    #[arg(long, value_name = "HZ", value_parser = rate, allow_hyphen_values = true)]
    pub frame_rate: Option<Rate>,
    /// Replay these deltas instead of a grid: one a line, as 16.7ms, 16700us or 16700000 (ns); n deltas make
    /// n + 1 frames; implies --pace instant
    #[arg(long, value_name = "FILE")]
    pub cadence: Option<PathBuf>,

    #[command(flatten)]
    pub ticking: TickArgs,
    #[command(flatten)]
    pub pacing: PacingArgs,

    /// How frames reach the render thread: slot (the newest wins, the rest is dropped), lockstep (both meet at the end of
    /// every frame; nothing is dropped, the faster waits) or free (one frame a tick, drawn at --frame-rate by a clock of
    /// the render thread's own; ticks may stay undrawn) [default: the project's]
    #[arg(long, value_name = "HANDOFF", value_parser = handoff)]
    pub handoff: Option<HandoffMode>,
    #[command(flatten)]
    pub observing: ObserverArgs,
    /// Count frames only, or draw them off screen [default: null; with --screenshot, gpu]
    #[arg(long, value_name = "RENDERER")]
    pub renderer: Option<RendererKind>,
    #[command(flatten)]
    pub flights: FlightArgs,
    /// Milliseconds that every submit takes at least; with --pace instant they pass on the manual clock
    #[arg(long, value_name = "MS", value_parser = cost_millis, default_value = "0", allow_hyphen_values = true)]
    pub render_cost: Nanos,
    /// Log the pose of this entity, every frame, in the CSV (repeatable): as the frame's picture shows it. In the free handoff
    /// pictures are drawn at an alpha of their own; there it is the pose at the frame's, which none of them shows, in columns
    /// NAME@frame. With a physics divisor of n bodies are drawn n ticks behind
    #[arg(long, value_name = "NAME", action = ArgAction::Append)]
    pub probe: Vec<String>,
    /// Actions to take before given frames: a RON list of (frame, action), such as
    /// [(10, pause), (10, step_tick), (10, play), (90, stop)]
    #[arg(long, value_name = "FILE")]
    pub script: Option<PathBuf>,

    /// Write the report, JSON; `-` is stdout [default: a short summary on stdout]. What one handoff has and the others
    /// lack: undrawn, undrawn_ticks, pictures, held, late_pictures, render_rate, sim_wait_ms, render_wait_ms, meetings, observers. What ticks made to sound: sound_cues.
    /// Rates and handoff are those of the last frame; which of them were others before: changed. How percentiles are rounded
    /// where there were more than a million values: percentiles. state_hash is null where a fault left the world in the middle of a frame
    #[arg(long, value_name = "FILE")]
    pub report: Option<Output>,
    /// Write one line a frame, CSV; `-` is stdout. About its pictures: undrawn, sim_wait_ns, render_wait_ns, pictures,
    /// held, and of the first one drawn_at_ns, shown_time_ns, displayed_ns (when it was shown, here the end of its submit),
    /// gpu_done_ns
    #[arg(long, value_name = "FILE")]
    pub csv: Option<Output>,
    /// Write the last picture drawn, PNG; `-` is stdout
    #[arg(long, value_name = "FILE")]
    pub screenshot: Option<Output>,
    /// Size of the pictures drawn off screen
    #[arg(long, value_name = "WxH", value_parser = picture_size, allow_hyphen_values = true, default_value = "1280x720")]
    pub size: [u32; 2],

    // Named so that they are refused with a sentence rather than with a guess at another flag.
    #[arg(long, hide = true, value_name = "FILE", value_parser = not_yet_capture)]
    pub capture: Option<NotYet>,
    #[arg(long, hide = true, value_name = "FILE", value_parser = not_yet_replay)]
    pub replay: Option<NotYet>,
}

#[derive(Args, Debug)]
#[command(
    max_term_width = 100,
    after_help = "Examples:\n  \
        framewalk play projects/first-steps\n  \
        framewalk play projects/judder-lab --seconds 10 --report play.json\n\n\
        Keys: Escape ends it, F11 fills the screen; all others are the game's.\n\
        Exit status: 0 done, 1 a fault in what was run or no window, 2 wrong usage, 130 interrupted."
)]
pub struct PlayArgs {
    #[command(flatten)]
    pub scene: SceneArgs,

    /// Stop once N frames have run; one or two more may begin meanwhile [default: when the window is closed]
    #[arg(long, value_name = "N", value_parser = positive_count, group = "stop", allow_hyphen_values = true)]
    pub frames: Option<u64>,
    /// Stop after S seconds [default: when the window is closed]
    #[arg(long, value_name = "S", value_parser = positive_seconds, group = "stop", allow_hyphen_values = true)]
    pub seconds: Option<Nanos>,

    /// Frames a second, 1 to 1000: 60, 59.94, 60000/1001 [default: the display's, else the project's]
    #[arg(long, value_name = "HZ", value_parser = rate, allow_hyphen_values = true)]
    pub frame_rate: Option<Rate>,
    #[command(flatten)]
    pub ticking: TickArgs,
    #[command(flatten)]
    pub flights: FlightArgs,
    /// How frames reach the render thread [default: the project's]
    #[arg(long, value_name = "HANDOFF", value_parser = handoff)]
    pub handoff: Option<HandoffMode>,
    #[command(flatten)]
    pub observing: ObserverArgs,

    #[command(flatten)]
    pub pacing: PacingArgs,
    /// How often a second the window's thread looks after the run, 1 to 1000; input is taken as it arrives
    #[arg(long, value_name = "HZ", value_parser = rate, default_value = "1000", allow_hyphen_values = true)]
    pub poll: Rate,
    /// How often a second that thread looks after what sounds, 1 to 1000 [default: the project's, else 250]
    #[arg(long, value_name = "HZ", value_parser = rate, allow_hyphen_values = true)]
    pub audio_rate: Option<Rate>,
    /// Size of the window
    #[arg(long, value_name = "WxH", value_parser = picture_size, allow_hyphen_values = true, default_value = "1280x720")]
    pub size: [u32; 2],
    /// Fill the screen
    #[arg(long)]
    pub fullscreen: bool,

    /// Write the report, JSON; `-` is stdout [default: a short summary on stdout]. How the window's thread kept its own
    /// time, and what was heard through which device: measured.window. All figures are of the whole run; how their
    /// percentiles are rounded where it was long: percentiles
    #[arg(long, value_name = "FILE")]
    pub report: Option<Output>,
    /// Write one line a frame, CSV; `-` is stdout
    #[arg(long, value_name = "FILE")]
    pub csv: Option<Output>,
}

#[derive(Args, Debug)]
#[command(
    after_help = "Example:\n  framewalk check projects/first-steps projects/judder-lab/scenes/main.ron\n\n\
        Exit status: 0 all is well, 1 problems were found (path:line:column: message, on stdout), 2 wrong usage."
)]
pub struct CheckArgs {
    /// Project folders and scene files
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,
}

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  framewalk fmt projects/first-steps\n  framewalk fmt --check my-game/scenes/main.ron\n\n\
        Exit status: 0 done, 1 a file was refused or, with --check, differs, 2 wrong usage."
)]
pub struct FmtArgs {
    /// Project folders and scene files
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,
    /// Write nothing; only say which files differ
    #[arg(long)]
    pub check: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
        framewalk shot projects/first-steps editor.png\n  \
        framewalk shot projects/judder-lab --panel Pacing --size 900x400 --theme light pacing.png\n  \
        framewalk shot projects/first-steps --stages 4 --select Ball --panel Scene ghosts.png\n\n\
        Exit status: 0 done, 1 the picture could not be made, 2 wrong usage.")]
pub struct ShotArgs {
    /// Project folder (it holds project.ron)
    #[arg(value_name = "PROJECT")]
    pub project: PathBuf,
    /// Where the picture goes, PNG; `-` is stdout
    #[arg(value_name = "OUT.png")]
    pub output: Output,
    /// Which scene [default: the project's first]
    #[arg(long, value_name = "NAME")]
    pub scene: Option<String>,
    /// One panel by the name on its tab, such as Stages [default: the whole window]
    #[arg(long, value_name = "NAME")]
    pub panel: Option<String>,
    /// Size of the picture
    #[arg(long, value_name = "WxH", value_parser = picture_size, allow_hyphen_values = true, default_value = "1600x1000")]
    pub size: [u32; 2],
    /// Dark or light
    #[arg(long, value_name = "THEME", default_value = "dark")]
    pub theme: ShotTheme,
    /// Ticks a second, 1 to 1000 [default: the project's]
    #[arg(long, value_name = "HZ", value_parser = rate, allow_hyphen_values = true)]
    pub tick_rate: Option<Rate>,
    /// Frames a second, 1 to 1000 [default: the project's]
    #[arg(long, value_name = "HZ", value_parser = rate, allow_hyphen_values = true)]
    pub frame_rate: Option<Rate>,
    /// How frames reach the render thread: slot, lockstep or free [default: the project's]
    #[arg(long, value_name = "HANDOFF", value_parser = handoff)]
    pub handoff: Option<HandoffMode>,
    /// Play so long on a manual clock, then pause; 0 shows the scene as it was made
    #[arg(long, value_name = "S", value_parser = some_seconds, default_value = "3", allow_hyphen_values = true)]
    pub seconds: Nanos,
    /// Then open the next frame and run so many of its six stages
    #[arg(long, value_name = "N", value_parser = stage_count, default_value = "0", allow_hyphen_values = true)]
    pub stages: u8,
    /// Select this entity; one that was spawned has its name from the outliner
    #[arg(long, value_name = "NAME")]
    pub select: Option<String>,
    /// Draw on a software adapter where there is one: nearly the same picture on every machine
    #[arg(long)]
    pub software: bool,
}

/// The theme of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ShotTheme {
    Dark,
    Light,
}

#[derive(Args, Debug)]
#[command(after_help = "Example:\n  framewalk new my-game --template first-steps")]
pub struct NewArgs {
    /// Folder to make; it must not exist yet, or be empty
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
    /// What the new project starts from
    #[arg(long, value_name = "NAME", default_value = "empty")]
    pub template: Template,
}

/// Where the time of a run comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Pace {
    /// Waits for each deadline
    Real,
    /// Takes time from the grid without waiting; the same every time
    Instant,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RendererKind {
    /// Counts frames only
    Null,
    /// Draws off screen
    Gpu,
}

/// Where data is written: a file, or stdout for `-` (and for its names, which cannot be replaced by a whole file).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    Stdout,
    File(PathBuf),
}

impl From<std::ffi::OsString> for Output {
    fn from(text: std::ffi::OsString) -> Self {
        const STDOUT: [&str; 4] = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
        if STDOUT.iter().any(|name| text == *name) { Self::Stdout } else { Self::File(PathBuf::from(text)) }
    }
}

/// An option that is planned; no value of it can be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotYet {}

fn not_yet_capture(_: &str) -> Result<NotYet, String> {
    Err("--capture does not exist yet; --csv keeps one line for every frame".to_owned())
}

fn not_yet_replay(_: &str) -> Result<NotYet, String> {
    Err("--replay does not exist yet; --cadence replays the deltas of a run".to_owned())
}

fn handoff(text: &str) -> Result<HandoffMode, String> {
    text.parse().map_err(|fault: Fault| fault.sentence())
}

fn positive_count(text: &str) -> Result<u64, String> {
    match text.parse::<u64>() {
        Ok(0) => Err("0 is refused: a run has at least 1".to_owned()),
        Ok(count) if text.bytes().all(|byte| byte.is_ascii_digit()) && count <= MOST_FRAMES => Ok(count),
        _ => Err(format!("write a whole number from 1 to {MOST_FRAMES}")),
    }
}

fn positive_seconds(text: &str) -> Result<Nanos, String> {
    match decimal_nanos(text, 9) {
        Some(Nanos::ZERO) => Err("0 is refused: a run takes some time".to_owned()),
        Some(nanos) if nanos <= LONGEST_RUN => Ok(nanos),
        _ => Err(format!("write seconds above 0, at most {}, such as 10 or 0.5", LONGEST_RUN.as_secs_f64())),
    }
}

fn some_seconds(text: &str) -> Result<Nanos, String> {
    let most = Nanos::from_secs(600);
    decimal_nanos(text, 9)
        .filter(|time| *time <= most)
        .ok_or_else(|| "write seconds from 0 to 600, such as 3 or 0.5".to_owned())
}

fn stage_count(text: &str) -> Result<u8, String> {
    let stages = text.parse::<u8>().ok().filter(|stages| usize::from(*stages) <= Stage::COUNT);
    stages.ok_or_else(|| "write a number of stages from 0 to 6".to_owned())
}

/// Most frames, or ticks, of one run.
const MOST_FRAMES: u64 = 1_000_000_000;
/// A million seconds, some eleven days.
const LONGEST_RUN: Nanos = Nanos::from_secs(1_000_000);

fn picture_size(text: &str) -> Result<[u32; 2], String> {
    let refused = || "write width x height in pixels, 1 to 8192 each, such as 1280x720".to_owned();
    let (width, height) = text.split_once(['x', 'X']).ok_or_else(refused)?;
    let side = |part: &str| {
        let plain = part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse::<u32>().ok().filter(|side| plain && (1..=8192).contains(side))
    };
    Ok([side(width).ok_or_else(refused)?, side(height).ok_or_else(refused)?])
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_argument_definitions_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn sizes_are_two_whole_numbers() {
        assert_eq!(picture_size("640x360"), Ok([640, 360]));
        for text in ["640", "0x10", "x", "10x", "9000x10", "-1x5", "+1x5", "1.5x2"] {
            assert!(picture_size(text).is_err(), "{text}");
        }
    }
}
