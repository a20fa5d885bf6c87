//! Many points into few columns without losing an extreme. Pure.

/// A polyline, x ascending.
pub type Segment = Vec<[f64; 2]>;

/// Gathers points into columns and keeps of each column its first, lowest, highest and last, in the order they came.
///
/// So a line through what is left covers the same pixels as one through all points. A break ends a segment. Points
/// that are not finite break the line and are left out.
#[derive(Clone, Debug)]
pub struct Decimator {
    from: f64,
    column_width: f64,
    segments: Vec<Segment>,
    column: Option<Column>,
}

#[derive(Clone, Copy, Debug)]
struct Column {
    index: i64,
    first: [f64; 2],
    low: [f64; 2],
    high: [f64; 2],
    last: [f64; 2],
}

impl Decimator {
    /// Columns of `(to − from) ÷ columns` from `from` on. With a range of no length, everything is one column.
    #[must_use]
    pub fn new(from: f64, to: f64, columns: usize) -> Self {
        let width = (to - from) / columns.max(1) as f64;
        let column_width = if width.is_finite() && width > 0.0 { width } else { f64::INFINITY };
        Self { from, column_width, segments: Vec::new(), column: None }
    }

    pub fn push(&mut self, x: f64, y: f64) {
        if !x.is_finite() || !y.is_finite() {
            self.break_line();
            return;
        }
        let point = [x, y];
        let index = ((x - self.from) / self.column_width).floor() as i64;
        match &mut self.column {
            Some(column) if column.index == index => {
                if y < column.low[1] {
                    column.low = point;
                }
                if y > column.high[1] {
                    column.high = point;
                }
                column.last = point;
            }
            _ => {
                self.flush();
                if self.segments.is_empty() {
                    self.segments.push(Segment::new());
                }
                self.column = Some(Column { index, first: point, low: point, high: point, last: point });
            }
        }
    }

    /// The next point begins a new line.
    pub fn break_line(&mut self) {
        self.flush();
        if self.segments.last().is_some_and(|segment| !segment.is_empty()) {
            self.segments.push(Segment::new());
        }
    }

    #[must_use]
    pub fn finish(mut self) -> Vec<Segment> {
        self.flush();
        self.segments.retain(|segment| !segment.is_empty());
        self.segments
    }

    fn flush(&mut self) {
        let Some(column) = self.column.take() else { return };
        let Some(segment) = self.segments.last_mut() else { return };
        let (early, late) = if column.low[0] <= column.high[0] {
            (column.low, column.high)
        } else {
            (column.high, column.low)
        };
        for point in [column.first, early, late, column.last] {
            if segment.last() != Some(&point) {
                segment.push(point);
            }
        }
    }
}
