//! A recorded cadence: a plain list of deltas to replay instead of a frame clock's grid.

use super::Nanos;

/// Deltas in the order in which they are to be given to frames 2, 3, ….
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cadence {
    // Never empty: a replay of nothing is refused where it is read.
    deltas: Vec<Nanos>,
}

/// Why a text is no cadence, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct CadenceError {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    pub message: String,
}

impl Cadence {
    /// Reads one delta a line: `16.7ms`, `16700us`, `0.5s`, `400ns`, or whole nanoseconds without a unit.
    ///
    /// `#` begins a comment; blank lines count for nothing. Decimals are read exactly and rounded half-even to
    /// whole ns. A negative delta is allowed: it is a time reversal.
    ///
    /// # Errors
    /// The first line that is no delta or is beyond `i64` nanoseconds; a text without a delta; the CSV of a
    /// frame-time tool, which is a format of its own.
    pub fn parse(text: &str) -> Result<Self, CadenceError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut deltas = Vec::new();
        let mut lines = 1;
        for (index, line) in text.lines().enumerate() {
            lines = index + 1;
            let code = line.split('#').next().unwrap_or_default().trim_end();
            let entry = code.trim_start();
            if entry.is_empty() {
                continue;
            }
            let refused = |message| {
                let column = code[..code.len() - entry.len()].chars().count() + 1;
                CadenceError { line: index + 1, column, message }
            };
            if entry.starts_with(['{', '[']) {
                return Err(refused(format!(
                    "{} looks like JSON, as some tools keep their recordings: write a plain list, one delta a line \
                     (16.7ms)",
                    quoted(entry)
                )));
            }
            if looks_like_csv(entry) {
                return Err(refused(format!(
                    "{} looks like the CSV of a frame-time tool, which is not read yet: write a plain list, one \
                     delta a line (16.7ms)",
                    quoted(entry)
                )));
            }
            deltas.push(parse_delta(entry).map_err(refused)?);
        }
        if deltas.is_empty() {
            let message = "no delta in it: write one a line (16.7ms, 16700us, or 16700000 for ns)".to_owned();
            return Err(CadenceError { line: lines, column: 1, message });
        }
        Ok(Self { deltas })
    }

    /// The text is the CSV of a frame-time tool, which [`Cadence::parse`] refuses.
    #[must_use]
    pub fn is_frame_time_csv(text: &str) -> bool {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut entries = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
        let first = entries.find(|entry| !entry.is_empty());
        first.is_some_and(|entry| !entry.starts_with(['{', '[']) && looks_like_csv(entry))
    }

    /// At least one.
    #[must_use]
    pub fn deltas(&self) -> &[Nanos] {
        &self.deltas
    }
}

/// Columns, a header or a preamble, and not just a decimal comma.
fn looks_like_csv(entry: &str) -> bool {
    let columns = entry.contains([',', ';', '\t']) && !has_decimal_comma(entry);
    let header = ["application", "presents", "frametime", "frame time", "timeinseconds", "processid"];
    let lower = entry.to_ascii_lowercase();
    // MangoHud's begins with the version of its format.
    columns || entry.starts_with("//") || lower == "v1" || header.iter().any(|word| lower.contains(word))
}

/// A number as some countries write it, with a unit or without.
fn has_decimal_comma(entry: &str) -> bool {
    let is_number =
        |text: &str| text.split_once('.').is_some_and(|(whole, rest)| is_digits(whole) && is_digits(rest));
    let point = entry.replacen(',', ".", 1);
    parse_delta(&point).is_ok() || is_number(&point)
}

fn parse_delta(entry: &str) -> Result<Nanos, String> {
    // The first that fits: `s` ends every other unit too.
    let units = [("ns", 0), ("us", 3), ("µs", 3), ("μs", 3), ("ms", 6), ("s", 9)];
    let with_unit =
        units.iter().find_map(|(unit, power)| Some((entry.strip_suffix(unit)?.trim_end(), *power)));
    let (number, power) = with_unit.unwrap_or((entry, 0));
    let refused =
        || format!("{} is no delta: write 16.7ms, 16700us, 0.5s, or 16700000 for ns", quoted(entry));

    let (negative, digits) = number.strip_prefix('-').map_or((false, number), |digits| (true, digits));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() || !is_digits(whole) || !is_digits(fraction) || digits.ends_with('.') {
        return Err(match number.replacen(',', ".", 1) {
            point if point != number && !point.contains(',') => {
                format!("{} is no delta: write a decimal point, not a comma", quoted(entry))
            }
            _ => refused(),
        });
    }
    if with_unit.is_none() && !fraction.is_empty() {
        // Read as ns it would be a delta of nearly nothing, which nobody means.
        return Err(format!("{} has no unit: write {number}ms, or whole nanoseconds", quoted(entry)));
    }
    let nanos = scaled_half_even(whole, fraction, power)
        .and_then(|nanos| i64::try_from(if negative { -nanos } else { nanos }).ok())
        .ok_or_else(|| format!("{} is too long: at most {} ns either way", quoted(entry), i64::MAX))?;
    Ok(Nanos(nanos))
}

/// `whole.fraction × 10^power` to the nearest whole number, halves to the even one; none where it is far too large.
fn scaled_half_even(whole: &str, fraction: &str, power: usize) -> Option<i128> {
    let (taken, rest) = fraction.split_at(power.min(fraction.len()));
    let mut value = 0_i128;
    for digit in whole.bytes().chain(taken.bytes()).chain(std::iter::repeat_n(b'0', power - taken.len())) {
        value = value.checked_mul(10)?.checked_add(i128::from(digit - b'0'))?;
    }
    let rest = rest.trim_end_matches('0');
    let round_up = match rest.as_bytes() {
        [] => false,
        [b'5'] => value % 2 == 1,
        [first, ..] => *first >= b'5',
    };
    value.checked_add(i128::from(round_up))
}

fn is_digits(part: &str) -> bool {
    part.bytes().all(|byte| byte.is_ascii_digit())
}

/// As much of an entry as a message can carry.
fn quoted(entry: &str) -> String {
    let mut shown: String = entry.chars().take(40).collect();
    if shown.len() < entry.len() {
        shown.push('…');
    }
    format!("{shown:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_delta_is_read_exactly() {
        let table = [
            ("16.7ms", 16_700_000),
            ("16700us", 16_700_000),
            ("16700µs", 16_700_000),
            ("16700000", 16_700_000),
            ("16700000ns", 16_700_000),
            ("0.5s", 500_000_000),
            ("16.7 ms", 16_700_000),
            ("  8\t", 8),
            ("28800s", 28_800_000_000_000),
            ("0", 0),
            ("-1ms", -1_000_000),
            ("-0", 0),
            ("16.666666667ms", 16_666_667),
            ("0.0000000005s", 0),
            ("0.0000000015s", 2),
            ("0.00000000050001s", 1),
            ("-0.0000000025s", -2),
            ("2.5ns", 2),
            ("3.5000ns", 4),
            ("9223372036854775807", i64::MAX),
            ("-9223372036854775808", i64::MIN),
            ("9223372036.854775807s", i64::MAX),
        ];
        for (text, nanos) in table {
            let cadence = Cadence::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(cadence.deltas(), [Nanos(nanos)], "{text}");
        }
    }

    #[test]
    fn comments_blank_lines_and_line_ends_of_any_kind_are_skipped() {
        let text = "\u{feff}# a stall\r\n16.6ms\r\n\r\n  16.6ms  # steady\n2.6ms\n\n17.4ms";
        let deltas = [16_600_000, 16_600_000, 2_600_000, 17_400_000].map(Nanos);
        assert_eq!(Cadence::parse(text).unwrap().deltas(), deltas);
    }

    #[test]
    fn what_is_no_cadence_is_refused_with_its_line() {
        let table = [
            ("", 1, "no delta in it"),
            ("# only\n\n# comments\n", 3, "no delta in it"),
            ("16ms\nNaN\n", 2, "\"NaN\" is no delta"),
            ("16ms\n\ninf", 3, "is no delta"),
            ("1e3", 1, "is no delta"),
            ("+5ms", 1, "is no delta"),
            ("--5ms", 1, "is no delta"),
            ("5.ms", 1, "is no delta"),
            (".5ms", 1, "is no delta"),
            ("ms", 1, "is no delta"),
            ("1.2.3ms", 1, "is no delta"),
            ("16ms 16ms", 1, "is no delta"),
            ("8h", 1, "is no delta"),
            ("٣ms", 1, "is no delta"),
            ("16.7", 1, "has no unit: write 16.7ms"),
            ("16,7ms", 1, "a decimal point, not a comma"),
            ("16,7\n16,8\n", 1, "a decimal point, not a comma"),
            ("{\"Runs\": [{\"CaptureData\": {\"MsBetweenPresents\": [16.7, 16.8]}}]}", 1, "looks like JSON"),
            ("[16.7, 16.8]", 1, "looks like JSON"),
            ("9223372036854775808", 1, "is too long"),
            ("-9223372037s", 1, "is too long"),
            ("99999999999999999999999999999999999999999999999s", 1, "is too long"),
        ];
        for (text, line, part) in table {
            let error = Cadence::parse(text).expect_err(text);
            assert_eq!((error.line, error.column), (line, 1), "{text:?}: {error}");
            assert!(error.to_string().contains(part), "{text:?}: {error}");
        }
    }

    #[test]
    fn the_column_is_that_of_the_entry() {
        let error = Cadence::parse("\u{feff}5ms\n  \u{a0}µs # none\n").unwrap_err();
        assert_eq!((error.line, error.column), (2, 4));
        assert!(error.to_string().starts_with("line 2, column 4: \"µs\" is no delta"), "{error}");
    }

    #[test]
    fn the_csv_of_a_frame_time_tool_is_refused_with_a_sentence_that_says_so() {
        let table = [
            ("Application,ProcessID,MsBetweenPresents\ngame.exe,12,16.7\n", 1),
            ("//GameName=Game\n//Runtime=DX12\n", 1),
            ("# comment\nMsBetweenPresents\n16.7\n", 2),
            ("Frametime;GPU\n16,7;12\n", 1),
            ("0.0167,16.7,3.2\n", 1),
            ("v1\n0.8.1\nos,cpu,gpu\n", 1),
        ];
        for (text, line) in table {
            let error = Cadence::parse(text).expect_err(text);
            assert_eq!(error.line, line, "{text:?}");
            assert!(error.message.contains("CSV of a frame-time tool, which is not read yet"), "{error}");
        }
    }
}
