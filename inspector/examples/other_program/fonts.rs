//! Faces for the panels. Any will do; these are the ones the editor ships.

pub fn fonts() -> egui::FontDefinitions {
    let mut fonts = egui::FontDefinitions::empty();
    for (name, family, bytes) in [
        (
            "Inter",
            egui::FontFamily::Proportional,
            include_bytes!("../../../assets/fonts/Inter-Regular.otf").as_slice(),
        ),
        (
            "JetBrains Mono",
            egui::FontFamily::Monospace,
            include_bytes!("../../../assets/fonts/JetBrainsMono-Regular.ttf").as_slice(),
        ),
    ] {
        fonts.font_data.insert(name.to_owned(), std::sync::Arc::new(egui::FontData::from_static(bytes)));
        fonts.families.entry(family).or_default().push(name.to_owned());
    }
    fonts
}
