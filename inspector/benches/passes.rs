//! What the inspector costs: taking in a frame, freezing, and a pass over its panels with tessellation.
//!
//! `cargo bench -p framewalk-inspector`. Prints medians; trust them to a tenth, not to a digit. The peer of a long
//! history is the shortest one, and the aim that a pass costs what is on screen, not what the history holds. At 100
//! frames a second a thousand of them fill the ten seconds that the plots cover, so both histories put as much on
//! screen. At 1000 a second, the most there can be, a thousand fill a tenth of it, and the longer history also draws
//! more points.

#[path = "../examples/other_program/fonts.rs"]
mod fonts;
#[path = "../examples/other_program/frame_loop.rs"]
mod frame_loop;
#[path = "../../runtime/benches/shared/row.rs"]
mod row;

use std::hint::black_box;

use egui_kittest::Harness;
use frame_loop::{FrameLoop, News};
use framewalk_inspector::history::History;
use framewalk_inspector::{Inspector, LiveView, Panel, RunPhase};
use framewalk_runtime::frame::record::HandoffMode::{self, Free, Slot};
use framewalk_runtime::time::Nanos;
use framewalk_runtime::time::source::RealClock;
use row::{Aim, Row};

const ROUNDS: usize = 61;
const CAPACITY: usize = 100_000;

/// How much of the history is on show.
#[derive(Clone, Copy, PartialEq)]
enum Zoom {
    /// As a person finds it: the last ten seconds, a bar a frame.
    AsFound,
    /// All of it, in strip and plots.
    Everything,
}

/// Frames a second of the histories.
const RATES: [u32; 2] = [100, 1000];

fn main() {
    let counts: &[usize] = if row::is_measured() { &[1_000, 10_000, 100_000] } else { &[100] };
    row::header();
    let bytes = History::BYTES_A_FRAME as f64;
    Row { what: "memory of a frame", unit: "B", ours: bytes, peer: None, aim: None }.print();
    // By what was done, what it cost with the shortest history.
    let mut shortest = Vec::new();
    for &frames in counts {
        let mut print = |what: &str, took: Nanos, aims: &[Aim]| {
            let ours = took.as_millis_f64();
            let few = shortest.iter().find(|(of, _)| of == what).map(|(_, few)| *few);
            if few.is_none() {
                shortest.push((what.to_owned(), ours));
            }
            let name = format!("{what}, {frames} frames held");
            let peer = few.map(|few| ("with the shortest history", few));
            let row = |aim| Row { what: &name, unit: "ms", ours, peer, aim }.print();
            if aims.is_empty() { row(None) } else { aims.iter().for_each(|aim| row(Some(*aim))) }
        };
        for rate in RATES {
            let news: Vec<News> = record(frames, rate);
            if rate == RATES[1] {
                ingest(frames, &news);
                for panel in Panel::ALL {
                    let took = pass(&news, rate, Slot, Zoom::AsFound, move |inspector, ui, live| {
                        inspector.panel_ui(ui, panel, live);
                    });
                    print(&format!("pass over {}", panel.title()), took, &[]);
                }
            }
            for (zoom, name) in [(Zoom::AsFound, "as found"), (Zoom::Everything, "all on show")] {
                let took = pass(&news, rate, Slot, zoom, whole_ui);
                let what = format!("strip, stages, pacing {name}, {rate} Hz");
                print(&what, took, if frames == 100_000 { &[Aim::Ratio(1.2), Aim::Cost(4.0)] } else { &[] });
                // As many pictures as are kept, where there are as many frames.
                let took = pass(&of_way(news.clone(), Free), rate, Free, zoom, whole_ui);
                let what = format!("strip, stages, pacing {name}, {rate} Hz, free handoff");
                print(&what, took, if frames == 100_000 { &[Aim::Cost(4.0)] } else { &[] });
            }
        }
    }
}

/// What stands in the window of the look: strip over stages and pacing.
fn whole_ui(inspector: &mut Inspector, ui: &mut egui::Ui, live: &LiveView<'_>) {
    let area = ui.available_rect_before_wrap();
    let (top, rest) = area.split_top_bottom_at_y(area.top() + 66.0);
    let (left, right) = rest.split_left_right_at_fraction(0.4);
    for (rect, panel) in [(top, None), (left, Some(Panel::Stages)), (right, Some(Panel::Pacing))] {
        ui.scope_builder(egui::UiBuilder::new().max_rect(rect), |ui| match panel {
            None => drop(inspector.strip_ui(ui, live)),
            Some(panel) => drop(inspector.panel_ui(ui, panel, live)),
        });
    }
}

fn ingest(frames: usize, news: &[News]) {
    let clock = RealClock::new();
    let rounds = if frames > 10_000 { 5 } else { ROUNDS };
    let took = median((0..rounds).map(|_| {
        let mut inspector = Inspector::new(CAPACITY);
        let start = clock.now();
        feed(&mut inspector, news);
        let took = clock.now() - start;
        black_box(inspector.frames_held());
        took
    }));
    let print = |what: &str, unit, ours: f64| {
        let name = format!("{what}, {frames} frames held");
        Row { what: &name, unit, ours, peer: None, aim: None }.print();
    };
    print("ingest of a frame", "ns", took.0 as f64 / frames as f64);
    let mut inspector = Inspector::new(CAPACITY);
    feed(&mut inspector, news);
    print("memory of the history", "MB", inspector.bytes_held() as f64 / 1e6);
    let newest = inspector.chosen().map(framewalk_inspector::history::Entry::frame).unwrap_or_default();
    let start = clock.now();
    inspector.select(newest);
    let took = clock.now() - start;
    let frozen = inspector.bytes_held();
    inspector.go_live();
    print("freezing", "ms", took.as_millis_f64());
    print("memory more while frozen", "B", frozen.saturating_sub(inspector.bytes_held()) as f64);
}

fn record(frames: usize, rate: u32) -> Vec<News> {
    let mut program = FrameLoop::new(1, rate);
    (0..frames).map(|_| program.next_frame()).collect()
}

/// As if frames had taken another way.
fn of_way(mut news: Vec<News>, mode: HandoffMode) -> Vec<News> {
    for news in news.iter_mut().filter(|_| mode == Free) {
        (news.frame.handoff.mode, news.frame.replaced) = (mode, None);
        news.rendered.iter_mut().for_each(|picture| picture.render_time = picture.taken);
    }
    news
}

fn feed(inspector: &mut Inspector, news: &[News]) {
    for news in news {
        inspector.ingest_frame(news.frame);
        news.rendered.iter().for_each(|record| inspector.ingest_render(*record));
        news.shown.iter().for_each(|record| inspector.ingest_shown(*record));
    }
}

/// One egui pass over panels while frames keep coming, so that nothing is answered from a cache: layout, shapes and
/// tessellation.
fn pass(
    news: &[News],
    rate: u32,
    mode: HandoffMode,
    zoom: Zoom,
    draw: impl Fn(&mut Inspector, &mut egui::Ui, &LiveView<'_>) + 'static,
) -> Nanos {
    let mut inspector = Inspector::new(CAPACITY);
    feed(&mut inspector, news);
    if zoom == Zoom::Everything {
        inspector.show_everything(1_500);
    }
    let clock = RealClock::new();
    let mut program = FrameLoop::new(1, rate);
    (0..news.len()).for_each(|_| drop(program.next_frame()));
    let times = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
    let sink = std::rc::Rc::clone(&times);
    let inside = clock.clone();
    let builder =
        Harness::builder().with_size([1600.0, 400.0]).with_context_setup(|ctx| ctx.set_fonts(fonts::fonts()));
    let mut harness = builder.build_ui(move |ui| {
        feed(&mut inspector, &of_way(vec![program.next_frame()], mode));
        let live = LiveView { state: RunPhase::Playing, ..LiveView::default() };
        let start = inside.now();
        draw(&mut inspector, ui, &live);
        sink.borrow_mut().push(inside.now() - start);
    });
    let mut totals = Vec::new();
    for _ in 0..ROUNDS {
        harness.step();
        let shapes = harness.output().shapes.clone();
        let start = clock.now();
        black_box(harness.ctx.tessellate(shapes, 1.0));
        let tessellated = clock.now() - start;
        let drawn = times.borrow().last().copied().unwrap_or_default();
        totals.push(drawn + tessellated);
    }
    median(totals.into_iter())
}

fn median(times: impl Iterator<Item = Nanos>) -> Nanos {
    let mut times: Vec<Nanos> = times.collect();
    times.sort_unstable();
    times[times.len() / 2]
}
