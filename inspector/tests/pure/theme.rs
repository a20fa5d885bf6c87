use egui::{Color32, Context};
use framewalk_inspector::theme::{FontFamilies, Theme};
use framewalk_runtime::frame::stage::Stage;

/// Relative luminance after WCAG 2.
fn luminance(color: Color32) -> f64 {
    let channel = |value: u8| {
        let value = f64::from(value) / 255.0;
        if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(color.r()) + 0.7152 * channel(color.g()) + 0.0722 * channel(color.b())
}

fn contrast(a: Color32, b: Color32) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn the_dark_tokens_are_those_of_the_look() {
    let dark = Theme::dark();
    assert_eq!(dark.bg1, Color32::from_rgb(0x19, 0x1c, 0x22));
    assert_eq!(dark.run, Color32::from_rgb(0xf0, 0xa0, 0x30));
    assert_eq!(dark.stage(Stage::RunMaintenance), Color32::from_rgb(0x8f, 0x98, 0xa8));
    assert_eq!(dark.drop, Color32::from_rgb(0xea, 0x5a, 0x50));
}

#[test]
fn text_is_readable_on_every_background_of_both_themes() {
    for theme in [Theme::dark(), Theme::light()] {
        for background in [theme.bg0, theme.bg1, theme.bg2, theme.selection, theme.run_faded] {
            assert!(contrast(theme.text, background) > 7.0, "text on {background:?}");
            assert!(contrast(theme.dim, background) > 3.5, "dim on {background:?}");
        }
        for mark in [theme.ok, theme.late, theme.drop, theme.alpha, theme.run] {
            assert!(contrast(mark, theme.bg1) > 3.0, "{mark:?} on the panel");
        }
        for stage in theme.stages {
            assert!(contrast(stage, theme.bg1) > 2.9, "{stage:?} on the panel");
        }
    }
}

#[test]
fn installing_gives_each_mode_its_own_panel_colour() {
    let ctx = Context::default();
    Theme::install(&ctx, &FontFamilies::default());
    assert_eq!(ctx.style_of(egui::Theme::Dark).visuals.panel_fill, Theme::dark().bg1);
    assert_eq!(ctx.style_of(egui::Theme::Light).visuals.panel_fill, Theme::light().bg1);
}
