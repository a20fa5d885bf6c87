//! Which core each worker is to stay on: a pure function of what the machine says of its cores.
//!
//! Physical cores come first, then the other halves of those that work on two threads; core 0, where the system does
//! its own work, is left out where there are enough others; and nobody is pinned where there is nothing to choose.

use std::collections::BTreeSet;

/// A logical core, by the system's number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Core(pub usize);

/// The logical cores this program may use, and which of them are halves of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Topology {
    cores: Vec<LogicalCore>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct LogicalCore {
    core: Core,
    /// The lowest number among the halves of its physical core.
    physical: Core,
}

impl Topology {
    /// From every core that may be used, with the list of cores that are one with it, as the system writes it: `0,4`,
    /// `0-1`, or nothing where it does not say.
    #[must_use]
    pub fn new<'a>(usable: impl IntoIterator<Item = (Core, &'a str)>) -> Self {
        let mut cores: Vec<LogicalCore> = usable
            .into_iter()
            .map(|(core, siblings)| {
                let lowest = listed(siblings).into_iter().min().unwrap_or(core);
                LogicalCore { core, physical: lowest.min(core) }
            })
            .collect();
        cores.sort_unstable();
        cores.dedup_by_key(|core| core.core);
        Self { cores }
    }

    #[must_use]
    pub fn logical_cores(&self) -> usize {
        self.cores.len()
    }

    #[must_use]
    pub fn physical_cores(&self) -> usize {
        self.cores.iter().map(|core| core.physical).collect::<BTreeSet<_>>().len()
    }

    /// The cores for so many workers, in their order. Fewer than workers: the rest go where the system puts them. None
    /// at all on one or two cores, where every thread needs to go where there is room.
    #[must_use]
    pub fn cores_for(&self, workers: usize) -> Vec<Core> {
        if self.cores.len() <= 2 {
            return Vec::new();
        }
        let mut seen = BTreeSet::new();
        // Stable: the first half that is met of each physical core, in their order, then the others.
        let (firsts, seconds): (Vec<LogicalCore>, Vec<LogicalCore>) =
            self.cores.iter().partition(|core| seen.insert(core.physical));
        let order = firsts.into_iter().chain(seconds).map(|core| core.core);
        let without_zero: Vec<Core> = order.clone().filter(|core| *core != Core(0)).collect();
        let enough = without_zero.len() >= workers;
        let mut cores: Vec<Core> = if enough { without_zero } else { order.collect() };
        cores.truncate(workers);
        cores
    }
}

/// The cores this program may use, as the system says; none where it does not.
#[must_use]
pub fn usable_cores() -> Vec<Core> {
    let cores = core_affinity::get_core_ids().unwrap_or_default();
    cores.into_iter().map(|core| Core(core.id)).collect()
}

/// `0,2-4` is 0, 2, 3 and 4. What is no such list is none.
#[must_use]
pub fn listed(text: &str) -> Vec<Core> {
    /// More than any machine has: a list with a slip in it is not to fill the memory.
    const MOST: usize = 65_536;
    let range = |part: &str| -> Option<std::ops::RangeInclusive<usize>> {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let range = first.trim().parse().ok()?..=last.trim().parse().ok()?;
        (*range.end() < MOST).then_some(range)
    };
    let ranges: Option<Vec<_>> = text.trim().split(',').map(range).collect();
    ranges.unwrap_or_default().into_iter().flatten().map(Core).collect()
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn topology(cores: &[(usize, &str)]) -> Topology {
        Topology::new(cores.iter().map(|(core, siblings)| (Core(*core), *siblings)))
    }

    fn cores_for(topology: &Topology, workers: usize) -> Vec<usize> {
        topology.cores_for(workers).into_iter().map(|core| core.0).collect()
    }

    #[test]
    fn physical_cores_come_first_and_core_0_is_left_out_where_there_are_enough() {
        // Four cores with two halves each, numbered as Linux does: 0 and 4 are one.
        let halves =
            [(0, "0,4"), (1, "1,5"), (2, "2,6"), (3, "3,7"), (4, "0,4"), (5, "1,5"), (6, "2,6"), (7, "3,7")];
        // The same, numbered in pairs.
        let pairs =
            [(0, "0-1"), (1, "0-1"), (2, "2-3"), (3, "2-3"), (4, "4-5"), (5, "4-5"), (6, "6-7"), (7, "6-7")];
        let plain = [(0, "0"), (1, "1"), (2, "2"), (3, "3")];
        // What a program was confined to, of a machine with halves.
        let confined = [(2, "2,10"), (3, "3,11"), (10, "2,10")];
        let unknown = [(0, ""), (1, ""), (2, ""), (3, "")];
        // Two fast cores with two halves each, and four slow ones with one.
        let hybrid = [(0, "0-1"), (1, "0-1"), (2, "2-3"), (3, "2-3"), (4, "4"), (5, "5"), (6, "6"), (7, "7")];
        // Two packages: numbers go round them.
        let packages: Vec<(usize, String)> =
            (0..32).map(|core| (core, format!("{},{}", core % 16, core % 16 + 16))).collect();
        let packages: Vec<(usize, &str)> =
            packages.iter().map(|(core, siblings)| (*core, siblings.as_str())).collect();
        for (name, cores, workers, expected) in [
            ("halves, 2", &halves[..], 2, &[1, 2][..]),
            ("halves, 3", &halves, 3, &[1, 2, 3]),
            ("halves, 5", &halves, 5, &[1, 2, 3, 4, 5]),
            ("halves, 7", &halves, 7, &[1, 2, 3, 4, 5, 6, 7]),
            ("halves, 8", &halves, 8, &[0, 1, 2, 3, 4, 5, 6, 7]),
            ("halves, 12: four are not pinned", &halves, 12, &[0, 1, 2, 3, 4, 5, 6, 7]),
            ("pairs, 3", &pairs, 3, &[2, 4, 6]),
            ("pairs, 5", &pairs, 5, &[2, 4, 6, 1, 3]),
            ("plain, 2", &plain, 2, &[1, 2]),
            ("plain, 4", &plain, 4, &[0, 1, 2, 3]),
            ("confined, 3", &confined, 3, &[2, 3, 10]),
            ("not told, 2", &unknown, 2, &[1, 2]),
            ("hybrid, 3", &hybrid, 3, &[2, 4, 5]),
            ("hybrid, 6", &hybrid, 6, &[2, 4, 5, 6, 7, 1]),
            ("hybrid, 8", &hybrid, 8, &[0, 2, 4, 5, 6, 7, 1, 3]),
            ("packages, 4", &packages, 4, &[1, 2, 3, 4]),
            ("packages, 17", &packages, 17, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]),
            ("none, 0", &plain, 0, &[]),
        ] {
            assert_eq!(cores_for(&topology(cores), workers), expected, "{name}");
        }
    }

    #[test]
    fn on_one_or_two_cores_nobody_is_pinned() {
        for cores in [&[][..], &[(0, "0")], &[(0, "0"), (1, "1")], &[(0, "0-1"), (1, "0-1")]] {
            assert_eq!(cores_for(&topology(cores), 2), [0; 0], "{cores:?}");
        }
    }

    #[test]
    fn halves_are_counted_once() {
        let two = topology(&[(0, "0,2"), (1, "1,3"), (2, "0,2"), (3, "1,3")]);
        assert_eq!((two.logical_cores(), two.physical_cores()), (4, 2));
    }

    #[test]
    fn lists_are_read_as_the_system_writes_them() {
        for (text, expected) in [
            ("0", &[0][..]),
            ("0,4\n", &[0, 4]),
            ("0-3", &[0, 1, 2, 3]),
            ("0-1,8-9", &[0, 1, 8, 9]),
            ("", &[]),
            ("\n", &[]),
            ("x", &[]),
            ("0-", &[]),
            ("3-1", &[]),
            ("0-99999999999", &[]),
        ] {
            let found: Vec<usize> = listed(text).into_iter().map(|core| core.0).collect();
            assert_eq!(found, expected, "{text:?}");
        }
    }
}
