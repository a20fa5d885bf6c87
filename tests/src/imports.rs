//! Which file of a crate takes names from which, as far as `use` and written-out paths tell.
//!
//! A file and those in its own folder are one room: what they take from each other is not told. A name that a file hands
//! on, by `pub use`, is taken from where it stands. What only tests take is left out.

use crate::sources::SourceFile;
use std::collections::{BTreeMap, BTreeSet};

/// One file takes a name from another one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Import {
    pub from: String,
    pub to: String,
    pub name: String,
}

/// All that files below `folder`, the sources of a crate such as `editor/src/`, take from each other.
#[must_use]
pub fn imports(files: &[SourceFile], folder: &str) -> BTreeSet<Import> {
    let modules = Modules::read(files, folder);
    let mut found = BTreeSet::new();
    for (from, module) in &modules.all {
        for path in module.uses.iter().map(|(path, _)| path).chain(&module.paths) {
            let Some(path) = modules.absolute(from, path) else { continue };
            let (to, names) = modules.place(&path, 0);
            let one_room = to.starts_with(from) || from.starts_with(&to);
            if let (Some(name), false) = (names.first(), one_room) {
                let (from, to) = (module.file.clone(), modules.all[&to].file.clone());
                found.insert(Import { from, to, name: name.clone() });
            }
        }
    }
    found
}

/// The imports that lead round in a circle: from each of these files one comes back to it.
#[must_use]
pub fn in_circles(imports: &BTreeSet<Import>) -> Vec<&Import> {
    let mut next: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for import in imports {
        next.entry(&import.from).or_default().push(&import.to);
    }
    let leads_to = |start: &str, end: &str| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![start]);
        while let Some(file) = open.pop() {
            if file == end {
                return true;
            }
            if seen.insert(file) {
                open.extend(next.get(file).into_iter().flatten());
            }
        }
        false
    };
    imports.iter().filter(|import| leads_to(&import.to, &import.from)).collect()
}

/// A path inside the crate, without `crate` before it.
type Path = Vec<String>;

struct Module {
    file: String,
    /// What its `use` lines name, and whether they hand it on.
    uses: Vec<(Path, bool)>,
    /// What it names by a path elsewhere.
    paths: Vec<Path>,
}

struct Modules {
    all: BTreeMap<Path, Module>,
}

impl Modules {
    fn read(files: &[SourceFile], folder: &str) -> Self {
        let mut all = BTreeMap::new();
        for file in files {
            let Some(inside) = file.path.strip_prefix(folder) else { continue };
            let code: String =
                file.lines().filter(|line| !line.only_in_tests).flat_map(|line| [line.code, "\n"]).collect();
            if code.trim().is_empty() || inside == "main.rs" {
                continue;
            }
            let path = inside.trim_end_matches(".rs").split('/').map(str::to_owned);
            let path: Path = if inside == "lib.rs" { Path::new() } else { path.collect() };
            let (uses, rest) = without_uses(&code);
            all.insert(path, Module { file: file.path.clone(), uses, paths: written_out(&rest) });
        }
        Self { all }
    }

    /// A path as it is written in a module, from the crate's root; none where it leads out of the crate, or to a name that
    /// the module has itself.
    fn absolute(&self, from: &[String], path: &[String]) -> Option<Path> {
        let (first, rest) = path.split_first()?;
        let joined = |base: &[String], rest: &[String]| [base, rest].concat();
        match first.as_str() {
            "crate" => Some(rest.to_vec()),
            "self" => Some(joined(from, rest)),
            "super" => {
                let more = rest.iter().take_while(|word| *word == "super").count();
                let base = from.len().checked_sub(1 + more)?;
                Some(joined(&from[..base], &rest[more..]))
            }
            _ if self.all.contains_key(&joined(from, std::slice::from_ref(first))) => {
                Some(joined(from, path))
            }
            _ => {
                // A module that was imported by its name.
                let named = |(used, _): &&(Path, bool)| used.last() == Some(first) && used.len() > 1;
                let (used, _) = self.all.get(from)?.uses.iter().find(named)?;
                let module = self.absolute(from, used).filter(|module| self.all.contains_key(module))?;
                Some(joined(&module, rest))
            }
        }
    }

    /// The module in which the thing of this path stands, and what is left of the path there.
    fn place(&self, path: &[String], followed: usize) -> (Path, Path) {
        let own = (0..=path.len()).rev().find(|len| self.all.contains_key(&path[..*len])).unwrap_or(0);
        let (module, names) = path.split_at(own);
        let handed_on = |(used, hands_on): &&(Path, bool)| *hands_on && used.last() == names.first();
        let used = self.all.get(module).and_then(|found| found.uses.iter().find(handed_on));
        match used.and_then(|(used, _)| self.absolute(module, used)) {
            // Further than any real chain goes: two that hand on to each other.
            Some(target) if followed < 8 && !names.is_empty() && target != path => {
                self.place(&[&target, &names[1..]].concat(), followed + 1)
            }
            _ => (module.to_vec(), names.to_vec()),
        }
    }
}

/// The paths of all `use` lines, and the code without them.
fn without_uses(code: &str) -> (Vec<(Path, bool)>, String) {
    let (mut uses, mut rest) = (Vec::new(), String::new());
    let mut lines = code.lines();
    while let Some(line) = lines.next() {
        let line = line.trim();
        let bare = match line.strip_prefix("pub") {
            Some(after) if after.starts_with('(') => after.split_once(") ").map_or(line, |(_, after)| after),
            Some(after) => after.trim_start(),
            None => line,
        };
        let Some(tree) = bare.strip_prefix("use ") else {
            rest.push_str(line);
            rest.push('\n');
            continue;
        };
        let mut tree = tree.to_owned();
        while !tree.contains(';') {
            let Some(line) = lines.next() else { break };
            tree.push_str(line);
        }
        let tree = tree.split(';').next().unwrap_or_default();
        let mut paths = Vec::new();
        expand(tree, &[], &mut paths);
        uses.extend(paths.into_iter().map(|path| (path, bare.len() < line.len())));
    }
    (uses, rest)
}

/// Every path of a tree such as `a::{b, c::{self, D as E}}`.
fn expand(tree: &str, before: &[String], paths: &mut Vec<Path>) {
    let (mut depth, mut start) = (0, 0);
    let mut parts = Vec::new();
    for (at, sign) in tree.char_indices() {
        match sign {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&tree[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&tree[start..]);
    for part in parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty()) {
        let (stem, inner) = match part.split_once('{') {
            Some((stem, inner)) => (stem, inner.rsplit_once('}').map(|(inner, _)| inner)),
            None => (part.split(" as ").next().unwrap_or(part), None),
        };
        let words = stem.split("::").map(str::trim).filter(|word| !word.is_empty() && *word != "*");
        let mut path: Path = before.iter().cloned().chain(words.map(str::to_owned)).collect();
        if !before.is_empty() && path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        match inner {
            Some(inner) => expand(inner, &path, paths),
            None => paths.push(path),
        }
    }
}

/// Every path with a `::` in it that begins with a module: `crate::a::B`, `super::c`, `d::E`.
fn written_out(code: &str) -> Vec<Path> {
    let is_of_path = |sign: char| sign.is_alphanumeric() || sign == '_' || sign == ':';
    let words = code.split(|sign: char| !is_of_path(sign));
    words
        .filter(|word| word.contains("::") && word.starts_with(|sign: char| sign.is_lowercase()))
        .map(|word| word.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<SourceFile> = files
            .iter()
            .map(|(path, text)| SourceFile::of(&format!("a/src/{path}"), (*text).to_owned()))
            .collect();
        let short = |file: &str| file.trim_start_matches("a/src/").trim_end_matches(".rs").to_owned();
        let told = imports(&files, "a/src/");
        let circles = in_circles(&told);
        let arrow = |import: &Import| {
            let sign = if circles.contains(&import) { "<>" } else { ">" };
            format!("{} {sign} {}: {}", short(&import.from), short(&import.to), import.name)
        };
        told.iter().map(arrow).collect()
    }

    #[test]
    fn a_name_is_taken_from_the_file_in_which_it_stands() {
        let files = [
            ("lib.rs", "pub mod door;\npub mod hall;\n"),
            ("door.rs", "pub mod lock;\npub use lock::Key;\npub struct Knob;\n"),
            ("door/lock.rs", "use super::Knob;\npub struct Key;\n"),
            (
                "hall.rs",
                "use crate::door::{\n    self, Key as K,\n};\nuse std::fmt;\nfn a() -> door::Knob { crate::door::lock::turn() }\n",
            ),
        ];
        assert_eq!(told(&files), ["hall > door: Knob", "hall > door/lock: Key", "hall > door/lock: turn"]);
    }

    #[test]
    fn a_circle_is_told_and_what_only_leads_to_it_is_not() {
        let files = [
            ("lib.rs", "mod a;\nmod b;\nmod c;\nmod d;\n"),
            ("a.rs", "use crate::b::B;\npub struct A;\n"),
            ("b.rs", "pub(crate) fn b() { super::c::c() }\npub struct B;\n"),
            ("c.rs", "use super::a::A;\npub fn c() {}\n"),
            ("d.rs", "use crate::a::A;\n#[cfg(test)]\nmod tests {\n    use crate::c::c;\n}\n"),
        ];
        assert_eq!(told(&files), ["a <> b: B", "b <> c: c", "c <> a: A", "d > a: A"]);
    }
}
