//! What the log says of things that may happen in every frame: one line a second, and nothing that is held back for good.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use framewalk_runtime::frame::record::RenderOutcome;
use framewalk_runtime::handoff::{FrameDescriptor, frame_handoff};
use framewalk_runtime::input::{InputKind, Key};
use framewalk_runtime::render::{BatchFigures, RenderError, Renderer};
use framewalk_runtime::scene::Scene;
use framewalk_runtime::sim::inputs::inputs;
use framewalk_runtime::sim::virtual_time::{VirtualOptions, VirtualRun};
use framewalk_runtime::sim::{Control, RunSettings};
use framewalk_runtime::snapshot::Snapshot;
use framewalk_runtime::time::{FrameIndex, Nanos, Tick};
use tracing_subscriber::layer::SubscriberExt;

use super::channel;

/// The lines that this leaves in the log, those of threads that begin and end left out.
fn said(what: impl FnOnce()) -> Vec<String> {
    let (layer, mut lines) = channel();
    tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), what);
    lines.drain();
    lines.lines().map(|line| line.text.clone()).collect()
}

#[test]
fn a_drop_is_named_once_a_second_and_those_held_back_are_told_at_the_latest_where_frames_stand() {
    let lines = said(|| {
        let (mut producer, mut consumer, _stats) = frame_handoff([(), (), ()]);
        let mut publish = |frame: u64, millis: i64| {
            producer.publish(FrameIndex(frame), Tick(frame), Nanos::from_millis(millis)).unwrap();
        };
        publish(1, 0);
        publish(2, 100);
        publish(3, 200);
        publish(4, 1_100);
        consumer.take().unwrap();
        consumer.finish(RenderOutcome::Rendered);
        publish(5, 2_500);
        publish(6, 2_600);
        publish(7, 2_700);
        producer.set_standing(true);
        producer.publish(FrameIndex(8), Tick(8), Nanos::from_millis(2_800)).unwrap();
    });
    assert_eq!(
        lines,
        [
            "frame_dropped dropped=1 replaced_by=2",
            "frame_dropped dropped=3 replaced_by=4 held_back=1",
            "frame_dropped dropped=5 replaced_by=6",
            // At the pause, and at the end.
            "frame_dropped held_back=1",
            "frame_dropped held_back=1",
        ]
    );
}

/// Draws nothing, ever.
#[derive(Default)]
struct Failing {
    view_changed: Arc<AtomicBool>,
}

impl Renderer<Snapshot> for Failing {
    fn batch(&mut self, _: &FrameDescriptor, _: &Snapshot) -> Result<BatchFigures, RenderError> {
        Ok(BatchFigures::default())
    }

    fn submit(&mut self, _: &FrameDescriptor, _: &Snapshot) -> Result<(), RenderError> {
        Err(RenderError::new("out of memory"))
    }

    fn redraw(&mut self, _: &Snapshot) -> Result<bool, RenderError> {
        Err(RenderError::new("out of memory"))
    }

    fn view_changed(&mut self) -> bool {
        self.view_changed.load(Ordering::Relaxed)
    }
}

#[test]
fn a_renderer_that_fails_in_every_frame_of_a_manual_clock_says_so_once_a_second() {
    let lines = said(|| {
        let settings = RunSettings::default();
        let options = VirtualOptions::default();
        let renderer = Failing::default();
        let view_changed = renderer.view_changed.clone();
        let mut run = VirtualRun::new(&Scene::default(), &settings, Box::new(renderer), options).unwrap();
        run.advance_to(Nanos::from_millis(1_500)).unwrap();
        // While the run stands a view waits for no frame: it is tried after each control, and at the end.
        run.control(Control::Pause).unwrap();
        view_changed.store(true, Ordering::Relaxed);
        for _ in 0..5 {
            run.control(Control::Watch(Vec::new())).unwrap();
        }
        run.finish();
    });
    assert_eq!(
        lines,
        [
            "frame_abandoned frame=1 error=out of memory held_back=0",
            "frame_abandoned frame=61 error=out of memory held_back=59",
            "redraw_failed error=out of memory held_back=0",
            "frame_abandoned held_back=30",
            "redraw_failed held_back=5",
        ]
    );
}

#[test]
fn input_that_nobody_takes_is_said_to_be_lost_once_a_second() {
    let lines = said(|| {
        let (mut sender, _reader) = inputs();
        // An overflow at the 1025th event, and one each 1023 after that: a release and the newest event stay.
        for n in 0..10_000 {
            sender.send(Nanos::from_micros(n * 200), InputKind::KeyDown(Key::W));
        }
        assert!(sender.lost() > 8_000);
    });
    let lost: Vec<u64> = lines
        .iter()
        .map(|line| line.strip_prefix("input_overflowed lost=").expect("no other line").parse().unwrap())
        .collect();
    assert!(lost.len() <= 3, "{lines:?}");
    assert!(lost.iter().sum::<u64>() > 8_000, "{lost:?}");
}
