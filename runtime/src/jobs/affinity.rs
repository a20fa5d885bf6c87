//! The cores that the calling thread may run on, and the one it runs on: read, narrowed, and given back.
//!
//! On Linux. Elsewhere a thread is not told what it may run on: it can be kept on one core, where the system takes such
//! wishes, and that is all.

use super::topology::Core;
use std::marker::PhantomData;

/// Cores that a thread may run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mask(system::Set);

impl Mask {
    /// Those of the calling thread; `None` where the system does not say.
    #[must_use]
    pub fn of_this_thread() -> Option<Self> {
        system::mask().map(Self)
    }

    #[must_use]
    pub fn has(&self, core: Core) -> bool {
        system::has(&self.0, core)
    }

    #[must_use]
    pub fn cores(&self) -> Vec<Core> {
        (0..system::MOST_CORES).map(Core).filter(|core| self.has(*core)).collect()
    }

    /// This core of them alone; `None` where it is none of them.
    #[must_use]
    pub fn only(&self, core: Core) -> Option<Self> {
        self.has(core).then(|| system::only(core)).flatten().map(Self)
    }

    /// All of them but this one; `None` where it is none of them, or the only one.
    #[must_use]
    pub fn without(&self, core: Core) -> Option<Self> {
        self.has(core).then(|| system::without(&self.0, core)).flatten().map(Self)
    }

    /// From now on the calling thread runs on these, and is on one of them when this returns. False: the system refuses.
    pub fn hold(&self) -> bool {
        system::hold(&self.0)
    }
}

/// The core that the calling thread runs on just now; `None` where the system does not say.
#[must_use]
#[inline]
pub fn this_core() -> Option<Core> {
    system::this_core()
}

/// Keeps the calling thread on one core until this is dropped: then it may run where it could before.
#[derive(Debug)]
pub struct OnCore {
    before: Option<Mask>,
    // Given back by the thread that it was taken from.
    not_send: PhantomData<*const ()>,
}

impl OnCore {
    /// Says in the log where the thread was put, or that it was not: the system refuses, or the core is none of those that
    /// the thread may run on. Then it runs where it could before, slower at worst.
    #[must_use]
    pub fn stay(thread: &str, core: Core) -> Option<Self> {
        let before = Mask::of_this_thread();
        let stays = match before {
            Some(before) => before.only(core).is_some_and(|only| only.hold()),
            None => {
                system::KEEPS_UNASKED && core_affinity::set_for_current(core_affinity::CoreId { id: core.0 })
            }
        };
        if stays {
            tracing::info!(target: "framewalk", thread, core = core.0, "thread_pinned");
        } else {
            tracing::warn!(target: "framewalk", thread, core = core.0, "thread_not_pinned");
        }
        stays.then_some(Self { before, not_send: PhantomData })
    }
}

impl Drop for OnCore {
    fn drop(&mut self) {
        if let Some(before) = self.before {
            // Refused, it stays where it is: slower at worst.
            before.hold();
        }
    }
}

#[cfg(target_os = "linux")]
mod system {
    use super::Core;
    use nix::sched::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};
    use nix::unistd::Pid;

    pub type Set = CpuSet;

    pub const MOST_CORES: usize = CpuSet::count();

    /// Whoever is not told what it may run on is not to be put where it may not.
    pub const KEEPS_UNASKED: bool = false;

    const THIS_THREAD: Pid = Pid::from_raw(0);

    pub fn mask() -> Option<Set> {
        sched_getaffinity(THIS_THREAD).ok()
    }

    pub fn has(set: &Set, core: Core) -> bool {
        set.is_set(core.0).unwrap_or(false)
    }

    pub fn only(core: Core) -> Option<Set> {
        let mut set = CpuSet::new();
        set.set(core.0).ok().map(|()| set)
    }

    pub fn without(set: &Set, core: Core) -> Option<Set> {
        let mut set = *set;
        set.unset(core.0).ok()?;
        (set != CpuSet::new()).then_some(set)
    }

    pub fn hold(set: &Set) -> bool {
        sched_setaffinity(THIS_THREAD, set).is_ok()
    }

    #[inline]
    pub fn this_core() -> Option<Core> {
        sched_getcpu().ok().map(Core)
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use super::Core;

    /// There is none.
    pub type Set = std::convert::Infallible;

    pub const MOST_CORES: usize = 0;

    pub const KEEPS_UNASKED: bool = true;

    pub fn mask() -> Option<Set> {
        None
    }

    pub fn has(set: &Set, _: Core) -> bool {
        match *set {}
    }

    pub fn only(_: Core) -> Option<Set> {
        None
    }

    pub fn without(set: &Set, _: Core) -> Option<Set> {
        match *set {}
    }

    pub fn hold(set: &Set) -> bool {
        match *set {}
    }

    pub fn this_core() -> Option<Core> {
        None
    }
}

#[cfg(all(test, not(loom), target_os = "linux"))]
mod tests {
    use super::*;

    /// On a thread of its own, so that no other test is put anywhere.
    fn on_a_thread(body: impl FnOnce() + Send) {
        std::thread::scope(|scope| scope.spawn(body).join().expect("what it asserts holds"));
    }

    #[test]
    fn on_real_threads_one_stays_on_its_core_and_may_go_everywhere_again() {
        on_a_thread(|| {
            let before = Mask::of_this_thread().expect("Linux says");
            let cores = before.cores();
            for core in cores.iter().copied() {
                let stays = OnCore::stay("test", core).expect("it may run there");
                let now = Mask::of_this_thread().expect("Linux says");
                assert_eq!((now.cores(), this_core()), (vec![core], Some(core)));
                drop(stays);
                assert_eq!(Mask::of_this_thread(), Some(before));
            }
        });
    }

    #[test]
    fn on_real_threads_a_mask_is_never_widened() {
        on_a_thread(|| {
            let whole = Mask::of_this_thread().expect("Linux says");
            let [first, ..] = whole.cores()[..] else { panic!("it runs somewhere") };
            let narrow = whole.only(first).expect("one of them");
            assert!(narrow.hold());
            for other in [Core(first.0 + 1), Core(system::MOST_CORES), Core(usize::MAX)] {
                assert!(OnCore::stay("test", other).is_none(), "{other:?}");
                assert_eq!((narrow.only(other), narrow.without(other)), (None, None));
                assert_eq!(Mask::of_this_thread(), Some(narrow));
            }
            // Nothing would be left.
            assert_eq!(narrow.without(first), None);
        });
    }
}
