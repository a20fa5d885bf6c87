//! Licence expressions as crates write them: SPDX's `OR`, `AND`, `WITH` and brackets, and the older `/` for `OR`.

/// Whether one of the choices that `expression` offers is covered by `accepts`, which is asked about single licences such
/// as `MIT` and `Apache-2.0 WITH LLVM-exception`.
///
/// # Errors
/// The expression cannot be read; a sentence that quotes it.
pub fn is_satisfied(expression: &str, accepts: &dyn Fn(&str) -> bool) -> Result<bool, String> {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut reader = Reader { words: &words, accepts };
    match reader.any_of() {
        Some(satisfied) if reader.words.is_empty() => Ok(satisfied),
        _ => Err(format!("the licence expression `{expression}` cannot be read")),
    }
}

struct Reader<'a> {
    words: &'a [&'a str],
    accepts: &'a dyn Fn(&str) -> bool,
}

impl<'a> Reader<'a> {
    /// `OR` binds least.
    fn any_of(&mut self) -> Option<bool> {
        let mut satisfied = self.all_of()?;
        while self.skip("OR") {
            satisfied |= self.all_of()?;
        }
        Some(satisfied)
    }

    fn all_of(&mut self) -> Option<bool> {
        let mut satisfied = self.one()?;
        while self.skip("AND") {
            satisfied &= self.one()?;
        }
        Some(satisfied)
    }

    fn one(&mut self) -> Option<bool> {
        if self.skip("(") {
            let satisfied = self.any_of()?;
            return self.skip(")").then_some(satisfied);
        }
        let licence = self.name()?;
        if self.skip("WITH") {
            let exception = self.name()?;
            return Some((self.accepts)(&format!("{licence} WITH {exception}")));
        }
        Some((self.accepts)(licence))
    }

    fn name(&mut self) -> Option<&'a str> {
        let (name, rest) = self.words.split_first()?;
        if ["OR", "AND", "WITH", "(", ")"].contains(name) {
            return None;
        }
        self.words = rest;
        Some(name)
    }

    fn skip(&mut self, word: &str) -> bool {
        match self.words.split_first() {
            Some((first, rest)) if *first == word => {
                self.words = rest;
                true
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_choice_that_is_covered_is_enough_and_every_part_of_it_is_needed() {
        let accepts = |licence: &str| ["MIT", "Zlib", "Apache-2.0 WITH LLVM-exception"].contains(&licence);
        for (expression, satisfied) in [
            ("MIT", true),
            ("GPL-3.0", false),
            ("GPL-3.0 OR MIT", true),
            ("GPL-3.0/MIT", true),
            ("MIT AND GPL-3.0", false),
            ("MIT AND Zlib", true),
            ("GPL-3.0 OR MIT AND Zlib", true),
            ("(GPL-3.0 OR MIT) AND GPL-3.0", false),
            ("(MIT OR GPL-3.0) AND (Zlib OR GPL-3.0)", true),
            ("Apache-2.0 WITH LLVM-exception", true),
            ("Apache-2.0", false),
            ("MIT WITH LLVM-exception", false),
        ] {
            assert_eq!(is_satisfied(expression, &accepts), Ok(satisfied), "{expression}");
        }
    }

    #[test]
    fn what_is_no_expression_is_refused() {
        for expression in ["", "OR", "MIT OR", "MIT Zlib", "(MIT", "MIT)", "MIT WITH", "AND MIT"] {
            assert!(is_satisfied(expression, &|_| true).is_err(), "{expression}");
        }
    }
}
