//! The least change of one value: number by number, field by field, as far down as its kind stays the same.

use super::{rewritten, written};
use crate::scene::format::form::{Field, Form, is_head};
use crate::scene::format::write::write_field;
use crate::scene::text::{Arranged, Kind, NewLine, Node, sequence};
use std::borrow::Cow;

/// How a text is laid out where nothing says otherwise.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    pub line_end: &'static str,
    /// Of one step of indentation.
    pub unit: &'static str,
}

impl Style {
    pub fn of(source: &str) -> Self {
        let line = source.find('\n').map_or("", |end| &source[..end]);
        let line_end = if line.ends_with('\r') { "\r\n" } else { "\n" };
        let unit = if source.contains("\n\t") { "\t" } else { "    " };
        Self { line_end, unit }
    }

    /// The blanks that the line of this byte begins with.
    pub fn indent_at(self, source: &str, at: usize) -> &str {
        let line = &source[source[..at].rfind('\n').map_or(0, |end| end + 1)..at];
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }
}

/// A value changed from one form into another; none where nothing is changed.
fn value(source: &str, node: Node<'_, '_>, old: &Form<'_>, new: &Form<'_>, style: &Style) -> Option<String> {
    if old.is_same(new) {
        return None;
    }
    let inner = node.without_some();
    let changed = match (old, new) {
        (Form::Group(before, old), Form::Group(after, new))
            if before == after && inner.kind() == Kind::Group =>
        {
            group(source, inner, old, new, style)?
        }
        (Form::Vector(old), Form::Vector(new)) if inner.children().count() == 3 => {
            let numbers = |vector: &glam::Vec3| vector.to_array().map(Form::Number).to_vec();
            items(source, inner, &numbers(old), &numbers(new), style)
        }
        (Form::List(old), Form::List(new)) if inner.kind() == Kind::List => {
            items(source, inner, old, new, style)
        }
        _ => written(new),
    };
    let (outer, inner) = (node.span(), inner.span());
    Some([&source[outer.start..inner.start], &changed, &source[inner.end..outer.end]].concat())
}

/// A list or a vector: what is the same at its begin and at its end stays, what is between is changed in order.
fn items(source: &str, node: Node<'_, '_>, old: &[Form<'_>], new: &[Form<'_>], style: &Style) -> String {
    let same = |(a, b): &(&Form<'_>, &Form<'_>)| a.is_same(b);
    let shorter = old.len().min(new.len());
    let begin = old.iter().zip(new).take_while(same).count();
    let end = old.iter().rev().zip(new.iter().rev()).take(shorter - begin).take_while(same).count();
    // As many as both have between are changed, the rest is removed or new.
    let changed = if old.len() == new.len() { shorter } else { shorter - end };

    let mut sequence = sequence(source, node);
    let mut order = Vec::with_capacity(new.len());
    for (idx, form) in new.iter().enumerate() {
        let from_end = new.len() - idx;
        if idx < changed {
            let child = node.children().nth(idx);
            if let Some(text) = child.and_then(|child| value(source, child, &old[idx], form, style)) {
                sequence.pieces[idx].item = Cow::Owned(text);
            }
            order.push(Arranged::Old(idx));
        } else if from_end <= end {
            order.push(Arranged::Old(old.len() - from_end));
        } else {
            order.push(Arranged::New { item: written(form), same_line: false });
        }
    }
    let indent = sequence.indent().map(str::to_owned);
    let line = NewLine { indent: indent.as_deref(), outer_indent: "", line_end: style.line_end };
    rewritten(source, node, sequence.arranged(order, &line))
}

/// The fields of a group; none where nothing is changed. Fields that are neither in `old` nor in `new` stay.
pub(super) fn group(
    source: &str,
    node: Node<'_, '_>,
    old: &[Field<'_>],
    new: &[Field<'_>],
    style: &Style,
) -> Option<String> {
    let find = |fields: &[Field<'_>], name: &str| fields.iter().position(|field| field.name == name);
    let mut sequence = sequence(source, node);
    let mut is_changed = false;
    let mut order: Vec<(&str, Arranged)> = Vec::with_capacity(new.len());
    for (idx, child) in node.children().enumerate() {
        let name = child.name();
        match (find(old, name), find(new, name)) {
            (Some(_), None) => {
                is_changed = true;
                continue;
            }
            (before, Some(after)) => {
                let (span, form) = (child.span(), &new[after].form);
                let Some(old_value) = child.value() else { continue };
                let changed = match before {
                    Some(before) => value(source, old_value, &old[before].form, form, style),
                    // It is written as `None`.
                    None => Some(written(form)),
                };
                if let Some(changed) = changed {
                    let value_span = old_value.span();
                    let text = [&source[span.start..value_span.start], &changed].concat();
                    sequence.pieces[idx].item = Cow::Owned(text + &source[value_span.end..span.end]);
                    is_changed = true;
                }
            }
            (None, None) => {}
        }
        order.push((name, Arranged::Old(idx)));
    }
    for (idx, field) in new.iter().enumerate() {
        // What is left out, and is as before, has its default.
        let is_as_before = find(old, field.name).is_some_and(|before| old[before].form.is_same(&field.form));
        if field.is_default || is_as_before || order.iter().any(|(name, _)| *name == field.name) {
            continue;
        }
        is_changed = true;
        let mut item = String::new();
        write_field(&mut item, field);
        // Behind every field that comes before it.
        let is_earlier = |name: &str| new[..idx].iter().any(|earlier| earlier.name == name);
        let before = order.iter().rposition(|(name, _)| is_earlier(name));
        let place = before.map_or(0, |place| place + 1);
        let same_line = is_head(field.name)
            && before.is_some_and(
                |at| matches!(order[at].1, Arranged::Old(idx) if !sequence.pieces[idx].lead.contains('\n')),
            );
        order.insert(place, (field.name, Arranged::New { item, same_line }));
    }
    if !is_changed {
        return None;
    }
    let indent = sequence.indent().map(str::to_owned);
    let outer = style.indent_at(source, node.start());
    let line = NewLine { indent: indent.as_deref(), outer_indent: outer, line_end: style.line_end };
    let order = order.into_iter().map(|(_, place)| place).collect();
    Some(rewritten(source, node, sequence.arranged(order, &line)))
}
