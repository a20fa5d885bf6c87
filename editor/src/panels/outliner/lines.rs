//! The lines of the outliner: which rows are shown, how deep, made anew only where what they come from has changed.

use std::collections::HashSet;

use framewalk_runtime::scene::EntityId;
use framewalk_runtime::world::EntityRow;
use rustc_hash::FxHashMap;

use crate::stamp::ListStamp;

/// One visible line: which row, how deep, and whether it can be folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    pub row: usize,
    pub depth: u8,
    pub has_children: bool,
    pub folded: bool,
}

/// The lines as they were made last, and what they were made from.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    made_of: Option<(ListStamp, String, u64)>,
    lines: Vec<Line>,
}

impl Lines {
    /// The lines of a list, under a filter and with some parents folded; `folds` counts up whenever others are. They
    /// are taken out, to be put back after the pass: the same ones where all of it is as before.
    pub fn take(
        &mut self,
        (stamp, rows): (ListStamp, &[EntityRow]),
        filter: &str,
        (folds, folded): (u64, &HashSet<EntityId>),
    ) -> Vec<Line> {
        let same = self.made_of.as_ref().is_some_and(|(made_of, filtered, folded)| {
            *made_of == stamp && filtered == filter && *folded == folds
        });
        if !same {
            self.lines = visible(rows, filter, folded);
            self.made_of = Some((stamp, filter.to_owned(), folds));
        }
        std::mem::take(&mut self.lines)
    }

    /// Puts them back.
    pub fn put(&mut self, lines: Vec<Line>) {
        self.lines = lines;
    }
}

const NONE: u32 = u32::MAX;

/// The lines to show, parents before children, in the author's order. With a filter: what matches, and its parents.
pub fn visible(rows: &[EntityRow], filter: &str, folded: &HashSet<EntityId>) -> Vec<Line> {
    let index: FxHashMap<EntityId, u32> =
        rows.iter().enumerate().map(|(at, row)| (row.id, at as u32)).collect();
    let parents: Vec<u32> =
        rows.iter().map(|row| row.under.and_then(|id| index.get(&id).copied()).unwrap_or(NONE)).collect();
    let filter = filter.trim().to_lowercase();
    let mut kept = vec![filter.is_empty(); rows.len()];
    if !filter.is_empty() {
        for (row, entry) in rows.iter().enumerate() {
            if entry.name.to_lowercase().contains(&filter) {
                let mut above = row as u32;
                // What is kept has kept its parents; bounded by that, should a file ever hold a loop of them.
                while above != NONE && !kept[above as usize] {
                    kept[above as usize] = true;
                    above = parents[above as usize];
                }
            }
        }
    }
    // Of each parent the first child that is kept, and of each row the next one on the same parent.
    let (mut first, mut next) = (vec![NONE; rows.len()], vec![NONE; rows.len()]);
    let mut root = NONE;
    for row in (0..rows.len()).rev().filter(|row| kept[*row]) {
        let head = match parents[row] {
            NONE => &mut root,
            parent => &mut first[parent as usize],
        };
        next[row] = std::mem::replace(head, row as u32);
    }
    let mut lines = Vec::new();
    let mut stack = vec![(root, 0_u8)];
    while let Some((at, depth)) = stack.pop() {
        if at == NONE {
            continue;
        }
        let row = at as usize;
        stack.push((next[row], depth));
        let has_children = first[row] != NONE;
        let is_folded = filter.is_empty() && folded.contains(&rows[row].id);
        lines.push(Line { row, depth, has_children, folded: is_folded });
        if !is_folded {
            stack.push((first[row], depth.saturating_add(1).min(20)));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::super::tests::row;
    use super::*;

    fn names(rows: &[EntityRow], filter: &str, folded: &[u64]) -> Vec<(String, u8)> {
        let folded = folded.iter().copied().map(EntityId).collect();
        visible(rows, filter, &folded).iter().map(|line| (rows[line.row].name.clone(), line.depth)).collect()
    }

    #[test]
    fn children_stand_under_their_parent_in_the_authors_order() {
        let rows = [
            row(1, "child", Some(2)),
            row(2, "parent", None),
            row(3, "other", None),
            row(4, "late", Some(2)),
        ];
        let expected =
            [("parent", 0), ("child", 1), ("late", 1), ("other", 0)].map(|(n, d)| (n.to_owned(), d));
        assert_eq!(names(&rows, "", &[]), expected);
        assert_eq!(names(&rows, "", &[2]).len(), 2, "folded");
    }

    #[test]
    fn a_filter_keeps_what_matches_and_its_parents() {
        let rows = [
            row(1, "Scene", None),
            row(2, "Ball 07", Some(1)),
            row(3, "Ball 08", Some(1)),
            row(4, "Sun", None),
        ];
        let expected = [("Scene", 0), ("Ball 07", 1)].map(|(n, d)| (n.to_owned(), d));
        assert_eq!(names(&rows, "07", &[1]), expected);
        assert_eq!(names(&rows, "nothing", &[]), []);
    }

    #[test]
    fn a_parent_that_is_not_there_leaves_its_child_at_the_top() {
        assert_eq!(names(&[row(1, "orphan", Some(9))], "", &[]), [("orphan".to_owned(), 0)]);
    }

    #[test]
    fn lines_are_made_anew_only_where_the_list_the_filter_or_a_fold_is_another() {
        let rows = [row(1, "Scene", None), row(2, "Ball", Some(1))];
        let (one, two) = (ListStamp::new(), ListStamp::new());
        let (open, folded) = (HashSet::new(), HashSet::from([EntityId(1)]));
        let mut lines = Lines::default();
        // A list of another length under the same stamp would be another one: that it is not looked at shows here.
        let mut count = |stamp, rows: &[EntityRow], filter, folds: (u64, &HashSet<EntityId>)| {
            let made = lines.take((stamp, rows), filter, folds);
            let count = made.len();
            lines.put(made);
            count
        };
        assert_eq!(count(one, &rows, "", (0, &open)), 2);
        assert_eq!(count(one, &rows[..1], "", (0, &open)), 2, "the same stamp is the same list");
        assert_eq!(count(two, &rows[..1], "", (0, &open)), 1);
        assert_eq!(count(one, &rows, "", (1, &folded)), 1);
        assert_eq!(count(one, &rows, "ball", (1, &folded)), 2);
    }
}
