//! Both ends as fast as they can on real threads, and a third one that reads the counts.
//!
//! `FRAMEWALK_STRESS_SECONDS=60 cargo test --release -p framewalk-runtime --no-default-features --lib stress` runs it
//! for longer than the default second.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use super::frame_handoff;
use crate::frame::record::{HandoffCounts, RenderOutcome};
use crate::time::source::RealClock;
use crate::time::{FrameIndex, Nanos, Tick};

/// Large enough that a torn one would show.
type Snapshot = [u64; 32];

#[test]
fn on_real_threads_at_full_speed_every_cut_balances_and_rendered_frames_ascend() {
    let seconds = std::env::var("FRAMEWALK_STRESS_SECONDS").ok().map_or(1, |text| text.parse().unwrap());
    let (mut producer, mut consumer, stats) = frame_handoff::<Snapshot>([[0; 32]; 3]);
    let (clock, stop) = (RealClock::new(), AtomicBool::new(false));
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
            }
            cuts
        });
        let mut replaced = 0_u64;
        let mut n = 0_u64;
        while clock.now() < deadline {
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
