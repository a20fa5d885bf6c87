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

use super::barrier::{Arrival, Broken, WaitError, barrier};
use super::double_buffer::double_buffer;
use super::idle::IdleBarrier;
use super::ring::{BUFFERS, ring};
use super::sync::{AtomicU32, Ordering};
use super::{
    FrameConsumer, FrameDescriptor, FrameProducer, HandoffClosed, Published, frame_handoff, frame_handoffs,
    slot,
};
use crate::frame::record::{HandoffCounts, HandoffMode, RenderOutcome};
use crate::time::{FrameIndex, Nanos, Tick};

/// As many preemptions as loom is to try where trying all would take minutes.
pub(super) fn model_with_preemptions(bound: usize, run: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(bound);
    builder.check(run);
}

pub(super) fn publish(producer: &mut FrameProducer<u64>, n: u64) -> Result<Published, HandoffClosed> {
    *producer.snapshot_mut() = n;
    producer.publish(FrameIndex(n), Tick(n), Nanos(i64::try_from(n).unwrap()))
}

/// Takes one frame, if there is one, and checks that all of it is of one publication.
pub(super) fn take(consumer: &mut FrameConsumer<u64>) -> Option<u64> {
    let FrameDescriptor { frame, tick, render_time, .. } = consumer.take()?;
    let n = frame.0;
    assert_eq!((tick.0, *consumer.snapshot()), (n, n), "torn");
    // From the free handoff it comes with the time it was asked for.
    assert!(render_time.0 == i64::try_from(n).unwrap() || render_time == Nanos::MAX, "torn");
    Some(n)
}

pub(super) fn assert_settled(counts: HandoffCounts) {
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

#[test]
fn nobody_leaves_a_meeting_before_everybody_has_come() {
    model_with_preemptions(2, || {
        let mut parties = barrier(3).unwrap();
        let come = Arc::new(AtomicU32::new(0));
        let mut last = parties.pop().unwrap();
        let threads: Vec<_> = parties
            .into_iter()
            .map(|mut party| {
                let come = come.clone();
                thread::spawn(move || {
                    // Relaxed: the barrier is to order it.
                    come.fetch_add(1, Ordering::Relaxed);
                    party.meet(None, || true).unwrap();
                    assert_eq!(come.load(Ordering::Relaxed), 3);
                    party
                })
            })
            .collect();
        come.fetch_add(1, Ordering::Relaxed);
        last.meet(None, || true).unwrap();
        assert_eq!(come.load(Ordering::Relaxed), 3);
        // Kept to the end: a party that is dropped breaks the barrier.
        let _parties: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
        assert_eq!(last.watch().generation(), 1);
    });
}

#[test]
fn a_party_that_goes_on_stands_at_the_next_meeting_and_not_in_the_last() {
    model_with_preemptions(3, || {
        let [mut a, mut b] = <[_; 2]>::try_from(barrier(2).unwrap()).ok().unwrap();
        let other = thread::spawn(move || {
            for n in 1..=2 {
                b.meet(None, || true).unwrap();
                assert_eq!(b.passed(), n);
            }
            b
        });
        for n in 1..=2 {
            a.meet(None, || true).unwrap();
            assert_eq!(a.passed(), n);
        }
        assert_eq!((a.watch().generation(), other.join().unwrap().passed()), (2, 2));
    });
}

#[test]
fn the_end_of_a_party_lets_whoever_waits_go() {
    model_with_preemptions(3, || {
        let [mut a, mut b] = <[_; 2]>::try_from(barrier(2).unwrap()).ok().unwrap();
        let ends = thread::spawn(move || {
            // As a panic does: it comes to one meeting, or not even to that.
            let _ = b.arrive();
            drop(b);
        });
        // Forever, unless somebody lets it go.
        // The other came, but it may have ended before this one did.
        let first = a.meet(None, || true);
        assert!(matches!(first, Ok(()) | Err(WaitError::Broken(Broken))), "{first:?}");
        assert_eq!(a.meet(None, || true), Err(WaitError::Broken(Broken)));
        ends.join().unwrap();
    });
}

#[test]
fn an_arrival_taken_back_is_no_arrival() {
    model_with_preemptions(3, || {
        let (mut writer, mut readers) = double_buffer([0_u64, 0], 1).unwrap();
        let mut reader = readers.remove(0);
        let reads = thread::spawn(move || {
            if reader.arrive() == Ok(Arrival::Waits) && reader.withdraw() {
                assert_eq!(*reader.front(), 0, "the frame that was there stays");
                reader.meet(None, || true).unwrap();
            }
            assert_eq!(*reader.front(), 1);
            reader
        });
        *writer.back_mut() = 1;
        writer.meet(None, || true).unwrap();
        // The other buffer: nobody reads it before the next meeting.
        *writer.back_mut() = 2;
        reads.join().unwrap();
    });
}

#[test]
fn each_of_two_readers_sees_every_frame_whole_when_it_is_published() {
    model_with_preemptions(1, || {
        let (mut writer, readers) = double_buffer([[0_u64; 2]; 2], 2).unwrap();
        let threads: Vec<_> = readers
            .into_iter()
            .map(|mut reader| {
                thread::spawn(move || {
                    for n in 1..=2 {
                        reader.meet(None, || true).unwrap();
                        assert_eq!(*reader.front(), [n, n * 7]);
                    }
                    reader
                })
            })
            .collect();
        for n in 1..=2 {
            *writer.back_mut() = [n, n * 7];
            writer.meet(None, || true).unwrap();
        }
        let _readers: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
        assert_eq!(writer.watch().generation(), 2);
    });
}

#[test]
fn a_kept_tick_is_whole_and_each_is_taken_passed_over_lost_or_fresh() {
    model_with_preemptions(2, || {
        let (mut producer, mut consumer) = ring([[0_u64; 2]; BUFFERS]);
        let writer = thread::spawn(move || {
            let mut lost = 0;
            for n in 1..=6_u64 {
                *producer.buffer_mut() = [n, !n];
                lost += u64::from(producer.publish(i64::try_from(n).unwrap()).unwrap().lost);
            }
            lost
        });
        let (mut first, mut passed_over, mut newest) = (0, 0, 0);
        // The oldest kept, the newest, the oldest: whatever moves between the look and the exchange.
        for asked in [3, 0, 3] {
            if let Some(taken) = consumer.take(|marks| asked.min(marks.len() - 1)) {
                let [n, not_n] = *consumer.current();
                assert_eq!(not_n, !n, "torn");
                assert!(if taken.first { n > newest } else { n == newest }, "{n} after {newest}");
                newest = n;
                first += u64::from(taken.first);
                passed_over += taken.passed_over;
            }
        }
        let lost = writer.join().unwrap();
        assert_eq!(6, lost + first + passed_over + u64::from(consumer.fresh()));
    });
}

#[test]
fn the_equation_holds_in_every_cut_of_a_lockstep_and_nothing_is_dropped() {
    model_with_preemptions(2, || {
        let (mut producer, mut consumer, stats) = frame_handoffs::<u64>(HandoffMode::Lockstep);
        let at_end = stats.clone();
        let renderer = thread::spawn(move || {
            let mut drawn = 0;
            while drawn < 2 {
                match take(&mut consumer) {
                    Some(n) => {
                        drawn += 1;
                        assert_eq!(n, drawn, "every frame, in order");
                        consumer.finish(RenderOutcome::Rendered);
                    }
                    None => consumer.sleep(None),
                }
                if let Some(counts) = stats.try_counts() {
                    assert!(counts.balanced(), "{counts:?}");
                }
            }
            consumer
        });
        for n in 1..=2 {
            publish(&mut producer, n).unwrap();
        }
        let _consumer = renderer.join().unwrap();
        assert_settled(at_end.counts());
        assert_eq!((at_end.counts().published, at_end.counts().rendered), (2, 2));
    });
}
