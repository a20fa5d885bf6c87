//! What the event loop and the editor tell each other.

use std::cell::{Cell, OnceCell, RefCell};
use std::path::PathBuf;
use std::sync::{Arc, RwLock, RwLockWriteGuard, Weak};

use framewalk_runtime::input::waiting::{Losses, wait_behind};
use framewalk_runtime::input::{InputEvent, InputKind};
use framewalk_runtime::render::gpu::DeviceHealth;
use framewalk_runtime::time::source::RealClock;
use framewalk_runtime::time::{Nanos, Rate};
use winit::event::WindowEvent;
use winit::window::{Window, WindowId};

use super::anew::{DeviceLosses, WindowFrame};
use super::display;
use super::refreshes::Refreshes;
use super::trouble::SurfaceHealth;
use crate::play;
use crate::viewport::keys;

/// Events of keys and of the mouse kept until the editor takes them; an overflow releases every key instead.
const QUEUED_INPUT: usize = 1_024;
/// Past so many, a place of the mouse takes that of the one before it.
pub(super) const QUEUED_PLACES: usize = QUEUED_INPUT / 2;

/// So many passes after a resize the surface may be found too old while it is painted, and is configured there and then.
/// One that was lost is made anew in the pass after that.
pub(super) const PASSES_UNSETTLED: u8 = 8;

/// What the event loop notes for the editor. Both live on the window's thread.
#[derive(Default)]
pub struct WindowLink {
    input: RefCell<Vec<InputEvent>>,
    input_losses: RefCell<Losses>,
    // The window that has the keyboard: it alone has the game's mouse.
    focused: Cell<Option<WindowId>>,
    /// When the last pass was handed to the display; none where nothing of it reached its window.
    pub presented: Cell<Option<Nanos>>,
    /// What it had to wait for.
    pub refreshes: Refreshes,
    /// Refresh rate of the display the window is on, where the system knows it.
    pub display_rate: Cell<Option<Rate>>,
    displays: display::Displays,
    /// The window is to be opened anew, with another device: its own is lost, and the editor is ready to go.
    pub opens_anew: Cell<bool>,
    /// For tests: where this file exists, the device is lost.
    pub lose_device: OnceCell<PathBuf>,
    // Of the device that draws this window.
    pub(super) health: RefCell<Option<Arc<DeviceHealth>>>,
    // None where no other window can be opened.
    pub(super) losses: RefCell<Option<DeviceLosses>>,
    /// How the window's surface fares.
    pub surface: SurfaceHealth,
    // Weak: the loop ends once the window is gone, and a window that somebody keeps never goes.
    pub(super) window: RefCell<Weak<Window>>,
    // The editor was made: there is a window, and something to draw it with.
    pub(super) opened: Cell<bool>,
    // The gate, for as long as the program runs; and who holds it until an event has been dealt with.
    pub(super) gate: OnceCell<&'static RwLock<()>>,
    pub(super) held: RefCell<Option<RwLockWriteGuard<'static, ()>>>,
    pub(super) gated: Cell<bool>,
    // So many more passes are painted under the gate.
    pub(super) unsettled: Cell<u8>,
    // As of the last pass: times that no picture could be had from a surface.
    pub(super) failures_seen: Cell<u64>,
}

impl WindowLink {
    /// A window is there, the first or another one: what was said of the one before is forgotten.
    pub(super) fn begin(&self, window: Option<&Arc<Window>>) {
        *self.window.borrow_mut() = window.map(Arc::downgrade).unwrap_or_default();
        self.focused.set(None);
        // Nobody tells of keys that are let go while there is no window.
        self.push_input(InputEvent { at: RealClock::new().now(), kind: InputKind::ReleaseAll });
        self.unsettled.set(0);
        self.failures_seen.set(self.surface.failures());
        self.surface.note_in_a_row(0);
        self.note_display();
        self.opened.set(true);
    }

    /// The device is lost, now: true where another window is to be opened with another one.
    pub fn another_device(&self, now: Nanos) -> bool {
        self.losses.borrow_mut().as_mut().is_some_and(|losses| losses.another(now))
    }

    /// The device that draws this window is lost.
    pub(super) fn is_lost(&self) -> bool {
        self.health.borrow().as_ref().is_some_and(|health| health.lost().is_some())
    }

    /// Where the window stands, while there is one.
    pub(super) fn frame(&self) -> Option<WindowFrame> {
        self.window.borrow().upgrade().map(|window| WindowFrame::of(&window))
    }

    /// Events of keys, and of the mouse of the window that has the keyboard, since the last call, as they arrived. A
    /// pointer is in pixels from the top left of that window.
    pub fn take_input(&self) -> Vec<InputEvent> {
        self.input.take()
    }

    /// Events that were lost since [`Self::count_input_anew`], because no pass took any for long.
    #[must_use]
    pub fn input_lost(&self) -> u64 {
        self.input_losses.borrow().total()
    }

    /// Losses count from here on: a run begins.
    pub fn count_input_anew(&self) {
        self.input_losses.take();
    }

    /// The gate is held until the event that is dealt with now is over: who took it again would wait for ourselves.
    #[must_use]
    pub fn is_gated(&self) -> bool {
        self.gated.get() || self.held.borrow().is_some()
    }

    /// Holds the gate until the event that is dealt with now is over: a window goes with it, and its surface may not go
    /// while another thread submits.
    pub fn hold_gate(&self) {
        if let (Some(gate), false) = (self.gate.get(), self.is_gated()) {
            *self.held.borrow_mut() = Some(gate.write().unwrap_or_else(std::sync::PoisonError::into_inner));
        }
    }

    /// The event that was dealt with is over.
    pub(super) fn let_gate_go(&self) {
        self.held.take();
    }

    /// A surface may be configured, or made anew, while this pass is painted: it is soon after a resize, or after one
    /// was lost.
    #[must_use]
    pub fn is_unsettled(&self) -> bool {
        self.unsettled.get() > 0 || self.surface.failures() != self.failures_seen.get()
    }

    /// At the end of a pass: where a surface is unsettled, it is painted under the gate.
    pub fn hold_gate_while_unsettled(&self) {
        let failures = self.surface.failures();
        if self.failures_seen.replace(failures) != failures {
            self.unsettled.set(PASSES_UNSETTLED);
        }
        if let Some(left) = self.unsettled.get().checked_sub(1) {
            self.unsettled.set(left);
            self.hold_gate();
        }
    }

    pub(super) fn is_main(&self, id: WindowId) -> bool {
        self.window.borrow().upgrade().is_none_or(|window| window.id() == id)
    }

    pub(super) fn push_input(&self, event: InputEvent) {
        let mut input = self.input.borrow_mut();
        let is_place = |event: &InputEvent| matches!(event.kind, InputKind::Pointer(_));
        if input.len() >= QUEUED_PLACES && is_place(&event) && input.last().is_some_and(is_place) {
            // Where it was meanwhile no tick sees anyway. Places before a button count: they say whose it is.
            input.pop();
        }
        let lost = wait_behind(&mut input, event, QUEUED_INPUT);
        self.input_losses.borrow_mut().note(lost, event.at);
    }

    /// What a window's event is to a game.
    pub(super) fn note_input(&self, window: WindowId, event: &WindowEvent, at: Nanos) {
        match event {
            WindowEvent::KeyboardInput { event: key, is_synthetic: false, .. } => {
                keys::from_window(key, at).into_iter().for_each(|event| self.push_input(event));
            }
            WindowEvent::Focused(true) => self.focused.set(Some(window)),
            WindowEvent::Focused(false) if self.focused.get() == Some(window) => {
                self.focused.set(None);
                self.push_input(InputEvent { at, kind: InputKind::ReleaseAll });
            }
            _ if self.focused.get() == Some(window) => {
                let kind = play::mouse::from_window(event);
                kind.into_iter().for_each(|kind| self.push_input(InputEvent { at, kind }));
            }
            _ => {}
        }
    }

    pub(super) fn note_display(&self) {
        let Some(window) = self.window.borrow().upgrade() else { return };
        self.display_rate.set(self.displays.rate_of(&window));
    }
}
