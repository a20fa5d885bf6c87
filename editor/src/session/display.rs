//! The display that the editor's window is on: while a run plays, its frames are brought in step with the refreshes that the
//! window's passes had to wait for, as those of `framewalk play` are.

use framewalk_runtime::frame::record::HandoffMode;
use framewalk_runtime::sim::Control;
use framewalk_runtime::time::Nanos;

use super::{Phase, Session};

/// A window that was not painted for so long may be on another display by now, and what was seen of it is old.
const PAINTED_LATELY: Nanos = Nanos::from_secs(1);

impl Session {
    /// A pass was handed to the display at this time. `refresh` is when the display let go of an image for it, where the
    /// pass had to wait for that.
    pub fn painted(&mut self, at: Nanos, refresh: Option<Nanos>) {
        let before = std::mem::replace(&mut self.painted, at);
        if at - before > PAINTED_LATELY {
            self.lose_step();
        }
        if let (Phase::Playing, Some(refresh)) = (self.phase, refresh) {
            self.in_step.refreshed(refresh);
        }
    }

    /// How far the newest deadline of the clock that paces the pictures lies after a refresh of the display; none where the
    /// two are not in step.
    #[must_use]
    pub fn phase_error(&self) -> Option<Nanos> {
        self.in_step.error()
    }

    /// Nothing is known of the display any more.
    pub(super) fn lose_step(&mut self) {
        self.in_step.begin_anew(self.frame_rate);
    }

    /// Shifts the grid by what the frames since the last look ask for. Where the run stood meanwhile, or another clock came
    /// to pace the pictures, theirs is another grid, of which nothing was tried yet.
    pub(super) fn keep_step(&mut self, before: HandoffMode) {
        if self.phase != Phase::Playing || before != self.paced_by() {
            self.lose_step();
        } else if let Some(shift) = self.in_step.shift() {
            self.control(Control::ShiftGrid(shift));
        }
    }

    /// In the free handoff the render thread's own clock paces the pictures.
    pub(super) fn paced_by(&self) -> HandoffMode {
        self.newest.map_or(self.choices.handoff, |newest| newest.handoff.mode)
    }
}

#[cfg(test)]
mod tests {
    use framewalk_runtime::render::NullRenderer;
    use framewalk_runtime::scene::Scene;
    use framewalk_runtime::scene::project::parse_project;
    use framewalk_runtime::time::Rate;

    use super::*;
    use crate::session::run::{Drive, Sabotage};

    /// Of a display that says 59.94 Hz; its refreshes lie 3 ms after whole periods of the run's clock.
    const PERIOD: i64 = 16_683_350;
    const OFF: i64 = 3_000_000;

    fn playing(handoff: HandoffMode) -> Session {
        let mut session =
            Session::new(&parse_project("(format: 1, name: \"x\", scenes: [\"main\"])").unwrap());
        session.set_display_rate(Some("59.94".parse::<Rate>().unwrap()));
        session.set_handoff(handoff);
        let drive = Drive::Virtual { step: Nanos::ZERO };
        session.play(&Scene::default(), Box::new(NullRenderer::new()), drive, Sabotage::default()).unwrap();
        session
    }

    /// The first refresh of the display after this time.
    fn next_refresh(after: Nanos) -> Nanos {
        Nanos((after.0 - OFF).div_euclid(PERIOD) * PERIOD + PERIOD + OFF)
    }

    /// So many passes, each so long after the one before, and what each had to wait for.
    fn passes(session: &mut Session, count: u32, apart: Nanos, refresh: impl Fn(&Session) -> Option<Nanos>) {
        for _ in 0..count {
            session.advance(apart);
            session.poll(&mut |_| {});
            let refresh = refresh(session);
            session.painted(refresh.unwrap_or(session.now().unwrap()), refresh);
        }
    }

    fn display(session: &Session) -> Option<Nanos> {
        Some(next_refresh(session.now().unwrap()))
    }

    /// How far the newest frame begins after a refresh of the display, in ns.
    fn newest_off(session: &Session) -> i64 {
        let begins = session.newest().unwrap().render_time.0 - OFF;
        (begins + PERIOD / 2).rem_euclid(PERIOD) - PERIOD / 2
    }

    #[test]
    fn frames_are_led_to_the_refreshes_of_a_display_and_the_error_is_said() {
        for handoff in [HandoffMode::Slot, HandoffMode::Lockstep] {
            let mut session = playing(handoff);
            passes(&mut session, 100, Nanos(PERIOD), display);
            assert_eq!(session.phase_error(), None, "not before it was tried");
            assert!((-3_100_000..-2_900_000).contains(&newest_off(&session)), "{}", newest_off(&session));
            passes(&mut session, 900, Nanos(PERIOD), display);
            assert!((-100_000..100_000).contains(&newest_off(&session)), "{}", newest_off(&session));
            let error = session.phase_error().expect("in step");
            assert!((-100_000..100_000).contains(&error.0), "{error:?}");
        }
    }

    #[test]
    fn twelve_passes_a_second_do_as_well_and_take_longer() {
        let mut session = playing(HandoffMode::Slot);
        passes(&mut session, 1_200, Nanos::from_millis(83), display);
        let error = session.phase_error().expect("in step");
        assert!((-200_000..200_000).contains(&error.0), "{error:?}");
        assert!((-200_000..200_000).contains(&newest_off(&session)), "{}", newest_off(&session));
    }

    #[test]
    fn where_no_pass_waits_or_what_it_waits_for_moves_with_the_frames_nothing_is_said() {
        let mut session = playing(HandoffMode::Slot);
        passes(&mut session, 1_000, Nanos(PERIOD), |_| None);
        assert_eq!(session.phase_error(), None);
        assert!((-3_100_000..-2_900_000).contains(&newest_off(&session)), "and nothing is shifted");
        for takes in [1_000_000, 6_000_000, 12_000_000] {
            let mut session = playing(HandoffMode::Slot);
            for _ in 0..20 {
                let echo = |session: &Session| Some(session.newest()?.render_time + Nanos(takes));
                passes(&mut session, 50, Nanos(PERIOD), echo);
                assert_eq!(session.phase_error(), None, "{takes}");
            }
            // By an eighth of a period on trial, and no more.
            let off = newest_off(&session);
            assert!((-5_200_000..-800_000).contains(&off), "{takes}: {off}");
        }
    }

    #[test]
    fn a_pause_another_rate_and_a_window_that_was_not_painted_have_it_found_out_anew() {
        let in_step = || {
            let mut session = playing(HandoffMode::Slot);
            passes(&mut session, 1_000, Nanos(PERIOD), display);
            assert!(session.phase_error().is_some());
            session
        };
        let mut session = in_step();
        session.control(Control::Pause);
        passes(&mut session, 1, Nanos(PERIOD), display);
        assert_eq!((session.phase(), session.phase_error()), (Phase::Paused, None));
        session.control(Control::Resume);
        passes(&mut session, 100, Nanos(PERIOD), display);
        assert_eq!(session.phase_error(), None);
        passes(&mut session, 900, Nanos(PERIOD), display);
        assert!(session.phase_error().is_some());

        session.set_display_rate(Some(Rate::hz(144).unwrap()));
        assert_eq!(session.phase_error(), None);

        let mut session = in_step();
        session.advance(Nanos::from_millis(1_100));
        session.poll(&mut |_| {});
        assert!(session.phase_error().is_some());
        session.painted(session.now().unwrap(), None);
        assert_eq!(session.phase_error(), None);
    }
}
