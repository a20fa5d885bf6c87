//! The render thread as it is: real threads, and no figure that depends on how fast they are.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

mod waiting;

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::pass::Turn;
use super::*;
use crate::frame::record::{HandoffMode, RenderOutcome, RenderRecord};
use crate::frame::recorder::{RecordReceiver, RuntimeRecord, record_ring};
use crate::handoff::{
    FrameDescriptor, FrameProducer, HandoffClosed, Publication, Published, Times, frame_handoff,
    frame_handoffs,
};
use crate::render::flights::Flights;
use crate::render::frame_wait::Wait;
use crate::render::{Attention, BatchFigures, Finished, FlightLimits, NullRenderer, RenderError, Room};
use crate::time::pacer::Pacing;
use crate::time::{FrameIndex, Tick};

/// What a test renderer was told, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Call {
    Start(Option<String>),
    Batch(u64),
    Submit(u64),
    Redraw(u64),
    Stop(Option<String>),
}

type Script = Box<dyn FnMut(&Call) -> Result<(), RenderError> + Send>;

/// Notes every call, and does with each what its script says.
struct Scripted {
    calls: Arc<Mutex<Vec<Call>>>,
    script: Script,
    views: Arc<AtomicU64>,
}

impl Scripted {
    fn call(&mut self, call: Call) -> Result<(), RenderError> {
        self.calls.lock().unwrap().push(call.clone());
        (self.script)(&call)
    }
}

fn thread_name() -> Option<String> {
    thread::current().name().map(str::to_owned)
}

impl Renderer<u64> for Scripted {
    fn on_start(&mut self) {
        let _ = self.call(Call::Start(thread_name()));
    }
    fn on_stop(&mut self) {
        let _ = self.call(Call::Stop(thread_name()));
    }
    fn batch(&mut self, frame: &FrameDescriptor, snapshot: &u64) -> Result<BatchFigures, RenderError> {
        assert_eq!(frame.frame.0, *snapshot, "descriptor and snapshot are of one frame");
        self.call(Call::Batch(frame.frame.0)).map(|()| BatchFigures { instances: 7, culled: 3 })
    }
    fn submit(&mut self, frame: &FrameDescriptor, _snapshot: &u64) -> Result<(), RenderError> {
        self.call(Call::Submit(frame.frame.0))
    }
    fn redraw(&mut self, snapshot: &u64) -> Result<bool, RenderError> {
        self.views.fetch_sub(1, Ordering::Relaxed);
        self.call(Call::Redraw(*snapshot)).map(|()| true)
    }
    fn view_changed(&mut self) -> bool {
        self.views.load(Ordering::Relaxed) > 0
    }
}

struct Fixture {
    producer: FrameProducer<u64>,
    thread: RenderThread,
    calls: Arc<Mutex<Vec<Call>>>,
    views: Arc<AtomicU64>,
    records: RecordReceiver,
}

fn options(records: RecordSender) -> RenderThreadOptions {
    RenderThreadOptions {
        name: "render".to_owned(),
        run: 1,
        submit_cost: Nanos::ZERO,
        redraw_after: Some(Nanos::ZERO),
        pacing: Pacing::Relaxed,
        patience: Nanos::from_secs(10),
        records,
        zones: None,
        jobs: None,
        seat: None,
    }
}

fn start(script: impl FnMut(&Call) -> Result<(), RenderError> + Send + 'static) -> Fixture {
    let (producer, consumer, _) = frame_handoff([0; 3]);
    let (sender, records) = record_ring(1024);
    let calls = Arc::new(Mutex::new(Vec::new()));
    let views = Arc::new(AtomicU64::new(0));
    let renderer = Scripted { calls: calls.clone(), script: Box::new(script), views: views.clone() };
    let thread =
        RenderThread::start(consumer, Box::new(renderer), RealClock::new(), options(sender)).unwrap();
    Fixture { producer, thread, calls, views, records }
}

impl Fixture {
    fn publish(&mut self, n: u64) -> Result<Published, HandoffClosed> {
        *self.producer.snapshot_mut() = n;
        self.producer.publish(FrameIndex(n), Tick(n), Nanos::from_millis(i64::try_from(n).unwrap()))
    }

    fn calls(&self) -> Vec<Call> {
        self.calls.lock().unwrap().clone()
    }

    fn batched(&self) -> Vec<u64> {
        self.calls()
            .iter()
            .filter_map(|call| if let Call::Batch(n) = call { Some(*n) } else { None })
            .collect()
    }

    fn records(&mut self) -> Vec<RenderRecord> {
        let mut records = Vec::new();
        self.records.drain(|record| {
            if let RuntimeRecord::Render(record) = record {
                records.push(record);
            }
        });
        records
    }
}

/// A script that stands in the batch of frame 1 until it is let go, and says when it got there.
fn hold_frame_1() -> (impl FnMut(&Call) -> Result<(), RenderError>, Receiver<()>, Sender<()>) {
    let (arrived, has_arrived) = channel();
    let (let_go, may_go) = channel();
    let script = move |call: &Call| {
        if *call == Call::Batch(1) {
            arrived.send(()).unwrap();
            may_go.recv().unwrap();
        }
        Ok(())
    };
    (script, has_arrived, let_go)
}

#[test]
fn on_real_threads_200_frames_waited_for_are_200_rendered_in_order() {
    let mut run = start(|_| Ok(()));
    for n in 1..=200 {
        assert_eq!(run.publish(n), Ok(Published { replaced: None }));
        run.thread.wait_idle().unwrap();
        assert_eq!(run.thread.counts().rendered, n);
    }
    let counts = run.thread.counts();
    assert_eq!((counts.published, counts.rendered, counts.dropped), (200, 200, 0));
    assert_eq!(run.batched(), (1..=200).collect::<Vec<_>>());
    let records = run.records();
    assert_eq!(
        records.iter().map(|record| record.frame.0).collect::<Vec<_>>(),
        (1..=200).collect::<Vec<_>>()
    );
    for record in records {
        assert_eq!((record.run, record.instances, record.culled), (1, 7, 3));
        assert_eq!(record.outcome, RenderOutcome::Rendered);
        assert!(record.taken <= record.batch_start && record.batch_start <= record.submit_start);
    }
}

#[test]
fn on_real_threads_a_4_ms_stage_under_20_frames_back_to_back_drops_some_and_counts_all() {
    let mut run = start(|call| {
        if matches!(call, Call::Batch(_)) {
            thread::sleep(Duration::from_millis(4));
        }
        Ok(())
    });
    let mut replaced = 0;
    for n in 1..=20 {
        replaced += u64::from(run.publish(n).unwrap().replaced.is_some());
    }
    run.thread.wait_idle().unwrap();
    let counts = run.thread.counts();
    assert_eq!(counts.published, 20);
    assert_eq!(counts.rendered + counts.dropped, 20);
    assert!(counts.rendered >= 1 && counts.dropped > 0, "{counts:?}");
    assert_eq!(counts.dropped, replaced);
    let batched = run.batched();
    assert!(batched.is_sorted_by(|a, b| a < b), "{batched:?}");
    assert_eq!(batched.last(), Some(&20));
}

#[test]
fn on_real_threads_batch_comes_before_submit_once_each_between_start_and_stop() {
    let mut run = start(|_| Ok(()));
    for n in 1..=3 {
        run.publish(n).unwrap();
        run.thread.wait_idle().unwrap();
    }
    run.thread.shutdown();
    let name = || Some("render".to_owned());
    let drawn = (1..=3).flat_map(|n| [Call::Batch(n), Call::Submit(n)]);
    let expected: Vec<_> =
        [Call::Start(name())].into_iter().chain(drawn).chain([Call::Stop(name())]).collect();
    assert_eq!(run.calls(), expected);
}

#[test]
fn on_real_threads_shutdown_abandons_what_is_pending_and_may_be_called_twice() {
    let (script, has_arrived, let_go) = hold_frame_1();
    let mut run = start(script);
    run.publish(1).unwrap();
    has_arrived.recv().unwrap();
    run.publish(2).unwrap();
    assert!(run.thread.is_running());
    // Stop is asked for while frame 1 is drawn, as a shutdown from another thread would: it wins over frame 2.
    run.thread.shared.stop.store(true, Ordering::Release);
    let_go.send(()).unwrap();
    run.thread.shutdown();
    run.thread.shutdown();
    let counts = run.thread.counts();
    assert_eq!((counts.published, counts.rendered, counts.dropped, counts.abandoned), (2, 1, 0, 1));
    assert!(counts.balanced());
    assert!(!run.thread.is_running());
    assert_eq!(run.publish(3), Err(HandoffClosed));
    assert_eq!(run.thread.wait_idle(), Ok(()));
    assert_eq!(run.thread.counts(), counts);
    assert_eq!(run.batched(), [1]);
}

#[test]
fn on_real_threads_a_failed_submit_abandons_that_frame_and_the_run_goes_on() {
    let mut run = start(|call| match call {
        Call::Submit(2) | Call::Batch(3) => Err(RenderError::new("device lost")),
        _ => Ok(()),
    });
    for n in 1..=4 {
        run.publish(n).unwrap();
        run.thread.wait_idle().unwrap();
    }
    let counts = run.thread.counts();
    assert_eq!((counts.published, counts.rendered, counts.abandoned, counts.dropped), (4, 2, 2, 0));
    let outcomes: Vec<_> = run.records().iter().map(|record| record.outcome).collect();
    use RenderOutcome::{Abandoned, Rendered};
    assert_eq!(outcomes, [Rendered, Abandoned, Abandoned, Rendered]);
    assert!(!run.calls().contains(&Call::Submit(3)), "no submit after a failed batch");
    assert_eq!(run.thread.failure(), None);
}

#[test]
fn on_real_threads_a_panic_ends_the_thread_and_names_the_stage() {
    for stage in [Call::Batch(2), Call::Submit(2)] {
        let panics_in = stage.clone();
        let mut run = start(move |call| {
            assert!(*call != panics_in, "out of paint");
            Ok(())
        });
        run.publish(1).unwrap();
        run.thread.wait_idle().unwrap();
        run.publish(2).unwrap();
        let died = run.thread.wait_idle().unwrap_err();
        let named = if stage == Call::Batch(2) { "batch" } else { "submit" };
        assert_eq!(died.message, format!("panicked in {named} of frame 2: out of paint"));
        assert_eq!(run.thread.failure(), Some(died.message));
        while run.thread.is_running() {
            thread::yield_now();
        }
        assert_eq!(run.publish(3), Err(HandoffClosed));
        let counts = run.thread.counts();
        assert_eq!((counts.published, counts.rendered, counts.abandoned), (2, 1, 1));
        assert!(counts.balanced());
        assert!(matches!(run.calls().last(), Some(Call::Stop(_))));
        run.thread.shutdown();
        assert!(run.thread.wait_idle().is_err(), "a death stays known after the shutdown");
    }
}

#[test]
fn on_real_threads_a_panic_on_start_abandons_what_was_published() {
    let mut run = start(|call| {
        assert!(!matches!(call, Call::Start(_)), "no adapter");
        Ok(())
    });
    // Pending before or refused after the panic: never lost count of.
    let published = u64::from(run.publish(1).is_ok());
    assert_eq!(run.thread.wait_idle().unwrap_err().message, "panicked in on_start: no adapter");
    run.thread.shutdown();
    let counts = run.thread.counts();
    assert_eq!((counts.published, counts.abandoned, counts.rendered), (published, published, 0));
}

#[test]
fn on_real_threads_a_changed_view_is_drawn_again_without_being_a_frame() {
    let mut run = start(|_| Ok(()));
    run.views.store(1, Ordering::Relaxed);
    run.thread.wake();
    run.publish(1).unwrap();
    run.thread.wait_idle().unwrap();
    while run.thread.redraws() < 1 {
        thread::yield_now();
    }
    run.views.store(1, Ordering::Relaxed);
    run.thread.wake();
    while run.thread.redraws() < 2 {
        thread::yield_now();
    }
    let counts = run.thread.counts();
    assert_eq!((counts.published, counts.rendered), (1, 1));
    run.thread.shutdown();
    let drawn: Vec<_> = run.calls().into_iter().filter(|call| matches!(call, Call::Redraw(_))).collect();
    assert_eq!(
        drawn,
        [Call::Redraw(1), Call::Redraw(1)],
        "the last snapshot, and none before the first frame"
    );
}

#[test]
fn on_real_threads_frame_0_leaves_no_record() {
    let mut run = start(|_| Ok(()));
    run.publish(0).unwrap();
    run.thread.wait_idle().unwrap();
    run.publish(1).unwrap();
    run.thread.wait_idle().unwrap();
    assert_eq!(run.records().iter().map(|record| record.frame.0).collect::<Vec<_>>(), [1]);
}

#[test]
fn a_thread_that_cannot_be_started_is_an_error_and_closes_the_handoff() {
    let (mut producer, consumer, _) = frame_handoff([0_u64; 3]);
    let (sender, _records) = record_ring(4);
    // More stack than there are addresses.
    let builder = thread::Builder::new().stack_size(1 << 60);
    let started = RenderThread::start_from(
        builder,
        consumer,
        Box::new(NullRenderer::new()),
        RealClock::new(),
        options(sender),
    );
    let error = started.err().expect("the system has no such thread").to_string();
    assert!(error.starts_with("the thread render could not be started: "), "{error}");
    assert_eq!(producer.publish(FrameIndex(1), Tick(0), Nanos::ZERO), Err(HandoffClosed));
    assert_eq!(producer.stats().published, 0);
}

/// Has to be looked after so often until it has answered.
struct Asked(Arc<AtomicU64>);

impl Renderer<u64> for Asked {
    fn batch(&mut self, _: &FrameDescriptor, _: &u64) -> Result<BatchFigures, RenderError> {
        Ok(BatchFigures::default())
    }
    fn submit(&mut self, _: &FrameDescriptor, _: &u64) -> Result<(), RenderError> {
        Ok(())
    }
    fn attend(&mut self) -> Attention {
        match self.0.load(Ordering::Relaxed) {
            0 => Attention::Idle,
            looks => {
                self.0.fetch_sub(1, Ordering::Relaxed);
                if looks == 1 { Attention::Answered } else { Attention::UnderWay }
            }
        }
    }
}

#[test]
fn on_real_threads_what_is_asked_is_looked_after_without_a_frame_until_it_is_answered() {
    let (mut producer, consumer, _) = frame_handoff([0; 3]);
    let (sender, _records) = record_ring(16);
    let looks = Arc::new(AtomicU64::new(0));
    let renderer = Box::new(Asked(looks.clone()));
    let thread = RenderThread::start(consumer, renderer, RealClock::new(), options(sender)).unwrap();
    for frames in 0..2 {
        looks.store(5, Ordering::Relaxed);
        thread.wake();
        while looks.load(Ordering::Relaxed) > 0 {
            thread::yield_now();
        }
        assert_eq!(thread.counts().published, frames);
        producer.publish(FrameIndex(frames + 1), Tick(0), Nanos::ZERO).unwrap();
        thread.wait_idle().unwrap();
    }
}

/// A GPU that ends its pictures when the test says so.
struct OnTheGpu {
    flights: Flights,
    frames: VecDeque<FrameIndex>,
    /// How many pictures it has ended.
    ended: Arc<AtomicU64>,
    handed_out: u64,
    now: Nanos,
}

impl Renderer<u64> for OnTheGpu {
    fn on_stop(&mut self) {
        self.ended.store(u64::MAX, Ordering::Release);
    }
    fn batch(&mut self, _: &FrameDescriptor, _: &u64) -> Result<BatchFigures, RenderError> {
        Ok(BatchFigures::default())
    }
    fn submit(&mut self, frame: &FrameDescriptor, _: &u64) -> Result<(), RenderError> {
        let buffer =
            self.flights.take_buffer(|_| 0).ok_or_else(|| RenderError::new("it did not ask for room"))?;
        self.flights.submitted(buffer, Nanos::ZERO, self.now);
        self.frames.push_back(frame.frame);
        Ok(())
    }
    fn room(&mut self) -> Room {
        self.flights.room(self.now)
    }
    fn under_way(&self) -> usize {
        self.frames.len()
    }
    fn take_finished(&mut self) -> Option<Finished> {
        if self.handed_out >= self.ended.load(Ordering::Acquire) {
            return None;
        }
        let frame = self.frames.pop_front()?;
        self.handed_out += 1;
        self.now += Nanos::from_millis(10);
        self.flights.done(self.now);
        Some(Finished { frame, at: Some(self.now), ..Finished::default() })
    }
}

#[test]
fn on_real_threads_a_frame_is_rendered_when_its_picture_is_submitted_and_the_next_waits_for_a_buffer() {
    let (mut producer, consumer, _) = frame_handoff([0_u64; 3]);
    let (sender, mut receiver) = record_ring(16);
    let ended = Arc::new(AtomicU64::new(0));
    let renderer = Box::new(OnTheGpu {
        flights: Flights::new(FlightLimits::nearest(2, 2)),
        frames: VecDeque::new(),
        ended: ended.clone(),
        handed_out: 0,
        now: Nanos::ZERO,
    });
    let mut thread = RenderThread::start(consumer, renderer, RealClock::new(), options(sender)).unwrap();
    let mut records = Vec::new();
    let mut drain = |records: &mut Vec<RenderRecord>| {
        receiver.drain(|record| {
            if let RuntimeRecord::Render(record) = record {
                records.push(record);
            }
        });
    };
    let until = |done: &dyn Fn() -> bool| {
        while !done() {
            thread::yield_now();
        }
    };
    for n in 1..=2 {
        producer.publish(FrameIndex(n), Tick(n), Nanos::ZERO).unwrap();
        until(&|| thread.counts().rendered == n);
    }
    producer.publish(FrameIndex(3), Tick(3), Nanos::ZERO).unwrap();
    let counts = thread.counts();
    assert_eq!((counts.rendered, counts.pending, counts.in_flight), (2, 1, 0), "both buffers are in use");
    drain(&mut records);
    assert_eq!(records, [], "nothing is known yet of when they are done");
    ended.store(1, Ordering::Release);
    until(&|| thread.counts().rendered == 3);
    assert!(thread.counts().balanced());
    ended.store(3, Ordering::Release);
    assert_eq!(thread.wait_idle(), Ok(()));
    drain(&mut records);
    let done: Vec<_> = records.iter().map(|record| (record.frame.0, record.flight.done)).collect();
    let at = |millis| Some(Nanos::from_millis(millis));
    assert_eq!(done, [(1, at(10)), (2, at(20)), (3, at(30))]);
    // One that ends long after everything else has come to rest, while somebody waits for it.
    producer.publish(FrameIndex(4), Tick(4), Nanos::ZERO).unwrap();
    until(&|| thread.counts().rendered == 4);
    let (shared, ends) = (Arc::clone(&thread.shared), Arc::clone(&ended));
    let gpu = thread::spawn(move || {
        while !shared.idle.is_waited_for() {
            thread::yield_now();
        }
        ends.store(4, Ordering::Release);
    });
    assert_eq!(thread.wait_idle(), Ok(()));
    gpu.join().unwrap();
    // What is under way at the end is waited for, too.
    producer.publish(FrameIndex(5), Tick(5), Nanos::ZERO).unwrap();
    until(&|| thread.counts().rendered == 5);
    thread.shutdown();
    drain(&mut records);
    assert_eq!(records.last().map(|record| (record.frame.0, record.flight.done)), Some((5, at(50))));
}
