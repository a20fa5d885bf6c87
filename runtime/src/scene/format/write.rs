//! The canonical text of a scene: one entity a line where it fits, else one component a line.

use super::form::{self, Field, Form};
use crate::scene::Scene;
use crate::time::Nanos;
use glam::Vec3;
use std::fmt::Write;

/// Longest line of an entity before it is broken up, its end included.
const LINE_CHARS: usize = 118;

/// How deep an entity stands in the canonical text.
const ENTITY_INDENT: &str = "        ";

/// The scene as RON, in the author's order; the same scene is always the same text, and reads back equal.
#[must_use]
pub fn write_scene(scene: &Scene) -> String {
    let mut text = String::with_capacity(64 + 128 * scene.entities.len());
    text += "(\n";
    let head = form::scene_head(scene);
    for field in head.iter().filter(|field| !field.is_default) {
        text += "    ";
        write_field(&mut text, field);
        text += ",\n";
    }
    text += "    entities: [\n";
    let layout = Layout { indent: ENTITY_INDENT, line_end: "\n" };
    for entity in &scene.entities {
        text += ENTITY_INDENT;
        write_entity(&mut text, &form::entity(entity), layout);
        text += ",\n";
    }
    text += "    ],\n";
    for field in form::unknown(&scene.unknown) {
        text += "    ";
        write_field(&mut text, &field);
        text += ",\n";
    }
    text + ")\n"
}

/// Where an entity stands among its neighbours.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout<'a> {
    /// Blanks before an entity.
    pub indent: &'a str,
    pub line_end: &'a str,
}

/// One entity without the blanks before it and the comma behind.
pub(super) fn write_entity(text: &mut String, fields: &[Field<'_>], layout: Layout<'_>) {
    let start = text.len();
    text.push('(');
    // Where each component begins, should it need a line of its own.
    let mut breaks = Vec::with_capacity(8);
    let head = form::head_count(fields);
    for (idx, field) in fields.iter().enumerate().filter(|(_, field)| !field.is_default) {
        if text.len() > start + 1 {
            text.push_str(", ");
        }
        if idx >= head {
            breaks.push(text.len());
        }
        write_field(text, field);
    }
    text.push(')');
    let line = &text[start..];
    // The comma and the end of the line count.
    let chars = layout.indent.chars().count() + line.chars().count() + 2;
    if chars > LINE_CHARS || line.contains('\n') {
        break_up(text, start, &breaks, layout);
    }
}

/// Breaks the entity that begins at `start` into lines.
fn break_up(text: &mut String, start: usize, breaks: &[usize], Layout { indent, line_end }: Layout<'_>) {
    let line = text.split_off(start);
    let unit = if indent.starts_with('\t') { "\t" } else { "    " };
    let mut from = 1;
    text.push('(');
    for end in breaks.iter().map(|end| end - start).chain([line.len() - 1]) {
        let part = line[from..end].trim_end_matches([',', ' ']);
        if !part.is_empty() {
            for piece in [line_end, indent, unit, part, ","] {
                text.push_str(piece);
            }
        }
        from = end;
    }
    for piece in [line_end, indent, ")"] {
        text.push_str(piece);
    }
}

pub(in crate::scene) fn write_field(text: &mut String, field: &Field<'_>) {
    write_name(text, field.name);
    text.push_str(": ");
    write_form(text, &field.form);
}

/// A name, raw where it would not be read as one otherwise.
fn write_name(text: &mut String, name: &str) {
    let plain = name.starts_with(|c: char| c == '_' || unicode_ident::is_xid_start(c))
        && name.chars().all(unicode_ident::is_xid_continue);
    if !plain {
        text.push_str("r#");
    }
    text.push_str(name);
}

pub(in crate::scene) fn write_form(text: &mut String, form: &Form<'_>) {
    match form {
        Form::Number(value) => write_number(text, *value),
        Form::Whole(value) => put(text, format_args!("{value}")),
        Form::Micros(time) => text.push_str(&decimal(*time, 1_000)),
        Form::Word(word) => text.push_str(word),
        Form::Text(value) => write_quoted(text, value),
        Form::Color(color) => put(text, format_args!("\"{color}\"")),
        Form::Vector(vector) => write_vector(text, *vector),
        Form::Written(written) => text.push_str(written),
        Form::List(items) => {
            text.push('[');
            for (idx, item) in items.iter().enumerate() {
                text.push_str(if idx > 0 { ", " } else { "" });
                write_form(text, item);
            }
            text.push(']');
        }
        Form::Group(name, fields) => {
            text.push_str(name);
            text.push('(');
            for (idx, field) in fields.iter().filter(|field| !field.is_default).enumerate() {
                text.push_str(if idx > 0 { ", " } else { "" });
                write_field(text, field);
            }
            text.push(')');
        }
    }
}

fn put(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    // A String takes whatever is written.
    let _ = text.write_fmt(arguments);
}

fn write_vector(text: &mut String, vector: Vec3) {
    text.push('(');
    write_number(text, vector.x);
    text.push_str(", ");
    write_number(text, vector.y);
    text.push_str(", ");
    write_number(text, vector.z);
    text.push(')');
}

/// The fewest digits that read back to the same number.
fn write_number(text: &mut String, value: f32) {
    const LONGEST_PLAIN: usize = 12;
    let start = text.len();
    put(text, format_args!("{value}"));
    if text.len() - start > LONGEST_PLAIN {
        text.truncate(start);
        put(text, format_args!("{value:e}"));
    }
}

/// Whole units of `unit` nanoseconds with the decimals that are needed, none lost.
pub(crate) fn decimal(time: Nanos, unit: u32) -> String {
    let (nanos, unit) = (time.0.unsigned_abs(), u64::from(unit));
    let sign = if time.0 < 0 { "-" } else { "" };
    let places = unit.ilog10() as usize;
    let text = format!("{sign}{}.{:0places$}", nanos / unit, nanos % unit);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The same on its own.
pub(in crate::scene) fn number(value: f32) -> String {
    let mut text = String::new();
    write_number(&mut text, value);
    text
}

/// A text in quotes, as RON reads it back.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    write_quoted(&mut quoted, text);
    quoted
}

fn write_quoted(quoted: &mut String, text: &str) {
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            c if c.is_control() => put(quoted, format_args!("\\u{{{:x}}}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
}
