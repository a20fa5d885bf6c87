//! Finding a command by some letters of its name: pure.

/// Words that people type and names leave out.
const SMALL_WORDS: [&str; 10] = ["a", "an", "and", "at", "for", "in", "of", "on", "the", "to"];

/// How well `query` names `label`; more is better, `None` where it does not. Case does not count.
///
/// Either its letters stand in the label in their order, or each of its words begins one of the label's, in whatever
/// order. Small words, as in "add a cube", need not be there. A letter that begins the label or a word, or follows the one
/// before it, counts for more.
#[must_use]
pub fn score(query: &str, label: &str) -> Option<i32> {
    let label = label.to_lowercase();
    let query = query.to_lowercase();
    let all: Vec<&str> = query.split_whitespace().collect();
    let telling: Vec<&str> = all.iter().copied().filter(|word| !SMALL_WORDS.contains(word)).collect();
    let telling = if telling.is_empty() { all.clone() } else { telling };
    let letters: Vec<char> = label.chars().collect();
    let in_order =
        [&all, &telling].into_iter().filter_map(|words| letters_in_order(&words.concat(), &letters));
    let found = in_order.chain(beginnings(&telling, &label)).max()?;
    if all.is_empty() {
        return Some(0);
    }
    // Of two equal ones the shorter label is nearer to what was typed.
    Some(found * 100 - i32::try_from(letters.len()).unwrap_or(99).min(99))
}

/// Each word begins one of the label's: more than letters that stand apart ever score, and most where the label begins so.
fn beginnings(words: &[&str], label: &str) -> Option<i32> {
    let begins = |word: &&str| {
        label.split(|letter: char| !letter.is_alphanumeric()).any(|part| part.starts_with(*word))
    };
    if !words.iter().all(begins) {
        return None;
    }
    let of = |word: &&str| {
        let letters = i32::try_from(word.chars().count()).unwrap_or(0);
        letters * 10 + i32::from(label.starts_with(*word)) * 2
    };
    Some(words.iter().map(of).sum())
}

fn letters_in_order(query: &str, label: &[char]) -> Option<i32> {
    if query.is_empty() {
        return Some(0);
    }
    // best[i]: the best score of the letters so far, the last of which stands at i.
    let mut best: Vec<Option<i32>> = vec![None; label.len()];
    for (nth, letter) in query.chars().enumerate() {
        let mut next = vec![None; label.len()];
        for (at, found) in label.iter().enumerate().filter(|(_, found)| **found == letter) {
            debug_assert_eq!(*found, letter);
            let begins = at == 0 || !label[at - 1].is_alphanumeric();
            let own = match at {
                0 => 10,
                _ if begins => 8,
                _ => 1,
            };
            let before = if nth == 0 {
                Some(0)
            } else {
                let far = best[..at].iter().flatten().max().copied();
                let beside = at.checked_sub(1).and_then(|left| best[left]).map(|score| score + 6);
                far.max(beside)
            };
            next[at] = before.map(|before| before + own);
        }
        best = next;
    }
    best.into_iter().flatten().max()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best<'a>(query: &str, labels: &[&'a str]) -> Vec<&'a str> {
        let mut found: Vec<_> =
            labels.iter().filter_map(|label| Some((score(query, label)?, *label))).collect();
        found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        found.into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn letters_are_found_in_order_only() {
        assert!(score("pse", "Pause").is_some());
        assert_eq!(score("esp", "Pause"), None);
        assert_eq!(score("", "Pause"), Some(0));
    }

    #[test]
    fn beginnings_of_words_and_whole_words_come_first() {
        let labels = ["Step stage", "Step frame", "Set frame rate…", "Frame selection"];
        assert_eq!(best("sf", &labels)[0], "Step frame");
        assert_eq!(best("frame", &labels)[0], "Frame selection");
        assert_eq!(best("step st", &labels)[0], "Step stage");
        assert_eq!(best("xyz", &labels), [""; 0]);
    }

    #[test]
    fn words_are_found_in_any_order_and_small_ones_need_not_be_there() {
        let labels =
            ["Add cube", "Add a child", "Add camera", "Go to: Stages", "Theme of the system", "Dark theme"];
        for (query, found) in [
            ("cube", "Add cube"),
            ("add a cube", "Add cube"),
            ("Add the Cube", "Add cube"),
            ("cube add", "Add cube"),
            ("add a child", "Add a child"),
            ("stages go to", "Go to: Stages"),
            ("the", "Theme of the system"),
            ("theme dark", "Dark theme"),
            ("to", "Go to: Stages"),
        ] {
            assert_eq!(best(query, &labels).first(), Some(&found), "{query}");
        }
        // Another order is one of words, not of letters.
        assert_eq!(best("bec add", &labels), [""; 0]);
        assert_eq!(best("cube sphere", &labels), [""; 0]);
    }
}
