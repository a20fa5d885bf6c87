//! `framewalk play`: a scene in a bare window, and what its frames did.

use super::CliError;
use super::args::{Output, PlayArgs};
use super::files::write_output;
use super::run::report::{ProcessFigures, Report};
use super::run::{csv, exit, fault, plan, scene_name, summary};
use crate::interrupt;
use crate::outcome::Identity;
use crate::play::{Plan, Stop};
use crate::project::store::load::{LoadedProject, load_project, load_scene};
use framewalk_runtime::sim::RunSettings;
use framewalk_runtime::time::fixed_step::MaxTicks;

/// Plays what was asked for until the window is closed, and writes what that left.
///
/// # Errors
/// No window can be opened here, a project that cannot run, a run that failed, or an output that could not be written.
pub fn play(args: &PlayArgs) -> Result<(), CliError> {
    plan::refuse_outputs(&[("--report", "the report", &args.report), ("--csv", "the CSV", &args.csv)])?;
    let project = load_project(&args.project).map_err(fault)?;
    let scene_name = scene_name(&project, args.scene.as_deref())?;
    let scene = load_scene(&project.scene_path(&scene_name)).map_err(fault)?;
    crate::window::display_available().map_err(|reason| {
        let path = args.project.display();
        CliError::fault(format!(
            "error: no window can be opened: {reason}; `framewalk run {path}` runs the scene without one"
        ))
    })?;

    let settings = settings(args, &project);
    let mut identity = Identity {
        project: project.project.name.clone(),
        scene: scene_name.clone(),
        probes: Vec::new(),
        handoff: settings.handoff,
        tick_rate: settings.tick_rate,
        frame_rate: settings.frame_rate,
    };
    // Looked at a thousand times a second: nobody needs to be woken.
    interrupt::listen(|| {});
    let played = crate::play::play(Plan {
        project: identity.project.clone(),
        scene_name,
        scene,
        settings,
        fixed_rate: args.frame_rate.is_some(),
        stop: stop(args),
        poll: args.poll,
        audio: args.audio_rate.unwrap_or(project.project.audio_rate),
        pacing: args.pacing.into(),
        flights: args.flights.limits(),
        size: args.size,
        fullscreen: args.fullscreen,
        keep_all: args.report.is_some() || args.csv.is_some(),
    })
    .map_err(|reason| CliError::fault(format!("error: the scene could not be played: {reason}")))?;
    identity.frame_rate = played.frame_rate;

    let report = Report::new(&identity, &played.outcome, ProcessFigures::now());
    let mut failed = Vec::new();
    let mut write = |output: &Option<Output>, what: &str, text: String| {
        if let Some(output) = output
            && let Err(CliError::Fault(lines)) = write_output(output, what, text.as_bytes())
        {
            failed.extend(lines);
        }
    };
    if args.csv.is_some() {
        write(&args.csv, "the CSV", csv::table(&played.outcome, &identity.probes));
    }
    write(&args.report, "the report", report.to_json());
    if args.report.is_none() && args.csv != Some(Output::Stdout) {
        write(&Some(Output::Stdout), "the summary", summary::summary(&report));
    }
    with_failed_outputs(exit(&played.outcome, &report), failed)
}

/// How a run ended, and what of it could not be written: neither hides the other.
fn with_failed_outputs(ended: Result<(), CliError>, failed: Vec<String>) -> Result<(), CliError> {
    match ended {
        Err(CliError::Fault(mut lines)) => {
            lines.extend(failed);
            Err(CliError::Fault(lines))
        }
        _ if !failed.is_empty() => Err(CliError::Fault(failed)),
        ended => ended,
    }
}

/// The project's settings, and over them the arguments'.
fn settings(args: &PlayArgs, project: &LoadedProject) -> RunSettings {
    let project = &project.project;
    RunSettings {
        run: 1,
        tick_rate: args.tick_rate.unwrap_or(project.tick_rate),
        physics_divisor: args.physics_divisor.unwrap_or(project.physics_divisor),
        frame_rate: args.frame_rate.unwrap_or(project.frame_rate),
        speed: args.speed.unwrap_or(project.speed),
        max_ticks: args.max_ticks.map_or(project.limits.max_ticks, MaxTicks::Fixed),
        max_delta: project.limits.max_delta,
        handoff: args.handoff.unwrap_or(project.handoff),
        start_paused: false,
        tick_limit: None,
        workers: args.workers.options(),
    }
}

fn stop(args: &PlayArgs) -> Stop {
    match (args.frames, args.seconds) {
        (Some(frames), _) => Stop::Frames(frames),
        (_, Some(seconds)) => Stop::Elapsed(seconds),
        _ => Stop::Never,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_that_cannot_be_written_does_not_hide_that_the_run_failed() {
        let failed = || vec!["no disk".to_owned()];
        let lines = |result: Result<(), CliError>| match result {
            Err(CliError::Fault(lines)) => lines,
            other => panic!("{other:?}"),
        };
        let both = with_failed_outputs(Err(CliError::fault("the run failed")), failed());
        assert_eq!(lines(both), ["the run failed", "no disk"]);
        assert_eq!(lines(with_failed_outputs(Ok(()), failed())), ["no disk"]);
        assert_eq!(lines(with_failed_outputs(Err(CliError::Interrupted), failed())), ["no disk"]);
        assert!(matches!(
            with_failed_outputs(Err(CliError::Interrupted), vec![]),
            Err(CliError::Interrupted)
        ));
        assert!(with_failed_outputs(Ok(()), vec![]).is_ok());
    }
}
