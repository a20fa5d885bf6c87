//! Pictures of the panels, dark and light, to be looked at: written where `FRAMEWALK_PICTURES` says, else nowhere.
//!
//! `FRAMEWALK_PICTURES=target/pictures cargo test -p framewalk-inspector --test picture`

#[path = "../examples/other_program/fonts.rs"]
mod fonts;
#[path = "../examples/other_program/frame_loop.rs"]
mod frame_loop;

use egui::{Rect, UiBuilder, pos2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use frame_loop::FrameLoop;
use framewalk_inspector::theme::{FontFamilies, size};
use framewalk_inspector::{Inspector, KeyNames, LiveView, OpenFrame, Panel, RunPhase, Theme};
use framewalk_runtime::frame::details::StageDetails;
use framewalk_runtime::frame::record::{FrameKind, FrameRecord};
use framewalk_runtime::frame::stage::Stage;
use framewalk_runtime::frame::zones::{Zone, ZoneThread};
use framewalk_runtime::time::{FrameIndex, Nanos};

const SIZE: [f32; 2] = [1600.0, 1060.0];

/// What is on the desk.
#[derive(Clone, Copy, PartialEq)]
enum Show {
    /// A frame that is open, of 8 s at 144 Hz.
    Open,
    /// Some chosen frames among those.
    Chosen,
    /// 90 s at 240 Hz, all of them in strip and plots.
    Long,
}

fn desk(theme: egui::Theme, show: Show) -> Harness<'static> {
    let mut inspector = Inspector::default();
    inspector.begin_run(1);
    let (is_open, is_long) = (show == Show::Open, show == Show::Long);
    let (rate, frames) = if is_long { (240, 21_600) } else { (144, 1_203) };
    let mut program = FrameLoop::new(1, rate);
    for _ in 0..frames {
        let news = program.next_frame();
        inspector.ingest_frame(changed(news.frame));
        news.rendered.into_iter().for_each(|record| inspector.ingest_render(record));
        news.shown.into_iter().for_each(|record| inspector.ingest_shown(record));
    }
    let open_record = program.next_frame().frame;
    if is_long {
        inspector.show_everything(1_584);
    } else if !is_open {
        assert!(inspector.select_range(FrameIndex(1_060), FrameIndex(1_121)));
    }
    let details =
        StageDetails { events: vec!["W down".into(), "mouse move".into()], ..StageDetails::default() };
    let builder = Harness::builder().with_size(SIZE).with_theme(theme).with_context_setup(|ctx| {
        ctx.set_fonts(fonts::fonts());
        Theme::install(ctx, &FontFamilies::default());
    });
    let mut harness = builder.wgpu().build_ui(move |ui| {
        let open = is_open.then_some(OpenFrame { record: &open_record, stages_done: 4 });
        let live = LiveView {
            state: RunPhase::FrameOpen { next: Stage::EndRenderFrame },
            open,
            details: Some(&details),
            details_frame: open_record.frame,
            keys: KeyNames { play: "F5", step_stage: "F11", go_live: "End" },
            ..LiveView::default()
        };
        desk_ui(ui, &mut inspector, &live);
    });
    harness.run_steps(3);
    harness
}

/// The same frame in a run in which a person has changed and stopped something on the way.
fn changed(mut frame: FrameRecord) -> FrameRecord {
    match frame.frame.0 {
        960 => frame.settings_changed = true,
        1_010 => frame.kind = FrameKind::Resumed,
        1_012 => frame.kind = FrameKind::SteppedTick,
        _ => {}
    }
    frame
}

fn desk_ui(ui: &mut egui::Ui, inspector: &mut Inspector, live: &LiveView<'_>) {
    let theme = Theme::of(ui);
    let screen = Rect::from_min_size(egui::Pos2::ZERO, SIZE.into());
    ui.painter().rect_filled(screen, 0.0, theme.bg0);
    let place = |ui: &mut egui::Ui, rect: Rect, draw: &mut dyn FnMut(&mut egui::Ui)| {
        ui.painter().rect_filled(rect, 0.0, theme.bg1);
        ui.painter().rect_stroke(rect, 0.0, egui::Stroke::new(1.0, theme.line), egui::StrokeKind::Outside);
        ui.scope_builder(UiBuilder::new().max_rect(rect), |ui| draw(ui));
    };
    let transport = Rect::from_min_max(pos2(8.0, 6.0), pos2(1592.0, 6.0 + size::TRANSPORT_HEIGHT));
    place(ui, transport.shrink2(egui::vec2(0.0, 3.0)), &mut |ui| {
        ui.horizontal(|ui| inspector.figures_ui(ui, live));
    });
    let strip = Rect::from_min_max(pos2(8.0, 54.0), pos2(1592.0, 54.0 + size::STRIP_HEIGHT));
    place(ui, strip, &mut |ui| drop(inspector.strip_ui(ui, live)));
    let top = strip.bottom() + 8.0;
    let stages = Rect::from_min_max(pos2(8.0, top), pos2(648.0, top + 290.0));
    place(ui, stages, &mut |ui| drop(inspector.panel_ui(ui, Panel::Stages, live)));
    let pacing = Rect::from_min_max(pos2(656.0, top), pos2(1592.0, top + 290.0));
    place(ui, pacing, &mut |ui| drop(inspector.panel_ui(ui, Panel::Pacing, live)));
    let lower = stages.bottom() + 8.0;
    let timeline = Rect::from_min_max(pos2(8.0, lower), pos2(648.0, lower + 290.0));
    place(ui, timeline, &mut |ui| drop(inspector.panel_ui(ui, Panel::Timeline, live)));
    let handoff = Rect::from_min_max(pos2(656.0, lower), pos2(1120.0, lower + 290.0));
    place(ui, handoff, &mut |ui| drop(inspector.panel_ui(ui, Panel::Handoff, live)));
    let histogram = Rect::from_min_max(pos2(1128.0, lower), pos2(1592.0, lower + 290.0));
    place(ui, histogram, &mut |ui| drop(inspector.panel_ui(ui, Panel::Histogram, live)));
    let record = Rect::from_min_max(pos2(8.0, lower + 298.0), pos2(1592.0, SIZE[1] - 8.0));
    place(ui, record, &mut |ui| drop(inspector.panel_ui(ui, Panel::Record, live)));
}

#[test]
fn both_themes_draw_on_the_software_adapter() {
    for (theme, show, name) in [
        (egui::Theme::Dark, Show::Open, "dark-open"),
        (egui::Theme::Dark, Show::Chosen, "dark-frozen"),
        (egui::Theme::Light, Show::Open, "light-open"),
        (egui::Theme::Dark, Show::Long, "dark-long"),
        (egui::Theme::Light, Show::Long, "light-long"),
    ] {
        let picture = desk(theme, show).render().expect("the software adapter draws");
        assert_eq!((picture.width(), picture.height()), (1600, 1060));
        if let Some(folder) = std::env::var_os("FRAMEWALK_PICTURES") {
            let path = std::path::Path::new(&folder).join(format!("{name}.png"));
            std::fs::create_dir_all(&folder).expect("the folder can be made");
            picture.save(path).expect("the picture can be written");
        }
        let expected = if theme == egui::Theme::Dark { Theme::dark() } else { Theme::light() };
        let corner = picture.get_pixel(2, 2).0;
        assert_eq!(corner, expected.bg0.to_array(), "{name}: the window is in the colour of its theme");
        let drops = picture.pixels().filter(|pixel| pixel.0 == expected.drop.to_array()).count();
        assert!(drops > 20, "{name}: dropped frames are drawn, {drops} pixels");
    }
}

/// The Timeline panel alone, of frames whose ticks were shared with so many workers, and so many zones of sim and of the
/// first worker lost in one of the last frames.
fn shared_ticks(theme: egui::Theme, workers: u8, lost: u32) -> Harness<'static> {
    let mut inspector = Inspector::default();
    inspector.begin_run(1);
    let mut program = FrameLoop::new(1, 144);
    for number in 0..40 {
        let news = program.next_frame();
        let ticks = news.frame.stages[Stage::RunScheduler.index()];
        inspector.ingest_frame(news.frame);
        news.rendered.into_iter().for_each(|record| inspector.ingest_render(record));
        news.shown.into_iter().for_each(|record| inspector.ingest_shown(record));
        let at = |share: i64| ticks.start + Nanos(ticks.duration.0 * share / 100);
        let mut zone = |thread, name, depth, from: i64, to: i64| {
            let (start, end) = (at(from), at(to));
            inspector.ingest_zone(thread, Zone { name, start, duration: end - start, depth, lost: 0 });
        };
        if number == 39 && lost > 0 {
            let (start, duration) = (at(-100), Nanos::from_millis(2));
            for thread in [ZoneThread::Sim, ZoneThread::Worker(0)] {
                inspector.ingest_zone(thread, Zone { name: "lost", start, duration, depth: 0, lost });
            }
            continue;
        }
        zone(ZoneThread::Sim, "sweep motions", 1, 5, 40);
        zone(ZoneThread::Sim, "tick", 0, 0, 95);
        for number in 0..workers {
            let later = i64::from(number % 5);
            for (name, from, to) in [("sweep motions", 8, 34), ("roll poses", 45, 60), ("copy poses", 70, 85)]
            {
                zone(ZoneThread::Worker(number), name, 1, from + later, to + later);
                zone(ZoneThread::Worker(number), "logic job", 0, from + later, to + later);
            }
            if number == 0 {
                zone(ZoneThread::Worker(0), "physics job", 0, 110, 280);
            }
        }
    }
    let size = [640.0, 290.0];
    let builder = Harness::builder().with_size(size).with_theme(theme).with_context_setup(|ctx| {
        ctx.set_fonts(fonts::fonts());
        Theme::install(ctx, &FontFamilies::default());
    });
    let mut harness = builder.wgpu().build_ui(move |ui| {
        let screen = Rect::from_min_size(egui::Pos2::ZERO, size.into());
        ui.painter().rect_filled(screen, 0.0, Theme::of(ui).bg1);
        ui.scope_builder(UiBuilder::new().max_rect(screen), |ui| {
            drop(inspector.panel_ui(ui, Panel::Timeline, &LiveView::default()));
        });
    });
    harness.run_steps(3);
    harness
}

/// What was lost is hatched in the colour of what was dropped, in the lanes of which it was.
#[test]
fn lost_zones_are_seen_in_their_lanes() {
    for (theme, named) in [(egui::Theme::Dark, "dark"), (egui::Theme::Light, "light")] {
        let drop_colour = if theme == egui::Theme::Dark { Theme::dark() } else { Theme::light() }.drop;
        let marked = |losses| {
            let mut harness = shared_ticks(theme, 2, losses);
            let picture = harness.render().expect("the software adapter draws");
            if let Some(folder) = std::env::var_os("FRAMEWALK_PICTURES") {
                let path = std::path::Path::new(&folder).join(format!("lost-{named}-{losses}.png"));
                std::fs::create_dir_all(&folder).expect("the folder can be made");
                picture.save(path).expect("the picture can be written");
            }
            picture.pixels().filter(|pixel| pixel.0 == drop_colour.to_array()).count()
        };
        let (none, some) = (marked(0), marked(12));
        assert!(some > none + 200, "{named}: {none} and {some} pixels");
    }
}

#[test]
fn workers_have_lanes_in_the_timeline_however_many_they_are() {
    for (theme, named) in [(egui::Theme::Dark, "dark"), (egui::Theme::Light, "light")] {
        for workers in [1, 2, 7, 48] {
            let mut harness = shared_ticks(theme, workers, 0);
            harness.get_by_label_contains(&format!("{workers} worker"));
            harness.get_by_label_contains("worker 0: ");
            let picture = harness.render().expect("the software adapter draws");
            if let Some(folder) = std::env::var_os("FRAMEWALK_PICTURES") {
                let path = std::path::Path::new(&folder).join(format!("workers-{named}-{workers}.png"));
                std::fs::create_dir_all(&folder).expect("the folder can be made");
                picture.save(path).expect("the picture can be written");
            }
        }
    }
}
