//! The clock of the motion, from the simulation to the renderer.

use super::super::sync::{AtomicU64, Ordering, fence, spin_loop, yield_now};
use crate::time::motion_clock::MotionClock;

/// One writer, any number of readers, who see whole clocks only: a writer never waits, a reader reads again where it was
/// written meanwhile.
pub(super) struct SharedMotion {
    // Odd while it is written.
    version: AtomicU64,
    words: [AtomicU64; 3],
}

impl SharedMotion {
    pub(super) fn new() -> Self {
        let words = MotionClock::default().to_words();
        Self { version: AtomicU64::new(0), words: words.map(AtomicU64::new) }
    }

    /// For its one writer.
    pub(super) fn store(&self, clock: MotionClock) {
        // Relaxed: one's own last write.
        let even = self.version.load(Ordering::Relaxed);
        self.version.store(even + 1, Ordering::Relaxed);
        // Release: whoever sees a word of these sees the odd version too.
        fence(Ordering::Release);
        for (word, value) in self.words.iter().zip(clock.to_words()) {
            // Relaxed: between the two versions.
            word.store(value, Ordering::Relaxed);
        }
        // Release: whoever sees this version sees its words.
        self.version.store(even + 2, Ordering::Release);
    }

    pub(super) fn load(&self) -> MotionClock {
        const TRIES_BEFORE_YIELDING: u32 = 64;
        let mut tries = 0;
        loop {
            if let Some(clock) = self.try_load() {
                return clock;
            }
            tries += 1;
            // The writer may wait for this very core.
            if tries < TRIES_BEFORE_YIELDING { spin_loop() } else { yield_now() }
        }
    }

    fn try_load(&self) -> Option<MotionClock> {
        // Acquire: no word is older than this version.
        let version = self.version.load(Ordering::Acquire);
        if !version.is_multiple_of(2) {
            return None;
        }
        // Relaxed: the version is looked at again.
        let words = std::array::from_fn(|word| self.words[word].load(Ordering::Relaxed));
        // Acquire: the other half of the writer's fence.
        fence(Ordering::Acquire);
        let is_whole = self.version.load(Ordering::Relaxed) == version;
        is_whole.then(|| MotionClock::of_words(words))
    }
}

#[cfg(all(test, loom))]
mod loom_models {
    use std::sync::Arc;

    use super::*;
    use crate::handoff::loom_models::model_with_preemptions;
    use crate::time::{Nanos, Speed};

    #[test]
    fn a_reader_sees_whole_clocks_only_and_never_an_older_one() {
        model_with_preemptions(3, || {
            let shared = Arc::new(SharedMotion::new());
            let clocks = [1, 2].map(|n| {
                MotionClock::standing_at(Nanos(n), Nanos(n)).running_at(Speed::NORMAL, Nanos(10 * n))
            });
            let reader = loom::thread::spawn({
                let shared = shared.clone();
                move || [shared.load(), shared.load()]
            });
            clocks.iter().for_each(|clock| shared.store(*clock));
            let all = [MotionClock::default(), clocks[0], clocks[1]];
            let seen =
                reader.join().expect("it ends").map(|clock| all.iter().position(|known| *known == clock));
            assert!(seen[0].is_some() && seen[0] <= seen[1], "{seen:?}");
        });
    }
}
