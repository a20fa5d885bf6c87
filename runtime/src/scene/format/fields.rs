//! Reading the fields of a group, by name: every value with its type, every fault with its byte.

use super::read::{found_at, unknown_name};
use crate::scene::fault::{Fault, nearest_name};
use crate::scene::text::{Found, Kind, Node, OutOfBounds, float, whole};
use crate::scene::{Color, EntityId};
use glam::Vec3;
use std::borrow::Cow;

/// Most fields that a group may have.
pub(super) const MOST_FIELDS: usize = 24;

/// Where faults are gathered, and whose they are.
#[derive(Debug)]
pub(in crate::scene) struct Faults<'a> {
    pub text: &'a str,
    pub found: Vec<Found>,
    /// Named in every fault, where there is one.
    pub owner: Option<Owner<'a>>,
}

/// An entity, as far as it has been read.
#[derive(Clone, Debug)]
pub(in crate::scene) struct Owner<'a> {
    pub name: Cow<'a, str>,
    pub id: EntityId,
}

/// The names on the way to a value: `teleporter.poses.2.scale`.
#[derive(Clone, Copy, Debug)]
pub(in crate::scene) enum Path<'p> {
    Root,
    Field(&'p Path<'p>, &'p str),
    Item(&'p Path<'p>, usize),
}

impl Path<'_> {
    fn written(&self) -> String {
        let (parent, last) = match self {
            Self::Root => return String::new(),
            Self::Field(parent, name) => (parent, (*name).to_owned()),
            Self::Item(parent, number) => (parent, number.to_string()),
        };
        let parent = parent.written();
        if parent.is_empty() { last } else { format!("{parent}.{last}") }
    }
}

impl<'a> Faults<'a> {
    pub fn refuse(&mut self, at: usize, path: &Path<'_>, message: impl Into<String>) {
        let field = Some(path.written()).filter(|field| !field.is_empty());
        let entity = self.owner.as_ref().map(|owner| crate::scene::check::label(&owner.name, owner.id));
        self.found.push((at, Fault { field, entity, ..Fault::new(message) }));
    }

    /// Refuses a node because something else stands where it should.
    pub fn expected(&mut self, node: Node<'_, 'a>, path: &Path<'_>, what: &str) {
        if node.kind() == Kind::Missing {
            // That no value is there was told with the signs.
            return;
        }
        let found = found_at(&self.text[node.start()..]);
        self.refuse(node.start(), path, format!("expected {what}, found {found}"));
    }

    pub fn number(&mut self, node: Node<'_, 'a>, path: &Path<'_>) -> Option<f32> {
        let read = is_number(node).then(|| float(node.written(), "f32")).flatten();
        self.or_expected(read, node, path, "a number")
    }

    pub fn double(&mut self, node: Node<'_, 'a>, path: &Path<'_>) -> Option<f64> {
        let read = is_number(node).then(|| float(node.written(), "f64")).flatten();
        self.or_expected(read, node, path, "a number")
    }

    /// A whole number that a `u64` holds.
    pub fn whole(&mut self, node: Node<'_, 'a>, path: &Path<'_>) -> Option<u64> {
        self.whole_up_to(node, path, u64::MAX, "u64")
    }

    /// A whole number that a `u32` holds.
    pub fn whole_u32(&mut self, node: Node<'_, 'a>, path: &Path<'_>) -> Option<u32> {
        let read = self.whole_up_to(node, path, u64::from(u32::MAX), "u32")?;
        u32::try_from(read).ok()
    }

    fn whole_up_to(&mut self, node: Node<'_, 'a>, path: &Path<'_>, most: u64, suffix: &str) -> Option<u64> {
        let read = is_number(node).then(|| whole(node.written(), most, suffix)).flatten();
        match read {
            Some(Ok(value)) => return Some(value),
            Some(Err(OutOfBounds::Negative)) => self.expected(node, path, "a whole number from 0 on"),
            Some(Err(OutOfBounds::TooLarge)) => {
                self.expected(node, path, &format!("a whole number up to {most}"));
            }
            None => self.expected(node, path, "a whole number"),
        }
        None
    }

    pub fn text(&mut self, node: Node<'_, 'a>, path: &Path<'_>) -> Option<Cow<'a, str>> {
        self.or_expected(node.text_value(), node, path, "a text in quotes")
    }

    pub fn color(&mut self, node: Node<'_, 'a>, path: &Path<'_>) -> Option<Color> {
        let text = self.text(node, path)?;
        text.parse().map_err(|error| self.refuse(node.start(), path, format!("{error}"))).ok()
    }

    /// `(x, y, z)`.
    pub fn vector(&mut self, node: Node<'_, 'a>, path: &Path<'_>) -> Option<Vec3> {
        self.group(node, path, "Vec3")?;
        let mut axes = [0.0; 3];
        let mut count = 0;
        for child in node.children() {
            // What has too many numbers is told once, not at each of them.
            if let Some(axis) = axes.get_mut(count) {
                *axis = self.number(child, path)?;
            }
            count += 1;
        }
        if count != axes.len() {
            let message = format!("expected three numbers, `(x, y, z)`, found {count}");
            self.refuse(node.start(), path, message);
        }
        (count == axes.len()).then(|| Vec3::from(axes))
    }

    /// A group without a name or with the one that it may have.
    pub fn group(&mut self, node: Node<'_, 'a>, path: &Path<'_>, name: &str) -> Option<()> {
        if node.kind() != Kind::Group {
            self.expected(node, path, "`(`");
            return None;
        }
        if !matches!(node.name(), given if given.is_empty() || given == name) {
            let message = format!("expected `{name}(` or only `(`, found `{}`", node.name());
            self.refuse(node.start(), path, message);
            return None;
        }
        Some(())
    }

    /// The items of `[…]`.
    pub fn list<'t>(
        &mut self,
        node: Node<'t, 'a>,
        path: &Path<'_>,
    ) -> Option<impl Iterator<Item = Node<'t, 'a>> + use<'t, 'a>> {
        let children = (node.kind() == Kind::List).then(|| node.children());
        self.or_expected(children, node, path, "a list, `[`")
    }

    fn or_expected<T>(
        &mut self,
        read: Option<T>,
        node: Node<'_, 'a>,
        path: &Path<'_>,
        what: &str,
    ) -> Option<T> {
        if read.is_none() {
            self.expected(node, path, what);
        }
        read
    }
}

fn is_number(node: Node<'_, '_>) -> bool {
    matches!(node.kind(), Kind::Number | Kind::Word)
}

/// The fields of one group, each read when it is asked for.
pub(in crate::scene) struct Fields<'f, 't, 'a> {
    pub faults: &'f mut Faults<'a>,
    path: &'f Path<'f>,
    group: Node<'t, 'a>,
    names: &'static [&'static str],
    values: [Option<Node<'t, 'a>>; MOST_FIELDS],
    /// A field that seems to be there under a misspelt name, so that it is not told to be missing.
    misspelt: Option<&'static str>,
}

impl<'f, 't, 'a> Fields<'f, 't, 'a> {
    /// The fields of a group that may have these names; every other field is a fault.
    pub fn of(
        group: Node<'t, 'a>,
        names: &'static [&'static str],
        path: &'f Path<'f>,
        faults: &'f mut Faults<'a>,
    ) -> Self {
        let refuse_unknown = |faults: &mut Faults<'a>, path: &Path<'_>, field: Node<'t, 'a>| {
            faults.refuse(field.start(), path, unknown_name("field", field.name(), names));
            nearest_name(field.name(), names.iter().copied())
        };
        Self::with_others(group, names, path, faults, refuse_unknown)
    }

    /// The same, but `other` is asked about fields of other names; it may say which name is meant.
    pub fn with_others(
        group: Node<'t, 'a>,
        names: &'static [&'static str],
        path: &'f Path<'f>,
        faults: &'f mut Faults<'a>,
        mut other: impl FnMut(&mut Faults<'a>, &Path<'_>, Node<'t, 'a>) -> Option<&'static str>,
    ) -> Self {
        let mut values = [None; MOST_FIELDS];
        let mut misspelt = None;
        for child in group.children() {
            if child.kind() != Kind::Field {
                faults.expected(child, path, "a name");
                continue;
            }
            let name = child.name();
            match names.iter().position(|known| *known == name) {
                None => misspelt = other(faults, path, child).or(misspelt),
                Some(idx) if values[idx].is_some() => {
                    faults.refuse(child.start(), path, format!("the field `{name}` is written twice"));
                }
                Some(idx) => values[idx] = child.value(),
            }
        }
        Self { faults, path, group, names, values, misspelt }
    }

    /// The value of a field as it stands in the tree.
    pub fn node(&self, name: &str) -> Option<Node<'t, 'a>> {
        let idx = self.names.iter().position(|known| *known == name);
        debug_assert!(idx.is_some(), "`{name}` is one of {:?}", self.names);
        self.values[idx?]
    }

    /// The same of a field that may be `Some(…)` or `None`.
    pub fn optional(&self, name: &str) -> Option<Node<'t, 'a>> {
        let node = self.node(name)?.without_some();
        (node.kind() != Kind::Word || node.written() != "None").then_some(node)
    }

    /// What `read` makes of a field; the default where the field is left out, or cannot be read.
    pub fn or<T>(&mut self, name: &'static str, default: T, read: Read<'a, T>) -> T {
        match self.node(name) {
            Some(node) => read(self.faults, node, &Path::Field(self.path, name)).unwrap_or(default),
            None => default,
        }
    }

    /// The same of a field that must be there; what stands for it where it is not is of no account.
    pub fn wanted<T>(&mut self, name: &'static str, filler: T, read: Read<'a, T>) -> T {
        if self.node(name).is_none() {
            self.missing(name);
        }
        self.or(name, filler, read)
    }

    /// Says that a field is missing, at the group's closing bracket.
    pub fn missing(&mut self, name: &str) {
        if self.misspelt != Some(name) {
            self.faults.refuse(self.group.inner().end, self.path, format!("the field `{name}` is missing"));
        }
    }

    pub fn number(&mut self, name: &'static str, default: f32) -> f32 {
        self.or(name, default, Faults::number)
    }

    pub fn vector(&mut self, name: &'static str, default: Vec3) -> Vec3 {
        self.or(name, default, Faults::vector)
    }

    pub fn color(&mut self, name: &'static str, default: Color) -> Color {
        self.or(name, default, Faults::color)
    }
}

/// How a value is read: none with a fault where it is another.
pub(in crate::scene) type Read<'a, T> = fn(&mut Faults<'a>, Node<'_, 'a>, &Path<'_>) -> Option<T>;
