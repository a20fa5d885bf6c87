//! Tells code from comments and texts, and tests from the rest, as far as rules that look for words need it.

/// `text` with comments and the insides of string and character literals replaced by spaces; every line keeps its place.
#[must_use]
pub fn blanked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let blank = comment_length(rest).or_else(|| literal_length(rest, out.chars().last()));
        let length = blank.unwrap_or(next.len_utf8());
        let (taken, after) = rest.split_at(length);
        match blank {
            Some(_) => out.extend(taken.chars().map(|c| if c == '\n' { '\n' } else { ' ' })),
            None => out.push_str(taken),
        }
        rest = after;
    }
    out
}

/// For each line of blanked code, whether it belongs to an item under `#[cfg(test)]` or the like.
#[must_use]
pub fn test_lines(code: &str) -> Vec<bool> {
    let mut marks = Vec::new();
    // Inside a test item: its depth of brackets so far, and whether its body has begun.
    let mut item: Option<(i32, bool)> = None;
    for line in code.lines() {
        let starts = is_test_attribute(line);
        if starts && item.is_none() {
            item = Some((0, false));
        }
        marks.push(item.is_some());
        let Some((depth, begun)) = &mut item else { continue };
        let after_attribute = if starts { line.rsplit_once(']').map_or("", |(_, rest)| rest) } else { line };
        let mut ended = false;
        for c in after_attribute.chars() {
            match c {
                '{' => {
                    *depth += 1;
                    *begun = true;
                }
                '}' => {
                    *depth -= 1;
                    ended |= *begun && *depth == 0;
                }
                ';' if *depth == 0 => ended = true,
                _ => {}
            }
        }
        if ended {
            item = None;
        }
    }
    marks
}

/// `cfg(test)` and `cfg(all(test, …))`, not `cfg(not(test))` and not an inner attribute.
fn is_test_attribute(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("#[cfg(test)]") || line.starts_with("#[cfg(all(test,") || line.starts_with("#[test]")
}

fn comment_length(rest: &str) -> Option<usize> {
    if rest.starts_with("//") {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    if !rest.starts_with("/*") {
        return None;
    }
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        let tail = &rest[at..];
        if tail.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if tail.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return Some(at);
            }
        } else {
            at += tail.chars().next().map_or(1, char::len_utf8);
        }
    }
    Some(rest.len())
}

fn literal_length(rest: &str, before: Option<char>) -> Option<usize> {
    if let Some(length) = raw_length(rest, before) {
        return Some(length);
    }
    if rest.starts_with('"') {
        return Some(escaped_length(rest, '"'));
    }
    // A character, and not a lifetime: a quote follows at once, or after an escape.
    let mut chars = rest.strip_prefix('\'')?.chars();
    let first = chars.next()?;
    (first == '\\' || chars.next() == Some('\'')).then(|| escaped_length(rest, '\''))
}

/// `r"…"`, `r#"…"#` and so on, where the `r` begins a word (a `b` may stand before it).
fn raw_length(rest: &str, before: Option<char>) -> Option<usize> {
    let in_word = before.is_some_and(|c| c != 'b' && (c.is_alphanumeric() || c == '_'));
    let hashed = rest.strip_prefix('r').filter(|_| !in_word)?;
    let hashes = hashed.len() - hashed.trim_start_matches('#').len();
    let body = hashed[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let length = body.find(&end).map_or(body.len(), |at| at + end.len());
    Some(1 + hashes + 1 + length)
}

fn escaped_length(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if c == quote {
            return at + 1;
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_texts_are_blanked_and_code_is_not() {
        for (text, code) in [
            ("let a = 1; // unsafe", "let a = 1;          "),
            ("f(\"unsafe\", x)", "f(        , x)"),
            ("f(\"a\\\"b\", x)", "f(      , x)"),
            ("f(r#\"a\"b\"#, x)", "f(        , x)"),
            ("for r in rows {}", "for r in rows {}"),
            ("a /* b /* c */ d */ e", "a                   e"),
            ("let q: &'a str = f('\\'', '\"', b);", "let q: &'a str = f(    ,    , b);"),
            ("\"a\nb\" c", "  \n   c"),
        ] {
            assert_eq!(blanked(text), code, "{text}");
        }
    }

    #[test]
    fn lines_under_a_test_attribute_are_tests_until_the_item_ends() {
        let code = "fn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() { c() }\n}\nfn d() {}\n#[cfg(all(test, loom))]\nmod e;\nfn f() {}\n#[cfg(not(test))]\nfn g() {}\n";
        let marks: String = test_lines(code).iter().map(|test| if *test { 't' } else { '.' }).collect();
        assert_eq!(marks, ".tttt.tt...");
    }

    #[test]
    fn an_attribute_between_does_not_end_the_item() {
        let code = "#[cfg(test)]\n#[path = ]\nmod tests;\nfn a() {}\n";
        assert_eq!(test_lines(code), [true, true, true, false]);
    }
}
