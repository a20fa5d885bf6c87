//! What is drawn at a place in a picture: the question, made of the picture itself, and its answer. No device.
//!
//! The few shapes that can be drawn near the place are drawn once more, each in its number instead of its colour,
//! into a small square about the place. So what is picked is what is seen: the poses are those of the picture that is
//! asked about, however many were drawn since, the meshes are those it was drawn with, and the nearest one covers the
//! others.
//!
//! ```text
//!   Picture ─▶ Pick ──queue──▶ renderer, between two frames ──queue──▶ PickAnswer
//! ```

use super::RenderError;
use super::batch::{Instance, MeshKind, drawn_as};
use super::picture::{Outlook, Picture};
use super::view::planes;
use crate::scene::EntityId;
use glam::{Mat4, Vec2, Vec4};
use std::ops::Range;

/// Edge of the square that is drawn, in pixels; the pixel asked about is its middle.
pub const PATCH: u32 = 5;
/// Pixels of the square.
pub const PATCH_TEXELS: usize = (PATCH * PATCH) as usize;

/// So many questions may wait, and as many answers; one more is refused.
pub const PICK_CAPACITY: usize = 16;

/// What is drawn at a place in a picture? Its memory is used again for the next question.
#[derive(Clone, Debug, Default)]
pub struct Pick {
    /// Given by whoever asks, to know the answer by.
    pub number: u64,
    /// Clip from world, for the square alone.
    clip_from_world: Mat4,
    // By the number they are drawn in, less one.
    entities: Vec<EntityId>,
    instances: Vec<Instance>,
    draws: Vec<(MeshKind, Range<u32>)>,
    // What is to be drawn, in the order in which the picture drew it.
    order: Vec<(u8, u32)>,
}

/// What was found there.
#[derive(Clone, Debug)]
pub struct PickAnswer {
    /// The question, for its number and its memory.
    pub pick: Pick,
    /// The entity that is drawn there; `None` where nothing is.
    ///
    /// # Errors
    /// Why it could not be drawn: another way must be found to answer it.
    pub found: Result<Option<EntityId>, RenderError>,
}

impl Pick {
    /// Asks what a picture shows at a place, in pixels from its top left. `outlook` is how it is looked at: the
    /// picture's own, or that of its second view. What is not `free` is as if it were not there.
    pub fn ask(
        &mut self,
        picture: &Picture,
        outlook: &Outlook,
        pixel: Vec2,
        mut free: impl FnMut(EntityId) -> bool,
    ) {
        self.clip_from_world = cropped(outlook, pixel) * outlook.view_projection;
        let planes = planes(&self.clip_from_world);
        self.order.clear();
        for (idx, item) in (0..).zip(picture.items.iter()) {
            // Comparisons with NaN are false: what is no number is drawn nowhere.
            let reaches = |plane: &Vec4| plane.truncate().dot(item.drawn.position) + plane.w >= -item.radius;
            if item.look.is_something() && planes.iter().all(reaches) && free(item.entity) {
                self.order.push((drawn_as(&item, outlook).place(), idx));
            }
        }
        self.order.sort_unstable();
        self.entities.clear();
        self.instances.clear();
        self.draws.clear();
        for (number, (_, idx)) in (1_u32..).zip(&self.order) {
            let Some(item) = picture.items.get(*idx as usize) else { continue };
            let drawn = drawn_as(&item, outlook);
            self.entities.push(item.entity);
            // The shader reads the number where it has the colour of a picture.
            self.instances.push(drawn.instance.colored(number.to_le_bytes()));
            match self.draws.last_mut() {
                Some((mesh, range)) if *mesh == drawn.mesh => range.end = number,
                _ => self.draws.push((drawn.mesh, number - 1..number)),
            }
        }
    }

    /// Nothing can be drawn there: the answer is known without drawing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.instances.is_empty()
    }

    /// Which entity was drawn in the number nearest to the middle of the square; 0 is none. The middle counts first: the
    /// others are for those who miss by a hair what has nothing around it.
    #[must_use]
    pub fn found_in(&self, numbers: &[u32; PATCH_TEXELS]) -> Option<EntityId> {
        let from_middle = |at: usize| {
            let (x, y) = (at as i32 % PATCH as i32, at as i32 / PATCH as i32);
            (x - PATCH as i32 / 2).pow(2) + (y - PATCH as i32 / 2).pow(2)
        };
        let drawn = numbers.iter().enumerate().filter(|(_, number)| **number != 0);
        let (_, number) = drawn.min_by_key(|(at, _)| from_middle(*at))?;
        self.entities.get(*number as usize - 1).copied()
    }

    #[cfg(feature = "gpu")]
    pub(super) const fn clip_from_world(&self) -> &Mat4 {
        &self.clip_from_world
    }

    #[cfg(feature = "gpu")]
    pub(super) fn instances(&self) -> &[Instance] {
        &self.instances
    }

    #[cfg(feature = "gpu")]
    pub(super) fn draws(&self) -> &[(MeshKind, Range<u32>)] {
        &self.draws
    }
}

/// Makes the square about a pixel the whole of what is drawn: each of its texels is one pixel of the picture.
fn cropped(outlook: &Outlook, pixel: Vec2) -> Mat4 {
    let size = Vec2::new(outlook.size[0].max(1) as f32, outlook.size[1].max(1) as f32);
    let middle = (pixel.floor() + 0.5) / size * Vec2::new(2.0, -2.0) + Vec2::new(-1.0, 1.0);
    let grown = size / PATCH as f32;
    Mat4::from_scale(grown.extend(1.0)) * Mat4::from_translation(-middle.extend(0.0))
}

/// The two ends of the roads between whoever asks and the renderer; `None` of the latter is lost or waits unseen.
#[must_use]
pub fn pick_roads() -> (PickAsker, PickDesk) {
    let (ask, asked) = rtrb::RingBuffer::new(PICK_CAPACITY);
    let (answer, answered) = rtrb::RingBuffer::new(PICK_CAPACITY);
    (PickAsker { ask, answered, spare: Pick::default(), open: 0 }, PickDesk { asked, answer })
}

/// The end of whoever asks.
pub struct PickAsker {
    ask: rtrb::Producer<Pick>,
    answered: rtrb::Consumer<PickAnswer>,
    spare: Pick,
    // Asked and not answered.
    open: usize,
}

impl PickAsker {
    /// A question to be filled in, with the memory of an earlier one.
    pub fn blank(&mut self) -> Pick {
        std::mem::take(&mut self.spare)
    }

    /// Hands a question over; false where it was not, since too many wait or nobody is there to answer.
    pub fn ask(&mut self, pick: Pick) -> bool {
        // An answer finds room for as many as were asked.
        if self.open >= PICK_CAPACITY || self.ask.is_abandoned() {
            self.spare = pick;
            return false;
        }
        match self.ask.push(pick) {
            Ok(()) => {
                self.open += 1;
                true
            }
            Err(rtrb::PushError::Full(pick)) => {
                self.spare = pick;
                false
            }
        }
    }

    /// The next answer, in the order of the questions: its number and what was found.
    pub fn answer(&mut self) -> Option<(u64, Result<Option<EntityId>, RenderError>)> {
        let PickAnswer { pick, found } = self.answered.pop().ok()?;
        self.open -= 1;
        let number = pick.number;
        self.spare = pick;
        Some((number, found))
    }
}

/// The renderer's end.
pub struct PickDesk {
    asked: rtrb::Consumer<Pick>,
    answer: rtrb::Producer<PickAnswer>,
}

impl PickDesk {
    /// The next question, if one waits.
    pub fn take_asked(&mut self) -> Option<Pick> {
        self.asked.pop().ok()
    }

    /// Answers it. There is room: no more are asked than fit.
    pub fn answer(&mut self, pick: Pick, found: Result<Option<EntityId>, RenderError>) {
        // Whoever asked may be gone, and then nobody waits for it.
        let _ = self.answer.push(PickAnswer { pick, found });
    }
}

#[cfg(test)]
mod tests;
