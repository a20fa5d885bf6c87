//! How the transport is laid out at the width there is.

use egui::Ui;
use framewalk_inspector::theme::size;

use super::fields::{self, field_width};
use super::{DIVIDER_WIDTH, EDGE, GROUPS, Room, SPACING, ToolbarFacts, ToolbarView, button_widths};

/// What fits beside each other at a width: nothing ever lies on something else, and nothing is left out but keys; in a window
/// too narrow for all, physics and handoff go where there is room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    pub rows: u8,
    /// The keys are written in the buttons.
    pub keys: bool,
    pub room: Room,
}

/// What the parts need, in points.
#[derive(Clone, Copy, Debug)]
struct Needs {
    /// The buttons with their keys, and without.
    buttons: f32,
    bare_buttons: f32,
    /// The other fields and the figures.
    rest: f32,
    /// Physics and handoff.
    extras: f32,
}

impl Plan {
    /// For an available width.
    fn fitting(width: f32, needs: Needs) -> Self {
        let Needs { buttons, bare_buttons, rest, extras } = needs;
        let one = |keys| Self { rows: 1, keys, room: Room::Beside };
        let two = |upper: f32, room| Self { rows: 2, keys: upper <= width, room };
        let divider = DIVIDER_WIDTH + SPACING;
        match width {
            _ if buttons + divider + rest + extras <= width => one(true),
            _ if bare_buttons + divider + rest + extras <= width => one(false),
            _ if rest + extras <= width => two(buttons, Room::Beside),
            _ if bare_buttons + divider + extras <= width => two(buttons + divider + extras, Room::Above),
            _ => two(buttons, Room::Behind),
        }
    }

    /// For the width of `ui`.
    #[must_use]
    pub fn of(ui: &Ui, facts: &ToolbarFacts<'_>, view: &ToolbarView) -> Self {
        let dividers = 2.0 * (DIVIDER_WIDTH + SPACING);
        let (mut buttons, mut bare_buttons) = (2.0 * EDGE + dividers, 2.0 * EDGE + dividers);
        for command in GROUPS.into_iter().flatten() {
            let (text, chip) = button_widths(ui, facts.keymap, command);
            buttons += text + chip + SPACING;
            bare_buttons += text + SPACING;
        }
        let mut rest = facts.inspector.figures_width(ui) + 2.0 * EDGE;
        let mut extras = 0.0;
        if let Some(choices) = facts.choices {
            for shown in fields::fields(choices, facts.frame_rate, view.open) {
                let of = if shown.field.is_extra() { &mut extras } else { &mut rest };
                *of += field_width(ui, &shown) + SPACING;
            }
        }
        Self::fitting(ui.available_width(), Needs { buttons, bare_buttons, rest, extras })
    }

    /// Height of the transport.
    #[must_use]
    pub fn height(self) -> f32 {
        size::TRANSPORT_HEIGHT * f32::from(self.rows) - 6.0 * f32::from(self.rows - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_goes_to_a_second_row_and_never_onto_the_figures() {
        let needs = Needs { buttons: 800.0, bare_buttons: 580.0, rest: 485.0, extras: 200.0 };
        let plan = |width| {
            let Plan { rows, keys, room } = Plan::fitting(width, needs);
            (rows, keys, room)
        };
        assert_eq!(plan(1500.0), (1, true, Room::Beside));
        assert_eq!(plan(1499.0), (1, false, Room::Beside));
        assert_eq!(plan(1279.0), (2, true, Room::Beside));
        assert_eq!(plan(799.0), (2, false, Room::Beside));
        assert_eq!(plan(685.0), (2, false, Room::Beside));
        assert_eq!(plan(684.0), (2, false, Room::Behind));
    }

    #[test]
    fn physics_and_handoff_stand_beside_the_buttons_where_their_own_row_is_full() {
        let needs = Needs { buttons: 600.0, bare_buttons: 450.0, rest: 700.0, extras: 235.0 };
        let plan = |width| {
            let Plan { rows, keys, room } = Plan::fitting(width, needs);
            (rows, keys, room)
        };
        assert_eq!(plan(935.0), (2, true, Room::Beside));
        assert_eq!(plan(934.0), (2, true, Room::Above));
        assert_eq!(plan(850.0), (2, true, Room::Above));
        assert_eq!(plan(849.0), (2, false, Room::Above));
        assert_eq!(plan(700.0), (2, false, Room::Above));
        assert_eq!(plan(699.0), (2, true, Room::Behind));
    }
}
