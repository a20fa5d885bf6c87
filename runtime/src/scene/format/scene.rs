//! A scene from its tree, and where each of its faults stands.

use super::components;
use super::fields::{Faults, Fields, MOST_FIELDS, Owner, Path};
use super::read::{FORMAT, unknown_name};
use crate::scene::check::{Found as Refused, check_entity, check_found};
use crate::scene::fault::{Fault, misspelt};
use crate::scene::text::{Kind, Node, Tree, conflicts, parse, placed};
use crate::scene::{Entity, EntityId, Scene, Unknown};
use std::borrow::Cow;

const SCENE_FIELDS: &[&str] = &["format", "seed", "about", "entities"];
const ENTITY_FIELDS: &[&str] = &[
    "id",
    "name",
    "parent",
    "transform",
    "shape",
    "body",
    "motion",
    "spawner",
    "crowd",
    "teleporter",
    "controlled",
    "sound",
    "camera",
    "sun",
    "sky",
    "load",
];

/// No group has more names than an entity.
const _: () = assert!(ENTITY_FIELDS.len() <= MOST_FIELDS);

/// A scene and what is to be told about its text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneReading {
    pub scene: Scene,
    /// Parts that this version does not know, each with its place: kept, and written back.
    pub unknown: Vec<Fault>,
}

/// Reads a scene and checks it: what comes back can be played.
///
/// # Errors
/// Everything that is wrong, each with its line and column, in the order of the text.
pub fn read_scene(text: &str) -> Result<SceneReading, Vec<Fault>> {
    let source = super::read::without_mark(text);
    let (tree, broken) = parse(source);
    let conflicts = if broken.is_empty() { Vec::new() } else { conflicts(source) };
    if !conflicts.is_empty() {
        return Err(placed(source, conflicts));
    }
    let mut reader = SceneReader::new(source, &broken);
    let scene = reader.scene(&tree);
    let mut faults = reader.faults.found;
    faults.extend(broken);
    if faults.is_empty() {
        Ok(SceneReading { scene, unknown: placed(source, reader.unknown) })
    } else {
        Err(placed(source, faults))
    }
}

/// A scene that reads without a fault, with the node of each of its entities.
pub(super) fn read_sound<'t, 'a>(tree: &'t Tree<'a>) -> Option<(Scene, Vec<Node<'t, 'a>>)> {
    let mut reader = SceneReader::new(tree.text(), &[]);
    let scene = reader.scene(tree);
    reader.faults.found.is_empty().then_some((scene, reader.entities))
}

struct SceneReader<'t, 'a> {
    faults: Faults<'a>,
    /// Bytes of the faults of signs, from first to last.
    broken: Vec<usize>,
    /// Of each entity that was read without a fault.
    entities: Vec<Node<'t, 'a>>,
    unknown: Vec<(usize, Fault)>,
}

impl<'t, 'a> SceneReader<'t, 'a> {
    fn new(source: &'a str, broken: &[(usize, Fault)]) -> Self {
        let mut broken: Vec<usize> = broken.iter().map(|(at, _)| *at).collect();
        broken.sort_unstable();
        Self {
            faults: Faults { text: source, found: Vec::new(), owner: None },
            broken,
            entities: Vec::new(),
            unknown: Vec::new(),
        }
    }

    fn scene(&mut self, tree: &'t Tree<'a>) -> Scene {
        let mut scene = Scene::default();
        // A text of nothing is told by its signs.
        let Some(root) = tree.root() else { return scene };
        if self.faults.group(root, &Path::Root, "Scene").is_none() || !self.format(root) {
            return scene;
        }
        let unknown = &mut self.unknown;
        let mut fields =
            Fields::with_others(root, SCENE_FIELDS, &Path::Root, &mut self.faults, |faults, path, field| {
                other_field(faults, path, field, SCENE_FIELDS, &mut scene.unknown, unknown)
            });
        scene.seed = fields.or("seed", 0, Faults::whole);
        scene.about = fields.or("about", Cow::Borrowed(""), Faults::text).into_owned();
        let entities = fields.node("entities");
        let items = entities.and_then(|node| fields.faults.list(node, &Path::Field(&Path::Root, "entities")));
        for item in items.into_iter().flatten() {
            self.entity(item, &mut scene);
        }
        self.check(&scene);
        scene
    }

    /// Refuses a text of a newer format before its fields are looked at: they may be new as well.
    fn format(&mut self, root: Node<'t, 'a>) -> bool {
        check_format(&mut self.faults, root, "scene", !self.broken.is_empty())
    }

    /// One entity, each of its components on its own. It is taken only where nothing is wrong with it.
    fn entity(&mut self, node: Node<'t, 'a>, scene: &mut Scene) {
        let span = node.span();
        let first = self.broken.partition_point(|at| *at < span.start);
        if self.broken.get(first).is_some_and(|at| *at <= span.end) {
            return;
        }
        let before = self.faults.found.len();
        if self.faults.group(node, &Path::Root, "Entity").is_some() {
            let mut unknown = Vec::new();
            let entity = entity(&mut self.faults, node, &mut unknown);
            if self.faults.found.len() == before {
                self.entities.push(node);
                scene.entities.push(entity);
                self.unknown.append(&mut unknown);
            }
        }
        self.faults.owner = None;
    }

    /// The rules of a scene. With an entity missing, a reference to it would be reported as a fault of its own: only
    /// what stands on its own is checked then.
    fn check(&mut self, scene: &Scene) {
        let refused: Vec<Refused> = if self.faults.found.is_empty() && self.broken.is_empty() {
            check_found(scene)
        } else {
            scene
                .entities
                .iter()
                .enumerate()
                .flat_map(|(index, entity)| check_entity(index, entity))
                .collect()
        };
        for Refused { index, fault } in refused {
            let at = place_of(self.entities[index], fault.field.as_deref().unwrap_or_default());
            self.faults.found.push((at, fault));
        }
    }
}

/// The byte of a field, by its path in an entity; of what holds it, where it is left out.
fn place_of(entity: Node<'_, '_>, path: &str) -> usize {
    let mut node = entity;
    for name in path.split('.') {
        let inner = node.without_some();
        let next = match inner.kind() {
            Kind::List => {
                name.parse().ok().and_then(|number: usize| inner.children().nth(number.checked_sub(1)?))
            }
            _ => inner.field(name).and_then(Node::value),
        };
        match next {
            Some(next) => node = next,
            None => break,
        }
    }
    node.start()
}

fn entity<'a>(faults: &mut Faults<'a>, node: Node<'_, 'a>, unknown: &mut Vec<(usize, Fault)>) -> Entity {
    let mut parts = Vec::new();
    // Whose fault it is stands in every sentence but those of its own fields.
    let mut fields = Fields::with_others(node, ENTITY_FIELDS, &Path::Root, faults, |faults, path, field| {
        other_field(faults, path, field, ENTITY_FIELDS, &mut parts, unknown)
    });
    let id = EntityId(fields.wanted("id", 0, Faults::whole));
    let name = fields.wanted("name", Cow::Borrowed(""), Faults::text);
    let parent = fields.optional("parent");
    let parent =
        parent.and_then(|node| fields.faults.whole(node, &Path::Field(&Path::Root, "parent"))).map(EntityId);
    fields.faults.owner = Some(Owner { name: name.clone(), id });
    for (_, fault) in unknown.iter_mut() {
        fault.entity = Some(crate::scene::check::label(&name, id));
    }
    Entity {
        id,
        parent,
        transform: component(&mut fields, "transform", components::transform).unwrap_or_default(),
        shape: component(&mut fields, "shape", components::shape),
        body: component(&mut fields, "body", components::body),
        motion: component(&mut fields, "motion", components::motion),
        spawner: component(&mut fields, "spawner", components::spawner),
        crowd: component(&mut fields, "crowd", components::crowd),
        teleporter: component(&mut fields, "teleporter", components::teleporter),
        controlled: component(&mut fields, "controlled", components::controlled),
        sound: component(&mut fields, "sound", components::sound),
        camera: component(&mut fields, "camera", components::camera),
        sun: component(&mut fields, "sun", components::sun),
        sky: component(&mut fields, "sky", components::sky),
        load: component(&mut fields, "load", components::load),
        name: name.into_owned(),
        unknown: parts,
    }
}

fn component<'a, T>(
    fields: &mut Fields<'_, '_, 'a>,
    name: &str,
    read: super::fields::Read<'a, T>,
) -> Option<T> {
    let node = fields.optional(name)?;
    read(fields.faults, node, &Path::Field(&Path::Root, name))
}

/// A field that is not known is kept, unless its name looks like one that is; that one is returned.
pub(in crate::scene) fn other_field(
    faults: &mut Faults<'_>,
    path: &Path<'_>,
    field: Node<'_, '_>,
    known: &'static [&'static str],
    parts: &mut Vec<Unknown>,
    unknown: &mut Vec<(usize, Fault)>,
) -> Option<&'static str> {
    let name = field.name();
    let meant = misspelt(name, known);
    if meant.is_some() {
        faults.refuse(field.start(), path, unknown_name("field", name, known));
        return meant;
    }
    if parts.iter().any(|part| part.name == name) {
        faults.refuse(field.start(), path, format!("the field `{name}` is written twice"));
        return None;
    }
    let message = "this version does not know it: it is kept as it is written";
    unknown.push((field.start(), Fault::new(message).in_field(name)));
    let text = field.value().map_or("", Node::written).to_owned();
    parts.push(Unknown { name: name.to_owned(), text });
    None
}

/// Refuses a text that says a newer format, or none; `broken` excuses one that says none. False where it is refused.
pub(in crate::scene) fn check_format<'a>(
    faults: &mut Faults<'a>,
    root: Node<'_, 'a>,
    what: &str,
    broken: bool,
) -> bool {
    let path = &Path::Field(&Path::Root, "format");
    let Some(node) = root.field("format").and_then(Node::value) else {
        if !broken {
            let message = format!("this {what} does not say its format: begin it with `format: {FORMAT},`");
            faults.refuse(root.start(), path, message);
        }
        return broken;
    };
    let message = match faults.whole_u32(node, path) {
        None => return false,
        Some(FORMAT) => return true,
        Some(0) => format!("there is no format 0: write `format: {FORMAT}`"),
        Some(newer) => format!(
            "this {what} is of format {newer}, but this program reads up to format {FORMAT}: open it with a newer one"
        ),
    };
    faults.refuse(node.start(), path, message);
    false
}
