//! Finding a command by some letters of its name: pure.

/// How well `query` names `label`; more is better, `None` where it does not. Letters count in order, case does not.
/// A letter that begins the label or a word, or follows the one before it, counts for more.
#[must_use]
pub fn score(query: &str, label: &str) -> Option<i32> {
    let label: Vec<char> = label.to_lowercase().chars().collect();
    let query: Vec<char> = query.to_lowercase().chars().filter(|letter| !letter.is_whitespace()).collect();
    if query.is_empty() {
        return Some(0);
    }
    // best[i]: the best score of the letters so far, the last of which stands at i.
    let mut best: Vec<Option<i32>> = vec![None; label.len()];
    for (nth, letter) in query.iter().enumerate() {
        let mut next = vec![None; label.len()];
        for (at, found) in label.iter().enumerate().filter(|(_, found)| *found == letter) {
            debug_assert_eq!(found, letter);
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
    // Of two equal ones the shorter label is nearer to what was typed.
    best.into_iter()
        .flatten()
        .max()
        .map(|score| score * 100 - i32::try_from(label.len()).unwrap_or(99).min(99))
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
}
