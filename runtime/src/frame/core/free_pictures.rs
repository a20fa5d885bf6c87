//! What the pictures of the free handoff are made by, which the renderer draws at its own times. Pure.

use crate::handoff::ring::KEPT;
use crate::handoff::{Margin, TickSpan, TicksOfFrame};
use crate::time::motion_clock::MotionClock;
use crate::time::{Nanos, Speed};

/// A frame that is to be drawn so.
#[derive(Clone, Copy, Debug)]
pub(super) struct FreeFrame {
    pub render_time: Nanos,
    /// When it was made.
    pub now: Nanos,
    /// How many ticks it ran, how long each is, and what was left over, in simulated time.
    pub ticks: u32,
    pub tick_length: Nanos,
    pub overstep: Nanos,
    pub speed: Speed,
    /// What the poses of its snapshot are blended over: ticks, 0 before there was one, from this simulated time, so long.
    pub motion_ticks: u32,
    pub shown_begin: Nanos,
    pub shown_length: Nanos,
    /// Where in that a picture of the other handoffs would be.
    pub alpha: f64,
}

/// A frame's motion, and how many ticks it is of.
#[derive(Clone, Copy, Debug)]
struct Motion {
    span: TickSpan,
    ticks: f64,
}

/// The clock of the motion, and the motions that lie on it one after another.
#[derive(Clone, Debug, Default)]
pub(super) struct FreePictures {
    clock: MotionClock,
    // No frame comes by itself.
    stands: bool,
    margin: Margin,
    // Of the frames that are kept, newest first; none where they go another way.
    kept: [Option<Motion>; KEPT],
}

impl FreePictures {
    pub const fn clock(&self) -> MotionClock {
        self.clock
    }

    /// Time passes for it at this speed from now on.
    pub fn go_on(&mut self, speed: Speed, now: Nanos) {
        self.stands = false;
        self.clock = self.clock.running_at(speed, now);
    }

    /// No time passes from now on.
    pub fn stand(&mut self, now: Nanos) {
        self.stands = true;
        self.stand_at(self.clock.time_at(now), now);
    }

    /// Simulated time has another speed; what stands does so for as long as it is to.
    pub fn set_speed(&mut self, speed: Speed, now: Nanos) {
        if !self.stands {
            self.go_on(speed, now);
        }
    }

    /// The motion of the newest frame has begun; so it has where there is none.
    pub fn shows_newest(&self, now: Nanos) -> bool {
        self.kept[0].is_none_or(|newest| newest.span.begin <= self.clock.time_at(now))
    }

    /// What stands shows the newest frame: nothing of the motion before it is to be seen any more.
    pub fn show_newest(&mut self, now: Nanos) {
        if let Some(newest) = &self.kept[0] {
            self.stand_at(self.clock.time_at(now).max(newest.span.begin), now);
        }
    }

    /// Frames take another way: what follows has nothing to go on from.
    pub fn forget(&mut self) {
        (self.kept, self.margin) = (Default::default(), Margin::default());
    }

    /// When the motion of this frame's ticks is drawn. Where everything stands it is a step, and moves the picture by its
    /// ticks: as much of the motion is left then as was before.
    pub fn span(&mut self, frame: &FreeFrame) -> TickSpan {
        match self.kept[0] {
            Some(newest) if frame.ticks == 0 => {
                if self.stands {
                    self.show_newest(frame.now);
                }
                newest.span
            }
            _ if self.stands => self.stepped(frame),
            newest => self.running(frame, newest.map(|newest| newest.span.end())),
        }
    }

    fn running(&mut self, frame: &FreeFrame, ended: Option<Nanos>) -> TickSpan {
        // The last tick's own time lies before the frame's by what the frame left over, and each before it lies a tick
        // earlier.
        let before = i64::from(frame.motion_ticks.max(1)) - 1;
        let since = Nanos(frame.overstep.0.saturating_add(frame.tick_length.0.saturating_mul(before)));
        let on_the_clock = frame.speed.on_the_clock(since).unwrap_or(Nanos::ZERO);
        let of = TicksOfFrame {
            due: self.clock.time_at(frame.render_time) - since,
            lateness: (frame.now - frame.render_time + on_the_clock).max(Nanos::ZERO),
            length: frame.length(),
            speed: frame.speed,
        };
        let margin = self.margin.after(&of, ended);
        self.keep(TickSpan::of(&of, margin, frame.shown_begin, frame.shown_length), frame)
    }

    fn stepped(&mut self, frame: &FreeFrame) -> TickSpan {
        let (now, length) = (self.clock.time_at(frame.now), frame.length());
        let FreeFrame { shown_begin, shown_length, .. } = *frame;
        let span_from = |begin| TickSpan { begin, length, shown_begin, shown_length };
        match self.kept[0] {
            Some(newest) => {
                let left = self.ticks_left(now);
                let span = self.keep(span_from(newest.span.end().max(now)), frame);
                self.stand_at(self.at_ticks_left(left), frame.now);
                span
            }
            // The other handoffs show it there.
            None => {
                let over = frame.alpha * length.0 as f64;
                self.keep(span_from(now - Nanos(over.round() as i64)), frame)
            }
        }
    }

    fn keep(&mut self, span: TickSpan, frame: &FreeFrame) -> TickSpan {
        self.kept.rotate_right(1);
        self.kept[0] = Some(Motion { span, ticks: frame.motion_ticks.max(1).into() });
        span
    }

    fn stand_at(&mut self, motion: Nanos, now: Nanos) {
        self.clock = MotionClock::standing_at(motion, now);
    }

    /// How many ticks of the motion are not drawn yet at this time of its clock.
    fn ticks_left(&self, now: Nanos) -> f64 {
        let mut newer = 0.0;
        for motion in self.kept.iter().flatten() {
            if motion.span.begin <= now {
                return newer + motion.ticks * (1.0 - motion.span.over_at(now));
            }
            newer += motion.ticks;
        }
        newer
    }

    /// When so many ticks of the motion are left.
    fn at_ticks_left(&self, left: f64) -> Nanos {
        let mut left = left;
        let mut at = Nanos::ZERO;
        for motion in self.kept.iter().flatten() {
            let over = (1.0 - left / motion.ticks).max(0.0);
            at = motion.span.begin + Nanos((over * motion.span.length.0 as f64).round() as i64);
            if left <= motion.ticks {
                break;
            }
            left -= motion.ticks;
        }
        at
    }
}

impl FreeFrame {
    /// Of its motion: so many ticks as they are now, whatever they were when they ran; that of one before there was one.
    fn length(&self) -> Nanos {
        Nanos(self.tick_length.0.saturating_mul(self.motion_ticks.max(1).into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TICK: Nanos = Nanos::from_millis(20);

    /// The frame of tick `n`, due at `n` × 20 ms and there at once.
    fn frame(n: i64) -> FreeFrame {
        let render_time = Nanos(n * TICK.0);
        FreeFrame {
            render_time,
            now: render_time,
            ticks: 1,
            tick_length: TICK,
            overstep: Nanos::ZERO,
            speed: Speed::NORMAL,
            motion_ticks: 1,
            shown_begin: render_time - TICK,
            shown_length: TICK,
            alpha: 0.0,
        }
    }

    /// Ticks 1 to `n` in time.
    fn after_ticks(n: i64) -> FreePictures {
        let mut pictures = FreePictures::default();
        (1..=n).for_each(|tick| _ = pictures.span(&frame(tick)));
        pictures
    }

    fn millis(begin: i64, length: i64) -> TickSpan {
        TickSpan {
            begin: Nanos::from_millis(begin),
            length: Nanos::from_millis(length),
            ..TickSpan::default()
        }
    }

    fn when(span: TickSpan) -> TickSpan {
        TickSpan { shown_begin: Nanos::ZERO, shown_length: Nanos::ZERO, ..span }
    }

    #[test]
    fn motions_lie_one_after_another_a_margin_behind_their_ticks() {
        let mut pictures = after_ticks(3);
        assert_eq!(when(pictures.span(&frame(4))), millis(81, 20));
        // Two ticks in one frame are one motion, from when the first was due.
        let two = FreeFrame { ticks: 2, motion_ticks: 2, shown_length: TICK + TICK, ..frame(6) };
        assert_eq!(when(pictures.span(&two)), millis(101, 40));
        // A frame without a tick shows what the one before it does.
        assert_eq!(when(pictures.span(&FreeFrame { ticks: 0, ..frame(7) })), millis(101, 40));
    }

    #[test]
    fn a_step_follows_what_there_is_and_moves_the_clock_by_a_tick() {
        for (paused, stands_at) in [(87, 107), (80, 100), (81, 101)] {
            let mut pictures = after_ticks(4);
            pictures.stand(Nanos::from_millis(paused));
            let step = FreeFrame { now: Nanos::from_secs(9), render_time: Nanos::from_secs(9), ..frame(5) };
            assert_eq!(when(pictures.span(&step)), millis(101, 20), "paused at {paused}");
            let clock = pictures.clock();
            assert!(clock.stands());
            assert_eq!(clock.time_at(Nanos::from_secs(99)), Nanos::from_millis(stands_at));
        }
    }

    #[test]
    fn a_step_whose_tick_was_waited_for_begins_where_the_clock_stands() {
        let mut pictures = after_ticks(4);
        // The motion of tick 4 was over at 101 ms.
        pictures.stand(Nanos::from_millis(150));
        let step = FreeFrame { now: Nanos::from_secs(9), render_time: Nanos::from_secs(9), ..frame(5) };
        assert_eq!(when(pictures.span(&step)), millis(150, 20));
        assert_eq!(pictures.clock().time_at(Nanos::ZERO), Nanos::from_millis(170), "at its end, as before");
    }

    #[test]
    fn of_two_ticks_a_step_moves_by_one() {
        let mut pictures = after_ticks(4);
        let two = FreeFrame { ticks: 2, motion_ticks: 2, shown_length: TICK + TICK, ..frame(6) };
        pictures.span(&two);
        // A quarter of two ticks is over: one and a half are left.
        pictures.stand(Nanos::from_millis(111));
        let step = FreeFrame { now: Nanos::from_secs(9), render_time: Nanos::from_secs(9), ..frame(7) };
        assert_eq!(when(pictures.span(&step)), millis(141, 20));
        assert_eq!(pictures.clock().time_at(Nanos::ZERO), Nanos::from_millis(131));
    }

    #[test]
    fn the_first_frame_of_what_stands_is_where_the_other_handoffs_show_it() {
        let mut pictures = FreePictures::default();
        pictures.stand(Nanos::from_millis(500));
        let step = FreeFrame { alpha: 0.25, now: Nanos::from_secs(9), ..frame(5) };
        assert_eq!(when(pictures.span(&step)), millis(495, 20));
        assert_eq!(pictures.clock().time_at(Nanos::ZERO), Nanos::from_millis(500));
    }

    #[test]
    fn what_is_forgotten_is_not_gone_on_from() {
        let mut pictures = after_ticks(4);
        pictures.forget();
        assert_eq!(when(pictures.span(&frame(9))), millis(181, 20));
    }
}
