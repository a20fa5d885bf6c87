//! Many frames as upright bars: of each stretch of frames the lowest and the highest value. Pure.

use super::decimate::Segment;

/// A stretch of frames on the time axis, as high as from their lowest to their highest value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Column {
    /// Where its first frame lies, and where the next stretch begins.
    pub from: f64,
    pub to: f64,
    pub low: f64,
    pub high: f64,
    /// The line goes on from the column before.
    pub joins: bool,
}

/// What a plot draws of its values over time.
#[derive(Clone, Debug, PartialEq)]
pub enum Trace {
    /// About one frame a column of pixels or fewer: a line from frame to frame.
    Line(Vec<Segment>),
    /// More of them: bars, none of which lies above another.
    Columns(Vec<Column>),
}

impl Default for Trace {
    fn default() -> Self {
        Self::Line(Vec::new())
    }
}

impl Trace {
    /// There is nothing to draw.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        match self {
            Self::Line(segments) => segments.is_empty(),
            Self::Columns(columns) => columns.is_empty(),
        }
    }
}

/// How many frames a bar stands for, so that at most so many bars hold so many frames: a power of two.
#[must_use]
pub fn frames_a_column(frames: usize, columns: usize) -> u64 {
    (frames.div_ceil(columns.max(1)).max(1) as u64).next_power_of_two()
}

/// Puts stretches of frames beside each other, in the order in which they come.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    columns: Vec<Column>,
    // The last column reaches to where the next stretch begins.
    is_open: bool,
    is_broken: bool,
}

impl Columns {
    /// A stretch that begins at `from`, with its lowest and its highest value. Where these are no numbers, or the lowest is
    /// above the highest, it has none: a gap, which breaks the line.
    pub fn push(&mut self, from: f64, low: f64, high: f64) {
        self.close(from);
        if !(low.is_finite() && high.is_finite() && low <= high) {
            self.is_broken = true;
            return;
        }
        let joins = !self.columns.is_empty() && !self.is_broken;
        self.columns.push(Column { from, to: from, low, high, joins });
        (self.is_open, self.is_broken) = (true, false);
    }

    /// The next column does not go on from the one before.
    pub const fn break_line(&mut self) {
        self.is_broken = true;
    }

    /// All of them; the last one reaches to `end`.
    #[must_use]
    pub fn finish(mut self, end: f64) -> Trace {
        self.close(end);
        Trace::Columns(self.columns)
    }

    fn close(&mut self, at: f64) {
        if let Some(last) = self.columns.last_mut().filter(|_| self.is_open) {
            last.to = at.max(last.from);
        }
        self.is_open = false;
    }
}
