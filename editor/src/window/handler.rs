//! Passes the window's events on to eframe, and does between them what that has no hook for.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;
use std::sync::{Arc, RwLock};
use std::time::Duration;

use eframe::UserEvent;
use framewalk_runtime::time::Nanos;
use framewalk_runtime::time::source::RealClock;
use winit::application::ApplicationHandler;
use winit::event::{DeviceEvent, DeviceId, StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::window::WindowId;

use super::display;
use super::link::{PASSES_UNSETTLED, WindowLink};
use crate::app::EditorApp;

/// How often the editor looks after its work, and its run, once its device is lost.
const WITHOUT_DEVICE_PERIOD: Duration = Duration::from_millis(20);

/// The event loop's handler, for as long as one window lasts.
pub(super) struct Handler<'a> {
    pub inner: eframe::EframeWinitApplication<'a>,
    pub editor: Rc<RefCell<Option<Box<EditorApp>>>>,
    pub gate: Arc<RwLock<()>>,
    pub link: Rc<WindowLink>,
    pub clock: RealClock,
    pub display_noted: Nanos,
}

impl Handler<'_> {
    /// Whatever an event is: a pass may be painted in any of them, and may have taken the gate for as long as it lasts.
    /// eframe paints a window that is not to be seen yet whenever it looks after its windows.
    fn deal_with(&mut self, pass_on: impl FnOnce(&mut eframe::EframeWinitApplication<'_>)) {
        self.unless_lost(pass_on);
        self.link.let_gate_go();
    }

    fn gated(&mut self, pass_on: impl FnOnce(&mut eframe::EframeWinitApplication<'_>)) {
        let gate = Arc::clone(&self.gate);
        // A poisoned gate guards nothing that could be half done.
        let gate = gate.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        self.link.gated.set(true);
        self.unless_lost(pass_on);
        self.link.gated.set(false);
        drop(gate);
    }

    /// Nothing is painted with a lost device: egui's painter panics there. It may be lost in the middle of a pass; that is
    /// then over, and no fault of the program.
    fn unless_lost(&mut self, pass_on: impl FnOnce(&mut eframe::EframeWinitApplication<'_>)) {
        if self.link.is_lost() {
            return;
        }
        let inner = &mut self.inner;
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| pass_on(inner)))
            && !self.link.is_lost()
        {
            resume_unwind(panic);
        }
    }

    /// The device is lost: what is unsaved is kept, and then another window is opened, or this one waits to be closed.
    fn go_on_without_device(&mut self, event_loop: &ActiveEventLoop) {
        let mut editor = self.editor.borrow_mut();
        let Some(editor) = editor.as_mut() else { return };
        if let Some(title) = editor.pass_without_device()
            && let Some(window) = self.link.window.borrow().upgrade()
        {
            window.set_title(title);
            // One that has not painted anything yet is not to be seen: eframe would show it with its first picture.
            window.set_visible(true);
        }
        if self.link.opens_anew.get() || editor.closes_without_device() {
            event_loop.exit();
        }
        event_loop.set_control_flow(ControlFlow::wait_duration(WITHOUT_DEVICE_PERIOD));
    }

    /// The window's button was pressed, and its device is lost.
    fn close_without_device(&mut self, event_loop: &ActiveEventLoop) {
        let mut editor = self.editor.borrow_mut();
        if editor.as_mut().is_some_and(|editor| editor.close_without_device()) {
            event_loop.exit();
        }
    }
}

impl ApplicationHandler<UserEvent> for Handler<'_> {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        self.gated(|inner| inner.resumed(event_loop));
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, window: WindowId, event: WindowEvent) {
        if self.link.is_lost() {
            if matches!(event, WindowEvent::CloseRequested) && self.link.is_main(window) {
                self.close_without_device(event_loop);
            }
            return;
        }
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
        if let Some(editor) = self.editor.borrow().as_ref() {
            editor.lose_device_for_a_test();
        }
        if self.link.is_lost() {
            self.go_on_without_device(event_loop);
        }
    }

    fn suspended(&mut self, event_loop: &ActiveEventLoop) {
        self.deal_with(|inner| inner.suspended(event_loop));
    }

    fn exiting(&mut self, event_loop: &ActiveEventLoop) {
        self.inner.exiting(event_loop);
        self.link.let_gate_go();
    }

    fn memory_warning(&mut self, event_loop: &ActiveEventLoop) {
        self.deal_with(|inner| inner.memory_warning(event_loop));
    }
}
