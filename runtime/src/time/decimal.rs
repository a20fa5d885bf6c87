//! Times written as decimals, read exactly.

use super::Nanos;

/// A plain decimal times 10^`exponent`, read exactly and rounded half-even to whole ns; `None` for anything else.
#[must_use]
pub fn decimal_nanos(text: &str, exponent: usize) -> Option<Nanos> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if (whole.is_empty() && fraction.is_empty()) || !plain(whole) || !plain(fraction) {
        return None;
    }
    let (kept, rest) = fraction.split_at(fraction.len().min(exponent));
    let digits = format!("{whole}{kept:0<exponent$}");
    let nanos: i64 = digits.parse().ok()?;
    let rest = rest.trim_end_matches('0');
    let up = match rest.as_bytes().first() {
        Some(b'5') if rest.len() == 1 => nanos % 2 != 0,
        Some(first) => *first >= b'5',
        None => false,
    };
    nanos.checked_add(i64::from(up)).map(Nanos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_read_exactly_and_rounded_half_even() {
        for (text, exponent, nanos) in [
            ("10", 9, 10_000_000_000),
            ("0.5", 9, 500_000_000),
            (".5", 9, 500_000_000),
            ("1.", 9, 1_000_000_000),
            ("12.5", 6, 12_500_000),
            ("0.0000005", 6, 0),
            ("0.0000015", 6, 2),
            ("0.00000051", 6, 1),
            ("16.6666667", 6, 16_666_667),
        ] {
            assert_eq!(decimal_nanos(text, exponent), Some(Nanos(nanos)), "{text}");
        }
        for text in ["", ".", "-1", "+1", "1e3", "NaN", "inf", "1,5", "1.2.3", "9999999999999"] {
            assert_eq!(decimal_nanos(text, 9), None, "{text}");
        }
    }
}
