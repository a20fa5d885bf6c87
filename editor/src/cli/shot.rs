//! `framewalk shot`: a picture of the editor, or of one of its panels, drawn without a window.

mod studio;

use std::path::PathBuf;
use std::sync::Arc;

use framewalk_runtime::render::gpu::RgbaImage;
use framewalk_runtime::scene::EntityId;
use framewalk_runtime::scene::fault::nearest_name;
use framewalk_runtime::sim::Control;
use framewalk_runtime::time::Nanos;

use self::studio::Studio;
use super::args::{ShotArgs, ShotTheme};
use super::run::pictures::png;
use super::{CliError, files};
use crate::app::{EditorApp, EditorOptions};
use crate::command::EditorCommand;
use crate::log_lines::{self, LogLines};
use crate::panels::Pane;
use crate::project::stem;
use crate::project::store::SettingsStore;
use crate::session::FrameRateChoice;
use crate::session::run::Drive;
use crate::settings::{Settings, ThemeChoice};
use crate::shell::status::Severity;

/// The window is looked at this often: no whole number of ticks of a usual rate, so that alpha moves.
const PASS: Nanos = Nanos(23_456_789);
/// Passes after the last change, until everything has its place and its fonts.
const SETTLING_PASSES: i64 = 4;

/// Leaves one picture of the editor, or of one panel, in a file.
///
/// The user's settings are neither read nor written, and all time is a manual clock's: the same call gives the same
/// frames.
///
/// # Errors
/// A project, scene, panel or entity that is not there, no adapter, or a file that cannot be written.
pub fn shot(args: &ShotArgs) -> Result<(), CliError> {
    let pane = args.panel.as_deref().map(named_pane).transpose()?;
    files::refuse_unwritable(&args.output, "the picture").map_err(CliError::fault)?;
    let mut sitting = Sitting::begin(args, log_lines::channel().1, pane)?;
    let image = sitting.picture(pane, args.size)?;
    let bytes =
        png(&image).map_err(|problem| CliError::fault(format!("error: no PNG could be made: {problem}")))?;
    files::write_output(&args.output, "the picture", &bytes)
}

/// An editor that nobody sees, brought to the moment that pictures are wanted of.
pub struct Sitting {
    studio: Studio,
    editor: EditorApp,
    // Deleted with it.
    _settings: tempfile::TempDir,
}

impl Sitting {
    /// Opens the project, lets the scene run for as long as `args` say, and stands still there. `pane` is drawn
    /// meanwhile.
    ///
    /// # Errors
    /// As [`shot`].
    pub fn begin(args: &ShotArgs, log: LogLines, pane: Option<Pane>) -> Result<Self, CliError> {
        if args.stages > 0 && args.seconds == Nanos::ZERO {
            return Err(CliError::Usage("--stages needs a scene that runs: --seconds above 0".to_owned()));
        }
        let folder = tempfile::tempdir()
            .map_err(|error| CliError::fault(format!("error: no temporary folder: {error}")))?;
        let settings = SettingsStore::in_folder(folder.path());
        settings.write(&first_settings(args)).map_err(CliError::fault)?;
        let studio = Studio::new(args.size, args.software)
            .map_err(|problem| CliError::fault(format!("error: {problem}")))?;
        let editor = opened(&studio, settings, log, args.project.clone())?;
        let mut sitting = Self { studio, editor, _settings: folder };
        sitting.editor.alone = pane;
        sitting.set_up(args)?;
        Ok(sitting)
    }

    fn set_up(&mut self, args: &ShotArgs) -> Result<(), CliError> {
        if let Some(scene) = &args.scene {
            open_scene(&mut self.editor, scene)?;
        }
        if let Some(rate) = args.tick_rate {
            self.editor.set_tick_rate(rate);
        }
        if let Some(rate) = args.frame_rate {
            self.editor.set_frame_rate(FrameRateChoice::Fixed(rate));
        }
        if let Some(handoff) = args.handoff {
            self.editor.set_handoff(handoff);
        }
        self.play(args.seconds);
        if let Some(name) = &args.select {
            self.select(name)?;
        }
        for _ in 0..args.stages {
            self.editor.control(Control::StepStage);
            self.passes(SETTLING_PASSES);
        }
        Ok(())
    }

    /// Plays for so long and pauses there; without any time the scene stands as it was made.
    fn play(&mut self, time: Nanos) {
        self.passes(SETTLING_PASSES);
        if time > Nanos::ZERO {
            self.editor.run_command(EditorCommand::PlayOrResume);
            self.passes(1);
            self.editor.set_virtual_step(PASS);
            // By its own clock: a frame that costs more than a pass takes it further than one.
            let goes_on = |editor: &EditorApp| {
                let session = editor.workspace().map(|open| &open.session);
                session.is_some_and(|session| {
                    session.failure().is_none() && session.now().is_some_and(|now| now < time)
                })
            };
            while goes_on(&self.editor) {
                self.passes(1);
            }
            self.editor.control(Control::Pause);
            self.passes(SETTLING_PASSES);
            self.editor.set_virtual_step(Nanos::ZERO);
        }
        self.passes(SETTLING_PASSES);
    }

    /// Gives a command, as a key or a menu would.
    pub fn command(&mut self, command: EditorCommand) {
        self.editor.run_command(command);
        self.passes(SETTLING_PASSES);
    }

    /// Selects the first entity of this name.
    ///
    /// # Errors
    /// There is none: a sentence, with the nearest name.
    pub fn select(&mut self, name: &str) -> Result<(), CliError> {
        let entity = named_entity(&self.editor, name)?;
        self.editor.select(Some(entity));
        self.passes(SETTLING_PASSES);
        Ok(())
    }

    fn passes(&mut self, count: i64) {
        (0..count).for_each(|_| self.studio.pass(&mut self.editor));
    }

    /// One panel in a picture of its own, or the whole window.
    ///
    /// # Errors
    /// Nothing can be drawn: a sentence.
    pub fn picture(&mut self, pane: Option<Pane>, size: [u32; 2]) -> Result<RgbaImage, CliError> {
        self.studio.resize(size);
        self.editor.alone = pane;
        self.passes(SETTLING_PASSES);
        self.studio.picture().map_err(|problem| CliError::fault(format!("error: {problem}")))
    }
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

fn opened(
    studio: &Studio,
    settings: SettingsStore,
    log: LogLines,
    project: PathBuf,
) -> Result<EditorApp, CliError> {
    let options = EditorOptions {
        settings,
        log,
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
    editor.show_only(&found);
    let faults =
        editor.workspace().map(|workspace| workspace.scenes.front.file.faults.clone()).unwrap_or_default();
    if faults.is_empty() { Ok(()) } else { Err(CliError::Fault(faults)) }
}

fn named_entity(editor: &EditorApp, name: &str) -> Result<EntityId, CliError> {
    let workspace = editor.workspace();
    let authored =
        workspace.and_then(|open| open.scenes.front.authored.as_ref()).map_or(&[][..], |world| world.rows());
    let seen = workspace.and_then(|open| open.session.observation());
    let rows = seen.map_or(authored, |seen| &seen.entities);
    if let Some(row) = rows.iter().find(|row| row.name == name) {
        return Ok(row.id);
    }
    let near = nearest_name(name, rows.iter().map(|row| row.name.as_str()));
    let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    Err(CliError::Usage(format!("--select: the scene has no entity `{name}`{near}")))
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
