//! How the render thread waits for the next frame: asleep, just before it, or spinning.

use super::*;

#[test]
fn a_frame_whose_time_is_known_is_slept_for_until_just_before_it_and_another_until_it_comes() {
    use HandoffMode::{Free, Lockstep, Slot};
    for mode in HandoffMode::ALL {
        let (mut producer, consumer, _) = frame_handoffs::<u64>(mode);
        let (sender, _records) = record_ring(16);
        let options =
            RenderThreadOptions { pacing: Pacing::Tail(Nanos::from_micros(100)), ..options(sender) };
        let mut pass =
            Pass::new(consumer, Box::new(NullRenderer::new()), RealClock::new(), options, 2, Arc::default());
        // What it would do around the time at which frame `n + 1` is expected, after it has drawn frame `n`.
        let mut after = |producer: &mut FrameProducer<u64>, n: i64, next_due: Option<Nanos>| {
            if mode == Lockstep {
                // It comes to the meeting first; this one thread does both.
                thread::current().unpark();
                assert_eq!(pass.draw_frame_or_redraw(), Ok(Turn::Slept));
            }
            let times = Times { published: Some(Nanos(n * MS + 300_000)), next_due };
            let (frame, render_time) = (FrameIndex(n.unsigned_abs()), Nanos(n * MS));
            producer.hand_over(Publication { frame, render_time, times, ..Publication::default() }).unwrap();
            while pass.draw_frame_or_redraw() != Ok(Turn::Frame) {}
            [0, 200_000, 500_000].map(|after| pass.what_to_do(Nanos((n + 20) * MS + after)))
        };
        let expected = match mode {
            Slot | Lockstep => [
                Wait::Nap { until: Nanos(21 * MS + 200_000) },
                Wait::Spin { until: Nanos(21 * MS + 500_000) },
                Wait::Asleep,
            ],
            // It has deadlines of its own.
            Free => [Wait::Asleep; 3],
        };
        assert_eq!(after(&mut producer, 1, Some(Nanos(21 * MS))), expected, "{}", mode.name());
        assert_eq!(after(&mut producer, 2, None), [Wait::Asleep; 3], "{}", mode.name());
        producer.set_standing(true);
        assert_eq!(after(&mut producer, 3, Some(Nanos(23 * MS))), [Wait::Asleep; 3], "{}", mode.name());
    }
}

#[test]
fn a_changed_view_waits_for_one_period_of_the_frame_rate_as_it_is_now() {
    let (mut producer, consumer, _) = frame_handoffs::<u64>(HandoffMode::Slot);
    let (sender, _records) = record_ring(16);
    let options = RenderThreadOptions { redraw_after: None, ..options(sender) };
    let renderer = Box::new(NullRenderer::new());
    let pass = Pass::new(consumer, renderer, RealClock::new(), options, 2, Arc::default());
    for (rate, period) in [("10", 100_000_000), ("144", 6_944_445), ("59.94", 16_683_351)] {
        producer.set_render_rate(rate.parse().unwrap());
        assert_eq!(pass.redraw_after(), Nanos(period), "at {rate} Hz");
    }
}

const MS: i64 = 1_000_000;

#[test]
fn on_real_threads_nothing_is_spun_for_where_nobody_says_when_a_frame_comes() {
    let (mut producer, consumer, _) = frame_handoff([0; 3]);
    let (sender, mut records) = record_ring(256);
    let options = RenderThreadOptions { pacing: Pacing::Precise, ..options(sender) };
    let renderer = Box::new(NullRenderer::new());
    let thread = RenderThread::start(consumer, renderer, RealClock::new(), options).unwrap();
    for n in 1..=100 {
        producer.publish(FrameIndex(n), Tick(n), Nanos::ZERO).unwrap();
        thread.wait_idle().unwrap();
    }
    assert_eq!(thread.spins(), 0);
    // Nobody has said when it was handed over, so nobody knows how late it was taken.
    records.drain(|record| {
        assert!(matches!(record, RuntimeRecord::Render(picture) if picture.wake_delay.is_none()));
    });
}

#[test]
fn on_real_threads_while_it_waits_it_runs_jobs_that_come_and_draws_the_next_frame_all_the_same() {
    use crate::jobs::{Counter, Jobs, Queue};
    for mode in HandoffMode::ALL {
        let jobs = Jobs::alone();
        let (mut producer, consumer, _) = frame_handoffs::<u64>(mode);
        let (sender, _records) = record_ring(256);
        let options = RenderThreadOptions { jobs: Some(jobs.clone()), ..options(sender) };
        let renderer = Box::new(NullRenderer::new());
        let mut thread = RenderThread::start(consumer, renderer, RealClock::new(), options).unwrap();
        let mut counter = Counter::new();
        let (ran, runs) = channel();
        for n in 1..=20 {
            // Nobody waits for these: whoever is woken runs them.
            for queue in [Queue::Logic, Queue::Render] {
                let ran = ran.clone();
                jobs.submit(queue, &mut counter, move || ran.send(thread_name()).unwrap());
                assert_eq!(
                    runs.recv_timeout(std::time::Duration::from_secs(60)).unwrap().as_deref(),
                    Some("render"),
                    "{}",
                    mode.name()
                );
            }
            producer.publish(FrameIndex(n), Tick(n), Nanos::ZERO).unwrap();
            thread.wait_idle().unwrap();
        }
        thread.shutdown();
        assert_eq!(thread.counts().rendered, 20, "{}", mode.name());
        let stats = jobs.stats();
        assert_eq!((stats.threads[0].name.as_str(), stats.threads[0].helped), ("render", 40));
    }
}
