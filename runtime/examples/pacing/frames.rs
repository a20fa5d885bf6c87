//! How long after a frame was published the render thread takes it, and what its waiting costs both sides.

use std::sync::mpsc::{Sender, channel};

use framewalk_runtime::frame::record::HandoffMode;
use framewalk_runtime::frame::recorder::{RuntimeRecord, record_ring};
use framewalk_runtime::handoff::{FrameDescriptor, Publication, Times, frame_handoffs};
use framewalk_runtime::render::{BatchFigures, RenderError, RenderThread, RenderThreadOptions, Renderer};
use framewalk_runtime::time::frame_clock::FrameClock;
use framewalk_runtime::time::pacer::{Pacer, Pacing};
use framewalk_runtime::time::source::{RealClock, TimeSource};
use framewalk_runtime::time::{FrameIndex, Nanos, Rate, Tick};

use super::{cpu_nanos, quantiles};

const WAYS: [(&str, Pacing); 2] = [
    ("futex alone (relaxed)", Pacing::Relaxed),
    ("sleep until just before, short spin (precise)", Pacing::Precise),
];

/// What the frames of the measured run take: 300 µs, up to 60 more, unevenly.
fn cost(frame: u64) -> Nanos {
    Nanos::from_micros(300 + (frame as i64 * 7_919) % 60)
}

/// One line for each way of waiting, handoff and rate.
pub fn table(seconds: f64) {
    println!(
        "| the render thread waits by | handoff | Hz | taken after, us: median | p99 | worst | CPU, % of a core | spins a frame | \
         publishing takes, us: median |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for mode in [HandoffMode::Slot, HandoffMode::Lockstep] {
        for hz in [60, 240] {
            for (name, pacing) in WAYS {
                let measured = std::thread::spawn(move || measure(pacing, mode, hz, seconds));
                let Measured { delays, cpu, spins, publishing } = measured.join().expect("it only waits");
                println!(
                    "| {name} | {} | {hz} | {:.1} | {:.1} | {:.0} | {cpu:.2} | {spins:.2} | {:.1} |",
                    mode.name(),
                    delays[0],
                    delays[1],
                    delays[2],
                    publishing[0]
                );
            }
        }
    }
}

struct Measured {
    delays: [f64; 3],
    cpu: f64,
    spins: f64,
    publishing: [f64; 3],
}

/// A simulation on this thread that is on time, as far as one can be, and a renderer that has nothing to do.
fn measure(pacing: Pacing, mode: HandoffMode, hz: u32, seconds: f64) -> Measured {
    let mut clock = RealClock::new();
    let (mut producer, consumer, _) = frame_handoffs::<u64>(mode);
    let (records, mut received) = record_ring(4_096);
    let (tell, told) = channel();
    let options = RenderThreadOptions {
        name: "render".to_owned(),
        run: 1,
        submit_cost: Nanos::ZERO,
        redraw_after: Some(Nanos::from_secs(1)),
        pacing,
        patience: Nanos::from_secs(10),
        records,
        zones: None,
        jobs: None,
        seat: None,
    };
    let renderer = Box::new(Costing { tell, at_start: 0 });
    let mut thread =
        RenderThread::start(consumer, renderer, clock.clone(), options).expect("a thread can be started");
    let mut grid = FrameClock::started(clock.now(), Rate::hz(hz).expect("a rate"));
    let mut pacer = Pacer::new(Pacing::Precise);
    let frames = (f64::from(hz) * seconds) as u64;
    let (mut delays, mut publishing) = (Vec::new(), Vec::new());
    let start = clock.now();
    for n in 1..=frames {
        let arrived = clock.now();
        pacer.wait_until(&clock, grid.next_deadline(), || false);
        let planned = grid.next(arrived);
        clock.spend(cost(n));
        let published = clock.now();
        let times = Times { published: Some(published), next_due: Some(grid.next_deadline()) };
        let publication = Publication {
            frame: FrameIndex(n),
            tick: Tick(n),
            render_time: planned.render_time,
            times,
            ..Publication::default()
        };
        producer.hand_over(publication).expect("the renderer lives");
        publishing.push((clock.now() - published).0 as f64 / 1e3);
        received.drain(|record| {
            if let RuntimeRecord::Render(picture) = record {
                delays.extend(picture.wake_delay.map(|delay| delay.0 as f64 / 1e3));
            }
        });
    }
    let passed = clock.now() - start;
    let spins = thread.spins() as f64 / frames as f64;
    thread.shutdown();
    let used = told.recv().expect("it has ended in order");
    let cpu = 100.0 * used as f64 / passed.0 as f64;
    Measured { delays: quantiles(delays), cpu, spins, publishing: quantiles(publishing) }
}

/// Draws nothing, and tells at its end what its thread has used of a core.
struct Costing {
    tell: Sender<u64>,
    at_start: u64,
}

impl Renderer<u64> for Costing {
    fn on_start(&mut self) {
        self.at_start = cpu_nanos();
    }

    fn on_stop(&mut self) {
        // Who does not wait for it any more does not want it.
        let _ = self.tell.send(cpu_nanos() - self.at_start);
    }

    fn batch(&mut self, _: &FrameDescriptor, _: &u64) -> Result<BatchFigures, RenderError> {
        Ok(BatchFigures::default())
    }

    fn submit(&mut self, _: &FrameDescriptor, _: &u64) -> Result<(), RenderError> {
        Ok(())
    }
}
