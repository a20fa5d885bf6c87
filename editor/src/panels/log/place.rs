//! Where the log is being read: a line keeps its place on screen while others come, go or are filtered out. Pure.

/// The line at the top of the panel, as of the last pass.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Place {
    // Its number, and where among the lines shown it stood.
    top: u64,
    row: usize,
    offset: f32,
    followed: bool,
    at_bottom: bool,
}

impl Place {
    /// How far to scroll so that what is read stays in place; `None` where nothing has moved. `numbers` are those of the
    /// lines that are shown now, rising.
    pub fn offset(
        &self,
        mut numbers: impl ExactSizeIterator<Item = u64>,
        row_height: f32,
        follow: bool,
    ) -> Option<f32> {
        if follow {
            // Asked for a moment ago, or lines have come since: to the end. Else the panel stays as it is scrolled.
            let moved = !self.followed || !self.at_bottom;
            return moved.then(|| numbers.len() as f32 * row_height);
        }
        let row = numbers.position(|number| number >= self.top)?;
        (row != self.row).then(|| (self.offset + (row as f32 - self.row as f32) * row_height).max(0.0))
    }

    /// Notes what is at the top now. Answers whether the newest line is to be followed: no more after scrolling up,
    /// again after scrolling down to the end.
    pub fn note(
        &mut self,
        mut numbers: impl ExactSizeIterator<Item = u64>,
        offset: f32,
        row_height: f32,
        follow: bool,
        at_bottom: bool,
    ) -> bool {
        let scrolled_up = follow && self.followed && !at_bottom && offset < self.offset;
        let came_to_the_end = !follow && at_bottom && !self.at_bottom && offset > self.offset;
        let follow = (follow && !scrolled_up) || came_to_the_end;
        let row = (offset / row_height).floor().max(0.0) as usize;
        let row = row.min(numbers.len().saturating_sub(1));
        *self = Self { top: numbers.nth(row).unwrap_or(self.top), row, offset, followed: follow, at_bottom };
        follow
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(first: u64, end: u64) -> std::vec::IntoIter<u64> {
        (first..end).collect::<Vec<_>>().into_iter()
    }

    fn reading(top: u64, row: usize, offset: f32) -> Place {
        Place { top, row, offset, ..Place::default() }
    }

    #[test]
    fn the_line_being_read_stays_while_older_ones_go() {
        let place = reading(120, 20, 205.0);
        assert_eq!(place.offset(lines(100, 2100), 10.0, false), None, "lines that come below move nothing");
        assert_eq!(place.offset(lines(105, 2105), 10.0, false), Some(155.0), "five went, five rows up");
        assert_eq!(
            place.offset(lines(400, 2400), 10.0, false),
            Some(5.0),
            "it went itself: the oldest there is"
        );
    }

    #[test]
    fn the_line_being_read_stays_when_others_are_filtered_out() {
        let place = reading(120, 20, 200.0);
        let even: Vec<u64> = (100..2100).filter(|number| number % 2 == 0).collect();
        assert_eq!(place.offset(even.into_iter(), 10.0, false), Some(100.0));
    }

    #[test]
    fn following_goes_to_the_end_whenever_lines_come() {
        let mut place = reading(5, 5, 50.0);
        assert_eq!(place.offset(lines(0, 100), 10.0, true), Some(1000.0));
        assert!(place.note(lines(0, 100), 900.0, 10.0, true, true));
        assert_eq!(place.offset(lines(0, 101), 10.0, true), None, "where the end is shows in that pass");
        assert!(place.note(lines(0, 101), 900.0, 10.0, true, false));
        assert_eq!(place.offset(lines(0, 101), 10.0, true), Some(1010.0));
    }

    #[test]
    fn scrolling_up_ends_following_and_the_end_begins_it_again() {
        let mut place = Place::default();
        assert!(place.note(lines(0, 100), 900.0, 10.0, true, true));
        assert!(!place.note(lines(0, 100), 860.0, 10.0, true, false), "scrolled up");
        assert!(!place.note(lines(0, 200), 860.0, 10.0, false, false), "lines come: it is read on");
        assert!(place.note(lines(0, 200), 1900.0, 10.0, false, true), "scrolled to the end");
    }

    #[test]
    fn following_that_was_switched_off_at_the_end_stays_off() {
        let mut place = Place::default();
        assert!(place.note(lines(0, 100), 900.0, 10.0, true, true));
        assert!(!place.note(lines(0, 100), 900.0, 10.0, false, true));
        assert!(!place.note(lines(0, 101), 900.0, 10.0, false, false));
    }
}
