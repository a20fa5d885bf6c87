//! What the numbers and texts of RON mean: as the `ron` crate reads them, which is their measure in the tests.

use std::borrow::Cow;
use std::str::FromStr;

/// Whether this is a number, as a whole: `-1`, `1_000`, `0xff`, `7u8`, `.5`, `1e-3f32`, `inf`.
pub(super) fn is_number(written: &str) -> bool {
    is_integer(written) || float_parts(written).is_some_and(|(digits, _)| digits.parse::<f64>().is_ok())
}

/// Whether this is a number, or a range of numbers: `..`, `0..5`, `..=1.5`.
pub(super) fn is_number_or_range(written: &str) -> bool {
    let Some((from, to)) = written.split_once("..") else { return is_number(written) };
    let fits = |end: &str| end.is_empty() || is_number(end);
    fits(from) && to.strip_prefix('=').map_or_else(|| fits(to), is_number)
}

/// A number of this type, which is an `f32` or an `f64`; `suffix` names it.
pub(in crate::scene) fn float<T: FromStr>(written: &str, suffix: &str) -> Option<T> {
    let (digits, given) = float_parts(written)?;
    (given.is_empty() || given == suffix).then(|| digits.parse().ok()).flatten()
}

/// The number without its underscores, and its suffix; none for what is no decimal number.
fn float_parts(written: &str) -> Option<(Cow<'_, str>, &str)> {
    let (digits, suffix) = match written.len().checked_sub(3) {
        Some(at) if written.ends_with("f32") || written.ends_with("f64") => written.split_at(at),
        _ => (written, ""),
    };
    let unsigned = digits.strip_prefix(['+', '-']).unwrap_or(digits);
    if unsigned == "inf" || unsigned == "NaN" {
        return Some((Cow::Borrowed(digits), suffix));
    }
    let plain = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'e' | b'E' | b'.' | b'+' | b'-');
    if digits.bytes().all(plain) {
        return Some((Cow::Borrowed(digits), suffix));
    }
    let mut cleaned = String::with_capacity(digits.len());
    let mut underscore_allowed = false;
    for c in digits.chars() {
        match c {
            '_' if underscore_allowed => continue,
            '0'..='9' | 'e' | 'E' => underscore_allowed = true,
            '.' => underscore_allowed = false,
            '+' | '-' => {}
            _ => return None,
        }
        cleaned.push(c);
    }
    Some((Cow::Owned(cleaned), suffix))
}

/// A whole number from 0 to `most`; `suffix` names its type. What is no whole number at all is `None`.
pub(in crate::scene) fn whole(written: &str, most: u64, suffix: &str) -> Option<Result<u64, OutOfBounds>> {
    let (negative, magnitude, given) = integer_parts(written)?;
    if !given.is_empty() && given != suffix {
        return None;
    }
    let value = magnitude.filter(|value| *value <= most && (!negative || *value == 0));
    Some(value.ok_or(if negative { OutOfBounds::Negative } else { OutOfBounds::TooLarge }))
}

/// On which side a whole number is out of its bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::scene) enum OutOfBounds {
    Negative,
    TooLarge,
}

fn is_integer(written: &str) -> bool {
    let Some((negative, Some(magnitude), suffix)) = integer_parts(written) else { return false };
    let (positive, below) = match suffix {
        "" => (u64::MAX, i64::MAX as u64 + 1),
        "i8" => (0x7f, 0x80),
        "i16" => (0x7fff, 0x8000),
        "i32" => (0x7fff_ffff, 0x8000_0000),
        "i64" => (i64::MAX as u64, i64::MAX as u64 + 1),
        "u8" => (0xff, 0),
        "u16" => (0xffff, 0),
        "u32" => (u64::from(u32::MAX), 0),
        "u64" => (u64::MAX, 0),
        _ => return false,
    };
    magnitude <= if negative { below } else { positive }
}

/// Whether it is negative, how large (none where 64 bits do not hold it), and its suffix.
fn integer_parts(written: &str) -> Option<(bool, Option<u64>, &str)> {
    let negative = written.starts_with('-');
    let unsigned = written.strip_prefix(['+', '-']).unwrap_or(written);
    let prefixed = [("0b", 2), ("0o", 8), ("0x", 16)]
        .into_iter()
        .find_map(|(prefix, base)| Some((unsigned.strip_prefix(prefix)?, base)));
    let (digits, base) = prefixed.unwrap_or((unsigned, 10));
    let end = digits.find(|c: char| !c.is_ascii_hexdigit() && c != '_').unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    if digits.is_empty() || digits.starts_with('_') || !(suffix.is_empty() || suffix.starts_with(['i', 'u']))
    {
        return None;
    }
    let mut magnitude = Some(0_u64);
    for c in digits.chars().filter(|c| *c != '_') {
        let digit = c.to_digit(base)?;
        magnitude =
            magnitude.and_then(|value| value.checked_mul(u64::from(base))?.checked_add(u64::from(digit)));
    }
    Some((negative, magnitude, suffix))
}

/// What a text in quotes, or a raw one, says. It has been read without a flaw; of one with a flaw, something of it or
/// nothing: what it says is refused anyway.
pub(super) fn text_value(written: &str) -> Cow<'_, str> {
    if let Some(raw) = written.strip_prefix('r') {
        let hashes = raw.bytes().take_while(|byte| *byte == b'#').count();
        let end = raw.len().saturating_sub(hashes + 1);
        return Cow::Borrowed(raw.get(hashes + 1..end).unwrap_or_default());
    }
    let body = written.get(1..written.len().saturating_sub(1)).unwrap_or_default();
    if !body.contains('\\') {
        return Cow::Borrowed(body);
    }
    let mut value = String::with_capacity(body.len());
    // What cannot be read was refused before; nothing more comes of it here.
    let _ = unescape(body, false, |c| value.push(c));
    Cow::Owned(value)
}

/// Refuses what no escape is, with the byte of its `\` and why. Of `bytes`, each `\x` stands for itself.
pub(super) fn check_escapes(body: &str, bytes: bool) -> Result<(), (usize, &'static str)> {
    if body.contains('\\') { unescape(body, bytes, |_| {}) } else { Ok(()) }
}

fn unescape(body: &str, bytes: bool, mut put: impl FnMut(char)) -> Result<(), (usize, &'static str)> {
    let mut at = 0;
    while let Some(c) = body[at..].chars().next() {
        if c != '\\' {
            put(c);
            at += c.len_utf8();
            continue;
        }
        let rest = &body[at + 1..];
        let line_end = if rest.starts_with("\r\n") { 2 } else { usize::from(rest.starts_with('\n')) };
        if line_end > 0 {
            let next = rest[line_end..].trim_start_matches([' ', '\t', '\n', '\r']);
            at = body.len() - next.len();
            continue;
        }
        let byte = bytes && rest.starts_with('x');
        let read =
            if byte { hex_byte(rest, 1).map(|byte| (char::from(byte), 3)) } else { escape(rest, true) };
        let (c, length) = read.map_err(|message| (at, message))?;
        put(c);
        at += 1 + length;
    }
    Ok(())
}

/// The character behind a `\`, and the bytes it takes. `many` allows one character from several `\x`, by its bytes.
fn escape(rest: &str, many: bool) -> Result<(char, usize), &'static str> {
    let simple = |c| Ok((c, 1));
    match rest.bytes().next() {
        Some(b'\'') => simple('\''),
        Some(b'"') => simple('"'),
        Some(b'\\') => simple('\\'),
        Some(b'n') => simple('\n'),
        Some(b'r') => simple('\r'),
        Some(b't') => simple('\t'),
        Some(b'0') => simple('\0'),
        Some(b'x') => byte_escape(rest, many),
        Some(b'u') => unicode_escape(rest),
        _ => Err("this is no escape: write `\\\\` for a backslash"),
    }
}

fn byte_escape(rest: &str, many: bool) -> Result<(char, usize), &'static str> {
    const NO_CHARACTER: &str = "these `\\x` are no character in UTF-8";
    let mut bytes = [0_u8; 4];
    for count in 1..=if many { 4 } else { 1 } {
        // The first `\` is already read: `x41\x42`.
        let start = count * 4 - 3;
        if count > 1 && rest.get(start - 2..start) != Some("\\x") {
            return Err(NO_CHARACTER);
        }
        bytes[count - 1] = hex_byte(rest, start)?;
        if let Some(c) = std::str::from_utf8(&bytes[..count]).ok().and_then(|text| text.chars().next()) {
            return Ok((c, start + 2));
        }
    }
    Err(NO_CHARACTER)
}

fn hex_byte(rest: &str, start: usize) -> Result<u8, &'static str> {
    let digits = rest.get(start..start + 2).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
    let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
    byte.ok_or("expected two hexadecimal digits after `\\x`")
}

fn unicode_escape(rest: &str) -> Result<(char, usize), &'static str> {
    const SHAPE: &str = "expected 1 to 6 hexadecimal digits in brackets after `\\u`: `\\u{e9}`";
    let digits = rest.strip_prefix("u{").and_then(|rest| rest.split_once('}')).ok_or(SHAPE)?.0;
    if !(1..=6).contains(&digits.len()) || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(SHAPE);
    }
    let c = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
    Ok((c.ok_or("there is no such character")?, digits.len() + 3))
}

/// Bytes of the one character that `rest` begins with, up to the closing quote; `byte` allows only what fits one.
pub(super) fn character_length(rest: &str, byte: bool) -> Result<usize, &'static str> {
    let length = match rest.chars().next() {
        None => 0,
        Some('\\') if byte && rest.starts_with("\\x") => hex_byte(rest, 2).map(|_| 4)?,
        Some('\\') if byte && rest.starts_with("\\u") => return Err("a byte has no `\\u`"),
        Some('\\') => 1 + escape(&rest[1..], false)?.1,
        Some(c) if byte && !c.is_ascii() => return Err("a byte is one ASCII character"),
        Some(c) => c.len_utf8(),
    };
    if length > 0 && rest[length..].starts_with('\'') {
        Ok(length)
    } else {
        Err("expected one character between single quotes")
    }
}
