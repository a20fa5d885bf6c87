//! Several things open in a row, one of them in front. There is always one.

/// The things left of the one in front, it, and those right of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tabs<T> {
    left: Vec<T>,
    pub front: T,
    right: Vec<T>,
}

impl<T> Tabs<T> {
    #[must_use]
    pub fn new(front: T) -> Self {
        Self { left: Vec::new(), front, right: Vec::new() }
    }

    /// Never 0.
    #[must_use]
    pub fn count(&self) -> usize {
        self.left.len() + 1 + self.right.len()
    }

    /// Where in the row the one in front is, from 0.
    #[must_use]
    pub fn front_idx(&self) -> usize {
        self.left.len()
    }

    /// All of them, from left to right.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.left.iter().chain(std::iter::once(&self.front)).chain(&self.right)
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.left.iter_mut().chain(std::iter::once(&mut self.front)).chain(&mut self.right)
    }

    /// The place in the row of the first for which this holds.
    pub fn position(&self, holds: impl FnMut(&T) -> bool) -> Option<usize> {
        self.iter().position(holds)
    }

    /// Puts one right of the one in front, and in front itself.
    pub fn open(&mut self, opened: T) {
        self.left.push(std::mem::replace(&mut self.front, opened));
    }

    /// Puts one at the right end, behind.
    pub fn push(&mut self, last: T) {
        self.right.push(last);
    }

    /// Brings the one at this place to the front; the row stays as it is. Nothing where there is none.
    pub fn bring(&mut self, idx: usize) {
        if idx < self.left.len() {
            let mut after = self.left.split_off(idx);
            let fresh = after.remove(0);
            after.push(std::mem::replace(&mut self.front, fresh));
            after.append(&mut self.right);
            self.right = after;
        } else if let Some(of_right) =
            (idx - self.left.len()).checked_sub(1).filter(|at| *at < self.right.len())
        {
            let after = self.right.split_off(of_right + 1);
            let fresh = self.right.remove(of_right);
            self.left.push(std::mem::replace(&mut self.front, fresh));
            self.left.append(&mut self.right);
            self.right = after;
        }
    }

    /// The place after or before the one in front, round and round.
    #[must_use]
    pub fn beside(&self, forward: bool) -> usize {
        let step = if forward { 1 } else { self.count() - 1 };
        (self.front_idx() + step) % self.count()
    }

    /// Takes one out of the row. Where it was in front, its right neighbour comes there, or else its left one. `None`
    /// where there is none at this place, and for the only one, which stays.
    pub fn close(&mut self, idx: usize) -> Option<T> {
        if idx == self.front_idx() {
            let next = if self.right.is_empty() { self.left.pop()? } else { self.right.remove(0) };
            return Some(std::mem::replace(&mut self.front, next));
        }
        if idx < self.left.len() {
            return Some(self.left.remove(idx));
        }
        let of_right = idx - self.left.len() - 1;
        (of_right < self.right.len()).then(|| self.right.remove(of_right))
    }

    /// Moves the one at a place to another; the same one stays in front.
    pub fn shift(&mut self, from: usize, to: usize) {
        let count = self.count();
        if from >= count || to >= count {
            return;
        }
        let front = self.front_idx();
        let front = match front {
            _ if front == from => to,
            _ if from < front && to >= front => front - 1,
            _ if from > front && to <= front => front + 1,
            _ => front,
        };
        self.bring(0);
        self.bring(from);
        while self.front_idx() != to {
            // One place at a time: the one in front changes places with its neighbour.
            if self.front_idx() < to {
                self.left.push(self.right.remove(0));
            } else if let Some(neighbour) = self.left.pop() {
                self.right.insert(0, neighbour);
            }
        }
        self.bring(front);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(names: &str, front: usize) -> Tabs<char> {
        let mut names = names.chars();
        let mut tabs = Tabs::new(names.next().unwrap());
        names.for_each(|name| tabs.push(name));
        tabs.bring(front);
        tabs
    }

    fn shown(tabs: &Tabs<char>) -> (String, char) {
        (tabs.iter().collect(), tabs.front)
    }

    #[test]
    fn the_row_stays_as_it_is_whichever_comes_to_the_front() {
        for from in 0..4 {
            for to in 0..4 {
                let mut tabs = row("abcd", from);
                tabs.bring(to);
                assert_eq!(shown(&tabs), ("abcd".to_owned(), "abcd".chars().nth(to).unwrap()));
                assert_eq!(tabs.front_idx(), to);
            }
        }
        let mut tabs = row("ab", 1);
        tabs.bring(2);
        assert_eq!(shown(&tabs), ("ab".to_owned(), 'b'), "there is no third");
    }

    #[test]
    fn what_is_opened_stands_right_of_the_front_and_is_in_front() {
        let mut tabs = row("abc", 1);
        tabs.open('x');
        assert_eq!(shown(&tabs), ("abxc".to_owned(), 'x'));
    }

    #[test]
    fn closing_the_front_brings_its_right_neighbour_or_else_the_left_one_and_the_only_one_stays() {
        let cases = [
            ("abc", 1, 1, Some('b'), "ac", 'c'),
            ("abc", 2, 2, Some('c'), "ab", 'b'),
            ("abc", 1, 0, Some('a'), "bc", 'b'),
            ("abc", 1, 2, Some('c'), "ab", 'b'),
            ("abc", 1, 3, None, "abc", 'b'),
            ("a", 0, 0, None, "a", 'a'),
        ];
        for (names, front, closed, expected, left, then_front) in cases {
            let mut tabs = row(names, front);
            assert_eq!(tabs.close(closed), expected);
            assert_eq!(shown(&tabs), (left.to_owned(), then_front));
        }
    }

    #[test]
    fn the_walk_goes_round() {
        assert_eq!([row("abc", 2).beside(true), row("abc", 0).beside(false)], [0, 2]);
        assert_eq!([row("a", 0).beside(true), row("a", 0).beside(false)], [0, 0]);
    }

    #[test]
    fn one_is_moved_along_the_row_and_the_same_one_stays_in_front() {
        for front in 0..4 {
            let kept = "abcd".chars().nth(front).unwrap();
            for (from, to, expected) in
                [(0, 2, "bcad"), (3, 1, "adbc"), (1, 1, "abcd"), (0, 3, "bcda"), (9, 0, "abcd")]
            {
                let mut tabs = row("abcd", front);
                tabs.shift(from, to);
                assert_eq!(shown(&tabs), (expected.to_owned(), kept), "{from} to {to}, {front} in front");
            }
        }
    }
}
