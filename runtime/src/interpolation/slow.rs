//! Bodies that physics moves once in several ticks: where they have been at the ends of its steps, and which part of
//! that way the last tick is.
//!
//! What is drawn of them goes along the way as fast as simulated time does, behind by as much of it as a step spans: until
//! then nobody knows where they go. Where steps become longer, by more ticks or by longer ones, bodies have to be farther
//! behind, and are drawn a hundredth slower until they are; until then steps are no longer than what is known of their way
//! lasts. Where they become shorter, bodies could be less far behind, and are drawn a hundredth faster until they are. So
//! none is ever seen to move at another speed than its own.

use super::{Poses, Roll, blend};
use crate::scene::Pose;
use crate::time::simulated::SimulatedTime;
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
    /// After the last tick that was rolled.
    rolled: SimulatedTime,
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
    time: SimulatedTime,
    /// By body.
    poses: Vec<Pose>,
}

impl SlowBodies {
    /// Follows the world's pace, for all of its rows as the store has them now. `is_new`: the store has had none before;
    /// `rows_changed`: they are others than the last time.
    pub fn map(&mut self, world: &World, (is_new, rows_changed): (bool, bool), known: (&Poses, &[u32])) {
        let pace = world.body_pace();
        let was_slow = self.pace.is_some();
        self.pace = pace.is_slow.then_some(pace);
        if is_new {
            self.rolled = pace.pulled;
        }
        if !pace.is_slow {
            return;
        }
        if !was_slow {
            self.spare.extend(self.ends.drain(..).map(|end| end.poses));
            self.bodies.clear();
            self.ends.push_back(StepEnd { time: self.rolled, poses: self.spare.pop().unwrap_or_default() });
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
        now: SimulatedTime,
        roll: Roll,
        previous: &mut Poses,
        current: &mut Poses,
        cuts_of: &[u32],
    ) {
        self.rolled = now;
        let Some(pace) = self.pace else { return };
        self.settle(current, cuts_of);
        let (from, to) = (pace.tick_seconds + pace.was_behind, pace.behind);
        self.note_step(&pace, current, to);
        // What lies behind the way that is drawn now is done with.
        while self.ends.get(1).is_some_and(|end| end.ago(&pace) >= from - NEAR) {
            self.spare.extend(self.ends.pop_front().map(|end| end.poses));
        }
        let (before, after) = (self.between(from, &pace), self.between(to, &pace));
        for (idx, slow) in self.bodies.iter().enumerate() {
            let row = slow.row as usize;
            if roll == Roll::Anew {
                previous.set(row, &before.pose(idx));
            }
            current.set(row, &after.pose(idx));
        }
    }

    /// Where a step is over, its end. `to`: bodies are drawn so many seconds ago from now on.
    fn note_step(&mut self, pace: &BodyPace, current: &Poses, to: f64) {
        let since = |end: &StepEnd| pace.pulled.seconds_since(&end.time);
        if self.ends.back().is_some_and(|end| since(end) <= NEAR) {
            return;
        }
        // Far behind, there may be thousands of steps between what is drawn and what is known: then fewer ends do.
        let is_near = |end: &StepEnd| end.ago(pace) < to && since(end) * MOST_ENDS < to;
        if self.ends.len() > 2 && is_near(&self.ends[self.ends.len() - 2]) {
            self.spare.extend(self.ends.pop_back().map(|end| end.poses));
        }
        let mut poses = self.spare.pop().unwrap_or_default();
        poses.clear();
        let pose = |slow: &Slow| current.get(slow.row as usize).expect("every row has a pose");
        poses.extend(self.bodies.iter().map(pose));
        self.ends.push_back(StepEnd { time: pace.pulled, poses });
    }

    /// Where on their way bodies were so many seconds ago: along one straight line and one arc for each step, so that the
    /// blend between two such places goes on at the same speed.
    fn between(&self, ago: f64, pace: &BodyPace) -> Between<'_> {
        // The last end at or before that time; before the first, bodies stand there.
        let at = self.ends.iter().rposition(|end| end.ago(pace) >= ago - NEAR).unwrap_or(0);
        let from = &self.ends[at];
        let to = self.ends.get(at + 1).unwrap_or(from);
        let seconds = to.time.seconds_since(&from.time);
        let gone = from.ago(pace) - ago;
        let share = if gone > NEAR { (gone / seconds).min(1.0) } else { 0.0 };
        Between { from, to, share }
    }
}

/// Seconds, far below any tick: as good as the same time.
const NEAR: f64 = 1e-10;
/// About as many ends of steps are kept at most between what is drawn and what is known.
const MOST_ENDS: f64 = 128.0;

impl StepEnd {
    /// Seconds before the last tick; negative where physics is ahead of it.
    fn ago(&self, pace: &BodyPace) -> f64 {
        pace.now.seconds_since(&self.time)
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
