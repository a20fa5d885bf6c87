//! Every problem in a project's files: for the command line at once, for the editor on a thread of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};

use super::store::load::{Problem, load_project, load_scene_with_unknown, read_text};
use super::store::{Pipes, is_there, texts_in};
use super::{PROJECT_FILE, SCENES_FOLDER};

/// What was found in the files of a project.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// Faults, file by file, from top to bottom in each.
    pub problems: Vec<Problem>,
    /// Parts that this version does not know and keeps: no faults.
    pub unknown: Vec<Problem>,
    /// How many scene files were read, and how many entities the good ones have.
    pub scenes: usize,
    pub entities: usize,
    /// Of files with a problem or an unknown part, as they were a moment later; a file that cannot be shown is not here.
    pub texts: BTreeMap<PathBuf, String>,
}

/// Looks through the project file, the scenes it lists, and those that lie beside them unlisted.
#[must_use]
pub fn look(path: &Path) -> Findings {
    let mut found = Findings::default();
    let mut scenes: BTreeSet<PathBuf> = BTreeSet::new();
    let folder = match load_project(path) {
        Ok(loaded) => {
            let missing: Vec<_> = loaded.scene_names().filter_map(|name| loaded.missing(name)).collect();
            found.problems.extend(missing);
            let there = loaded.scene_names().map(|name| loaded.scene_path(name));
            scenes.extend(there.filter(|scene| is_there(scene) || scene.is_symlink()));
            found.unknown.extend(loaded.unknown);
            loaded.folder
        }
        Err(problems) => {
            found.problems.extend(problems);
            if path.ends_with(PROJECT_FILE) { path.with_file_name("") } else { path.to_path_buf() }
        }
    };
    if is_there(&folder.join(PROJECT_FILE)) {
        scenes.extend(texts_in(&folder.join(SCENES_FOLDER)));
    }
    found.scenes = scenes.len();
    for scene in &scenes {
        match load_scene_with_unknown(scene) {
            Ok((scene, parts)) => {
                found.entities += scene.entities.len();
                found.unknown.extend(parts);
            }
            Err(problems) => found.problems.extend(problems),
        }
    }
    found
}

/// Longest text that is shown beside its problems, in bytes.
const LONGEST_SHOWN: usize = 16 << 20;

impl Findings {
    /// Reads the files that something was found in, so that it can be shown there.
    fn with_texts(mut self) -> Self {
        let named = self.problems.iter().chain(&self.unknown).map(|problem| problem.path.clone());
        let files: BTreeSet<PathBuf> = named.collect();
        let text = |file: PathBuf| {
            let text = read_text(&file, Pipes::Refused).ok().filter(|text| text.len() <= LONGEST_SHOWN)?;
            Some((file, text))
        };
        self.texts = files.into_iter().filter_map(text).collect();
        self
    }
}

/// Looks through the files of one project again and again, never on the thread that asks.
#[derive(Default)]
pub struct Finder {
    // None while nobody looks.
    coming: Option<Receiver<Findings>>,
    // Something has changed since the look began.
    again: bool,
    found: Option<Findings>,
}

impl Finder {
    /// Looks, or looks once more after the look that goes on; `wake` is called from another thread when it is over.
    ///
    /// # Errors
    /// A sentence: the system gives no thread.
    pub fn look(&mut self, root: &Path, wake: impl Fn() + Send + 'static) -> Result<(), String> {
        if self.coming.is_some() {
            self.again = true;
            return Ok(());
        }
        let (send, coming) = channel();
        let root = root.to_owned();
        let work = move || {
            // Nobody listens any more when the project was closed meanwhile.
            let _ = send.send(look(&root).with_texts());
            wake();
        };
        match std::thread::Builder::new().name("problems".to_owned()).spawn(work) {
            Ok(_) => {
                self.coming = Some(coming);
                Ok(())
            }
            Err(error) => Err(format!("the project's files were not looked through for problems: {error}")),
        }
    }

    /// Takes what was found, if a look is over. True where it is to look again, since something changed meanwhile.
    pub fn poll(&mut self) -> bool {
        let Some(coming) = &self.coming else { return false };
        match coming.try_recv() {
            Ok(found) => {
                self.found = Some(found);
                self.coming = None;
                std::mem::take(&mut self.again)
            }
            Err(std::sync::mpsc::TryRecvError::Empty) => false,
            Err(std::sync::mpsc::TryRecvError::Disconnected) => {
                self.coming = None;
                std::mem::take(&mut self.again)
            }
        }
    }

    /// What the last look found; none before the first is over.
    #[must_use]
    pub fn found(&self) -> Option<&Findings> {
        self.found.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(scenes: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("scenes")).unwrap();
        std::fs::write(folder.path().join("project.ron"), "(format: 1, name: \"P\", scenes: [\"a\"])")
            .unwrap();
        for (name, text) in scenes {
            std::fs::write(folder.path().join(format!("scenes/{name}.ron")), text).unwrap();
        }
        folder
    }

    #[test]
    fn problems_of_every_file_are_found_each_with_its_place_and_the_text_it_is_in() {
        let bad = "(format: 1, entities: [\n    (id: 1, name: \"A\", sape: 3),\n])";
        let folder = project(&[("a", "(format: 1, entities: [(id: 1, name: \"B\")])"), ("b", bad)]);
        let found = look(folder.path()).with_texts();
        let file = folder.path().join("scenes/b.ron");
        let places: Vec<_> = found
            .problems
            .iter()
            .map(|problem| (&problem.path, problem.fault.line, problem.fault.column))
            .collect();
        assert_eq!(places, [(&file, Some(2), Some(24))], "{:?}", found.problems);
        assert_eq!((found.scenes, found.entities), (2, 1));
        assert_eq!(found.texts.get(&file).map(String::as_str), Some(bad));
        assert_eq!(found.texts.len(), 1, "good files are not kept");
    }

    #[test]
    fn a_finder_looks_again_when_something_changed_while_it_looked() {
        let folder = project(&[("a", "(format: 1, entities: [])")]);
        let mut finder = Finder::default();
        let (send, woken) = channel();
        let wake = move || _ = send.send(());
        finder.look(folder.path(), wake.clone()).unwrap();
        finder.look(folder.path(), wake.clone()).unwrap();
        woken.recv().unwrap();
        assert!(finder.poll(), "once more");
        assert!(finder.found().is_some_and(|found| found.problems.is_empty() && found.scenes == 1));
        assert!(!finder.poll(), "nobody looks");
    }
}
