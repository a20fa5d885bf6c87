//! Numbers as text: grouped digits, fixed places, units.

use framewalk_runtime::time::Nanos;

/// Digits in groups of three: `1 204`.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// As [`grouped`], with a sign where below 0.
#[must_use]
pub fn grouped_signed(number: i64) -> String {
    let digits = grouped(number.unsigned_abs());
    if number < 0 { format!("−{digits}") } else { digits }
}

/// Milliseconds with two places: `6.94 ms`. Rounded to the nearest; never `-0.00`.
#[must_use]
pub fn millis(time: Nanos) -> String {
    format!("{} ms", millis_number(time))
}

/// As [`millis`], without the unit.
#[must_use]
pub fn millis_number(time: Nanos) -> String {
    let hundredths = (time.0.unsigned_abs() + 5_000) / 10_000;
    let sign = if time.0 < 0 && hundredths > 0 { "−" } else { "" };
    format!("{sign}{}.{:02}", grouped(hundredths / 100), hundredths % 100)
}

/// As [`millis`], always with a sign: `+6.94 ms`.
#[must_use]
pub fn millis_signed(time: Nanos) -> String {
    let text = millis(time);
    if text.starts_with('−') { text } else { format!("+{text}") }
}

/// How far a deadline lies after a refresh of the display, or before it: `−0.3 ms off the display`. A tenth of a millisecond
/// is what can be read, and what a display is met to.
#[must_use]
pub fn off_display(error: Nanos) -> String {
    let tenths = (error.0.unsigned_abs() + 50_000) / 100_000;
    let sign = if error.0 < 0 && tenths > 0 { '−' } else { '+' };
    format!("{sign}{}.{} ms off the display", grouped(tenths / 10), tenths % 10)
}

/// Microseconds with one place: `6.9 µs`; from a millisecond on as [`millis`].
#[must_use]
pub fn micros(time: Nanos) -> String {
    if time.0.unsigned_abs() >= 1_000_000 {
        return millis(time);
    }
    let tenths = (time.0.unsigned_abs() + 50) / 100;
    let sign = if time.0 < 0 && tenths > 0 { "−" } else { "" };
    format!("{sign}{}.{} µs", tenths / 10, tenths % 10)
}

/// Whole nanoseconds: `16 666 667 ns`.
#[must_use]
pub fn nanos(time: Nanos) -> String {
    format!("{} ns", grouped_signed(time.0))
}

/// A count and its noun: `1 event`, `2 events`.
#[must_use]
pub fn count(number: u64, one: &str, more: &str) -> String {
    format!("{} {}", grouped(number), noun(number, one, more))
}

/// The noun behind a number that is written in another way.
#[must_use]
pub const fn noun<'a>(number: u64, one: &'a str, more: &'a str) -> &'a str {
    if number == 1 { one } else { more }
}

/// Alpha with three places, never rounded up to 1: it is below 1 by definition.
#[must_use]
pub fn alpha(value: f64) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    format!("{:.3}", (value * 1000.0).floor() / 1000.0)
}

/// Memory in the unit that fits: `10.4 MB` (10⁶ bytes).
#[must_use]
pub fn bytes(number: usize) -> String {
    match number {
        0..1_000 => format!("{number} B"),
        1_000..1_000_000 => format!("{:.1} kB", number as f64 / 1e3),
        _ => format!("{:.1} MB", number as f64 / 1e6),
    }
}

/// A number with up to two places, without trailing zeros: `501.25`, `0.5`, `3`.
#[must_use]
pub fn short(number: f64) -> String {
    if !number.is_finite() {
        return "–".to_owned();
    }
    let text = format!("{:.2}", number.abs());
    let text = text.trim_end_matches('0').trim_end_matches('.');
    let (whole, fraction) = text.split_once('.').map_or((text, ""), |(whole, fraction)| (whole, fraction));
    let whole = whole.parse::<u64>().map_or_else(|_| whole.to_owned(), grouped);
    let sign = if number < 0.0 && text != "0" { "−" } else { "" };
    if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
}
