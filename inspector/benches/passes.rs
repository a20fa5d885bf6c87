//! What the inspector costs: taking in a frame, and a pass over its panels without drawing.
//!
//! `cargo bench -p framewalk-inspector`. Prints medians; trust them to a tenth, not to a digit.

#[path = "../examples/other_program/fonts.rs"]
mod fonts;
#[path = "../examples/other_program/frame_loop.rs"]
mod frame_loop;

use std::hint::black_box;

use egui_kittest::Harness;
use frame_loop::{FrameLoop, News};
use framewalk_inspector::{Inspector, LiveView, Panel, RunPhase};
use framewalk_runtime::time::Nanos;
use framewalk_runtime::time::source::RealClock;

const ROUNDS: usize = 41;

fn main() {
    let clock = RealClock::new();
    for frames in [1_000, 10_000] {
        let news: Vec<News> = record(frames);
        let ingest = median((0..ROUNDS).map(|_| {
            let mut inspector = Inspector::default();
            let start = clock.now();
            feed(&mut inspector, &news);
            let took = clock.now() - start;
            black_box(inspector.frames_held());
            took
        }));
        println!("{frames} frames: ingest {} ns a frame", ingest.0 / frames as i64);
        let mut inspector = Inspector::default();
        feed(&mut inspector, &news);
        println!("{frames} frames: {:.2} MB held", inspector.bytes_held() as f64 / 1e6);
        for panel in Panel::ALL {
            pass(&format!("{frames} frames: {} pass", panel.title()), &news, move |inspector, ui, live| {
                inspector.panel_ui(ui, panel, live);
            });
        }
        pass(&format!("{frames} frames: strip pass"), &news, |inspector, ui, live| {
            inspector.strip_ui(ui, live);
        });
    }
}

fn record(frames: usize) -> Vec<News> {
    // 1000 Hz: the most frames the ten seconds of the plots can hold.
    let mut program = FrameLoop::new(1, 1000);
    (0..frames).map(|_| program.next_frame()).collect()
}

fn feed(inspector: &mut Inspector, news: &[News]) {
    for news in news {
        inspector.ingest_frame(news.frame);
        news.rendered.iter().for_each(|record| inspector.ingest_render(*record));
        news.shown.iter().for_each(|record| inspector.ingest_shown(*record));
    }
}

/// One egui pass over a panel while frames keep coming, so that nothing is answered from a cache. The time is that of
/// the panel's own code: layout and shapes, before tessellation.
fn pass(name: &str, news: &[News], draw: impl Fn(&mut Inspector, &mut egui::Ui, &LiveView<'_>) + 'static) {
    let mut inspector = Inspector::default();
    feed(&mut inspector, news);
    let clock = RealClock::new();
    let mut program = FrameLoop::new(1, 1000);
    (0..news.len()).for_each(|_| drop(program.next_frame()));
    let times = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
    let sink = std::rc::Rc::clone(&times);
    let builder =
        Harness::builder().with_size([1600.0, 320.0]).with_context_setup(|ctx| ctx.set_fonts(fonts::fonts()));
    let mut harness = builder.build_ui(move |ui| {
        feed(&mut inspector, &[program.next_frame()]);
        let live = LiveView { state: RunPhase::Playing, ..LiveView::default() };
        let start = clock.now();
        draw(&mut inspector, ui, &live);
        sink.borrow_mut().push(clock.now() - start);
    });
    harness.run_steps(ROUNDS);
    let took = median(times.borrow().iter().copied());
    println!("{name} {:.3} ms", took.as_millis_f64());
}

fn median(times: impl Iterator<Item = Nanos>) -> Nanos {
    let mut times: Vec<Nanos> = times.collect();
    times.sort_unstable();
    times[times.len() / 2]
}
