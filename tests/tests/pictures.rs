//! Every panel in both themes, beside the picture that was accepted of it: `tests/pictures/`.
//!
//! All of it on a manual clock and on a software adapter; without one there is nothing to compare. On a mismatch the new
//! picture and the difference lie in `target/pictures/`. Look at them; `FRAMEWALK_ACCEPT_PICTURES=1 cargo test --test
//! pictures` accepts what is drawn now.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

#[path = "pictures/dialogs.rs"]
mod dialogs;

use std::path::{Path, PathBuf};

use framewalk::cli::args::{Output, ShotArgs, ShotTheme};
use framewalk::cli::shot::Sitting;
use framewalk::command::{EditorCommand, NewEntity};
use framewalk::log_lines::{LogLine, LogLines};
use framewalk::panels::Pane;
use framewalk_runtime::frame::record::HandoffMode;
use framewalk_runtime::render::gpu::RgbaImage;
use framewalk_runtime::time::Nanos;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder, RgbImage};

/// A channel may differ by so much: software adapters round edges and gradients a little differently.
const SAME_CHANNEL: u8 = 8;
/// So many pixels of a hundred thousand may differ by more.
const OTHER_PIXELS: usize = 20;
/// All pictures together, in bytes: they are part of every clone.
const MOST_BYTES: u64 = 1_900_000;

const SIZES: [(Pane, [u32; 2]); 17] = [
    (Pane::Outliner, [230, 300]),
    (Pane::Scene, [420, 260]),
    (Pane::Camera, [300, 180]),
    (Pane::Properties, [300, 460]),
    (Pane::Project, [300, 420]),
    (Pane::History, [260, 120]),
    (Pane::Strip, [700, 66]),
    (Pane::Stages, [640, 270]),
    (Pane::Timeline, [560, 230]),
    (Pane::Record, [760, 420]),
    (Pane::Log, [560, 150]),
    (Pane::Problems, [560, 150]),
    (Pane::Pacing, [620, 280]),
    (Pane::Handoff, [560, 230]),
    (Pane::Histogram, [560, 230]),
    (Pane::Threads, [560, 180]),
    (Pane::Compare, [560, 160]),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("pictures")
}

/// Paused in an open frame, four of its stages done, a falling ball selected.
fn args(theme: ShotTheme) -> ShotArgs {
    ShotArgs {
        project: Path::new(env!("CARGO_MANIFEST_DIR")).join("../projects/first-steps"),
        output: Output::Stdout,
        scene: None,
        panel: None,
        size: [420, 260],
        theme,
        tick_rate: None,
        frame_rate: Some("144".parse().unwrap()),
        handoff: None,
        seconds: Nanos::from_millis(700),
        stages: 4,
        select: Some("Ball 07".to_owned()),
        software: true,
    }
}

fn log() -> LogLines {
    use tracing::Level;
    let line = |millis, level, source: &str, text: &str| LogLine {
        at: Nanos::from_millis(millis),
        level,
        source: source.to_owned(),
        text: text.to_owned(),
    };
    LogLines::of([
        line(12, Level::INFO, "framewalk", "Opened first-steps."),
        line(1_204, Level::INFO, "framewalk_runtime::handoff", "thread_started name=render"),
        line(1_871, Level::WARN, "framewalk_runtime::handoff", "frame_dropped dropped=97 replaced_by=98"),
        line(2_950, Level::ERROR, "framewalk", "The run has failed: frame 203, stage run_scheduler"),
        line(3_000, Level::DEBUG, "framewalk::project::watch", "read again main.ron"),
    ])
}

/// `None` where nothing can be drawn here.
fn begin(args: &ShotArgs) -> Option<Sitting> {
    match Sitting::begin(args, log(), Some(Pane::Scene)) {
        Ok(sitting) => Some(sitting),
        Err(error) if error.to_string().contains("nothing can be drawn here") => {
            eprintln!("no picture is compared: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// Which of the pictures are not as they were accepted, each with what to do.
fn mismatches(sitting: &mut Sitting, suffix: &str, sizes: &[(Pane, [u32; 2])]) -> Vec<String> {
    let mut found = Vec::new();
    for &(pane, size) in sizes {
        let name = format!("{}-{suffix}.png", pane.title().to_lowercase());
        let drawn = sitting.picture(Some(pane), size).unwrap();
        found.extend(mismatch(&name, &drawn));
    }
    found
}

fn mismatch(name: &str, drawn: &RgbaImage) -> Option<String> {
    mismatch_of(name, &rgb(drawn))
}

fn mismatch_of(name: &str, drawn: &RgbImage) -> Option<String> {
    let accepted_at = folder().join(name);
    let accepted = image::open(&accepted_at).ok().map(image::DynamicImage::into_rgb8);
    let problem = match &accepted {
        None => "there is no accepted picture".to_owned(),
        Some(accepted) => compare(accepted, drawn)?,
    };
    if std::env::var_os("FRAMEWALK_ACCEPT_PICTURES").is_some() {
        save(&accepted_at, drawn);
        return None;
    }
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../pictures");
    std::fs::create_dir_all(&out).unwrap();
    save(&out.join(name), drawn);
    if let Some(accepted) = accepted.filter(|accepted| accepted.dimensions() == drawn.dimensions()) {
        save(&out.join(name.replace(".png", "-difference.png")), &difference(&accepted, drawn));
    }
    Some(format!("{name}: {problem}; see {}", out.display()))
}

/// What differs, in words; `None` where nothing does that an adapter could not do.
fn compare(accepted: &RgbImage, drawn: &RgbImage) -> Option<String> {
    if accepted.dimensions() != drawn.dimensions() {
        return Some(format!("its size is {:?}, not {:?}", drawn.dimensions(), accepted.dimensions()));
    }
    let others =
        accepted.pixels().zip(drawn.pixels()).filter(|(a, b)| apart(a.0, b.0) > SAME_CHANNEL).count();
    let pixels = accepted.pixels().len();
    (others * 100_000 > OTHER_PIXELS * pixels).then(|| format!("{others} of {pixels} pixels differ"))
}

fn apart(a: [u8; 3], b: [u8; 3]) -> u8 {
    (0..3).map(|channel| a[channel].abs_diff(b[channel])).max().unwrap_or(0)
}

/// White where they differ, over a faint copy of what was accepted.
fn difference(accepted: &RgbImage, drawn: &RgbImage) -> RgbImage {
    RgbImage::from_fn(drawn.width(), drawn.height(), |x, y| {
        let (a, b) = (accepted.get_pixel(x, y).0, drawn.get_pixel(x, y).0);
        if apart(a, b) > SAME_CHANNEL {
            image::Rgb([255; 3])
        } else {
            image::Rgb(a.map(|channel| channel / 4))
        }
    })
}

fn rgb(image: &RgbaImage) -> RgbImage {
    let pixels = image.pixels.as_chunks::<4>().0.iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect();
    RgbImage::from_raw(image.width, image.height, pixels).unwrap()
}

fn save(path: &Path, image: &RgbImage) {
    let mut bytes = Vec::new();
    PngEncoder::new_with_quality(&mut bytes, CompressionType::Best, FilterType::Adaptive)
        .write_image(image, image.width(), image.height(), ExtendedColorType::Rgb8)
        .unwrap();
    std::fs::write(path, bytes).unwrap();
}

fn hold(found: &[String]) {
    assert!(
        found.is_empty(),
        "{}\nLook at them. `FRAMEWALK_ACCEPT_PICTURES=1 cargo test --test pictures` accepts what is drawn now.",
        found.join("\n")
    );
}

#[test]
fn every_panel_of_a_paused_frame_looks_as_its_picture_in_the_dark() {
    let Some(mut sitting) = begin(&args(ShotTheme::Dark)) else { return };
    hold(&mismatches(&mut sitting, "dark", &SIZES));
}

#[test]
fn every_panel_of_a_paused_frame_looks_as_its_picture_in_the_light() {
    let Some(mut sitting) = begin(&args(ShotTheme::Light)) else { return };
    hold(&mismatches(&mut sitting, "light", &SIZES));
}

#[test]
fn panels_with_nothing_to_show_look_as_their_pictures() {
    let nothing = ShotArgs { seconds: Nanos::ZERO, stages: 0, select: None, ..args(ShotTheme::Dark) };
    let Some(mut sitting) = begin(&nothing) else { return };
    let empty = [(Pane::Stages, [420, 160]), (Pane::Properties, [260, 120]), (Pane::Strip, [700, 66])];
    hold(&mismatches(&mut sitting, "empty", &empty));
}

/// In Edit: three things made, the last of them undone, one of them selected.
fn edited(theme: ShotTheme, suffix: &str) -> Vec<String> {
    let edit = ShotArgs { seconds: Nanos::ZERO, stages: 0, select: None, ..args(theme) };
    let Some(mut sitting) = begin(&edit) else { return Vec::new() };
    for command in [
        EditorCommand::Add(NewEntity::Spawner),
        EditorCommand::Add(NewEntity::Sphere),
        EditorCommand::Add(NewEntity::Cube),
        EditorCommand::Undo,
        EditorCommand::Add(NewEntity::Player),
        EditorCommand::ToggleHidden,
        EditorCommand::Undo,
        EditorCommand::SelectAll,
        EditorCommand::ClearSelection,
    ] {
        sitting.command(command);
    }
    sitting.select("Spawner").unwrap();
    let panes = [(Pane::History, [260, 180]), (Pane::Properties, [300, 560]), (Pane::Outliner, [230, 300])];
    mismatches(&mut sitting, suffix, &panes)
}

#[test]
fn panels_of_an_edited_scene_look_as_their_pictures_in_both_themes() {
    let mut found = edited(ShotTheme::Dark, "edited-dark");
    found.extend(edited(ShotTheme::Light, "edited-light"));
    hold(&found);
}

/// Properties in a panel as narrow as it is at a zoom of 150 %: while a scene runs, and of a new spawner.
fn narrow(theme: ShotTheme, suffix: &str) -> Vec<String> {
    let Some(mut sitting) = begin(&ShotArgs { stages: 0, ..args(theme) }) else { return Vec::new() };
    let mut found = mismatches(&mut sitting, &format!("narrow-{suffix}"), &[(Pane::Properties, [240, 700])]);
    let edit = ShotArgs { seconds: Nanos::ZERO, stages: 0, select: None, ..args(theme) };
    let Some(mut sitting) = begin(&edit) else { return Vec::new() };
    sitting.command(EditorCommand::Add(NewEntity::Spawner));
    let size = [(Pane::Properties, [240, 760])];
    found.extend(mismatches(&mut sitting, &format!("narrow-edited-{suffix}"), &size));
    found
}

#[test]
fn properties_in_a_narrow_panel_look_as_their_pictures_in_both_themes() {
    let mut found = narrow(ShotTheme::Dark, "dark");
    found.extend(narrow(ShotTheme::Light, "light"));
    hold(&found);
}

/// The panels that look otherwise in another handoff.
fn handed_over(theme: ShotTheme, suffix: &str) -> Vec<String> {
    let mut found = Vec::new();
    for handoff in [HandoffMode::Lockstep, HandoffMode::Free] {
        let Some(mut sitting) = begin(&ShotArgs { handoff: Some(handoff), stages: 0, ..args(theme) }) else {
            return Vec::new();
        };
        let suffix = format!("{}-{suffix}", handoff.name());
        found.extend(mismatches(&mut sitting, &suffix, &[(Pane::Handoff, [560, 270])]));
        // There pictures are plotted, and ticks that were never drawn are no loss.
        if handoff == HandoffMode::Free {
            let of_pictures =
                [(Pane::Pacing, [620, 280]), (Pane::Strip, [700, 66]), (Pane::Timeline, [560, 230])];
            found.extend(mismatches(&mut sitting, &suffix, &of_pictures));
        }
    }
    let edit = ShotArgs { seconds: Nanos::ZERO, stages: 0, select: None, ..args(theme) };
    let Some(mut sitting) = begin(&edit) else { return Vec::new() };
    sitting.command(EditorCommand::CompareHandoffs);
    found.extend(mismatches(&mut sitting, &format!("done-{suffix}"), &[(Pane::Compare, [620, 660])]));
    found
}

#[test]
fn the_other_handoffs_and_the_comparison_look_as_their_pictures_in_both_themes() {
    let mut found = handed_over(ShotTheme::Dark, "dark");
    found.extend(handed_over(ShotTheme::Light, "light"));
    hold(&found);
}

#[test]
fn the_same_moment_is_drawn_twice_to_the_pixel() {
    let draw = || {
        let mut sitting = begin(&args(ShotTheme::Dark))?;
        Some(
            [Pane::Stages, Pane::Pacing, Pane::Timeline]
                .map(|pane| sitting.picture(Some(pane), [400, 240]).unwrap()),
        )
    };
    let (Some(once), Some(again)) = (draw(), draw()) else { return };
    assert!(once == again);
}

#[test]
fn all_pictures_together_are_small() {
    let bytes: u64 =
        std::fs::read_dir(folder()).unwrap().map(|file| file.unwrap().metadata().unwrap().len()).sum();
    assert!((1..MOST_BYTES).contains(&bytes), "{bytes} bytes");
}
