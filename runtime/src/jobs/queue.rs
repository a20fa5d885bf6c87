//! A bounded queue for many on both sides: `crossbeam_queue`'s, and a stand-in for the models, which cannot look into
//! that one.

#[cfg(not(loom))]
pub(super) use real::Bounded;
#[cfg(loom)]
pub(super) use stand_in::Bounded;

#[cfg(not(loom))]
mod real {
    use crossbeam_queue::ArrayQueue;
    use crossbeam_utils::CachePadded;

    pub(in crate::jobs) struct Bounded<T>(CachePadded<ArrayQueue<T>>);

    impl<T> Bounded<T> {
        pub(in crate::jobs) fn new(capacity: usize) -> Self {
            Self(CachePadded::new(ArrayQueue::new(capacity)))
        }

        #[inline]
        pub(in crate::jobs) fn push(&self, value: T) -> Result<(), T> {
            self.0.push(value)
        }

        #[inline]
        pub(in crate::jobs) fn pop(&self) -> Option<T> {
            self.0.pop()
        }

        #[inline]
        pub(in crate::jobs) fn is_empty(&self) -> bool {
            self.0.is_empty()
        }

        pub(in crate::jobs) fn len(&self) -> usize {
            self.0.len()
        }

        pub(in crate::jobs) fn capacity(&self) -> usize {
            self.0.capacity()
        }
    }
}

/// Promises less than the real one: whether it is empty is read without any order, so that a model finds a wake-up
/// that rests on more.
#[cfg(loom)]
mod stand_in {
    use crate::handoff::sync::{AtomicU32, Mutex, Ordering};
    use std::collections::VecDeque;

    pub(in crate::jobs) struct Bounded<T> {
        waiting: Mutex<VecDeque<T>>,
        count: AtomicU32,
        capacity: usize,
    }

    impl<T> Bounded<T> {
        pub(in crate::jobs) fn new(capacity: usize) -> Self {
            Self { waiting: Mutex::new(VecDeque::new()), count: AtomicU32::new(0), capacity }
        }

        pub(in crate::jobs) fn push(&self, value: T) -> Result<(), T> {
            let mut waiting = self.waiting.lock().expect("no model panics here");
            if waiting.len() == self.capacity {
                return Err(value);
            }
            waiting.push_back(value);
            self.count.fetch_add(1, Ordering::Relaxed);
            Ok(())
        }

        pub(in crate::jobs) fn pop(&self) -> Option<T> {
            let mut waiting = self.waiting.lock().expect("no model panics here");
            let value = waiting.pop_front();
            if value.is_some() {
                self.count.fetch_sub(1, Ordering::Relaxed);
            }
            value
        }

        pub(in crate::jobs) fn is_empty(&self) -> bool {
            self.count.load(Ordering::Relaxed) == 0
        }

        pub(in crate::jobs) fn len(&self) -> usize {
            self.count.load(Ordering::Relaxed) as usize
        }

        pub(in crate::jobs) fn capacity(&self) -> usize {
            self.capacity
        }
    }
}
