//! Small runs in every interleaving and every order of memory that the language allows, by model checking:
//!
//! ```sh
//! RUSTFLAGS="--cfg loom" CARGO_TARGET_DIR=target/loom \
//!     cargo test -p framewalk-runtime --no-default-features --release --lib loom_models
//! ```
//!
//! loom itself reports a buffer used by two at once, and a thread that is never woken (as a deadlock).

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use std::sync::Arc;

use loom::thread;

use super::idle::IdleBarrier;
use super::sync::{AtomicU32, Ordering};
use super::{FrameConsumer, FrameDescriptor, FrameProducer, HandoffClosed, Published, frame_handoff, slot};
use crate::frame::record::{HandoffCounts, RenderOutcome};
use crate::time::{FrameIndex, Nanos, Tick};

/// As many preemptions as loom is to try where trying all would take minutes.
fn model_with_preemptions(bound: usize, run: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(bound);
    builder.check(run);
}

fn publish(producer: &mut FrameProducer<u64>, n: u64) -> Result<Published, HandoffClosed> {
    *producer.snapshot_mut() = n;
    producer.publish(FrameIndex(n), Tick(n), Nanos(i64::try_from(n).unwrap()))
}

/// Takes one frame, if there is one, and checks that all of it is of one publication.
fn take(consumer: &mut FrameConsumer<u64>) -> Option<u64> {
    let FrameDescriptor { frame, tick, render_time, .. } = consumer.take()?;
    let n = frame.0;
    assert_eq!((tick.0, render_time.0, *consumer.snapshot()), (n, i64::try_from(n).unwrap(), n), "torn");
    Some(n)
}

fn assert_settled(counts: HandoffCounts) {
    assert!(counts.balanced(), "{counts:?}");
    assert_eq!((counts.pending, counts.in_flight), (0, 0), "{counts:?}");
}

#[test]
fn every_value_is_taken_or_comes_back_and_never_both() {
    loom::model(|| {
        let (mut producer, mut consumer) = slot([[0; 2]; 3]);
        let writer = thread::spawn(move || {
            let mut replaced = Vec::new();
            for n in 1..=3_u64 {
                *producer.buffer_mut() = [n, !n];
                if producer.publish() {
                    replaced.push(producer.buffer()[0]);
                }
            }
            replaced
        });
        let mut taken = Vec::new();
        for _ in 0..2 {
            if let Some(&mut [n, not_n]) = consumer.take() {
                assert_eq!(not_n, !n, "torn");
                taken.push(n);
            }
        }
        let replaced = writer.join().unwrap();
        taken.extend(consumer.take().map(|value| value[0]));
        assert!(taken.is_sorted_by(|a, b| a < b) && replaced.is_sorted_by(|a, b| a < b));
        let mut all = [taken, replaced].concat();
        all.sort_unstable();
        assert_eq!(all, [1, 2, 3]);
    });
}

#[test]
fn the_equation_holds_in_every_cut_a_third_thread_reads() {
    model_with_preemptions(2, || {
        let (mut producer, mut consumer, stats) = frame_handoff([0_u64; 3]);
        let at_end = stats.clone();
        let reader = thread::spawn(move || {
            if let Some(counts) = stats.try_counts() {
                assert!(counts.balanced(), "{counts:?}");
            }
        });
        let renderer = thread::spawn(move || {
            for outcome in [RenderOutcome::Rendered, RenderOutcome::Abandoned] {
                if take(&mut consumer).is_some() {
                    consumer.finish(outcome);
                }
            }
            consumer.close();
        });
        for n in 1..=2 {
            // Refused once the renderer has closed.
            let _ = publish(&mut producer, n);
        }
        reader.join().unwrap();
        renderer.join().unwrap();
        assert_settled(at_end.counts());
    });
}

#[test]
fn the_counts_are_those_of_the_answers() {
    loom::model(|| {
        let (mut producer, mut consumer, stats) = frame_handoff([0_u64; 3]);
        let renderer = thread::spawn(move || {
            let mut rendered = Vec::new();
            for _ in 0..2 {
                if let Some(n) = take(&mut consumer) {
                    consumer.finish(RenderOutcome::Rendered);
                    rendered.push(n);
                }
            }
            (rendered, consumer)
        });
        let replaced: Vec<_> = (1..=3)
            .filter_map(|n| publish(&mut producer, n).unwrap().replaced)
            .map(|frame| frame.0)
            .collect();
        let (rendered, _consumer) = renderer.join().unwrap();
        let counts = stats.counts();
        assert!(counts.balanced(), "{counts:?}");
        assert_eq!(counts.published, 3);
        assert_eq!(counts.dropped, replaced.len() as u64);
        assert_eq!(counts.rendered, rendered.len() as u64);
        assert!(
            rendered.iter().all(|n| !replaced.contains(n)),
            "a drop event names a frame that was rendered"
        );
        assert!(rendered.is_sorted_by(|a, b| a < b));
    });
}

#[test]
fn a_sleeping_renderer_is_woken_for_every_last_frame() {
    loom::model(|| {
        let (mut producer, mut consumer, stats) = frame_handoff([0_u64; 3]);
        let renderer = thread::spawn(move || {
            loop {
                match take(&mut consumer) {
                    Some(n) => {
                        consumer.finish(RenderOutcome::Rendered);
                        if n == 2 {
                            return;
                        }
                    }
                    // Forever, unless somebody wakes it.
                    None => consumer.sleep(None),
                }
            }
        });
        for n in 1..=2 {
            publish(&mut producer, n).unwrap();
        }
        renderer.join().unwrap();
        let counts = stats.counts();
        assert_settled(counts);
        assert_eq!((counts.published, counts.rendered + counts.dropped), (2, 2));
    });
}

#[test]
fn a_publication_that_races_with_the_shutdown_is_counted_or_refused() {
    loom::model(|| {
        let (mut producer, mut consumer, stats) = frame_handoff([0_u64; 3]);
        let renderer = thread::spawn(move || {
            if take(&mut consumer).is_some() {
                consumer.finish(RenderOutcome::Rendered);
            }
            consumer.close();
            assert_eq!(consumer.take(), None);
            consumer.close();
        });
        let mut published = 0;
        let mut replaced = 0;
        for n in 1..=3 {
            match publish(&mut producer, n) {
                Ok(answer) => {
                    published += 1;
                    replaced += u64::from(answer.replaced.is_some());
                }
                Err(HandoffClosed) => assert_eq!(*producer.snapshot_mut(), n, "the snapshot stays"),
            }
        }
        renderer.join().unwrap();
        assert_eq!(publish(&mut producer, 9), Err(HandoffClosed));
        let counts = stats.counts();
        assert_settled(counts);
        assert_eq!((counts.published, counts.dropped), (published, replaced));
    });
}

#[test]
fn the_end_abandons_exactly_what_was_pending() {
    loom::model(|| {
        let (mut producer, consumer, stats) = frame_handoff([0_u64; 3]);
        publish(&mut producer, 1).unwrap();
        let renderer = thread::spawn(move || drop(consumer));
        let published = 1 + u64::from(publish(&mut producer, 2).is_ok());
        renderer.join().unwrap();
        let counts = stats.counts();
        assert_settled(counts);
        assert_eq!((counts.published, counts.abandoned, counts.dropped), (published, 1, published - 1));
    });
}

#[test]
fn whoever_waits_for_idle_is_told_and_sees_the_frame_done() {
    model_with_preemptions(3, || {
        let (mut producer, mut consumer, stats) = frame_handoff([0_u64; 3]);
        let shared = Arc::new((IdleBarrier::new(), AtomicU32::new(0)));
        let seen_by_renderer = shared.clone();
        let renderer = thread::spawn(move || {
            let (barrier, stop) = &*seen_by_renderer;
            while stop.load(Ordering::Acquire) == 0 {
                match take(&mut consumer) {
                    Some(_) => consumer.finish(RenderOutcome::Rendered),
                    None => consumer.sleep(None),
                }
                barrier.announce();
            }
            drop(consumer);
            barrier.end();
        });
        let (barrier, stop) = &*shared;
        publish(&mut producer, 1).unwrap();
        let is_idle = || {
            let counts = stats.counts();
            counts.pending == 0 && counts.in_flight == 0
        };
        barrier.wait(|| renderer.thread().unpark(), is_idle);
        assert_eq!(stats.counts().rendered, 1);
        stop.store(1, Ordering::Release);
        renderer.thread().unpark();
        renderer.join().unwrap();
        // Nobody is left to tell: it must not wait.
        barrier.wait(|| {}, || false);
    });
}
