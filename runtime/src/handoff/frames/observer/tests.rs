//! Observers of the lockstep: on real threads, and nothing that depends on how fast they are.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use std::thread;

use super::super::super::barrier::Broken;
use super::super::*;
use crate::frame::record::RenderOutcome;

type Observed =
    (FrameProducer<[u64; 2]>, FrameConsumer<[u64; 2]>, Vec<FrameObserver<[u64; 2]>>, HandoffStats);

fn observed(observers: usize) -> Observed {
    let ends = observed_handoffs(HandoffMode::Lockstep, observers).unwrap();
    (ends.producer, ends.consumer, ends.observers, ends.stats)
}

fn hand_over(producer: &mut FrameProducer<[u64; 2]>, n: u64) -> Result<Published, PublishError> {
    *producer.snapshot_mut() = [n, n * 7];
    let patience = Some(Nanos::from_secs(60));
    producer.hand_over(Publication {
        frame: FrameIndex(n),
        tick: Tick(n),
        patience,
        ..Publication::default()
    })
}

/// Draws as a render thread does: until the meetings are over, or so many are drawn. How many of them were what had just
/// been published.
fn draw(mut consumer: FrameConsumer<[u64; 2]>, frames: u64) -> (u64, FrameConsumer<[u64; 2]>) {
    let (mut drawn, mut consistent) = (0, 0);
    while drawn < frames && consumer.is_met() {
        match consumer.take() {
            Some(frame) => {
                drawn += 1;
                consistent += u64::from(frame.frame.0 == drawn && *consumer.snapshot() == [drawn, drawn * 7]);
                consumer.finish(RenderOutcome::Rendered);
            }
            None if consumer.is_met() => consumer.sleep(None),
            None => {}
        }
    }
    (consistent, consumer)
}

/// Of so many frames, those that were the one just published, and whole.
fn look(observer: &mut FrameObserver<[u64; 2]>, frames: u64) -> u64 {
    let is_right = |n: &u64| {
        let frame = observer.meet(None).unwrap();
        frame.frame.0 == *n && observer.frame() == Some(frame) && *observer.snapshot() == [*n, *n * 7]
    };
    (1..=frames).filter(is_right).count() as u64
}

/// The demo of the seed, through the handoff that frames really take: 5 frames, 3 parties.
#[test]
fn on_real_threads_of_5_frames_renderer_and_observer_see_each_when_it_is_published() {
    let (mut producer, consumer, observers, stats) = observed(1);
    let mut observer = observers.into_iter().next().unwrap();
    let renderer = thread::spawn(move || draw(consumer, 5));
    let observes = thread::spawn(move || (look(&mut observer, 5), observer));
    for n in 1..=5 {
        hand_over(&mut producer, n).unwrap();
    }
    let (drawn, _consumer) = renderer.join().unwrap();
    let (seen, _observer) = observes.join().unwrap();
    assert_eq!((drawn, seen), (5, 5));
    let counts = stats.counts();
    assert_eq!((counts.published, counts.rendered, counts.dropped), (5, 5, 0));
    assert_eq!(stats.others.as_ref().map(|others| others.meetings.generation()), Some(5));
}

#[test]
fn as_many_observers_as_a_meeting_has_room_for_and_no_more() {
    let error = observed_handoffs::<u64>(HandoffMode::Slot, 7).map(|_| ()).unwrap_err();
    assert_eq!(error.to_string(), "a barrier has 1 to 8 parties, not 9");
    let (mut producer, consumer, observers, stats) = observed(6);
    assert_eq!(observers.iter().map(FrameObserver::number).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
    let renderer = thread::spawn(move || draw(consumer, 20));
    let observe = |mut observer| thread::spawn(move || (look(&mut observer, 20), observer));
    let threads: Vec<_> = observers.into_iter().map(observe).collect();
    (1..=20).for_each(|n| assert!(hand_over(&mut producer, n).is_ok()));
    let (drawn, _consumer) = renderer.join().unwrap();
    let seen: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
    assert!(drawn == 20 && seen.iter().all(|(seen, _)| *seen == 20));
    assert_eq!(stats.counts().published, 20);
}

#[test]
fn what_each_observer_waited_is_known_until_it_leaves() {
    let (mut producer, mut consumer, observers, _) = observed(2);
    let [mut first, mut second] = <[_; 2]>::try_from(observers).ok().unwrap();
    let waits = |producer: &FrameProducer<_>, met| producer.observer_waits(met).iter().collect::<Vec<_>>();
    // They are let come before the simulation does, so each of them has waited by then.
    let first = thread::spawn(move || {
        first.meet(None).unwrap();
        first
    });
    let second = thread::spawn(move || {
        second.meet(None).unwrap();
        second.leave();
    });
    assert_eq!(consumer.take(), None);
    while consumer.stats().waiting() < 3 {
        thread::yield_now();
    }
    hand_over(&mut producer, 1).unwrap();
    let now = crate::time::source::RealClock::new().now();
    let told = waits(&producer, now);
    assert!(told[0].1 > Nanos::ZERO, "{told:?}");
    // The one that leaves may have left by now.
    let mut first = first.join().unwrap();
    second.join().unwrap();
    assert!(consumer.take().is_some());
    consumer.finish(RenderOutcome::Rendered);
    let first = thread::spawn(move || {
        first.meet(None).unwrap();
        first
    });
    assert_eq!(consumer.take(), None);
    hand_over(&mut producer, 2).unwrap();
    let _first = first.join().unwrap();
    assert_eq!(waits(&producer, now).iter().map(|(number, _)| *number).collect::<Vec<_>>(), [0]);
}

#[test]
fn what_each_observer_says_about_a_frame_is_read_by_the_others_after_the_next_meeting() {
    let (mut producer, consumer, observers, _) = observed(3);
    let renderer = thread::spawn(move || draw(consumer, 50));
    let observe = |mut observer: FrameObserver<[u64; 2]>| {
        thread::spawn(move || {
            let own = observer.number() as u64 * 1_000;
            let mut heard = Vec::new();
            for n in 1..=50 {
                observer.meet(None).unwrap();
                heard.push([0, 1, 2, 3].map(|number| observer.said(number)));
                observer.say(0);
                observer.say(own + n);
            }
            (heard, observer)
        })
    };
    let threads: Vec<_> = observers.into_iter().map(observe).collect();
    (1..=50).for_each(|n| assert!(hand_over(&mut producer, n).is_ok()));
    renderer.join().unwrap();
    for (heard, _observer) in threads.into_iter().map(|thread| thread.join().unwrap()) {
        assert_eq!(heard[0], [None; 4], "before the first frame there was none");
        for (before, heard) in (1..).zip(&heard[1..]) {
            assert_eq!(*heard, [Some(before), Some(1_000 + before), Some(2_000 + before), None]);
        }
    }
}

#[test]
fn an_observer_that_leaves_is_not_waited_for_any_more() {
    let (mut producer, consumer, observers, stats) = observed(2);
    let [mut stays, mut leaves] = <[_; 2]>::try_from(observers).ok().unwrap();
    let renderer = thread::spawn(move || draw(consumer, 9));
    let stays = thread::spawn(move || (look(&mut stays, 9), stays));
    let leaves = thread::spawn(move || {
        let seen = look(&mut leaves, 3);
        leaves.leave();
        seen
    });
    (1..=9).for_each(|n| assert!(hand_over(&mut producer, n).is_ok()));
    assert_eq!(leaves.join().unwrap(), 3);
    assert_eq!((stays.join().unwrap().0, renderer.join().unwrap().0), (9, 9));
    assert!(stats.counts().balanced());
}

#[test]
fn an_observer_that_panics_lets_the_simulation_and_the_renderer_go_with_an_error() {
    let (mut producer, consumer, observers, stats) = observed(1);
    let mut observer = observers.into_iter().next().unwrap();
    let renderer = thread::spawn(move || draw(consumer, 9));
    let panics = thread::spawn(move || {
        look(&mut observer, 2);
        std::panic::resume_unwind(Box::new("out of paper"));
    });
    hand_over(&mut producer, 1).unwrap();
    hand_over(&mut producer, 2).unwrap();
    assert_eq!(hand_over(&mut producer, 3), Err(PublishError::ObserverEnded));
    assert!(panics.join().is_err());
    let (drawn, consumer) = renderer.join().unwrap();
    assert!(drawn == 2 && !consumer.is_met(), "{drawn}");
    let counts = stats.counts();
    assert_eq!((counts.published, counts.rendered, counts.in_flight), (2, 2, 0));
}

#[test]
fn an_observer_that_does_not_come_in_time_is_told_from_a_renderer_that_does_not() {
    let (mut producer, mut consumer, observers, stats) = observed(1);
    let patience = Some(Nanos::from_millis(1));
    let mut late = || producer.hand_over(Publication { patience, ..Publication::default() });
    assert!(matches!(late(), Err(PublishError::TooLong { .. })), "nobody is there");
    assert_eq!(consumer.take(), None);
    assert!(!stats.awaits_observer(), "the simulation has gone to its work again");
    let error = late().unwrap_err();
    assert!(matches!(error, PublishError::ObserverTooLong { waited } if waited >= Nanos::from_millis(1)));
    assert!(error.to_string().starts_with("an observer of the frames did not come to the meeting within"));
    drop(observers);
}

#[test]
fn the_end_of_the_renderer_or_of_the_simulation_lets_an_observer_go() {
    for simulation_ends in [false, true] {
        let (mut producer, consumer, observers, _) = observed(1);
        let mut observer = observers.into_iter().next().unwrap();
        let waits = thread::spawn(move || observer.meet(None));
        if simulation_ends {
            drop(producer);
        } else {
            drop(consumer);
            assert_eq!(hand_over(&mut producer, 1), Err(PublishError::Closed(HandoffClosed)));
        }
        assert_eq!(waits.join().unwrap(), Err(WaitError::Broken(Broken)));
    }
}

#[test]
fn while_frames_take_another_way_an_observer_waits_and_its_patience_does_not_run() {
    let HandoffEnds { mut producer, consumer, observers, stats } =
        observed_handoffs::<[u64; 2]>(HandoffMode::Slot, 1).unwrap();
    let mut observer = observers.into_iter().next().unwrap();
    let renderer = thread::spawn(move || draw_any(consumer));
    // So little patience that it would be over at once if it were counted.
    let waits = thread::spawn(move || (observer.meet(Some(Nanos(1))), observer));
    while stats.waiting() == 0 {
        thread::yield_now();
    }
    (1..=3).for_each(|n| assert!(hand_over(&mut producer, n).is_ok()));
    assert!(!waits.is_finished(), "nobody meets in the slot");
    producer.set_standing(true);
    producer.set_mode(HandoffMode::Lockstep);
    hand_over(&mut producer, 4).unwrap();
    let (met, _observer) = waits.join().unwrap();
    assert_eq!(met.unwrap().frame, FrameIndex(4));
    drop(producer);
    stats.release();
    renderer.join().unwrap();
}

/// Draws whatever comes, until no meeting comes about any more.
fn draw_any(mut consumer: FrameConsumer<[u64; 2]>) {
    while consumer.is_met() {
        match consumer.take() {
            Some(_) => consumer.finish(RenderOutcome::Rendered),
            None => consumer.sleep(Some(std::time::Duration::from_millis(1))),
        }
    }
}
