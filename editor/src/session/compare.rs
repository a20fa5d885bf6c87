//! Comparing the three handoffs: the same scene under each of them, recorded whole, on a thread of its own.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};

use framewalk_inspector::comparison::{Comparison, Cpu, Measured, Pictures, Recording};
use framewalk_runtime::frame::record::HandoffMode;
use framewalk_runtime::frame::recorder::RuntimeRecord;
use framewalk_runtime::input::{InputEvent, InputKind, Key};
use framewalk_runtime::render::Renderer;
use framewalk_runtime::render::gpu::{GpuContext, GpuRenderer, TargetReceiver, View, ViewSender};
use framewalk_runtime::render::null::NullRenderer;
use framewalk_runtime::scene::Scene;
use framewalk_runtime::sim::observe::Observed;
use framewalk_runtime::sim::paced::PacedOptions;
use framewalk_runtime::sim::{Control, RunSettings};
use framewalk_runtime::snapshot::Snapshot;
use framewalk_runtime::time::Nanos;

use super::choices::RunThreads;
use super::run::{Drive, Run, Sabotage};
use crate::project::store::cpu::{ThreadCost, thread_costs};

/// Records are drained, and the clock of a run in virtual time moved, this often.
const LOOK: Nanos = Nanos::from_millis(20);
/// A key goes down each time so much of the run has passed, and up again half of that later. No multiple of a usual
/// frame, so that presses fall everywhere in one.
const PRESS_PERIOD: Nanos = Nanos(233_000_000);
/// A key that the samples give no meaning to: what it costs to be seen is the same for all.
const PRESSED: Key = Key::Digit3;

/// Pixels of a picture that is drawn.
const SIZE: [u32; 2] = [1280, 720];

/// What is to be compared.
#[derive(Clone, Debug)]
pub struct Wanted {
    pub scene: Scene,
    /// As Play would start it; the handoff is set for each run.
    pub settings: RunSettings,
    /// For each of the three, on the run's own clock.
    pub lasting: Nanos,
    pub pictures: Pictures,
    /// Time that the submit of each picture takes at least.
    pub render_cost: Nanos,
    pub drive: Drive,
    /// How the threads of each run are set up.
    pub threads: RunThreads,
    /// For the line above the table; what becomes of the pictures is added to it.
    pub about: String,
}

/// A graphics device of the comparison's own: the window's has the window to draw.
struct OffScreen {
    context: GpuContext,
}

impl OffScreen {
    /// None where pictures are only counted.
    ///
    /// # Errors
    /// A sentence: there is no adapter, or it refuses.
    fn for_pictures(pictures: Pictures) -> Result<Option<Self>, String> {
        match pictures {
            Pictures::Counted => Ok(None),
            Pictures::Drawn => {
                let context = GpuContext::headless().map_err(|error| error.to_string())?;
                Ok(Some(Self { context }))
            }
        }
    }

    /// `drawn off screen, 1280 × 720, by llvmpipe (Vulkan), in software`.
    fn sentence(&self) -> String {
        let GpuContext { adapter_name, backend, software, .. } = &self.context;
        let software = if *software { ", in software" } else { "" };
        let [width, height] = SIZE;
        format!("drawn off screen, {width} × {height}, by {adapter_name} ({backend}){software}")
    }

    /// Draws through the scene's own camera and without the editor's grid, into targets that nobody looks at.
    fn renderer(&self) -> Result<(GpuRenderer, (TargetReceiver, ViewSender)), String> {
        let view = View { size: SIZE, ghosts: false, grid: false, ..View::default() };
        let made = GpuRenderer::new(self.context.clone(), view).map_err(|error| error.to_string())?;
        let (renderer, targets, views) = made;
        Ok((renderer, (targets, views)))
    }
}

enum News {
    At(HandoffMode, f32),
    About(String),
    Measured(Box<Measured>),
    Ended(String),
}

/// A comparison that goes on.
pub struct Comparing {
    news: Receiver<News>,
    // Dropped or used: the thread ends its run and then itself.
    cancel: Option<Sender<()>>,
    comparison: Comparison,
}

impl Comparing {
    /// Starts it; `wake` is called from its thread whenever there is something new. In virtual time it is over at once.
    ///
    /// # Errors
    /// A sentence: the system gives no thread.
    pub fn start(wanted: Wanted, wake: impl Fn() + Send + 'static) -> Result<Self, String> {
        let (tell, news) = channel();
        let (cancel, cancelled) = channel();
        let first = HandoffMode::ALL[0];
        let comparison =
            Comparison { about: wanted.about.clone(), running: Some((first, 0.0)), ..Comparison::default() };
        let is_virtual = matches!(wanted.drive, Drive::Virtual { .. });
        let work = move || {
            compare(&wanted, &cancelled, &mut |item| {
                // Nobody listens any more when the program ends.
                let _ = tell.send(item);
                wake();
            });
        };
        if is_virtual {
            work();
        } else {
            std::thread::Builder::new()
                .name("compare".to_owned())
                .spawn(work)
                .map_err(|error| format!("the handoffs were not compared: no thread: {error}"))?;
        }
        Ok(Self { news, cancel: Some(cancel), comparison })
    }

    /// As far as it has come.
    #[must_use]
    pub const fn comparison(&self) -> &Comparison {
        &self.comparison
    }

    #[must_use]
    pub const fn is_running(&self) -> bool {
        self.comparison.running.is_some()
    }

    /// Ends it; what was measured stays.
    pub fn cancel(&mut self) {
        // Dropping it tells the thread.
        self.cancel = None;
        if self.comparison.running.take().is_some() {
            self.comparison.ended = Some("Cancelled before all three had run.".to_owned());
        }
    }

    /// Takes what came since.
    pub fn poll(&mut self) {
        loop {
            match self.news.try_recv() {
                Ok(_) if self.cancel.is_none() => {}
                Ok(News::About(about)) => self.comparison.about = about,
                Ok(News::At(mode, share)) => self.comparison.running = Some((mode, share)),
                Ok(News::Measured(measured)) => {
                    self.comparison.measured.push(*measured);
                    if self.comparison.measured.len() == HandoffMode::ALL.len() {
                        self.comparison.running = None;
                    }
                }
                Ok(News::Ended(why)) => {
                    self.comparison.ended = Some(why);
                    self.comparison.running = None;
                }
                Err(TryRecvError::Empty) => return,
                Err(TryRecvError::Disconnected) => {
                    // Its thread has ended, be it by a panic.
                    if self.comparison.running.take().is_some() {
                        self.comparison.ended = Some("The comparison broke off: see the log.".to_owned());
                    }
                    return;
                }
            }
        }
    }
}

/// Runs the scene under each handoff, one after the other.
fn compare(wanted: &Wanted, cancelled: &Receiver<()>, tell: &mut dyn FnMut(News)) {
    let drawing = match OffScreen::for_pictures(wanted.pictures) {
        Ok(drawing) => drawing,
        Err(problem) => return tell(News::Ended(format!("No picture can be drawn: {problem}"))),
    };
    let pictures = drawing.as_ref().map_or_else(|| "counted, not drawn".to_owned(), OffScreen::sentence);
    tell(News::About(format!("{} · {pictures}", wanted.about)));
    for (place, mode) in HandoffMode::ALL.into_iter().enumerate() {
        let progress = |share: f32| (place as f32 + share) / HandoffMode::ALL.len() as f32;
        tell(News::At(mode, progress(0.0)));
        let settings = RunSettings { handoff: mode, start_paused: false, ..wanted.settings.clone() };
        let mut told = 0.0;
        let recorded = record(wanted, &settings, drawing.as_ref(), cancelled, &mut |share| {
            if share - told >= 0.02 {
                told = share;
                tell(News::At(mode, progress(share)));
            }
        });
        match recorded {
            Ok(Some(recording)) => tell(News::Measured(Box::new(Measured::of(mode, &recording)))),
            Ok(None) => return,
            Err(problem) => return tell(News::Ended(format!("{}: {problem}", mode.name()))),
        }
    }
}

/// Records one run, whole. None where it was cancelled.
///
/// # Errors
/// A sentence: it did not start, or it failed.
fn record(
    wanted: &Wanted,
    settings: &RunSettings,
    drawing: Option<&OffScreen>,
    cancelled: &Receiver<()>,
    tell: &mut dyn FnMut(f32),
) -> Result<Option<Recording>, String> {
    // Nobody takes the pictures; the renderer draws on as long as somebody could.
    let (renderer, _screen): (Box<dyn Renderer<Snapshot>>, _) = match drawing {
        Some(drawing) => {
            let (renderer, screen) = drawing.renderer()?;
            (Box::new(renderer), Some(screen))
        }
        None => (Box::new(NullRenderer::new()), None),
    };
    let before = thread_costs();
    let Wanted { scene, render_cost, drive, threads, .. } = wanted;
    // What is compared are the handoffs: nobody else makes one of them wait.
    let mut options = threads.options();
    options.paced =
        PacedOptions { render_cost: *render_cost, observers: 0, observed: Observed::No, ..options.paced };
    let mut run = drive.start(scene, settings, renderer, options, None, Sabotage::default())?;
    let mut recording = Recording::default();
    let start = run.now();
    let mut next_press = start + PRESS_PERIOD;
    let mut is_down = false;
    loop {
        let passed = run.now() - start;
        if passed >= wanted.lasting {
            recording.lasted = passed;
            break;
        }
        tell((passed.0 as f64 / wanted.lasting.0.max(1) as f64) as f32);
        if run.now() >= next_press {
            let at = run.now();
            let kind = if is_down { InputKind::KeyUp(PRESSED) } else { InputKind::KeyDown(PRESSED) };
            run.control(Control::Input(InputEvent { at, kind }));
            recording.inputs.push(at);
            is_down = !is_down;
            next_press += Nanos(PRESS_PERIOD.0 / 2);
        }
        let step = LOOK.min(wanted.lasting - passed);
        if !let_pass(run.as_mut(), wanted.drive, step, cancelled) {
            run.stop(&mut |_| {});
            return Ok(None);
        }
        run.poll(&mut |record| take(record, &mut recording));
        if let Some(failure) = run.failure() {
            run.stop(&mut |_| {});
            return Err(failure.to_string());
        }
    }
    recording.cpu = before.and_then(|before| cost_since(&before)).filter(|_| wanted.drive == Drive::Threads);
    // Frames go on until it has stopped: what is counted is counted with the last of them.
    let ended = run.stop(&mut |record| take(record, &mut recording));
    recording.counts = ended.counts;
    recording.records_lost = ended.lost_records;
    // Frames come in order; pictures of one thread, too.
    recording.renders.sort_by_key(|render| (render.frame, render.submit_start));
    Ok(Some(recording))
}

/// Lets time pass on the run's clock. False: it is to end.
fn let_pass(run: &mut dyn Run, drive: Drive, step: Nanos, cancelled: &Receiver<()>) -> bool {
    match drive {
        Drive::Threads => {
            let wait = step.to_duration();
            cancelled.recv_timeout(wait) == Err(RecvTimeoutError::Timeout)
        }
        Drive::Virtual { .. } => {
            run.advance(step);
            cancelled.try_recv() == Err(TryRecvError::Empty)
        }
    }
}

fn take(record: RuntimeRecord, recording: &mut Recording) {
    match record {
        RuntimeRecord::Frame(frame) => recording.frames.push(frame),
        RuntimeRecord::Render(render) => recording.renders.push(render),
    }
}

/// What the threads that came since have cost, by their names.
fn cost_since(before: &[ThreadCost]) -> Option<Cpu> {
    let mut cpu = Cpu::default();
    for thread in thread_costs()? {
        if before.iter().any(|known| known.id == thread.id) {
            continue;
        }
        let part = match thread.name.as_str() {
            "sim" => &mut cpu.sim,
            "render" => &mut cpu.render,
            name if name.starts_with("worker") => &mut cpu.workers,
            _ => continue,
        };
        *part += thread.cost;
    }
    Some(cpu)
}
