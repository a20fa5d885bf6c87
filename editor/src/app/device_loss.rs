//! A lost graphics device. What was not saved is kept at once; then the window is made anew with another device, and the
//! editor moves there as it is: documents, undo, layout, and the run that lives. Where no other device is to be had, the
//! window's title says what to do, since that is drawn by the system, and closing it asks nothing.

use std::sync::Arc;

use framewalk_runtime::render::gpu::DeviceHealth;
use framewalk_runtime::render::view::View;
use framewalk_runtime::time::Nanos;

use super::{EditorApp, playing};
use crate::project::leaving::Next;
use crate::project::store::is_there;
use crate::shell::fonts;
use crate::shell::status::Message;
use crate::shell::undocked::Undocked;
use crate::viewport::gizmo::Grip;
use crate::viewport::texture::Redrawer;
use crate::window::waker::Waker;

/// So long unsaved work is waited for before the window goes; it is kept by the thread of its own all the same.
const KEEP_PATIENCE: Nanos = Nanos::from_secs(5);
/// How often it is looked whether it is kept.
const LOOK_PERIOD: std::time::Duration = std::time::Duration::from_millis(20);

const KEEPING: &str = "Framewalk — the graphics device is lost: unsaved work is being kept";
const KEPT: &str =
    "Framewalk — the graphics device is lost, your work is kept: close this window and start Framewalk again";
const NOT_KEPT: &str = "Framewalk — the graphics device is lost and unsaved work cannot be kept: it is tried again; close twice \
                        to leave without it";
const OTHER_WINDOW: &str =
    "Framewalk — the graphics device is lost: the window is opened anew with another one";

/// What became of the device that draws the window.
#[derive(Default)]
pub struct DeviceLoss {
    lost: Option<Lost>,
    /// Hands another renderer to whoever draws the run that lives.
    redrawer: Option<Redrawer>,
    // The editor moved to another device, and the run that lives has no renderer there yet.
    run_waits: bool,
}

/// It is lost.
struct Lost {
    since: Nanos,
    reason: String,
    /// Another window is opened with another device.
    opens_anew: bool,
    /// That was asked for.
    asked: bool,
    /// The window was to be closed, so many times.
    closes: u32,
    /// It closes now.
    closes_now: bool,
    title: &'static str,
}

/// How unsaved work stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    /// All of it, or there is none.
    All,
    /// Some of it is being written.
    Soon,
    /// Some of it could not be.
    Not,
}

impl DeviceLoss {
    /// A run begins, on the device there is now.
    pub(super) fn begin_run(&mut self, redrawer: Option<Redrawer>) {
        (self.redrawer, self.run_waits) = (redrawer, false);
    }

    pub(super) fn is_lost(&self) -> bool {
        self.lost.is_some()
    }
}

impl EditorApp {
    /// Looks at the device: the first time that it is lost, whatever is unsaved is to be kept in this very pass.
    pub(super) fn follow_loss(&mut self, ctx: &egui::Context) {
        let Ok(graphics) = &self.graphics else { return };
        let Some(reason) = graphics.context.health.lost().map(str::to_owned) else { return };
        if self.loss.is_lost() {
            return;
        }
        let now = self.now();
        let opens_anew = self.link.as_ref().is_some_and(|link| link.another_device(now));
        let next = match opens_anew {
            true => "The window is opened anew with another one.",
            false => {
                "Nothing more can be drawn: close this window and start Framewalk again. What was not saved is kept, and \
                 offered then."
            }
        };
        self.loss.lost = Some(Lost {
            since: now,
            reason: reason.clone(),
            opens_anew,
            asked: false,
            closes: 0,
            closes_now: false,
            title: "",
        });
        // It is painted by nobody; the log, on stderr too, has it, and the title below.
        self.say(Message::error(format!("The graphics device is lost. {next}"), vec![reason]));
        self.hurry_keeping();
        ctx.request_repaint_after(LOOK_PERIOD);
    }

    /// What is not saved and not kept is kept at the next look.
    fn hurry_keeping(&mut self) {
        let Some(workspace) = &mut self.workspace else { return };
        for scene in workspace.scenes.iter_mut() {
            let is_unsaved = scene.is_to_be_kept();
            if is_unsaved && !scene.autosave.is_writing && !scene.autosave.is_kept(scene.document.revision())
            {
                scene.autosave.hurry();
            }
        }
    }

    fn unsaved_is_kept(&self) -> Kept {
        let nowhere = self.store.data_folder().is_none();
        let Some(workspace) = &self.workspace else { return Kept::All };
        if workspace.access.is_read_only() {
            return Kept::All;
        }
        let mut kept = Kept::All;
        for scene in workspace.scenes.iter() {
            let is_unsaved = scene.is_to_be_kept();
            if !is_unsaved || scene.autosave.is_kept(scene.document.revision()) {
                continue;
            }
            if nowhere || scene.autosave.has_failed() {
                return Kept::Not;
            }
            kept = Kept::Soon;
        }
        kept
    }

    /// After what is unsaved was given to be kept: opens another window once it is, or says what to do.
    pub(super) fn end_loss(&mut self, ctx: &egui::Context) {
        let (now, kept) = (self.now(), self.unsaved_is_kept());
        if self.loss.is_lost() && kept == Kept::Soon {
            // Keys still work, though nobody sees what they do.
            self.hurry_keeping();
        }
        let Some(lost) = &mut self.loss.lost else { return };
        let title = match kept {
            Kept::Soon => KEEPING,
            Kept::All | Kept::Not if lost.opens_anew => OTHER_WINDOW,
            Kept::All => KEPT,
            Kept::Not => NOT_KEPT,
        };
        if std::mem::replace(&mut lost.title, title) != title {
            ctx.send_viewport_cmd(egui::ViewportCommand::Title(title.to_owned()));
        }
        let is_over = kept != Kept::Soon || now - lost.since > KEEP_PATIENCE;
        if !is_over {
            ctx.request_repaint_after(LOOK_PERIOD);
        } else if lost.opens_anew {
            if !std::mem::replace(&mut lost.asked, true) {
                self.let_device_go();
                self.link.iter().for_each(|link| link.opens_anew.set(true));
            }
        } else if lost.closes > 0 && kept == Kept::All {
            lost.closes_now = true;
            ctx.send_viewport_cmd(egui::ViewportCommand::Close);
        }
    }

    /// Nothing is drawn with the device any more. Of the run that lives, its render thread lets it go with the renderer.
    fn let_device_go(&mut self) {
        self.clicks.forget();
        self.grip(Grip::Cancel);
        self.viewport.authored = None;
        self.viewport.screen = None;
        self.viewport.before = None;
        self.viewport.unpaint();
    }

    /// The window is to be closed, and its device is lost: nobody could read a question. It closes once what is unsaved
    /// is kept, or where it is told twice. `None` where the device is well.
    pub(super) fn close_with_device_lost(&mut self) -> Option<Closing> {
        let kept = self.unsaved_is_kept();
        let lost = self.loss.lost.as_mut()?;
        lost.closes += 1;
        Some(match kept {
            Kept::All => Closing::Now,
            Kept::Not if lost.closes > 1 => Closing::Now,
            Kept::Not | Kept::Soon => {
                self.hurry_keeping();
                Closing::OnceKept
            }
        })
    }

    /// Goes on in another window with another device, as it is. The window before is gone.
    pub fn move_to(&mut self, cc: &eframe::CreationContext<'_>) {
        self.continue_in(&cc.egui_ctx, cc.wgpu_render_state.as_ref());
    }

    /// As [`Self::move_to`], in any egui context and on any device of egui's.
    pub fn continue_in(&mut self, ctx: &egui::Context, device: Option<&egui_wgpu::RenderState>) {
        let before = self.waker.move_to(ctx);
        // Where the keyboard is, what is open and scrolled, styles and zoom. Fonts that are asked for stand in there too.
        let memory = before.memory(Clone::clone);
        ctx.memory_mut(|of_new| *of_new = memory);
        fonts::install(ctx);
        self.let_device_go();
        self.held_keys.clear();
        for window in &mut self.undocked {
            *window = Undocked::at(window.now);
        }
        self.graphics = playing::graphics(device, Arc::clone(&self.gate));
        self.adapter = playing::adapter(&self.graphics);
        self.fit_style_to_device(ctx);
        self.troubles.begin_with_device();
        self.loss.run_waits = self.is_live();
        let lost = self.loss.lost.take();
        if self.banner.as_ref().is_some_and(|banner| banner.text.starts_with("The graphics device")) {
            self.banner = None;
        }
        let Some(lost) = lost else { return };
        let run = if self.is_live() { " The run goes on; frames of that moment were not drawn." } else { "" };
        let text = format!(
            "The graphics device was lost ({}), and the window is drawn with another one now: {}. Nothing of your work is \
             lost.{run}",
            lost.reason, self.adapter
        );
        self.say(Message::warning(text));
        if lost.closes > 0 {
            // It was to be closed while its window was about to go: here a question can be read again.
            self.unless_unsaved(Next::Quit, ctx);
        }
        ctx.request_repaint();
    }

    /// On a device that is slow, what only looks well is left out.
    pub(super) fn fit_style_to_device(&self, ctx: &egui::Context) {
        if self.graphics.as_ref().is_ok_and(|graphics| graphics.context.software) {
            // A pass takes longer than a fade would: each would be paid with several passes.
            ctx.all_styles_mut(|style| {
                style.animation_time = 0.0;
                style.visuals.text_cursor.blink = false;
            });
        }
    }

    /// The run that lives is drawn by another renderer from its next picture on. Not while the window is made: a renderer
    /// submits, and nobody may then.
    pub(super) fn draw_run_anew(&mut self, view: &View) {
        if !std::mem::take(&mut self.loss.run_waits) {
            return;
        }
        // It is told the view it has afterwards: a run that stands draws its picture again for that.
        let other = View { size: [1, 1], second: None, ..view.clone() };
        let made = self.flying_renderer(&other).and_then(|(renderer, screen)| {
            let taken = self.loss.redrawer.as_ref().is_some_and(|redrawer| redrawer.draw_with(renderer));
            taken.then_some(screen).ok_or_else(|| "nobody draws this run any more".to_owned())
        });
        match made {
            Ok(screen) => {
                self.viewport.problem = None;
                self.viewport.replace_screen(Some(screen));
            }
            Err(problem) => {
                self.viewport.problem =
                    Some(format!("No picture: {problem}. Frames are counted, not drawn."));
            }
        }
    }

    /// No other window can be opened: what is unsaved was kept, and everything ends in order.
    ///
    /// # Returns
    /// What became of unsaved work, as a sentence; empty where there was none.
    pub fn end_without_window(mut self) -> String {
        use eframe::App as _;
        let kept = self.unsaved_is_kept();
        let unsaved = self.workspace.as_ref().map_or(0, |workspace| workspace.unsaved().len());
        self.on_exit();
        match (unsaved, kept) {
            (0, _) => String::new(),
            (_, Kept::Not) => "; unsaved work could not be kept".to_owned(),
            _ => "; unsaved work is kept, and offered when the project is opened next".to_owned(),
        }
    }

    /// The window is gone and was not closed, as where another program destroys it: what is unsaved is kept, and everything
    /// ends in order.
    ///
    /// # Returns
    /// As [`Self::end_without_window`].
    pub fn end_with_window_gone(mut self) -> String {
        self.grip(Grip::Cancel);
        self.keep_unsaved();
        let (ctx, since) = (self.waker.context(), self.now());
        while self.keeps_work() && self.now() - since < KEEP_PATIENCE {
            std::thread::sleep(LOOK_PERIOD);
            self.poll_jobs(&ctx);
        }
        self.end_without_window()
    }

    /// Unsaved work is being written.
    fn keeps_work(&self) -> bool {
        self.workspace.as_ref().is_some_and(|open| open.scenes.iter().any(|scene| scene.autosave.is_writing))
    }

    /// What is done instead of a pass where the device is lost, and nothing can be painted: work is kept, and what the run
    /// records is taken. The title that the window is to have, where it is another one than before.
    pub fn pass_without_device(&mut self) -> Option<&'static str> {
        let ctx = self.waker.context();
        let title = |app: &Self| app.loss.lost.as_ref().map(|lost| lost.title);
        let before = title(self);
        self.poll_run();
        self.follow_threads();
        self.poll_jobs(&ctx);
        self.follow_loss(&ctx);
        self.autosave(&ctx);
        self.end_loss(&ctx);
        self.follow_interrupt(&ctx);
        self.log.drain();
        title(self).filter(|now| before != Some(*now))
    }

    /// The window's button was pressed while its device is lost: true where it closes at once.
    pub fn close_without_device(&mut self) -> bool {
        self.close_with_device_lost() == Some(Closing::Now)
    }

    /// It was, and what was waited for is over; or the system wants the program to end.
    #[must_use]
    pub fn closes_without_device(&self) -> bool {
        self.ending || self.loss.lost.as_ref().is_some_and(|lost| lost.closes_now)
    }

    /// Calls for a pass of whichever window the editor is in.
    #[must_use]
    pub const fn waker(&self) -> &Waker {
        &self.waker
    }

    /// How the device fares that draws the window, where one does.
    #[must_use]
    pub fn device_health(&self) -> Option<Arc<DeviceHealth>> {
        self.graphics.as_ref().ok().map(|graphics| Arc::clone(&graphics.context.health))
    }

    /// Where it was asked for by `FRAMEWALK_TEST_LOSE_DEVICE`, and the file named there exists.
    pub fn lose_device_for_a_test(&self) {
        let file = self.link.as_ref().and_then(|link| link.lose_device.get());
        let Ok(graphics) = &self.graphics else { return };
        if self.loss.is_lost() || !file.is_some_and(|file| is_there(file)) {
            return;
        }
        graphics.context.device.destroy();
        // It says so once what it had to do is done, and it is asked.
        for _ in 0..5_000 {
            let _ = graphics.context.device.poll(wgpu::PollType::Poll);
            if graphics.context.health.lost().is_some() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }

    /// Why the device is lost, while it is and the editor has not moved.
    #[must_use]
    pub fn device_lost(&self) -> Option<&str> {
        self.loss.lost.as_ref().map(|lost| lost.reason.as_str())
    }
}

/// When a window whose device is lost closes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Closing {
    Now,
    OnceKept,
}
