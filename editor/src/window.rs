//! The window: an event loop of our own around eframe's, which does three things it has no hook for.
//!
//! - It holds a gate for writing while a surface is configured anew (resize, scale, resume, or because it was lost) or
//!   goes with the window of a panel: wgpu cannot reconfigure a surface while another thread submits to the same device, and would end the
//!   program.
//! - It stamps events of keys and of the mouse as they arrive, not when egui gets round to them.
//! - It notes when a painted frame was presented, and which display the window is on.
//!
//! Where the graphics device is lost, that loop ends, and is run again with another window and another device, to which
//! the editor moves as it is.

pub mod anew;
pub mod display;
pub mod gone;
mod handler;
pub mod link;
pub mod refreshes;
pub mod trouble;
pub mod waker;

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::{Arc, RwLock};
use std::time::Duration;

use anyhow::Context as _;
use eframe::UserEvent;
use framewalk_runtime::render::gpu::{GpuContext, wanted_features};
use framewalk_runtime::time::Nanos;
use framewalk_runtime::time::source::RealClock;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use winit::event_loop::EventLoop;
use winit::platform::run_on_demand::EventLoopExtRunOnDemand;

use self::anew::{DeviceLosses, WindowFrame};
use self::gone::WindowGone;
use self::handler::Handler;
use self::link::WindowLink;
use crate::app::{EditorApp, EditorOptions};
use crate::interrupt;
use crate::log_lines::{self, LogLines};
use crate::project::store::{SettingsStore, project_root};
use crate::session::run::Drive;

/// For tests, of the program as a whole: names a file, and where that exists, the graphics device is lost.
const LOSE_DEVICE_VARIABLE: &str = "FRAMEWALK_TEST_LOSE_DEVICE";
/// Before another device is asked for in vain: a driver that begins anew may need as long. The first is asked for at once.
const TRIES_AFTER: [Duration; 4] =
    [Duration::ZERO, Duration::from_secs(1), Duration::from_secs(3), Duration::from_secs(6)];

/// Opens the editor on a project, on the last one, or on the welcome page, and returns when it is closed. Where the
/// graphics device is lost meanwhile, the window is opened anew with another one.
///
/// # Errors
/// No event loop (no display), no window, or no way to draw in it; [`WindowGone`] where it was open before.
pub fn open(project: Option<PathBuf>) -> anyhow::Result<()> {
    let log = start_log();
    let mut event_loop =
        EventLoop::<UserEvent>::with_user_event().build().context("no display can be opened")?;
    let link = Rc::new(WindowLink::default());
    *link.losses.borrow_mut() = Some(DeviceLosses::default());
    if let Some(file) = std::env::var_os(LOSE_DEVICE_VARIABLE) {
        let _ = link.lose_device.set(PathBuf::from(file));
    }
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
    let waiting = Rc::new(RefCell::new(Some(Waiting::ToBeMade(Box::new(options)))));
    let mut frame = None;
    let mut tries = TRIES_AFTER.iter();
    while waiting.borrow().is_some() {
        let Some(pause) = tries.next() else { break };
        std::thread::sleep(*pause);
        link.opened.set(false);
        let before = run_window(&mut event_loop, &link, &gate, frame, &waiting)?;
        match *waiting.borrow() {
            // Without a display or a driver there is no second try.
            Some(Waiting::ToBeMade(_)) => break,
            Some(Waiting::Moving(_)) if link.opened.get() => {
                frame = before;
                tries = TRIES_AFTER.iter();
            }
            Some(Waiting::Moving(_)) | None => {}
        }
    }
    match waiting.take() {
        // eframe ends its loop in silence where it finds nothing to draw a window with.
        Some(Waiting::ToBeMade(_)) => anyhow::bail!("{}", why_no_window()),
        Some(Waiting::Moving(editor)) => {
            let kept = editor.end_without_window();
            let why = why_no_window();
            let sentence = format!("the graphics device was lost, and no other is to be had: {why}{kept}");
            Err(WindowGone(sentence).into())
        }
        None => Ok(()),
    }
}

/// Who waits for a window.
enum Waiting {
    ToBeMade(Box<EditorOptions>),
    /// The window before is gone with its device.
    Moving(Box<EditorApp>),
}

/// Opens a window for whoever waits for one, and returns when it is closed: nobody waits then, or the editor for another
/// one. Where it stood at last comes back.
fn run_window(
    event_loop: &mut EventLoop<UserEvent>,
    link: &Rc<WindowLink>,
    gate: &Arc<RwLock<()>>,
    frame: Option<WindowFrame>,
    waiting: &Rc<RefCell<Option<Waiting>>>,
) -> anyhow::Result<Option<WindowFrame>> {
    let (link_of_app, waiting_of_app) = (Rc::clone(link), Rc::clone(waiting));
    let stood = Rc::new(Cell::new(frame));
    let stood_of_app = Rc::clone(&stood);
    link.health.take();
    let editor = Rc::new(RefCell::new(None));
    let editor_of_app = Rc::clone(&editor);
    let inner = eframe::create_native(
        "framewalk",
        native_options(&link.surface, frame),
        Box::new(move |cc| {
            let waits = waiting_of_app.take().ok_or("nobody waits for a window")?;
            link_of_app.begin(cc.winit_window());
            let made = match waits {
                Waiting::ToBeMade(options) => {
                    let made = Box::new(EditorApp::new(cc, *options));
                    interrupt::listen(made.waker().call());
                    made
                }
                Waiting::Moving(mut editor) => {
                    editor.move_to(cc);
                    editor
                }
            };
            *link_of_app.health.borrow_mut() = made.device_health();
            *editor_of_app.borrow_mut() = Some(made);
            let (editor, link) = (editor_of_app, link_of_app);
            Ok(Box::new(InWindow { editor, link, waiting: waiting_of_app, stood: stood_of_app }))
        }),
        event_loop,
    );
    let (clock, display_noted) = (RealClock::new(), Nanos::ZERO);
    let (gate, link) = (Arc::clone(gate), Rc::clone(link));
    let mut handler = Handler { inner, editor, gate, link, clock, display_noted };
    let ran = catch_unwind(AssertUnwindSafe(|| event_loop.run_app_on_demand(&mut handler)));
    match ran {
        Ok(ran) => ran.context("the event loop ended with an error")?,
        Err(panic) => {
            // Whatever it was, the document stands as it was edited.
            let editor = handler.editor.borrow_mut().take();
            let kept = editor.map_or_else(String::new, |editor| editor.end_with_window_gone());
            // Its windows are never dropped: that takes a lock which the panic may have poisoned.
            std::mem::forget(handler);
            return Err(WindowGone(format!("{}{kept}", gone::sentence(&*panic))).into());
        }
    }
    Ok(stood.get())
}

/// The editor, for as long as this window lasts.
struct InWindow {
    // Gone once it was closed, or waits for another window.
    editor: Rc<RefCell<Option<Box<EditorApp>>>>,
    link: Rc<WindowLink>,
    waiting: Rc<RefCell<Option<Waiting>>>,
    stood: Rc<Cell<Option<WindowFrame>>>,
}

impl eframe::App for InWindow {
    fn logic(&mut self, ctx: &egui::Context, frame: &mut eframe::Frame) {
        if let Some(editor) = self.editor.borrow_mut().as_mut() {
            editor.logic(ctx, frame);
        }
    }

    fn ui(&mut self, ui: &mut egui::Ui, frame: &mut eframe::Frame) {
        if let Some(editor) = self.editor.borrow_mut().as_mut() {
            editor.ui(ui, frame);
        }
    }

    fn on_exit(&mut self) {
        let Some(mut editor) = self.editor.borrow_mut().take() else { return };
        if self.link.opens_anew.take() {
            self.stood.set(self.link.frame());
            *self.waiting.borrow_mut() = Some(Waiting::Moving(editor));
        } else {
            editor.on_exit();
        }
    }

    fn clear_color(&self, visuals: &egui::Visuals) -> [f32; 4] {
        self.editor.borrow().as_ref().map_or([0.0; 4], |editor| editor.clear_color(visuals))
    }
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

/// `frame` is where the window stood that this one takes the place of.
fn native_options(surface: &trouble::SurfaceHealth, frame: Option<WindowFrame>) -> eframe::NativeOptions {
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
    let window = egui::ViewportBuilder::default()
        .with_title("Framewalk")
        .with_app_id("framewalk")
        .with_inner_size([1560.0, 940.0])
        .with_min_inner_size([880.0, 560.0]);
    eframe::NativeOptions {
        wgpu_options,
        viewport: frame.map_or_else(|| window.clone(), |frame| frame.place(window.clone())),
        system_font_fallback: true,
        // The interface is flat and the scene hides its gradients itself; in software this is dear.
        dithering: false,
        ..eframe::NativeOptions::default()
    }
}

/// Events go to stderr (warnings and what `FRAMEWALK_LOG` asks for), and to the Log panel.
fn start_log() -> LogLines {
    let (layer, lines) = log_lines::channel();
    let (filter, refused) = log_lines::filter();
    let terminal = std::io::IsTerminal::is_terminal(&std::io::stderr());
    let stderr =
        tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(terminal).with_target(false);
    // Fails where a subscriber is set already: its owner wanted it so.
    let _ = tracing_subscriber::registry().with(filter).with(stderr).with(layer).try_init();
    if let Some(sentence) = refused {
        tracing::warn!(target: "framewalk", "{sentence}");
    }
    lines
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
