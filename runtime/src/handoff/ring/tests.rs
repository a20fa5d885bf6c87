//! The ring from one thread: which value is taken, what is lost, who sleeps.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use super::*;

fn publish(producer: &mut RingProducer<i64>, n: i64) -> bool {
    *producer.buffer_mut() = n;
    producer.publish(n).unwrap().lost
}

#[test]
fn the_last_four_are_kept_and_the_one_that_is_wanted_is_taken() {
    let (mut producer, mut consumer) = ring([0; BUFFERS]);
    assert_eq!(consumer.take(|_| 0), None);
    let lost: Vec<bool> = (1..=6).map(|n| publish(&mut producer, n)).collect();
    assert_eq!(lost, [false, false, false, false, true, true]);
    let taken = consumer.take(|marks| {
        assert_eq!(marks, [6, 5, 4, 3]);
        2
    });
    assert_eq!(taken, Some(RingTaken { first: true, passed_over: 1 }));
    assert_eq!((*consumer.current(), consumer.fresh()), (4, 2));
}

#[test]
fn a_value_is_first_once_and_never_an_older_one_after_it() {
    let (mut producer, mut consumer) = ring([0; BUFFERS]);
    (1..=3).for_each(|n| assert!(!publish(&mut producer, n)));
    assert_eq!(consumer.take(|_| 0), Some(RingTaken { first: true, passed_over: 2 }));
    for asked in 0..4 {
        assert_eq!(consumer.take(|_| asked), Some(RingTaken { first: false, passed_over: 0 }));
        assert_eq!(*consumer.current(), 3);
    }
}

#[test]
fn the_one_in_hand_stays_whole_however_many_follow() {
    let (mut producer, mut consumer) = ring([0; BUFFERS]);
    publish(&mut producer, 1);
    consumer.take(|_| 0);
    let lost = (2..=40).filter(|n| publish(&mut producer, *n)).count();
    assert_eq!((*consumer.current(), lost), (1, 35));
}

#[test]
fn every_value_is_taken_passed_over_lost_or_fresh() {
    let (mut producer, mut consumer) = ring([0; BUFFERS]);
    let (mut lost, mut first, mut passed_over) = (0, 0, 0);
    for n in 1..=500 {
        lost += u64::from(publish(&mut producer, n));
        if n % 3 == 0 || n % 7 == 0 {
            let taken = consumer.take(|_| (n % 4) as usize).unwrap();
            first += u64::from(taken.first);
            passed_over += taken.passed_over;
        }
        let mut owned = vec![producer.buffer_index(), consumer.held];
        owned.sort_unstable();
        owned.dedup();
        assert_eq!(owned.len(), 2, "producer and consumer never hold the same buffer");
        assert_eq!(n as u64, lost + first + passed_over + u64::from(consumer.fresh()));
    }
}

#[test]
fn what_is_taken_back_is_there_no_more() {
    let (mut producer, mut consumer) = ring([0; BUFFERS]);
    (1..=3).for_each(|n| assert!(!publish(&mut producer, n)));
    assert_eq!(producer.take_back(), 3);
    assert_eq!((producer.take_back(), consumer.fresh()), (0, 0));
    assert_eq!(consumer.take(|_| 0), None);
    publish(&mut producer, 4);
    assert_eq!(consumer.take(|_| 0), Some(RingTaken { first: true, passed_over: 0 }));
}

#[test]
fn a_closed_ring_refuses_and_leaves_the_buffer_in_hand() {
    let (mut producer, mut consumer) = ring([0; BUFFERS]);
    publish(&mut producer, 1);
    publish(&mut producer, 2);
    assert_eq!((consumer.close(), consumer.close()), (2, 0));
    let held = producer.buffer_index();
    *producer.buffer_mut() = 3;
    assert_eq!(producer.publish(3), Err(SlotClosed));
    assert_eq!((producer.buffer_index(), *producer.buffer_mut()), (held, 3));
    assert_eq!(consumer.take(|_| 0), None);
}

#[test]
fn sleep_is_announced_to_the_next_publication_only() {
    let (mut producer, mut consumer) = ring([0; BUFFERS]);
    assert!(consumer.announce_sleep());
    assert!(producer.publish(1).unwrap().wake);
    assert!(!producer.publish(2).unwrap().wake);
    assert!(consumer.has_news() && !consumer.announce_sleep(), "something is there");
    // Only the older one is wanted now; the newer is known.
    consumer.take(|_| 1);
    assert_eq!((consumer.fresh(), consumer.has_news()), (1, false));
    assert!(consumer.announce_sleep());
    assert!(producer.publish(3).unwrap().wake && consumer.has_news());
    consumer.take(|_| 0);
    assert!(consumer.announce_sleep());
}
