//! The least change of a text that makes it say another scene.
//!
//! A text is a function of the text it began as and of the scene: whoever keeps the first, as it was opened, gets it
//! back to the byte when the scene is the first one again, over whatever edits.

mod value;

use super::form::{self, Field, Form};
use super::read::without_mark;
use super::scene::{read_scene, read_sound};
use super::write::{Layout, write_entity, write_form};
use crate::scene::fault::Fault;
use crate::scene::text::{Arranged, NewLine, Node, Sequence, parse, sequence};
use crate::scene::{Entity, EntityId, Scene};
use std::collections::HashMap;
use value::Style;

/// About how much is done when the text is parsed, and when the scene is read from it: so it was in large ones.
const PARSED: f32 = 0.35;
const READ: f32 = 0.6;
/// So many entities are compared between two times that it is told.
const TOLD_EVERY: usize = 512;

/// The text with what is different in `scene` changed, and nothing else: comments, order, spelling and blanks of the
/// rest stay. It reads back as `scene`, where that has no faults. Entities are known by their ids.
///
/// # Errors
/// The text is no scene: its faults.
pub fn update_scene(text: &str, scene: &Scene) -> Result<String, Vec<Fault>> {
    update_scene_telling(text, scene, &|_| {})
}

/// The same, and tells now and then how much of it is done, from 0 to 1.
///
/// # Errors
/// As [`update_scene`].
pub fn update_scene_telling(text: &str, scene: &Scene, tell: &dyn Fn(f32)) -> Result<String, Vec<Fault>> {
    let source = without_mark(text);
    let (tree, broken) = parse(source);
    tell(PARSED);
    let sound = if broken.is_empty() { read_sound(&tree) } else { None };
    tell(READ);
    let (Some((before, nodes)), Some(root)) = (sound, tree.root()) else {
        return Err(read_scene(text).err().unwrap_or_default());
    };
    let style = Style::of(source);
    let updater = Updater { source, style, before: &before, nodes: &nodes, tell };
    let Some(changed) = updater.root(root, scene) else { return Ok(text.to_owned()) };
    let mark = &text[..text.len() - source.len()];
    let span = root.span();
    Ok([mark, &source[..span.start], &changed, &source[span.end..]].concat())
}

/// A whole text whose value is a group, with other fields; none where nothing is changed.
pub(in crate::scene) fn update_group(
    source: &str,
    group: Node<'_, '_>,
    old: &[Field<'_>],
    new: &[Field<'_>],
) -> Option<String> {
    let changed = value::group(source, group, old, new, &Style::of(source))?;
    let span = group.span();
    Some([&source[..span.start], &changed, &source[span.end..]].concat())
}

struct Updater<'u, 't, 'a> {
    source: &'a str,
    style: Style,
    before: &'u Scene,
    /// Of each entity before.
    nodes: &'u [Node<'t, 'a>],
    tell: &'u dyn Fn(f32),
}

impl<'a> Updater<'_, '_, 'a> {
    fn root(&self, root: Node<'_, 'a>, scene: &Scene) -> Option<String> {
        let list = root.field("entities").and_then(Node::value);
        let changed_list = list.and_then(|list| self.entities(list, &scene.entities));
        let mut old: Vec<Field<'_>> = form::scene_head(self.before);
        let mut new: Vec<Field<'_>> = form::scene_head(scene);
        let entities = |written: &str| form::field("entities", Form::Written(written.to_owned().into()));
        let written = list.map_or("", Node::written);
        old.push(entities(written));
        if list.is_some() {
            new.push(entities(changed_list.as_deref().unwrap_or(written)));
        } else if !scene.entities.is_empty() {
            new.push(entities(&self.whole_list(&scene.entities)));
        } else {
            new.push(Field { is_default: true, ..entities("") });
        }
        old.extend(form::unknown(&self.before.unknown));
        new.extend(form::unknown(&scene.unknown));
        value::group(self.source, root, &old, &new, &self.style)
    }

    /// The list of entities, changed; none where nothing is.
    fn entities(&self, list: Node<'_, 'a>, entities: &[Entity]) -> Option<String> {
        let mut places: HashMap<EntityId, usize> =
            self.before.entities.iter().enumerate().map(|(idx, entity)| (entity.id, idx)).collect();
        // Where each entity stood. An id that comes twice is a new entity the second time.
        let stood: Vec<Option<usize>> = entities.iter().map(|entity| places.remove(&entity.id)).collect();

        let mut items = sequence(self.source, list);
        let line_indent = self.style.indent_at(self.source, list.start());
        let inner_indent = format!("{line_indent}{}", self.style.unit);
        let own_indent = items.indent().map(str::to_owned);
        let is_one_line = own_indent.is_none() && !items.pieces.is_empty();
        let indent = own_indent.unwrap_or(inner_indent);
        let layout = Layout { indent: &indent, line_end: self.style.line_end };

        let mut is_changed = stood.len() != self.before.entities.len()
            || stood.iter().enumerate().any(|(idx, place)| *place != Some(idx));
        let mut order = Vec::with_capacity(stood.len());
        for (nth, (entity, place)) in entities.iter().zip(stood).enumerate() {
            if nth.is_multiple_of(TOLD_EVERY) {
                (self.tell)(READ + (1.0 - READ) * nth as f32 / entities.len() as f32);
            }
            let fields = form::entity(entity);
            if let Some(idx) = place {
                if let Some(changed) = self.entity(idx, &fields, layout) {
                    items.pieces[idx].item = changed.into();
                    is_changed = true;
                }
                order.push(Arranged::Old(idx));
            } else {
                let mut item = String::new();
                write_entity(&mut item, &fields, layout);
                order.push(Arranged::New { item, same_line: false });
            }
        }
        if !is_changed {
            return None;
        }
        let line = NewLine {
            indent: (!is_one_line).then_some(indent.as_str()),
            outer_indent: line_indent,
            line_end: self.style.line_end,
        };
        Some(rewritten(self.source, list, items.arranged(order, &line)))
    }

    /// The entity at `idx` of those before, changed into these fields; none where nothing is changed.
    fn entity(&self, idx: usize, fields: &[Field<'_>], layout: Layout<'_>) -> Option<String> {
        let before = form::entity(&self.before.entities[idx]);
        if form::are_same(&before, fields) {
            return None;
        }
        let node = self.nodes[idx];
        let mut canonical = String::new();
        write_entity(&mut canonical, &before, layout);
        // What stands in canonical form stays so.
        if canonical == node.written() {
            canonical.clear();
            write_entity(&mut canonical, fields, layout);
            return Some(canonical);
        }
        value::group(self.source, node, &before, fields, &self.style)
    }

    /// A list where there was none.
    fn whole_list(&self, entities: &[Entity]) -> String {
        let unit = self.style.unit;
        let layout = Layout { indent: &unit.repeat(2), line_end: self.style.line_end };
        let mut text = "[".to_owned();
        for entity in entities {
            text += layout.line_end;
            text += layout.indent;
            write_entity(&mut text, &form::entity(entity), layout);
            text.push(',');
        }
        text + layout.line_end + unit + "]"
    }
}

/// A node with other items between its brackets.
fn rewritten(source: &str, node: Node<'_, '_>, items: Sequence<'_>) -> String {
    let (span, inner) = (node.span(), node.inner());
    [&source[span.start..inner.start], &items.text(), &source[inner.end..span.end]].concat()
}

fn written(form: &Form<'_>) -> String {
    let mut text = String::new();
    write_form(&mut text, form);
    text
}
