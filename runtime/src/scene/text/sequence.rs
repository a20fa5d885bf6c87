//! The items between two brackets, each with the comments that belong to it: put together unchanged they are the same
//! bytes, and items can be taken out, put in and moved without touching the others.
//!
//! ```text
//!   [            ┐ lead of a         The comments right above an item and those behind its comma on
//!       // of a  │                   the same line go where it goes. A comment with a blank line below
//!       a, // of a ── tail of a      it stays where it is when the item below goes.
//!       b        ── lead of b
//!   ]            ── rest
//! ```

use super::lex;
use super::tree::Node;
use std::borrow::Cow;

/// One item and what belongs to it.
#[derive(Clone, Debug)]
pub(in crate::scene) struct Piece<'a> {
    /// Blanks and comments before it.
    pub lead: Cow<'a, str>,
    pub item: Cow<'a, str>,
    /// Between the item and its comma; nearly always empty.
    pub before_comma: &'a str,
    /// Behind the comma on the same line, where a comment is there.
    pub tail: &'a str,
}

/// What stands between two brackets.
#[derive(Clone, Debug)]
pub(in crate::scene) struct Sequence<'a> {
    pub pieces: Vec<Piece<'a>>,
    /// Before the closing bracket.
    pub rest: Cow<'a, str>,
    pub has_last_comma: bool,
}

/// The items of a node that was read without a fault.
pub(in crate::scene) fn sequence<'a>(text: &'a str, node: Node<'_, 'a>) -> Sequence<'a> {
    let inner = node.inner();
    let mut pieces = Vec::new();
    let (mut at, mut has_last_comma) = (inner.start, false);
    for child in node.children() {
        let span = child.span();
        let lead = Cow::Borrowed(&text[at..span.start]);
        let next = lex::skip_trivia(text, span.end).unwrap_or(span.end);
        has_last_comma = text.as_bytes().get(next) == Some(&b',');
        let before_comma = if has_last_comma { &text[span.end..next] } else { "" };
        at = if has_last_comma { next + 1 } else { span.end };
        let tail = &text[at..tail_end(text, at, inner.end)];
        at += tail.len();
        pieces.push(Piece { lead, item: Cow::Borrowed(&text[span]), before_comma, tail });
    }
    Sequence { pieces, rest: Cow::Borrowed(&text[at..inner.end]), has_last_comma }
}

/// Where the comments on the line of `at` end, if nothing follows them there; else `at`.
fn tail_end(text: &str, at: usize, inner_end: usize) -> usize {
    let line = &text[at..inner_end];
    let line = &line[..line.find('\n').unwrap_or(line.len())];
    let mut end = at;
    loop {
        let rest = &text[end..at + line.len()];
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let comment = &rest[blanks..];
        if comment.starts_with("//") {
            return at + line.trim_end_matches('\r').len();
        }
        if !comment.starts_with("/*") {
            // Only blanks, and the end of a line: the comments before are this item's.
            let is_end = comment.trim_end_matches('\r').is_empty();
            return if is_end && at + line.len() < inner_end { end } else { at };
        }
        match lex::comment_end(text, end + blanks) {
            Some(after) if after <= at + line.len() => end = after,
            _ => return at,
        }
    }
}

impl<'a> Sequence<'a> {
    /// Whether items stand on lines of their own, and the blanks before them.
    pub fn indent(&self) -> Option<&str> {
        self.pieces.iter().find_map(|piece| indent_of(&piece.lead))
    }

    /// The text between the brackets.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let last = self.pieces.len().saturating_sub(1);
        let mut before = "";
        for (idx, piece) in self.pieces.iter().enumerate() {
            part(&mut text, before, &piece.lead);
            text += &piece.item;
            text += piece.before_comma;
            if idx < last || self.has_last_comma {
                text.push(',');
            }
            text += piece.tail;
            before = piece.tail;
        }
        part(&mut text, before, &self.rest);
        text
    }

    /// Puts the pieces into this order: of each its place before, or a new item. What is not named is removed, but for
    /// comments that stand apart from it. A new item gets `indent` where items stand on lines of their own.
    pub fn arranged(self, order: Vec<Arranged>, line: &NewLine<'_>) -> Self {
        let was_empty = self.pieces.is_empty();
        let first_lead = self.pieces.first().map(|piece| piece.lead.clone());
        let kept =
            order.iter().filter_map(|place| if let Arranged::Old(idx) = place { Some(*idx) } else { None });
        let mut is_kept = vec![false; self.pieces.len()];
        kept.for_each(|idx| is_kept[idx] = true);

        let Self { pieces: old, rest, has_last_comma } = self;
        let mut rest = rest;
        let mut old: Vec<Option<Piece<'a>>> = old.into_iter().map(Some).collect();
        // Comments that stay where the item below them goes are put before the next that stays.
        let mut staying = String::new();
        for (piece, is_kept) in old.iter_mut().zip(is_kept) {
            let Some(piece) = piece else { continue };
            if is_kept {
                if !staying.is_empty() {
                    piece.lead = Cow::Owned(parted(std::mem::take(&mut staying), &piece.lead));
                }
            } else {
                staying += apart(&piece.lead);
            }
        }
        if !staying.is_empty() {
            rest = Cow::Owned(parted(staying, &rest));
        }

        let mut pieces: Vec<Piece<'a>> = Vec::with_capacity(order.len());
        for place in order {
            let (mut piece, was_first) = match place {
                Arranged::Old(idx) => match old[idx].take() {
                    Some(piece) => (piece, idx == 0),
                    None => continue,
                },
                Arranged::New { item, same_line } => {
                    let lead = if same_line { Cow::Borrowed(" ") } else { line.lead(pieces.is_empty()) };
                    let item = Cow::Owned(item);
                    (Piece { lead, item, before_comma: "", tail: "" }, pieces.is_empty() && was_empty)
                }
            };
            let is_inline = is_blank(&piece.lead) && !piece.lead.contains('\n');
            match &first_lead {
                // Whoever comes first stands behind the bracket as the first one did.
                Some(lead) if pieces.is_empty() && !was_first && is_inline && is_blank(lead) => {
                    piece.lead = lead.clone();
                }
                _ if !pieces.is_empty() && was_first && is_inline => piece.lead = line.lead(false),
                _ => {}
            }
            pieces.push(piece);
        }
        if was_empty && !pieces.is_empty() && line.indent.is_some() && is_blank(&rest) {
            rest = Cow::Owned(format!("{}{}", line.line_end, line.outer_indent));
        }
        let has_last_comma = if was_empty { line.indent.is_some() } else { has_last_comma };
        Self { pieces, rest, has_last_comma }
    }
}

/// One item of a new order.
#[derive(Clone, Debug)]
pub(in crate::scene) enum Arranged {
    /// The item that stood at this place.
    Old(usize),
    New {
        item: String,
        /// On the line of the one before it, even where others have lines of their own.
        same_line: bool,
    },
}

/// How new items are set.
#[derive(Clone, Copy, Debug)]
pub(in crate::scene) struct NewLine<'a> {
    /// Blanks before an item on a line of its own; none where items stand in one line.
    pub indent: Option<&'a str>,
    /// Blanks before the closing bracket.
    pub outer_indent: &'a str,
    pub line_end: &'a str,
}

impl NewLine<'_> {
    fn lead<'b>(&self, is_first: bool) -> Cow<'b, str> {
        match self.indent {
            Some(indent) => Cow::Owned(format!("{}{indent}", self.line_end)),
            None if is_first => Cow::Borrowed(""),
            None => Cow::Borrowed(" "),
        }
    }
}

/// Adds `next` to a text that ends with the blanks and comments `before`: a line comment must not swallow it.
fn part(text: &mut String, before: &str, next: &str) {
    let begins_line = next.trim_start_matches([' ', '\t', '\r']).starts_with('\n');
    if !begins_line && ends_in_line_comment(before) {
        text.push('\n');
    }
    text.push_str(next);
}

fn parted(mut before: String, next: &str) -> String {
    let end = if ends_in_line_comment(&before) { "//" } else { "" };
    part(&mut before, end, next);
    before
}

fn ends_in_line_comment(trivia: &str) -> bool {
    lex::comments(trivia)
        .last()
        .is_some_and(|(at, comment)| comment.starts_with("//") && at + comment.len() == trivia.len())
}

/// The blanks before an item that stands on a line of its own.
fn indent_of(lead: &str) -> Option<&str> {
    let line = &lead[lead.rfind('\n')? + 1..];
    Some(&line[..line.len() - line.trim_start_matches([' ', '\t']).len()])
}

fn is_blank(lead: &str) -> bool {
    lead.chars().all(lex::is_blank)
}

/// What of a lead stays when its item goes: comments that a blank line parts from it.
fn apart(lead: &str) -> &str {
    let mut end = 0;
    for (at, comment) in lex::comments(lead) {
        let below = &lead[at + comment.len()..];
        let blanks = &below[..lex::skip_blanks(below, 0)];
        if blanks.matches('\n').count() > 1 {
            end = at + comment.len();
        }
    }
    &lead[..end]
}
