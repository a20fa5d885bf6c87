//! The window as a whole: which part is drawn where, and what each part is told.

use egui::{Frame, Panel as Bar, RichText, Ui};
use framewalk_inspector::theme::{Theme, size};
use framewalk_inspector::{Inspector, InspectorAction, LiveView, Panel};
use framewalk_runtime::scene::Entity;
use framewalk_runtime::time::{FrameIndex, Nanos};

use super::live::{KeyTexts, live_view, on_screen};
use super::{EditorApp, Workspace};
use crate::command::keymap::Keymap;
use crate::command::{Action, EditorCommand, Situation};
use crate::cores::cores;
use crate::log_lines::LogLines;
use crate::panels::Pane;
use crate::panels::history;
use crate::panels::log;
use crate::panels::log::LogView;
use crate::panels::outliner::{self, OutlinerFacts, OutlinerView};
use crate::panels::problems::{self, ProblemsView};
use crate::panels::project;
use crate::panels::properties::by_hand::ByHand;
use crate::panels::properties::running::{RunningFacts, RunningView};
use crate::panels::properties::view::EditingView;
use crate::panels::properties::{self, PropertiesFacts};
use crate::project::problems::Findings;
use crate::session::Phase;
use crate::session::compare::Comparing;
use crate::settings::ThemeChoice;
use crate::shell::dock::{self, Panes, Rearranged};
use crate::shell::menu::{self, MenuFacts};
use crate::shell::preferences::PreferencesFacts;
use crate::shell::status::{self, StatusFacts};
use crate::shell::toolbar::{self, Plan, ToolbarFacts};
use crate::shell::tour;
use crate::shell::welcome::{self, Offer};
use crate::viewport::gizmo::Space;
use crate::viewport::port::Port;
use crate::viewport::{self, Look, Viewport, ViewportFacts};

impl EditorApp {
    /// Draws everything; what is asked for gathers in `actions`.
    pub(super) fn window_ui(&mut self, ui: &mut Ui) {
        let theme = Theme::of(ui);
        // The window is cleared in this colour: painting it again costs a software adapter a third of a pass.
        let is_cleared = self.link.is_some();
        let bar = if is_cleared { Frame::new() } else { Frame::new().fill(theme.bg0) };
        let mut actions = std::mem::take(&mut self.actions);
        if self.alone.is_some() {
            let frame = Frame::new().fill(theme.bg1);
            egui::CentralPanel::no_frame().frame(frame).show(ui, |ui| self.dock_ui(ui, &mut actions));
            self.actions = actions;
            return;
        }
        Bar::top("menu").exact_size(size::MENU_HEIGHT).frame(bar).show_separator_line(false).show(ui, |ui| {
            self.menu_ui(ui, &mut actions);
        });
        Bar::top("run_line").exact_size(size::BAR).frame(bar).show_separator_line(false).show(ui, |ui| {
            ui.painter().rect_filled(ui.max_rect(), 0.0, self.run_line(&theme));
        });
        if self.workspace.is_some() {
            self.transport_ui(ui, bar, &mut actions);
        }
        self.banner_ui(ui, &theme, &mut actions);
        self.newer_ui(ui, &theme, &mut actions);
        self.holding_ui(ui, bar, &mut actions);
        self.tabs_ui(ui, bar, &mut actions);
        Bar::bottom("status").exact_size(size::STATUS_HEIGHT).frame(bar).show_separator_line(false).show(
            ui,
            |ui| {
                self.status_ui(ui);
            },
        );
        let margin =
            if self.workspace.is_some() { egui::Margin::symmetric(6, 0) } else { egui::Margin::ZERO };
        egui::CentralPanel::no_frame().frame(bar.inner_margin(margin)).show(ui, |ui| {
            if self.workspace.is_some() {
                self.dock_ui(ui, &mut actions);
            } else {
                self.offers();
                self.unsaved_work();
                let (recent, samples) = self.offers.as_ref().map_or((&[][..], &[][..]), |(a, b)| (a, b));
                let unsaved = self.unsaved.as_deref().unwrap_or_default();
                welcome::ui(ui, &self.keymap, unsaved, (recent, samples), &mut actions);
            }
        });
        if self.workspace.is_some() {
            self.unsaved = None;
        }
        self.undocked_ui(ui.ctx(), &mut actions);
        let file = self.store.file().map_or_else(|| "nowhere".to_owned(), |file| file.display().to_string());
        let facts =
            PreferencesFacts { settings: &self.settings, keymap: &self.keymap, file: &file, cores: cores() };
        let situation = self.situation();
        if let (Some(step), true) =
            (self.tour, self.workspace.is_some() && self.maximised.is_none() && !self.dialogs.is_open())
        {
            tour::ui(ui.ctx(), step, &self.keymap, &mut actions);
        }
        self.dialogs.ui(ui.ctx(), &facts, &situation, &mut actions);
        self.actions = actions;
    }

    /// The colour of the line under the menu: what state the run is in.
    fn run_line(&self, theme: &Theme) -> egui::Color32 {
        match self.phase() {
            Phase::Edit => theme.line,
            Phase::Playing | Phase::Paused | Phase::FrameOpen { .. } => theme.run,
            Phase::Failed => theme.drop,
        }
    }

    fn menu_ui(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        self.offers();
        let live = self.is_live();
        let theme = match self.settings.theme {
            ThemeChoice::System => EditorCommand::ThemeSystem,
            ThemeChoice::Dark => EditorCommand::ThemeDark,
            ThemeChoice::Light => EditorCommand::ThemeLight,
        };
        let mut ticked = vec![theme];
        let free = self.viewport.look(live) == Look::Free;
        let toggles = [
            (self.viewport.grid, EditorCommand::ShowGrid),
            (self.viewport.ghosts, EditorCommand::ShowGhosts),
            (self.viewport.show_trails, EditorCommand::ShowTrails),
            (self.viewport.last_tick, EditorCommand::DrawLastTick),
            (self.viewport.look(live) == Look::Camera, EditorCommand::LookThroughCamera),
            (true, EditorCommand::Tool(self.viewport.gizmo.tool)),
            (self.viewport.gizmo.space == Space::Local, EditorCommand::LocalAxes),
            (free && self.viewport.camera.orthographic, EditorCommand::Orthographic),
            (self.settings.muted, EditorCommand::MuteSounds),
            (self.inspector.is_live(), EditorCommand::GoLive),
        ];
        ticked.extend(
            Pane::ALL.into_iter().filter(|&pane| self.is_anywhere(pane)).map(EditorCommand::TogglePanel),
        );
        ticked.extend(self.undocked.iter().map(|window| EditorCommand::OwnWindow(window.pane())));
        ticked.extend(self.maximised.map(|_| EditorCommand::MaximiseViewport));
        ticked.extend(toggles.into_iter().filter(|(on, _)| *on).map(|(_, command)| command));
        let workspace = self.workspace.as_ref();
        let (recent, samples) = self.offers.as_ref().map_or((&[][..], &[][..]), |(a, b)| (&a[..], &b[..]));
        let mut known: Vec<&Offer> = recent.iter().filter(|offer| !offer.name.is_empty()).collect();
        known.extend(samples.iter().filter(|sample| recent.iter().all(|offer| offer.path != sample.path)));
        let facts = MenuFacts {
            known: &known,
            situation: self.situation(),
            keymap: &self.keymap,
            title: workspace.map(Workspace::title),
            dirty: self.is_dirty(),
            scenes: workspace.map_or(&[], |open| &open.project.project.scenes),
            scene: workspace.map(|open| open.scenes.front.file.name.as_str()),
            ticked: &ticked,
            wanted: std::mem::take(&mut self.menu_wanted),
        };
        menu::ui(ui, &facts, actions);
    }

    fn transport_ui(&mut self, ui: &mut Ui, bar: Frame, actions: &mut Vec<Action>) {
        let situation = self.situation();
        let keys = KeyTexts::of(&self.keymap, ui.ctx());
        let live = LiveView {
            on_screen: self.viewport.picture().map(on_screen),
            ..live_view(self.workspace.as_ref(), self.input_lost(), &keys)
        };
        let session = self.workspace.as_ref().map(|workspace| &workspace.session);
        let facts = ToolbarFacts {
            situation,
            keymap: &self.keymap,
            choices: session.map(|session| &session.choices),
            frame_rate: session.map(crate::session::Session::frame_rate).unwrap_or_default(),
            inspector: &self.inspector,
            live: &live,
        };
        let plan = Plan::of(ui, &facts, &self.toolbar);
        let toolbar = &mut self.toolbar;
        let panel = Bar::top("transport").exact_size(plan.height()).frame(bar).show_separator_line(false);
        panel.show(ui, |ui| toolbar::ui(ui, toolbar, &facts, plan, actions));
    }

    /// What went wrong, in full, until it is put away or mended.
    fn banner_ui(&mut self, ui: &mut Ui, theme: &Theme, actions: &mut Vec<Action>) {
        let Some(banner) = self.banner.clone() else { return };
        let failed = self.phase() == Phase::Failed;
        let frame = Frame::new()
            .fill(theme.drop.gamma_multiply(0.16))
            .stroke(egui::Stroke::new(1.0, theme.drop))
            .inner_margin(egui::Margin::symmetric(12, 6))
            .outer_margin(egui::Margin { left: 6, right: 6, top: 0, bottom: 6 });
        Bar::top("banner").frame(frame).show_separator_line(false).show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.label(RichText::new("✗").color(theme.drop));
                ui.add(egui::Label::new(RichText::new(&banner.text).color(theme.text)).wrap());
            });
            for line in banner.details.iter().take(8) {
                let text = RichText::new(line).monospace().color(theme.text);
                ui.add(egui::Label::new(text).selectable(true).wrap());
            }
            if banner.details.len() > 8 {
                let more = format!("and {} more in the log", banner.details.len() - 8);
                ui.label(RichText::new(more).color(theme.dim));
            }
            ui.horizontal(|ui| {
                let failure = self.workspace.as_ref().and_then(|workspace| workspace.session.failure());
                if let (true, Some(failure)) = (failed, failure) {
                    let frame = failure.frame;
                    // Frame 0: it failed before there was one.
                    if frame.0 > 0 && ui.button(format!("Go to frame {}", frame.0)).clicked() {
                        actions.push(Action::Inspector(InspectorAction::Select(frame)));
                        actions.push(Action::ShowPane(Pane::Stages));
                    }
                    if ui.button("Stop").clicked() {
                        actions.push(Action::Command(EditorCommand::Stop));
                    }
                }
                let faulty = self.problems.found().is_some_and(|found| !found.problems.is_empty());
                if faulty && !failed && ui.button("Show the problems").clicked() {
                    actions.push(Action::ShowPane(Pane::Problems));
                }
                if ui.button("Show the log").clicked() {
                    actions.push(Action::ShowPane(Pane::Log));
                }
                if ui.button("Copy").clicked() {
                    let text = std::iter::once(&banner.text).chain(&banner.details).cloned();
                    actions.push(Action::CopyText(text.collect::<Vec<_>>().join("\n")));
                }
                if ui.button("Dismiss").clicked() {
                    self.banner = None;
                }
            });
        });
    }

    fn status_ui(&self, ui: &mut Ui) {
        let facts = StatusFacts {
            phase: self.phase(),
            handoff: self
                .workspace
                .as_ref()
                .map_or_else(Default::default, |open| open.session.choices.handoff),
            handoff_waits: self.workspace.as_ref().is_some_and(|open| open.session.handoff_waits()),
            adapter: &self.adapter,
            message: self.message.as_ref(),
            writing: self.writing(),
            frames_held: self.inspector.frames_held(),
            bytes_held: self.inspector.bytes_held(),
            threads_left: self.workspace.as_ref().map_or(0, |open| open.session.threads_left_behind()),
            records_lost: self.workspace.as_ref().map_or(0, |workspace| workspace.session.lost_records()),
            input_lost: self.input_lost(),
            pass_millis: self.inspector.pass_cost_millis,
        };
        status::ui(ui, &facts);
    }

    fn dock_ui(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        let (alone, maximised) = (self.alone, self.maximised);
        let restore = self.keymap.text(ui.ctx(), EditorCommand::MaximiseViewport);
        let closed = Pane::ALL.into_iter().all(|pane| !dock::is_open(&self.layout, pane));
        let rearranged = self.with_contents(ui, actions, |layout, ui, contents| {
            if let Some(pane) = alone {
                contents.pane_ui(ui, pane);
            } else if let Some(pane) = maximised {
                if dock::maximised_ui(ui, pane, &restore, contents) {
                    contents.actions.push(Action::Maximise(None));
                }
            } else if closed {
                closed_ui(ui, contents.actions);
            } else {
                return dock::ui(layout, ui, contents);
            }
            Rearranged::default()
        });
        self.layout_edited |= rearranged.edited;
        actions.extend(rearranged.maximise.map(|pane| Action::Maximise(Some(pane))));
        actions.extend(rearranged.undock.map(Action::Undock));
    }

    /// Calls `draw` with all that panels are drawn from; without a project there are none, and nothing is drawn.
    pub(super) fn with_contents<R: Default>(
        &mut self,
        ui: &mut Ui,
        actions: &mut Vec<Action>,
        draw: impl FnOnce(&mut egui_tiles::Tree<Pane>, &mut Ui, &mut Contents<'_>) -> R,
    ) -> R {
        let (game_has_keys, game_has_mouse) = (self.game_has_keys(ui.ctx()), self.game_has_mouse(ui.ctx()));
        let situation = self.situation();
        let keys = KeyTexts::of(&self.keymap, ui.ctx());
        let input_lost = self.input_lost();
        let Some(workspace) = &self.workspace else { return R::default() };
        let mut contents = Contents {
            workspace,
            live: LiveView {
                comparison: self.comparing.as_ref().map(Comparing::comparison),
                comparison_refused: EditorCommand::CompareHandoffs.allowed(&situation).err(),
                ..live_view(Some(workspace), input_lost, &keys)
            },
            keymap: &self.keymap,
            inspector: &mut self.inspector,
            viewport: &mut self.viewport,
            outliner: &mut self.outliner,
            log_view: &mut self.log_view,
            problems: self.problems.found(),
            problems_view: &mut self.problems_view,
            editing: &mut self.editing,
            project_view: &mut self.project_view,
            running: &mut self.running,
            by_hand: &self.by_hand,
            log: &self.log,
            started: self.started,
            game_has_keys,
            game_has_mouse,
            situation,
            actions,
        };
        draw(&mut self.layout, ui, &mut contents)
    }
}

/// Every panel was closed: what brings them back.
fn closed_ui(ui: &mut Ui, actions: &mut Vec<Action>) {
    ui.centered_and_justified(|ui| {
        ui.vertical_centered(|ui| {
            ui.add_space(ui.available_height() * 0.4);
            ui.label("Every panel is closed.");
            if ui.button(EditorCommand::ResetLayout.label()).clicked() {
                actions.push(Action::Command(EditorCommand::ResetLayout));
            }
        });
    });
}

/// What panels are drawn from.
pub(super) struct Contents<'a> {
    workspace: &'a Workspace,
    live: LiveView<'a>,
    keymap: &'a Keymap,
    inspector: &'a mut Inspector,
    viewport: &'a mut Viewport,
    outliner: &'a mut OutlinerView,
    log_view: &'a mut LogView,
    problems: Option<&'a Findings>,
    problems_view: &'a mut ProblemsView,
    editing: &'a mut EditingView,
    project_view: &'a mut project::ProjectView,
    running: &'a mut RunningView,
    by_hand: &'a ByHand,
    log: &'a LogLines,
    started: Nanos,
    game_has_keys: bool,
    game_has_mouse: bool,
    situation: Situation,
    actions: &'a mut Vec<Action>,
}

impl Contents<'_> {
    fn inspector_ui(&mut self, ui: &mut Ui, panel: Panel) {
        let action = self.inspector.panel_ui(ui, panel, &self.live);
        self.actions.extend(action.map(Action::Inspector));
    }

    fn outliner_ui(&mut self, ui: &mut Ui) {
        let rows = self.workspace.rows();
        let has_keys = ui.memory(|memory| memory.has_focus(Pane::Outliner.focus_id()));
        let selection = &self.workspace.scenes.front.document.selection;
        let facts = OutlinerFacts {
            rows,
            stamp: self.workspace.listed(),
            selection,
            marks: &self.workspace.scenes.front.document.marks,
            has_keys,
            situation: self.situation,
            keymap: self.keymap,
        };
        outliner::ui(ui, self.outliner, &facts, self.actions);
    }

    fn properties_ui(&mut self, ui: &mut Ui) {
        let (session, document) = (&self.workspace.session, &self.workspace.scenes.front.document);
        let authored = self.workspace.scenes.front.authored.as_ref().and_then(|world| world.observed());
        let observed = match session.observation() {
            Some(seen) => seen.watched.as_ref(),
            None => authored,
        };
        let selection = self.workspace.scenes.front.document.selection.primary();
        // While a handle is held, the fields show what will be authored when it is let go.
        let held = self.viewport.gizmo.held.as_ref();
        let dragged: Vec<_> = held.map_or_else(Vec::new, |held| {
            document.all_selected().into_iter().filter_map(|entity| held.preview(entity)).collect()
        });
        let facts = PropertiesFacts {
            // The answer to an older selection is not shown for the newer one.
            observed: observed.filter(|observed| Some(observed.id) == selection),
            selected: selection.is_some(),
            picture: self.viewport.picture().filter(|_| session.is_live()),
            authored: document.selected().filter(|_| !session.is_live()).map(|primary| {
                let all = document.all_selected().into_iter().map(|one| as_dragged(&dragged, one)).collect();
                (document.indexed(), all, as_dragged(&dragged, primary))
            }),
            running: session.is_live().then(|| RunningFacts {
                scene: document.indexed(),
                by_hand: self.by_hand,
                others: session.observation().map_or(&[], |seen| &seen.others),
            }),
            selected_count: document.selection.len(),
        };
        properties::ui(ui, self.editing, self.running, &facts, self.actions);
    }

    fn scene_ui(&mut self, ui: &mut Ui, port: Port) {
        let session = &self.workspace.session;
        let facts = ViewportFacts {
            keymap: self.keymap,
            phase: session.phase(),
            live: session.is_live(),
            open_frame: session.observation().map_or(FrameIndex(0), |seen| seen.record.frame),
            selection: self.workspace.scenes.front.document.selection.primary(),
            selected: &self.workspace.scenes.front.document.selection,
            settings_wait: session.settings_wait(),
            game_has_keys: self.game_has_keys,
            game_has_mouse: self.game_has_mouse,
            scene_has_camera: self.situation.scene_has_camera,
            locked: &self.workspace.scenes.front.document.marks.locked,
        };
        viewport::ui(ui, self.viewport, port, &facts, self.actions);
    }
}

/// The entity as it is dragged now, where it is.
fn as_dragged<'a>(dragged: &'a [Entity], entity: &'a Entity) -> &'a Entity {
    dragged.iter().find(|moved| moved.id == entity.id).unwrap_or(entity)
}

impl Panes for Contents<'_> {
    fn pane_ui(&mut self, ui: &mut Ui, pane: Pane) {
        match pane {
            Pane::Outliner => self.outliner_ui(ui),
            Pane::Scene => self.scene_ui(ui, Port::Scene),
            Pane::Camera => self.scene_ui(ui, Port::Camera),
            Pane::Properties => self.properties_ui(ui),
            Pane::History => {
                let has_keys = ui.memory(|memory| memory.has_focus(Pane::History.focus_id()));
                let refusal = match (self.workspace.session.is_live(), self.situation.read_only) {
                    (true, _) => Some("A running scene is a copy: Stop, and then go back."),
                    (false, true) => Some("The project is read-only here: take it over, and then go back."),
                    (false, false) => None,
                };
                let history = self.workspace.scenes.front.document.history();
                history::ui(ui, history, refusal, has_keys, self.actions);
            }
            Pane::Project => {
                let workspace = self.workspace;
                let runs = workspace.session.is_live();
                let view = &mut *self.project_view;
                project::ui(ui, view, &workspace.project, &workspace.scenes.front.file, runs, self.actions);
            }
            Pane::Strip => {
                let action = self.inspector.strip_ui(ui, &self.live);
                self.actions.extend(action.map(Action::Inspector));
            }
            Pane::Stages => self.inspector_ui(ui, Panel::Stages),
            Pane::Record => self.inspector_ui(ui, Panel::Record),
            Pane::Pacing => self.inspector_ui(ui, Panel::Pacing),
            Pane::Timeline => self.inspector_ui(ui, Panel::Timeline),
            Pane::Handoff => self.inspector_ui(ui, Panel::Handoff),
            Pane::Histogram => self.inspector_ui(ui, Panel::Histogram),
            Pane::Threads => self.inspector_ui(ui, Panel::Threads),
            Pane::Compare => {
                // Every entity is looked at: only where it is shown.
                self.live.scene_submit = self.workspace.scenes.front.document.scene().submit_load();
                self.inspector_ui(ui, Panel::Compare);
            }
            Pane::Problems => {
                let has_keys = ui.memory(|memory| memory.has_focus(Pane::Problems.focus_id()));
                problems::ui(ui, self.problems_view, self.problems, has_keys, self.actions);
            }
            Pane::Log => {
                let has_keys = ui.memory(|memory| memory.has_focus(Pane::Log.focus_id()));
                log::ui(ui, self.log_view, self.log, self.started, has_keys, self.actions);
            }
        }
    }

    fn caption(&self, pane: Pane) -> String {
        match pane {
            Pane::Stages => self.inspector.caption(Panel::Stages, &self.live),
            Pane::Record => self.inspector.caption(Panel::Record, &self.live),
            Pane::Pacing => self.inspector.caption(Panel::Pacing, &self.live),
            Pane::Timeline => self.inspector.caption(Panel::Timeline, &self.live),
            Pane::Handoff => self.inspector.caption(Panel::Handoff, &self.live),
            Pane::Histogram => self.inspector.caption(Panel::Histogram, &self.live),
            Pane::Threads => self.inspector.caption(Panel::Threads, &self.live),
            _ => String::new(),
        }
    }

    fn title(&self, pane: Pane) -> String {
        let count = self.problems.filter(|_| pane == Pane::Problems).map_or(0, |found| found.problems.len());
        if count == 0 { pane.title().to_owned() } else { format!("{} {count}", pane.title()) }
    }
}
