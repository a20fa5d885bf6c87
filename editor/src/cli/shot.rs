//! `framewalk shot`: a picture of the editor, or of one of its panels, drawn without a window.

mod studio;

use std::path::PathBuf;
use std::sync::Arc;

use framewalk_runtime::scene::fault::nearest_name;
use framewalk_runtime::sim::Control;
use framewalk_runtime::time::Nanos;

use self::studio::Studio;
use super::args::{ShotArgs, ShotTheme};
use super::load::stem;
use super::run::pictures::png;
use super::{CliError, files};
use crate::app::{EditorApp, EditorOptions};
use crate::command::EditorCommand;
use crate::log_lines;
use crate::project::store::SettingsStore;
use crate::session::FrameRateChoice;
use crate::session::run::Drive;
use crate::settings::{Settings, ThemeChoice};
use crate::shell::dock::Pane;
use crate::shell::status::Severity;

/// The window is looked at this often: no whole number of ticks of a usual rate, so that alpha moves.
const PASS: Nanos = Nanos(23_456_789);
/// Passes after the last change, until everything has its place and its fonts.
const SETTLING_PASSES: i64 = 4;

/// Opens the project in an editor that nobody sees, lets the scene run for a while, and leaves one picture.
///
/// The user's settings are neither read nor written, and all time is a manual clock's: the same call gives the same
/// frames.
///
/// # Errors
/// A project, scene or panel that is not there, no adapter, or a file that cannot be written.
pub fn shot(args: &ShotArgs) -> Result<(), CliError> {
    let pane = args.panel.as_deref().map(named_pane).transpose()?;
    files::refuse_unwritable(&args.output, "the picture").map_err(CliError::fault)?;
    let folder = tempfile::tempdir()
        .map_err(|error| CliError::fault(format!("error: no temporary folder: {error}")))?;
    let settings = SettingsStore::in_folder(folder.path());
    settings.write(&first_settings(args)).map_err(CliError::fault)?;
    let mut studio =
        Studio::new(args.size).map_err(|problem| CliError::fault(format!("error: {problem}")))?;
    let mut editor = opened(&studio, settings, args.project.clone())?;
    if let Some(scene) = &args.scene {
        open_scene(&mut editor, scene)?;
    }
    if let Some(rate) = args.tick_rate {
        editor.set_tick_rate(rate);
    }
    if let Some(rate) = args.frame_rate {
        editor.set_frame_rate(FrameRateChoice::Fixed(rate));
    }
    editor.alone = pane;
    play(&mut studio, &mut editor, args.seconds);
    let image = studio.picture().map_err(|problem| CliError::fault(format!("error: {problem}")))?;
    let bytes =
        png(&image).map_err(|problem| CliError::fault(format!("error: no PNG could be made: {problem}")))?;
    files::write_output(&args.output, "the picture", &bytes)
}

fn first_settings(args: &ShotArgs) -> Settings {
    let theme = match args.theme {
        ShotTheme::Dark => ThemeChoice::Dark,
        ShotTheme::Light => ThemeChoice::Light,
    };
    Settings { theme, tour_taken: true, ..Settings::default() }
}

fn named_pane(name: &str) -> Result<Pane, CliError> {
    let titles = || Pane::ALL.iter().map(|pane| pane.title());
    let found = Pane::ALL.into_iter().find(|pane| pane.title().eq_ignore_ascii_case(name));
    found.ok_or_else(|| {
        let nearest = nearest_name(name, titles()).map(|near| format!("; did you mean `{near}`?"));
        let all = titles().collect::<Vec<_>>().join(", ");
        CliError::Usage(format!(
            "there is no panel `{name}`{}; the panels are {all}",
            nearest.unwrap_or_default()
        ))
    })
}

fn opened(studio: &Studio, settings: SettingsStore, project: PathBuf) -> Result<EditorApp, CliError> {
    let options = EditorOptions {
        settings,
        log: log_lines::channel().1,
        drive: Drive::Virtual { step: Nanos::ZERO },
        link: None,
        gate: Arc::default(),
        project: Some(project),
    };
    let editor = EditorApp::start(studio.ctx(), Some(studio.render_state()), options);
    // A refused scene leaves the project open: a picture of nothing would say that all is well.
    match editor.message().filter(|message| message.severity == Severity::Error) {
        None => Ok(editor),
        Some(message) => {
            let first = format!("error: {}", message.text);
            Err(CliError::Fault(std::iter::once(first).chain(message.details.iter().cloned()).collect()))
        }
    }
}

fn open_scene(editor: &mut EditorApp, name: &str) -> Result<(), CliError> {
    let Some(workspace) = editor.workspace() else { return Ok(()) };
    let scenes = &workspace.project.project.scenes;
    let Some(found) = scenes.iter().find(|scene| stem(scene) == stem(name)).cloned() else {
        let all = scenes.join(", ");
        return Err(CliError::Usage(format!("--scene: the project has no scene `{name}`; it has {all}")));
    };
    editor.open_scene(found);
    let faults =
        editor.workspace().map(|workspace| workspace.project.scene_faults.clone()).unwrap_or_default();
    if faults.is_empty() { Ok(()) } else { Err(CliError::Fault(faults)) }
}

/// Plays for so long and pauses there; without any time the scene stands as it was made.
fn play(studio: &mut Studio, editor: &mut EditorApp, time: Nanos) {
    let mut passes = |editor: &mut EditorApp, count: i64| (0..count).for_each(|_| studio.pass(editor));
    passes(editor, SETTLING_PASSES);
    if time > Nanos::ZERO {
        editor.run_command(EditorCommand::PlayOrResume);
        passes(editor, 1);
        editor.set_virtual_step(PASS);
        passes(editor, time.0.div_euclid(PASS.0) + 1);
        editor.control(Control::Pause);
        passes(editor, SETTLING_PASSES);
        editor.set_virtual_step(Nanos::ZERO);
    }
    passes(editor, SETTLING_PASSES);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panels_are_named_as_their_tabs_whatever_the_case() {
        assert_eq!(named_pane("stages").unwrap(), Pane::Stages);
        let refused = named_pane("Stagse").unwrap_err().to_string();
        assert!(refused.contains("did you mean `Stages`?"), "{refused}");
    }
}
