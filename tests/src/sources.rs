//! The Rust files of this workspace as the architecture rules see them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

mod lexer;

/// The folder that holds the workspace: the one whose tests cargo is running, wherever they were compiled.
#[must_use]
pub fn root() -> PathBuf {
    let compiled = env!("CARGO_MANIFEST_DIR");
    let crate_folder = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_else(|_| compiled.to_owned());
    Path::new(&crate_folder).parent().expect("this crate lies in the workspace's folder").to_path_buf()
}

/// One Rust file.
pub struct SourceFile {
    /// From the root, with forward slashes: `runtime/src/lib.rs`.
    pub path: String,
    /// As it stands.
    pub text: String,
    /// The same lines with comments and the insides of texts blanked.
    code: String,
    /// For each line, whether it is compiled for tests only.
    test_lines: Vec<bool>,
}

/// A line of code, comments and texts blanked.
pub struct CodeLine<'a> {
    /// From 1.
    pub number: usize,
    pub code: &'a str,
    pub only_in_tests: bool,
}

impl SourceFile {
    /// Its lines, in order.
    pub fn lines(&self) -> impl Iterator<Item = CodeLine<'_>> {
        self.code.lines().zip(&self.test_lines).enumerate().map(|(index, (code, &only_in_tests))| CodeLine {
            number: index + 1,
            code,
            only_in_tests,
        })
    }

    /// The file's name without its ending.
    #[must_use]
    pub fn stem(&self) -> &str {
        let name = self.path.rsplit('/').next().unwrap_or(&self.path);
        name.strip_suffix(".rs").unwrap_or(name)
    }

    fn read(root: &Path, file: &Path) -> Self {
        let text = std::fs::read_to_string(file)
            .unwrap_or_else(|error| panic!("{} cannot be read: {error}", file.display()));
        let inside = file.strip_prefix(root).expect("the walk starts at the root");
        Self::of(&inside.to_string_lossy().replace('\\', "/"), text)
    }

    /// A file of this path and text.
    #[must_use]
    pub fn of(path: &str, text: String) -> Self {
        let code = lexer::blanked(&text);
        let whole =
            path.split('/').nth(1).is_some_and(|folder| folder == "tests") || path.starts_with("tests/");
        let test_lines = if whole { vec![true; code.lines().count()] } else { lexer::test_lines(&code) };
        Self { path: path.to_owned(), text, code, test_lines }
    }

    /// Paths of the files that this one declares as modules for tests only.
    fn test_modules(&self) -> Vec<String> {
        let folder = self.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let own_folder = match self.stem() {
            "lib" | "main" => folder.to_owned(),
            stem => format!("{folder}/{stem}"),
        };
        let mut modules = Vec::new();
        let mut named_file = None;
        for (line, text) in self.lines().zip(self.text.lines()) {
            let text = text.trim();
            if let Some(file) = text.strip_prefix("#[path = \"").and_then(|rest| rest.strip_suffix("\"]")) {
                named_file = Some(format!("{folder}/{file}"));
                continue;
            }
            let declared = text.trim_start_matches("pub ").strip_prefix("mod ");
            if let Some(module) = declared.and_then(|rest| rest.strip_suffix(';')) {
                let file = named_file.take().unwrap_or_else(|| format!("{own_folder}/{module}.rs"));
                if line.only_in_tests {
                    modules.push(file);
                }
            }
        }
        modules
    }
}

/// Every Rust file below the root, in the order of their paths; build outputs are left out.
#[must_use]
pub fn rust_files() -> Vec<SourceFile> {
    let root = root();
    let mut paths = Vec::new();
    walk(&root, &mut paths);
    let rust = paths.iter().filter(|path| path.extension().is_some_and(|ending| ending == "rs"));
    let mut files: Vec<SourceFile> = rust.map(|path| SourceFile::read(&root, path)).collect();
    mark_test_modules(&mut files);
    files
}

/// Every file below the root, as paths from it; build outputs and hidden folders other than `.ci` are left out.
#[must_use]
pub fn all_paths() -> Vec<String> {
    let root = root();
    let mut paths = Vec::new();
    walk(&root, &mut paths);
    let inside =
        |path: &PathBuf| path.strip_prefix(&root).ok().map(|path| path.to_string_lossy().replace('\\', "/"));
    paths.iter().filter_map(inside).collect()
}

fn walk(folder: &Path, paths: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{} cannot be listed: {error}", folder.display()));
    let mut entries: Vec<PathBuf> =
        entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if path.is_dir() {
            if name != "target" && (!name.starts_with('.') || name == ".ci") {
                walk(&path, paths);
            }
        } else {
            paths.push(path);
        }
    }
}

/// A file that is declared for tests only is one, and so is all that lies in its folder.
fn mark_test_modules(files: &mut [SourceFile]) {
    let declared: BTreeSet<String> = files.iter().flat_map(SourceFile::test_modules).collect();
    for file in files {
        let below = |module: &String| {
            let folder = module.strip_suffix(".rs").unwrap_or(module);
            file.path == *module || file.path.starts_with(&format!("{folder}/"))
        };
        if declared.iter().any(below) {
            file.test_lines.fill(true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_declared_for_tests_makes_its_file_and_folder_tests() {
        let mut files = [
            ("runtime/src/scene.rs", "pub mod format;\n#[cfg(test)]\nmod tests;\n"),
            ("runtime/src/scene/format.rs", "fn read() {}\n"),
            ("runtime/src/scene/tests.rs", "fn one() {}\n"),
            ("runtime/src/scene/tests/two.rs", "fn two() {}\n"),
            (
                "inspector/src/stats.rs",
                "fn mean() {}\n#[cfg(test)]\n#[path = \"stats_tests.rs\"]\nmod tests;\n",
            ),
            ("inspector/src/stats_tests.rs", "fn three() {}\n"),
            ("editor/tests/cli.rs", "fn four() {}\n"),
        ]
        .map(|(path, text)| SourceFile::of(path, text.to_owned()));
        mark_test_modules(&mut files);
        let tests: Vec<&str> = files
            .iter()
            .filter(|file| file.test_lines.iter().all(|test| *test))
            .map(|file| file.path.as_str())
            .collect();
        assert_eq!(
            tests,
            [
                "runtime/src/scene/tests.rs",
                "runtime/src/scene/tests/two.rs",
                "inspector/src/stats_tests.rs",
                "editor/tests/cli.rs"
            ]
        );
    }

    #[test]
    fn this_file_is_found_with_its_own_path() {
        assert!(
            rust_files().iter().any(|file| file.path == "tests/src/sources.rs" && file.stem() == "sources")
        );
    }
}
