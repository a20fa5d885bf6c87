//! Small runs of the frame handoff as a whole, model-checked as in `loom_models`: changes of way, observers, and a renderer
//! that gets up before the frame it expects.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use std::time::Duration;

use loom::thread;

use super::loom_models::{assert_settled, model_with_preemptions, publish, take};
use super::{FrameConsumer, HandoffEnds, frame_handoffs, observed_handoffs};
use crate::frame::record::{HandoffMode, RenderOutcome};

#[test]
fn a_change_of_way_wakes_the_renderer_and_loses_nothing() {
    use HandoffMode::{Free, Lockstep, Slot};
    for (from, to) in [(Slot, Lockstep), (Lockstep, Slot), (Slot, Free), (Lockstep, Free)] {
        model_with_preemptions(2, move || {
            let (mut producer, mut consumer, stats) = frame_handoffs::<u64>(from);
            let renderer = thread::spawn(move || {
                loop {
                    match take(&mut consumer) {
                        Some(n) => {
                            consumer.finish(RenderOutcome::Rendered);
                            if n == 2 {
                                return consumer;
                            }
                        }
                        // Forever, unless somebody wakes it.
                        None => consumer.sleep(None),
                    }
                }
            });
            publish(&mut producer, 1).unwrap();
            producer.set_mode(to);
            publish(&mut producer, 2).unwrap();
            let _consumer = renderer.join().unwrap();
            let counts = stats.counts();
            assert_settled(counts);
            assert_eq!((counts.published, counts.rendered + counts.dropped + counts.undrawn), (2, 2));
        });
    }
}

/// Draws until it has drawn frame `last`, as a render thread does that rests in the free handoff while nothing is new.
fn draw_until(mut consumer: FrameConsumer<u64>, last: u64) -> FrameConsumer<u64> {
    loop {
        let rests = consumer.mode() == HandoffMode::Free && !consumer.has_come();
        match if rests { None } else { take(&mut consumer) } {
            Some(n) => {
                consumer.finish(RenderOutcome::Rendered);
                if n == last {
                    return consumer;
                }
            }
            // Forever, unless somebody wakes it.
            None => consumer.sleep(None),
        }
    }
}

#[test]
fn out_of_the_free_handoff_and_back_the_renderer_is_woken_and_nothing_is_lost() {
    use HandoffMode::{Free, Lockstep, Slot};
    for by in [Slot, Lockstep] {
        model_with_preemptions(2, move || {
            let (mut producer, consumer, stats) = frame_handoffs::<u64>(Free);
            let renderer = thread::spawn(move || draw_until(consumer, 3));
            publish(&mut producer, 1).unwrap();
            producer.set_mode(by);
            publish(&mut producer, 2).unwrap();
            producer.set_mode(Free);
            publish(&mut producer, 3).unwrap();
            let _consumer = renderer.join().unwrap();
            let counts = stats.counts();
            assert_settled(counts);
            assert_eq!((counts.published, counts.rendered + counts.dropped + counts.undrawn), (3, 3));
            // What has met is drawn.
            assert!(by == Slot || (counts.dropped == 0 && counts.rendered >= 2), "{counts:?}");
        });
    }
}

#[test]
fn a_buffer_that_is_made_ready_is_nobodys_whatever_the_renderer_takes_meanwhile() {
    model_with_preemptions(3, || {
        let (mut producer, mut consumer, stats) = frame_handoffs::<u64>(HandoffMode::Free);
        publish(&mut producer, 1).unwrap();
        let renderer = thread::spawn(move || {
            for _ in 0..2 {
                if take(&mut consumer).is_some() {
                    consumer.finish(RenderOutcome::Rendered);
                }
            }
            consumer
        });
        for n in 2..=3 {
            // The one that the renderer began with is among them once it has taken another.
            while let Some(snapshot) = producer.cold_snapshot_mut() {
                *snapshot = u64::MAX;
            }
            publish(&mut producer, n).unwrap();
        }
        drop(renderer.join().unwrap());
        assert!(stats.counts().balanced(), "{:?}", stats.counts());
    });
}

#[test]
fn a_renderer_that_gets_up_and_looks_for_a_moment_is_woken_for_what_comes_after() {
    for mode in [HandoffMode::Slot, HandoffMode::Lockstep] {
        model_with_preemptions(2, move || {
            let (mut producer, mut consumer, stats) = frame_handoffs::<u64>(mode);
            let renderer = thread::spawn(move || {
                let mut naps = 1;
                loop {
                    match take(&mut consumer) {
                        Some(n) => {
                            consumer.finish(RenderOutcome::Rendered);
                            if n == 2 {
                                return consumer;
                            }
                        }
                        // As before a frame that is expected: asleep, then up, then a look.
                        None if naps > 0 => {
                            naps -= 1;
                            consumer.sleep(Some(Duration::from_millis(1)));
                            consumer.get_up();
                            let _ = consumer.has_come();
                        }
                        // Forever, unless somebody wakes it.
                        None => consumer.sleep(None),
                    }
                }
            });
            for n in 1..=2 {
                publish(&mut producer, n).unwrap();
            }
            let _consumer = renderer.join().unwrap();
            assert_settled(stats.counts());
        });
    }
}

#[test]
fn an_observer_sees_the_frame_whole_and_a_cut_is_balanced_whoever_comes_last() {
    model_with_preemptions(2, || {
        let HandoffEnds { mut producer, mut consumer, observers, stats } =
            observed_handoffs::<u64>(HandoffMode::Lockstep, 1).unwrap();
        let mut observer = observers.into_iter().next().unwrap();
        let looks = thread::spawn(move || {
            let frame = observer.meet(None).unwrap();
            assert_eq!((frame.frame.0, frame.tick.0, *observer.snapshot()), (1, 1, 1));
            observer
        });
        let renderer = thread::spawn(move || {
            while take(&mut consumer).is_none() {
                consumer.sleep(None);
            }
            consumer.finish(RenderOutcome::Rendered);
            consumer
        });
        publish(&mut producer, 1).unwrap();
        if let Some(counts) = stats.try_counts() {
            assert!(counts.balanced() && counts.published == 1, "{counts:?}");
        }
        let _ends = (looks.join().unwrap(), renderer.join().unwrap());
        assert_settled(stats.counts());
        assert_eq!(stats.counts().rendered, 1);
    });
}

#[test]
fn an_observer_that_leaves_keeps_nobody_waiting_and_one_that_ends_lets_everybody_go() {
    for leaves in [true, false] {
        model_with_preemptions(2, move || {
            let HandoffEnds { mut producer, mut consumer, observers, stats } =
                observed_handoffs::<u64>(HandoffMode::Lockstep, 1).unwrap();
            let observer = observers.into_iter().next().unwrap();
            let renderer = thread::spawn(move || {
                while consumer.is_met() {
                    match take(&mut consumer) {
                        Some(n) => {
                            consumer.finish(RenderOutcome::Rendered);
                            if n == 1 {
                                break;
                            }
                        }
                        None if consumer.is_met() => consumer.sleep(None),
                        None => {}
                    }
                }
                consumer
            });
            let parts = thread::spawn(move || if leaves { observer.leave() } else { drop(observer) });
            // It never came, so without its leave there is no meeting.
            assert_eq!(publish(&mut producer, 1).is_ok(), leaves);
            parts.join().unwrap();
            let _consumer = renderer.join().unwrap();
            assert_settled(stats.counts());
            assert_eq!(stats.counts().rendered, u64::from(leaves));
        });
    }
}
