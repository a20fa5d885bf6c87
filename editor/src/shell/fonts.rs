//! The two faces everything is set in, compiled into the program.

use std::sync::Arc;

use egui::{FontData, FontDefinitions, FontFamily};

/// The family of headings and of what must stand out: Inter, semi-bold.
pub const STRONG: &str = "strong";

/// Sets text in Inter and figures in JetBrains Mono; each falls back to the other for a character it lacks.
pub fn install(ctx: &egui::Context) {
    ctx.set_fonts(definitions());
}

fn definitions() -> FontDefinitions {
    let mut fonts = FontDefinitions::empty();
    let faces: [(&str, &'static [u8]); 3] = [
        ("Inter", include_bytes!("../../../assets/fonts/Inter-Regular.otf")),
        ("Inter SemiBold", include_bytes!("../../../assets/fonts/Inter-SemiBold.otf")),
        ("JetBrains Mono", include_bytes!("../../../assets/fonts/JetBrainsMono-Regular.ttf")),
    ];
    for (name, bytes) in faces {
        fonts.font_data.insert(name.to_owned(), Arc::new(FontData::from_static(bytes)));
    }
    let families = [
        (FontFamily::Proportional, ["Inter", "JetBrains Mono"]),
        (FontFamily::Monospace, ["JetBrains Mono", "Inter"]),
        (FontFamily::Name(STRONG.into()), ["Inter SemiBold", "JetBrains Mono"]),
    ];
    for (family, names) in families {
        fonts.families.insert(family, names.map(str::to_owned).to_vec());
    }
    fonts
}
