//! Both ends as fast as they can on real threads, and a third one that reads the counts.
//!
//! `FRAMEWALK_STRESS_SECONDS=60 cargo test --release -p framewalk-runtime --no-default-features --lib stress` runs it
//! for longer than the default second.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use super::double_buffer::double_buffer;
use super::ring::{BUFFERS, ring};
use super::{frame_handoff, frame_handoffs};
use crate::frame::record::{HandoffCounts, HandoffMode, RenderOutcome};
use crate::time::source::RealClock;
use crate::time::{FrameIndex, Nanos, Tick};

/// Large enough that a torn one would show.
type Snapshot = [u64; 32];

fn seconds() -> i64 {
    std::env::var("FRAMEWALK_STRESS_SECONDS").ok().map_or(1, |text| text.parse().unwrap())
}

#[test]
fn on_real_threads_at_full_speed_every_cut_balances_and_rendered_frames_ascend() {
    let seconds = seconds();
    let (mut producer, mut consumer, stats) = frame_handoff::<Snapshot>([[0; 32]; 3]);
    let (clock, stop) = (RealClock::new(), AtomicBool::new(false));
    let (drew, cut) = (AtomicBool::new(false), AtomicBool::new(false));
    let deadline = clock.now() + Nanos::from_secs(seconds);
    let (replaced, rendered, cuts) = thread::scope(|scope| {
        let renderer = scope.spawn(|| {
            let mut last = 0;
            let mut rendered = 0_u64;
            // Takes until it is told to stop, and then leaves what is pending.
            while !stop.load(Ordering::Relaxed) {
                let Some(frame) = consumer.take() else {
                    consumer.sleep(Some(Duration::from_millis(5)));
                    continue;
                };
                let n = frame.frame.0;
                assert!(n > last, "frame {n} after {last}");
                assert_eq!(*consumer.snapshot(), [n; 32]);
                assert_eq!((frame.tick.0, frame.render_time.0), (n, i64::try_from(n).unwrap()));
                last = n;
                // A failure now and then.
                if n % 97 == 0 {
                    consumer.finish(RenderOutcome::Abandoned);
                } else {
                    consumer.finish(RenderOutcome::Rendered);
                    rendered += 1;
                    drew.store(true, Ordering::Relaxed);
                }
            }
            drop(consumer);
            rendered
        });
        let reader = scope.spawn(|| {
            let mut before = HandoffCounts::default();
            let mut cuts = 0_u64;
            while !stop.load(Ordering::Relaxed) {
                let Some(counts) = stats.try_counts() else { continue };
                assert!(counts.balanced(), "{counts:?}");
                assert!(
                    counts.published >= before.published
                        && counts.rendered >= before.rendered
                        && counts.dropped >= before.dropped
                        && counts.abandoned >= before.abandoned,
                    "{counts:?} after {before:?}"
                );
                before = counts;
                cuts += 1;
                cut.store(true, Ordering::Relaxed);
            }
            cuts
        });
        let mut replaced = 0_u64;
        let mut n = 0_u64;
        // Until both others have had a turn, however long that takes; what one of them broke over is told by its join.
        let have_both = || drew.load(Ordering::Relaxed) && cut.load(Ordering::Relaxed);
        while clock.now() < deadline || !(have_both() || reader.is_finished()) {
            for _ in 0..64 {
                n += 1;
                *producer.snapshot_mut() = [n; 32];
                let published =
                    producer.publish(FrameIndex(n), Tick(n), Nanos(i64::try_from(n).unwrap())).unwrap();
                replaced += u64::from(published.replaced.is_some());
            }
        }
        assert_eq!(producer.stats().published, n);
        stop.store(true, Ordering::Relaxed);
        (replaced, renderer.join().unwrap(), reader.join().unwrap())
    });
    let counts = stats.counts();
    assert!(counts.balanced(), "{counts:?}");
    assert_eq!((counts.rendered, counts.dropped), (rendered, replaced));
    assert_eq!((counts.pending, counts.in_flight), (0, 0));
    assert!(rendered > 0 && cuts > 0, "{rendered} rendered, {cuts} cuts read");
    println!("{counts:?}, {cuts} cuts read");
}

#[test]
fn on_real_threads_at_full_speed_two_readers_see_every_frame_of_a_double_buffer_whole() {
    let (mut writer, readers) = double_buffer::<Snapshot>([[0; 32]; 2], 2).unwrap();
    let clock = RealClock::new();
    let deadline = clock.now() + Nanos::from_secs(seconds());
    // The last frame, which tells the readers to stop.
    const LAST: u64 = u64::MAX;
    thread::scope(|scope| {
        let threads: Vec<_> = readers
            .into_iter()
            .map(|mut reader| {
                scope.spawn(move || {
                    let mut seen = 0;
                    loop {
                        reader.meet(None, || true).unwrap();
                        let front = *reader.front();
                        if front[0] == LAST {
                            return seen;
                        }
                        seen += 1;
                        assert_eq!(front, [seen; 32], "every frame, whole, in order");
                    }
                })
            })
            .collect();
        let mut n = 0;
        while clock.now() < deadline {
            n += 1;
            *writer.back_mut() = [n; 32];
            writer.meet(None, || true).unwrap();
        }
        *writer.back_mut() = [LAST; 32];
        writer.meet(None, || true).unwrap();
        for thread in threads {
            assert_eq!(thread.join().unwrap(), n);
        }
        println!("{n} frames at two readers");
    });
}

#[test]
fn on_real_threads_at_full_speed_a_kept_tick_is_whole_and_none_is_lost_count_of() {
    let (mut producer, mut consumer) = ring::<Snapshot>([[0; 32]; BUFFERS]);
    let (clock, stop) = (RealClock::new(), AtomicBool::new(false));
    let deadline = clock.now() + Nanos::from_secs(seconds());
    thread::scope(|scope| {
        let renderer = scope.spawn(|| {
            let (mut first, mut passed_over, mut newest, mut asked) = (0_u64, 0_u64, 0, 0);
            while !stop.load(Ordering::Relaxed) {
                asked = (asked + 1) % 4;
                let Some(taken) = consumer.take(|marks| asked.min(marks.len() - 1)) else { continue };
                let n = consumer.current()[0];
                assert_eq!(*consumer.current(), [n; 32]);
                assert!(if taken.first { n > newest } else { n == newest }, "{n} after {newest}");
                newest = n;
                first += u64::from(taken.first);
                passed_over += taken.passed_over;
            }
            (first, passed_over, consumer)
        });
        let (mut n, mut lost) = (0, 0);
        while clock.now() < deadline {
            for _ in 0..64 {
                n += 1;
                *producer.buffer_mut() = [n; 32];
                lost += u64::from(producer.publish(n as i64).unwrap().lost);
            }
        }
        stop.store(true, Ordering::Relaxed);
        let (first, passed_over, consumer) = renderer.join().unwrap();
        assert_eq!(n, lost + first + passed_over + u64::from(consumer.fresh()));
        println!("{n} ticks, {first} taken");
    });
}

#[test]
fn on_real_threads_every_cut_balances_while_the_way_changes_all_the_time() {
    let (mut producer, mut consumer, stats) = frame_handoffs::<u64>(HandoffMode::Slot);
    let (clock, stop, cut) = (RealClock::new(), AtomicBool::new(false), AtomicBool::new(false));
    let deadline = clock.now() + Nanos::from_secs(seconds());
    thread::scope(|scope| {
        let renderer = scope.spawn(|| {
            let mut last = 0;
            while !stop.load(Ordering::Relaxed) {
                let Some(frame) = consumer.take() else {
                    consumer.sleep(Some(Duration::from_millis(5)));
                    continue;
                };
                let n = frame.frame.0;
                assert!(n >= last && *consumer.snapshot() == n, "frame {n} after {last}");
                last = n;
                consumer.finish(RenderOutcome::Rendered);
            }
            drop(consumer);
        });
        let reader = scope.spawn(|| {
            let mut cuts = 0_u64;
            while !stop.load(Ordering::Relaxed) {
                let Some(counts) = stats.try_counts() else { continue };
                assert!(counts.balanced(), "{counts:?}");
                cuts += 1;
                cut.store(true, Ordering::Relaxed);
            }
            cuts
        });
        let mut n = 0;
        // Until a cut was read, however long that takes; what its reader broke over is told by the join.
        while clock.now() < deadline || !(cut.load(Ordering::Relaxed) || reader.is_finished()) {
            for mode in HandoffMode::ALL {
                producer.set_mode(mode);
                for _ in 0..20 {
                    n += 1;
                    *producer.snapshot_mut() = n;
                    producer.publish(FrameIndex(n), Tick(n), Nanos::ZERO).unwrap();
                }
            }
        }
        stop.store(true, Ordering::Relaxed);
        renderer.join().unwrap();
        assert!(reader.join().unwrap() > 0);
        let counts = stats.counts();
        assert!(counts.balanced() && counts.published == n, "{counts:?}");
        println!("{counts:?}");
    });
}
