//! How the transport is laid out at the width there is.

use egui::Ui;
use framewalk_inspector::theme::{Theme, size};

use super::{
    DIVIDER_WIDTH, EDGE, GROUPS, SPACING, ToolbarFacts, ToolbarView, button_widths, field_width, fields,
};

/// What fits beside each other at a width: nothing ever lies on something else, and nothing is left out but keys and, in
/// a window too narrow for all, physics and handoff, which stand in the Project panel and the menu too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    pub rows: u8,
    /// The keys are written in the buttons.
    pub keys: bool,
    /// Physics and handoff are there; where not, each is while it is open.
    pub all_fields: bool,
}

impl Plan {
    /// For an available width, and what the parts need: buttons with and without their keys, the rest of the row.
    #[must_use]
    pub fn fitting(width: f32, buttons: f32, bare_buttons: f32, rest: f32) -> Self {
        let one = |keys| Self { rows: 1, keys, all_fields: true };
        match width {
            _ if buttons + rest <= width => one(true),
            _ if bare_buttons + rest <= width => one(false),
            _ => Self { rows: 2, keys: buttons <= width, all_fields: rest <= width },
        }
    }

    /// For the width of `ui`.
    #[must_use]
    pub fn of(ui: &Ui, facts: &ToolbarFacts<'_>, view: &ToolbarView) -> Self {
        let (mut buttons, mut bare) = (2.0 * EDGE, 2.0 * EDGE);
        for command in GROUPS.into_iter().flatten() {
            let (text, chip) = button_widths(ui, facts.keymap, command);
            buttons += text + chip + SPACING;
            bare += text + SPACING;
        }
        let dividers = 2.0 * (DIVIDER_WIDTH + SPACING);
        let mut rest = facts.inspector.figures_width(ui) + 2.0 * EDGE;
        if let Some(choices) = facts.choices {
            for (field, _, name, value) in fields(choices, facts.frame_rate, view.open) {
                rest += field_width(ui, &Theme::of(ui), field, name, &value) + SPACING;
            }
            rest += DIVIDER_WIDTH + SPACING;
        }
        Self::fitting(ui.available_width(), buttons + dividers, bare + dividers, rest)
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
        let plan = |width| Plan::fitting(width, 800.0, 580.0, 700.0);
        assert_eq!(plan(1500.0), Plan { rows: 1, keys: true, all_fields: true });
        assert_eq!(plan(1499.0), Plan { rows: 1, keys: false, all_fields: true });
        assert_eq!(plan(1279.0), Plan { rows: 2, keys: true, all_fields: true });
        assert_eq!(plan(799.0), Plan { rows: 2, keys: false, all_fields: true });
        assert_eq!(plan(699.0), Plan { rows: 2, keys: false, all_fields: false });
    }
}
