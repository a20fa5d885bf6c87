//! `framewalk run`: a scene without an editor, and what its frames did.

pub mod csv;
pub mod drive;
pub mod outputs;
pub mod paces;
pub mod pictures;
pub mod plan;
pub mod progress;
pub mod report;
pub mod summary;

use super::CliError;
use super::args::{self, RendererKind, RunArgs};
use super::files;
use super::observers::Meets;
use super::scene::did_you_mean;
use crate::interrupt;
use crate::outcome::{Ending, Identity, Outcome};
use crate::project::store::Pipes;
use crate::project::store::load::{Problem, problems, read_text};
use drive::{Course, drive};
use framewalk_runtime::frame::record::HandoffCounts;
use framewalk_runtime::jobs::Workers;
use framewalk_runtime::jobs::thread::Placement;
use framewalk_runtime::render::Renderer;
use framewalk_runtime::render::null::NullRenderer;
use framewalk_runtime::scene::project::HandoffMode;
use framewalk_runtime::scene::{EntityId, Scene};
use framewalk_runtime::sim::RunSettings;
use framewalk_runtime::sim::observers::thread::Observers;
use framewalk_runtime::sim::paced::{PacedOptions, PacedRun};
use framewalk_runtime::sim::script::{Action, Script};
use framewalk_runtime::sim::virtual_time::{Observed, Stamps, VirtualOptions, VirtualRun};
use framewalk_runtime::snapshot::Snapshot;
use framewalk_runtime::time::Nanos;
use framewalk_runtime::time::cadence::Cadence;
use outputs::Outputs;
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

    let loaded = args.scene.load()?;
    let (probes, probe_names) = probes(&loaded.scene, &args.probe)?;
    let mut settings = args.ticking.settings(&loaded.project, args.frame_rate, args.handoff);
    settings.tick_limit = args.ticks;
    if pace == args::Pace::Instant {
        // One thread, unless asked for more.
        settings.workers = args.ticking.workers.options_or(0);
    }
    let course = course(&args, &settings)?;
    args.observing.refuse_idle(meets(settings.handoff, &course.script))?;
    let cadence = course.cadence.is_some();
    let identity = Identity { probes: probe_names, cadence, ..loaded.identity(&settings) };
    let scene = loaded.scene;

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
    let placement = settings.workers.placement.clone();
    let (outcome, process) = match pace {
        args::Pace::Instant => {
            let options = VirtualOptions {
                start: Nanos::ZERO,
                render_cost: args.render_cost,
                stamps: Stamps::Measured,
                observed: Observed::No,
            };
            let mut run = VirtualRun::new(&scene, &settings, renderer, options)
                .map_err(|error| cannot_start(error.to_string()))?;
            if settings.workers.workers > 0 {
                let workers =
                    Workers::start(&settings.workers).map_err(|error| cannot_start(error.to_string()))?;
                run.set_workers(workers);
            }
            measured(&mut paces::Instant(run), probes, course, &progress, &placement)
        }
        args::Pace::Real => {
            let (render_cost, observers) = (args.render_cost, args.observing.count());
            let options = PacedOptions { render_cost, observers, ..args.pacing.options() };
            let (run, mut render, _observations) = PacedRun::start(&scene, &settings, renderer, options)
                .map_err(|error| cannot_start(error.to_string()))?;
            let observers = std::mem::take(&mut render.observers);
            let observers = Observers::start(observers, |_| args.observing.reading())
                .map_err(|error| cannot_start(error.to_string()))?;
            measured(&mut paces::Real { run, render, observers }, probes, course, &progress, &placement)
        }
    };
    progress.finish();
    if let Some(loss) = pictures.as_ref().and_then(Pictures::loss) {
        files::error_line(&loss);
    }

    let report = Report::new(&identity, &outcome, process);
    let wanted = Outputs {
        csv: args.csv.as_ref(),
        report: args.report.as_ref(),
        screenshot: args.screenshot.as_ref(),
    };
    let failed = wanted.write(&identity, &outcome, &report, pictures.as_mut());
    outputs::end(exit(&outcome, &report), failed)
}

/// Whether observers have anybody to meet: a script may choose the lockstep later on.
fn meets(handoff: HandoffMode, script: &Script) -> Meets {
    let chosen = script.actions().any(|action| action == Action::SetHandoff(HandoffMode::Lockstep));
    if chosen { Meets::Sometimes } else { Meets::of(handoff) }
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
    placement: &Placement,
) -> (Outcome, ProcessFigures) {
    // The calling thread is the one that simulates.
    let _stays = placement.of_sim().and_then(|seat| seat.take("sim"));
    pace.sim_mut().set_probes(probes);
    let threads = ProcessFigures::now().threads;
    let outcome = drive(pace, course, progress);
    (outcome, ProcessFigures { threads, ..ProcessFigures::now() }.seated(placement.seating()))
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

fn course(args: &RunArgs, settings: &RunSettings) -> Result<Course, CliError> {
    let stop = StopAt::from_args(args);
    if let (StopAt::Ticks(_), 0, None, None) =
        (stop, settings.speed.thousandths(), &args.script, &args.cadence)
    {
        let sentence = "--ticks would never be reached: at speed 0 no tick runs";
        return Err(CliError::Usage(sentence.to_owned()));
    }
    let script = args.script.as_deref().map(load_script).transpose()?;
    let cadence = args.cadence.as_deref().map(load_cadence).transpose()?;
    Ok(Course { stop, script: script.unwrap_or_default(), cadence, keeps_records: args.csv.is_some() })
}

fn load_script(path: &Path) -> Result<Script, Vec<Problem>> {
    let text = read_text(path, Pipes::Read).map_err(|problem| vec![problem])?;
    Script::parse(&text).map_err(|faults| problems(path, faults))
}

fn load_cadence(path: &Path) -> Result<Vec<Nanos>, CliError> {
    let text = read_text(path, Pipes::Read).map_err(|problem| CliError::from(vec![problem]))?;
    match Cadence::parse(&text) {
        Ok(cadence) => Ok(cadence.deltas().to_vec()),
        Err(error) => {
            let mut problem = Problem::of_file(path, error.message);
            problem.fault.line = u32::try_from(error.line).ok();
            problem.fault.column = u32::try_from(error.column).ok();
            if Cadence::is_frame_time_csv(&text) {
                return Err(CliError::Usage(format!("--cadence does not read such a file yet: {problem}")));
            }
            Err(vec![problem].into())
        }
    }
}

/// A run that did not balance, failed or was interrupted says so.
pub(super) fn exit(outcome: &Outcome, report: &Report) -> Result<(), CliError> {
    match &outcome.ending {
        Ending::Failed(message) => Err(CliError::fault(format!("error: the run failed: {message}"))),
        _ if !report.conserved => Err(CliError::Fault(not_conserved(outcome))),
        _ if let Some(fault) = outcome.observers_fault() => {
            Err(CliError::fault(format!("error: {fault}: this is a fault of framewalk")))
        }
        Ending::Interrupted => Err(CliError::Interrupted),
        Ending::Finished => Ok(()),
    }
}

fn not_conserved(outcome: &Outcome) -> Vec<String> {
    let first = outcome.figures.unbalanced;
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
