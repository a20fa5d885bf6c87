//! Sounds on their way from the simulation to whoever makes them heard: cues in a bounded queue, places in a slot.
//!
//! Nobody waits for anybody: a full queue loses the new cue, which is counted, and of the places the newest win.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::handoff::{Consumer, Producer, slot};
use crate::scene::{EntityId, Pose};
use crate::snapshot::Snapshot;
use crate::time::FrameIndex;
use crate::world::{SoundCue, World};
use glam::Vec3;

/// Cues that wait for whoever listens.
pub const CUE_CAPACITY: usize = 1024;

/// Where everything that may sound is in the newest frame, as drawn, and where it is heard from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Soundscape {
    /// 0 before the first.
    pub frame: FrameIndex,
    /// The scene's camera; none where there is none.
    pub listener: Option<Pose>,
    /// In world space; what is gone is not among them.
    pub places: Vec<(EntityId, Vec3)>,
}

impl Soundscape {
    #[must_use]
    pub fn place_of(&self, entity: EntityId) -> Option<Vec3> {
        self.places.iter().find(|(id, _)| *id == entity).map(|(_, place)| *place)
    }
}

/// A way for sounds: its end for [`crate::frame::core::FrameCore::set_sounds`], and that of whoever listens.
#[must_use]
pub fn sounds(capacity: usize) -> (SoundSender, SoundReceiver) {
    let (cues, waiting) = rtrb::RingBuffer::new(capacity);
    let (scapes, newest) = slot([Soundscape::default(), Soundscape::default(), Soundscape::default()]);
    let lost = Arc::new(AtomicU64::new(0));
    let sender = SoundSender { cues, scapes, lost: lost.clone(), lost_in_world: 0 };
    (sender, SoundReceiver { cues: waiting, scapes: newest, lost })
}

/// The simulation's end.
pub struct SoundSender {
    cues: rtrb::Producer<SoundCue>,
    scapes: Producer<Soundscape>,
    // Relaxed at both ends: a plain count that publishes nothing; the ring itself orders the cues.
    lost: Arc<AtomicU64>,
    lost_in_world: u64,
}

impl SoundSender {
    /// After a tick: its cues.
    pub(crate) fn send_cues(&mut self, world: &World) {
        let lost_in_world = world.sound_cues_lost();
        let mut lost = lost_in_world - std::mem::replace(&mut self.lost_in_world, lost_in_world);
        for cue in world.sound_cues() {
            lost += u64::from(self.cues.push(*cue).is_err());
        }
        if lost > 0 {
            self.lost.fetch_add(lost, Ordering::Relaxed);
        }
    }

    /// After a frame's snapshot was filled: where everything is in it.
    pub(crate) fn send_places(&mut self, frame: FrameIndex, world: &World, snapshot: &Snapshot) {
        let scape = self.scapes.buffer_mut();
        scape.frame = frame;
        scape.listener = snapshot.camera_pose(snapshot.alpha);
        scape.places.clear();
        world.each_sounding(|row, entity| {
            scape.places.push((entity, snapshot.drawn_place(row as usize)));
        });
        self.scapes.publish();
    }
}

/// The end of whoever listens.
pub struct SoundReceiver {
    cues: rtrb::Consumer<SoundCue>,
    scapes: Consumer<Soundscape>,
    lost: Arc<AtomicU64>,
}

impl SoundReceiver {
    /// Hands over the cues that are there now, oldest first; what arrives meanwhile is left for the next time.
    pub fn drain(&mut self, mut sink: impl FnMut(SoundCue)) {
        for _ in 0..self.cues.slots() {
            let Ok(cue) = self.cues.pop() else { break };
            sink(cue);
        }
    }

    /// The newest places.
    pub fn soundscape(&mut self) -> &Soundscape {
        self.scapes.take();
        self.scapes.current()
    }

    /// Cues that nobody will hear of, since Play.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }
}
