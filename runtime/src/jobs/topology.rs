//! Which core each thread of a run is to stay on: a pure function of what the machine says of its cores.
//!
//! The thread `sim` comes first, then the workers, then `render`. Physical cores are given before the other halves of
//! those that work on two threads, and the halves of `sim`'s own come last, so that it has that core to itself where
//! there are enough. Core 0, where the system does its own work, is left out where there are enough others.

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

    /// A core for each thread of a run with so many workers. None for anybody where there is one at all; and where there are
    /// fewer than threads, `render`, which sleeps most of the time, shares the one of `sim`, and workers that are left over
    /// go where the system puts them.
    #[must_use]
    pub fn seats(&self, workers: usize) -> Seats {
        if self.cores.len() < 2 {
            return Seats::default();
        }
        let mut seen = BTreeSet::new();
        // Stable: the first half that is met of each physical core, in their order, then the others.
        let (firsts, seconds): (Vec<LogicalCore>, Vec<LogicalCore>) =
            self.cores.iter().partition(|core| seen.insert(core.physical));
        let (zero, order): (Vec<LogicalCore>, Vec<LogicalCore>) =
            firsts.into_iter().chain(seconds).partition(|core| core.core == Core(0));
        let [sim, rest @ ..] = &order[..] else { return Seats::default() };
        let (halves, others): (Vec<LogicalCore>, Vec<LogicalCore>) =
            rest.iter().partition(|core| core.physical == sim.physical);
        let mut free = others.into_iter().chain(zero).chain(halves).map(|core| core.core);
        let workers = free.by_ref().take(workers).collect();
        Seats { sim: Some(sim.core), render: Some(free.next().unwrap_or(sim.core)), workers }
    }
}

/// The core of each thread of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seats {
    /// Of the thread `sim`; `None`: where the system puts it.
    pub sim: Option<Core>,
    /// Of the thread `render`; `None`: where the system puts it.
    pub render: Option<Core>,
    /// Of the workers, in their order; those beyond go where the system puts them.
    pub workers: Vec<Core>,
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

    /// `sim`, `render`, workers.
    fn seats(topology: &Topology, workers: usize) -> (Option<usize>, Option<usize>, Vec<usize>) {
        let number = |core: Option<Core>| core.map(|core| core.0);
        let Seats { sim, render, workers } = topology.seats(workers);
        (number(sim), number(render), workers.into_iter().map(|core| core.0).collect())
    }

    #[test]
    fn sim_comes_first_then_workers_then_render_and_physical_cores_before_halves() {
        let two = [(0, "0"), (1, "1")];
        let plain = [(0, "0"), (1, "1"), (2, "2"), (3, "3")];
        let unknown = [(0, ""), (1, ""), (2, ""), (3, "")];
        // Two cores of two halves each.
        let two_of_two = [(0, "0,2"), (1, "1,3"), (2, "0,2"), (3, "1,3")];
        // One core of two halves.
        let one_of_two = [(0, "0-1"), (1, "0-1")];
        // Four cores with two halves each, numbered as Linux does: 0 and 4 are one.
        let halves =
            [(0, "0,4"), (1, "1,5"), (2, "2,6"), (3, "3,7"), (4, "0,4"), (5, "1,5"), (6, "2,6"), (7, "3,7")];
        // The same, numbered in pairs.
        let pairs =
            [(0, "0-1"), (1, "0-1"), (2, "2-3"), (3, "2-3"), (4, "4-5"), (5, "4-5"), (6, "6-7"), (7, "6-7")];
        // What a program was confined to, of a machine with halves.
        let confined = [(2, "2,10"), (3, "3,11"), (10, "2,10")];
        // Two fast cores with two halves each, and four slow ones with one.
        let hybrid = [(0, "0-1"), (1, "0-1"), (2, "2-3"), (3, "2-3"), (4, "4"), (5, "5"), (6, "6"), (7, "7")];
        for (name, cores, workers, sim, render, expected) in [
            ("two, 0", &two[..], 0, 1, 0, &[][..]),
            ("two, 1: render shares the core of sim", &two, 1, 1, 1, &[0]),
            ("two, 3: two workers are not pinned", &two, 3, 1, 1, &[0]),
            ("one of two, 1", &one_of_two, 1, 1, 1, &[0]),
            ("plain, 0", &plain, 0, 1, 2, &[]),
            ("plain, 1: core 0 is left out", &plain, 1, 1, 3, &[2]),
            ("plain, 2", &plain, 2, 1, 0, &[2, 3]),
            ("plain, 3", &plain, 3, 1, 1, &[2, 3, 0]),
            ("plain, 9: six workers are not pinned", &plain, 9, 1, 1, &[2, 3, 0]),
            ("not told, 2", &unknown, 2, 1, 0, &[2, 3]),
            ("two of two, 1", &two_of_two, 1, 1, 0, &[2]),
            ("two of two, 2", &two_of_two, 2, 1, 3, &[2, 0]),
            ("halves, 1: sim has a core to itself", &halves, 1, 1, 3, &[2]),
            ("halves, 2: so has render", &halves, 2, 1, 4, &[2, 3]),
            ("halves, 4", &halves, 4, 1, 7, &[2, 3, 4, 6]),
            ("halves, 5", &halves, 5, 1, 0, &[2, 3, 4, 6, 7]),
            ("halves, 6: the other half of sim's is the last", &halves, 6, 1, 5, &[2, 3, 4, 6, 7, 0]),
            ("halves, 7", &halves, 7, 1, 1, &[2, 3, 4, 6, 7, 0, 5]),
            ("pairs, 2", &pairs, 2, 2, 1, &[4, 6]),
            ("pairs, 6", &pairs, 6, 2, 3, &[4, 6, 1, 5, 7, 0]),
            ("confined, 1", &confined, 1, 2, 10, &[3]),
            ("confined, 2", &confined, 2, 2, 2, &[3, 10]),
            ("hybrid, 4", &hybrid, 4, 2, 1, &[4, 5, 6, 7]),
            ("hybrid, 6", &hybrid, 6, 2, 3, &[4, 5, 6, 7, 1, 0]),
        ] {
            let found = seats(&topology(cores), workers);
            assert_eq!(found, (Some(sim), Some(render), expected.to_vec()), "{name}");
        }
    }

    #[test]
    fn on_a_large_machine_sim_shares_its_core_with_nobody_until_all_others_are_taken() {
        // Sixteen cores of two halves: 0 and 16 are one.
        let siblings: Vec<String> = (0..32).map(|core| format!("{},{}", core % 16, core % 16 + 16)).collect();
        let large = Topology::new(
            siblings.iter().enumerate().map(|(core, siblings)| (Core(core), siblings.as_str())),
        );
        assert_eq!(seats(&large, 4), (Some(1), Some(6), vec![2, 3, 4, 5]));
        // A core of its own for each of sixteen threads, but core 0: its other half.
        let (sim, render, workers) = seats(&large, 14);
        assert_eq!((sim, render), (Some(1), Some(16)));
        assert_eq!(workers, (2..16).collect::<Vec<_>>());
        // As many as are usual there.
        let (sim, render, workers) = seats(&large, 30);
        assert_eq!((sim, render), (Some(1), Some(17)));
        let all_others: Vec<usize> = (2..17).chain(18..32).chain([0]).collect();
        assert_eq!(workers, all_others);
    }

    #[test]
    fn on_one_core_nobody_is_pinned() {
        for cores in [&[][..], &[(0, "0")], &[(3, "3,7")]] {
            assert_eq!(seats(&topology(cores), 2), (None, None, vec![]), "{cores:?}");
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
