//! A scene that was changed here and on disk: both texts, line by line, where they differ.

use std::time::Duration;

use similar::{ChangeTag, TextDiff};

/// Lines that both have are shown this many before and after a difference.
const AROUND: usize = 3;
/// After this long the differences are taken as they are, longer perhaps than they need be.
const PATIENCE: Duration = Duration::from_millis(300);

/// Where two texts of a scene differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Both {
    pub lines: Vec<Line>,
    /// How many lines only this editor has, and only the file.
    pub mine: usize,
    pub theirs: usize,
}

/// One line of the comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub side: Side,
    /// Its number, from 1: in the file for lines that the file has, else in the text of this editor.
    pub number: usize,
    pub text: String,
}

/// Who has a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Both,
    Mine,
    Theirs,
    /// So many lines that both have are left out: `number` of them.
    LeftOut,
}

impl Both {
    /// Compares what this editor would write with what the file has.
    #[must_use]
    pub fn of(mine: &str, theirs: &str) -> Self {
        let diff = TextDiff::configure().timeout(PATIENCE).diff_lines(theirs, mine);
        let mut both = Self { lines: Vec::new(), mine: 0, theirs: 0 };
        // How many lines of the file have been shown or left out.
        let mut passed = 0;
        for group in diff.grouped_ops(AROUND) {
            let first = group.first().map_or(passed, |op| op.old_range().start);
            both.leave_out(first - passed);
            for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
                let side = match change.tag() {
                    ChangeTag::Equal => Side::Both,
                    ChangeTag::Insert => Side::Mine,
                    ChangeTag::Delete => Side::Theirs,
                };
                both.mine += usize::from(side == Side::Mine);
                both.theirs += usize::from(side == Side::Theirs);
                let number = change.old_index().or(change.new_index()).unwrap_or_default() + 1;
                let text = change.value().trim_end_matches(['\n', '\r']).to_owned();
                both.lines.push(Line { side, number, text });
            }
            passed = group.last().map_or(passed, |op| op.old_range().end);
        }
        both.leave_out(theirs.lines().count().saturating_sub(passed));
        both
    }

    fn leave_out(&mut self, number: usize) {
        if number > 0 {
            self.lines.push(Line { side: Side::LeftOut, number, text: String::new() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(lines: &[&str]) -> String {
        lines.iter().map(|line| format!("{line}\n")).collect()
    }

    #[test]
    fn what_differs_is_shown_with_three_lines_around_it_and_the_rest_is_counted() {
        let theirs = text(&["1", "2", "3", "4", "5", "their 6", "7", "8", "9", "10", "11", "12"]);
        let mine = text(&["1", "2", "3", "4", "5", "my 6", "7", "8", "9", "10", "11", "12"]);
        let both = Both::of(&mine, &theirs);
        let shown: Vec<(Side, usize, &str)> =
            both.lines.iter().map(|line| (line.side, line.number, line.text.as_str())).collect();
        let expected = [
            (Side::LeftOut, 2, ""),
            (Side::Both, 3, "3"),
            (Side::Both, 4, "4"),
            (Side::Both, 5, "5"),
            (Side::Theirs, 6, "their 6"),
            (Side::Mine, 6, "my 6"),
            (Side::Both, 7, "7"),
            (Side::Both, 8, "8"),
            (Side::Both, 9, "9"),
            (Side::LeftOut, 3, ""),
        ];
        assert_eq!(shown, expected);
        assert_eq!((both.mine, both.theirs), (1, 1));
    }

    #[test]
    fn a_file_that_is_empty_and_texts_that_are_the_same_have_their_comparison_too() {
        assert_eq!(Both::of("a\nb\n", "").mine, 2);
        assert_eq!(Both::of("", "a\n").theirs, 1);
        let same = Both::of("a\nb\n", "a\nb\n");
        assert_eq!((same.mine, same.theirs), (0, 0));
        assert_eq!(Both::of("a\r\n", "a\n").lines[0].text, "a");
    }
}
