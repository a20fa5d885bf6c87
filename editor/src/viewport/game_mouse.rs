//! The mouse as the game's: what of it reaches the game, and in whose pixels. Pure, but that it reads egui's events and
//! where a picture was drawn.
//!
//! In the Camera panel the picture is the game's own: while that panel has the keyboard, the mouse over it is the game's
//! too. Everywhere else, the Scene panel included, it stays the editor's.

use egui::{Event, MouseWheelUnit, PointerButton, Response, Ui};
use framewalk_runtime::input::{InputEvent, InputKind, Key, KeySet};
use framewalk_runtime::time::Nanos;

/// Pixels of a window that count as one line, where a touchpad reports those: for whatever window it is.
pub const PIXELS_A_LINE: f32 = 20.0;
/// Lines that count as a page.
const LINES_A_PAGE: f32 = 10.0;

/// Where the game's own picture stands in its window, in pixels of the window, as it was drawn last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    pub min: [f32; 2],
    pub size: [f32; 2],
    /// Something lies over it where the mouse is: a menu, a window.
    pub covered: bool,
}

impl Place {
    /// Of the picture that has just been drawn as this widget.
    #[must_use]
    pub fn of(ui: &Ui, picture: &Response) -> Self {
        let (rect, scale) = (picture.rect, ui.ctx().pixels_per_point());
        let mouse = ui.input(|input| input.pointer.latest_pos());
        // A splitter in the same layer covers it too, and so does what is being dragged across it.
        let covered = mouse.is_some_and(|at| rect.contains(at)) && !picture.hovered();
        Self { min: (rect.min * scale).into(), size: (rect.size() * scale).into(), covered }
    }

    fn holds(&self, at: [i32; 2]) -> bool {
        let inside = |axis: usize| {
            let pixel = at[axis] as f32 - self.min[axis];
            (0.0..self.size[axis]).contains(&pixel)
        };
        !self.covered && inside(0) && inside(1)
    }

    /// A place in the window, from the top left of the picture.
    fn in_picture(&self, at: [i32; 2]) -> [i32; 2] {
        [0, 1].map(|axis| (at[axis] as f32 - self.min[axis]).floor() as i32)
    }
}

/// What the game knows of the mouse.
#[derive(Clone, Copy, Debug, Default)]
pub struct GameMouse {
    // Where it is in the window, whosever it is; none where that is not known.
    at: Option<[i32; 2]>,
    // Buttons that went down over the picture and are held since: they are the game's until they are let go.
    held: KeySet,
    // Where the game thinks that it is, in pixels of the window.
    told: Option<[i32; 2]>,
}

impl GameMouse {
    /// What an event of the mouse is to the game; `place` is none while the mouse is the editor's. The place of a
    /// pointer is the window's, in pixels, and comes out as the picture's.
    pub fn take(&mut self, kind: InputKind, place: Option<&Place>) -> Option<InputKind> {
        if let InputKind::Pointer(at) = kind {
            self.at = Some(at);
        }
        let place = place?;
        // A drag that began over the picture goes on beside it.
        let over = !self.held.is_empty() || self.at.is_some_and(|at| place.holds(at));
        match kind {
            InputKind::Pointer(at) if over => {
                self.told = Some(at);
                Some(InputKind::Pointer(place.in_picture(at)))
            }
            InputKind::KeyDown(key) if over => {
                self.held.insert(key);
                Some(kind)
            }
            InputKind::KeyUp(key) if self.held.contains(key) => {
                self.held.remove(key);
                Some(kind)
            }
            InputKind::Wheel(_) if over => Some(kind),
            _ => None,
        }
    }

    /// Before the events of a pass: the game that has just been given the mouse is told where it is, and what it held
    /// is let go when it has it no longer.
    pub fn follow(&mut self, place: Option<&Place>, mut tell: impl FnMut(InputKind)) {
        let Some(place) = place else {
            let held = std::mem::replace(&mut self.held, KeySet::EMPTY);
            held.iter().map(InputKind::KeyUp).for_each(tell);
            self.told = None;
            return;
        };
        if let Some(at) = self.at.filter(|at| self.told.is_none() && place.holds(*at)) {
            self.told = Some(at);
            tell(InputKind::Pointer(place.in_picture(at)));
        }
    }

    /// Everything that was held has been let go.
    pub fn let_go(&mut self) {
        self.held = KeySet::EMPTY;
    }

    /// The window has the mouse no longer, and everything that was held has been let go.
    pub fn forget(&mut self) {
        *self = Self::default();
    }
}

/// An event that the mouse makes, not the keyboard.
#[must_use]
pub const fn is_of_mouse(kind: InputKind) -> bool {
    matches!(
        kind,
        InputKind::Pointer(_)
            | InputKind::Wheel(_)
            | InputKind::KeyDown(Key::MouseLeft | Key::MouseRight | Key::MouseMiddle)
            | InputKind::KeyUp(Key::MouseLeft | Key::MouseRight | Key::MouseMiddle)
    )
}

/// An event of egui's in the pixels of its window, where no window delivers it; none where it is no mouse's, or one that
/// no game reads.
#[must_use]
pub fn from_egui(event: &Event, pixels_per_point: f32, at: Nanos) -> Option<InputEvent> {
    let kind = match event {
        Event::PointerMoved(place) => {
            InputKind::Pointer([place.x, place.y].map(|point| (point * pixels_per_point).floor() as i32))
        }
        Event::PointerButton { button, pressed, .. } => {
            let key = match button {
                PointerButton::Primary => Key::MouseLeft,
                PointerButton::Secondary => Key::MouseRight,
                PointerButton::Middle => Key::MouseMiddle,
                PointerButton::Extra1 | PointerButton::Extra2 => return None,
            };
            if *pressed { InputKind::KeyDown(key) } else { InputKind::KeyUp(key) }
        }
        Event::MouseWheel { unit, delta, .. } => {
            let lines = match unit {
                MouseWheelUnit::Line => delta.y,
                MouseWheelUnit::Point => delta.y * pixels_per_point / PIXELS_A_LINE,
                MouseWheelUnit::Page => delta.y * LINES_A_PAGE,
            };
            InputKind::Wheel((lines * 1000.0).round() as i32)
        }
        _ => return None,
    };
    Some(InputEvent { at, kind })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: Place = Place { min: [100.0, 50.5], size: [200.0, 100.0], covered: false };
    const DOWN: InputKind = InputKind::KeyDown(Key::MouseLeft);
    const UP: InputKind = InputKind::KeyUp(Key::MouseLeft);

    fn at(x: i32, y: i32) -> InputKind {
        InputKind::Pointer([x, y])
    }

    #[test]
    fn over_the_picture_the_mouse_is_the_games_in_its_own_pixels() {
        let mut mouse = GameMouse::default();
        for (kind, reaches) in [
            (at(100, 51), Some(at(0, 0))),
            (at(299, 149), Some(at(199, 98))),
            (DOWN, Some(DOWN)),
            (UP, Some(UP)),
            (InputKind::Wheel(-1000), Some(InputKind::Wheel(-1000))),
        ] {
            assert_eq!(mouse.take(kind, Some(&PLACE)), reaches, "{kind}");
        }
    }

    #[test]
    fn beside_the_picture_and_below_a_menu_the_mouse_stays_the_editors() {
        let covered = Place { covered: true, ..PLACE };
        for (place, x) in [(PLACE, 99), (PLACE, 300), (covered, 150)] {
            let mut mouse = GameMouse::default();
            for kind in [at(x, 60), DOWN, UP, InputKind::Wheel(1000)] {
                assert_eq!(mouse.take(kind, Some(&place)), None, "{kind} at {x}");
            }
        }
    }

    #[test]
    fn a_button_that_went_down_over_the_picture_is_the_games_until_it_is_let_go_anywhere() {
        let mut mouse = GameMouse::default();
        mouse.take(at(150, 100), Some(&PLACE));
        assert_eq!(mouse.take(DOWN, Some(&PLACE)), Some(DOWN));
        assert_eq!(mouse.take(at(90, 40), Some(&PLACE)), Some(at(-10, -11)), "a drag goes on");
        assert_eq!(mouse.take(UP, Some(&PLACE)), Some(UP));
        assert_eq!(mouse.take(at(91, 40), Some(&PLACE)), None);
        assert_eq!(
            mouse.take(UP, Some(&PLACE)),
            None,
            "what went down elsewhere does not come up in the game"
        );
    }

    #[test]
    fn who_loses_the_mouse_lets_go_and_who_gets_it_is_told_where_it_is() {
        let mut mouse = GameMouse::default();
        let mut told = Vec::new();
        assert_eq!(mouse.take(at(150, 100), None), None, "the editor's");
        mouse.follow(Some(&PLACE), |kind| told.push(kind));
        mouse.follow(Some(&PLACE), |kind| told.push(kind));
        assert_eq!(told, [at(50, 49)], "once");
        mouse.take(DOWN, Some(&PLACE));
        told.clear();
        mouse.follow(None, |kind| told.push(kind));
        mouse.follow(None, |kind| told.push(kind));
        assert_eq!(told, [UP], "once");
        mouse.follow(Some(&PLACE), |kind| told.push(kind));
        assert_eq!(told, [UP, at(50, 49)], "it is told again");
    }

    #[test]
    fn a_window_that_lost_the_mouse_says_nothing_of_where_it_was() {
        let mut mouse = GameMouse::default();
        mouse.take(at(150, 100), None);
        mouse.forget();
        mouse.follow(Some(&PLACE), |kind| panic!("{kind}"));
        assert_eq!(mouse.take(DOWN, Some(&PLACE)), None);
    }

    #[test]
    fn events_of_egui_become_pixels_buttons_and_thousandths_of_a_line() {
        let of = |event| from_egui(&event, 1.5, Nanos(7)).map(|event| event.kind);
        assert_eq!(of(Event::PointerMoved(egui::pos2(10.0, 3.9))), Some(at(15, 5)));
        let button = |button, pressed| Event::PointerButton {
            pos: egui::Pos2::ZERO,
            button,
            pressed,
            modifiers: egui::Modifiers::NONE,
        };
        assert_eq!(of(button(PointerButton::Primary, true)), Some(DOWN));
        assert_eq!(of(button(PointerButton::Primary, false)), Some(UP));
        assert_eq!(of(button(PointerButton::Secondary, true)), Some(InputKind::KeyDown(Key::MouseRight)));
        assert_eq!(of(button(PointerButton::Middle, true)), Some(InputKind::KeyDown(Key::MouseMiddle)));
        assert_eq!(of(button(PointerButton::Extra1, true)), None);
        for (unit, y, thousandths) in [
            (MouseWheelUnit::Line, -1.0, -1000),
            (MouseWheelUnit::Point, 30.0, 2250),
            (MouseWheelUnit::Page, 1.0, 10_000),
        ] {
            let wheel = Event::MouseWheel {
                unit,
                delta: egui::vec2(0.0, y),
                modifiers: egui::Modifiers::NONE,
                source: egui::MouseWheelSource::Wheel,
                phase: egui::TouchPhase::Move,
            };
            assert_eq!(of(wheel), Some(InputKind::Wheel(thousandths)));
        }
    }
}
