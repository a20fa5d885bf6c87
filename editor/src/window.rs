//! The window: an event loop of our own around eframe's, which does three things it has no hook for.
//!
//! - It holds a gate for writing while a surface is configured anew (resize, scale, resume, or because it was lost) or
//!   goes with the window of a panel: wgpu cannot reconfigure a surface while another thread submits to the same device, and would end the
//!   program.
//! - It stamps events of keys and of the mouse as they arrive, not when egui gets round to them.
//! - It notes when a painted frame was presented, and which display the window is on.

pub mod display;
pub mod link;
pub mod trouble;

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::{Arc, RwLock};

use anyhow::Context as _;
use eframe::UserEvent;
use framewalk_runtime::render::gpu::{GpuContext, wanted_features};
use framewalk_runtime::time::Nanos;
use framewalk_runtime::time::source::RealClock;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use winit::application::ApplicationHandler;
use winit::event::{DeviceEvent, DeviceId, StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::window::WindowId;

use self::link::{PASSES_UNSETTLED, WindowLink};
use crate::app::{EditorApp, EditorOptions};
use crate::interrupt;
use crate::log_lines::{self, LOG_VARIABLE, LogLines};
use crate::project::store::{SettingsStore, project_root};
use crate::session::run::Drive;

/// Opens the editor on a project, on the last one, or on the welcome page, and returns when it is closed.
///
/// # Errors
/// No event loop (no display), no window, or no way to draw in it.
pub fn open(project: Option<PathBuf>) -> anyhow::Result<()> {
    let log = start_log();
    let event_loop = EventLoop::<UserEvent>::with_user_event().build().context("no display can be opened")?;
    let link = Rc::new(WindowLink::default());
    let gate = Arc::new(RwLock::new(()));
    // It lives as long as the program.
    let _ = link.gate.set(&**Box::leak(Box::new(Arc::clone(&gate))));
    let settings = SettingsStore::of_user();
    let project = project.or_else(|| last_project(&settings));
    let options = EditorOptions {
        settings,
        log,
        drive: Drive::Threads,
        link: Some(Rc::clone(&link)),
        gate: Arc::clone(&gate),
        project,
    };
    let link_of_app = Rc::clone(&link);
    let inner = eframe::create_native(
        "framewalk",
        native_options(&link.surface),
        Box::new(move |cc| {
            *link_of_app.window.borrow_mut() = cc.winit_window().map(Arc::downgrade).unwrap_or_default();
            link_of_app.note_display();
            link_of_app.opened.set(true);
            let ctx = cc.egui_ctx.clone();
            interrupt::listen(move || ctx.request_repaint());
            Ok(Box::new(EditorApp::new(cc, options)))
        }),
        &event_loop,
    );
    let (clock, display_noted) = (RealClock::new(), Nanos::ZERO);
    let mut handler = Handler { inner, gate, link: Rc::clone(&link), clock, display_noted };
    event_loop.run_app(&mut handler).context("the event loop ended with an error")?;
    // eframe ends its loop in silence where it finds nothing to draw a window with.
    anyhow::ensure!(link.opened.get(), "{}", why_no_window());
    Ok(())
}

/// There is a display and yet no window: most likely nothing to draw with.
fn why_no_window() -> String {
    let help = "Mesa's software driver draws everywhere (Debian and Ubuntu: apt install mesa-vulkan-drivers); \
                `framewalk run PROJECT` needs no window and no driver";
    match GpuContext::headless() {
        Err(error) => format!("no window can be drawn: {error}; {help}"),
        Ok(context) => format!(
            "no window can be drawn: the adapter {} ({}) cannot draw on this display; {help}",
            context.adapter_name, context.backend
        ),
    }
}

/// Whether a window can be opened here.
///
/// # Errors
/// Why not, as a sentence.
#[cfg(all(unix, not(target_os = "macos")))]
pub fn display_available() -> Result<(), String> {
    use std::os::unix::net::UnixStream;
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    if let Some(wayland) = set("WAYLAND_DISPLAY") {
        let folder = set("XDG_RUNTIME_DIR").map(PathBuf::from).unwrap_or_default();
        let socket = folder.join(&wayland);
        if UnixStream::connect(&socket).is_ok() {
            return Ok(());
        }
    }
    let Some(display) = set("DISPLAY") else {
        return Err("neither WAYLAND_DISPLAY nor DISPLAY names a display".to_owned());
    };
    // Only a local display can be asked cheaply: `:0` or `:0.0`. Another one is taken at its word.
    let Some(number) = display.strip_prefix(':') else { return Ok(()) };
    let number = number.split('.').next().unwrap_or(number);
    let path = format!("/tmp/.X11-unix/X{number}");
    let reached = UnixStream::connect(&path).is_ok() || abstract_socket(&path);
    reached.then_some(()).ok_or_else(|| format!("no X server answers on DISPLAY={display}"))
}

/// X servers listen on an abstract socket too, where the file is not to be seen.
#[cfg(target_os = "linux")]
fn abstract_socket(path: &str) -> bool {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixStream};
    SocketAddr::from_abstract_name(path).is_ok_and(|address| UnixStream::connect_addr(&address).is_ok())
}

#[cfg(all(unix, not(target_os = "macos"), not(target_os = "linux")))]
fn abstract_socket(_: &str) -> bool {
    false
}

/// Whether a window can be opened here: always, on a desktop system.
///
/// # Errors
/// None here.
#[cfg(not(all(unix, not(target_os = "macos"))))]
pub fn display_available() -> Result<(), String> {
    Ok(())
}

fn last_project(settings: &SettingsStore) -> Option<PathBuf> {
    settings.read().0.recent.first().filter(|root| project_root(root).is_ok()).cloned()
}

fn native_options(surface: &trouble::SurfaceHealth) -> eframe::NativeOptions {
    let mut wgpu_options = egui_wgpu::WgpuConfiguration {
        on_surface_status: surface.callback(),
        ..egui_wgpu::WgpuConfiguration::default()
    };
    if let egui_wgpu::WgpuSetup::CreateNew(setup) = &mut wgpu_options.wgpu_setup {
        let usual = Arc::clone(&setup.device_descriptor);
        setup.device_descriptor = Arc::new(move |adapter| {
            let mut descriptor = usual(adapter);
            descriptor.required_features |= wanted_features(adapter);
            descriptor
        });
    }
    eframe::NativeOptions {
        wgpu_options,
        viewport: egui::ViewportBuilder::default()
            .with_title("Framewalk")
            .with_app_id("framewalk")
            .with_inner_size([1560.0, 940.0])
            .with_min_inner_size([880.0, 560.0]),
        system_font_fallback: true,
        // The interface is flat and the scene hides its gradients itself; in software this is dear.
        dithering: false,
        ..eframe::NativeOptions::default()
    }
}

/// Events go to stderr (warnings and what `FRAMEWALK_LOG` asks for), and to the Log panel.
fn start_log() -> LogLines {
    let (layer, lines) = log_lines::channel();
    let filter = tracing_subscriber::EnvFilter::try_from_env(LOG_VARIABLE)
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn,framewalk=info"));
    let terminal = std::io::IsTerminal::is_terminal(&std::io::stderr());
    let stderr =
        tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(terminal).with_target(false);
    // Fails where a subscriber is set already: its owner wanted it so.
    let _ = tracing_subscriber::registry().with(filter).with(stderr).with(layer).try_init();
    lines
}

struct Handler<'a> {
    inner: eframe::EframeWinitApplication<'a>,
    gate: Arc<RwLock<()>>,
    link: Rc<WindowLink>,
    clock: RealClock,
    display_noted: Nanos,
}

impl Handler<'_> {
    /// Whatever an event is: a pass may be painted in any of them, and may have taken the gate for as long as it lasts.
    /// eframe paints a window that is not to be seen yet whenever it looks after its windows.
    fn deal_with(&mut self, pass_on: impl FnOnce(&mut eframe::EframeWinitApplication<'_>)) {
        pass_on(&mut self.inner);
        self.link.let_gate_go();
    }

    fn gated(&mut self, pass_on: impl FnOnce(&mut eframe::EframeWinitApplication<'_>)) {
        // A poisoned gate guards nothing that could be half done.
        let gate = self.gate.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        self.link.gated.set(true);
        pass_on(&mut self.inner);
        self.link.gated.set(false);
        drop(gate);
    }
}

impl ApplicationHandler<UserEvent> for Handler<'_> {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        self.gated(|inner| inner.resumed(event_loop));
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, window: WindowId, event: WindowEvent) {
        self.link.note_input(window, &event, self.clock.now());
        match event {
            WindowEvent::Resized(_) | WindowEvent::ScaleFactorChanged { .. } => {
                self.gated(|inner| inner.window_event(event_loop, window, event));
                self.link.unsettled.set(PASSES_UNSETTLED);
                self.link.note_display();
            }
            WindowEvent::RedrawRequested => {
                let without_picture = self.link.surface.without_picture();
                self.deal_with(|inner| inner.window_event(event_loop, window, event));
                // A window of a panel is painted with the main one.
                if self.link.is_main(window) {
                    let reached = self.link.surface.without_picture() == without_picture;
                    self.link.presented.set(reached.then(|| self.clock.now()));
                }
            }
            WindowEvent::Moved(_) => {
                self.link.note_display();
                self.deal_with(|inner| inner.window_event(event_loop, window, event));
            }
            _ => self.deal_with(|inner| inner.window_event(event_loop, window, event)),
        }
    }

    fn new_events(&mut self, event_loop: &ActiveEventLoop, cause: StartCause) {
        self.deal_with(|inner| inner.new_events(event_loop, cause));
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, event: UserEvent) {
        self.deal_with(|inner| inner.user_event(event_loop, event));
    }

    fn device_event(&mut self, event_loop: &ActiveEventLoop, device: DeviceId, event: DeviceEvent) {
        self.deal_with(|inner| inner.device_event(event_loop, device, event));
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let now = self.clock.now();
        if now - self.display_noted > display::LOOK_PERIOD {
            self.display_noted = now;
            self.link.note_display();
        }
        self.deal_with(|inner| inner.about_to_wait(event_loop));
    }

    fn suspended(&mut self, event_loop: &ActiveEventLoop) {
        self.deal_with(|inner| inner.suspended(event_loop));
    }

    fn exiting(&mut self, event_loop: &ActiveEventLoop) {
        self.deal_with(|inner| inner.exiting(event_loop));
    }

    fn memory_warning(&mut self, event_loop: &ActiveEventLoop) {
        self.deal_with(|inner| inner.memory_warning(event_loop));
    }
}

#[cfg(test)]
mod tests {
    use framewalk_runtime::input::{InputEvent, InputKind, Key};

    use super::link::QUEUED_PLACES;
    use super::*;

    /// A link whose gate is the one that comes with it.
    fn link() -> (WindowLink, &'static RwLock<()>) {
        let link = WindowLink::default();
        let gate = *link.gate.get_or_init(|| Box::leak(Box::default()));
        (link, gate)
    }

    #[test]
    fn a_gate_held_after_a_resize_is_free_once_the_event_is_over_whichever_it_was() {
        let (link, gate) = link();
        link.unsettled.set(2);
        for _ in 0..2 {
            // Two windows painted in one event take it once.
            link.hold_gate_while_unsettled();
            link.hold_gate();
            assert!(gate.try_read().is_err() && link.is_gated(), "nobody submits meanwhile");
            link.let_gate_go();
            assert!(gate.try_write().is_ok() && !link.is_gated());
        }
        link.hold_gate_while_unsettled();
        assert!(gate.try_write().is_ok(), "the resize is long past");
    }

    #[test]
    fn a_mouse_that_moves_while_no_pass_runs_loses_no_key() {
        let (link, _) = link();
        let at = Nanos::ZERO;
        link.push_input(InputEvent { at, kind: InputKind::KeyDown(Key::W) });
        for x in 0..5_000 {
            link.push_input(InputEvent { at: Nanos(x), kind: InputKind::Pointer([x as i32, 7]) });
        }
        let input = link.take_input();
        assert_eq!(input.len(), QUEUED_PLACES);
        assert_eq!(input[0], InputEvent { at, kind: InputKind::KeyDown(Key::W) });
        assert_eq!(input[1].kind, InputKind::Pointer([0, 7]));
        let last = InputEvent { at: Nanos(4_999), kind: InputKind::Pointer([4_999, 7]) };
        assert_eq!(input[QUEUED_PLACES - 1], last);
        assert!(link.take_input().is_empty());
    }

    /// Paints one pass, and says whether somebody else could have submitted meanwhile.
    fn is_open_while_a_pass_is_painted(link: &WindowLink, gate: &RwLock<()>) -> bool {
        link.hold_gate_while_unsettled();
        let is_open = gate.try_read().is_ok();
        link.let_gate_go();
        is_open
    }

    #[test]
    fn a_lost_surface_is_made_anew_while_nobody_submits_and_then_the_gate_is_open_again() {
        let (link, gate) = link();
        assert!(is_open_while_a_pass_is_painted(&link, gate));
        let lost = link.surface.callback();
        lost(&wgpu::CurrentSurfaceTexture::Occluded);
        assert!(!link.is_unsettled(), "a hidden window has lost nothing");
        lost(&wgpu::CurrentSurfaceTexture::Lost);
        assert!(link.is_unsettled());
        let open: Vec<bool> = (0..10).map(|_| is_open_while_a_pass_is_painted(&link, gate)).collect();
        assert_eq!(open, [[false; 8].as_slice(), &[true; 2]].concat());
        assert!(!link.is_unsettled());
    }
}
