//! The panel with lines that come and go under it.

use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use tracing_subscriber::layer::SubscriberExt;

use framewalk_inspector::theme::FontFamilies;

use super::*;
use crate::log_lines;

struct Reader {
    view: LogView,
    lines: LogLines,
    subscriber: tracing::Dispatch,
    actions: Vec<Action>,
    written: u32,
}

impl Reader {
    fn write(&mut self, count: u32) {
        let subscriber = self.subscriber.clone();
        tracing::dispatcher::with_default(&subscriber, || {
            for _ in 0..count {
                tracing::info!("line {}", self.written);
                self.written += 1;
            }
        });
        self.lines.drain();
    }
}

fn panel() -> Harness<'static, Reader> {
    let (layer, lines) = log_lines::channel();
    let subscriber = tracing::Dispatch::new(tracing_subscriber::registry().with(layer));
    let reader = Reader { view: LogView::default(), lines, subscriber, actions: Vec::new(), written: 0 };
    Harness::builder()
        .with_size([700.0, 300.0])
        .with_max_steps(20)
        .with_context_setup(|ctx| {
            crate::shell::fonts::install(ctx);
            Theme::install(ctx, &FontFamilies::default());
        })
        .build_ui_state(|ui, reader: &mut Reader| ui_of(ui, reader), reader)
}

fn ui_of(ui: &mut Ui, reader: &mut Reader) {
    super::ui(ui, &mut reader.view, &reader.lines, Nanos::ZERO, false, &mut reader.actions);
}

/// The lines in sight, from the top.
fn seen(panel: &Harness<'_, Reader>) -> Vec<String> {
    let lines = panel.query_all_by_role(egui::accesskit::Role::ListItem);
    let mut lines: Vec<(f32, String)> =
        lines.filter_map(|node| Some((node.rect().top(), node.accesskit_node().label()?))).collect();
    lines.sort_by(|one, other| one.0.total_cmp(&other.0));
    lines.into_iter().map(|(_, text)| text[text.find("line ").unwrap_or(0)..].to_owned()).collect()
}

fn scroll(panel: &mut Harness<'_, Reader>, points: f32) {
    panel.hover_at(egui::pos2(300.0, 200.0));
    panel.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        source: egui::MouseWheelSource::Unknown,
        delta: vec2(0.0, points),
        phase: egui::TouchPhase::Move,
        modifiers: Modifiers::NONE,
    });
    panel.run();
}

#[test]
fn the_newest_line_stays_in_sight_while_following() {
    let mut panel = panel();
    for _ in 0..3 {
        panel.state_mut().write(500);
        panel.run();
        let newest = format!("line {}", panel.state().written - 1);
        assert_eq!(seen(&panel).last(), Some(&newest));
    }
}

#[test]
fn the_line_being_read_stays_in_place_while_others_come_and_old_ones_go() {
    let mut panel = panel();
    panel.state_mut().write(1_990);
    panel.run();
    scroll(&mut panel, 2_000.0);
    assert!(!panel.state().view.follow, "scrolling up is reading");
    let before = seen(&panel);
    for _ in 0..5 {
        panel.state_mut().write(100);
        panel.run();
        assert_eq!(seen(&panel), before);
    }
    scroll(&mut panel, -1.0e6);
    assert!(panel.state().view.follow, "scrolled to the end: it is followed again");
    assert_eq!(seen(&panel).last().unwrap(), "line 2489");
}

#[test]
fn marked_lines_are_copied_and_no_others() {
    let mut panel = panel();
    panel.state_mut().write(5);
    panel.run();
    panel.get_by_label_contains("line 1").click();
    panel.run();
    assert_eq!(panel.state().view.marked, Some((1, 1)));
    panel.get_by_label("Copy").click();
    panel.run();
    let Some(Action::CopyText(text)) = panel.state().actions.last() else { panic!("nothing was copied") };
    assert!(text.ends_with("line 1\n") && text.lines().count() == 1, "{text}");
}
