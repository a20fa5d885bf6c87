//! Rigid bodies: rapier, and how a scene's shapes become its colliders.

use super::touches::Touches;
use crate::scene::check::ranges;
use crate::scene::{Body, BodyKind, Pose, Shape, ShapeKind};
use glam::Vec3;
use rapier3d::dynamics::{RigidBodyBuilder, RigidBodyHandle, RigidBodyType};
use rapier3d::geometry::{ColliderBuilder, SharedShape};
use rapier3d::math::Pose as BodyPose;
use rapier3d::parry::either::Either;
use rapier3d::parry::shape::{Ball, Capsule, Cylinder};
use rapier3d::pipeline::{ActiveEvents, CollisionPipeline, PhysicsPipeline, PhysicsWorld};

/// A plane is a slab below its surface, this thick: at 10 ticks a second a falling ball would miss a sheet.
const PLANE_THICKNESS: f32 = 0.5;
/// Corners round an unevenly scaled sphere, capsule or cylinder.
const CURVE_STEPS: u32 = 12;

/// m/s² along y.
pub const GRAVITY: f32 = -9.81;

/// The bodies. A clone is deep and goes on exactly as the original does.
pub struct RigidWorld {
    world: PhysicsWorld,
    touches: Touches,
}

impl Default for RigidWorld {
    fn default() -> Self {
        let world = PhysicsWorld { gravity: Vec3::new(0.0, GRAVITY, 0.0), ..PhysicsWorld::default() };
        Self { world, touches: Touches::default() }
    }
}

impl Clone for RigidWorld {
    fn clone(&self) -> Self {
        let from = &self.world;
        let world = PhysicsWorld {
            gravity: from.gravity,
            integration_parameters: from.integration_parameters,
            islands: from.islands.clone(),
            broad_phase: from.broad_phase.clone(),
            narrow_phase: from.narrow_phase.clone(),
            bodies: from.bodies.clone(),
            colliders: from.colliders.clone(),
            impulse_joints: from.impulse_joints.clone(),
            multibody_joints: from.multibody_joints.clone(),
            soft_bodies: from.soft_bodies.clone(),
            ccd_solver: from.ccd_solver.clone(),
            // Working memory only, no state.
            physics_pipeline: PhysicsPipeline::new(),
            collision_pipeline: CollisionPipeline::new(),
        };
        Self { world, touches: self.touches.clone() }
    }
}

impl RigidWorld {
    /// One step of so many seconds.
    pub fn step(&mut self, seconds: f64) {
        self.touches.begin();
        if self.world.bodies.is_empty() {
            return;
        }
        self.world.integration_parameters.dt = seconds as f32;
        self.world.step_with_events(&(), &self.touches);
        self.touches.end();
    }

    /// Adds a body at a world pose, its collider scaled by the pose's scale.
    ///
    /// `led`: the entity's pose moves it, whatever its kind says (a fixed body on a moving parent).
    pub fn insert(&mut self, body: &Body, shape: &Shape, pose: &Pose, led: bool) -> RigidBodyHandle {
        let mut rigid = RigidBodyBuilder::new(body_type(body.kind, led)).pose(body_pose(pose));
        if body.kind == BodyKind::Dynamic {
            // A slow tick rate lets fast bodies pass through thin ones. Rapier sweeps a body only in a tick in which it
            // moves farther than its size allows, so this costs nothing where nothing is fast (benches/pile.rs shows
            // both), and needs no switch in a scene. Without it, what is fixed alone would be swept against.
            rigid = rigid.linvel(body.velocity).angvel(body.spin).ccd_enabled(true);
        }
        let collider = collider(shape, pose.scale)
            .mass(body.mass)
            .friction(body.friction)
            .restitution(body.bounce)
            .build();
        self.world.insert(rigid, collider).0
    }

    /// Gives a body another outline; it goes on as fast as it was.
    pub fn reshape(&mut self, handle: RigidBodyHandle, shape: &Shape, scale: Vec3) {
        let outline = collider(shape, scale);
        let inner = &mut self.world;
        let Some(body) = inner.bodies.get_mut(handle) else { return };
        for collider in body.colliders() {
            if let Some(collider) = inner.colliders.get_mut(*collider) {
                collider.set_shape(outline.shape.clone());
                collider.set_position_wrt_parent(outline.position);
            }
        }
        body.recompute_mass_properties_from_colliders(&inner.colliders);
        body.wake_up(true);
    }

    /// Sets what a body is made of.
    pub fn set_matter(&mut self, handle: RigidBodyHandle, of: &Body) {
        let inner = &mut self.world;
        let Some(body) = inner.bodies.get_mut(handle) else { return };
        for collider in body.colliders() {
            if let Some(collider) = inner.colliders.get_mut(*collider) {
                collider.set_mass(of.mass);
                collider.set_friction(of.friction);
                collider.set_restitution(of.bounce);
            }
        }
        body.recompute_mass_properties_from_colliders(&inner.colliders);
        body.wake_up(true);
    }

    /// Makes a body one of another kind, where it is; see [`RigidWorld::insert`] for `led`.
    pub fn set_kind(&mut self, handle: RigidBodyHandle, kind: BodyKind, led: bool) {
        if let Some(body) = self.world.bodies.get_mut(handle) {
            body.set_body_type(body_type(kind, led), true);
            body.enable_ccd(kind == BodyKind::Dynamic);
        }
    }

    /// Whether it is noted what it begins to touch.
    pub fn listen(&mut self, handle: RigidBodyHandle, listens: bool) {
        if listens {
            self.touches.make_room();
        }
        let events = if listens { ActiveEvents::COLLISION_EVENTS } else { ActiveEvents::empty() };
        let inner = &mut self.world;
        let Some(body) = inner.bodies.get(handle) else { return };
        for collider in body.colliders() {
            if let Some(collider) = inner.colliders.get_mut(*collider) {
                collider.set_active_events(events);
            }
        }
    }

    /// m/s at which it met what it began to touch in the last step, where it is listened to.
    pub fn touched_at(&mut self, handle: RigidBodyHandle) -> Option<f32> {
        self.touches.of(handle)
    }

    /// Touches that were too many to be noted, since the last call.
    pub fn take_unnoted_touches(&mut self) -> u64 {
        self.touches.take_beyond()
    }

    pub fn remove(&mut self, handle: RigidBodyHandle) {
        self.world.remove_body(handle);
    }

    /// World position and rotation of a body; the scale is the caller's.
    #[must_use]
    pub fn pose(&self, handle: RigidBodyHandle, scale: Vec3) -> Option<Pose> {
        let body = self.world.bodies.get(handle)?;
        Some(Pose { position: body.translation(), rotation: *body.rotation(), scale })
    }

    /// m/s and rad/s.
    #[must_use]
    pub fn velocity(&self, handle: RigidBodyHandle) -> Option<(Vec3, Vec3)> {
        self.world.bodies.get(handle).map(|body| (body.linvel(), body.angvel()))
    }

    #[must_use]
    pub fn is_asleep(&self, handle: RigidBodyHandle) -> bool {
        self.world.bodies.get(handle).is_some_and(|body| body.is_sleeping())
    }

    /// Where a led body is to be after the next step: at `share` of its way to this pose, in (0, 1]. What it meets on the
    /// way is pushed.
    pub fn lead(&mut self, handle: RigidBodyHandle, pose: &Pose, share: f64) {
        if let Some(body) = self.world.bodies.get_mut(handle) {
            let there = body_pose(pose);
            let next = if share < 1.0 { body.position().lerp(&there, share as f32) } else { there };
            body.set_next_kinematic_position(next);
        }
    }

    /// Puts a body somewhere at once; what lies between is not touched.
    pub fn place(&mut self, handle: RigidBodyHandle, pose: &Pose) {
        if let Some(body) = self.world.bodies.get_mut(handle) {
            body.set_position(body_pose(pose), true);
        }
    }

    /// m/s and rad/s, at once.
    pub fn set_velocity(&mut self, handle: RigidBodyHandle, linear: Vec3, angular: Vec3) {
        if let Some(body) = self.world.bodies.get_mut(handle) {
            body.set_linvel(linear, true);
            body.set_angvel(angular, true);
        }
    }

    /// Sets the velocity along the ground and leaves the fall alone; `upward` is added where there is one.
    pub fn drive(&mut self, handle: RigidBodyHandle, along: Option<Vec3>, upward: f32) {
        if let Some(body) = self.world.bodies.get_mut(handle) {
            let mut velocity = body.linvel();
            if let Some(along) = along {
                (velocity.x, velocity.z) = (along.x, along.z);
            }
            if upward > 0.0 {
                velocity.y = upward;
            }
            body.set_linvel(velocity, true);
        }
    }
}

const fn body_type(kind: BodyKind, led: bool) -> RigidBodyType {
    match kind {
        BodyKind::Dynamic => RigidBodyType::Dynamic,
        BodyKind::Kinematic => RigidBodyType::KinematicPositionBased,
        BodyKind::Fixed if led => RigidBodyType::KinematicPositionBased,
        BodyKind::Fixed => RigidBodyType::Fixed,
    }
}

fn body_pose(pose: &Pose) -> BodyPose {
    BodyPose::from_parts(pose.position, pose.rotation)
}

/// The scale, as far as the lengths it makes are ones that a scene may have: a teleporter can make others, and what is
/// spawned under it has them.
fn held(shape: &Shape, scale: Vec3) -> Vec3 {
    let lengths = shape.lengths();
    let scaled = lengths * scale;
    if ranges::SIZE.holds_all(scaled) {
        return scale;
    }
    Vec3::from(scaled.to_array().map(|length| ranges::SIZE.nearest(length))) / lengths
}

/// The collider of a shape under a scale; mirrored scales count as their size.
fn collider(shape: &Shape, scale: Vec3) -> ColliderBuilder {
    let scale = held(shape, scale.abs());
    let curved = |ball: Option<SharedShape>, round: SharedShape| ColliderBuilder::new(ball.unwrap_or(round));
    match shape.kind {
        ShapeKind::Cube { size } => {
            let half = size.abs() * scale / 2.0;
            ColliderBuilder::cuboid(half.x, half.y, half.z)
        }
        ShapeKind::Sphere { radius } => {
            let scaled = Ball::new(radius).scaled(scale, CURVE_STEPS).map(|shape| match shape {
                Either::Left(ball) => SharedShape::new(ball),
                Either::Right(hull) => SharedShape::new(hull),
            });
            curved(scaled, SharedShape::ball(radius * scale.max_element()))
        }
        ShapeKind::Capsule { radius, half_height } => {
            let capsule = Capsule::new_y(half_height, radius);
            let scaled = capsule.scaled(scale, CURVE_STEPS).map(|shape| match shape {
                Either::Left(capsule) => SharedShape::new(capsule),
                Either::Right(hull) => SharedShape::new(hull),
            });
            let round = SharedShape::capsule_y(half_height * scale.y, radius * scale.x.max(scale.z));
            curved(scaled, round)
        }
        ShapeKind::Cylinder { radius, half_height } => {
            let cylinder = Cylinder::new(half_height, radius);
            let scaled = cylinder.scaled(scale, CURVE_STEPS).map(|shape| match shape {
                Either::Left(cylinder) => SharedShape::new(cylinder),
                Either::Right(hull) => SharedShape::new(hull),
            });
            let round = SharedShape::cylinder(half_height * scale.y, radius * scale.x.max(scale.z));
            curved(scaled, round)
        }
        ShapeKind::Plane { width, depth } => {
            let half = Vec3::new(width * scale.x, PLANE_THICKNESS, depth * scale.z) / 2.0;
            ColliderBuilder::cuboid(half.x, half.y, half.z).translation(Vec3::new(0.0, -half.y, 0.0))
        }
    }
}
