//! Where the words, numbers, texts, blanks and comments of a RON text begin and end.

use super::literal;
use unicode_ident::{is_xid_continue, is_xid_start};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// `name` or `r#name`.
    Word,
    /// Also a range, `0..5`, and a byte, `b'a'`.
    Number,
    /// `"…"` or `r#"…"#`.
    Text,
    /// `'…'`.
    Char,
    /// `b"…"` or `br#"…"#`.
    Bytes,
    /// One of `( ) [ ] { } , :`.
    Sign(u8),
    /// A character that begins nothing.
    Stray,
    /// Behind the last byte.
    End,
}

/// One token: from which byte to which, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub start: usize,
    pub end: usize,
    pub flaw: Option<Flaw>,
}

/// What is wrong with a token or a comment, and at which byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Flaw {
    pub at: usize,
    pub message: String,
}

impl Flaw {
    fn new(at: usize, message: &str) -> Self {
        Self { at, message: message.to_owned() }
    }
}

/// The blanks of RON.
pub(super) const fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t'..='\r' | '\u{85}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}')
}

/// The first byte from `at` that is neither blank nor comment.
///
/// # Errors
/// A comment is not closed; the rest of the text is in it.
pub(super) fn skip_trivia(text: &str, at: usize) -> Result<usize, Flaw> {
    let mut at = at;
    loop {
        at = skip_blanks(text, at);
        at = match text.as_bytes().get(at..at + 2) {
            Some(b"//") => comment_end(text, at).unwrap_or(text.len()),
            Some(b"/*") => block_comment_end(text, at)?,
            _ => return Ok(at),
        };
    }
}

/// Where the comment that begins at `at` ends; none where none does, or it is not closed.
pub(super) fn comment_end(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    if rest.starts_with("//") {
        return Some(at + rest.find('\n').unwrap_or(rest.len()));
    }
    rest.starts_with("/*").then(|| block_comment_end(text, at).ok()).flatten()
}

/// The comments in a text of tokens without flaws, each with its byte.
pub(super) fn comments(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = skip_blanks(text, at);
            if let Some(end) = comment_end(text, start) {
                at = end;
                return Some((start, &text[start..end]));
            }
            let token = token(text, start);
            if token.kind == TokenKind::End || token.end <= at {
                return None;
            }
            at = token.end;
        }
    })
}

/// The first byte from `at` that is no blank.
pub(super) fn skip_blanks(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = at;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b' ' | b'\t'..=b'\r' => at += 1,
            byte if byte.is_ascii() => break,
            _ => match text[at..].chars().next() {
                Some(c) if is_blank(c) => at += c.len_utf8(),
                _ => break,
            },
        }
    }
    at
}

/// Block comments nest.
fn block_comment_end(text: &str, start: usize) -> Result<usize, Flaw> {
    let bytes = text.as_bytes();
    let (mut at, mut level) = (start + 2, 1_usize);
    while level > 0 {
        match bytes.get(at..at + 2) {
            Some(b"/*") => (at, level) = (at + 2, level + 1),
            Some(b"*/") => (at, level) = (at + 2, level - 1),
            Some(_) => at += 1,
            None => return Err(Flaw::new(start, "a comment is not closed: `*/` is missing")),
        }
    }
    Ok(at)
}

/// The token that begins at `at`, which is neither blank nor comment.
pub(super) fn token(text: &str, at: usize) -> Token {
    let rest = &text[at..];
    let bytes = rest.as_bytes();
    let sound = |kind, length| Token { kind, start: at, end: at + length, flaw: None };
    let Some(&first) = bytes.first() else { return sound(TokenKind::End, 0) };
    match first {
        b'(' | b')' | b'[' | b']' | b'{' | b'}' | b',' | b':' => sound(TokenKind::Sign(first), 1),
        b'"' => quoted(text, at, TokenKind::Text, 0),
        b'\'' => character(text, at, TokenKind::Char, 0),
        b'b' if bytes.starts_with(b"b\"") => quoted(text, at, TokenKind::Bytes, 1),
        b'b' if bytes.starts_with(b"b'") => character(text, at, TokenKind::Number, 1),
        b'b' if bytes.starts_with(b"br\"") || bytes.starts_with(b"br#") => raw(text, at, TokenKind::Bytes, 2),
        b'r' if bytes.starts_with(b"r\"") || bytes.starts_with(b"r#\"") || bytes.starts_with(b"r##") => {
            raw(text, at, TokenKind::Text, 1)
        }
        b'r' if bytes.starts_with(b"r#") => {
            let length = 2 + length_while(&rest[2..], is_raw_word_char);
            let flaw = (length == 2).then(|| Flaw::new(at, "a name is missing after `r#`"));
            Token { flaw, ..sound(TokenKind::Word, length) }
        }
        b'0'..=b'9' | b'+' | b'-' | b'.' => number(text, at),
        _ => {
            let c = rest.chars().next().unwrap_or_default();
            if c != '_' && !is_xid_start(c) {
                return sound(TokenKind::Stray, c.len_utf8());
            }
            let length = length_while(rest, is_xid_continue);
            // `inf..5` and `NaN..` are ranges.
            if literal::is_number(&rest[..length]) && rest[length..].starts_with("..") {
                return number(text, at);
            }
            sound(TokenKind::Word, length)
        }
    }
}

fn length_while(text: &str, holds: fn(char) -> bool) -> usize {
    let ascii = text.bytes().take_while(|byte| byte.is_ascii() && holds(char::from(*byte))).count();
    if text.as_bytes().get(ascii).is_none_or(u8::is_ascii) {
        return ascii;
    }
    text.find(|c| !holds(c)).unwrap_or(text.len())
}

fn is_raw_word_char(c: char) -> bool {
    matches!(c, '.' | '+' | '-') || is_xid_continue(c)
}

fn number(text: &str, at: usize) -> Token {
    let rest = &text[at..];
    let mut length = length_while(rest, is_raw_word_char);
    // `0..=5`.
    if rest[..length].ends_with("..") && rest[length..].starts_with('=') {
        length += 1 + length_while(&rest[length + 1..], is_raw_word_char);
    }
    let written = &rest[..length];
    let flaw = (!literal::is_number_or_range(written))
        .then(|| Flaw { at, message: format!("expected a number, found `{written}`") });
    Token { kind: TokenKind::Number, start: at, end: at + length, flaw }
}

/// A text in quotes whose `"` stands `prefix` bytes behind `at`.
fn quoted(text: &str, at: usize, kind: TokenKind, prefix: usize) -> Token {
    let body = at + prefix + 1;
    let bytes = text.as_bytes();
    let mut end = body;
    let closed = loop {
        match bytes.get(end) {
            Some(b'"') => break true,
            Some(b'\\') => end += 2,
            Some(_) => end += 1,
            None => break false,
        }
    };
    if !closed {
        let flaw = Flaw::new(at, "a text is not closed: its second `\"` is missing");
        return Token { kind, start: at, end: text.len(), flaw: Some(flaw) };
    }
    let checked = literal::check_escapes(&text[body..end], kind == TokenKind::Bytes);
    let flaw = checked.err().map(|(offset, message)| Flaw::new(body + offset, message));
    Token { kind, start: at, end: end + 1, flaw }
}

/// A raw text, whose signs `#` begin `prefix` bytes behind `at`.
fn raw(text: &str, at: usize, kind: TokenKind, prefix: usize) -> Token {
    let rest = &text[at + prefix..];
    let hashes = rest.bytes().take_while(|byte| *byte == b'#').count();
    let unsound =
        |end: usize, message: &str| Token { kind, start: at, end, flaw: Some(Flaw::new(at, message)) };
    if rest.as_bytes().get(hashes) != Some(&b'"') {
        return unsound(at + prefix + hashes, "expected `\"` after the `#` of a raw text");
    }
    let ending = format!("\"{}", "#".repeat(hashes));
    match rest[hashes + 1..].find(&ending) {
        Some(length) => {
            let end = at + prefix + hashes + 1 + length + ending.len();
            Token { kind, start: at, end, flaw: None }
        }
        None => {
            unsound(text.len(), "a raw text is not closed: its second `\"`, with as many `#`, is missing")
        }
    }
}

/// One character in single quotes, the first of which stands `prefix` bytes behind `at`.
fn character(text: &str, at: usize, kind: TokenKind, prefix: usize) -> Token {
    let body = at + prefix + 1;
    match literal::character_length(&text[body..], kind == TokenKind::Number) {
        Ok(length) => Token { kind, start: at, end: body + length + 1, flaw: None },
        Err(message) => {
            // What is meant to stand between the quotes is passed over, where they are two.
            let rest = &text[body..];
            let length = rest.find(['\'', '\n', ',']).filter(|end| rest[*end..].starts_with('\''));
            let end = body + length.map_or(0, |length| length + 1);
            Token { kind, start: at, end, flaw: Some(Flaw::new(at, message)) }
        }
    }
}
