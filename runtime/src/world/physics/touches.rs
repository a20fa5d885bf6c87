//! Which bodies began to touch in a step, of those that somebody listens to, and how fast they met.

use rapier3d::dynamics::{RigidBodyHandle, RigidBodySet};
use rapier3d::geometry::{ColliderSet, CollisionEvent, ContactPair};
use rapier3d::pipeline::{ActiveEvents, EventHandler};
use std::sync::{Mutex, PoisonError};

/// Most that are noted in one step.
const MOST: usize = 1024;

/// Noted while a step runs, asked for after it.
#[derive(Default)]
pub struct Touches(Mutex<Noted>);

#[derive(Clone, Default)]
struct Noted {
    // After a step: by body, each of them once.
    touches: Vec<Touch>,
    beyond: u64,
}

#[derive(Clone, Copy)]
struct Touch {
    body: RigidBodyHandle,
    // m/s.
    speed: f32,
}

impl Clone for Touches {
    fn clone(&self) -> Self {
        Self(Mutex::new(self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()))
    }
}

impl Touches {
    /// Somebody listens: room is made once, so that no step allocates.
    pub fn make_room(&mut self) {
        let touches = &mut self.noted().touches;
        touches.reserve_exact(MOST.saturating_sub(touches.len()));
    }

    /// Before a step.
    pub fn begin(&mut self) {
        self.noted().touches.clear();
    }

    /// After a step: of each body the fastest touch stays.
    pub fn end(&mut self) {
        let touches = &mut self.noted().touches;
        touches.sort_unstable_by(|a, b| {
            let by_body = a.body.into_raw_parts().cmp(&b.body.into_raw_parts());
            by_body.then(b.speed.total_cmp(&a.speed))
        });
        touches.dedup_by_key(|touch| touch.body);
    }

    /// m/s along the line on which it met what it began to touch in the last step; `None` where it did not.
    pub fn of(&mut self, body: RigidBodyHandle) -> Option<f32> {
        let touches = &self.noted().touches;
        let by_body = |touch: &Touch| touch.body.into_raw_parts();
        let at = touches.binary_search_by_key(&body.into_raw_parts(), by_body).ok()?;
        Some(touches[at].speed)
    }

    /// How many found no room since the last call.
    pub fn take_beyond(&mut self) -> u64 {
        std::mem::take(&mut self.noted().beyond)
    }

    // Nobody else is there: no lock is taken.
    fn noted(&mut self) -> &mut Noted {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Rapier asks for a handler that could be shared; a step runs on one thread, so the lock never waits.
impl EventHandler for Touches {
    fn handle_collision_event(
        &self,
        bodies: &RigidBodySet,
        colliders: &ColliderSet,
        event: CollisionEvent,
        pair: Option<&ContactPair>,
    ) {
        let (CollisionEvent::Started(first, second, _), Some(pair)) = (event, pair) else { return };
        let (Some(first), Some(second)) = (colliders.get(first), colliders.get(second)) else { return };
        let velocity = |body: Option<RigidBodyHandle>| {
            body.and_then(|body| bodies.get(body)).map(|body| body.linvel()).unwrap_or_default()
        };
        let between = velocity(first.parent()) - velocity(second.parent());
        let speed = match pair.find_deepest_contact() {
            Some((manifold, _)) => between.dot(manifold.data.normal).abs(),
            None => between.length(),
        };
        let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for collider in [first, second] {
            let Some(body) = collider.parent() else { continue };
            if !collider.active_events().contains(ActiveEvents::COLLISION_EVENTS) {
                continue;
            }
            if noted.touches.len() < MOST {
                noted.touches.push(Touch { body, speed });
            } else {
                noted.beyond += 1;
            }
        }
    }

    fn handle_contact_force_event(&self, _: f32, _: &RigidBodySet, _: &ColliderSet, _: &ContactPair, _: f32) {
    }

    fn handle_soft_body_tear_event(
        &self,
        _: &rapier3d::dynamics::SoftBodySet,
        _: &rapier3d::dynamics::SoftBodyTearEvent,
    ) {
    }
}
