//! The panels as a person and a screen reader find them: by label, without drawing.

#[path = "../examples/other_program/fonts.rs"]
mod fonts;
#[path = "../examples/other_program/frame_loop.rs"]
mod frame_loop;
#[path = "panels/million.rs"]
mod million;
#[path = "panels/threads.rs"]
mod threads;
#[path = "panels/ways.rs"]
mod ways;

use egui_kittest::kittest::Queryable;
use egui_kittest::{Harness, HarnessBuilder};
use frame_loop::FrameLoop;
use framewalk_inspector::comparison::{ComparisonWanted, Pictures};
use framewalk_inspector::{
    Inspector, InspectorAction, JobsView, KeyNames, LiveView, OpenFrame, Panel, Theme, theme::FontFamilies,
};
use framewalk_runtime::frame::details::{StageDetails, TickRow, TimedRow};
use framewalk_runtime::frame::record::{FrameKind, FrameRecord, HandoffMode, RenderRecord};
use framewalk_runtime::frame::stage::Stage;
use framewalk_runtime::frame::zones::{Zone, ZoneThread};
use framewalk_runtime::jobs::JobsStats;
use framewalk_runtime::time::{FrameIndex, Nanos, Rate, Tick};

const KEYS: KeyNames<'static> = KeyNames { play: "F5", step_stage: "F11", go_live: "End" };

/// What a window holds: the inspector, an open frame if there is one, and the last thing asked for.
struct Desk {
    inspector: Inspector,
    open: Option<(FrameRecord, u8)>,
    details: StageDetails,
    jobs: Option<JobsStats>,
    asked: Option<InspectorAction>,
}

impl Desk {
    fn new(frames: usize) -> Self {
        let mut inspector = Inspector::default();
        inspector.begin_run(1);
        let mut program = FrameLoop::new(1, 144);
        for _ in 0..frames {
            feed(&mut inspector, &mut program);
        }
        Self { inspector, open: None, details: StageDetails::default(), jobs: None, asked: None }
    }

    fn ui(&mut self, ui: &mut egui::Ui, what: What) {
        let open =
            self.open.as_ref().map(|(record, stages_done)| OpenFrame { record, stages_done: *stages_done });
        let details_frame = self.open.as_ref().map_or(FrameIndex(0), |(record, _)| record.frame);
        let jobs = self.jobs.as_ref().map(|stats| JobsView { stats, at: Nanos::ZERO });
        let details = Some(&self.details);
        let live = LiveView { open, details, details_frame, jobs, keys: KEYS, ..LiveView::default() };
        let asked = match what {
            What::Panel(panel) => self.inspector.panel_ui(ui, panel, &live),
            What::Strip => self.inspector.strip_ui(ui, &live),
            What::Figures => {
                self.inspector.figures_ui(ui, &live);
                None
            }
        };
        self.asked = asked.or(self.asked.take());
    }
}

#[derive(Clone, Copy, Debug)]
enum What {
    Panel(Panel),
    Strip,
    Figures,
}

const EVERYTHING: [What; 10] = [
    What::Panel(Panel::Stages),
    What::Panel(Panel::Record),
    What::Panel(Panel::Pacing),
    What::Panel(Panel::Timeline),
    What::Panel(Panel::Handoff),
    What::Panel(Panel::Histogram),
    What::Panel(Panel::Threads),
    What::Panel(Panel::Compare),
    What::Strip,
    What::Figures,
];

fn feed(inspector: &mut Inspector, program: &mut FrameLoop) {
    let news = program.next_frame();
    inspector.ingest_frame(news.frame);
    news.rendered.into_iter().for_each(|record| inspector.ingest_render(record));
    news.shown.into_iter().for_each(|record| inspector.ingest_shown(record));
}

fn show(desk: Desk, what: What) -> Harness<'static, Desk> {
    show_in(desk, what, [900.0, 900.0])
}

fn show_in(desk: Desk, what: What, size: [f32; 2]) -> Harness<'static, Desk> {
    let builder: HarnessBuilder<Desk> = Harness::builder();
    let builder = builder.with_size(size).with_theme(egui::Theme::Dark).with_context_setup(|ctx| {
        ctx.set_fonts(fonts::fonts());
        Theme::install(ctx, &FontFamilies::default());
    });
    let mut harness = builder.build_ui_state(move |ui, desk: &mut Desk| desk.ui(ui, what), desk);
    harness.run_steps(3);
    harness
}

/// The frame of the look: 1 204 at 144 Hz, its scheduler done.
fn open_frame(stages_done: u8) -> (FrameRecord, u8) {
    let mut program = FrameLoop::new(1, 144);
    let mut frame = program.next_frame().frame;
    for _ in 0..10 {
        frame = program.next_frame().frame;
    }
    frame.figures.input_events = 2;
    for (stage, nanos) in frame.stages.iter_mut().zip([20_000, 110_000, 10_000, 940_000, 0, 0]) {
        stage.duration = Nanos(nanos);
    }
    (frame, stages_done)
}

#[test]
fn every_panel_says_what_will_be_here_and_what_to_press() {
    let speaks = |what: &What| !matches!(what, What::Figures | What::Panel(Panel::Compare));
    for what in EVERYTHING.into_iter().filter(speaks) {
        let harness = show(Desk::new(0), what);
        harness.get_by_label_contains("will be here");
        harness.get_by_label_contains("Press Play (F5).");
    }
}

#[test]
fn nothing_panics_on_none_one_two_or_ten_thousand_frames() {
    for frames in [0, 1, 2, 10_000] {
        for what in EVERYTHING {
            show(Desk::new(frames), what);
        }
    }
}

#[test]
fn nothing_panics_in_a_panel_that_has_hardly_any_room() {
    for size in [[1.0, 1.0], [30.0, 400.0], [70.0, 70.0], [400.0, 10.0], [900.0, 1.0]] {
        for what in EVERYTHING {
            // Few frames, which are drawn as a line, and so many that they are drawn as bars.
            for frames in [3, 10_000] {
                show_in(Desk::new(frames), what, size);
            }
        }
    }
}

#[test]
fn nothing_panics_on_records_that_make_no_sense() {
    let mut wild = FrameRecord {
        run: 1,
        frame: FrameIndex(5),
        alpha: f64::NAN,
        delta: Nanos(i64::MIN),
        render_time: Nanos(i64::MAX),
        overstep: Nanos(i64::MAX),
        ..FrameRecord::default()
    };
    wild.totals.scaled_ticks = f64::INFINITY;
    wild.totals.rounded_ticks = f64::NAN;
    for what in EVERYTHING {
        let mut desk = Desk::new(3);
        desk.inspector.ingest_frame(wild);
        desk.inspector.ingest_frame(FrameRecord {
            frame: FrameIndex(u64::MAX),
            render_time: Nanos(i64::MIN),
            alpha: f64::INFINITY,
            ..wild
        });
        let mut harness = show(desk, what);
        harness.state_mut().inspector.walk(-1);
        harness.run_steps(2);
    }
}

#[test]
fn the_six_rows_follow_a_frame_that_is_stepped_through() {
    let mut desk = Desk::new(10);
    desk.open = Some(open_frame(4));
    let harness = show(desk, What::Panel(Panel::Stages));
    harness.get_by_label("drain_inputs done, 0.02 ms: 2 events");
    harness.get_by_label("run_app_update done, 0.11 ms: 4 systems");
    harness.get_by_label_contains("begin_render_frame done, 0.01 ms: snapshot buffer");
    harness.get_by_label_contains("run_scheduler done, 0.94 ms: +6.94 ms → ");
    harness.get_by_label_contains("end_render_frame next: will publish frame 11; 10 ");
    harness.get_by_label_contains("run_maintenance to come: will drain");
    harness.get_by_label("frame 11 · 1.08 ms of 6.94 ms");
    harness.get_by_label_contains("holds: 0.069 s at 60 Hz = 4.17 ticks = 4 + 0.17 overstep + 0 capped");
    harness.get_by_label_contains("holds: 10 published = ");
}

#[test]
fn a_row_opens_to_what_the_stage_produced() {
    let mut desk = Desk::new(10);
    desk.open = Some(open_frame(4));
    desk.details.ticks.push(TickRow { tick: Tick(501), duration: Nanos(610_000), ..TickRow::default() });
    desk.details.flows.push(TimedRow {
        name: "physics".into(),
        duration: Nanos(20_000),
        note: "24 poses".into(),
    });
    let mut harness = show(desk, What::Panel(Panel::Stages));
    assert!(harness.query_by_label("tick 501 0.61 ms").is_none());
    harness.get_by_label_contains("run_scheduler done").click();
    harness.run_steps(3);
    harness.get_by_label("tick 501 0.61 ms");
    harness.get_by_label("flow physics 0.02 ms 24 poses");
}

#[test]
fn a_row_of_a_frame_without_details_says_why() {
    let mut harness = show(Desk::new(10), What::Panel(Panel::Stages));
    harness.get_by_label_contains("run_scheduler done").click();
    harness.run_steps(3);
    harness.get_by_label("Details are kept only for the frame you step through.");
}

#[test]
fn an_equation_that_does_not_hold_says_so() {
    let mut desk = Desk::new(10);
    let mut broken = desk.inspector.chosen().unwrap().record;
    broken.frame = FrameIndex(11);
    broken.totals.balanced = false;
    broken.handoff.rendered += 1;
    desk.inspector.ingest_frame(broken);
    let harness = show(desk, What::Panel(Panel::Stages));
    assert_eq!(harness.get_all_by_label_contains("does not hold: ").count(), 2);
}

#[test]
fn the_record_shows_every_group_and_copies_all() {
    let mut harness = show(Desk::new(200), What::Panel(Panel::Record));
    for title in ["identity", "time", "ticks", "handoff", "stages", "render thread", "window"] {
        harness.get_by_label(title);
    }
    harness.get_by_label("frame 200");
    harness.get_by_label("tick rate 60 Hz");
    harness.get_by_label("tick length 16.67 ms  (16 666 667 ns)");
    harness.get_by_label("Copy all").click();
    harness.run_steps(2);
    let Some(InspectorAction::Copy(text)) = harness.state_mut().asked.take() else {
        panic!("nothing copied")
    };
    assert!(text.contains("  frame: 200\n"), "{text}");
    assert!(text.contains("  tick equation: holds\n"), "{text}");
}

#[test]
fn the_figures_are_those_of_the_newest_frame() {
    let harness = show(Desk::new(200), What::Figures);
    harness.get_by_label("frame 200");
    harness.get_by_label_contains("overstep ");
    harness.get_by_label_contains("alpha 0.");
    let harness = show(Desk::new(0), What::Figures);
    harness.get_by_label("frame –");
}

#[test]
fn the_figures_keep_their_width() {
    let place = |frames| show(Desk::new(frames), What::Figures).get_by_label("live figures").rect();
    assert_eq!(place(0), place(9_999));
    assert_eq!(place(1), place(9_999));
}

#[test]
fn pacing_says_its_figures_as_text() {
    let harness = show(Desk::new(2_000), What::Panel(Panel::Pacing));
    harness.get_by_label("frame interval p50 6.94 ms");
    harness.get_by_label_contains("frame interval worst 2");
    // Once as the caption, once as the description of the plots.
    assert_eq!(harness.get_all_by_label_contains("· last 10 s").count(), 2);
}

#[test]
fn pacing_says_how_far_frames_begin_from_the_refreshes_of_the_display_where_that_is_known() {
    let desk = Desk::new(2_000);
    let caption = |phase_error| {
        let live = LiveView { phase_error, ..LiveView::default() };
        desk.inspector.caption(Panel::Pacing, &live)
    };
    assert!(caption(None).ends_with(" ms · last 10 s"), "{}", caption(None));
    let in_step = caption(Some(Nanos(-260_000)));
    assert!(in_step.ends_with(" ms · last 10 s · −0.3 ms off the display"), "{in_step}");
}

#[test]
fn a_click_in_the_strip_freezes_the_view_while_the_run_goes_on() {
    let mut harness = show(Desk::new(300), What::Strip);
    harness.get_by_label_contains("frame strip").click();
    harness.run_steps(2);
    let chosen = harness.state().inspector.chosen().unwrap().frame();
    assert!(chosen < FrameIndex(300));
    assert_eq!(harness.state().asked, Some(InspectorAction::Select(chosen)));
    let mut program = FrameLoop::new(1, 144);
    for _ in 0..300 {
        program.next_frame();
    }
    for _ in 0..50 {
        feed(&mut harness.state_mut().inspector, &mut program);
    }
    harness.run_steps(2);
    assert_eq!(harness.state().inspector.chosen().unwrap().frame(), chosen);
    harness.get_by_label_contains(&format!("to frame 300, frozen on frame {}", chosen.0));
    harness.state_mut().inspector.go_live();
    harness.run_steps(2);
    assert_eq!(harness.state().inspector.chosen().unwrap().frame(), FrameIndex(350));
}

#[test]
fn a_drag_in_the_strip_selects_a_stretch_and_says_its_figures() {
    let mut harness = show(Desk::new(300), What::Strip);
    let strip = harness.get_by_label_contains("frame strip").rect();
    let (from, to) = (strip.center(), strip.center() + egui::vec2(100.0, 0.0));
    harness.hover_at(from);
    harness.step();
    harness.drag_at(from);
    harness.step();
    for share in [0.2, 0.6, 1.0] {
        harness.hover_at(from + (to - from) * share);
        harness.step();
    }
    harness.drop_at(to);
    harness.run_steps(3);
    let (first, last) = harness.state().inspector.selection().range().expect("a stretch is selected");
    // 5 points a bar.
    assert_eq!(last.0 - first.0, 20);
    harness.get_by_label_contains(&format!("frames {}–{} · n 21 · p50 ", first.0, last.0));
    assert_eq!(harness.state().asked, Some(InspectorAction::SelectRange(first, last)));
}

#[test]
fn the_wheel_zooms_the_strip_out_to_every_frame() {
    let mut harness = show(Desk::new(10_000), What::Strip);
    harness.get_by_label_contains("frame strip").hover();
    harness.step();
    for _ in 0..30 {
        harness.event(egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Line,
            delta: egui::vec2(0.0, -1.0),
            phase: egui::TouchPhase::Move,
            source: egui::MouseWheelSource::Unknown,
            modifiers: egui::Modifiers::NONE,
        });
        harness.step();
    }
    harness.get_by_label_contains("frame strip, 1 bars to frame ");
}

#[test]
fn the_handoff_says_who_holds_what_and_every_count() {
    let harness = show(Desk::new(200), What::Panel(Panel::Handoff));
    harness.get_by_label_contains("slot handoff: sim holds buffer ");
    for count in ["published 200", "pending ", "in flight ", "abandoned 0", "shown ", "unseen ", "dropped "] {
        assert!(harness.get_all_by_label_contains(count).count() > 0, "{count}");
    }
    harness.get_by_label_contains("holds: 200 published = ");
}

/// Frames and pictures of another way, one a frame, each 4 ms after the frame's tick.
fn of_mode(mode: HandoffMode) -> Desk {
    let mut desk = Desk::new(0);
    for n in 1..=20_u64 {
        let at = Nanos(16_000_000 * n as i64);
        let mut frame = FrameRecord {
            run: 1,
            frame: FrameIndex(n),
            tick: Tick(n),
            render_time: at,
            simulated_time: at,
            tick_length: Nanos(16_000_000),
            sim_wait: Nanos(2_500_000),
            ..FrameRecord::default()
        };
        frame.figures.snapshot_buffer = (n % 2) as u8;
        frame.handoff.mode = mode;
        frame.handoff.published = n;
        frame.handoff.rendered = n - 1;
        frame.handoff.in_flight = 1;
        desk.inspector.ingest_frame(frame);
        desk.inspector.ingest_render(RenderRecord {
            run: 1,
            frame: FrameIndex(n),
            render_wait: Nanos(9_000_000),
            shown_time: at - Nanos(12_000_000),
            alpha: 0.25,
            held: n == 7,
            ..RenderRecord::default()
        });
    }
    desk
}

#[test]
fn the_compare_panel_asks_for_what_was_set_and_tells_why_it_may_not() {
    let mut harness = show(Desk::new(3), What::Panel(Panel::Compare));
    harness.get_by_label("Compare handoffs").click();
    harness.run_steps(2);
    let asked = |pictures, millis| {
        let render_cost = Nanos::from_millis(millis);
        Some(InspectorAction::Compare(ComparisonWanted { seconds: 5, pictures, render_cost }))
    };
    assert_eq!(harness.state().asked, asked(Pictures::Counted, 0));
    harness.get_by_label("Draw off screen").click();
    harness.run_steps(2);
    harness.get_by_label("Compare handoffs").click();
    harness.run_steps(2);
    assert_eq!(harness.state().asked, asked(Pictures::Drawn, 0));
    harness.get_by_label("Render cost of each picture, ms").click();
    harness.run_steps(2);
    harness.event(egui::Event::Text("20".to_owned()));
    harness.run_steps(2);
    harness.key_press(egui::Key::Enter);
    harness.run_steps(2);
    harness.get_by_label("Compare handoffs").click();
    harness.run_steps(2);
    assert_eq!(harness.state().asked, asked(Pictures::Drawn, 20));
}

#[test]
fn the_timeline_says_what_it_shows() {
    let harness = show(Desk::new(200), What::Panel(Panel::Timeline));
    harness.get_by_label_contains("timeline of 27.78 ms: ");
}

#[test]
fn lost_zones_are_said_in_the_timeline_by_lane_and_counted_in_threads() {
    let with_losses = || {
        let mut desk = Desk::new(200);
        let start = desk.inspector.chosen().unwrap().record.render_time;
        let mut lose = |thread, zones| {
            let duration = Nanos::from_millis(3);
            let gap = Zone { name: "lost", start, duration, depth: 0, lost: zones };
            desk.inspector.ingest_zone(thread, gap);
        };
        lose(ZoneThread::Sim, 7);
        lose(ZoneThread::Worker(0), 31);
        desk
    };
    let harness = show(with_losses(), What::Panel(Panel::Timeline));
    harness.get_by_label_contains("; sim: 7 zones lost; worker 0: 31 zones lost");
    harness.get_by_label("worker 0: 0 jobs, 0.00 ms, 31 zones lost");
    let harness = show(with_losses(), What::Panel(Panel::Threads));
    harness.get_by_label_contains(", 7 zones lost");
}

#[test]
fn a_histogram_shows_the_stage_that_is_chosen() {
    let mut harness = show(Desk::new(2_000), What::Panel(Panel::Histogram));
    harness.get_by_label_contains("frame interval p50 6.94 ms");
    harness.get_by_label_contains("frame time p50 ");
    harness.get_by_label("show the time of run_scheduler").click();
    harness.run_steps(2);
    harness.get_by_label_contains("run_scheduler p50 ");
}

#[test]
fn a_click_in_a_plot_selects_the_frame_under_the_pointer() {
    let mut harness = show(Desk::new(2_000), What::Panel(Panel::Pacing));
    harness.get_by_label_contains("pacing plots").click();
    harness.run_steps(2);
    assert!(!harness.state().inspector.is_live());
    let chosen = harness.state().inspector.chosen().unwrap().frame();
    // The middle of ten seconds at 144 Hz lies about 720 frames back.
    assert!((1_200..1_400).contains(&chosen.0), "{chosen:?}");
}

#[test]
fn standing_still_asks_for_no_repaint() {
    for what in EVERYTHING {
        let mut harness = show(Desk::new(500), what);
        harness.run_steps(5);
        let delay = harness.output().viewport_output.values().map(|viewport| viewport.repaint_delay).min();
        assert_eq!(delay, Some(std::time::Duration::MAX));
    }
}

#[test]
fn every_stage_has_its_name_in_a_row() {
    let harness = show(Desk::new(5), What::Panel(Panel::Stages));
    Stage::ALL.iter().for_each(|stage| _ = harness.get_by_label_contains(stage.name()));
    assert_eq!(harness.state().inspector.frames_held(), 5);
}
