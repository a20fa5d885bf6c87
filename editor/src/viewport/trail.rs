//! Where bodies stood in the last pictures that the window was given. Pure; nothing is made up between two of them.

use std::collections::{HashMap, VecDeque};

use framewalk_runtime::render::picture::Picture;
use framewalk_runtime::scene::EntityId;
use framewalk_runtime::time::FrameIndex;
use glam::Vec3;

/// Pictures that a trail reaches back.
pub const LENGTH: usize = 90;
/// Bodies that leave one; the first so many of the scene, besides the selected one.
pub const BODIES: usize = 256;

/// How a place is joined to the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// There is none before it.
    First,
    /// They were drawn in two frames in a row.
    NextFrame,
    /// Frames between the two were dropped, or replaced before the window took them.
    FramesMissed,
}

/// One place of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    pub frame: FrameIndex,
    pub position: Vec3,
    pub link: Link,
}

/// The places of one body, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    marks: VecDeque<Mark>,
}

impl Trail {
    pub fn marks(&self) -> impl ExactSizeIterator<Item = &Mark> {
        self.marks.iter()
    }

    fn push(&mut self, frame: FrameIndex, position: Vec3, before: FrameIndex) {
        let link = match self.marks.back() {
            None => Link::First,
            // It was not in the picture before this one: spawned anew under an old id.
            Some(last) if last.frame != before => {
                self.marks.clear();
                Link::First
            }
            Some(_) if before.0 + 1 == frame.0 => Link::NextFrame,
            Some(_) => Link::FramesMissed,
        };
        if self.marks.len() == LENGTH {
            self.marks.pop_front();
        }
        self.marks.push_back(Mark { frame, position, link });
    }
}

/// The trails of one run's bodies.
#[derive(Clone, Debug, Default)]
pub struct Trails {
    run: u32,
    newest: FrameIndex,
    bodies: HashMap<EntityId, Trail>,
}

impl Trails {
    /// Takes a picture, once a frame; one of another run begins anew.
    pub fn note(&mut self, picture: &Picture) {
        if picture.run != self.run || picture.frame < self.newest {
            *self = Self { run: picture.run, ..Self::default() };
        }
        if picture.run == 0 || picture.frame.0 == 0 || picture.frame == self.newest {
            return;
        }
        let before = std::mem::replace(&mut self.newest, picture.frame);
        let simulated = picture.items.iter().filter(|item| item.simulated && item.look.is_something());
        for item in simulated {
            let room = self.bodies.len() < BODIES;
            if let Some(trail) = self.bodies.get_mut(&item.entity) {
                trail.push(picture.frame, item.drawn.position, before);
            } else if room {
                self.bodies.entry(item.entity).or_default().push(picture.frame, item.drawn.position, before);
            }
        }
        // What was not in this picture is gone.
        let newest = self.newest;
        self.bodies.retain(|_, trail| trail.marks.back().is_some_and(|mark| mark.frame == newest));
    }

    /// The trail of what is selected, which leaves none where it does not move; of every body where nothing is.
    pub fn of(&self, selection: Option<EntityId>) -> impl Iterator<Item = &Trail> {
        let selected = selection.and_then(|id| self.bodies.get(&id));
        let all = selection.is_none().then(|| self.bodies.values());
        selected.into_iter().chain(all.into_iter().flatten())
    }
}

#[cfg(test)]
mod tests {
    use framewalk_runtime::render::picture::PictureItem;
    use framewalk_runtime::scene::{Color, Pose, Shape, ShapeKind};

    use super::*;

    fn picture(run: u32, frame: u64, bodies: &[(u64, f32)]) -> Picture {
        let items = bodies.iter().map(|&(id, x)| {
            let pose = Pose { position: Vec3::new(x, 0.0, 0.0), ..Pose::default() };
            PictureItem {
                entity: EntityId(id),
                drawn: pose,
                simulated: true,
                look: Shape {
                    kind: ShapeKind::Sphere { radius: 1.0 },
                    color: Color { red: 1, green: 2, blue: 3 },
                }
                .into(),
                radius: 1.0,
            }
        });
        Picture { run, frame: FrameIndex(frame), items: items.collect(), ..Picture::default() }
    }

    fn links(trails: &Trails, id: u64) -> Vec<(u64, Link)> {
        trails.of(Some(EntityId(id))).flat_map(Trail::marks).map(|mark| (mark.frame.0, mark.link)).collect()
    }

    #[test]
    fn frames_that_were_never_seen_break_the_trail() {
        let mut trails = Trails::default();
        for frame in [1, 2, 5, 5, 6] {
            trails.note(&picture(1, frame, &[(7, frame as f32)]));
        }
        assert_eq!(
            links(&trails, 7),
            [(1, Link::First), (2, Link::NextFrame), (5, Link::FramesMissed), (6, Link::NextFrame)]
        );
    }

    #[test]
    fn another_run_begins_anew_and_edit_leaves_none() {
        let mut trails = Trails::default();
        trails.note(&picture(1, 1, &[(7, 0.0)]));
        trails.note(&picture(2, 1, &[(7, 0.0)]));
        assert_eq!(links(&trails, 7), [(1, Link::First)]);
        trails.note(&picture(0, 0, &[(7, 0.0)]));
        assert_eq!(trails.of(None).count(), 0);
    }

    #[test]
    fn what_is_gone_leaves_no_trail_and_a_new_body_begins_its_own() {
        let mut trails = Trails::default();
        trails.note(&picture(1, 1, &[(7, 0.0), (8, 0.0)]));
        trails.note(&picture(1, 2, &[(8, 0.0)]));
        trails.note(&picture(1, 3, &[(7, 0.0), (8, 0.0)]));
        assert_eq!(links(&trails, 7), [(3, Link::First)]);
        assert_eq!(links(&trails, 8).len(), 3);
    }

    #[test]
    fn a_trail_and_their_number_are_bounded() {
        let mut trails = Trails::default();
        let many: Vec<_> = (0..400).map(|id| (id, 0.0)).collect();
        for frame in 1..=200 {
            trails.note(&picture(1, frame, &many));
        }
        assert_eq!(trails.of(None).count(), 256);
        assert!(trails.of(None).all(|trail| trail.marks().len() == 90));
        assert_eq!(links(&trails, 0)[0].0, 111);
    }
}
