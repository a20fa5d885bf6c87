//! What a run is asked to do: arguments that fit each other, and the project's own settings beneath them.

use super::super::CliError;
use super::super::args::{Output, Pace, RendererKind, RunArgs};
use super::super::files::refuse_unwritable;
use crate::project::store::whole::{behind_links, folder_of};
use framewalk_runtime::time::Nanos;
use std::path::PathBuf;

/// When a run ends by itself, beside the end of a cadence or of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopAt {
    Frames(u64),
    /// With the first frame whose elapsed time is at least this.
    Elapsed(Nanos),
    Ticks(u64),
    /// Only with the end of the cadence.
    CadenceEnd,
}

/// How far a run has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Come {
    pub frames: u64,
    pub elapsed: Nanos,
    pub ticks: u64,
}

impl StopAt {
    /// The default: ten seconds.
    pub const DEFAULT: Self = Self::Elapsed(Nanos::from_secs(10));

    /// What the arguments say.
    #[must_use]
    pub fn from_args(args: &RunArgs) -> Self {
        match (args.frames, args.seconds, args.ticks) {
            (Some(frames), ..) => Self::Frames(frames),
            (_, Some(seconds), _) => Self::Elapsed(seconds),
            (.., Some(ticks)) => Self::Ticks(ticks),
            _ if args.cadence.is_some() => Self::CadenceEnd,
            _ => Self::DEFAULT,
        }
    }

    /// The run is over.
    #[must_use]
    pub fn reached(self, come: Come) -> bool {
        match self {
            Self::Frames(frames) => come.frames >= frames,
            // A run has its first frame before any time has passed.
            Self::Elapsed(length) => come.frames > 0 && come.elapsed >= length,
            Self::Ticks(ticks) => come.ticks >= ticks,
            Self::CadenceEnd => false,
        }
    }

    /// How much of the run is done, 0–1; `cadence_frames` is what a cadence will make.
    #[must_use]
    pub fn progress(self, come: Come, cadence_frames: Option<u64>) -> f64 {
        let share = |done: f64, all: f64| if all > 0.0 { (done / all).clamp(0.0, 1.0) } else { 1.0 };
        let own = match self {
            Self::Frames(frames) => share(come.frames as f64, frames as f64),
            Self::Elapsed(length) => share(come.elapsed.0 as f64, length.0 as f64),
            Self::Ticks(ticks) => share(come.ticks as f64, ticks as f64),
            Self::CadenceEnd => 0.0,
        };
        let cadence = cadence_frames.map_or(0.0, |frames| share(come.frames as f64, frames as f64));
        own.max(cadence)
    }
}

/// Where the time comes from, once the arguments agree.
///
/// # Errors
/// A cadence is its own time: it cannot wait for real deadlines. Where nothing waits, nobody can be told how.
pub fn pace(args: &RunArgs) -> Result<Pace, CliError> {
    let instant = args.pace == Some(Pace::Instant) || args.cadence.is_some();
    if instant && args.pacing.is_given() {
        return Err(CliError::Usage(
            "--pacing and --render-pacing say how threads wait, and with --pace instant or --cadence none does: leave them out"
                .to_owned(),
        ));
    }
    if instant {
        args.observing.refuse_one_thread()?;
    }
    match (args.pace, &args.cadence) {
        (Some(Pace::Real), Some(_)) => Err(CliError::Usage(
            "--cadence brings its own time and cannot be run with --pace real: leave --pace out".to_owned(),
        )),
        (_, Some(_)) => Ok(Pace::Instant),
        (pace, None) => Ok(pace.unwrap_or(Pace::Real)),
    }
}

/// Which renderer, once the arguments agree.
///
/// # Errors
/// Nothing is drawn by the renderer that only counts.
pub fn renderer(args: &RunArgs) -> Result<RendererKind, CliError> {
    match (args.renderer, &args.screenshot) {
        (Some(RendererKind::Null), Some(_)) => Err(CliError::Usage(
            "--screenshot needs a picture and --renderer null draws none: use --renderer gpu".to_owned(),
        )),
        (None, Some(_)) => Ok(RendererKind::Gpu),
        (renderer, _) => Ok(renderer.unwrap_or(RendererKind::Null)),
    }
}

/// Each output has a place of its own, however it is written, that can be written to; only one can have stdout.
///
/// # Errors
/// Two of them want the same, or one could not be written after the run.
pub fn refuse_outputs(named: &[(&str, &str, &Option<Output>)]) -> Result<(), CliError> {
    let options: Vec<&str> = named.iter().map(|(option, ..)| *option).collect();
    let mut places = Vec::new();
    let mut unwritable = Vec::new();
    for &(option, what, output) in named {
        let Some(output) = output else { continue };
        if *output == Output::File(PathBuf::new()) {
            return Err(CliError::Usage(format!("{option} needs a file name, or `-` for stdout")));
        }
        let place = place(output);
        if places.contains(&place) {
            let named = match output {
                Output::Stdout => "stdout (`-`)".to_owned(),
                Output::File(path) => path.display().to_string(),
            };
            let sentence = format!("only one of {} can go to {named}", listed(&options));
            return Err(CliError::Usage(sentence));
        }
        places.push(place);
        unwritable.extend(refuse_unwritable(output, what).err());
    }
    if unwritable.is_empty() { Ok(()) } else { Err(CliError::Fault(unwritable)) }
}

fn listed(options: &[&str]) -> String {
    match options {
        [others @ .., last] if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        one => one.concat(),
    }
}

/// The same for two spellings of one place (`a.csv`, `./a.csv`, a link to it).
fn place(output: &Output) -> Output {
    let Output::File(path) = output else { return Output::Stdout };
    let path = behind_links(path);
    let in_folder = || Some(folder_of(&path).canonicalize().ok()?.join(path.file_name()?));
    let real = path.canonicalize().ok().or_else(in_folder);
    Output::File(real.unwrap_or(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_ends_with_the_first_frame_at_or_after_its_length() {
        let come = |frames, elapsed, ticks| Come { frames, elapsed: Nanos(elapsed), ticks };
        for (stop, come, reached) in [
            (StopAt::Frames(3), come(2, 0, 0), false),
            (StopAt::Frames(3), come(3, 0, 0), true),
            (StopAt::Elapsed(Nanos(100)), come(9, 99, 9), false),
            (StopAt::Elapsed(Nanos(100)), come(9, 100, 9), true),
            (StopAt::Ticks(5), come(9, 100, 4), false),
            (StopAt::Ticks(5), come(9, 100, 5), true),
            (StopAt::CadenceEnd, come(9, 100, 5), false),
        ] {
            assert_eq!(stop.reached(come), reached, "{stop:?} {come:?}");
        }
    }

    #[test]
    fn progress_follows_whatever_ends_first() {
        let come = Come { frames: 50, elapsed: Nanos(100), ticks: 0 };
        let thousandths = |stop: StopAt, cadence| (stop.progress(come, cadence) * 1000.0).round() as u32;
        assert_eq!(thousandths(StopAt::Elapsed(Nanos(1000)), None), 100);
        assert_eq!(thousandths(StopAt::Elapsed(Nanos(1000)), Some(100)), 500);
        assert_eq!(thousandths(StopAt::CadenceEnd, Some(200)), 250);
        assert_eq!(thousandths(StopAt::Ticks(10), None), 0);
    }
}
