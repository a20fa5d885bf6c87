//! Bodies that physics moves once in several ticks: where they have been at the ends of its steps, and which part of
//! that way the last tick is.
//!
//! What is drawn of them goes along the way at one tick a tick, behind by as many ticks as a step spans: until then
//! nobody knows where they go. Where steps become longer, what is known has to last for longer once, and is drawn slower
//! for that one step. Where they become shorter, bodies could be less far behind; they catch up by a hundredth of a tick
//! in each, so that none is ever seen to move faster than it does.

use super::{Poses, Roll, blend};
use crate::scene::Pose;
use crate::world::{BodyPace, Row, World};
use std::collections::VecDeque;

/// In the order of their rows.
#[derive(Clone, Debug, Default)]
pub(super) struct SlowBodies {
    bodies: Vec<Slow>,
    /// Where each of them was at the ends of the last steps, oldest first: those between which it is drawn, and what
    /// came since.
    ends: VecDeque<StepEnd>,
    /// Memory for ends to come, and for lists made anew.
    spare: Vec<Vec<Pose>>,
    were: Vec<Slow>,
    /// Up to where on their way bodies are drawn, in ticks since Play.
    shown: f64,
    /// None: they move with every tick, as everything else does.
    pace: Option<BodyPace>,
}

#[derive(Clone, Copy, Debug)]
struct Slow {
    serial: u64,
    row: u32,
    cuts: u32,
}

#[derive(Clone, Debug)]
struct StepEnd {
    tick: u64,
    /// By body.
    poses: Vec<Pose>,
}

impl SlowBodies {
    /// Follows the world's pace, for all of its rows as the store has them now. `is_new`: the store has had none before;
    /// `rows_changed`: they are others than the last time.
    pub fn map(&mut self, world: &World, (is_new, rows_changed): (bool, bool), known: (&Poses, &[u32])) {
        let pace = world.body_pace();
        let was_slow = self.pace.is_some();
        // Where steps span one tick from now on, until bodies have caught up: see `roll`.
        let is_slow = pace.ticks > 1 || was_slow;
        self.pace = is_slow.then_some(pace);
        if is_new {
            self.shown = pace.due();
        }
        if !is_slow {
            return;
        }
        if !was_slow {
            self.spare.extend(self.ends.drain(..).map(|end| end.poses));
            self.bodies.clear();
            let tick = if is_new { pace.pulled } else { self.shown as u64 };
            self.ends.push_back(StepEnd { tick, poses: self.spare.pop().unwrap_or_default() });
        }
        if rows_changed || !was_slow {
            self.find(world.rows(), known);
        }
    }

    /// Finds every body's row anew. What is new to the store starts anew with the next walk over the poses.
    fn find(&mut self, rows: &[Row], (current, cuts_of): (&Poses, &[u32])) {
        std::mem::swap(&mut self.bodies, &mut self.were);
        let body = |(row, of): (usize, &Row)| Slow { serial: of.serial, row: row as u32, cuts: cuts_of[row] };
        self.bodies.clear();
        self.bodies.extend(rows.iter().enumerate().filter(|(_, row)| row.falls).map(body));
        for end in &mut self.ends {
            let mut poses = self.spare.pop().unwrap_or_default();
            poses.clear();
            // Serials only rise, and rows keep their order.
            let mut were = self.were.iter().zip(&end.poses).peekable();
            for slow in &mut self.bodies {
                while were.next_if(|(was, _)| was.serial < slow.serial).is_some() {}
                match were.next_if(|(was, _)| was.serial == slow.serial) {
                    Some((was, pose)) => {
                        slow.cuts = was.cuts;
                        poses.push(*pose);
                    }
                    None => poses.push(current.get(slow.row as usize).expect("every row has a pose")),
                }
            }
            self.spare.push(std::mem::replace(&mut end.poses, poses));
        }
    }

    /// What is new or was put somewhere is there, and has never been elsewhere.
    pub fn settle(&mut self, current: &Poses, cuts_of: &[u32]) {
        for (idx, slow) in self.bodies.iter_mut().enumerate() {
            let row = slow.row as usize;
            if slow.cuts != cuts_of[row] {
                slow.cuts = cuts_of[row];
                let pose = current.get(row).expect("every row has a pose");
                self.ends.iter_mut().for_each(|end| end.poses[idx] = pose);
            }
        }
    }

    /// After a walk that has set the poses of these bodies as if they moved with every tick.
    pub fn roll(
        &mut self,
        tick: u64,
        roll: Roll,
        previous: &mut Poses,
        current: &mut Poses,
        cuts_of: &[u32],
    ) {
        let Some(pace) = self.pace else {
            self.shown = tick as f64;
            return;
        };
        self.settle(current, cuts_of);
        if self.ends.back().is_none_or(|end| end.tick < pace.pulled) {
            let mut poses = self.spare.pop().unwrap_or_default();
            poses.clear();
            let pose = |slow: &Slow| current.get(slow.row as usize).expect("every row has a pose");
            poses.extend(self.bodies.iter().map(pose));
            self.ends.push_back(StepEnd { tick: pace.pulled, poses });
        }
        let from = self.shown;
        self.shown = pace.shown_after(from);
        // What lies behind the way that is drawn now is done with.
        while self.ends.get(1).is_some_and(|end| end.tick as f64 <= from) {
            self.spare.extend(self.ends.pop_front().map(|end| end.poses));
        }
        let (before, after) = (self.between(from), self.between(self.shown));
        for (idx, slow) in self.bodies.iter().enumerate() {
            let row = slow.row as usize;
            if roll == Roll::Anew {
                previous.set(row, &before.pose(idx));
            }
            current.set(row, &after.pose(idx));
        }
        if pace.ticks == 1 && self.shown >= tick as f64 {
            // They have caught up: from now on they are drawn as everything else is.
            self.pace = None;
        }
    }

    /// Where on their way bodies are at a tick: along one straight line and one arc for each step, so that the blend
    /// between two such places goes on at the same speed.
    fn between(&self, tick: f64) -> Between<'_> {
        // The last end at or before that tick; before the first, bodies stand there.
        let at = self.ends.iter().rposition(|end| end.tick as f64 <= tick).unwrap_or(0);
        let from = &self.ends[at];
        let to = self.ends.get(at + 1).unwrap_or(from);
        let ticks = (to.tick - from.tick) as f64;
        let share = if ticks > 0.0 { ((tick - from.tick as f64) / ticks).max(0.0) } else { 0.0 };
        Between { from, to, share }
    }
}

/// A place on the way from the end of one step to that of the next.
struct Between<'a> {
    from: &'a StepEnd,
    to: &'a StepEnd,
    share: f64,
}

impl Between<'_> {
    fn pose(&self, idx: usize) -> Pose {
        blend(&self.from.poses[idx], &self.to.poses[idx], self.share)
    }
}
