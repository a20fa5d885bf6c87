//! A RON text as a tree that forgets nothing: every node says from which byte to which it stands in the text, and what
//! lies between nodes (blanks, comments, commas, brackets) is still there.

use super::literal;
use std::borrow::Cow;
use std::ops::Range;

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::scene) enum Kind {
    /// A bare name: `Dynamic`, `true`, `inf`.
    Word,
    Number,
    Text,
    Char,
    Bytes,
    /// `(…)`, perhaps with a name before it.
    Group,
    /// `[…]`.
    List,
    /// `{…}`; its children are entries.
    Map,
    /// `name: value` in a group; its only child is the value.
    Field,
    /// `key: value` in a map; its children are these two.
    Entry,
    /// Where a value was expected and none stands; a fault says so.
    Missing,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Raw {
    pub kind: Kind,
    pub start: u32,
    pub end: u32,
    /// Of what has brackets, the opening one; of a field, the end of its name.
    pub mid: u32,
    /// The index behind the last node inside this one.
    pub past: u32,
}

/// The nodes of a text, parents before children.
#[derive(Clone, Debug, Default)]
pub(in crate::scene) struct Tree<'a> {
    pub(super) text: &'a str,
    pub(super) nodes: Vec<Raw>,
}

impl<'a> Tree<'a> {
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// The one value of the text; none where there is nothing but blanks and comments.
    pub fn root(&self) -> Option<Node<'_, 'a>> {
        (!self.nodes.is_empty()).then_some(Node { tree: self, idx: 0 })
    }
}

/// One node, with the tree it is in.
#[derive(Clone, Copy, Debug)]
pub(in crate::scene) struct Node<'t, 'a> {
    tree: &'t Tree<'a>,
    idx: u32,
}

impl<'t, 'a> Node<'t, 'a> {
    fn raw(self) -> &'t Raw {
        &self.tree.nodes[self.idx as usize]
    }

    pub fn kind(self) -> Kind {
        self.raw().kind
    }

    /// Bytes of the text.
    pub fn span(self) -> Range<usize> {
        self.raw().start as usize..self.raw().end as usize
    }

    pub fn start(self) -> usize {
        self.raw().start as usize
    }

    /// As it is written.
    pub fn written(self) -> &'a str {
        &self.tree.text[self.span()]
    }

    /// Of a word, a group or a field: its name, empty where a group has none.
    pub fn name(self) -> &'a str {
        let raw = self.raw();
        let end = if raw.kind == Kind::Word { raw.end } else { raw.mid };
        let written = self.tree.text[raw.start as usize..end as usize].trim_end();
        // Between a group's name and its bracket there may be comments.
        let written = if raw.kind == Kind::Group { first_word(written) } else { written };
        written.strip_prefix("r#").unwrap_or(written)
    }

    /// Between the brackets of a group, a list or a map.
    pub fn inner(self) -> Range<usize> {
        let raw = self.raw();
        let end = (raw.end as usize).saturating_sub(1).max(raw.mid as usize + 1);
        raw.mid as usize + 1..end
    }

    pub fn children(self) -> Children<'t, 'a> {
        Children { tree: self.tree, next: self.idx + 1, past: self.raw().past }
    }

    /// Of a field, its value.
    pub fn value(self) -> Option<Self> {
        self.children().last()
    }

    /// The field of this name in a group; the first, if there are several.
    pub fn field(self, name: &str) -> Option<Self> {
        self.children().find(|child| child.kind() == Kind::Field && child.name() == name)
    }

    /// What stands in `Some(…)`, else the node itself.
    pub fn without_some(self) -> Self {
        if self.kind() != Kind::Group || self.name() != "Some" {
            return self;
        }
        let mut children = self.children();
        match (children.next(), children.next()) {
            (Some(only), None) if only.kind() != Kind::Field => only.without_some(),
            _ => self,
        }
    }

    /// Of a text, what it says.
    pub fn text_value(self) -> Option<Cow<'a, str>> {
        (self.kind() == Kind::Text).then(|| literal::text_value(self.written()))
    }
}

/// A name is never followed by one of these directly, but by a blank, a comment or the bracket.
fn first_word(text: &str) -> &str {
    let end = text.find(|c: char| c == '/' || super::lex::is_blank(c)).unwrap_or(text.len());
    &text[..end]
}

/// The nodes right inside another.
#[derive(Clone, Debug)]
pub(in crate::scene) struct Children<'t, 'a> {
    tree: &'t Tree<'a>,
    next: u32,
    past: u32,
}

impl<'t, 'a> Iterator for Children<'t, 'a> {
    type Item = Node<'t, 'a>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.next >= self.past {
            return None;
        }
        let node = Node { tree: self.tree, idx: self.next };
        self.next = node.raw().past;
        Some(node)
    }
}
