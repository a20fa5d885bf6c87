//! What is different between two scenes, and the one edit that leads from the first to the second.

use std::collections::HashMap;

use framewalk_runtime::scene::{Entity, EntityId, Scene};

use super::edit::Edit;

/// Names of the entities in which a scene differs from an earlier one, each list in the author's order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    pub added: Vec<String>,
    pub removed: Vec<String>,
    pub changed: Vec<String>,
    /// The same entities stand in another order.
    pub is_reordered: bool,
    /// Something of the scene as a whole: its seed, what it says about itself.
    pub is_head_changed: bool,
}

/// Most names that a sentence lists.
const MOST_NAMES: usize = 6;

impl Difference {
    /// What of `later` is not as in `earlier`. Entities are known by their ids.
    #[must_use]
    pub fn between(earlier: &Scene, later: &Scene) -> Self {
        let by_id = |scene: &Scene| -> HashMap<EntityId, usize> {
            scene.entities.iter().enumerate().map(|(place, entity)| (entity.id, place)).collect()
        };
        let (old, new) = (by_id(earlier), by_id(later));
        let name = |entity: &Entity| match entity.name.as_str() {
            "" => format!("id {}", entity.id.0),
            name => name.to_owned(),
        };
        let mut found = Self {
            removed: earlier.entities.iter().filter(|e| !new.contains_key(&e.id)).map(name).collect(),
            is_head_changed: (earlier.seed, &earlier.about, &earlier.unknown)
                != (later.seed, &later.about, &later.unknown),
            ..Self::default()
        };
        let mut last = None;
        for entity in &later.entities {
            match old.get(&entity.id) {
                None => found.added.push(name(entity)),
                Some(&place) => {
                    found.is_reordered |= last.is_some_and(|last| last > place);
                    last = Some(place);
                    if earlier.entities[place] != *entity {
                        found.changed.push(name(entity));
                    }
                }
            }
        }
        found
    }

    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// One line a kind of difference: `2 entities added: Ball, Box`.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let kinds = [(&self.added, "added"), (&self.removed, "removed"), (&self.changed, "changed")];
        let mut lines: Vec<String> = kinds
            .into_iter()
            .filter(|(names, _)| !names.is_empty())
            .map(|(names, what)| {
                let shown = names.iter().take(MOST_NAMES).cloned().collect::<Vec<_>>().join(", ");
                let more = names.len().saturating_sub(MOST_NAMES);
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                let entities = if names.len() == 1 { "entity" } else { "entities" };
                format!("{} {entities} {what}: {shown}{more}", names.len())
            })
            .collect();
        if self.is_reordered {
            lines.push("The entities stand in another order.".to_owned());
        }
        if self.is_head_changed {
            lines.push(
                "The scene's seed, its description or a part of it that is unknown here is changed."
                    .to_owned(),
            );
        }
        lines
    }
}

/// The edit that makes `from` into `to`: everything is taken out, and everything put in.
#[must_use]
pub fn replacement(from: &Scene, to: &Scene) -> Edit {
    let mut edits = Vec::new();
    if !from.entities.is_empty() {
        edits.push(Edit::Delete(from.entities.iter().map(|entity| entity.id).collect()));
    }
    if !to.entities.is_empty() {
        edits.push(Edit::Insert(to.entities.iter().cloned().enumerate().collect()));
    }
    edits.push(Edit::Seed(to.seed));
    edits.push(Edit::About(to.about.clone()));
    edits.push(Edit::HeadUnknown(to.unknown.clone()));
    Edit::Several(edits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use framewalk_runtime::scene::Unknown;

    use crate::document::indexed::IndexedScene;

    fn scene(entities: &[(u64, &str)]) -> Scene {
        let entities = entities.iter().map(|&(id, name)| Entity {
            id: EntityId(id),
            name: name.to_owned(),
            ..Entity::default()
        });
        Scene { entities: entities.collect(), ..Scene::default() }
    }

    #[test]
    fn what_was_added_removed_and_changed_is_counted_and_named() {
        let earlier = scene(&[(1, "A"), (2, "B"), (3, "C")]);
        let later = Scene { seed: 9, ..scene(&[(3, "C"), (1, "A2"), (4, "D"), (5, "")]) };
        let found = Difference::between(&earlier, &later);
        assert_eq!(
            found.lines(),
            [
                "2 entities added: D, id 5",
                "1 entity removed: B",
                "1 entity changed: A2",
                "The entities stand in another order.",
                "The scene's seed, its description or a part of it that is unknown here is changed.",
            ]
        );
        assert!(Difference::between(&earlier, &earlier).is_none());
    }

    #[test]
    fn more_than_six_names_are_counted() {
        let ids: Vec<(u64, &str)> = (1..=8).map(|id| (id, "E")).collect();
        let found = Difference::between(&Scene::default(), &scene(&ids));
        assert_eq!(found.lines(), ["8 entities added: E, E, E, E, E, E and 2 more"]);
    }

    #[test]
    fn the_replacement_leads_there_and_its_inverse_back() {
        let weather = Unknown { name: "weather".to_owned(), text: "Storm".to_owned() };
        let (before, to) = (
            scene(&[(1, "A"), (2, "B")]),
            Scene { seed: 3, unknown: vec![weather], ..scene(&[(2, "C"), (7, "D")]) },
        );
        let mut now = IndexedScene::from(before.clone());
        let back = replacement(&now, &to).apply(&mut now).expect("it fits");
        assert_eq!(*now, to);
        back.apply(&mut now).expect("it fits");
        assert_eq!(*now, before);
        let none = Scene::default();
        replacement(&before, &none).apply(&mut now).expect("it fits");
        assert_eq!(now.entities, []);
    }
}
