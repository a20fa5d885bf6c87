//! Where in the last tick a picture is, by the renderer's own time. Pure.

use super::KEPT;
use crate::time::{Nanos, Speed};

/// The time of a frame's motion, on the clock of the motion ([`MotionClock`]) and in the world: from the poses of the tick
/// before its first to those of its last. In the free handoff a frame is one tick, but where it was late or ticks come
/// faster than frames can.
///
/// It lies one tick behind the ticks' own time, as the pictures of the other handoffs do, and behind that by a margin
/// that lets a tick come a little late: see [`Margin`].
///
/// [`MotionClock`]: crate::time::motion_clock::MotionClock
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TickSpan {
    /// When the motion begins.
    pub begin: Nanos,
    /// How long it takes.
    pub length: Nanos,
    /// The simulated time of the tick before the first, and how much the ticks added.
    pub shown_begin: Nanos,
    pub shown_length: Nanos,
}

/// A frame's ticks, for the margin they are drawn with.
#[derive(Clone, Copy, Debug)]
pub struct TicksOfFrame {
    /// When the first of them was due, by the clock of the motion.
    pub due: Nanos,
    /// How long after that the frame was there, on the monotonic clock.
    pub lateness: Nanos,
    /// How long they are together, in simulated time.
    pub length: Nanos,
    pub speed: Speed,
}

/// How long after its time a tick's motion is drawn: as long as ticks take to come, and a little more, so that the next
/// one is there when the motion of one ends.
///
/// What ticks take is the second latest of the last 64: one late tick alone, as any machine has, holds the picture once
/// and costs no latency. From there it moves by steps that are bounded both ways, up by half a tick a tick and back by a
/// two hundredth, and never jumps: a tick's motion ends where that of the next begins, and takes half as long again at
/// the most while ticks come later and later, and half a hundredth less afterwards. It is at most two ticks: four are
/// kept, and the one that is drawn must be among them. After a resume, whose first tick comes at once, what is left of the
/// motion may be more: then it goes back by a quarter of a tick a tick.
///
/// [`Margin::after`] answers in simulated time, as the clock of the motion runs.
#[derive(Clone, Copy, Debug)]
pub struct Margin {
    // With which the last frame's motion ends, in simulated time.
    last: Nanos,
    // How late the last ticks were, and where the next one goes.
    lateness: [Nanos; Self::REMEMBERED],
    next: usize,
}

/// The margin with which a tick's motion begins, and that with which it ends, where the next one's begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MarginStep {
    pub begin: Nanos,
    pub end: Nanos,
}

impl MarginStep {
    /// One that stays as it is.
    #[must_use]
    pub const fn steady(margin: Nanos) -> Self {
        Self { begin: margin, end: margin }
    }
}

impl Default for Margin {
    fn default() -> Self {
        Self { last: Nanos::ZERO, lateness: [Nanos::ZERO; Self::REMEMBERED], next: 0 }
    }
}

impl Margin {
    /// The least there is, where half a tick is not less: what computing a small tick and waking for it take.
    const LEAST: Nanos = Nanos::from_millis(1);
    /// How many ticks are remembered: two late ones among them are no accident.
    const REMEMBERED: usize = 64;
    /// A tick's length by this is what it rises with each tick at most.
    const RISE: i64 = 2;
    /// A tick's length by this is what it goes back with each tick at most.
    const BACK: i64 = 200;
    /// The same while it is longer than it should ever be.
    const FAST_BACK: i64 = 4;

    /// After this frame, where the motion of the one before ends at `ended`; none where it had none.
    pub fn after(&mut self, frame: &TicksOfFrame, ended: Option<Nanos>) -> MarginStep {
        self.lateness[self.next] = frame.lateness;
        self.next = (self.next + 1) % Self::REMEMBERED;
        let length = frame.length;
        let simulated = |on_the_clock: Nanos| {
            Nanos(on_the_clock.0.saturating_mul(frame.speed.thousandths().into()) / 1000)
        };
        let least = simulated(Self::LEAST).min(Nanos(length.0 / 2));
        let most = Nanos(length.0.saturating_mul(2));
        let farthest = Nanos(length.0.saturating_mul(KEPT as i64));
        let usual = self.second_latest();
        let wanted = simulated(Nanos(usual.0.saturating_add(usual.0 / 8))).max(least).min(most);
        let left = ended.map(|ended| ended - frame.due).filter(|left| *left >= Nanos::ZERO);
        // Where the motion before it is over already, this one has been waited for.
        let begin = left.unwrap_or_else(|| self.last.max(least).min(most)).min(farthest);
        let back = Nanos(length.0 / if begin > most { Self::FAST_BACK } else { Self::BACK });
        let (lowest, highest) = (begin - back, begin + Nanos(length.0 / Self::RISE));
        let end =
            wanted.max(lowest).min(highest).min(Nanos(length.0.saturating_mul(3)) - Nanos(length.0 / 4));
        self.last = end;
        MarginStep { begin, end }
    }

    fn second_latest(&self) -> Nanos {
        let latest_two = |(first, second): (Nanos, Nanos), lateness: &Nanos| match *lateness {
            lateness if lateness > first => (lateness, first),
            lateness => (first, second.max(lateness)),
        };
        self.lateness.iter().fold((Nanos::ZERO, Nanos::ZERO), latest_two).1
    }
}

/// Two grids that are rounded up to whole nanoseconds may differ by so much.
const ROUNDING: Nanos = Nanos(2);

/// The largest alpha: below 1 as `f64` and as `f32`.
const JUST_BELOW_ONE: f64 = 1.0 - 1.0 / (1 << 24) as f64;

impl TickSpan {
    /// A motion that is over: what is drawn is its end, whatever the time.
    #[must_use]
    pub const fn still(at: Nanos) -> Self {
        Self { begin: Nanos(i64::MIN), length: Nanos::ZERO, shown_begin: at, shown_length: Nanos::ZERO }
    }

    /// The span of these ticks, behind their time by this margin.
    #[must_use]
    pub fn of(frame: &TicksOfFrame, margin: MarginStep, shown_begin: Nanos, shown_length: Nanos) -> Self {
        // Where the margin changes, the motion is stretched: it ends where the next one begins.
        let length = (frame.length + margin.end - margin.begin).max(Nanos(1));
        Self { begin: frame.due + margin.begin, length, shown_begin, shown_length }
    }

    #[must_use]
    pub fn end(&self) -> Nanos {
        self.begin + self.length
    }

    /// How much of it is over at this time of the motion's clock, in [0, 1].
    #[must_use]
    pub fn over_at(&self, motion: Nanos) -> f64 {
        ((motion - self.begin).0.max(0) as f64 / self.length.0.max(1) as f64).min(1.0)
    }

    /// Where in it the picture of this time is.
    #[must_use]
    pub fn at(&self, motion: Nanos) -> Blend {
        let held = if motion - self.end() > ROUNDING { Held::Late } else { Held::No };
        self.blend(self.over_at(motion), held)
    }

    /// The picture there, which is kept below the end of the motion.
    pub(super) fn blend(&self, alpha: f64, held: Held) -> Blend {
        let alpha = alpha.clamp(0.0, JUST_BELOW_ONE);
        let shown = alpha * self.shown_length.0 as f64;
        Blend { alpha, shown_time: self.shown_begin + Nanos(shown.round() as i64), held }
    }
}

/// What a picture of the free handoff is blended by.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Blend {
    /// In [0, 1).
    pub alpha: f64,
    /// The simulated time that is shown.
    pub shown_time: Nanos,
    pub held: Held,
}

/// Whether alpha was kept from reaching 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Held {
    #[default]
    No,
    /// The next tick is due and has not come.
    Late,
    /// The renderer looked so late that the ticks which its time lies between are kept no longer: the oldest there is.
    TooNew,
    /// No next tick is due: the picture stands.
    Standing,
}

impl Held {
    /// The picture shows another time than its own.
    #[must_use]
    pub const fn is_off(self) -> bool {
        matches!(self, Self::Late | Self::TooNew)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    const TICK: Nanos = Nanos::from_millis(10);

    const fn millis(begin: i64, end: i64) -> MarginStep {
        MarginStep { begin: Nanos(begin * 10_000), end: Nanos(end * 10_000) }
    }

    /// A tick that is due at 0.
    fn tick(lateness: Nanos, length: Nanos) -> TicksOfFrame {
        TicksOfFrame { due: Nanos::ZERO, lateness, length, speed: Speed::NORMAL }
    }

    /// The margin of a tick where the motion before it ends as that margin said.
    fn after(margin: &mut Margin, lateness: Nanos, length: Nanos) -> MarginStep {
        let ended = (margin.last > Nanos::ZERO).then_some(margin.last);
        margin.after(&tick(lateness, length), ended)
    }

    /// Steps in hundredths of a millisecond.
    fn steps(margin: &mut Margin, lateness_millis: &[i64]) -> Vec<(i64, i64)> {
        let steps = lateness_millis.iter().map(|millis| after(margin, Nanos::from_millis(*millis), TICK));
        steps.map(|step| (step.begin.0 / 10_000, step.end.0 / 10_000)).collect()
    }

    #[test]
    fn the_margin_is_a_millisecond_or_half_a_short_tick_where_ticks_come_in_time() {
        for (length, expected) in [(100_000_000, 1_000_000), (1_953_125, 976_562), (1_000_000, 500_000)] {
            let mut margin = Margin::default();
            for lateness in [0, 100, 200_000] {
                let step = after(&mut margin, Nanos(lateness), Nanos(length));
                assert_eq!(step, MarginStep::steady(Nanos(expected)));
            }
        }
    }

    #[test]
    fn a_single_late_tick_costs_no_latency() {
        let mut margin = Margin::default();
        for lateness in [0, 4, 0, 0] {
            assert_eq!(steps(&mut margin, &[lateness]), [(100, 100)], "after {lateness} ms");
        }
        let mut margin = Margin::default();
        // One in 64 ticks, again and again.
        for tick in 0..1_000 {
            let lateness = if tick % 64 == 63 { 30 } else { 0 };
            assert_eq!(steps(&mut margin, &[lateness]), [(100, 100)], "tick {tick}");
        }
    }

    #[test]
    fn two_late_ticks_raise_it_by_half_a_tick_a_tick_and_it_goes_back_by_a_two_hundredth() {
        let mut margin = Margin::default();
        assert_eq!(
            steps(&mut margin, &[9, 0, 9, 0, 0]),
            [(100, 100), (100, 100), (100, 600), (600, 1012), (1012, 1012)],
            "9 ms and an eighth"
        );
        // For as long as two of them are remembered, and then a hundredth of a millisecond by five.
        let last = steps(&mut margin, &[0; 64]);
        assert_eq!(last[58..62], [(1012, 1012), (1012, 1007), (1007, 1002), (1002, 997)]);
        assert_eq!(steps(&mut margin, &[0; 200]).last(), Some(&(100, 100)));
    }

    #[test]
    fn it_is_two_ticks_at_most_whatever_comes() {
        for lateness in [Nanos::from_millis(21), Nanos::from_secs(9), Nanos::MAX] {
            let mut margin = Margin::default();
            let ends: Vec<i64> =
                (0..7).map(|_| after(&mut margin, lateness, TICK).end.0 / 1_000_000).collect();
            assert_eq!(ends, [1, 6, 11, 16, 20, 20, 20]);
        }
        // Ticks of another length: within their bounds at once.
        let mut margin = Margin::default();
        for _ in 0..7 {
            after(&mut margin, Nanos::MAX, TICK);
        }
        let shorter = tick(Nanos::ZERO, Nanos::from_millis(2));
        assert_eq!(margin.after(&shorter, None), MarginStep::steady(Nanos::from_millis(4)));
        // What is left of a longer one is drawn, as far as four of these are kept meanwhile.
        assert_eq!(margin.after(&shorter, Some(Nanos::from_millis(20))), millis(800, 550));
        assert_eq!(after(&mut Margin::default(), Nanos::ZERO, Nanos::MAX), millis(100, 100));
    }

    #[test]
    fn it_begins_where_the_motion_before_ends_and_goes_back_soon_from_more_than_two_ticks() {
        let mut margin = Margin::default();
        let hundredths = |step: MarginStep| (step.begin.0 / 10_000, step.end.0 / 10_000);
        let in_time = tick(Nanos::ZERO, TICK);
        let mut ended = Nanos::from_millis(29);
        let steps: Vec<_> = (0..6)
            .map(|_| {
                let step = margin.after(&in_time, Some(ended));
                ended = step.end;
                hundredths(step)
            })
            .collect();
        let expected = [(2900, 2650), (2650, 2400), (2400, 2150), (2150, 1900), (1900, 1895), (1895, 1890)];
        assert_eq!(steps, expected);
        // What was waited for begins as usual, and what comes a little sooner than that where the other ends.
        assert_eq!(hundredths(margin.after(&in_time, Some(Nanos(-1)))), (1890, 1885));
        assert_eq!(hundredths(margin.after(&in_time, Some(Nanos(500_000)))), (50, 100));
    }

    #[test]
    fn a_margin_is_time_on_the_clock_whatever_the_speed() {
        for (speed, expected) in [("2", (200, 200)), ("0.5", (50, 50)), ("0.001", (0, 0))] {
            let speed = speed.parse().expect("a speed");
            let frame = TicksOfFrame { speed, ..tick(Nanos::ZERO, TICK) };
            let step = Margin::default().after(&frame, None);
            assert_eq!((step.begin.0 / 10_000, step.end.0 / 10_000), expected);
        }
    }

    proptest::proptest! {
        #[test]
        fn motion_never_jumps_and_stays_near_its_speed_however_ticks_come(
            lateness in proptest::collection::vec(0_i64..40_000_000, 1..300),
            length in 1_000_000_i64..100_000_000,
        ) {
            let (mut margin, length) = (Margin::default(), Nanos(length));
            let mut before: Option<TickSpan> = None;
            for (n, lateness) in lateness.into_iter().enumerate() {
                let time = Nanos(n as i64 * length.0);
                let frame = TicksOfFrame { due: time, ..tick(Nanos(lateness), length) };
                let step = margin.after(&frame, before.map(|before| before.end()));
                let span = TickSpan::of(&frame, step, time - length, length);
                proptest::prop_assert!(step.end <= length + length);
                // At two thirds of its speed at the least, and half a hundredth faster at the most.
                proptest::prop_assert!(span.length.0 <= length.0 + length.0 / 2);
                proptest::prop_assert!(span.length.0 >= length.0 - length.0 / 200);
                if let Some(before) = before {
                    proptest::prop_assert_eq!(before.end(), span.begin);
                    proptest::prop_assert_eq!(before.shown_begin + before.shown_length, span.shown_begin);
                }
                before = Some(span);
            }
        }
    }
}
