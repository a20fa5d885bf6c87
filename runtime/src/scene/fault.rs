//! What is wrong with a scene or a project: one sentence each, with its place where there is one.

use std::fmt;

/// One thing that is wrong, and what to do about it.
///
/// `Display` writes `line:column: entity, field: message`, leaving out what is not known; a caller that knows the
/// file puts `path:` in front.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fault {
    /// From 1, in the text that was read; none for a scene that was not read from a text.
    pub line: Option<u32>,
    /// From 1, in characters.
    pub column: Option<u32>,
    /// Whose fault: `"Mover" (id 3)`.
    pub entity: Option<String>,
    /// Path of the field as it is written in the file: `body.mass`.
    pub field: Option<String>,
    /// What failed, why, and what would be right.
    pub message: String,
}

impl Fault {
    /// A fault of the whole text, without a place yet.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), ..Self::default() }
    }

    /// The same fault, of this field.
    #[must_use]
    pub fn in_field(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }

    /// The same fault, at this place.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.line = Some(place.line);
        self.column = Some(place.column);
        self
    }

    /// The same fault with nothing in it that is longer than people read: what a broken file has in place of a name may
    /// be the whole file.
    #[must_use]
    pub fn readable(self) -> Self {
        Self {
            entity: self.entity.map(|entity| without_middle(entity, 80)),
            field: self.field.map(|field| without_middle(field, 120)),
            message: without_middle(self.message, 600),
            ..self
        }
    }

    /// The fault without its line and column.
    #[must_use]
    pub fn sentence(&self) -> String {
        match (&self.entity, &self.field) {
            (Some(entity), Some(field)) => format!("{entity}, {field}: {}", self.message),
            (Some(owner), None) | (None, Some(owner)) => format!("{owner}: {}", self.message),
            (None, None) => self.message.clone(),
        }
    }
}

/// A text of about so many bytes at most: its begin and its end say the most.
fn without_middle(text: String, most: usize) -> String {
    if text.len() <= most {
        return text;
    }
    let begin = &text[..text.floor_char_boundary(most * 2 / 3)];
    let end = &text[text.ceil_char_boundary(text.len() - most / 3)..];
    format!("{begin}…{end}")
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (Some(line), Some(column)) = (self.line, self.column) {
            write!(f, "{line}:{column}: ")?;
        }
        f.write_str(&self.sentence())
    }
}

impl std::error::Error for Fault {}

/// A place in a text: both from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub line: u32,
    pub column: u32,
}

/// The known name most like `word`, where one is like it at all.
#[must_use]
pub fn nearest_name<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Misspellings ("colour", "postion") score above 0.9, a forgotten unit ("every" for "every_ticks") near 0.9,
    // words that merely share letters below 0.75.
    const ALIKE: f64 = 0.8;
    let word = word.to_lowercase();
    known
        .into_iter()
        .map(|name| (strsim::jaro_winkler(&word, &name.to_lowercase()), name))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

/// The known name that `word` becomes by one slip of a hand: a letter wrong, missing, too many, or changed places with its
/// neighbour. For names so short that [`nearest_name`] finds none alike.
#[must_use]
pub fn one_slip_from<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    known.into_iter().find(|name| strsim::osa_distance(&word, name) == 1)
}

/// The known name that `word` is meant to be, so that it cannot be a name of its own: at most one letter in four is
/// wrong, missing, too many or changed places with its neighbour.
#[must_use]
pub fn misspelt(word: &str, known: &[&'static str]) -> Option<&'static str> {
    let word = word.to_lowercase();
    known
        .iter()
        .map(|name| (strsim::osa_distance(&word, &name.to_lowercase()), *name))
        .filter(|(wrong, name)| *wrong <= word.chars().count().max(name.chars().count()) / 4)
        .min_by_key(|(wrong, _)| *wrong)
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_says_place_owner_field_and_message_as_far_as_known() {
        let fault = Fault::new("a mass of -1 kg");
        assert_eq!(fault.to_string(), "a mass of -1 kg");
        let fault = fault.in_field("body.mass").at(Place { line: 7, column: 31 });
        assert_eq!(fault.to_string(), "7:31: body.mass: a mass of -1 kg");
        let fault = Fault { entity: Some("\"Ball\" (id 3)".into()), ..fault };
        assert_eq!(fault.to_string(), "7:31: \"Ball\" (id 3), body.mass: a mass of -1 kg");
        assert_eq!(fault.sentence(), "\"Ball\" (id 3), body.mass: a mass of -1 kg");
    }

    #[test]
    fn what_nobody_would_read_is_left_out_of_the_middle() {
        let long = "ä".repeat(1_000);
        let fault = Fault {
            entity: Some(format!("\"{long}\" (id 3)")),
            field: Some(long.clone()),
            ..Fault::new(format!("there is no field `{long}` here; known: id, name"))
        }
        .readable();
        let (entity, field) = (fault.entity.unwrap_or_default(), fault.field.unwrap_or_default());
        assert!(
            entity.starts_with("\"ää") && entity.ends_with("ä\" (id 3)") && entity.len() < 90,
            "{entity}"
        );
        assert!(field.contains('…') && field.len() < 130, "{field}");
        assert!(fault.message.starts_with("there is no field `ä"), "{}", fault.message);
        assert!(fault.message.ends_with("ä` here; known: id, name") && fault.message.len() < 610);
        let short = Fault::new("a mass of -1 kg").in_field("body.mass");
        assert_eq!(short.clone().readable(), short);
    }

    #[test]
    fn a_misspelling_is_told_from_a_name_of_its_own() {
        let known = ["id", "name", "shape", "body", "spawner", "sun", "sky", "entities"];
        for (word, meant) in [
            ("shap", Some("shape")),
            ("shpae", Some("shape")),
            ("Body", Some("body")),
            ("entitys", Some("entities")),
            ("spawnr", Some("spawner")),
            ("SUN", Some("sun")),
            ("gun", None),
            ("skybox", None),
            ("shadow", None),
            ("trail", None),
            ("", None),
        ] {
            assert_eq!(misspelt(word, &known), meant, "{word}");
        }
    }

    #[test]
    fn the_nearest_name_is_found_or_none_at_all() {
        let known = ["position", "rotation_degrees", "scale", "color", "every_ticks"];
        for (word, nearest) in [
            ("postion", Some("position")),
            ("colour", Some("color")),
            ("rotation", Some("rotation_degrees")),
            ("Scale", Some("scale")),
            ("every", Some("every_ticks")),
            ("banana", None),
            ("", None),
        ] {
            assert_eq!(nearest_name(word, known), nearest, "{word}");
        }
    }
}
