//! A text in canonical form, with every comment still there.

use super::form::{self, Field, Form, is_head};
use super::read::without_mark;
use super::scene::{read_scene, read_sound};
use super::write::{Layout, write_entity, write_field};
use crate::scene::fault::Fault;
use crate::scene::text::{Node, Piece, comments, parse, sequence};
use crate::scene::{Entity, Scene};

/// The text as [`super::write_scene`] lays it out, and its comments: those above an entity or a field stand above it,
/// those behind it on the same line stay there, also before its comma, and a value with comments inside stays as it is written. Line ends are
/// those of the text. The same text twice is the same; it reads back as the same scene.
///
/// # Errors
/// The text is no scene: its faults.
pub fn format_text(text: &str) -> Result<String, Vec<Fault>> {
    let source = without_mark(text);
    let (tree, broken) = parse(source);
    let sound = if broken.is_empty() { read_sound(&tree) } else { None };
    let (Some((scene, nodes)), Some(root)) = (sound, tree.root()) else {
        return Err(read_scene(text).err().unwrap_or_default());
    };
    let first_line = source.find('\n').map_or("", |end| &source[..end]);
    let line_end = if first_line.ends_with('\r') { "\r\n" } else { "\n" };
    let mut writer = Writer { source, line_end, text: String::with_capacity(source.len() + 64) };
    writer.root(root, &scene, &nodes);
    Ok(writer.text)
}

struct Writer<'a> {
    source: &'a str,
    line_end: &'static str,
    text: String,
}

impl<'a> Writer<'a> {
    fn root(&mut self, root: Node<'_, 'a>, scene: &Scene, nodes: &[Node<'_, 'a>]) {
        self.around(&self.source[..root.start()]);
        // Between a name of the whole, which is left out, and its bracket.
        for comment in comments(&self.source[root.start()..root.inner().start]) {
            self.line("", comment);
        }
        self.line("", "(");
        let mut fields = form::scene_head(scene);
        fields.push(form::field("entities", Form::List(Vec::new())));
        fields.extend(form::unknown(&scene.unknown));
        self.fields(root, &fields, "    ", Some((scene, nodes)));
        self.line("", ")");
        self.around(&self.source[root.span().end..]);
    }

    /// What stands before or behind the value as a whole: comments and attributes.
    fn around(&mut self, outside: &str) {
        let outside = outside.trim();
        if !outside.is_empty() {
            self.line("", outside);
        }
    }

    fn line(&mut self, indent: &str, line: &str) {
        self.text += indent;
        self.text += line;
        self.text += self.line_end;
    }

    /// Each field on lines of its own, in canonical order; the entities of a whole scene are written one by one.
    fn fields(
        &mut self,
        group: Node<'_, 'a>,
        fields: &[Field<'_>],
        indent: &str,
        whole: Option<(&Scene, &[Node<'_, 'a>])>,
    ) {
        let items = sequence(self.source, group);
        let names: Vec<&str> = group.children().map(Node::name).collect();
        for field in fields {
            let place = names.iter().position(|name| *name == field.name);
            let piece = place.map(|idx| &items.pieces[idx]);
            let is_bare = piece.is_none_or(|piece| !has_comments(piece));
            if field.is_default && is_bare {
                continue;
            }
            piece.iter().for_each(|piece| self.all_above(piece, indent));
            let whole = whole.filter(|_| field.name == "entities");
            if whole.is_some()
                && let Some(field) = group.field("entities")
            {
                let list_start = field.value().map_or(field.start(), |list| list.inner().start);
                self.above(&self.source[field.start()..list_start], indent);
            }
            self.text += indent;
            match (whole, piece) {
                (Some((scene, nodes)), _) => {
                    self.entities(group.field("entities").and_then(Node::value), scene, nodes);
                }
                (None, Some(piece)) if comments(&piece.item).next().is_some() => self.text += &piece.item,
                _ => write_field(&mut self.text, field),
            }
            self.behind(piece);
        }
        // `None` is left out like what is not there, unless something is said of it.
        for (name, piece) in names.iter().zip(&items.pieces) {
            if !fields.iter().any(|field| field.name == *name) && has_comments(piece) {
                self.all_above(piece, indent);
                self.text += indent;
                self.text += &piece.item;
                self.behind(Some(piece));
            }
        }
        self.above(&items.rest, indent);
    }

    /// The comments before an item and its comma.
    fn all_above(&mut self, piece: &Piece<'a>, indent: &str) {
        self.above(&piece.lead, indent);
        if !stays_before_comma(piece) {
            self.above(piece.before_comma, indent);
        }
    }

    /// Comments, each on a line of its own.
    fn above(&mut self, lead: &str, indent: &str) {
        let mut at = 0;
        for comment in comments(lead) {
            let start = at + lead[at..].find(comment).unwrap_or_default();
            self.blank_line(&lead[at..start], at > 0);
            at = start + comment.len();
            self.line(indent, comment.trim_end());
        }
        if at > 0 {
            self.blank_line(&lead[at..], true);
        }
    }

    /// Keeps one empty line beside a comment.
    fn blank_line(&mut self, blanks: &str, below_comment: bool) {
        let at_bracket = self.text.trim_end_matches(['\r', '\n']).ends_with(['(', '[']);
        if blanks.matches('\n').count() > 1 && (below_comment || !at_bracket) {
            self.text += self.line_end;
        }
    }

    /// The comma, and the comments on the same line, on either side of it.
    fn behind(&mut self, piece: Option<&Piece<'a>>) {
        for comment in piece
            .filter(|piece| stays_before_comma(piece))
            .iter()
            .flat_map(|piece| comments(piece.before_comma))
        {
            self.text.push(' ');
            self.text += comment;
        }
        self.text.push(',');
        for comment in comments(piece.map_or("", |piece| piece.tail)) {
            self.text.push(' ');
            self.text += comment.trim_end();
        }
        self.text += self.line_end;
    }

    fn entities(&mut self, list: Option<Node<'_, 'a>>, scene: &Scene, nodes: &[Node<'_, 'a>]) {
        const INDENT: &str = "        ";
        self.text += "entities: [";
        self.text += self.line_end;
        if let Some(list) = list {
            let items = sequence(self.source, list);
            for ((piece, node), entity) in items.pieces.iter().zip(nodes).zip(&scene.entities) {
                self.all_above(piece, INDENT);
                // Between a name of the entity, which is left out, and its bracket.
                self.above(&self.source[node.start()..node.inner().start], INDENT);
                self.text += INDENT;
                self.entity(*node, entity, Layout { indent: INDENT, line_end: self.line_end });
                self.behind(Some(piece));
            }
            self.above(&items.rest, INDENT);
        }
        self.text += "    ]";
    }

    fn entity(&mut self, node: Node<'_, 'a>, entity: &Entity, layout: Layout<'_>) {
        let fields = form::entity(entity);
        if comments(node.written()).next().is_none() {
            write_entity(&mut self.text, &fields, layout);
            return;
        }
        let indent = [layout.indent, "    "].concat();
        self.line("", "(");
        let items = sequence(self.source, node);
        let is_head_bare = node
            .children()
            .zip(&items.pieces)
            .all(|(child, piece)| !is_head(child.name()) || !has_comments(piece));
        if is_head_bare {
            let head = form::head_count(&fields);
            self.text += &indent;
            for field in &fields[..head] {
                write_field(&mut self.text, field);
                self.text += if field.name == fields[head - 1].name { "," } else { ", " };
            }
            self.text += self.line_end;
            self.fields(node, &fields[head..], &indent, None);
        } else {
            self.fields(node, &fields, &indent, None);
        }
        self.text += layout.indent;
        self.text.push(')');
    }
}

/// Whether what is said between an item and its comma stays there: no comma could follow a comment up to the end of a line.
fn stays_before_comma(piece: &Piece<'_>) -> bool {
    comments(piece.before_comma).all(|comment| comment.starts_with("/*"))
}

/// Whether something is said of an item.
fn has_comments(piece: &Piece<'_>) -> bool {
    let around = [&*piece.lead, piece.before_comma, piece.tail];
    around.into_iter().any(|part| comments(part).next().is_some()) || comments(&piece.item).next().is_some()
}
