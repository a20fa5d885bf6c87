//! The barrier on one thread, and on real ones where waiting is the point.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use std::sync::atomic::AtomicBool;

use super::*;
use crate::time::source::TimeSource;

#[test]
fn no_party_and_too_many_are_errors_that_say_how_many_may_be() {
    for given in [0, 9] {
        let error = barrier(given).map(|_| ()).unwrap_err();
        assert_eq!(error.to_string(), format!("a barrier has 1 to 8 parties, not {given}"));
    }
    assert_eq!(barrier(8).unwrap().len(), 8);
}

#[test]
fn a_party_alone_never_waits() {
    let mut alone = barrier(1).unwrap().remove(0);
    for n in 1..=3 {
        assert_eq!(alone.arrive(), Ok(Arrival::Met));
        assert_eq!((alone.passed(), alone.watch().generation()), (n, n));
    }
}

#[test]
fn the_last_to_come_completes_the_meeting_once_for_all() {
    let [mut a, mut b, mut c] = <[Party; 3]>::try_from(barrier(3).unwrap()).ok().unwrap();
    assert_eq!(a.arrive(), Ok(Arrival::Waits));
    assert_eq!(a.arrive(), Ok(Arrival::Waits), "coming twice is coming once");
    assert_eq!(b.arrive(), Ok(Arrival::Waits));
    assert_eq!((a.watch().generation(), a.watch().arrived()), (0, 2));
    assert_eq!(c.arrive(), Ok(Arrival::Met));
    assert_eq!((a.watch().generation(), a.watch().arrived()), (1, 0));
    // One that goes on at once stands at the next meeting, not in the one it left.
    assert_eq!(c.arrive(), Ok(Arrival::Waits));
    assert_eq!(a.arrive(), Ok(Arrival::Met));
    assert_eq!(b.arrive(), Ok(Arrival::Met));
    assert_eq!((a.passed(), b.passed(), c.passed()), (1, 1, 1));
}

#[test]
fn an_arrival_can_be_taken_back_until_the_meeting_is_over() {
    let [mut a, mut b] = <[Party; 2]>::try_from(barrier(2).unwrap()).ok().unwrap();
    assert!(a.withdraw(), "it has not come yet");
    a.arrive().unwrap();
    assert!(a.withdraw());
    assert_eq!(b.arrive(), Ok(Arrival::Waits), "nobody else is there");
    assert_eq!(a.arrive(), Ok(Arrival::Met));
    assert!(!b.withdraw(), "too late: the meeting is over");
    assert_eq!((a.passed(), b.passed()), (1, 1));
}

#[test]
fn a_party_that_ends_lets_the_others_go_with_an_error() {
    let [mut a, mut b, c] = <[Party; 3]>::try_from(barrier(3).unwrap()).ok().unwrap();
    a.arrive().unwrap();
    drop(c);
    assert_eq!(a.arrive(), Err(Broken));
    assert_eq!(b.arrive(), Err(Broken));
    assert_eq!(b.meet(None, || true), Err(WaitError::Broken(Broken)));
}

#[test]
fn a_meeting_completed_before_the_end_of_a_party_still_counts() {
    let [mut a, mut b] = <[Party; 2]>::try_from(barrier(2).unwrap()).ok().unwrap();
    a.arrive().unwrap();
    b.arrive().unwrap();
    drop(b);
    assert_eq!(a.arrive(), Ok(Arrival::Met));
    assert_eq!(a.arrive(), Err(Broken));
}

#[test]
fn on_real_threads_a_panic_lets_a_sleeping_party_go() {
    let [mut a, b] = <[Party; 2]>::try_from(barrier(2).unwrap()).ok().unwrap();
    let watch = a.watch();
    let sleeper = std::thread::spawn(move || a.meet(None, || true));
    let panics = std::thread::spawn(move || {
        let _held = b;
        while watch.arrived() == 0 {
            std::thread::yield_now();
        }
        std::panic::resume_unwind(Box::new("out of paint"));
    });
    assert!(panics.join().is_err());
    assert_eq!(sleeper.join().unwrap(), Err(WaitError::Broken(Broken)));
}

#[test]
fn on_real_threads_the_limit_counts_running_time_only() {
    let [mut a, _b] = <[Party; 2]>::try_from(barrier(2).unwrap()).ok().unwrap();
    let limit = Nanos::from_millis(1);
    // While nothing runs it may wait for ever: so long as here, twenty times the limit.
    let (asked, running) = (std::cell::Cell::new(0), AtomicBool::new(false));
    let waited = a.meet(Some(limit), || {
        asked.set(asked.get() + 1);
        if asked.get() > 20 {
            running.store(true, std::sync::atomic::Ordering::Relaxed);
        }
        running.load(std::sync::atomic::Ordering::Relaxed)
    });
    let Err(WaitError::TooLong { waited }) = waited else { panic!("{waited:?}") };
    assert!(waited >= limit && asked.get() > 20, "{waited:?} after {} looks", asked.get());
}

#[test]
fn a_party_that_goes_is_not_waited_for_any_more() {
    let [mut a, mut b, c] = <[Party; 3]>::try_from(barrier(3).unwrap()).ok().unwrap();
    let watch = a.watch();
    a.arrive().unwrap();
    c.go();
    assert_eq!((watch.generation(), watch.arrived()), (0, 1), "b is still to come");
    assert_eq!(b.arrive(), Ok(Arrival::Met));
    assert_eq!(a.arrive(), Ok(Arrival::Met));
    // From then on two meet.
    assert_eq!(a.arrive(), Ok(Arrival::Waits));
    assert_eq!(b.arrive(), Ok(Arrival::Met));
    assert_eq!((watch.generation(), b.passed()), (2, 2));
}

#[test]
fn the_going_of_the_last_that_is_waited_for_completes_the_meeting() {
    for arrives in [false, true] {
        let [mut a, mut b, mut c] = <[Party; 3]>::try_from(barrier(3).unwrap()).ok().unwrap();
        a.arrive().unwrap();
        if arrives {
            // It came, and went before the meeting was over: the same.
            c.arrive().unwrap();
            c.go();
            assert_eq!(b.arrive(), Ok(Arrival::Met));
        } else {
            b.arrive().unwrap();
            c.go();
            assert_eq!(b.arrive(), Ok(Arrival::Met));
        }
        assert_eq!(a.arrive(), Ok(Arrival::Met));
        assert_eq!(a.watch().generation(), 1);
    }
}

#[test]
fn when_all_have_gone_there_is_no_meeting() {
    let [a, b] = <[Party; 2]>::try_from(barrier(2).unwrap()).ok().unwrap();
    let watch = a.watch();
    a.go();
    b.go();
    assert_eq!((watch.generation(), watch.arrived()), (0, 0));
}

#[test]
fn one_that_has_got_up_is_let_go_without_being_woken() {
    let [mut a, mut b] = <[Party; 2]>::try_from(barrier(2).unwrap()).ok().unwrap();
    a.arrive().unwrap();
    a.sleep(Some(Duration::ZERO));
    assert_ne!(a.shared.word.load(Ordering::Relaxed) & SLEEPING, 0);
    a.get_up();
    assert_eq!(a.shared.word.load(Ordering::Relaxed) & SLEEPING, 0);
    assert!(!a.is_let_go());
    assert_eq!(b.arrive(), Ok(Arrival::Met));
    assert!(a.is_let_go());
    assert_eq!(a.arrive(), Ok(Arrival::Met));
}

#[test]
fn on_real_threads_the_limit_counts_nothing_of_the_time_in_which_the_program_stood_still() {
    let [mut a, _b] = <[Party; 2]>::try_from(barrier(2).unwrap()).ok().unwrap();
    let limit = SLICE + Nanos::from_millis(10);
    let stood_still = std::cell::Cell::new(false);
    let waited = a.meet(Some(limit), || {
        if !stood_still.replace(true) {
            RealClock::new().spend(limit + limit);
        }
        true
    });
    assert_eq!(waited, Err(WaitError::TooLong { waited: limit }));
}
