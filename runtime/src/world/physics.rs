//! Rigid bodies in the order of a tick: a step spans a window of ticks, and while it is under way nobody touches them.
//!
//! A window of one tick is stepped at once. A longer one is *pushed* at its first tick, to be computed by a worker or,
//! where none has begun it, by whoever needs it; and *pulled* at its last. Between the two, what is asked of a body is
//! an order that waits for the pull, and what is asked about one is answered from what the push left. So the answers,
//! and all that follows from them, are the same whoever computes the step, and however long it takes.

mod rigid;
mod touches;

use crate::frame::zones::zone;
use crate::jobs::{Counter, Jobs, Queue};
use crate::scene::{Body, BodyKind, Pose, Shape};
use glam::Vec3;
use rapier3d::dynamics::RigidBodyHandle;
use rigid::RigidWorld;
use std::sync::{Arc, Mutex, MutexGuard};

/// A body, from the moment it is asked for: rapier may hear of it later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyId(u32);

/// The physics world. A clone is deep and goes on exactly as the original does.
pub struct Physics {
    // None between a push and its pull: then it is in `step`.
    rigid: Option<Box<RigidWorld>>,
    step: Arc<Mutex<Step>>,
    counter: Counter,
    steps: u64,
    // By `BodyId`; none for one that is gone, or that rapier has not heard of.
    handles: Vec<Option<RigidBodyHandle>>,
    free: Vec<BodyId>,
    // As the push left them, by `BodyId`.
    pushed: Vec<Motion>,
    orders: Vec<Order>,
}

/// A step under way.
#[derive(Default)]
struct Step {
    rigid: Option<Box<RigidWorld>>,
    /// Seconds; none once it is done.
    due: Option<f64>,
}

/// m/s, rad/s, and whether it sleeps.
#[derive(Clone, Copy, Debug, Default)]
struct Motion {
    linear: Vec3,
    angular: Vec3,
    asleep: bool,
}

/// What is to be done to a body once the step under way is over.
#[derive(Clone, Copy)]
enum Order {
    Insert { id: BodyId, body: Body, shape: Shape, pose: Pose, led: bool },
    Remove(BodyId),
    Place(BodyId, Pose),
    Velocity { id: BodyId, linear: Vec3, angular: Vec3 },
    Drive { id: BodyId, along: Option<Vec3>, upward: f32 },
    Reshape { id: BodyId, shape: Shape, scale: Vec3 },
    Matter { id: BodyId, of: Body },
    Kind { id: BodyId, kind: BodyKind, led: bool },
    Listen { id: BodyId, listens: bool },
}

impl Default for Physics {
    fn default() -> Self {
        Self {
            rigid: Some(Box::default()),
            step: Arc::default(),
            counter: Counter::new(),
            steps: 0,
            handles: Vec::new(),
            free: Vec::new(),
            pushed: Vec::new(),
            orders: Vec::new(),
        }
    }
}

impl Clone for Physics {
    fn clone(&self) -> Self {
        let mut under_way = lock(&self.step);
        run(&mut under_way);
        let step = Step { rigid: under_way.rigid.clone(), due: None };
        drop(under_way);
        Self {
            rigid: self.rigid.clone(),
            step: Arc::new(Mutex::new(step)),
            counter: Counter::new(),
            steps: self.steps,
            handles: self.handles.clone(),
            free: self.free.clone(),
            pushed: self.pushed.clone(),
            orders: self.orders.clone(),
        }
    }
}

impl Physics {
    /// One step, at once.
    pub fn step(&mut self, seconds: f64) {
        let Some(rigid) = &mut self.rigid else { return };
        zone!("physics");
        self.steps += 1;
        rigid.step(seconds);
    }

    /// Begins a step. With `jobs` a worker computes it.
    pub fn push(&mut self, seconds: f64, jobs: Option<&Jobs>) {
        let Some(rigid) = self.rigid.take() else { return };
        self.pushed.clear();
        self.pushed.extend(self.handles.iter().map(|handle| motion_of(&rigid, *handle)));
        *lock(&self.step) = Step { rigid: Some(rigid), due: Some(seconds) };
        if let Some(jobs) = jobs {
            let step = self.step.clone();
            jobs.submit(Queue::Physics, &mut self.counter, move || run(&mut lock(&step)));
        }
    }

    /// Ends the step that was pushed, and does what was asked of bodies meanwhile.
    ///
    /// # Panics
    /// With what the step panicked with.
    pub fn pull(&mut self, jobs: Option<&Jobs>) {
        if let Some(jobs) = jobs {
            jobs.wait(Queue::Physics, &mut self.counter);
        }
        let mut step = lock(&self.step);
        run(&mut step);
        self.rigid = step.rigid.take();
        drop(step);
        self.steps += 1;
        // Taken and put back, so that the list keeps its memory.
        let mut orders = std::mem::take(&mut self.orders);
        orders.drain(..).for_each(|order| self.order(order));
        self.orders = orders;
    }

    /// Steps that are over.
    #[must_use]
    pub const fn steps(&self) -> u64 {
        self.steps
    }

    /// Adds a body at a world pose, its collider scaled by the pose's scale.
    ///
    /// `led`: the entity's pose moves it, whatever its kind says (a fixed body on a moving parent).
    pub fn insert(&mut self, body: &Body, shape: &Shape, pose: &Pose, led: bool) -> BodyId {
        let id = self.free.pop().unwrap_or_else(|| {
            self.handles.push(None);
            BodyId(self.handles.len() as u32 - 1)
        });
        if self.rigid.is_none() {
            let moves = body.kind == BodyKind::Dynamic;
            let (linear, angular) = if moves { (body.velocity, body.spin) } else { Default::default() };
            self.pushed.resize(self.handles.len(), Motion::default());
            self.pushed[id.0 as usize] = Motion { linear, angular, asleep: false };
        }
        self.order(Order::Insert { id, body: *body, shape: *shape, pose: *pose, led });
        id
    }

    /// Gives a body another outline; it goes on as fast as it was.
    pub fn reshape(&mut self, id: BodyId, shape: &Shape, scale: Vec3) {
        self.order(Order::Reshape { id, shape: *shape, scale });
    }

    /// Sets what a body is made of.
    pub fn set_matter(&mut self, id: BodyId, of: &Body) {
        self.order(Order::Matter { id, of: *of });
    }

    /// Makes a body one of another kind, where it is; see [`Physics::insert`] for `led`.
    pub fn set_kind(&mut self, id: BodyId, kind: BodyKind, led: bool) {
        self.order(Order::Kind { id, kind, led });
    }

    /// Whether it is noted what a body begins to touch.
    pub fn listen(&mut self, id: BodyId, listens: bool) {
        self.order(Order::Listen { id, listens });
    }

    /// m/s at which a body that is listened to met what it began to touch in the step that is just over.
    pub fn touched_at(&mut self, id: BodyId) -> Option<f32> {
        let handle = self.handles.get(id.0 as usize).copied().flatten()?;
        self.rigid.as_mut()?.touched_at(handle)
    }

    /// Touches that were too many to be noted, since the last call.
    pub fn take_unnoted_touches(&mut self) -> u64 {
        self.rigid.as_mut().map_or(0, |rigid| rigid.take_unnoted_touches())
    }

    pub fn remove(&mut self, id: BodyId) {
        self.order(Order::Remove(id));
    }

    /// Where a led body is to be after the next step: at `share` of its way to this pose. What it meets on the way is
    /// pushed. Not between push and pull.
    pub fn lead(&mut self, id: BodyId, pose: &Pose, share: f64) {
        if let (Some(rigid), Some(handle)) = (&mut self.rigid, self.handles[id.0 as usize]) {
            rigid.lead(handle, pose, share);
        }
    }

    /// Puts a body somewhere at once; what lies between is not touched.
    pub fn place(&mut self, id: BodyId, pose: &Pose) {
        self.order(Order::Place(id, *pose));
    }

    /// m/s and rad/s, at once.
    pub fn set_velocity(&mut self, id: BodyId, linear: Vec3, angular: Vec3) {
        if let (None, Some(pushed)) = (&self.rigid, self.pushed.get_mut(id.0 as usize)) {
            (pushed.linear, pushed.angular) = (linear, angular);
        }
        self.order(Order::Velocity { id, linear, angular });
    }

    /// Sets the velocity along the ground and leaves the fall alone; `upward` is added where there is one.
    pub fn drive(&mut self, id: BodyId, along: Option<Vec3>, upward: f32) {
        self.order(Order::Drive { id, along, upward });
    }

    /// The speed upward that rises by `height` metres against gravity: `√(2 g h)`.
    #[must_use]
    pub fn jump_speed(&self, height: f32) -> f32 {
        (2.0 * -rigid::GRAVITY * height.max(0.0)).sqrt()
    }

    /// World position and rotation of a body; the scale is the caller's. None between push and pull, and for one that
    /// sleeps: it is where it was.
    #[must_use]
    pub fn pose_awake(&self, id: BodyId, scale: Vec3) -> Option<Pose> {
        let (rigid, handle) = (self.rigid.as_ref()?, self.handles[id.0 as usize]?);
        if rigid.is_asleep(handle) { None } else { rigid.pose(handle, scale) }
    }

    /// m/s and rad/s.
    #[must_use]
    pub fn velocity(&self, id: BodyId) -> Option<(Vec3, Vec3)> {
        let motion = self.motion(id)?;
        Some((motion.linear, motion.angular))
    }

    #[must_use]
    pub fn is_asleep(&self, id: BodyId) -> bool {
        self.motion(id).is_some_and(|motion| motion.asleep)
    }

    fn motion(&self, id: BodyId) -> Option<Motion> {
        match &self.rigid {
            Some(rigid) => {
                let handle = self.handles.get(id.0 as usize).copied().flatten()?;
                Some(motion_of(rigid, Some(handle)))
            }
            None => self.pushed.get(id.0 as usize).copied(),
        }
    }

    /// Now, or at the pull.
    fn order(&mut self, order: Order) {
        let Some(rigid) = &mut self.rigid else {
            self.orders.push(order);
            return;
        };
        let handle = |id: BodyId| self.handles[id.0 as usize];
        match order {
            Order::Insert { id, body, shape, pose, led } => {
                self.handles[id.0 as usize] = Some(rigid.insert(&body, &shape, &pose, led));
            }
            Order::Remove(id) => {
                if let Some(handle) = self.handles[id.0 as usize].take() {
                    rigid.remove(handle);
                    // Only now: while a step is under way, its handle is still in use.
                    self.free.push(id);
                }
            }
            Order::Place(id, pose) => {
                if let Some(handle) = handle(id) {
                    rigid.place(handle, &pose);
                }
            }
            Order::Velocity { id, linear, angular } => {
                if let Some(handle) = handle(id) {
                    rigid.set_velocity(handle, linear, angular);
                }
            }
            Order::Drive { id, along, upward } => {
                if let Some(handle) = handle(id) {
                    rigid.drive(handle, along, upward);
                }
            }
            Order::Reshape { id, shape, scale } => {
                if let Some(handle) = handle(id) {
                    rigid.reshape(handle, &shape, scale);
                }
            }
            Order::Matter { id, of } => {
                if let Some(handle) = handle(id) {
                    rigid.set_matter(handle, &of);
                }
            }
            Order::Kind { id, kind, led } => {
                if let Some(handle) = handle(id) {
                    rigid.set_kind(handle, kind, led);
                }
            }
            Order::Listen { id, listens } => {
                if let Some(handle) = handle(id) {
                    rigid.listen(handle, listens);
                }
            }
        }
    }
}

/// Does the step, if it is due: whoever comes first.
fn run(step: &mut Step) {
    if let (Some(rigid), Some(seconds)) = (&mut step.rigid, step.due.take()) {
        zone!("physics");
        rigid.step(seconds);
    }
}

fn motion_of(rigid: &RigidWorld, handle: Option<RigidBodyHandle>) -> Motion {
    let Some(handle) = handle else { return Motion::default() };
    let (linear, angular) = rigid.velocity(handle).unwrap_or_default();
    Motion { linear, angular, asleep: rigid.is_asleep(handle) }
}

/// Of a step that panicked nobody sees more than the panic: the run is over.
fn lock(step: &Mutex<Step>) -> MutexGuard<'_, Step> {
    step.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}
