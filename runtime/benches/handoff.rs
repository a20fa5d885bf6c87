//! The slot beside its peers, in the same run:
//! `cargo bench -p framewalk-runtime --no-default-features --bench handoff`.
//!
//! One thread: what the operations cost, not what the machine's cores take to pass a line to each other. But for the
//! barrier, which is nothing without a second one.

#[path = "shared/row.rs"]
mod row;

use std::hint::black_box;

use crossbeam_queue::ArrayQueue;
use framewalk_runtime::frame::record::RenderOutcome;
use framewalk_runtime::handoff::{FrameDescriptor, barrier, frame_handoff, slot};
use framewalk_runtime::time::{FrameIndex, Nanos, Tick};
use row::{Aim, Row};

const OPERATIONS: u64 = 20_000;
const ROUNDS: usize = 301;

/// Its name, what it does, and what its cost over that of the peer is held to.
type Contender<'a> = (&'static str, Box<dyn FnMut(u64) + 'a>, Option<Aim>);

/// In [`print_rows`], the contender that the others stand beside.
const PEER: usize = 1;
const PEER_NAME: &str = "crate triple_buffer";

fn main() {
    let rounds = if row::is_measured() { ROUNDS } else { 3 };
    row::header();
    let empty = FrameDescriptor::default();

    let (mut producer, _consumer) = slot([empty; 3]);
    let (mut peer, _peer_output) = triple_buffer::triple_buffer(&empty);
    let queue = ArrayQueue::new(1);
    let (mut frames, _frames_consumer, _) = frame_handoff([(); 3]);
    print_rows(
        "publish",
        rounds,
        vec![
            (
                "slot",
                Box::new(|n| {
                    *producer.buffer_mut() = descriptor(n);
                    black_box(producer.publish());
                }),
                Some(Aim::Ratio(1.1)),
            ),
            (
                "triple_buffer",
                Box::new(|n| {
                    *peer.input_buffer_mut() = descriptor(n);
                    black_box(peer.publish());
                }),
                None,
            ),
            (
                "ArrayQueue::force_push",
                Box::new(|n| {
                    black_box(queue.force_push(descriptor(n)));
                }),
                None,
            ),
            (
                "frame handoff, with counts",
                Box::new(|n| {
                    let _ = black_box(frames.publish(FrameIndex(n), Tick(n), Nanos::ZERO));
                }),
                None,
            ),
        ],
    );

    let (mut producer, mut consumer) = slot([empty; 3]);
    let (mut peer, mut peer_output) = triple_buffer::triple_buffer(&empty);
    let queue = ArrayQueue::new(1);
    let (mut frames, mut frames_consumer, _) = frame_handoff([(); 3]);
    print_rows(
        "publish and take",
        rounds,
        vec![
            (
                "slot",
                Box::new(|n| {
                    *producer.buffer_mut() = descriptor(n);
                    black_box(producer.publish());
                    black_box(consumer.take().map(|taken| *taken));
                }),
                Some(Aim::Ratio(1.1)),
            ),
            (
                "triple_buffer",
                Box::new(|n| {
                    *peer.input_buffer_mut() = descriptor(n);
                    black_box(peer.publish());
                    black_box(peer_output.update().then(|| *peer_output.output_buffer()));
                }),
                None,
            ),
            (
                "ArrayQueue::force_push",
                Box::new(|n| {
                    black_box(queue.force_push(descriptor(n)));
                    black_box(queue.pop());
                }),
                None,
            ),
            (
                "frame handoff, with counts",
                Box::new(|n| {
                    let _ = black_box(frames.publish(FrameIndex(n), Tick(n), Nanos::ZERO));
                    if black_box(frames_consumer.take()).is_some() {
                        frames_consumer.finish(RenderOutcome::Rendered);
                    }
                }),
                None,
            ),
        ],
    );

    print_barrier(rounds);
}

/// Two threads that meet, again and again, with nothing between two meetings: beside the barrier of the standard library.
fn print_barrier(rounds: usize) {
    const MEETINGS: u64 = 2_000;
    let mut own = |_: usize| {
        let [mut a, mut b] = <[_; 2]>::try_from(barrier(2).expect("two parties")).ok().expect("two parties");
        std::thread::scope(|scope| {
            // Kept until both are done: a party that is dropped breaks the barrier.
            let other = scope.spawn(move || {
                (0..MEETINGS).for_each(|_| b.meet(None, || true).expect("the other party meets"));
                b
            });
            (0..MEETINGS).for_each(|_| a.meet(None, || true).expect("the other party meets"));
            other.join().expect("it does not panic");
        });
    };
    let mut std = |_: usize| {
        let barrier = std::sync::Barrier::new(2);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                (0..MEETINGS).for_each(|_| {
                    barrier.wait();
                });
            });
            (0..MEETINGS).for_each(|_| {
                barrier.wait();
            });
        });
    };
    let nanos = row::taking_turns(rounds.div_ceil(4), [&mut own, &mut std]);
    let [ours, theirs] = nanos.map(|nanos| nanos / MEETINGS as f64);
    Row {
        what: "barrier, two threads, meet",
        unit: "ns",
        ours,
        peer: Some(("std::sync::Barrier", theirs)),
        aim: Some(Aim::Ratio(1.0)),
    }
    .print();
}

fn descriptor(n: u64) -> FrameDescriptor {
    FrameDescriptor { frame: FrameIndex(n), tick: Tick(n), ..FrameDescriptor::default() }
}

/// Times all contenders, taking turns, and prints a row for each but the peer.
fn print_rows(what: &str, rounds: usize, mut contenders: Vec<Contender<'_>>) {
    let mut rounds_of: Vec<_> = contenders
        .iter_mut()
        .map(|(_, operation, _)| move |_| (1..=OPERATIONS).for_each(&mut *operation))
        .collect();
    let [first, second, third, fourth] = &mut rounds_of[..] else { unreachable!("four contenders") };
    let nanos = row::taking_turns(rounds, [first, second, third, fourth]);
    let cost = nanos.map(|nanos| nanos / OPERATIONS as f64);
    for (idx, (name, _, aim)) in contenders.iter().enumerate().filter(|(idx, _)| *idx != PEER) {
        Row {
            what: &format!("{name}, {what}"),
            unit: "ns",
            ours: cost[idx],
            peer: Some((PEER_NAME, cost[PEER])),
            aim: *aim,
        }
        .print();
    }
}
