//! What changes the world between ticks: edits by hand, and the application's update, with a frame or apart from any.

use super::{FrameCore, Time};
use crate::frame::application::{AppUpdate, FrameWorld};
use crate::frame::details::Note;
use crate::frame::zones::zone;
use crate::time::Nanos;
use crate::time::source::TimeSource;

/// Whether the update between ticks runs in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UpdateTurn {
    /// It does, and is given the frame's own delta.
    #[default]
    EveryFrame,
    /// It has a rate of its own, and is given the time since its last turn.
    Due {
        since: Nanos,
    },
    NotDue,
}

impl FrameCore {
    /// The application's own code between ticks, for stage 2.
    pub fn set_app_update(&mut self, app_update: AppUpdate) {
        self.app_update = Some(app_update);
    }

    /// There is something to update between ticks, or a load that stands for it.
    #[must_use]
    pub fn has_update(&self) -> bool {
        self.app_update.is_some() || self.world.loads().frame > Nanos::ZERO
    }

    /// The update between two frames, which in the free handoff come as often as ticks do: it is given the input that has
    /// come, and so much time since the last one. What it changes is drawn with the next frame.
    pub fn run_update(&mut self, since: Nanos, time: &mut impl TimeSource) {
        self.take_inputs();
        let (edited, _) = self.update(since, time);
        self.settle_edits(edited);
    }

    /// How many entities it changed, and what there is to say of it.
    pub(super) fn update(&mut self, delta: Nanos, time: &mut impl TimeSource) -> (usize, Note) {
        let mut edited = 0;
        if let Some(app_update) = &mut self.app_update {
            zone!("app_update");
            let scaled_delta = self.fixed_step.scaled(delta);
            let now = Time { delta, scaled_delta, ..self.time };
            app_update(&now, &self.input, &mut FrameWorld::new(&mut self.world, &mut edited));
        }
        let load = self.world.loads().frame;
        time.spend(load);
        let note = match edited {
            0 if load == Nanos::ZERO => Note::Nothing,
            0 => Note::Load(load),
            entities => Note::Changed { entities },
        };
        (edited, note)
    }

    /// A pose set on purpose is a teleport: previous = current at once.
    pub(super) fn settle_edits(&mut self, edited: usize) {
        if edited > 0 && !self.interpolation.is_up_to_date(&self.world) {
            self.interpolation.settle(&self.world);
        }
    }

    pub(super) fn apply_hand_edits(&mut self) -> usize {
        let mut edited = 0;
        for (id, edit) in self.edits.drain(..) {
            edited += usize::from(self.world.edit_by_hand(id, &edit));
        }
        edited
    }
}
