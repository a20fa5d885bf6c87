//! Where in the last tick a picture is, by the renderer's own time. Pure.

use crate::time::{Nanos, Speed};

/// The time of a frame's motion, on the clock and in the world: from the poses of the tick before its first to those of
/// its last. In the free handoff a frame is one tick, but where it was late or ticks come faster than frames can.
///
/// It lies one tick behind the ticks' own time, as the pictures of the other handoffs do, and behind that by a margin
/// that lets a tick come a little late: see [`Margin`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TickSpan {
    /// When the motion begins, on the monotonic clock.
    pub begin: Nanos,
    /// How long it takes there.
    pub length: Nanos,
    /// The simulated time of the tick before the first, and how much the ticks added.
    pub shown_begin: Nanos,
    pub shown_length: Nanos,
    /// Everything stands, with the picture there: no time passes for it.
    pub stands_at: Option<f64>,
}

/// The ticks that a span is of, and the frame that they came with.
#[derive(Clone, Copy, Debug)]
pub struct TicksOfFrame {
    pub render_time: Nanos,
    /// What the frame left over, in simulated time.
    pub overstep: Nanos,
    /// Of one of them, in simulated time.
    pub tick_length: Nanos,
    /// At least 1.
    pub ticks: u32,
    pub speed: Speed,
}

/// How long after its time a tick's motion is drawn: as long as ticks take to come, and a little more, so that the next
/// one is there when the motion of one ends.
///
/// What ticks take is the second latest of the last 64: one late tick alone, as any machine has, holds the picture once
/// and costs no latency. From there it moves by steps that are bounded both ways, up by half a tick a tick and back by a
/// two hundredth, and never jumps: a tick's motion ends where that of the next begins, and takes half as long again at
/// the most while ticks come later and later, and half a hundredth less afterwards. It is at most two ticks: four are
/// kept, and the one that is drawn must be among them.
#[derive(Clone, Copy, Debug)]
pub struct Margin {
    now: MarginStep,
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
        Self { now: MarginStep::default(), lateness: [Nanos::ZERO; Self::REMEMBERED], next: 0 }
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

    /// After a frame whose ticks take so long on the clock, the first of which came so late after its own time.
    pub fn after(&mut self, lateness: Nanos, length: Nanos) -> MarginStep {
        self.lateness[self.next] = lateness;
        self.next = (self.next + 1) % Self::REMEMBERED;
        let (least, most) = Self::bounds(length);
        let usual = self.second_latest();
        let wanted = Nanos(usual.0.saturating_add(usual.0 / 8)).max(least).min(most);
        // Where ticks have another length now, the bounds are others.
        let begin = self.now.end.max(least).min(most);
        let (lowest, highest) = (begin - Nanos(length.0 / Self::BACK), begin + Nanos(length.0 / Self::RISE));
        self.now = MarginStep { begin, end: wanted.max(lowest).min(highest) };
        self.now
    }

    /// That of the tick that came last: of a frame without a tick, whose last one takes so long on the clock.
    #[must_use]
    pub fn now(&self, length: Nanos) -> MarginStep {
        let (least, most) = Self::bounds(length);
        let within = |margin: Nanos| margin.max(least).min(most);
        MarginStep { begin: within(self.now.begin), end: within(self.now.end) }
    }

    /// The next motion begins so long after its time, as far as that is within bounds: where one that stood goes on.
    pub const fn go_on_after(&mut self, left: Nanos) {
        self.now = MarginStep::steady(left);
    }

    fn bounds(length: Nanos) -> (Nanos, Nanos) {
        (Self::LEAST.min(Nanos(length.0 / 2)), Nanos(length.0.saturating_mul(2)))
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
    /// The span of these ticks, behind their time by this margin. `None` at speed 0, where no time passes for them.
    #[must_use]
    pub fn running(
        of: &TicksOfFrame,
        margin: MarginStep,
        shown_begin: Nanos,
        shown_length: Nanos,
    ) -> Option<Self> {
        let length = of.length()?;
        // Where the margin changes, the motion is stretched: it ends where the next one begins.
        let stretched = (length + margin.end - margin.begin).max(Nanos(1));
        let begin = of.first_due()? + margin.begin;
        Some(Self { begin, length: stretched, shown_begin, shown_length, stands_at: None })
    }

    /// So much simulated time in time on the clock; none at speed 0.
    #[must_use]
    pub fn on_the_clock(simulated: Nanos, speed: Speed) -> Option<Nanos> {
        let thousandths = i128::from(speed.thousandths());
        let real = (i128::from(simulated.0) * 1000).checked_div(thousandths)?;
        Some(Nanos(i64::try_from(real).unwrap_or(i64::MAX)))
    }

    /// The span of ticks that are looked at as they are, at this alpha: after a step, or at speed 0.
    #[must_use]
    pub const fn standing(shown_begin: Nanos, shown_length: Nanos, alpha: f64) -> Self {
        Self {
            begin: Nanos(i64::MIN),
            length: Nanos::ZERO,
            shown_begin,
            shown_length,
            stands_at: Some(alpha),
        }
    }

    /// Where in the motion the picture of this render time is.
    #[must_use]
    pub fn at(&self, render_time: Nanos) -> Blend {
        if let Some(alpha) = self.stands_at {
            return self.blend(alpha, Held::Standing);
        }
        let passed = render_time - self.begin;
        if passed - self.length > ROUNDING {
            return self.blend(JUST_BELOW_ONE, Held::Late);
        }
        self.blend(passed.0.max(0) as f64 / self.length.0.max(1) as f64, Held::No)
    }

    /// The picture there, which is kept below the end of the motion.
    pub(super) fn blend(&self, alpha: f64, held: Held) -> Blend {
        let alpha = alpha.clamp(0.0, JUST_BELOW_ONE);
        let shown = alpha * self.shown_length.0 as f64;
        Blend { alpha, shown_time: self.shown_begin + Nanos(shown.round() as i64), held }
    }
}

impl TicksOfFrame {
    /// How long they take on the clock; none at speed 0.
    #[must_use]
    pub fn length(&self) -> Option<Nanos> {
        let ticks = i64::from(self.ticks.max(1));
        TickSpan::on_the_clock(Nanos(self.tick_length.0.saturating_mul(ticks)), self.speed)
    }

    /// When the first of them was due. The last one's own time lies before the frame's by what the frame left over, and
    /// each before it lies a tick earlier.
    #[must_use]
    pub fn first_due(&self) -> Option<Nanos> {
        let before = i64::from(self.ticks.max(1)) - 1;
        let since = Nanos(self.overstep.0.saturating_add(self.tick_length.0.saturating_mul(before)));
        Some(self.render_time - TickSpan::on_the_clock(since, self.speed)?)
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

    /// Steps in hundredths of a millisecond.
    fn steps(margin: &mut Margin, lateness_millis: &[i64]) -> Vec<(i64, i64)> {
        let steps = lateness_millis.iter().map(|millis| margin.after(Nanos::from_millis(*millis), TICK));
        steps.map(|step| (step.begin.0 / 10_000, step.end.0 / 10_000)).collect()
    }

    #[test]
    fn the_margin_is_a_millisecond_or_half_a_short_tick_where_ticks_come_in_time() {
        for (length, expected) in [(100_000_000, 1_000_000), (1_953_125, 976_562), (1_000_000, 500_000)] {
            let mut margin = Margin::default();
            for lateness in [0, 100, 200_000] {
                let step = margin.after(Nanos(lateness), Nanos(length));
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
            let ends: Vec<i64> = (0..7).map(|_| margin.after(lateness, TICK).end.0 / 1_000_000).collect();
            assert_eq!(ends, [1, 6, 11, 16, 20, 20, 20]);
        }
        // Ticks of another length: within their bounds at once.
        let mut margin = Margin::default();
        for _ in 0..7 {
            margin.after(Nanos::MAX, TICK);
        }
        let shorter = Nanos::from_millis(2);
        assert_eq!(margin.after(Nanos::ZERO, shorter), MarginStep::steady(Nanos::from_millis(4)));
        assert_eq!(Margin::default().after(Nanos::ZERO, Nanos::MAX), millis(100, 100));
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
                let step = margin.after(Nanos(lateness), length);
                let of = TicksOfFrame {
                    render_time: time,
                    overstep: Nanos::ZERO,
                    tick_length: length,
                    ticks: 1,
                    speed: Speed::NORMAL,
                };
                let span = TickSpan::running(&of, step, time - length, length).expect("time passes");
                proptest::prop_assert!(step.end <= length + length);
                // At two thirds of its speed at the least, and half a hundredth faster at the most.
                proptest::prop_assert!(span.length.0 <= length.0 + length.0 / 2);
                proptest::prop_assert!(span.length.0 >= length.0 - length.0 / 200);
                if let Some(before) = before {
                    proptest::prop_assert_eq!(before.begin + before.length, span.begin);
                    proptest::prop_assert_eq!(before.shown_begin + before.shown_length, span.shown_begin);
                }
                before = Some(span);
            }
        }
    }
}
