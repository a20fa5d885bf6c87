//! Playing: starting and ending runs, passing on what a person asks, keeping the picture current.

use std::sync::{Arc, RwLock};

use framewalk_runtime::frame::record::{Shown, ShownRecord};
use framewalk_runtime::render::gpu::{DeviceHealth, GpuContext};
use framewalk_runtime::render::view::View;
use framewalk_runtime::render::{FlightLimits, NullRenderer, Renderer};
use framewalk_runtime::scene::EntityId;
use framewalk_runtime::sim::Control;
use framewalk_runtime::snapshot::Snapshot;
use framewalk_runtime::time::{Nanos, Speed};

use super::on_disk::OnDisk;
use super::troubles::DOES_NOTHING;
use super::{ANSWER_TIME, EditorApp};
use crate::document::selection::SelectionChange;
use crate::session::run::Drive;
use crate::session::{News, Phase};
use crate::settings::WhenHidden;
use crate::shell::status::Message;
use crate::viewport::authored::AuthoredPicture;
use crate::viewport::gizmo::Grip;
use crate::viewport::texture::{Calling, Graphics, Screen};
use crate::viewport::{Painted, bounds};

/// The window's device for our renderers, or why there is none.
pub(super) fn graphics(
    state: Option<&egui_wgpu::RenderState>,
    gate: Arc<RwLock<()>>,
) -> Result<Graphics, String> {
    let state = state.ok_or_else(|| "the window has no graphics device".to_owned())?;
    let health = DeviceHealth::watch(&state.device);
    let context =
        GpuContext::from_window(state.device.clone(), state.queue.clone(), &state.adapter, gate, health);
    Ok(Graphics { context, state: state.clone() })
}

/// What draws, as the window says it.
pub(super) fn adapter(graphics: &Result<Graphics, String>) -> String {
    match graphics {
        Ok(graphics) => format!("{} · {}", graphics.context.adapter_name, graphics.context.backend),
        Err(_) => "no adapter, null renderer".to_owned(),
    }
}

impl EditorApp {
    /// Plays the scene, or resumes a run that stands.
    pub(crate) fn play_or_resume(&mut self, ctx: &egui::Context) {
        match self.phase() {
            Phase::Edit => self.play(),
            _ => self.control(Control::Resume),
        }
        if self.is_live() {
            let port = self.viewport.port_in_sight();
            if self.is_away(port, ctx) {
                self.away_wants_keyboard = true;
            } else {
                self.dialogs.give_focus(ctx, port.id());
            }
            // What the first card of the tour asks for has been done.
            if self.tour == Some(0) {
                self.tour(crate::command::TourStep::To(1));
            }
        }
    }

    fn play(&mut self) {
        self.grip(Grip::Cancel);
        self.cancel_comparison();
        self.by_hand.clear();
        self.viewport.authored = None;
        let Some(workspace) = &self.workspace else { return };
        let selection = workspace.scenes.front.document.selection.ids().to_vec();
        let view = self.viewport.view(true, &workspace.scenes.front.document.selection);
        let (renderer, screen) = self.renderer(&view);
        let threads = self.run_threads();
        let Some(workspace) = &mut self.workspace else { return };
        workspace.session.threads = threads;
        let sabotage = std::mem::take(&mut self.sabotage);
        let started =
            workspace.session.play(workspace.scenes.front.document.scene(), renderer, self.drive, sabotage);
        match started {
            Ok(()) => {
                self.inspector.begin_run(workspace.session.number());
                workspace.session.watch(selection);
                if screen.is_some() {
                    self.viewport.replace_screen(screen);
                }
                self.banner = None;
                self.troubles.begin_run();
                if let Some(link) = &self.link {
                    link.count_input_anew();
                }
                self.begin_sounding();
                self.expect_answer();
            }
            Err(problem) => self.say(Message::error("The scene cannot be played.", vec![problem])),
        }
    }

    /// A renderer for the view, and the screen it draws for; the null renderer where there is no device.
    fn renderer(&mut self, view: &View) -> (Box<dyn Renderer<Snapshot>>, Option<Screen>) {
        self.loss.begin_run(None);
        match self.flying_renderer(view) {
            Ok((renderer, screen)) => {
                self.viewport.problem = None;
                let (calling, redrawer) = Calling::replaceable(renderer, Arc::new(self.waker.call()));
                self.loss.begin_run(Some(redrawer));
                (Box::new(calling), Some(screen))
            }
            Err(problem) => {
                self.viewport.problem =
                    Some(format!("No picture: {problem}. Frames are counted, not drawn."));
                (Box::new(NullRenderer::new()), None)
            }
        }
    }

    /// A renderer for a run, with as many pictures in flight as the settings say.
    pub(super) fn flying_renderer(
        &self,
        view: &View,
    ) -> Result<(Box<dyn Renderer<Snapshot>>, Screen), String> {
        let graphics = self.graphics.as_ref().map_err(Clone::clone)?;
        let (mut renderer, screen) = graphics.renderer(view).map_err(|error| error.to_string())?;
        // On one thread, every picture is there when it was drawn.
        if self.drive == Drive::Threads {
            renderer.fly(self.settings.flight_limits());
        }
        Ok((Box::new(renderer), screen))
    }

    /// Ends the run; the authored scene stands as before.
    pub(crate) fn stop(&mut self) {
        let now = self.now();
        let inspector = &mut self.inspector;
        let Some(workspace) = &mut self.workspace else { return };
        if !workspace.session.is_live() {
            return;
        }
        self.viewport.gizmo.held = None;
        // What was clicked in the run is gone with it.
        self.clicks.forget();
        workspace.session.stop(now, &mut |news| ingest(inspector, news));
        workspace.session.follow_project(&workspace.project.project);
        inspector.end_run();
        say_what_is_kept(inspector, workspace.session.number());
        self.sounding.end();
        self.game_had_keys = false;
        self.game_mouse.let_go();
        let front = &workspace.scenes.front;
        let is_as_read = front.on_disk == OnDisk::AsRead && !front.is_gone();
        // A spawned entity was selected: it is gone.
        workspace.scenes.front.document.let_go_of_what_is_gone();
        // What was wrong with the run went with it.
        let refused = |message: &Message| message.text.starts_with(DOES_NOTHING);
        if self.message == self.banner || self.message.as_ref().is_some_and(refused) {
            self.message = None;
        }
        self.banner = None;
        if !is_as_read {
            self.follow_disk();
        }
    }

    pub(crate) fn restart(&mut self, ctx: &egui::Context) {
        self.stop();
        self.plays_once_read = true;
        self.poll_jobs(ctx);
    }

    /// Plays what was to be played again, once its file was read. Which scene that is, is asked first.
    pub(super) fn play_once_read(&mut self, ctx: &egui::Context) {
        if self.plays_once_read && !self.is_reading() {
            self.plays_once_read = false;
            if !self.dialogs.is_asking() && !self.is_live() {
                self.play_or_resume(ctx);
            }
        }
    }

    /// Pauses a run; before Play, asks that the next one stands at frame 1.
    pub(crate) fn pause(&mut self) {
        if self.is_live() {
            self.control(Control::Pause);
        } else if let Some(workspace) = &mut self.workspace {
            workspace.session.choices.start_paused ^= true;
        }
    }

    pub(crate) fn control(&mut self, control: Control) {
        if let Some(workspace) = &mut self.workspace {
            workspace.session.control(control);
        }
        self.expect_answer();
    }

    /// Something was asked of the run: it is looked at soon, or it is said that the run does nothing any more.
    pub(super) fn expect_answer(&mut self) {
        self.answers_until = self.now() + ANSWER_TIME;
        self.say_refused();
    }

    pub(crate) fn set_speed(&mut self, speed: Speed) {
        if let Some(workspace) = &mut self.workspace {
            workspace.session.set_speed(speed);
        }
        self.say_refused_grid();
        self.expect_answer();
    }

    /// Half or twice the speed, from a quarter up when it stands at 0.
    pub(crate) fn scale_speed(&mut self, twice: bool) {
        let Some(workspace) = &self.workspace else { return };
        let now = workspace.session.choices.speed.thousandths();
        let next = if twice { now.max(125).saturating_mul(2).min(8000) } else { now / 2 };
        if let Ok(speed) = Speed::from_thousandths(next) {
            self.set_speed(speed);
        }
    }

    pub(crate) fn select(&mut self, entity: Option<EntityId>) {
        if let Some(workspace) = &mut self.workspace {
            workspace.scenes.front.document.selection.set(entity);
            workspace.session.watch(workspace.scenes.front.document.selection.ids().to_vec());
        }
        self.expect_answer();
    }

    pub(crate) fn change_selection(&mut self, change: SelectionChange) {
        if let Some(workspace) = &mut self.workspace {
            workspace.scenes.front.document.selection.change(change);
            workspace.session.watch(workspace.scenes.front.document.selection.ids().to_vec());
        }
        self.expect_answer();
    }

    /// Everything that the outliner lists: what its filter leaves, folded or not.
    pub(crate) fn select_all(&mut self) {
        let Some(workspace) = &self.workspace else { return };
        let listed = crate::panels::outliner::listed(&self.outliner, workspace.rows());
        self.change_selection(SelectionChange::Set(listed));
    }

    pub(crate) fn frame_selection(&mut self) {
        let ids = self.selected_ids();
        self.frame(&ids);
    }

    /// Moves the view so that these things fill it; of none, all there are.
    pub(crate) fn frame(&mut self, ids: &[EntityId]) {
        let live = self.is_live();
        if let Some((center, radius)) = self.viewport.picture().and_then(|picture| bounds(picture, ids)) {
            self.viewport.set_look(live, crate::viewport::Look::Free);
            self.viewport.camera.frame(center, radius);
        }
    }

    /// Time on the run's clock; on our own where nothing runs.
    pub(super) fn run_now(&self) -> Nanos {
        let session = self.workspace.as_ref().map(|workspace| &workspace.session);
        session.and_then(crate::session::Session::now).unwrap_or_else(|| self.now())
    }

    /// What was painted has been presented: shown, at the time the window says. What did not reach the window is not.
    pub(super) fn report_presented(&mut self) {
        let at = match &self.link {
            Some(link) => link.presented.get(),
            None => Some(self.run_now()),
        };
        // Nothing that is painted with a lost device is shown.
        let at = at.filter(|_| !self.loss.is_lost());
        if at.is_none() {
            self.viewport.unpaint();
        }
        if let (Some(link), Some(at), Some(open)) = (&self.link, at, &mut self.workspace) {
            open.session.painted(at, link.refreshes.take());
        }
        let painted = self.viewport.take_painted();
        self.finish_pass(painted);
        let Some((at, Painted { run, frame, shown_time, .. })) = at.zip(painted) else { return };
        let inspector = &mut self.inspector;
        if let Some(workspace) = &mut self.workspace {
            let record = ShownRecord { run, frame, shown: Shown::Presented { at, shown_time } };
            workspace.session.presented(record, &mut |news| ingest(inspector, news));
        }
    }

    /// Has it noted when this pass is given an image to paint into, where that may be a matter of the display: not in software,
    /// whose images are there once they are drawn, nor while the surface is configured anew in between.
    pub(super) fn watch_refreshes(&self, ctx: &egui::Context) {
        let is_drawn_by_hardware = self.graphics.as_ref().is_ok_and(|graphics| !graphics.context.software);
        if let Some(link) = self.link.as_ref().filter(|link| is_drawn_by_hardware && !link.is_unsettled())
            && self.phase() == Phase::Playing
        {
            link.refreshes.watch(ctx);
        }
    }

    pub(super) fn advance_virtual(&mut self) {
        if let (Drive::Virtual { step }, Some(workspace)) = (self.drive, &mut self.workspace) {
            workspace.session.advance(step);
        }
    }

    /// Takes what was recorded, and says so once when the run has failed.
    pub(super) fn poll_run(&mut self) {
        let inspector = &mut self.inspector;
        let Some(workspace) = &mut self.workspace else { return };
        let failed_before = workspace.session.failure().is_some();
        let (troubles, mut renderer_fails) = (&mut self.troubles, false);
        workspace.session.poll(&mut |news| {
            if let News::Render(record) = &news {
                renderer_fails |= troubles.rendered(record.outcome);
            }
            ingest(inspector, news);
        });
        if let (Some(failure), false) = (workspace.session.failure(), failed_before) {
            let text = format!("The run has failed: {failure}");
            self.say(Message::error(text, Vec::new()));
        } else if renderer_fails && !self.loss.is_lost() {
            self.say_frames_abandoned();
        }
    }

    pub(super) fn follow_display(&mut self) {
        let Some(link) = &self.link else { return };
        if let Some(workspace) = &mut self.workspace {
            let before = workspace.session.frame_rate();
            workspace.session.set_display_rate(link.display_rate.get());
            let rate = workspace.session.frame_rate();
            if rate != before {
                tracing::info!(target: "framewalk", %rate, "display_rate_followed");
            }
        }
    }

    /// A run is paused when the window is hidden, if the settings say so.
    pub(super) fn follow_visibility(&mut self, ctx: &egui::Context) {
        let hidden = ctx.input(|input| {
            let viewport = input.viewport();
            viewport.minimized.unwrap_or(false) || viewport.occluded.unwrap_or(false)
        });
        let became_hidden = hidden && !self.was_hidden;
        self.was_hidden = hidden;
        if became_hidden && self.settings.when_hidden == WhenHidden::Pause && self.phase() == Phase::Playing {
            self.control(Control::Pause);
            self.say(Message::info("Paused because the window was hidden."));
        }
    }

    /// Draws the authored scene while nothing runs, sends a changed view to whoever draws, and takes what was drawn.
    pub(super) fn update_picture(&mut self) {
        self.send_view();
        self.viewport.take_picture();
    }

    /// Sends a changed view. Called after a pass too, so that what was asked for in it is drawn without another one;
    /// no picture is taken then, since the window still has to paint the one it was given.
    pub(super) fn send_view(&mut self) {
        let live = self.is_live();
        let Some(workspace) = &mut self.workspace else { return };
        let selection = workspace.scenes.front.document.selection.primary();
        let view = self.viewport.view(live, &workspace.scenes.front.document.selection);
        if let Some(world) = &mut workspace.scenes.front.authored {
            let document = &workspace.scenes.front.document;
            world.hide(&document.marks.hidden, document.indexed());
            world.observe(selection);
        }
        if live {
            self.draw_run_anew(&view);
        }
        let Some(workspace) = &mut self.workspace else { return };
        if live {
            if self.viewport.screen.as_mut().is_some_and(|screen| screen.send(&view)) {
                workspace.session.view_changed();
            }
        } else {
            self.draw_authored(&view);
        }
    }

    fn draw_authored(&mut self, view: &View) {
        if self.loss.is_lost() {
            return;
        }
        let Ok(graphics) = &self.graphics else {
            if let Err(problem) = &self.graphics {
                self.viewport.problem = Some(format!("No picture: {problem}."));
            }
            return;
        };
        let Some(world) =
            self.workspace.as_ref().and_then(|workspace| workspace.scenes.front.authored.as_ref())
        else {
            return;
        };
        let mut made = None;
        let drawn = match &mut self.viewport.authored {
            Some((picture, revision)) if *revision == world.drawn_revision() => {
                match self.viewport.screen.as_mut().is_some_and(|screen| screen.send(view)) {
                    true => picture.view_changed(),
                    false => Ok(()),
                }
            }
            Some((picture, revision)) => {
                *revision = world.drawn_revision();
                if let Some(screen) = &mut self.viewport.screen {
                    screen.send(view);
                }
                picture.show(world)
            }
            none => {
                graphics.renderer(view).map_err(|error| error.to_string()).and_then(
                    |(mut renderer, screen)| {
                        let mut picture = match self.drive {
                            Drive::Threads => {
                                let call = Arc::new(self.waker.call());
                                // Nothing moves: what a drag has come to is shown the sooner for it.
                                renderer.fly(FlightLimits::nearest(1, 2));
                                let calling = Calling::new(Box::new(renderer), call);
                                AuthoredPicture::threaded(Box::new(calling))?
                            }
                            Drive::Virtual { .. } => AuthoredPicture::direct(renderer),
                        };
                        picture.show(world)?;
                        *none = Some((picture, world.drawn_revision()));
                        made = Some(screen);
                        Ok(())
                    },
                )
            }
        };
        if made.is_some() {
            self.viewport.replace_screen(made);
        }
        self.viewport.problem = drawn.err().map(|problem| format!("No picture: {problem}"));
    }
}

/// For the log: what the history holds of a run that has ended, and how many frames are missing inside of that.
fn say_what_is_kept(inspector: &framewalk_inspector::Inspector, run: u32) {
    let frames = inspector.history().run(run);
    let (Some(oldest), Some(newest)) = (frames.at(0), frames.last()) else { return };
    let (oldest, newest, held) = (oldest.frame().0, newest.frame().0, frames.len() as u64);
    let missing = (newest - oldest + 1).saturating_sub(held);
    let (shown, unseen) = frames.shown_and_unseen();
    tracing::debug!(target: "framewalk", run, oldest, newest, held, missing, shown, unseen, "run_kept");
}

fn ingest(inspector: &mut framewalk_inspector::Inspector, news: News) {
    match news {
        News::Frame(record) => inspector.ingest_frame(record),
        News::Render(record) => inspector.ingest_render(record),
        News::Shown(record) => inspector.ingest_shown(record),
        News::Zone(thread, zone) => inspector.ingest_zone(thread, zone),
    }
}
