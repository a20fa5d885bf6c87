//! `framewalk run`: a scene without an editor, and what its frames did.

pub mod csv;
pub mod drive;
pub mod paces;
pub mod pictures;
pub mod plan;
pub mod progress;
pub mod report;
pub mod summary;

use super::CliError;
use super::args::{self, Output, RendererKind, RunArgs};
use super::files::{self, write_output};
use crate::interrupt;
use crate::outcome::{Ending, Identity, Outcome};
use crate::project::store::Pipes;
use crate::project::store::load::{
    LoadedProject, Problem, load_project, load_scene, problems, read_text, stem,
};
use drive::{Course, drive};
use framewalk_runtime::frame::record::HandoffCounts;
use framewalk_runtime::jobs::Workers;
use framewalk_runtime::render::Renderer;
use framewalk_runtime::render::null::NullRenderer;
use framewalk_runtime::scene::fault::nearest_name;
use framewalk_runtime::scene::{EntityId, Scene};
use framewalk_runtime::sim::RunSettings;
use framewalk_runtime::sim::paced::{PacedOptions, PacedRun};
use framewalk_runtime::sim::script::Script;
use framewalk_runtime::sim::virtual_time::{Stamps, VirtualOptions, VirtualRun};
use framewalk_runtime::snapshot::Snapshot;
use framewalk_runtime::time::Nanos;
use framewalk_runtime::time::cadence::Cadence;
use framewalk_runtime::time::fixed_step::MaxTicks;
use framewalk_runtime::time::pacer::Pacing;
use pictures::Pictures;
use plan::StopAt;
use progress::Progress;
use report::{ProcessFigures, Report};
use std::path::Path;

/// Runs what was asked for, and writes what it left.
///
/// # Errors
/// Arguments that do not fit each other, a project that cannot run, a run that failed, or an output that could not
/// be written. Whatever a failed or interrupted run left is still written.
pub fn run(args: Box<RunArgs>) -> Result<(), CliError> {
    let pace = plan::pace(&args)?;
    let renderer = plan::renderer(&args)?;
    plan::refuse_outputs(&[
        ("--report", "the report", &args.report),
        ("--csv", "the CSV", &args.csv),
        ("--screenshot", "the screenshot", &args.screenshot),
    ])?;

    let project = load_project(&args.project).map_err(fault)?;
    let scene_name = scene_name(&project, args.scene.as_deref())?;
    let scene = load_scene(&project.scene_path(&scene_name)).map_err(fault)?;
    let (probes, probe_names) = probes(&scene, &args.probe)?;
    let settings = settings(&args, &project, pace);
    let course = course(&args, &settings)?;
    let identity = Identity {
        project: project.project.name.clone(),
        scene: scene_name,
        probes: probe_names,
        handoff: settings.handoff,
        tick_rate: settings.tick_rate,
        frame_rate: settings.frame_rate,
    };

    let (renderer, mut pictures) = match renderer {
        RendererKind::Null => (null(), None),
        RendererKind::Gpu => {
            match Pictures::start(args.size, (pace == args::Pace::Real).then(|| args.flights.limits())) {
                Ok((renderer, pictures)) => (renderer, Some(pictures)),
                Err(reason) => {
                    files::error_line(&format!("no adapter to draw with, frames are only counted: {reason}"));
                    (null(), None)
                }
            }
        }
    };
    let this_thread = std::thread::current();
    interrupt::listen(move || this_thread.unpark());

    let progress = Progress::new(&format!("{} / {}", identity.project, identity.scene));
    let cannot_start = |reason: String| CliError::fault(format!("error: the run did not start: {reason}"));
    let (outcome, process) = match pace {
        args::Pace::Instant => {
            let options = VirtualOptions {
                start: Nanos::ZERO,
                render_cost: args.render_cost,
                stamps: Stamps::Measured,
                ..VirtualOptions::default()
            };
            let mut run = VirtualRun::new(&scene, &settings, renderer, options)
                .map_err(|error| cannot_start(error.to_string()))?;
            if settings.workers.workers > 0 {
                let workers =
                    Workers::start(&settings.workers).map_err(|error| cannot_start(error.to_string()))?;
                run.set_workers(workers);
            }
            measured(&mut paces::Instant(run), probes, course, &progress)
        }
        args::Pace::Real => {
            let options = PacedOptions {
                render_cost: args.render_cost,
                pacing: Pacing::Precise,
                render_pacing: Pacing::Precise,
                ..PacedOptions::default()
            };
            let (run, render, _observations) = PacedRun::start(&scene, &settings, renderer, options)
                .map_err(|error| cannot_start(error.to_string()))?;
            measured(&mut paces::Real { run, render }, probes, course, &progress)
        }
    };
    progress.finish();

    let report = Report::new(&identity, &outcome, process);
    let written = write_outputs(&args, &identity, &outcome, &report, pictures.as_mut());
    match (exit(&outcome, &report), written) {
        (Err(CliError::Fault(mut lines)), Err(CliError::Fault(also))) => {
            lines.extend(also);
            Err(CliError::Fault(lines))
        }
        (ended, written) => written.and(ended),
    }
}

pub(super) fn fault(problems: Vec<Problem>) -> CliError {
    CliError::Fault(problems.iter().map(Problem::to_string).collect())
}

fn null() -> Box<dyn Renderer<Snapshot>> {
    Box::new(NullRenderer::default())
}

/// Drives the run, and looks at the process before its threads are gone.
fn measured(
    pace: &mut impl drive::Pace,
    probes: Vec<EntityId>,
    course: Course,
    progress: &Progress,
) -> (Outcome, ProcessFigures) {
    pace.sim_mut().set_probes(probes);
    let threads = ProcessFigures::now().threads;
    let outcome = drive(pace, course, progress);
    (outcome, ProcessFigures { threads, ..ProcessFigures::now() })
}

/// The scene that is asked for, or the project's first.
pub(super) fn scene_name(project: &LoadedProject, asked: Option<&str>) -> Result<String, CliError> {
    let Some(asked) = asked else {
        // A project without a scene is refused where it is read.
        return Ok(project.scene_names().next().unwrap_or("main").to_owned());
    };
    let asked = stem(asked);
    if project.scene_names().any(|name| name == asked) {
        return Ok(asked.to_owned());
    }
    let names: Vec<&str> = project.scene_names().collect();
    Err(CliError::Usage(format!(
        "--scene: there is no scene {asked:?} in {}{}; its scenes: {}",
        project.folder.display(),
        did_you_mean(asked, names.iter().copied()),
        names.join(", ")
    )))
}

fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest_name(word, known).map_or_else(String::new, |name| format!(", did you mean {name:?}?"))
}

/// The entities to probe, each once, with the names of their columns.
fn probes(scene: &Scene, asked: &[String]) -> Result<(Vec<EntityId>, Vec<String>), CliError> {
    let mut ids = Vec::new();
    let mut names: Vec<String> = Vec::new();
    for name in asked {
        if names.contains(name) {
            continue;
        }
        let Some(entity) = scene.named(name) else {
            let known = scene.entities.iter().map(|entity| entity.name.as_str());
            return Err(CliError::Usage(format!(
                "--probe: there is no entity {name:?} in this scene{}",
                did_you_mean(name, known)
            )));
        };
        ids.push(entity.id);
        names.push(name.clone());
    }
    Ok((ids, names))
}

/// The project's settings, and over them the arguments'.
fn settings(args: &RunArgs, project: &LoadedProject, pace: args::Pace) -> RunSettings {
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
        tick_limit: args.ticks,
        workers: match pace {
            args::Pace::Real => args.workers.options(),
            // One thread, unless asked for more.
            args::Pace::Instant => args.workers.options_or(0),
        },
    }
}

fn course(args: &RunArgs, settings: &RunSettings) -> Result<Course, CliError> {
    let stop = StopAt::from_args(args);
    if let (StopAt::Ticks(_), 0, None, None) =
        (stop, settings.speed.thousandths(), &args.script, &args.cadence)
    {
        let sentence = "--ticks would never be reached: at speed 0 no tick runs";
        return Err(CliError::Usage(sentence.to_owned()));
    }
    let script = args.script.as_deref().map(load_script).transpose().map_err(fault)?;
    let cadence = args.cadence.as_deref().map(load_cadence).transpose()?;
    Ok(Course { stop, script: script.unwrap_or_default(), cadence })
}

fn load_script(path: &Path) -> Result<Script, Vec<Problem>> {
    let text = read_text(path, Pipes::Read).map_err(|problem| vec![problem])?;
    Script::parse(&text).map_err(|faults| problems(path, faults))
}

fn load_cadence(path: &Path) -> Result<Vec<Nanos>, CliError> {
    let text = read_text(path, Pipes::Read).map_err(|problem| fault(vec![problem]))?;
    match Cadence::parse(&text) {
        Ok(cadence) => Ok(cadence.deltas().to_vec()),
        Err(error) => {
            let mut problem = Problem::of_file(path, error.message);
            problem.fault.line = u32::try_from(error.line).ok();
            problem.fault.column = u32::try_from(error.column).ok();
            if Cadence::is_frame_time_csv(&text) {
                return Err(CliError::Usage(format!("--cadence does not read such a file yet: {problem}")));
            }
            Err(fault(vec![problem]))
        }
    }
}

/// Writes all that was asked for; the first that fails does not keep the others from being written.
fn write_outputs(
    args: &RunArgs,
    identity: &Identity,
    outcome: &Outcome,
    report: &Report,
    pictures: Option<&mut Pictures>,
) -> Result<(), CliError> {
    let mut failed = Vec::new();
    let mut keep = |result: Result<(), CliError>| {
        if let Err(CliError::Fault(lines)) = result {
            failed.extend(lines);
        }
    };
    if let Some(output) = &args.csv {
        keep(write_output(output, "the CSV", csv::table(outcome, &identity.probes).as_bytes()));
    }
    if let Some(output) = &args.report {
        keep(write_output(output, "the report", report.to_json().as_bytes()));
    }
    if let Some(output) = &args.screenshot {
        keep(write_screenshot(output, pictures));
    }
    if args.report.is_none() && !args.writes_stdout() {
        keep(write_output(&Output::Stdout, "the summary", summary::summary(report).as_bytes()));
    }
    if failed.is_empty() { Ok(()) } else { Err(CliError::Fault(failed)) }
}

fn write_screenshot(output: &Output, pictures: Option<&mut Pictures>) -> Result<(), CliError> {
    let Some(pictures) = pictures else {
        return Err(CliError::fault("error: no screenshot: there was no adapter to draw with"));
    };
    let png = pictures
        .last_png()
        .map_err(|reason| CliError::fault(format!("error: the screenshot could not be made: {reason}")))?;
    write_output(output, "the screenshot", &png)
}

/// A run that did not balance, failed or was interrupted says so.
pub(super) fn exit(outcome: &Outcome, report: &Report) -> Result<(), CliError> {
    match &outcome.ending {
        Ending::Failed(message) => Err(CliError::fault(format!("error: the run failed: {message}"))),
        _ if !report.conserved => Err(CliError::Fault(not_conserved(outcome))),
        Ending::Interrupted => Err(CliError::Interrupted),
        Ending::Finished => Ok(()),
    }
}

fn not_conserved(outcome: &Outcome) -> Vec<String> {
    let first = outcome.frames.iter().find(|frame| !frame.conserved());
    let place = first.map_or_else(
        || "after the last frame".to_owned(),
        |frame| format!("in frame {} at tick {}", frame.frame.0, frame.tick.0),
    );
    let HandoffCounts { mode, published, rendered, dropped, undrawn, abandoned, pending, in_flight } =
        first.map_or(outcome.counts, |frame| frame.handoff);
    vec![format!(
        "error: ticks or frames got lost {place}: this is a fault of framewalk. Handoff {}: published {published}, \
         rendered {rendered}, dropped {dropped}, undrawn {undrawn}, abandoned {abandoned}, pending {pending}, in flight {in_flight}",
        mode.name()
    )]
}
