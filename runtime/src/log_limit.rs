//! Keeps a log readable when something happens a thousand times a second.

use crate::time::Nanos;

/// Whether an event may be logged now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allow {
    Yes,
    /// Yes, and the line says how many of its kind were held back since the last one.
    YesWithHeldBack(u64),
    /// Held back, and counted.
    No,
}

impl Allow {
    /// How many were held back before this one, where it may be logged.
    #[must_use]
    pub const fn held_back(self) -> Option<u64> {
        match self {
            Self::Yes => Some(0),
            Self::YesWithHeldBack(count) => Some(count),
            Self::No => None,
        }
    }
}

/// One event of a kind a second, then one line with how many were held back. One of these for each kind.
///
/// Pure: it is told the time. It never loses a count: what is still held back at the end comes from
/// [`RateLimit::finish`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RateLimit {
    last_line: Option<Nanos>,
    held_back: u64,
    // Of the events held back: what they cost together.
    held_back_amount: Nanos,
}

impl RateLimit {
    /// Least time between two lines of one kind.
    pub const INTERVAL: Nanos = Nanos::from_secs(1);

    #[must_use]
    pub const fn new() -> Self {
        Self { last_line: None, held_back: 0, held_back_amount: Nanos::ZERO }
    }

    /// An event of this kind happens `now`: may it be logged?
    pub fn allow(&mut self, now: Nanos) -> Allow {
        self.allow_amount(now, Nanos::ZERO).0
    }

    /// As [`RateLimit::allow`], for events that cost time: the second value is what this event and those held
    /// back before it cost together, or 0 where it is held back itself.
    pub fn allow_amount(&mut self, now: Nanos, amount: Nanos) -> (Allow, Nanos) {
        if !self.line_is_due(now) {
            self.held_back = self.held_back.saturating_add(1);
            self.held_back_amount += amount;
            return (Allow::No, Nanos::ZERO);
        }
        self.last_line = Some(now);
        let total = std::mem::take(&mut self.held_back_amount) + amount;
        match std::mem::take(&mut self.held_back) {
            0 => (Allow::Yes, total),
            count => (Allow::YesWithHeldBack(count), total),
        }
    }

    /// For a loop that goes on without such events: how many were held back, once their second is over.
    pub fn overdue(&mut self, now: Nanos) -> Option<u64> {
        if self.held_back == 0 || !self.line_is_due(now) {
            return None;
        }
        self.last_line = Some(now);
        self.finish()
    }

    /// How many are still held back, if any; they count as said afterwards.
    pub fn finish(&mut self) -> Option<u64> {
        self.held_back_amount = Nanos::ZERO;
        match std::mem::take(&mut self.held_back) {
            0 => None,
            count => Some(count),
        }
    }

    fn line_is_due(&self, now: Nanos) -> bool {
        // A clock that ran backward a little opens no new second; one set far back does not silence the log.
        self.last_line.is_none_or(|last| (now - last).0.saturating_abs() >= Self::INTERVAL.0)
    }
}

/// The lines of one kind of event, at most one a second, and none of them untold: what is held back is said once its second
/// is over, or at the end.
#[derive(Debug)]
pub struct LimitedLine {
    limit: RateLimit,
    say: fn(u64),
}

impl LimitedLine {
    /// `say` logs a line that tells of no event, but of how many were held back.
    #[must_use]
    pub const fn new(say: fn(u64)) -> Self {
        Self { limit: RateLimit::new(), say }
    }

    /// An event happens `now`. Where it may be logged: how many were held back before it. The caller logs it.
    pub fn allow(&mut self, now: Nanos) -> Option<u64> {
        self.limit.allow(now).held_back()
    }

    /// Nothing happens `now`: what has been held back for a second is said.
    pub fn look(&mut self, now: Nanos) {
        if let Some(held_back) = self.limit.overdue(now) {
            (self.say)(held_back);
        }
    }

    /// Nothing more may happen for long: what is held back is said now.
    pub fn finish(&mut self) {
        if let Some(held_back) = self.limit.finish() {
            (self.say)(held_back);
        }
    }
}

impl Drop for LimitedLine {
    fn drop(&mut self) {
        self.finish();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_stalls_of_300_ms_make_one_line_a_second_with_count_and_total() {
        let mut limit = RateLimit::new();
        let stall = Nanos::from_millis(300);
        let mut lines = Vec::new();
        for stalled in 0..100 {
            let (allow, total) = limit.allow_amount(Nanos(stall.0 * stalled), stall);
            if let Some(held_back) = allow.held_back() {
                lines.push((held_back, total));
            }
        }
        assert_eq!(lines[0], (0, stall));
        assert_eq!(lines[1..], [(3, Nanos::from_millis(1200)); 24]);
        assert_eq!(limit.finish(), Some(3), "1 + 24 × 4 + 3 = 100");
    }

    #[test]
    fn the_first_event_and_one_each_full_second_are_logged() {
        let table = [
            (0, Allow::Yes),
            (1, Allow::No),
            (999_999_999, Allow::No),
            (1_000_000_000, Allow::YesWithHeldBack(2)),
            (1_999_999_999, Allow::No),
            (5_000_000_000, Allow::YesWithHeldBack(1)),
            (6_000_000_000, Allow::Yes),
        ];
        let mut limit = RateLimit::new();
        for (now, allow) in table {
            assert_eq!(limit.allow(Nanos(now)), allow, "at {now} ns");
        }
    }

    #[test]
    fn what_was_held_back_is_said_even_when_no_more_events_come() {
        let mut limit = RateLimit::new();
        assert_eq!(limit.overdue(Nanos(0)), None);
        for now in 0..10 {
            limit.allow(Nanos(now));
        }
        assert_eq!(limit.overdue(Nanos(999_999_999)), None);
        assert_eq!(limit.overdue(Nanos(1_000_000_000)), Some(9));
        assert_eq!(limit.overdue(Nanos(9_000_000_000)), None);
        assert_eq!(limit.finish(), None);
    }

    #[test]
    fn a_line_says_what_it_held_back_once_a_second_has_gone_by_and_at_its_end() {
        thread_local! {
            static SAID: std::cell::RefCell<Vec<u64>> = const { std::cell::RefCell::new(Vec::new()) };
        }
        let said = || SAID.with_borrow(Clone::clone);
        let mut line = LimitedLine::new(|held_back| SAID.with_borrow_mut(|said| said.push(held_back)));
        assert_eq!([0, 1, 2, 3].map(|now| line.allow(Nanos(now))), [Some(0), None, None, None]);
        line.look(Nanos(999_999_999));
        assert_eq!(said(), []);
        line.look(Nanos(1_000_000_000));
        line.look(Nanos(5_000_000_000));
        assert_eq!(said(), [3]);
        assert_eq!([6_000_000_000, 6_000_000_001].map(|now| line.allow(Nanos(now))), [Some(0), None]);
        drop(line);
        assert_eq!(said(), [3, 1]);
    }

    #[test]
    fn a_clock_that_steps_back_a_little_opens_no_new_second() {
        let mut limit = RateLimit::new();
        assert_eq!(limit.allow(Nanos(5_000_000_000)), Allow::Yes);
        assert_eq!(limit.allow(Nanos(4_999_000_000)), Allow::No);
        assert_eq!(limit.allow(Nanos(1_000_000_000)), Allow::YesWithHeldBack(1));
    }
}
