//! Numbers that are typed as sums: `1/3`, `2*pi`, `-(1 + 2)^2`.
//!
//! Plus, minus, times, divided by, to the power of, parentheses, and the names `pi`, `tau`, `e` and `sqrt(…)`. A comma
//! may stand for the point where it is the only one.

/// How deep parentheses, signs and powers may be nested: a longer text is no number that anyone means.
const DEEPEST: u32 = 64;

/// The number that a text says.
///
/// # Errors
/// Why it says none, as a sentence.
pub fn value(text: &str) -> Result<f64, String> {
    let text = text.replace('−', "-").replace('×', "*").replace('÷', "/");
    let has_point = text.contains('.') || text.matches(',').count() > 1;
    let text = if has_point { text } else { text.replace(',', ".") };
    let mut reader = Reader { rest: text.trim(), whole: text.trim(), depth: 0 };
    if reader.rest.is_empty() {
        return Err("Nothing was typed: write a number.".to_owned());
    }
    let value = reader.sum()?;
    if !reader.rest.is_empty() {
        return Err(reader.unexpected());
    }
    match value.is_finite() {
        true => Ok(value),
        false => Err(format!("{} is no number to calculate with.", reader.whole)),
    }
}

struct Reader<'a> {
    rest: &'a str,
    whole: &'a str,
    depth: u32,
}

impl Reader<'_> {
    fn sum(&mut self) -> Result<f64, String> {
        let mut value = self.product()?;
        loop {
            match self.take(&['+', '-']) {
                Some('+') => value += self.product()?,
                Some(_) => value -= self.product()?,
                None => return Ok(value),
            }
        }
    }

    fn product(&mut self) -> Result<f64, String> {
        let mut value = self.signed()?;
        loop {
            match self.take(&['*', '/']) {
                Some('*') => value *= self.signed()?,
                Some(_) => value /= self.signed()?,
                None => return Ok(value),
            }
        }
    }

    /// A sign binds less than a power: −2^2 is −4.
    fn signed(&mut self) -> Result<f64, String> {
        match self.take(&['+', '-']) {
            Some('-') => self.deeper(Self::signed).map(|value| -value),
            Some(_) => self.deeper(Self::signed),
            None => self.power(),
        }
    }

    fn power(&mut self) -> Result<f64, String> {
        let base = self.atom()?;
        match self.take(&['^']) {
            Some(_) => self.deeper(Self::signed).map(|exponent| base.powf(exponent)),
            None => Ok(base),
        }
    }

    fn atom(&mut self) -> Result<f64, String> {
        if self.take(&['(']).is_some() {
            return self.closed();
        }
        let end = self.rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(self.rest.len());
        let name = &self.rest[..end];
        if !name.is_empty() {
            let known = match name {
                "pi" | "PI" => Some(std::f64::consts::PI),
                "tau" => Some(std::f64::consts::TAU),
                "e" => Some(std::f64::consts::E),
                _ => None,
            };
            if name == "sqrt" && self.rest[end..].trim_start().starts_with('(') {
                self.advance(end);
                self.take(&['(']);
                return self.closed().map(f64::sqrt);
            }
            let value = known.ok_or_else(|| self.unexpected())?;
            self.advance(end);
            return Ok(value);
        }
        self.number()
    }

    /// What is inside parentheses that have been opened, and their end.
    fn closed(&mut self) -> Result<f64, String> {
        let value = self.deeper(Self::sum)?;
        match self.take(&[')']) {
            Some(_) => Ok(value),
            None => Err(format!("A parenthesis is not closed in {}.", self.whole)),
        }
    }

    fn number(&mut self) -> Result<f64, String> {
        let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let mut end = digits(self.rest);
        if self.rest[end..].starts_with('.') {
            end += 1 + digits(&self.rest[end + 1..]);
        }
        // An exponent, where digits follow: `1e-3`.
        if self.rest[end..].starts_with(['e', 'E']) {
            let sign = usize::from(self.rest[end + 1..].starts_with(['+', '-']));
            let exponent = digits(&self.rest[end + 1 + sign..]);
            end += if exponent > 0 { 1 + sign + exponent } else { 0 };
        }
        let value = self.rest[..end].parse().map_err(|_| self.unexpected())?;
        self.advance(end);
        Ok(value)
    }

    fn deeper(&mut self, read: fn(&mut Self) -> Result<f64, String>) -> Result<f64, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("This is nested too deeply.".to_owned());
        }
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn take(&mut self, wanted: &[char]) -> Option<char> {
        let first = self.rest.chars().next().filter(|first| wanted.contains(first))?;
        self.advance(first.len_utf8());
        Some(first)
    }

    fn advance(&mut self, bytes: usize) {
        self.rest = self.rest[bytes..].trim_start();
    }

    fn unexpected(&self) -> String {
        match self.rest.is_empty() {
            true => format!("{} ends too early: a number is missing.", self.whole),
            false => format!("{} is no number: \"{}\" was not expected there.", self.whole, self.rest),
        }
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "the same operations on the same numbers")]
mod tests {
    use super::*;
    use std::f64::consts::{E, PI, TAU};

    #[test]
    fn sums_are_reckoned_as_people_write_them() {
        for (text, expected) in [
            ("1/3", 1.0 / 3.0),
            ("2*pi", TAU),
            (" 2 × pi ", TAU),
            ("1 + 2 * 3", 7.0),
            ("(1 + 2) * 3", 9.0),
            ("-2^2", -4.0),
            ("2^-1", 0.5),
            ("2^3^2", 512.0),
            ("10 - 4 - 3", 3.0),
            ("8/2/2", 2.0),
            ("--3", 3.0),
            ("1e-3", 0.001),
            ("2e", f64::NAN),
            (".5", 0.5),
            ("5.", 5.0),
            ("1,5", 1.5),
            ("−4", -4.0),
            ("sqrt(2^2 + 5)", 3.0),
            ("e", E),
            ("tau/2", PI),
        ] {
            match expected.is_nan() {
                true => assert!(value(text).is_err(), "{text}"),
                false => assert_eq!(value(text), Ok(expected), "{text}"),
            }
        }
    }

    #[test]
    fn what_is_no_number_says_why() {
        let refused = |text: &str| value(text).expect_err(text);
        assert_eq!(refused(""), "Nothing was typed: write a number.");
        assert_eq!(refused("1 +"), "1 + ends too early: a number is missing.");
        assert_eq!(refused("(1"), "A parenthesis is not closed in (1.");
        assert_eq!(refused("1/0"), "1/0 is no number to calculate with.");
        assert_eq!(refused("two"), "two is no number: \"two\" was not expected there.");
        assert_eq!(refused("1,000,5"), "1,000,5 is no number: \",000,5\" was not expected there.");
        assert!(refused(&"(".repeat(500)).contains("deeply"));
        assert!(refused(&"-".repeat(500)).contains("deeply"));
    }
}
