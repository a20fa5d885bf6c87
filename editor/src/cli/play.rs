//! `framewalk play`: a scene in a bare window, and what its frames did.

use super::CliError;
use super::args::PlayArgs;
use super::observers::Meets;
use super::run::outputs::{self, Outputs};
use super::run::report::{ProcessFigures, Report};
use super::run::{exit, plan};
use crate::interrupt;
use crate::play::{Plan, Stop};
use framewalk_runtime::sim::paced::PacedOptions;

/// Plays what was asked for until the window is closed, and writes what that left.
///
/// # Errors
/// No window can be opened here, a project that cannot run, a run that failed, or an output that could not be written.
pub fn play(args: &PlayArgs) -> Result<(), CliError> {
    plan::refuse_outputs(&[("--report", "the report", &args.report), ("--csv", "the CSV", &args.csv)])?;
    let loaded = args.scene.load()?;
    let settings = args.ticking.settings(&loaded.project, args.frame_rate, args.handoff);
    args.observing.refuse_idle(Meets::of(settings.handoff))?;
    crate::window::display_available().map_err(|reason| {
        let path = args.scene.project.display();
        CliError::fault(format!(
            "error: no window can be opened: {reason}; `framewalk run {path}` runs the scene without one"
        ))
    })?;

    let mut identity = loaded.identity(&settings);
    let placement = settings.workers.placement.clone();
    // Looked at a thousand times a second: nobody needs to be woken.
    interrupt::listen(|| {});
    let played = crate::play::play(Plan {
        project: identity.project.clone(),
        scene_name: loaded.name,
        scene: loaded.scene,
        settings,
        fixed_rate: args.frame_rate.is_some(),
        stop: stop(args),
        poll: args.poll,
        audio: args.audio_rate.unwrap_or(loaded.project.audio_rate),
        options: PacedOptions { observers: args.observing.count(), ..args.pacing.options() },
        observer_cost: args.observing.observer_cost.unwrap_or_default(),
        flights: args.flights.limits(),
        size: args.size,
        fullscreen: args.fullscreen,
        keep_all: args.csv.is_some(),
    })
    .map_err(|reason| CliError::fault(format!("error: the scene could not be played: {reason}")))?;
    identity.frame_rate = played.frame_rate;

    let report = Report::new(&identity, &played.outcome, ProcessFigures::now().seated(placement.seating()));
    let wanted = Outputs { csv: args.csv.as_ref(), report: args.report.as_ref(), screenshot: None };
    let failed = wanted.write(&identity, &played.outcome, &report, None);
    outputs::end(exit(&played.outcome, &report), failed)
}

fn stop(args: &PlayArgs) -> Stop {
    match (args.frames, args.seconds) {
        (Some(frames), _) => Stop::Frames(frames),
        (_, Some(seconds)) => Stop::Elapsed(seconds),
        _ => Stop::Never,
    }
}
