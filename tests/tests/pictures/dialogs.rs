//! The dialogs in both themes, each over an empty window, with facts that are the same on every machine.

use std::path::PathBuf;

use egui::Vec2;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use framewalk::command::Situation;
use framewalk::command::keymap::Keymap;
use framewalk::project::leaving::{Leaving, Next};
use framewalk::project::store::recovery::Recovered;
use framewalk::session::Phase;
use framewalk::settings::{Settings, ThreadSettings};
use framewalk::shell::dialog::Dialogs;
use framewalk::shell::fonts;
use framewalk::shell::preferences::PreferencesFacts;
use framewalk::shell::question::Question;
use framewalk_inspector::Theme;
use framewalk_inspector::theme::FontFamilies;
use image::DynamicImage;

use super::{ShotTheme, args, begin, hold, mismatch_of};

const SITUATION: Situation = Situation {
    phase: Phase::Edit,
    project_open: true,
    scene_broken: false,
    something_marked: false,
    something_selected: false,
    scene_has_camera: true,
    places_kept: 0,
    can_undo: true,
    can_redo: false,
    dirty: true,
    any_unsaved: true,
    scenes_open: 2,
    read_only: false,
};

/// What is open, over nothing.
struct Desk {
    dialogs: Dialogs,
    settings: Settings,
    keymap: Keymap,
}

/// Puts one dialog up, in a window of this size.
fn show(
    theme: ShotTheme,
    size: [f32; 2],
    open: impl FnOnce(&mut Dialogs, &egui::Context) + 'static,
) -> Harness<'static, Desk> {
    let threads = ThreadSettings { workers: Some(1), own_cores: true, ..ThreadSettings::default() };
    let settings = Settings { threads, ..Settings::default() };
    let keymap = Keymap::default();
    let desk = Desk { dialogs: Dialogs::default(), settings, keymap };
    let mut open = Some(open);
    let mut harness =
        Harness::builder().with_size(Vec2::from(size)).with_max_steps(30).wgpu().build_ui_state(
            move |ui, desk: &mut Desk| {
                let ctx = ui.ctx().clone();
                if let Some(open) = open.take() {
                    fonts::install(&ctx);
                    Theme::install(&ctx, &FontFamilies::default());
                    ctx.set_theme(match theme {
                        ShotTheme::Dark => egui::Theme::Dark,
                        ShotTheme::Light => egui::Theme::Light,
                    });
                    open(&mut desk.dialogs, &ctx);
                    // Fonts are there from the next pass on.
                    ctx.request_repaint();
                    return;
                }
                ui.painter().rect_filled(ui.ctx().content_rect(), 0.0, Theme::of(ui).bg0);
                let facts = PreferencesFacts {
                    settings: &desk.settings,
                    keymap: &desk.keymap,
                    file: "/home/ann/.config/framewalk/settings.ron",
                    cores: 4,
                };
                desk.dialogs.ui(&ctx, &facts, &SITUATION, &mut Vec::new());
            },
            desk,
        );
    harness.run();
    harness
}

/// How it differs from its picture; nothing where it does not.
fn compared(harness: &mut Harness<'_, Desk>, name: &str, theme: ShotTheme) -> Option<String> {
    let suffix = match theme {
        ShotTheme::Dark => "dark",
        ShotTheme::Light => "light",
    };
    let drawn = harness.render().unwrap();
    mismatch_of(&format!("dialog-{name}-{suffix}.png"), &DynamicImage::ImageRgba8(drawn).into_rgb8())
}

fn scene() -> PathBuf {
    PathBuf::from("/home/ann/games/marbles/scenes/main.ron")
}

fn recovered() -> Question {
    let recovered = Recovered {
        file: PathBuf::from("/home/ann/.local/share/framewalk/main.ron"),
        scene: scene(),
        base: 1,
        text: String::new(),
    };
    let differs = ["1 entity added: Cube", "Ball 07: position, colour", "the sun's direction"];
    Question::Recovered { recovered: Box::new(recovered), differs: differs.map(str::to_owned).to_vec() }
}

fn unsaved(others: usize) -> Question {
    let leaving = Leaving::from(Next::Quit);
    Question::Unsaved { scene: "main.ron".to_owned(), is_gone: false, others, leaving }
}

fn preferences(theme: ShotTheme) -> Vec<String> {
    let mut harness = show(theme, [640.0, 560.0], |dialogs, ctx| dialogs.open_preferences(ctx));
    let mut found: Vec<_> = compared(&mut harness, "preferences", theme).into_iter().collect();
    harness.get_by_label("/home/ann/.config/framewalk/settings.ron").scroll_to_me();
    harness.run();
    found.extend(compared(&mut harness, "preferences-threads", theme));
    harness.get_by_label("Keys").click();
    harness.run();
    found.extend(compared(&mut harness, "preferences-keys", theme));
    found
}

fn questions(theme: ShotTheme) -> Vec<String> {
    let all = [("unsaved", unsaved(0)), ("unsaved-several", unsaved(2)), ("recovery", recovered())];
    let asked = all.into_iter().filter_map(|(name, question)| {
        let mut harness = show(theme, [540.0, 230.0], |dialogs, _| dialogs.ask(question));
        compared(&mut harness, name, theme)
    });
    let mut found: Vec<_> = asked.collect();
    let mut harness = show(theme, [640.0, 300.0], |dialogs, ctx| dialogs.open_palette(ctx));
    harness.get_by_label("Find a command").type_text("add a cube");
    harness.run();
    found.extend(compared(&mut harness, "palette", theme));
    found
}

/// Nothing can be drawn here.
fn is_blind() -> bool {
    begin(&args(ShotTheme::Dark)).is_none()
}

#[test]
fn the_preferences_look_as_their_pictures_in_both_themes() {
    if is_blind() {
        return;
    }
    let mut found = preferences(ShotTheme::Dark);
    found.extend(preferences(ShotTheme::Light));
    hold(&found);
}

#[test]
fn questions_and_the_palette_look_as_their_pictures_in_both_themes() {
    if is_blind() {
        return;
    }
    let mut found = questions(ShotTheme::Dark);
    found.extend(questions(ShotTheme::Light));
    hold(&found);
}
