//! What entities say of each other: ids, parents, and whom a camera follows.

use super::MAX_ENTITY_ID;
use super::placing::Placing;
use crate::scene::{EntityId, Scene};
use std::collections::HashMap;

/// The ids of a scene and the parents they name, looked up once: a scene of thousands of entities, or one long chain
/// of parents, costs a pass and no more.
pub(super) struct References<'a> {
    scene: &'a Scene,
    // Only looked into, never walked: its order must not show.
    first_of: HashMap<EntityId, usize>,
    parent_of: Vec<Option<usize>>,
    in_loop: Vec<bool>,
    // Above every id of the scene, or where there is no room the lowest that none has.
    free_id: u64,
}

impl<'a> References<'a> {
    pub fn new(scene: &'a Scene) -> Self {
        let mut first_of = HashMap::new();
        for (index, entity) in scene.entities.iter().enumerate() {
            first_of.entry(entity.id).or_insert(index);
        }
        let parent = |id: Option<EntityId>| id.and_then(|id| first_of.get(&id).copied());
        let parent_of: Vec<Option<usize>> =
            scene.entities.iter().map(|entity| parent(entity.parent)).collect();
        let in_loop = members_of_loops(&parent_of);
        let highest = scene.entities.iter().map(|entity| entity.id.0).max().unwrap_or(0);
        let above = Some(highest.saturating_add(1)).filter(|id| *id <= MAX_ENTITY_ID);
        let lowest = || (1..).find(|id| !first_of.contains_key(&EntityId(*id))).unwrap_or_default();
        let free_id = above.unwrap_or_else(lowest);
        Self { scene, first_of, parent_of, in_loop, free_id }
    }

    /// Everything in the world, by these parents.
    pub fn placing(&self) -> Placing<'a> {
        Placing::new(self.scene, &self.parent_of, &self.in_loop)
    }

    /// Field and message of what is wrong with this entity's references.
    pub fn faults(&self, index: usize) -> Vec<(&'static str, String)> {
        let faults = [self.id(index), self.parent(index), self.target(index)];
        faults.into_iter().flatten().collect()
    }

    fn id(&self, index: usize) -> Option<(&'static str, String)> {
        let first = *self.first_of.get(&self.scene.entities[index].id)?;
        let message = || {
            let name = &self.scene.entities[first].name;
            let free = self.free_id;
            format!("{name:?} has this id already: give this one a number of its own, such as {free}")
        };
        (first != index).then(|| ("id", message()))
    }

    fn parent(&self, index: usize) -> Option<(&'static str, String)> {
        let parent = self.scene.entities[index].parent?;
        if self.parent_of[index].is_none() {
            return Some(("parent", absent(parent)));
        }
        let message = || {
            format!("its parents lead back to itself ({}): nothing can hang on itself", self.loop_of(index))
        };
        self.in_loop[index].then(|| ("parent", message()))
    }

    fn target(&self, index: usize) -> Option<(&'static str, String)> {
        let target = self.scene.entities[index].camera.as_ref()?.follow.as_ref()?.target;
        let Some(target_index) = self.first_of.get(&target) else { return Some((FIELD, absent(target))) };
        self.hangs_on(*target_index, index).then(|| (FIELD, FOLLOWS_ITSELF.to_owned()))
    }

    /// Whether `from`, or one of its parents, is `ancestor`.
    fn hangs_on(&self, from: usize, ancestor: usize) -> bool {
        // A chain is at most as long as the scene; what is longer goes round a loop without the ancestor.
        let chain = std::iter::successors(Some(from), |at| self.parent_of[*at]);
        chain.take(self.parent_of.len()).any(|at| at == ancestor)
    }

    /// The ids of a loop, for people: `3 → 7 → 3`.
    fn loop_of(&self, index: usize) -> String {
        const LONGEST: usize = 6;
        let id = |at: usize| self.scene.entities[at].id.0.to_string();
        let mut ids = vec![id(index)];
        for at in std::iter::successors(self.parent_of[index], |at| self.parent_of[*at]) {
            if ids.len() > LONGEST {
                ids.push("…".to_owned());
                break;
            }
            ids.push(id(at));
            if at == index {
                break;
            }
        }
        ids.join(" → ")
    }
}

pub(super) const FIELD: &str = "camera.follow.target";
pub(super) const FOLLOWS_ITSELF: &str =
    "a camera cannot follow itself or what hangs on it: follow something else";

pub(super) fn absent(id: EntityId) -> String {
    format!("no entity of this scene has the id {}", id.0)
}

/// Which entities come back to themselves along their parents. What only hangs on a loop is not in it.
fn members_of_loops(parent_of: &[Option<usize>]) -> Vec<bool> {
    const UNSEEN: usize = usize::MAX;
    let mut in_loop = vec![false; parent_of.len()];
    // Which walk came by first: meeting one's own steps closes a loop, those of an earlier walk lead to nothing new.
    let mut walk_of = vec![UNSEEN; parent_of.len()];
    for start in 0..parent_of.len() {
        let mut at = Some(start);
        while let Some(index) = at
            && walk_of[index] == UNSEEN
        {
            walk_of[index] = start;
            at = parent_of[index];
        }
        while let Some(index) = at
            && walk_of[index] == start
            && !in_loop[index]
        {
            in_loop[index] = true;
            at = parent_of[index];
        }
    }
    in_loop
}
