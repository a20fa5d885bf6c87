//! The editor as one value: `logic` and `ui` only put calls in order. Long because it names all that the editor holds.

mod arranging;
mod autosave;
mod by_hand;
mod choices;
mod clicks;
mod comparing;
pub mod device_loss;
pub mod editing;
mod game_input;
mod gizmo;
pub mod holding;
pub mod leaving;
mod live;
mod naming;
mod on_disk;
mod opening;
mod outside;
mod passes;
mod playing;
mod reading;
mod recovering;
mod saving;
mod shortcuts;
mod sounding;
mod tabs;
mod troubles;
mod undocking;
mod view;
mod watching;
mod workspace;

use std::collections::BTreeSet;
use std::collections::VecDeque;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use framewalk_inspector::Inspector;
use framewalk_inspector::theme::{FontFamilies, Theme};
use framewalk_runtime::time::Nanos;
use framewalk_runtime::time::source::RealClock;

pub use self::workspace::{OpenScene, Workspace};
use crate::command::keymap::Keymap;
use crate::command::{Action, EditorCommand, Situation};
use crate::gamepads::Gamepads;
use crate::log_lines::LogLines;
use crate::panels::Pane;
use crate::panels::log::LogView;
use crate::panels::outliner::OutlinerView;
use crate::panels::problems::ProblemsView;
use crate::panels::properties::by_hand::ByHand;
use crate::panels::properties::running::RunningView;
use crate::panels::properties::view::EditingView;
use crate::project::jobs::Jobs;
use crate::project::leaving::Leaving;
use crate::project::opener::Opener;
use crate::project::problems::Finder;
use crate::project::store::SettingsStore;
use crate::project::store::recovery::Recovered;
use crate::session::Phase;
use crate::session::compare::Comparing;
use crate::session::run::{Drive, Sabotage};
use crate::settings::Settings;
use crate::shell::areas;
use crate::shell::dialog::Dialogs;
use crate::shell::dock::{checked_layout, set_open};
use crate::shell::fonts;
use crate::shell::status::{Message, Severity};
use crate::shell::toolbar::ToolbarView;
use crate::shell::undocked::Undocked;
use crate::shell::welcome::{Offer, Unsaved};
use crate::viewport::Viewport;
use crate::viewport::game_mouse::GameMouse;
use crate::viewport::port::Port;
use crate::viewport::texture::Graphics;
use crate::window::link::WindowLink;
use crate::window::waker::Waker;

/// While a scene lives, its records are drained at least this often, painted or not.
const DRAIN_PERIOD: Duration = Duration::from_millis(100);
/// After a control the answer is looked for this often, for a while.
const ANSWER_PERIOD: Duration = Duration::from_millis(16);
/// Threads of earlier runs that have not ended are looked at this often.
const LEFT_PERIOD: Duration = Duration::from_millis(500);
const ANSWER_TIME: Nanos = Nanos::from_millis(400);

/// How the program runs the editor.
pub struct EditorOptions {
    pub settings: SettingsStore,
    pub log: LogLines,
    pub drive: Drive,
    /// `None` in tests, where egui's events stand in for the window's.
    pub link: Option<Rc<WindowLink>>,
    /// Held for writing while the window resizes.
    pub gate: Arc<std::sync::RwLock<()>>,
    pub project: Option<PathBuf>,
}

/// The editor.
pub struct EditorApp {
    settings: Settings,
    keymap: Keymap,
    store: SettingsStore,
    workspace: Option<Workspace>,
    inspector: Inspector,
    log: LogLines,
    viewport: Viewport,
    graphics: Result<Graphics, String>,
    // What became of the device, if it is lost, and who draws the run that lives with another one.
    loss: device_loss::DeviceLoss,
    waker: Waker,
    drive: Drive,
    link: Option<Rc<WindowLink>>,
    clock: RealClock,
    started: Nanos,
    // Until when answers to controls are looked for more often.
    answers_until: Nanos,
    message: Option<Message>,
    banner: Option<Message>,
    dialogs: Dialogs,
    opener: Opener,
    toolbar: ToolbarView,
    outliner: OutlinerView,
    log_view: LogView,
    // The handoffs, compared last or now.
    comparing: Option<Comparing>,
    problems: Finder,
    problems_view: ProblemsView,
    editing: EditingView,
    project_view: crate::panels::project::ProjectView,
    running: RunningView,
    // What was changed by hand in the run that lives.
    by_hand: ByHand,
    // The window may close: whoever had to be asked was.
    quitting: bool,
    // The system wants the program to end, as a test may in its place; and it ends: nobody is asked any more.
    asked_to_end: bool,
    ending: bool,
    jobs: Jobs,
    // What is done once scenes are written, and which have been since nothing was being written.
    leaving: Option<Leaving>,
    written: Vec<PathBuf>,
    // A run is to begin once the scenes on disk are read.
    plays_once_read: bool,
    // Work found that was not saved, not offered yet.
    recoveries: VecDeque<Recovered>,
    // When it was last tried to take what another editor gives up.
    taking_tried: Nanos,
    layout: egui_tiles::Tree<Pane>,
    // One panel has the room of all.
    maximised: Option<Pane>,
    // The card of the tour that is shown, while a project is open.
    tour: Option<usize>,
    /// One panel fills the window, without menu and transport: for pictures of it.
    pub(crate) alone: Option<Pane>,
    layout_edited: bool,
    // Panels in windows of their own; each is closed in `layout`.
    undocked: Vec<Undocked>,
    // Such a window is closed: passes until the system hears of it.
    window_goes: u8,
    // Held for writing while a surface is made or goes.
    gate: Arc<std::sync::RwLock<()>>,
    // The picture that has the keyboard in a window of its own, as of the last pass; and one there is to have it.
    away_keyboard: Option<Port>,
    away_wants_keyboard: bool,
    menu_wanted: bool,
    offers: Option<(Vec<Offer>, Vec<Offer>)>,
    // Of all projects, as the welcome page shows it; none while another page is shown.
    unsaved: Option<Vec<Unsaved>>,
    game_had_keys: bool,
    game_mouse: GameMouse,
    // The right button is held in one of our windows, as of the last painted pass and of what arrived since.
    right_held: bool,
    // None until a game in the window has the keyboard.
    gamepads: Option<Gamepads>,
    was_hidden: bool,
    // How often `logic_pass` was run.
    passes: u64,
    window_passes: passes::Passes,
    adapter: String,
    sounding: sounding::Sounding,
    troubles: troubles::Troubles,
    sabotage: Sabotage,
    actions: Vec<Action>,
    // Given by key while something was being typed, which they take with them.
    after_typing: Vec<EditorCommand>,
    /// The keys that are held down, by where they lie.
    held_keys: BTreeSet<egui::Key>,
    // Clicks into the picture of which it is not known yet what they hit.
    clicks: clicks::Clicks,
}

impl EditorApp {
    /// Reads the settings, sets fonts and themes, and opens the given project, if any.
    #[must_use]
    pub fn new(cc: &eframe::CreationContext<'_>, options: EditorOptions) -> Self {
        Self::start(&cc.egui_ctx, cc.wgpu_render_state.as_ref(), options)
    }

    /// As [`Self::new`], in any egui context and on any device of egui's: no window is needed.
    #[must_use]
    pub fn start(
        ctx: &egui::Context,
        device: Option<&egui_wgpu::RenderState>,
        options: EditorOptions,
    ) -> Self {
        let (settings, problem) = options.settings.read();
        fonts::install(ctx);
        Theme::install(ctx, &FontFamilies::default());
        // Zoom is a setting of ours, with commands of its own.
        ctx.options_mut(|options| options.zoom_with_keyboard = false);
        ctx.set_zoom_factor(settings.checked_zoom());
        let graphics = playing::graphics(device, Arc::clone(&options.gate));
        let adapter = playing::adapter(&graphics);
        let waker = Waker::new(ctx);
        let clock = RealClock::new();
        let inspector = empty_inspector(settings.history_frames(), graphics.is_ok());
        let tour = (!settings.tour_taken).then_some(0);
        let (keymap, key_problems) = Keymap::from_texts(&settings.keys);
        let mut viewport = Viewport::showing(settings.view);
        viewport.gizmo.steps = settings.steps.checked();
        let mut app = Self {
            keymap,
            layout: checked_layout(settings.layout.clone()),
            undocked: Self::remembered_windows(&settings.windows, &settings.undocked),
            window_goes: 0,
            gate: options.gate,
            away_keyboard: None,
            away_wants_keyboard: false,
            menu_wanted: false,
            settings,
            store: options.settings,
            workspace: None,
            inspector,
            log: options.log,
            viewport,
            graphics,
            loss: device_loss::DeviceLoss::default(),
            jobs: match options.drive {
                Drive::Threads => Jobs::threaded(waker.call()),
                Drive::Virtual { .. } => Jobs::Direct(VecDeque::new()),
            },
            waker,
            drive: options.drive,
            link: options.link,
            // In virtual time, time counts from 0.
            started: if matches!(options.drive, Drive::Virtual { .. }) { Nanos::ZERO } else { clock.now() },
            clock,
            answers_until: Nanos::ZERO,
            message: None,
            banner: None,
            dialogs: Dialogs::default(),
            opener: Opener::default(),
            toolbar: ToolbarView::default(),
            outliner: OutlinerView::default(),
            log_view: LogView::default(),
            comparing: None,
            problems: Finder::default(),
            problems_view: ProblemsView::default(),
            editing: EditingView::default(),
            project_view: crate::panels::project::ProjectView::default(),
            running: RunningView::default(),
            by_hand: ByHand::default(),
            quitting: false,
            asked_to_end: false,
            ending: false,
            leaving: None,
            written: Vec::new(),
            plays_once_read: false,
            recoveries: VecDeque::new(),
            taking_tried: Nanos::ZERO,
            maximised: None,
            tour,
            alone: None,
            layout_edited: false,
            offers: None,
            unsaved: None,
            game_had_keys: false,
            right_held: false,
            game_mouse: GameMouse::default(),
            gamepads: None,
            was_hidden: false,
            passes: 0,
            window_passes: passes::Passes::default(),
            adapter,
            sounding: sounding::Sounding::default(),
            troubles: troubles::Troubles::default(),
            sabotage: Sabotage::default(),
            actions: Vec::new(),
            after_typing: Vec::new(),
            held_keys: BTreeSet::new(),
            clicks: clicks::Clicks::default(),
        };
        for window in &app.undocked {
            // A settings file written by hand may have it in both places.
            set_open(&mut app.layout, window.pane(), false);
        }
        app.apply_theme(ctx);
        app.fit_style_to_device(ctx);
        if let Some(problem) = problem {
            app.say(Message::warning(problem));
        }
        for problem in key_problems {
            app.say(Message::warning(problem));
        }
        if let Err(problem) = &app.graphics {
            let text = format!("No picture: {problem}");
            app.say(Message::warning(text));
        }
        if let Some(path) = options.project {
            app.open_path(&path, ctx);
        }
        app
    }

    fn situation(&self) -> Situation {
        let workspace = self.workspace.as_ref();
        let front = workspace.map(|workspace| &workspace.scenes.front);
        let document = front.map(|front| &front.document);
        Situation {
            phase: self.phase(),
            project_open: workspace.is_some(),
            scene_broken: front.is_some_and(|front| front.authored.is_none()),
            something_selected: document.is_some_and(|document| !document.selection.is_empty()),
            something_marked: document.is_some_and(|document| !document.marks.is_empty()),
            scene_has_camera: document.is_some_and(|document| document.indexed().has_camera()),
            places_kept: self.places_kept(),
            can_undo: document.is_some_and(|document| document.history().undo_name().is_some()),
            can_redo: document.is_some_and(|document| document.history().redo_name().is_some()),
            dirty: front.is_some_and(|front| front.is_to_be_kept()),
            any_unsaved: self.has_unsaved(),
            scenes_open: workspace.map_or(0, |workspace| workspace.scenes.count()),
            read_only: workspace.is_some_and(|workspace| workspace.access.is_read_only()),
        }
    }

    fn is_live(&self) -> bool {
        self.workspace.as_ref().is_some_and(|workspace| workspace.session.is_live())
    }

    /// Shows a message in the status bar, and an error also in the banner.
    fn say(&mut self, message: Message) {
        for line in std::iter::once(&message.text).chain(&message.details) {
            match message.severity {
                Severity::Error => tracing::error!(target: "framewalk", "{line}"),
                Severity::Warning => tracing::warn!(target: "framewalk", "{line}"),
                Severity::Info => tracing::info!(target: "framewalk", "{line}"),
            }
        }
        if message.severity == Severity::Error {
            self.banner = Some(message.clone());
        }
        self.message = Some(message);
    }

    fn save_settings(&mut self) {
        self.settings.layout = Some(self.layout.clone());
        self.note_open_scenes();
        self.settings.view = self.viewport.settings();
        self.note_windows();
        if let Err(problem) = self.store.write(&self.settings) {
            self.say(Message::warning(problem));
        }
    }

    /// Time on the clock that records are stamped with.
    fn now(&self) -> Nanos {
        self.clock.now()
    }

    /// Asks for another pass as soon as there can be something new, and no sooner.
    fn schedule(&self, ctx: &egui::Context) {
        if self.is_live() {
            let waits = self.now() < self.answers_until;
            match self.phase() {
                _ if waits => ctx.request_repaint_after(ANSWER_PERIOD),
                Phase::Playing => ctx.request_repaint_after(DRAIN_PERIOD),
                _ if self.workspace.as_ref().is_some_and(|open| open.session.owes_answer()) => {
                    ctx.request_repaint_after(DRAIN_PERIOD);
                }
                // Nothing is recorded while everything stands: the next control wakes us.
                _ => {}
            }
        }
        if !self.clicks.is_empty() {
            // Whoever answers wakes the window; this is for one that does not.
            ctx.request_repaint_after(clicks::PATIENCE);
        }
        if self.workspace.as_ref().is_some_and(|open| open.session.has_left_threads()) {
            ctx.request_repaint_after(LEFT_PERIOD);
        }
    }
}

/// An inspector that has seen nothing; runs of another project are counted from 1 again, so each has its own.
fn empty_inspector(frames: usize, windowed: bool) -> Inspector {
    let mut inspector = Inspector::new(frames);
    inspector.captions_in_panels = false;
    inspector.set_windowed(windowed);
    inspector
}

impl EditorApp {
    /// What is done before each pass, painted or not.
    pub fn logic_pass(&mut self, ctx: &egui::Context) {
        let began = self.now();
        self.report_presented();
        self.forward_input(ctx);
        self.advance_virtual();
        self.poll_run();
        self.follow_sounds();
        self.poll_comparison();
        self.follow_threads();
        self.poll_jobs(ctx);
        self.follow_holding(ctx);
        self.follow_undo_memory();
        self.poll_files(ctx);
        self.offer_recoveries();
        self.follow_loss(ctx);
        self.autosave(ctx);
        self.end_loss(ctx);
        self.poll_dialogs(ctx);
        self.follow_interrupt(ctx);
        self.follow_close_request(ctx);
        self.follow_display();
        self.follow_visibility(ctx);
        self.log.drain();
        self.update_picture();
        self.follow_clicks();
        self.schedule(ctx);
        self.note_pass();
        self.note_logic(began);
    }

    /// For the log: passes can be counted there, and what was known when each was made.
    fn note_pass(&mut self) {
        self.passes += 1;
        let newest = self.workspace.as_ref().and_then(|workspace| workspace.session.newest());
        tracing::trace!(
            target: "framewalk",
            pass = self.passes,
            hidden = self.was_hidden,
            frame = newest.map_or(0, |newest| newest.frame.0),
            millis = (self.now() - self.started).0 / 1_000_000,
            "pass_made"
        );
    }

    /// Draws everything, and does what was asked for.
    pub fn ui_pass(&mut self, ui: &mut egui::Ui) {
        let began = self.now();
        self.follow_device();
        self.collect_shortcuts(ui.ctx());
        self.viewport.begin_pass();
        self.watch_refreshes(ui.ctx());
        self.window_ui(ui);
        self.viewport.end_pass();
        areas::ring(ui.ctx());
        self.run_actions(ui.ctx());
        self.follow_typing(ui.ctx());
        self.send_view();
        self.let_windows_go(ui.ctx());
        // In virtual time nothing real is shown, so that the same run looks the same.
        if matches!(self.drive, Drive::Threads) {
            let ended = self.now();
            self.inspector.pass_cost_millis = Some((ended - began).as_millis_f64() as f32);
            self.note_layout(began, ended);
        }
    }
}

impl eframe::App for EditorApp {
    fn logic(&mut self, ctx: &egui::Context, _: &mut eframe::Frame) {
        self.logic_pass(ctx);
    }

    fn ui(&mut self, ui: &mut egui::Ui, _: &mut eframe::Frame) {
        self.ui_pass(ui);
    }

    fn on_exit(&mut self) {
        self.cancel_comparison();
        self.stop();
        if self.quitting || !self.has_unsaved() {
            self.forget_kept_work();
        }
        self.save_settings();
    }

    fn clear_color(&self, visuals: &egui::Visuals) -> [f32; 4] {
        let theme = if visuals.dark_mode { Theme::dark() } else { Theme::light() };
        theme.bg0.to_normalized_gamma_f32()
    }
}
