//! The slot beside its peers, in the same run:
//! `cargo bench -p framewalk-runtime --no-default-features --bench handoff`.
//!
//! Rounds of all contenders alternate, so that a machine which slows down slows them all; a round measures one
//! contender over many operations, and the median round is printed. Trust the ratios, not the nanoseconds. One
//! thread: what the operations cost, not what the machine's cores take to pass a line to each other.

use std::hint::black_box;

use crossbeam_queue::ArrayQueue;
use framewalk_runtime::frame::record::RenderOutcome;
use framewalk_runtime::handoff::{FrameDescriptor, frame_handoff, slot};
use framewalk_runtime::time::source::RealClock;
use framewalk_runtime::time::{FrameIndex, Nanos, Tick};

const OPERATIONS: u64 = 20_000;
const ROUNDS: usize = 301;

type Round<'a> = (&'static str, Box<dyn FnMut(u64) + 'a>);

fn main() {
    // `cargo test --benches` passes `--test`: then one short look that everything runs is enough.
    let rounds = if std::env::args().any(|argument| argument == "--bench") { ROUNDS } else { 3 };
    let empty = FrameDescriptor::default();

    let (mut producer, _consumer) = slot([empty; 3]);
    let (mut peer, _peer_output) = triple_buffer::triple_buffer(&empty);
    let queue = ArrayQueue::new(1);
    let (mut frames, _frames_consumer, _) = frame_handoff([(); 3]);
    print_table(
        "publish (every one replaces the one before)",
        rounds,
        vec![
            (
                "slot",
                Box::new(|n| {
                    *producer.buffer_mut() = descriptor(n);
                    black_box(producer.publish());
                }),
            ),
            (
                "triple_buffer",
                Box::new(|n| {
                    *peer.input_buffer_mut() = descriptor(n);
                    black_box(peer.publish());
                }),
            ),
            (
                "ArrayQueue::force_push",
                Box::new(|n| {
                    black_box(queue.force_push(descriptor(n)));
                }),
            ),
            (
                "frame handoff, with counts",
                Box::new(|n| {
                    let _ = black_box(frames.publish(FrameIndex(n), Tick(n), Nanos::ZERO));
                }),
            ),
        ],
    );

    let (mut producer, mut consumer) = slot([empty; 3]);
    let (mut peer, mut peer_output) = triple_buffer::triple_buffer(&empty);
    let queue = ArrayQueue::new(1);
    let (mut frames, mut frames_consumer, _) = frame_handoff([(); 3]);
    print_table(
        "publish + take",
        rounds,
        vec![
            (
                "slot",
                Box::new(|n| {
                    *producer.buffer_mut() = descriptor(n);
                    black_box(producer.publish());
                    black_box(consumer.take().map(|taken| *taken));
                }),
            ),
            (
                "triple_buffer",
                Box::new(|n| {
                    *peer.input_buffer_mut() = descriptor(n);
                    black_box(peer.publish());
                    black_box(peer_output.update().then(|| *peer_output.output_buffer()));
                }),
            ),
            (
                "ArrayQueue::force_push",
                Box::new(|n| {
                    black_box(queue.force_push(descriptor(n)));
                    black_box(queue.pop());
                }),
            ),
            (
                "frame handoff, with counts",
                Box::new(|n| {
                    let _ = black_box(frames.publish(FrameIndex(n), Tick(n), Nanos::ZERO));
                    if black_box(frames_consumer.take()).is_some() {
                        frames_consumer.finish(RenderOutcome::Rendered);
                    }
                }),
            ),
        ],
    );
}

fn descriptor(n: u64) -> FrameDescriptor {
    FrameDescriptor { frame: FrameIndex(n), tick: Tick(n), ..FrameDescriptor::default() }
}

/// Times all contenders, alternating, and prints their median cost and its ratio to the second one, the peer.
fn print_table(title: &str, rounds: usize, mut contenders: Vec<Round<'_>>) {
    let clock = RealClock::new();
    let mut costs = vec![Vec::with_capacity(rounds); contenders.len()];
    for _ in 0..rounds {
        for ((_, operation), costs) in contenders.iter_mut().zip(&mut costs) {
            let start = clock.now();
            for n in 1..=OPERATIONS {
                operation(n);
            }
            costs.push((clock.now() - start).0 as f64 / OPERATIONS as f64);
        }
    }
    let medians: Vec<f64> = costs.iter_mut().map(|costs| median(costs)).collect();
    println!("{title}, {rounds} rounds of {OPERATIONS}");
    for ((name, _), cost) in contenders.iter().zip(&medians) {
        println!("  {name:<28} {cost:>7.2} ns  {:>5.2} × triple_buffer", cost / medians[1]);
    }
}

fn median(costs: &mut [f64]) -> f64 {
    costs.sort_by(f64::total_cmp);
    costs[costs.len() / 2]
}
