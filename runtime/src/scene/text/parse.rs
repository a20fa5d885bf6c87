//! From a text to its tree, and to every fault of its signs: by recursive descent, as deep as a limit allows.

use super::lex::{self, Flaw, Token, TokenKind};
use super::tree::{Kind, Raw, Tree};
use crate::scene::fault::Fault;

/// Brackets within brackets before a text is refused. A scene needs 7; the limit keeps the stack from running out.
pub(in crate::scene) const DEEPEST_NESTING: usize = 64;

/// Faults of signs that are told of one text: behind so many the reading is a guess.
const MOST_FAULTS: usize = 50;

/// Words that no bracket follows.
const PLAIN_WORDS: [&str; 9] =
    ["true", "false", "None", "inf", "inff32", "inff64", "NaN", "NaNf32", "NaNf64"];

const EXTENSIONS: [&str; 4] =
    ["unwrap_newtypes", "implicit_some", "unwrap_variant_newtypes", "explicit_struct_names"];

/// A fault, and the byte of the text where it is.
pub(in crate::scene) type Found = (usize, Fault);

/// Reads a whole text. The tree holds what could be read of it; without faults it is all of it.
///
/// Accepted is what the `ron` crate accepts, but that `Some` is always followed by its bracket.
pub(in crate::scene) fn parse(text: &str) -> (Tree<'_>, Vec<Found>) {
    let mut parser = Parser {
        text,
        at: 0,
        nodes: Vec::with_capacity(text.len() / 12),
        faults: Vec::new(),
        open: Vec::new(),
        unwrapped_variants: false,
    };
    if u32::try_from(text.len()).is_err() {
        parser.refuse(0, "the text is longer than 4 GiB");
    } else {
        parser.whole();
    }
    (Tree { text, nodes: parser.nodes }, parser.faults)
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    nodes: Vec<Raw>,
    faults: Vec<Found>,
    /// The closing brackets that are waited for.
    open: Vec<u8>,
    unwrapped_variants: bool,
}

impl Parser<'_> {
    fn whole(&mut self) {
        self.attributes();
        self.skip_trivia();
        if self.peek().kind == TokenKind::End {
            if self.faults.is_empty() {
                self.refuse(self.at, "expected `(`, found the end of the file");
            }
            return;
        }
        self.value();
        self.skip_trivia();
        // What was no value is no rest behind one either.
        let told = self.faults.last().is_some_and(|(at, _)| *at == self.at);
        if self.peek().kind != TokenKind::End && !told {
            let message = format!("expected the end of the file, found {}", self.found());
            self.refuse(self.at, message);
        }
    }

    fn refuse(&mut self, at: usize, message: impl Into<String>) {
        self.faults.push((at, Fault::new(message)));
        if self.faults.len() == MOST_FAULTS {
            let message = "there are too many faults before this: what follows is not read";
            self.faults.push((self.at.max(at), Fault::new(message)));
            self.stop();
        }
    }

    /// Reads no further; that brackets are open then is no fault.
    fn stop(&mut self) {
        self.at = self.text.len();
        self.open.clear();
    }

    fn flawed(&mut self, flaw: Option<Flaw>) {
        if let Some(Flaw { at, message }) = flaw {
            self.refuse(at, message);
        }
    }

    fn skip_trivia(&mut self) {
        match lex::skip_trivia(self.text, self.at) {
            Ok(at) => self.at = at,
            Err(flaw) => {
                self.flawed(Some(flaw));
                self.stop();
            }
        }
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// The next token; its flaws are told when it is taken.
    fn peek(&self) -> Token {
        lex::token(self.text, self.at)
    }

    fn take(&mut self, token: Token) {
        self.at = token.end;
        let is_unclosed = token.flaw.is_some()
            && token.end == self.text.len()
            && matches!(token.kind, TokenKind::Text | TokenKind::Bytes);
        self.flawed(token.flaw);
        // Whatever brackets were closed behind it, it has swallowed.
        if is_unclosed {
            self.stop();
        }
    }

    /// Whether the next token is this sign, which is then taken.
    fn took(&mut self, sign: u8) -> bool {
        let is = self.byte(self.at) == Some(sign);
        self.at += usize::from(is);
        is
    }

    /// The next token for people.
    fn found(&self) -> String {
        super::found_at(&self.text[self.at..])
    }

    fn push(&mut self, kind: Kind, start: usize, mid: usize) -> usize {
        let idx = self.nodes.len();
        // The whole text is shorter than 4 GiB, or it is not read.
        let byte = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        self.nodes.push(Raw {
            kind,
            start: byte(start),
            end: byte(self.at),
            mid: byte(mid),
            past: byte(idx + 1),
        });
        idx
    }

    /// Ends a node behind the last byte that was taken.
    fn close(&mut self, idx: usize) {
        let past = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        let node = &mut self.nodes[idx];
        node.end = u32::try_from(self.at).unwrap_or(u32::MAX);
        node.past = past;
    }

    /// One value; where there is none, a fault and a `Missing` node, and nothing is taken.
    fn value(&mut self) {
        let token = self.peek();
        let start = token.start;
        let leaf = |kind| (kind, start);
        let (kind, mid) = match token.kind {
            TokenKind::Number => leaf(Kind::Number),
            TokenKind::Text => leaf(Kind::Text),
            TokenKind::Char => leaf(Kind::Char),
            TokenKind::Bytes => leaf(Kind::Bytes),
            TokenKind::Word => return self.word(token),
            TokenKind::Sign(b'(') => return self.brackets(Kind::Group, start),
            TokenKind::Sign(b'[') => return self.brackets(Kind::List, start),
            TokenKind::Sign(b'{') => return self.brackets(Kind::Map, start),
            TokenKind::Sign(_) | TokenKind::Stray | TokenKind::End => {
                if token.kind == TokenKind::End {
                    self.ends_early();
                } else {
                    self.refuse(start, format!("expected a value, found {}", self.found()));
                }
                self.push(Kind::Missing, start, start);
                return;
            }
        };
        self.take(token);
        self.push(kind, start, mid);
    }

    /// A bare word, or the name of a group.
    fn word(&mut self, token: Token) {
        let (start, end) = (token.start, token.end);
        let name = &self.text[start..end];
        self.take(token);
        if PLAIN_WORDS.contains(&name) {
            self.push(Kind::Word, start, start);
            return;
        }
        // A comment behind a word that is not closed is told by whoever comes by next.
        let next = lex::skip_trivia(self.text, end).unwrap_or(end);
        if self.at != end || self.byte(next) != Some(b'(') {
            self.push(Kind::Word, start, start);
            if name == "Some" {
                self.refuse(next, "expected `(` after `Some`");
            }
            return;
        }
        self.at = next;
        let idx = self.nodes.len();
        self.brackets(Kind::Group, start);
        let only = self.nodes.get(idx + 1);
        let holds_one =
            only.is_some_and(|only| only.kind != Kind::Field && only.past as usize == self.nodes.len());
        if name == "Some" && !holds_one && !self.unwrapped_variants && self.faults.is_empty() {
            self.refuse(start, "`Some(…)` stands around one value");
        }
    }

    /// What begins at `start`, up to its closing bracket; the opening one is next.
    fn brackets(&mut self, kind: Kind, start: usize) {
        let bracket = self.at;
        if self.open.len() == DEEPEST_NESTING {
            self.refuse(bracket, format!("brackets are nested deeper than {DEEPEST_NESTING} levels"));
            self.push(Kind::Missing, start, start);
            self.stop();
            return;
        }
        self.at += 1;
        let idx = self.push(kind, start, bracket);
        self.open.push(match kind {
            Kind::List => b']',
            Kind::Map => b'}',
            _ => b')',
        });
        self.items(kind);
        self.open.pop();
        self.close(idx);
    }

    fn items(&mut self, kind: Kind) {
        let depth = self.open.len();
        let mut first = None;
        loop {
            self.skip_trivia();
            if self.open.len() != depth || self.closes() {
                return;
            }
            match kind {
                Kind::Map => self.entry(),
                Kind::Group => self.group_item(&mut first),
                _ => self.value(),
            }
            self.skip_trivia();
            // What closes the items, or that the text ends, is seen to by the next round.
            let ended =
                self.open.len() != depth || matches!(self.byte(self.at), Some(b')' | b']' | b'}') | None);
            if !ended && !self.took(b',') {
                self.missing_comma();
            }
        }
    }

    /// Something else stands where a comma should.
    fn missing_comma(&mut self) {
        // Whoever expected a value here has told of it.
        let told = self.faults.last().is_some_and(|(at, _)| *at == self.at);
        if !told {
            let found = self.found();
            self.refuse(self.at, format!("expected a comma or the closing bracket, found {found}"));
        }
        if told || !begins_item(self.peek().kind) {
            self.skip_item();
        }
    }

    /// Whether the items end here; their closing bracket is then taken. Another one closes them too, as a fault, and is
    /// left to the brackets further out that wait for it.
    fn closes(&mut self) -> bool {
        let Some(&closing) = self.open.last() else { return true };
        match self.byte(self.at) {
            Some(sign) if sign == closing => self.at += 1,
            Some(sign @ (b')' | b']' | b'}')) => {
                let found = self.found();
                self.refuse(self.at, format!("expected a comma or the closing bracket, found {found}"));
                self.at += usize::from(!self.open.is_empty() && !self.open.contains(&sign));
            }
            Some(_) => return false,
            None => self.ends_early(),
        }
        true
    }

    fn ends_early(&mut self) {
        if !self.open.is_empty() {
            let at = self.text.len();
            self.open.clear();
            self.refuse(at, "the text ends too early: a closing `)` or `]` is missing");
        }
    }

    /// A field or a value; the first item of a group says which the others are.
    fn group_item(&mut self, first: &mut Option<Kind>) {
        let start = self.at;
        let idx = self.nodes.len();
        let token = self.peek();
        let is_word = token.kind == TokenKind::Word;
        let next = if is_word { lex::skip_trivia(self.text, token.end).unwrap_or(token.end) } else { start };
        let is_field = is_word && self.byte(next) == Some(b':');
        let expected = *first.get_or_insert(if is_field { Kind::Field } else { Kind::Missing });
        if !is_field {
            if expected == Kind::Field && is_word && next < self.text.len() {
                return self.field_without_colon(token, next);
            }
            if expected == Kind::Field && !is_word && begins_item(token.kind) {
                self.refuse(start, format!("expected a name, found {}", self.found()));
            }
            return self.value();
        }
        if expected != Kind::Field {
            self.refuse(next, "expected a comma or the closing bracket, found `:`");
        }
        let name_end = token.end;
        self.take(token);
        self.push(Kind::Field, start, name_end);
        self.at = next + 1;
        self.skip_trivia();
        self.value();
        self.close(idx);
    }

    /// Takes the value behind a name as if the colon were there, where one begins.
    fn field_without_colon(&mut self, token: Token, next: usize) {
        let found = super::found_at(&self.text[next..]);
        self.refuse(next, format!("expected `:` after a field's name, found {found}"));
        let idx = self.nodes.len();
        let (start, name_end) = (token.start, token.end);
        self.take(token);
        self.push(Kind::Field, start, name_end);
        self.skip_trivia();
        if begins_item(self.peek().kind) {
            self.value();
        }
        self.close(idx);
    }

    fn entry(&mut self) {
        let idx = self.push(Kind::Entry, self.at, self.at);
        let depth = self.open.len();
        let start = self.at;
        self.value();
        self.skip_trivia();
        if self.at != start && self.open.len() == depth {
            if self.took(b':') {
                self.skip_trivia();
                self.value();
            } else {
                let found = self.found();
                self.refuse(self.at, format!("expected `:` after a key, found {found}"));
            }
        }
        self.close(idx);
    }

    /// Passes over what no item begins with, up to the next comma or closing bracket at this depth.
    fn skip_item(&mut self) {
        let mut depth = 0_usize;
        loop {
            self.skip_trivia();
            let token = self.peek();
            match token.kind {
                TokenKind::End => return,
                TokenKind::Sign(b',') if depth == 0 => {
                    self.at += 1;
                    return;
                }
                TokenKind::Sign(b'(' | b'[' | b'{') => depth += 1,
                TokenKind::Sign(b')' | b']' | b'}') => match depth.checked_sub(1) {
                    Some(less) => depth = less,
                    None => return,
                },
                _ => {}
            }
            self.at = token.end;
        }
    }

    /// `#![enable(…)]`, `#![type = "…"]` and `#![schema = "…"]` before the value.
    fn attributes(&mut self) {
        loop {
            self.skip_trivia();
            let start = self.at;
            if self.byte(start) != Some(b'#') {
                return;
            }
            if self.attribute().is_none() {
                let message = "expected an attribute, as `#![enable(implicit_some)]`";
                if self.faults.is_empty() {
                    self.refuse(start, message);
                }
                self.stop();
                return;
            }
        }
    }

    fn attribute(&mut self) -> Option<()> {
        for sign in *b"#![" {
            self.took(sign).then_some(())?;
            self.skip_trivia();
        }
        let word = self.attribute_word()?;
        match word {
            "enable" => {
                self.took(b'(').then_some(())?;
                self.extensions()?;
                self.took(b')').then_some(())?;
                self.skip_trivia();
            }
            "type" | "schema" => {
                self.took(b'=').then_some(())?;
                self.skip_trivia();
                let token = self.peek();
                (token.kind == TokenKind::Text && token.flaw.is_none()).then_some(())?;
                self.take(token);
                self.skip_trivia();
            }
            _ => return None,
        }
        self.took(b']').then_some(())
    }

    fn attribute_word(&mut self) -> Option<&str> {
        let token = self.peek();
        (token.kind == TokenKind::Word).then_some(())?;
        let span = token.start..token.end;
        self.take(token);
        self.skip_trivia();
        Some(&self.text[span])
    }

    fn extensions(&mut self) -> Option<()> {
        loop {
            self.skip_trivia();
            let start = self.at;
            let name = self.attribute_word()?.to_owned();
            if !EXTENSIONS.contains(&name.as_str()) {
                let message = super::unknown_name("extension", &name, &EXTENSIONS);
                self.refuse(start, message);
                return None;
            }
            self.unwrapped_variants |= name == "unwrap_variant_newtypes";
            if !self.took(b',') {
                return Some(());
            }
            self.skip_trivia();
            if self.peek().kind != TokenKind::Word {
                return Some(());
            }
        }
    }
}

fn begins_item(kind: TokenKind) -> bool {
    !matches!(kind, TokenKind::Stray | TokenKind::End)
        && !matches!(kind, TokenKind::Sign(sign) if !matches!(sign, b'(' | b'[' | b'{'))
}
