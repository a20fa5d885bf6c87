//! A scene in a bare window: no editor, no interface, and a window's thread that never waits for anybody.
//!
//! ```text
//!   main ──── input, as it arrives ────▶ inbox ──▶ sim ──▶ handoff ──▶ render ──▶ the window's surface
//!    │ ──── controls ──▶ queue ──────────────────▶  │                     │
//!    ◀──────────────── records ─────────────────────┤─────────────────────┘
//!    ◀──────── cues, places ─────────────────────────┘   heard at a rate of their own
//! ```
//!
//! The window's thread takes events as they come, and looks after the run a thousand times a second: what it records,
//! which display it is on, whether it is over. It neither simulates nor draws nor talks to the graphics device once the
//! window stands; the surface belongs to the render thread.

pub mod device;
pub mod mouse;
pub mod plan;
pub mod poll;
pub mod records;
pub mod surface;
pub mod title;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use framewalk_runtime::frame::recorder::RuntimeRecord;
use framewalk_runtime::frame::sounds::{CUE_CAPACITY, sounds};
use framewalk_runtime::input::InputKind;
use framewalk_runtime::joining::LeftThread;
use framewalk_runtime::render::gpu::{View, ViewSender};
use framewalk_runtime::scene::Scene;
use framewalk_runtime::sim::inputs::{InputSender, inputs};
use framewalk_runtime::sim::observers::thread::busy_for;
use framewalk_runtime::sim::thread::LiveRun;
use framewalk_runtime::sim::{Control, RunSettings, Sim};
use framewalk_runtime::time::pacer::wake_sharp;
use framewalk_runtime::time::source::RealClock;
use framewalk_runtime::time::{Nanos, Rate};
use winit::application::ApplicationHandler;
use winit::dpi::PhysicalSize;
use winit::event::{KeyEvent, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::keyboard::{KeyCode, PhysicalKey};
use winit::window::{Fullscreen, Window, WindowId};

use crate::audio::{self, Audio, Output, Silent};
use crate::gamepads::Gamepads;
use crate::interrupt::interrupted;
use crate::outcome::Ending;
use crate::session::in_step::InStep;
use crate::session::standstill::{self, Standstill};
use crate::viewport::keys;
use crate::window::display::{Displays, LOOK_PERIOD};
use crate::window::gone;
pub use plan::{Plan, Played, Stop};

use device::DeviceWatch;
use poll::PollClock;
use records::Records;
use title::Title;

/// Longest that the last frame is waited for when a run ends.
const LAST_FRAME: Nanos = Nanos::from_millis(500);

/// Threads that were left are looked at this often, and so many times: for three seconds.
const LAST_LOOK: Duration = Duration::from_millis(10);
const LAST_LOOKS: usize = 300;

/// Opens the window, and comes back when it is closed.
///
/// # Errors
/// A sentence: no event loop, no window, nothing to draw with, or a run that did not start.
pub fn play(plan: Plan) -> Result<Played, String> {
    let event_loop = EventLoop::new().map_err(|error| format!("no display can be opened: {error}"))?;
    wake_sharp();
    let clock = RealClock::new();
    let polls = PollClock::new(clock.now(), plan.poll);
    let mut player = Player { plan, clock, polls, open: None, ended: None };
    let ran = catch_unwind(AssertUnwindSafe(|| event_loop.run_app(&mut player)));
    match ran {
        Ok(Ok(())) => {}
        Ok(Err(error)) => player.end_without_window(format!("the event loop ended with an error: {error}")),
        Err(panic) => player.end_without_window(gone::sentence(&*panic)),
    }
    player.ended.unwrap_or_else(|| Err("the window was gone before anything was played".to_owned()))
}

/// The event loop's handler.
struct Player {
    plan: Plan,
    clock: RealClock,
    polls: PollClock,
    open: Option<Open>,
    ended: Option<Result<Played, String>>,
}

/// A window and the run in it.
struct Open {
    window: Arc<Window>,
    run: LiveRun,
    input: InputSender,
    gamepads: Gamepads,
    // Somebody plays here: what is done to gamepads is meant for this window. True until it is said otherwise.
    has_focus: bool,
    views: ViewSender,
    view: View,
    records: Records,
    audio: Audio,
    in_step: InStep,
    standstill: Standstill,
    title: Title,
    frame_rate: Rate,
    displays: Displays,
    display_looked: Nanos,
    device: DeviceWatch,
    closing: Option<Closing>,
}

/// The run was told to stop; its last frame is on its way.
struct Closing {
    since: Nanos,
    ending: Ending,
}

impl Player {
    /// No event comes any more, and nobody has closed the window: what was played until now is told all the same.
    fn end_without_window(&mut self, reason: String) {
        match self.open.take() {
            Some(open) => self.ended = Some(Ok(open.end_without_window(reason, &self.clock, &self.polls))),
            None => self.ended = self.ended.take().or(Some(Err(reason))),
        }
    }
}

impl ApplicationHandler for Player {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.open.is_none() && self.ended.is_none() {
            match Open::new(event_loop, &self.plan, &self.clock) {
                Ok(open) => self.open = Some(open),
                Err(reason) => {
                    self.ended = Some(Err(reason));
                    event_loop.exit();
                }
            }
        }
    }

    fn window_event(&mut self, _: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let now = self.clock.now();
        if let Some(open) = &mut self.open {
            open.event(&event, now);
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let Some(open) = &mut self.open else { return };
        let now = self.clock.now();
        if self.polls.is_due(now) {
            open.look(&self.plan, now);
        }
        if open.is_over(now)
            && let Some(open) = self.open.take()
        {
            self.ended = Some(Ok(open.close(&self.polls)));
            event_loop.exit();
            return;
        }
        let now = self.clock.now();
        if let Some(open) = &mut self.open {
            open.listen(now);
            let wait = self.polls.wait(now).min(open.audio.wait(now));
            event_loop.set_control_flow(ControlFlow::wait_duration(wait));
        }
    }
}

impl Open {
    fn new(event_loop: &ActiveEventLoop, plan: &Plan, clock: &RealClock) -> Result<Self, String> {
        let attributes = Window::default_attributes()
            .with_title(format!("{} / {}", plan.project, plan.scene_name))
            .with_inner_size(PhysicalSize::new(plan.size[0], plan.size[1]))
            .with_fullscreen(plan.fullscreen.then_some(Fullscreen::Borderless(None)));
        let window = event_loop
            .create_window(attributes)
            .map_err(|error| format!("no window can be opened: {error}"))?;
        let window = Arc::new(window);
        let displays = Displays::default();
        let asked = plan.settings.frame_rate;
        let frame_rate = plan.other_rate(displays.rate_of(&window), asked).unwrap_or(asked);
        let view = View { size: size_of(&window), ghosts: false, grid: false, ..View::default() };
        let (renderer, views, health) = surface::renderer(event_loop, &window, &view, plan.flights)?;
        let settings = RunSettings { frame_rate, ..plan.settings.clone() };
        let (input, inbox) = inputs();
        let (sounding, listener) = sounds(CUE_CAPACITY);
        let prepare = |sim: &mut Sim| {
            sim.core_mut().set_inbox(inbox);
            sim.core_mut().set_sounds(sounding);
        };
        let not_started = |error: &dyn std::fmt::Display| format!("the run did not start: {error}");
        let mut run = LiveRun::start_with(&plan.scene, &settings, Box::new(renderer), plan.options, prepare)
            .map_err(|error| not_started(&error))?;
        run.start_observers(|_| busy_for(plan.observer_cost)).map_err(|error| not_started(&error))?;
        // What a driver takes to start is nobody's delay.
        let now = clock.now();
        Ok(Self {
            title: Title::new(&plan.project, &plan.scene_name),
            window,
            run,
            input,
            gamepads: Gamepads::open(),
            has_focus: true,
            views,
            view,
            records: Records::new(plan.keep_all),
            audio: Audio::new(output(&plan.scene), listener, now, plan.audio),
            in_step: InStep::new(frame_rate),
            standstill: Standstill::default(),
            frame_rate,
            displays,
            display_looked: now,
            device: DeviceWatch::new(health),
            closing: None,
        })
    }

    /// What the window says, the moment it says it.
    fn event(&mut self, event: &WindowEvent, now: Nanos) {
        match event {
            WindowEvent::CloseRequested => self.stop(Ending::Finished, now),
            // Its own end comes after the event loop's.
            WindowEvent::Destroyed => self.stop(Ending::Failed(gone::DESTROYED.to_owned()), now),
            WindowEvent::Resized(size) => self.resize([size.width, size.height]),
            WindowEvent::Moved(_) | WindowEvent::ScaleFactorChanged { .. } => {
                self.display_looked = Nanos::ZERO
            }
            WindowEvent::Focused(has_focus) => self.focus(*has_focus, now),
            WindowEvent::KeyboardInput { event: key, is_synthetic: false, .. } => self.key(key, now),
            other => {
                if let Some(kind) = mouse::from_window(other) {
                    self.input.send(now, kind);
                }
            }
        }
    }

    fn focus(&mut self, has_focus: bool, now: Nanos) {
        self.has_focus = has_focus;
        if !has_focus {
            self.gamepads.poll(false, |_| {});
            self.input.send(now, InputKind::ReleaseAll);
        }
    }

    fn key(&mut self, key: &KeyEvent, now: Nanos) {
        let pressed = key.state.is_pressed() && !key.repeat;
        match key.physical_key {
            PhysicalKey::Code(KeyCode::Escape) if pressed => self.stop(Ending::Finished, now),
            PhysicalKey::Code(KeyCode::F11) if pressed => {
                let full = self.window.fullscreen().is_none();
                self.window.set_fullscreen(full.then_some(Fullscreen::Borderless(None)));
            }
            _ => {
                if let Some(event) = keys::from_window(key, now) {
                    self.input.send(event.at, event.kind);
                }
            }
        }
    }

    /// The render thread draws the next frame in this size; a window of no area keeps its last one.
    fn resize(&mut self, size: [u32; 2]) {
        self.view.size = size;
        self.views.buffer_mut().clone_from(&self.view);
        self.views.publish();
        self.run.wake_renderer();
        self.display_looked = Nanos::ZERO;
    }

    /// What is done however quiet the window is.
    fn look(&mut self, plan: &Plan, now: Nanos) {
        // The system keeps them until they are asked for: they are as old as the last look, at most.
        let input = &mut self.input;
        self.gamepads.poll(self.has_focus, |kind| input.send(now, kind));
        let (records, in_step) = (&mut self.records, &mut self.in_step);
        let standstill = &mut self.standstill;
        standstill.look(now);
        self.run.poll(|record| {
            standstill.take(&record);
            in_step.take(&record, plan.settings.handoff);
            if let RuntimeRecord::Render(picture) = &record {
                let is_shown = picture.presented.is_some();
                tracing::trace!(target: "framewalk", frame = picture.frame.0, is_shown, "picture_drawn");
                if let Some(refresh) = picture.presented.and_then(|presented| presented.refresh) {
                    in_step.refreshed(refresh);
                }
            }
            records.take(record);
        });
        if let Some(stood) = standstill.over() {
            tracing::warn!(target: "framewalk", "{}", standstill::sentence(stood));
        }
        if let Some(shift) = self.in_step.shift() {
            self.run.control(Control::ShiftGrid(shift));
        }
        self.run.poll_zones(|_, _| {});
        if now - self.display_looked > LOOK_PERIOD {
            self.display_looked = now;
            self.follow_display(plan);
        }
        if self.closing.is_none() {
            if let Some(failure) = self.run.failure() {
                self.stop(Ending::Failed(failure.to_string()), now);
            } else if interrupted() {
                self.stop(Ending::Interrupted, now);
            } else if self.records.reached(plan.stop) {
                self.stop(Ending::Finished, now);
            }
        }
        let newest = self.records.newest();
        self.device.look(now);
        let blind = self.device.blind(self.records.are_blind());
        if let Some(title) = self.title.renewed(now, newest, self.in_step.error(), blind) {
            self.window.set_title(&title);
        }
    }

    /// What sounds is looked after at its own rate, until the run is told to stop.
    fn listen(&mut self, now: Nanos) {
        if self.closing.is_none() {
            self.audio.update_if_due(now);
        }
    }

    fn follow_display(&mut self, plan: &Plan) {
        let display = self.displays.rate_of(&self.window);
        if let Some(rate) = plan.other_rate(display, self.frame_rate) {
            self.frame_rate = rate;
            self.run.control(Control::SetFrameRate(rate));
            self.in_step.begin_anew(rate);
            tracing::info!(target: "framewalk", %rate, "display_rate_followed");
        }
    }

    fn stop(&mut self, ending: Ending, now: Nanos) {
        if self.closing.is_none() {
            self.run.control(Control::Stop);
            self.audio.end();
            self.closing = Some(Closing { since: now, ending });
        }
    }

    /// Told to stop, and what was published is drawn; or that takes too long.
    fn is_over(&self, now: Nanos) -> bool {
        let Some(closing) = &self.closing else { return false };
        let counts = self.run.counts();
        let drawn = counts.pending == 0 && counts.in_flight == 0 && self.run.state_hash().is_some();
        drawn || self.run.failure().is_some() || now - closing.since > LAST_FRAME
    }

    fn end_without_window(mut self, reason: String, clock: &RealClock, polls: &PollClock) -> Played {
        // Dropping it takes a lock that the panic may have poisoned, and there is no window behind it any more.
        std::mem::forget(Arc::clone(&self.window));
        self.stop(Ending::Finished, clock.now());
        while !self.is_over(clock.now()) {
            std::thread::sleep(LAST_LOOK);
            let records = &mut self.records;
            self.run.poll(|record| records.take(record));
        }
        // Also where it was about to be closed.
        self.closing.iter_mut().for_each(|closing| closing.ending = Ending::Failed(reason.clone()));
        self.close(polls)
    }

    fn close(mut self, polls: &PollClock) -> Played {
        let left = self.run.stop();
        await_end(&left);
        let mut is_renderer_left = false;
        for left in left.iter().filter(|left| !left.has_ended()) {
            tracing::warn!(target: "framewalk", thread = left.name(), "thread_left");
            is_renderer_left |= left.name() == "render";
        }
        let counts = self.run.counts();
        let counts = if is_renderer_left { counts.without_renderer() } else { counts };
        let records = &mut self.records;
        self.run.poll(|record| records.take(record));
        let ending = self.closing.map_or(Ending::Finished, |closing| closing.ending);
        // Closed in the same moment as it failed: a failure is said all the same.
        let ending = match self.run.failure() {
            Some(failure) => Ending::Failed(failure.to_string()),
            None => ending,
        };
        let figures = (polls.figures(), self.in_step.figures(), self.audio.figures());
        let outcome = self.records.outcome(&self.run, counts, figures, self.input.lost(), ending);
        Played { outcome, frame_rate: self.frame_rate }
    }
}

/// A thread may be waiting for a display that does not answer any more. The program ends after this, and what that thread
/// draws with must not go while it does.
fn await_end(left: &[LeftThread]) {
    for _ in 0..LAST_LOOKS {
        if left.iter().all(LeftThread::has_ended) {
            return;
        }
        std::thread::sleep(LAST_LOOK);
    }
}

/// A device is opened only where something is to be heard.
fn output(scene: &Scene) -> Box<dyn Output> {
    if scene.sounds() { audio::open() } else { Box::new(Silent) }
}

fn size_of(window: &Window) -> [u32; 2] {
    let size = window.inner_size();
    [size.width, size.height]
}
