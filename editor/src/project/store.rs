//! The editor's only file system access: projects, scenes and settings.

pub mod cpu;
pub mod data;
pub mod load;
pub mod lock;
pub mod process;
pub mod reason;
pub mod recovery;
pub mod scenes;
pub mod sound_devices;
pub mod spelt;
pub mod template;
pub mod whole;

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use framewalk_runtime::scene::Scene;
use framewalk_runtime::scene::format::parse_scene;
use framewalk_runtime::scene::project::{Project, parse_project};

use self::load::placed;
use self::reason::reason;
use self::whole::Kind;
use crate::project::{PROJECT_FILE, stem};
use crate::settings::Settings;

/// Overrides where settings are kept; for tests, and for a start that remembers nothing.
pub const CONFIG_DIR_VARIABLE: &str = "FRAMEWALK_CONFIG_DIR";

/// Largest file that is read; a scene of a million entities is smaller.
pub const LARGEST_FILE: u64 = 512 << 20;

/// What may be read beside files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pipes {
    /// A pipe or a device is no place for a project: reading it might wait for ever, or never end.
    Refused,
    /// What a person named, such as the output of another command.
    Read,
}

/// Reads a file whole, up to [`LARGEST_FILE`].
///
/// # Errors
/// What the system says; `Unsupported` for what is no file, `FileTooLarge` beyond the limit.
pub fn read_bytes(path: &Path, pipes: Pipes) -> io::Result<Vec<u8>> {
    read_up_to(LARGEST_FILE, path, pipes)
}

fn read_up_to(most: u64, path: &Path, pipes: Pipes) -> io::Result<Vec<u8>> {
    let metadata = std::fs::metadata(path)?;
    if pipes == Pipes::Refused && !metadata.is_file() && !metadata.is_dir() {
        return Err(io::ErrorKind::Unsupported.into());
    }
    // Also seen without reading it, which would take seconds.
    if metadata.is_file() && metadata.len() > most {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    Ok(bytes)
}

fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read_bytes(path, Pipes::Refused)?).map_err(|_| io::ErrorKind::InvalidData.into())
}

/// A scene file as read: its text, and what became of it.
#[derive(Debug)]
pub struct ReadScene {
    /// Empty where the file could not be read at all.
    pub text: String,
    /// The scene, or every fault as `path:line:column: message`.
    pub scene: Result<Scene, Vec<String>>,
    /// There is no such file.
    pub is_gone: bool,
}

/// The folder of the project at `path`: the folder itself, or the one that holds the given `project.ron`.
///
/// # Errors
/// A sentence when there is no project.
pub fn project_root(path: &Path) -> Result<PathBuf, String> {
    let absolute =
        path.canonicalize().map_err(|error| format!("cannot open {}: {}", path.display(), reason(&error)))?;
    let root = if absolute.is_dir() { Some(absolute) } else { absolute.parent().map(Path::to_owned) };
    match root {
        // Something that is no file too: reading it says what is wrong with it.
        Some(root) if root.join(PROJECT_FILE).symlink_metadata().is_ok() => Ok(root),
        _ => Err(format!(
            "{} is no project: it holds no project.ron. Make one with `framewalk new`",
            path.display()
        )),
    }
}

/// Reads `project.ron`.
///
/// # Errors
/// Every fault as `path:line:column: message`.
pub fn read_project(root: &Path) -> Result<Project, Vec<String>> {
    let file = root.join(PROJECT_FILE);
    let text = load::read_text(&file, Pipes::Refused).map_err(|problem| vec![problem.to_string()])?;
    parse_project(&text).map_err(|faults| placed(&file, faults))
}

/// The text of a scene's file as it is now; empty where it cannot be read.
#[must_use]
pub fn read_scene_text(file: &Path) -> String {
    read_text(file).unwrap_or_default()
}

/// Reads one scene, and checks it.
#[must_use]
pub fn read_scene(file: &Path) -> ReadScene {
    scene_of(file, load::read_text(file, Pipes::Refused))
}

/// The same, unless the file has the text that is known.
#[must_use]
pub fn read_scene_unless(file: &Path, known: Option<&str>) -> Option<ReadScene> {
    let text = load::read_text(file, Pipes::Refused);
    let is_known = matches!(&text, Ok(text) if known == Some(text));
    (!is_known).then(|| scene_of(file, text))
}

fn scene_of(file: &Path, text: Result<String, load::Problem>) -> ReadScene {
    match text {
        Ok(text) => {
            let scene = parse_scene(&text).map_err(|faults| placed(file, faults));
            ReadScene { text, scene, is_gone: false }
        }
        Err(problem) => {
            let scene = Err(vec![problem.to_string()]);
            ReadScene { text: String::new(), scene, is_gone: !is_there(file) }
        }
    }
}

/// Where settings are kept: one file in the user's configuration folder.
#[derive(Clone, Debug)]
pub struct SettingsStore {
    // None where the system names no configuration folder: nothing is remembered then.
    file: Option<PathBuf>,
    // Beside them in tests, else the user's own.
    data: Option<PathBuf>,
}

impl SettingsStore {
    /// The user's own, or the folder that the environment names.
    #[must_use]
    pub fn of_user() -> Self {
        let folder = data::folder_named_by(std::env::var_os(CONFIG_DIR_VARIABLE)).or_else(|| {
            directories::ProjectDirs::from("", "", "framewalk").map(|dirs| dirs.config_dir().to_owned())
        });
        Self { file: folder.map(|folder| folder.join("settings.ron")), data: data::data_folder_of_user() }
    }

    /// In the given folder, and data in a folder inside it.
    #[must_use]
    pub fn in_folder(folder: &Path) -> Self {
        Self { file: Some(folder.join("settings.ron")), data: Some(folder.join("data")) }
    }

    /// Where recovery files and locks are kept, where there can be any.
    #[must_use]
    pub fn data_folder(&self) -> Option<&Path> {
        self.data.as_deref()
    }

    /// The settings file, where there can be one.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Reads the settings. A broken file is put aside as `settings.ron.broken`, defaults are used, and a sentence says
    /// so.
    #[must_use]
    pub fn read(&self) -> (Settings, Option<String>) {
        let Some(file) = &self.file else {
            return (Settings::default(), Some("No configuration folder: nothing is remembered.".to_owned()));
        };
        let text = match read_text(file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return (Settings::default(), None),
            Err(error) => return (Settings::default(), Some(self.put_aside(file, &reason(&error)))),
        };
        // Some editors put a mark of the byte order first.
        match ron::from_str::<Settings>(text.trim_start_matches('\u{feff}')) {
            Ok(settings) if settings.format <= 1 => (settings, None),
            Ok(newer) => {
                let why = format!("it has format {}, this program reads 1", newer.format);
                (Settings::default(), Some(self.put_aside(file, &why)))
            }
            Err(error) => (Settings::default(), Some(self.put_aside(file, &error.to_string()))),
        }
    }

    fn put_aside(&self, file: &Path, why: &str) -> String {
        let numbered = (2..).map(|number: u32| file.with_extension(format!("ron.broken-{number}")));
        let mut names = std::iter::once(file.with_extension("ron.broken")).chain(numbered);
        // One that was put aside before may be what somebody wants back.
        let aside = names.find(|path| !path.exists()).unwrap_or_else(|| file.with_extension("ron.broken"));
        match std::fs::rename(file, &aside) {
            Ok(()) => format!(
                "The settings could not be read ({why}). Defaults are used; the file is kept as {}.",
                aside.display()
            ),
            Err(error) => format!(
                "The settings at {} could not be read ({why}), nor put aside ({}). Defaults are used.",
                file.display(),
                reason(&error)
            ),
        }
    }

    /// Writes the settings, whole or not at all.
    ///
    /// # Errors
    /// A sentence when they could not be written; the old file is then whole.
    pub fn write(&self, settings: &Settings) -> Result<(), String> {
        let Some(file) = &self.file else { return Ok(()) };
        let text = ron::ser::to_string_pretty(settings, ron::ser::PrettyConfig::default())
            .map_err(|error| format!("the settings could not be written: {error}"))?;
        whole::write(file, text.as_bytes(), Kind::Document).map_err(|error| {
            format!("the settings could not be written to {}: {}", file.display(), error.why)
        })
    }
}

/// A name for a copy of a scene that no scene has yet: `main copy`, `main copy 2`.
#[must_use]
pub fn copy_name(of: &str, taken: &[String]) -> String {
    let is_taken = |name: &str| taken.iter().any(|other| stem(other) == name);
    let base = format!("{of} copy");
    let numbered = (2..).map(|number: u32| format!("{base} {number}"));
    std::iter::once(base.clone()).chain(numbered).find(|name| !is_taken(name)).unwrap_or(base)
}

/// The `.ron` files right in a folder, in any order; none where it cannot be read.
#[must_use]
pub fn texts_in(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let files = entries.flatten().map(|entry| entry.path());
    files.filter(|path| path.extension().is_some_and(|ending| ending == "ron")).collect()
}

/// What `path` is called by the system, whatever way led to it; as it is where there is nothing.
#[must_use]
pub fn real_path(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Something lies at this path.
#[must_use]
pub fn is_there(path: &Path) -> bool {
    path.exists()
}

/// A name beside a file that nothing has yet: `main.mine.ron`, `main.mine-2.ron`.
#[must_use]
pub fn copy_beside(file: &Path) -> PathBuf {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let named = |ending: &str| file.with_file_name(format!("{stem}.{ending}.ron"));
    let numbered = (2..).map(|number| named(&format!("mine-{number}")));
    let names = std::iter::once(named("mine")).chain(numbered);
    names.into_iter().find(|path| !path.exists()).unwrap_or_else(|| named("mine"))
}

/// The sample projects that can be found: beside the program, or in the source tree it was built from.
#[must_use]
pub fn sample_projects() -> Vec<PathBuf> {
    let beside = std::env::current_exe().ok().and_then(|program| Some(program.parent()?.join("projects")));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(|root| root.join("projects"));
    let Some(folder) = beside.into_iter().chain(source).find(|folder| folder.is_dir()) else {
        return Vec::new();
    };
    let mut samples: Vec<_> = std::fs::read_dir(folder)
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    samples.retain(|path: &PathBuf| path.join(PROJECT_FILE).is_file());
    // The one to start with comes first, the others by name.
    samples.sort_by_key(|path| (!path.ends_with("first-steps"), path.clone()));
    samples
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_read_back_equal() {
        let folder = tempfile::tempdir().unwrap();
        let store = SettingsStore::in_folder(folder.path());
        assert_eq!(store.read(), (Settings::default(), None), "no file is no fault");
        let mut settings = Settings::default();
        settings.remember(Path::new("/tmp/game"));
        settings.layout = Some(crate::shell::dock::default_layout());
        store.write(&settings).unwrap();
        assert_eq!(store.read(), (settings.clone(), None));
        let marked = format!("\u{feff}{}", std::fs::read_to_string(store.file().unwrap()).unwrap());
        std::fs::write(store.file().unwrap(), marked).unwrap();
        assert_eq!(store.read(), (settings, None), "by whatever editor it was written");
    }

    #[test]
    fn a_broken_settings_file_is_put_aside_with_a_message() {
        let folder = tempfile::tempdir().unwrap();
        let store = SettingsStore::in_folder(folder.path());
        std::fs::write(folder.path().join("settings.ron"), "(theme: Purple").unwrap();
        let (settings, message) = store.read();
        assert_eq!(settings, Settings::default());
        assert!(message.unwrap().contains("settings.ron.broken"));
        let kept = std::fs::read_to_string(folder.path().join("settings.ron.broken")).unwrap();
        assert_eq!(kept, "(theme: Purple");
        assert_eq!(store.read().1, None, "the second start is quiet");
        std::fs::write(folder.path().join("settings.ron"), "(theme: Green").unwrap();
        assert!(store.read().1.unwrap().contains("settings.ron.broken-2"));
        let first = std::fs::read_to_string(folder.path().join("settings.ron.broken")).unwrap();
        assert_eq!(first, "(theme: Purple");
    }

    #[test]
    fn settings_of_a_newer_program_are_put_aside() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("settings.ron"), "(format: 2)").unwrap();
        let (_, message) = SettingsStore::in_folder(folder.path()).read();
        assert!(message.unwrap().contains("format 2"));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_would_never_end_is_not_read() {
        let zeros = Path::new("/dev/zero");
        let fault = read_scene(zeros).scene.unwrap_err();
        assert_eq!(fault, ["/dev/zero: cannot be read: it is no file, but a pipe or a device"]);
        let error = read_up_to(1000, zeros, Pipes::Read).unwrap_err();
        assert_eq!(reason(&error), "it is larger than 512 MiB");
    }

    #[test]
    #[cfg(unix)]
    fn settings_are_written_also_after_a_project_whose_path_is_no_text() {
        use std::os::unix::ffi::OsStrExt;
        let folder = tempfile::tempdir().unwrap();
        let store = SettingsStore::in_folder(folder.path());
        let mut settings = Settings::default();
        settings.remember(Path::new(std::ffi::OsStr::from_bytes(b"/games/\xff")));
        settings.remember(Path::new("/games/a"));
        store.write(&settings).unwrap();
        assert_eq!(store.read().0.recent, [PathBuf::from("/games/a")]);
    }

    #[test]
    fn a_folder_without_a_project_file_is_no_project() {
        let folder = tempfile::tempdir().unwrap();
        let message = project_root(folder.path()).unwrap_err();
        assert!(message.contains("no project.ron"), "{message}");
        let missing = project_root(&folder.path().join("nowhere")).unwrap_err();
        assert!(missing.contains("no such file or folder"), "{missing}");
    }
}
