//! The cores of this machine, and the workers that a run has on them: the one answer for the editor and the command line.

use crate::project::store::Pipes;
use crate::project::store::load::read_text;
use framewalk_runtime::jobs::seating::Seating;
use framewalk_runtime::jobs::thread::{Placement, WorkersOptions, usual_workers, waiting_help};
use framewalk_runtime::jobs::topology::{Core, Topology, usable_cores};
use std::path::Path;

/// What of the workers of a run can be asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkersWanted {
    /// None: as many as the machine has cores for.
    pub workers: Option<usize>,
    /// Each thread of the run on a core of its own.
    pub pin: bool,
    /// How many of a hundred workers look for physics first; none is the usual share.
    pub physics_percent: Option<u32>,
}

impl WorkersWanted {
    /// For a run in real time, whose other threads wait.
    #[must_use]
    pub fn in_real_time(self) -> WorkersOptions {
        let cores = cores();
        let options = self.or(usual_workers(cores));
        WorkersOptions { waiting_help: waiting_help(cores, options.workers), ..options }
    }

    /// With so many where no number is asked for.
    #[must_use]
    pub fn or(self, usual: usize) -> WorkersOptions {
        let workers = self.workers.unwrap_or(usual);
        let usual = WorkersOptions::of(workers);
        WorkersOptions {
            placement: if self.pin {
                Placement::Pinned(Seating::from(topology().seats(workers)))
            } else {
                Placement::default()
            },
            physics_percent: self.physics_percent.unwrap_or(usual.physics_percent),
            ..usual
        }
    }
}

/// Logical cores that this program may use; at least 1.
#[must_use]
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// What the system says of the cores that this program may use; where it says nothing, each counts as one of its own.
fn topology() -> Topology {
    let siblings = |core: Core| {
        let path = format!("/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", core.0);
        read_text(Path::new(&path), Pipes::Refused).unwrap_or_default()
    };
    let cores: Vec<(Core, String)> = usable_cores().into_iter().map(|core| (core, siblings(core))).collect();
    Topology::new(cores.iter().map(|(core, siblings)| (*core, siblings.as_str())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_is_had_and_the_rest_is_as_usual() {
        let usual = WorkersWanted::default().or(3);
        assert_eq!((usual.workers, usual.physics_percent), (3, 25));
        assert_eq!(usual.placement, Placement::default());
        let wanted = WorkersWanted { workers: Some(2), pin: true, physics_percent: Some(50) };
        let asked = wanted.or(3);
        assert_eq!((asked.workers, asked.physics_percent, asked.physics_first()), (2, 50, 1));
        assert!(matches!(asked.placement, Placement::Pinned(_)));
    }
}
