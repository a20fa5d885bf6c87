//! What people look at in a running world: filled into a pooled buffer, carried by a newest-wins slot.

use super::{RunState, Sim};
use crate::frame::core::Looking;
use crate::frame::details::StageDetails;
use crate::frame::record::FrameRecord;
use crate::handoff::{Consumer, Producer, slot};
use crate::scene::EntityId;
use crate::time::{FrameIndex, Nanos, Rate};
use crate::world::{EntityObservation, EntityRow};

/// While a scene runs, an observation is made this often; while stepping, after every stage.
pub const OBSERVATION_PERIOD: Nanos = Nanos::from_millis(50);

/// So many entities are looked at beside the one that is watched: with more, the simulation would wait for it.
pub const MOST_COMPARED: usize = 1_000;

/// Whether a run is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Observed {
    #[default]
    Yes,
    /// No observation is made: nothing but the frames costs time.
    No,
}

/// One look at a run.
#[derive(Clone, Debug, Default)]
pub struct Observation {
    pub state: RunState,
    /// The open frame so far, or the last one finished.
    pub record: FrameRecord,
    /// Stages of it that are done; 6 when none is open, 0 before frame 1.
    pub stages_done: u8,
    /// What the stages of frame `details_frame` produced so far.
    pub details: StageDetails,
    /// `None`: the frame of the record was not looked at while it ran, and nothing but the record is known of it.
    pub details_frame: Option<FrameIndex>,
    /// The frame published last.
    pub published: FrameIndex,
    /// A setting waits for the open frame to end.
    pub settings_wait: bool,
    pub frame_rate: Rate,
    pub entities: Vec<EntityRow>,
    /// Changes when the list above does.
    pub entities_revision: u64,
    /// The watched entity at length.
    pub watched: Option<EntityObservation>,
    /// The others that are watched with it, without their fields; those that are there, [`MOST_COMPARED`] at most.
    pub others: Vec<EntityObservation>,
    pub input_lost: u64,
}

/// The sim's end.
pub struct ObservationSender {
    producer: Producer<Observation>,
    watched: Vec<EntityId>,
    last: Option<Nanos>,
}

/// The looker's end.
pub struct ObservationReceiver {
    consumer: Consumer<Observation>,
}

/// A slot for observations.
#[must_use]
pub fn observations() -> (ObservationSender, ObservationReceiver) {
    let empty = || Observation { details: StageDetails::with_room(), ..Observation::default() };
    let (producer, consumer) = slot([empty(), empty(), empty()]);
    (ObservationSender { producer, watched: Vec::new(), last: None }, ObservationReceiver { consumer })
}

impl ObservationSender {
    /// The entities whose properties are wanted: the last one at length.
    pub fn watch(&mut self, entities: Vec<EntityId>) {
        self.watched = entities;
        self.last = None;
    }

    /// Time for another look while running.
    #[must_use]
    pub fn is_due(&self, now: Nanos) -> bool {
        self.last.is_none_or(|last| now - last >= OBSERVATION_PERIOD)
    }

    pub(super) fn publish(&mut self, sim: &Sim, now: Nanos) {
        self.last = Some(now);
        let core = sim.core();
        let world = core.world();
        let observation = self.producer.buffer_mut();
        observation.state = sim.state();
        observation.record = *core.record();
        observation.stages_done = sim.stages_done();
        observation.details.clone_from(core.details());
        let was_looked_at = core.looking() == Looking::AtThisFrame && core.record().frame.0 > 0;
        observation.details_frame = was_looked_at.then_some(core.record().frame);
        observation.published = core.published();
        observation.settings_wait = sim.settings_wait();
        observation.frame_rate = sim.frame_rate();
        observation.input_lost = core.input_lost();
        let revision = world.entities_revision();
        // A fresh buffer has revision 0, and so has no world.
        if observation.entities_revision != revision {
            world.entity_rows(&mut observation.entities);
            observation.entities_revision = revision;
        }
        let Some((primary, others)) = self.watched.split_last() else {
            observation.watched = None;
            observation.others.clear();
            self.producer.publish();
            return;
        };
        let watched = observation.watched.get_or_insert_with(EntityObservation::default);
        if !world.observe(*primary, watched) {
            observation.watched = None;
        }
        let mut used = 0;
        for id in others.iter().take(MOST_COMPARED) {
            if used == observation.others.len() {
                observation.others.push(EntityObservation::default());
            }
            used += usize::from(world.observe_parts(*id, &mut observation.others[used]));
        }
        observation.others.truncate(used);
        self.producer.publish();
    }
}

impl ObservationReceiver {
    /// True when a newer one has arrived since the last call.
    pub fn refresh(&mut self) -> bool {
        self.consumer.take().is_some()
    }

    /// The newest one taken.
    #[must_use]
    pub fn current(&self) -> &Observation {
        self.consumer.current()
    }
}

#[cfg(test)]
mod tests;
