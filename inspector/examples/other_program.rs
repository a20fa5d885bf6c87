//! The inspector in a window of another program: its panels fed by the records of a made-up frame loop.
//!
//! `cargo run -p framewalk-inspector --example other_program`

#[path = "other_program/fonts.rs"]
mod fonts;
#[path = "other_program/frame_loop.rs"]
mod frame_loop;

use eframe::egui;
use frame_loop::FrameLoop;
use framewalk_inspector::theme::{FontFamilies, size};
use framewalk_inspector::{Inspector, InspectorAction, KeyNames, LiveView, Panel, RunPhase, Theme};

fn main() -> eframe::Result {
    let options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default().with_inner_size([1200.0, 420.0]),
        ..eframe::NativeOptions::default()
    };
    eframe::run_native(
        "Another program",
        options,
        Box::new(|creation| {
            creation.egui_ctx.set_fonts(fonts::fonts());
            Theme::install(&creation.egui_ctx, &FontFamilies::default());
            Ok(Box::new(OtherProgram {
                inspector: Inspector::default(),
                frames: FrameLoop::new(1, 144),
                tab: Panel::Stages,
                owed_frames: 0.0,
            }))
        }),
    )
}

struct OtherProgram {
    inspector: Inspector,
    frames: FrameLoop,
    tab: Panel,
    // Frames of the made-up loop due since the last pass.
    owed_frames: f32,
}

impl eframe::App for OtherProgram {
    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        self.owed_frames += ui.input(|input| input.stable_dt).min(0.25) * 144.0;
        while self.owed_frames >= 1.0 {
            self.owed_frames -= 1.0;
            let news = self.frames.next_frame();
            self.inspector.ingest_frame(news.frame);
            news.rendered.into_iter().for_each(|record| self.inspector.ingest_render(record));
            news.shown.into_iter().for_each(|record| self.inspector.ingest_shown(record));
        }
        self.keys(ui);
        let live = LiveView {
            state: RunPhase::Playing,
            keys: KeyNames { go_live: "End", ..KeyNames::default() },
            ..LiveView::default()
        };
        let theme = Theme::of(ui);
        ui.painter().rect_filled(ui.max_rect(), 0.0, theme.bg1);
        let mut action = None;
        let area = ui.available_rect_before_wrap();
        let (top, rest) = area.split_top_bottom_at_y(area.top() + size::STRIP_HEIGHT);
        let (left, right) = rest.split_left_right_at_fraction(0.45);
        ui.scope_builder(egui::UiBuilder::new().max_rect(top), |ui| {
            action = self.inspector.strip_ui(ui, &live);
        });
        ui.scope_builder(egui::UiBuilder::new().max_rect(left), |ui| {
            ui.horizontal(|ui| {
                ui.selectable_value(&mut self.tab, Panel::Stages, Panel::Stages.title());
                ui.selectable_value(&mut self.tab, Panel::Record, Panel::Record.title());
                action = self.inspector.figures_ui(ui, &live).or(action.take());
            });
            action = self.inspector.panel_ui(ui, self.tab, &live).or(action.take());
        });
        ui.scope_builder(egui::UiBuilder::new().max_rect(right), |ui| {
            action = self.inspector.panel_ui(ui, Panel::Pacing, &live).or(action.take());
        });
        if let Some(InspectorAction::Copy(text)) = action {
            ui.ctx().copy_text(text);
        }
        ui.ctx().request_repaint();
    }
}

impl OtherProgram {
    fn keys(&mut self, ui: &egui::Ui) {
        let pressed = |key| ui.input(|input| input.key_pressed(key));
        if pressed(egui::Key::End) {
            self.inspector.go_live();
        }
        if pressed(egui::Key::ArrowLeft) {
            self.inspector.walk(-1);
        }
        if pressed(egui::Key::ArrowRight) {
            self.inspector.walk(1);
        }
    }
}
