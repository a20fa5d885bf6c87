//! What a file of ours says of itself; and small lists in RON, such as scripts, read by serde into types of their own,
//! with sentences and places for the `ron` crate's errors.

use crate::scene::fault::{Fault, Place, nearest_name};
use ron::error::{Error, SpannedError};
use ron::extensions::Extensions;
use ron::value::RawValue;
use serde::Deserialize;

/// The format of scenes and projects that this program writes, and the newest it reads.
pub const FORMAT: u32 = 1;

/// Brackets within brackets before a text is refused. A scene needs 7; the limit keeps the stack from running out.
const DEEPEST_NESTING: usize = 64;

/// The text without a byte order mark, which some editors put first.
pub(crate) fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// A fault, and the byte of the text where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misread {
    pub offset: usize,
    pub fault: Fault,
}

impl Misread {
    /// A fault of `part`, a slice of `source`.
    #[must_use]
    pub fn of(source: &str, part: &str, fault: Fault) -> Self {
        Self { offset: offset_in(source, part), fault }
    }

    /// The same fault, of this field.
    #[must_use]
    pub fn in_field(mut self, field: impl Into<String>) -> Self {
        self.fault = self.fault.in_field(field);
        self
    }
}

/// What is wrong with a text, collected by bytes: lines and columns are counted once for all, at the end.
#[derive(Debug)]
pub struct Misreadings<'a> {
    source: &'a str,
    found: Vec<Misread>,
}

impl<'a> Misreadings<'a> {
    #[must_use]
    pub const fn of(source: &'a str) -> Self {
        Self { source, found: Vec::new() }
    }

    /// Refuses `part`, a slice of the text.
    pub fn refuse(&mut self, part: &str, fault: Fault) {
        self.push(Misread::of(self.source, part, fault));
    }

    pub fn push(&mut self, misread: Misread) {
        self.found.push(misread);
    }

    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Every fault with its line and column, in the order of the text; of several at one place, in the order found.
    #[must_use]
    pub fn in_order(mut self) -> Vec<Fault> {
        self.found.sort_by_key(|misread| misread.offset);
        let (mut at, mut place) = (0, Place { line: 1, column: 1 });
        let placed = |Misread { offset, fault }: Misread| {
            place = moved(place, self.source.get(at..offset).unwrap_or_default());
            at = offset;
            fault.readable().at(place)
        };
        self.found.into_iter().map(placed).collect()
    }
}

/// The place behind `passed`, which begins at `place`.
fn moved(place: Place, passed: &str) -> Place {
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let lines = count(passed.bytes().filter(|byte| *byte == b'\n').count());
    match passed.rsplit_once('\n') {
        None => Place { column: place.column.saturating_add(count(passed.chars().count())), ..place },
        Some((_, last)) => Place {
            line: place.line.saturating_add(lines),
            column: count(last.chars().count()).saturating_add(1),
        },
    }
}

/// Reads `part`, a slice of `source`; a fault names its place in `source`.
///
/// # Errors
/// What RON says of it, as a sentence.
pub fn read_part<'a, T: Deserialize<'a>>(source: &'a str, part: &'a str) -> Result<T, Misread> {
    let options = ron::Options::default()
        .with_default_extension(Extensions::IMPLICIT_SOME)
        .with_recursion_limit(DEEPEST_NESTING);
    options.from_str(part).map_err(|error| fault_of(source, part, &error))
}

/// The value without the blanks and comments around it.
pub fn trimmed(raw: &RawValue) -> &str {
    raw.trim().get_ron()
}

/// Bytes of `source` before `part`; 0 for a text that is no slice of it.
pub(super) fn offset_in(source: &str, part: &str) -> usize {
    let offset = (part.as_ptr() as usize).wrapping_sub(source.as_ptr() as usize);
    if offset <= source.len() { offset } else { 0 }
}

fn fault_of(source: &str, part: &str, error: &SpannedError) -> Misread {
    let base = offset_in(source, part);
    let cursor = base + byte_of(part, error.span.end.line, error.span.end.col);
    let start = offending(source, base, cursor, &error.code);
    let found = found_at(&source[start..]);
    let message = match &error.code {
        // RON reads `3.5` as a whole 3 and stumbles over the rest.
        Error::ExpectedComma if source[start..].starts_with('.') => {
            let start = number_before(source, start);
            let message = sentence(&Error::ExpectedInteger, &found_at(&source[start..]));
            return Misread { offset: start, fault: Fault::new(message) };
        }
        Error::ExpectedComma if start == source.len() => ends_early(),
        // The end of a part is not the end of the file: something follows in its list.
        Error::TrailingCharacters if part.len() < source.len() => sentence(&Error::ExpectedComma, &found),
        code => sentence(code, &found),
    };
    Misread { offset: start, fault: Fault::new(message) }
}

/// Byte of a line and column, both from 1 and counted in characters.
fn byte_of(text: &str, line: usize, column: usize) -> usize {
    let line_start = match line {
        0 | 1 => 0,
        _ => text.match_indices('\n').nth(line - 2).map_or(text.len(), |(at, _)| at + 1),
    };
    let rest = &text[line_start..];
    line_start + rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(at, _)| at)
}

/// Where the faulty word begins: RON's cursor stands before a value of the wrong type, but behind a name, a number or
/// a text that it could read and then refused.
fn offending(source: &str, base: usize, cursor: usize, code: &Error) -> usize {
    let before = &source[base..cursor];
    let behind = match code {
        Error::NoSuchStructField { found, .. } | Error::NoSuchEnumVariant { found, .. } => {
            before.rfind(found)
        }
        Error::DuplicateStructField { field, .. } => before.rfind(field),
        Error::ExpectedDifferentStructName { found, .. } => before.rfind(found),
        Error::Message(_) => string_before(before),
        Error::IntegerOutOfBounds => return number_before(source, cursor),
        _ => None,
    };
    if let Some(start) = behind {
        return base + start;
    }
    let rest = &source[cursor..];
    cursor + (rest.len() - rest.trim_start().len())
}

/// Start of the text in quotes that `before` ends with.
fn string_before(before: &str) -> Option<usize> {
    before.trim_end().strip_suffix('"')?.rfind('"')
}

/// Start of the number that ends at `end`.
fn number_before(source: &str, end: usize) -> usize {
    let before = &source[..end];
    before.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || "+-_".contains(c)).len()
}

/// The next word, number, text or sign, shortened.
pub(in crate::scene) fn found_at(rest: &str) -> String {
    const LONGEST: usize = 24;
    let Some(first) = rest.chars().next() else { return "the end of the file".to_owned() };
    let length = if first == '"' {
        rest[1..].find(['"', '\n']).map_or(rest.len(), |end| end + 2)
    } else if first.is_alphanumeric() || "_-+.#".contains(first) {
        rest.find(|c: char| !c.is_alphanumeric() && !"_-+.#".contains(c)).unwrap_or(rest.len())
    } else {
        first.len_utf8()
    };
    let word = rest.get(..length).unwrap_or(rest).trim_end_matches(|c: char| c.is_ascii_whitespace());
    let cut = if word.chars().nth(LONGEST).is_some() { "…" } else { "" };
    let shown = word.chars().take(LONGEST).map(|c| match is_unseen(c) {
        true => c.escape_default().to_string(),
        false => c.to_string(),
    });
    format!("`{}{cut}`", shown.collect::<String>())
}

/// It would not be seen in a message, or worse, be obeyed by a terminal: a control character, a space of another kind, a
/// mark of the byte order or of a direction.
fn is_unseen(c: char) -> bool {
    let is_space = c.is_whitespace() && c != ' ';
    let marks = '\u{200b}'..='\u{200f}';
    let directions = '\u{202a}'..='\u{202e}';
    let joiners = '\u{2060}'..='\u{206f}';
    let is_mark = marks.contains(&c) || directions.contains(&c) || joiners.contains(&c);
    c.is_control() || is_space || is_mark || matches!(c, '\u{ad}' | '\u{feff}')
}

fn sentence(error: &Error, found: &str) -> String {
    match error {
        Error::Eof => ends_early(),
        Error::ExpectedFloat => format!("expected a number, found {found}"),
        Error::ExpectedInteger => format!("expected a whole number, found {found}"),
        Error::IntegerOutOfBounds => format!("expected a whole number from 0 on, found {found}"),
        Error::ExpectedBoolean => format!("expected `true` or `false`, found {found}"),
        Error::ExpectedString => format!("expected a text in quotes, found {found}"),
        Error::ExpectedStringEnd => "a text is not closed: its second `\"` is missing".to_owned(),
        Error::ExpectedStructLike | Error::ExpectedNamedStructLike(_) => {
            format!("expected `(`, found {found}")
        }
        Error::ExpectedStructLikeEnd | Error::ExpectedOptionEnd => format!("expected `)`, found {found}"),
        Error::ExpectedArray => format!("expected a list, `[`, found {found}"),
        Error::ExpectedArrayEnd => format!("expected `]`, found {found}"),
        Error::ExpectedComma => format!("expected a comma or the closing bracket, found {found}"),
        Error::ExpectedMapColon => format!("expected `:` after a field's name, found {found}"),
        Error::ExpectedIdentifier | Error::SuggestRawIdentifier(_) => {
            format!("expected a name, found {found}")
        }
        Error::TrailingCharacters => format!("expected the end of the file, found {found}"),
        Error::UnclosedBlockComment => "a comment is not closed: `*/` is missing".to_owned(),
        Error::UnexpectedChar(c) => format!("`{}` has no place here", c.escape_debug()),
        Error::ExceededRecursionLimit => format!("brackets are nested deeper than {DEEPEST_NESTING} levels"),
        Error::ExpectedDifferentStructName { expected, found } => {
            format!("expected `{expected}(` or only `(`, found `{found}`")
        }
        // The only thing of a fixed length in these files is a vector.
        Error::ExpectedDifferentLength { found, .. } => {
            format!("expected three numbers, `(x, y, z)`, found {found}")
        }
        Error::NoSuchStructField { expected, found, .. } => unknown_name("field", found, expected),
        Error::NoSuchEnumVariant { expected, found, .. } => unknown_name("kind", found, expected),
        Error::MissingStructField { field, .. } => format!("the field `{field}` is missing"),
        Error::DuplicateStructField { field, .. } => format!("the field `{field}` is written twice"),
        Error::InvalidValueForType { expected, .. } => format!("expected {expected}, found {found}"),
        Error::Message(message) => message.clone(),
        other => lower_first(&other.to_string()),
    }
}

fn ends_early() -> String {
    "the text ends too early: a closing `)` or `]` is missing".to_owned()
}

/// A name that is not known, with the nearest that is, and all of them.
pub(crate) fn unknown_name(what: &str, found: &str, known: &[&str]) -> String {
    let hint = nearest_name(found, known.iter().copied())
        .map_or_else(String::new, |nearest| format!(", did you mean `{nearest}`?"));
    let end = if hint.is_empty() { ";" } else { "" };
    format!("there is no {what} `{found}` here{hint}{end} known: {}", known.join(", "))
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}
