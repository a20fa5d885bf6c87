//! Names of files and of things as they are shown: on one line, and with nothing in them that a terminal would obey.

use std::borrow::Cow;
use std::fmt::Write;
use std::path::Path;

/// The path with control characters as escapes, and bytes that are no text as `\xff`.
#[must_use]
pub fn path(path: &Path) -> String {
    let mut spelt = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        spelt.push_str(&line(chunk.valid()));
        for byte in chunk.invalid() {
            // Writing to a String does not fail.
            let _ = write!(spelt, "\\x{byte:02x}");
        }
    }
    spelt
}

/// A text as one line.
#[must_use]
pub fn line(text: &str) -> Cow<'_, str> {
    escaped(text, char::is_control)
}

/// Lines that may have others below them: line ends and tabs stay.
#[must_use]
pub fn lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| c.is_control() && c != '\n' && c != '\t')
}

fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut spelt = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match is_escaped(c) {
            true => spelt.extend(c.escape_default()),
            false => spelt.push(c),
        }
    }
    Cow::Owned(spelt)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_spelt_out_and_all_else_stays() {
        assert_eq!(path(Path::new("/games/a \"b\"/Zürich.ron")), "/games/a \"b\"/Zürich.ron");
        assert_eq!(path(Path::new("a\nb/\u{1b}[31m.ron")), "a\\nb/\\u{1b}[31m.ron");
        assert_eq!((line("a\tb\r\n").as_ref(), lines("a\tb\r\n").as_ref()), ("a\\tb\\r\\n", "a\tb\\r\n"));
    }

    #[test]
    #[cfg(unix)]
    fn bytes_that_are_no_text_are_told_apart() {
        use std::os::unix::ffi::OsStrExt;
        let name = std::ffi::OsStr::from_bytes(b"/games/\xff\xc3/main.ron");
        assert_eq!(path(Path::new(name)), "/games/\\xff\\xc3/main.ron");
    }
}
