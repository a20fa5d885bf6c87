//! Threads of earlier runs that did not end when they were asked to. Nobody waits for them; they are named and counted.

use framewalk_runtime::joining::LeftThread;
use framewalk_runtime::time::Nanos;

/// A thread that has not ended so long after Stop is said to be left behind: until then it may only be slow.
const SAID_AFTER: Nanos = Nanos::from_secs(1);

struct Left {
    thread: LeftThread,
    run: u32,
    since: Nanos,
    said: bool,
}

/// The threads that are still there.
#[derive(Default)]
pub struct LeftThreads {
    threads: Vec<Left>,
}

impl LeftThreads {
    /// Keeps an eye on threads of a run that was stopped `now`.
    pub fn add(&mut self, run: u32, threads: Vec<LeftThread>, now: Nanos) {
        let left = threads.into_iter().map(|thread| Left { thread, run, since: now, said: false });
        self.threads.extend(left);
    }

    /// Forgets those that have ended; a sentence for one that should have and has not, once.
    pub fn look(&mut self, now: Nanos) -> Option<String> {
        self.threads.retain(|left| !left.thread.has_ended());
        let overdue = self.threads.iter_mut().find(|left| !left.said && now - left.since >= SAID_AFTER)?;
        overdue.said = true;
        Some(format!(
            "The {} thread of run {} did not end: what it was doing at Stop still goes on. It is left to itself and \
             keeps its memory and a core until it ends or the program is closed.",
            overdue.thread.name(),
            overdue.run
        ))
    }

    /// Some may still end.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.threads.is_empty()
    }

    /// Those that were said to be left behind and are still there.
    #[must_use]
    pub fn count(&self) -> usize {
        self.threads.iter().filter(|left| left.said).count()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread::Builder;
    use std::time::Duration;

    use framewalk_runtime::joining::Joinable;

    use super::*;

    #[test]
    fn on_real_threads_one_that_does_not_end_is_named_once_and_forgotten_when_it_does() {
        let (let_go, may_go) = channel::<()>();
        let thread = Joinable::spawn(Builder::new(), "sim", move || {
            let _ = may_go.recv();
        })
        .unwrap();
        let left = thread.join_within(Duration::ZERO).err().unwrap();
        let mut threads = LeftThreads::default();
        threads.add(3, vec![left], Nanos::from_secs(10));
        assert_eq!(threads.look(Nanos::from_millis(10_999)), None);
        assert_eq!((threads.count(), threads.is_empty()), (0, false));
        let said = threads.look(Nanos::from_secs(11)).unwrap();
        assert!(said.starts_with("The sim thread of run 3 did not end:"), "{said}");
        assert_eq!(threads.look(Nanos::from_secs(99)), None, "said once");
        assert_eq!(threads.count(), 1);
        drop(let_go);
        while !threads.is_empty() {
            threads.look(Nanos::from_secs(99));
            std::thread::yield_now();
        }
        assert_eq!(threads.count(), 0);
    }
}
