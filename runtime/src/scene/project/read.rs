//! A project from its text, and where each of its faults stands.

use super::{HandoffMode, Limits, PhysicsDivisor, Project};
use crate::scene::fault::{Fault, Place};
use crate::scene::format::fields::{Faults, Fields, Path};
use crate::scene::format::read::without_mark;
use crate::scene::format::scene::{check_format, other_field};
use crate::scene::text::{Kind, Node, Tree, conflicts, parse, placed};
use crate::time::Nanos;
use crate::time::fixed_step::MaxTicks;
use crate::time::{Rate, Speed};
use std::borrow::Cow;
use std::collections::BTreeSet;

const PROJECT_FIELDS: &[&str] = &[
    "format",
    "name",
    "about",
    "scenes",
    "tick_rate",
    "physics_divisor",
    "frame_rate",
    "audio_rate",
    "handoff",
    "speed",
    "limits",
];

/// A project and what is to be told about its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectReading {
    pub project: Project,
    /// Where each of its scenes is named, in their order.
    pub scene_places: Vec<Place>,
    /// Settings that this version does not know, each with its place: kept, and written back.
    pub unknown: Vec<Fault>,
}

/// Reads a project.
///
/// # Errors
/// Everything that is wrong, each with its line and column, in the order of the text.
pub fn parse_project(text: &str) -> Result<Project, Vec<Fault>> {
    read_project(text).map(|reading| reading.project)
}

/// Reads a project, and lists what of it is not known.
///
/// # Errors
/// As [`parse_project`].
pub fn read_project(text: &str) -> Result<ProjectReading, Vec<Fault>> {
    let source = without_mark(text);
    let (tree, broken) = parse(source);
    let conflicts = if broken.is_empty() { Vec::new() } else { conflicts(source) };
    if !conflicts.is_empty() {
        return Err(placed(source, conflicts));
    }
    let mut faults = Faults { text: source, found: Vec::new(), owner: None };
    let mut unknown = Vec::new();
    let project = project(&tree, &mut faults, &mut unknown, !broken.is_empty());
    faults.found.extend(broken);
    match project {
        Some(project) if faults.found.is_empty() => {
            let scene_places = scene_places(source, &tree);
            Ok(ProjectReading { project, scene_places, unknown: placed(source, unknown) })
        }
        _ => Err(placed(source, faults.found)),
    }
}

/// None where the text is no project at all; what could not be read has its default.
fn project<'a>(
    tree: &Tree<'a>,
    faults: &mut Faults<'a>,
    unknown: &mut Vec<(usize, Fault)>,
    broken: bool,
) -> Option<Project> {
    let root = tree.root()?;
    faults.group(root, &Path::Root, "Project")?;
    // A newer format may have other fields.
    if !check_format(faults, root, "project", broken) {
        return None;
    }
    let mut others = Vec::new();
    let mut fields = Fields::with_others(root, PROJECT_FIELDS, &Path::Root, faults, |faults, path, field| {
        other_field(faults, path, field, PROJECT_FIELDS, &mut others, unknown)
    });
    Some(Project {
        name: fields.wanted("name", String::new(), name),
        about: fields.or("about", Cow::Borrowed(""), Faults::text).into_owned(),
        scenes: fields.wanted("scenes", Vec::new(), scenes),
        tick_rate: setting::<Rate>(&mut fields, "tick_rate"),
        physics_divisor: setting::<PhysicsDivisor>(&mut fields, "physics_divisor"),
        frame_rate: setting::<Rate>(&mut fields, "frame_rate"),
        audio_rate: setting_or(&mut fields, "audio_rate", Project::AUDIO_RATE),
        handoff: setting::<HandoffMode>(&mut fields, "handoff"),
        speed: setting::<Speed>(&mut fields, "speed"),
        limits: fields
            .optional("limits")
            .and_then(|node| limits(fields.faults, node, &Path::Field(&Path::Root, "limits")))
            .unwrap_or_default(),
        unknown: others,
    })
}

fn name<'a>(faults: &mut Faults<'a>, node: Node<'_, 'a>, path: &Path<'_>) -> Option<String> {
    let name = faults.text(node, path)?;
    if name.trim().is_empty() {
        faults.refuse(node.start(), path, "the name is empty: give the project one");
    }
    Some(name.into_owned())
}

fn scenes<'a>(faults: &mut Faults<'a>, node: Node<'_, 'a>, path: &Path<'_>) -> Option<Vec<String>> {
    let items = faults.list(node, path)?;
    if node.children().next().is_none() {
        let message = "a project has at least one scene: name a file of `scenes/`";
        faults.refuse(node.start(), path, message);
    }
    let mut scenes: Vec<String> = Vec::new();
    let mut named = BTreeSet::new();
    for item in items {
        let Some(given) = faults.text(item, path) else { continue };
        let name = given.strip_suffix(".ron").unwrap_or(&given).to_owned();
        if name.trim().is_empty() || name.starts_with('.') || name.contains(['/', '\\', ':', '\0']) {
            faults.refuse(item.start(), path, format!("{given:?} is no name of a file in `scenes/`"));
        } else if !named.insert(name.clone()) {
            faults.refuse(item.start(), path, format!("the scene {name:?} is named twice"));
        } else {
            scenes.push(name);
        }
    }
    Some(scenes)
}

/// Of a project that was read without a fault.
fn scene_places(source: &str, tree: &Tree<'_>) -> Vec<Place> {
    let list = tree.root().and_then(|root| root.field("scenes")).and_then(Node::value);
    let names = list.iter().flat_map(|list| list.children());
    let found = names.map(|name| (name.start(), Fault::default())).collect();
    let places = placed(source, found).into_iter();
    places.filter_map(|fault| Some(Place { line: fault.line?, column: fault.column? })).collect()
}

/// A number, a bare word or a text in quotes: read as it is written, so that 59.94 stays exact.
fn setting<T>(fields: &mut Fields<'_, '_, '_>, name: &'static str) -> T
where
    T: std::str::FromStr + Default,
    T::Err: std::fmt::Display,
{
    setting_or(fields, name, T::default())
}

fn setting_or<T>(fields: &mut Fields<'_, '_, '_>, name: &'static str, default: T) -> T
where
    T: std::str::FromStr,
    T::Err: std::fmt::Display,
{
    let Some(node) = fields.optional(name) else { return default };
    let rest = fields.faults.text[node.start()..].strip_prefix(node.written()).unwrap_or_default();
    if rest.trim_start().starts_with('/')
        && !["//", "/*"].iter().any(|comment| rest.trim_start().starts_with(comment))
    {
        let message = "a fraction stands in quotes: \"60000/1001\"";
        fields.faults.refuse(node.start(), &Path::Field(&Path::Root, name), message.to_owned());
        return default;
    }
    let text = if node.kind() == Kind::Text {
        node.text_value().unwrap_or_default()
    } else {
        Cow::Borrowed(node.written())
    };
    text.parse().unwrap_or_else(|error: T::Err| {
        fields.faults.refuse(node.start(), &Path::Field(&Path::Root, name), error.to_string());
        default
    })
}

fn limits<'a>(faults: &mut Faults<'a>, node: Node<'_, 'a>, path: &Path<'_>) -> Option<Limits> {
    faults.group(node, path, "Limits")?;
    let mut limits = Limits::default();
    let fields = Fields::of(node, &["max_delta_ms", "max_ticks"], path, faults);
    if let Some(node) = fields.optional("max_delta_ms") {
        let path = &Path::Field(path, "max_delta_ms");
        let millis = fields.faults.double(node, path)?;
        limits.max_delta = Nanos((millis * 1e6).round() as i64);
        if !Limits::allows_delta(limits.max_delta) {
            let message = Limits::refused_delta(node.written()).message;
            fields.faults.refuse(node.start(), path, message);
        }
    }
    if let Some(node) = fields.optional("max_ticks") {
        let path = &Path::Field(path, "max_ticks");
        let ticks = fields.faults.whole_u32(node, path)?;
        limits.max_ticks = MaxTicks::Fixed(ticks);
        if !(1..=Limits::MOST_TICKS).contains(&ticks) {
            let message = Limits::refused_ticks(node.written()).message;
            fields.faults.refuse(node.start(), path, message);
        }
    }
    Some(limits)
}
