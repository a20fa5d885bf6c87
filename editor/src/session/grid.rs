//! Whether the frames of the free handoff can come as often as its ticks. Pure.

use framewalk_runtime::frame::record::HandoffMode;

use super::RunChoices;

/// Why no frame clock can keep what was chosen, and what to do about it: a sentence.
#[must_use]
pub fn refused(choices: &RunChoices) -> Option<String> {
    let RunChoices { tick_rate, speed, handoff, .. } = choices;
    if *handoff != HandoffMode::Free || speed.thousandths() == 0 || tick_rate.times(*speed).is_some() {
        return None;
    }
    let asked = tick_rate.as_f64() * speed.as_f64();
    let (kept, help) = match asked < 1.0 {
        true => ("1", "Raise the speed or the tick rate"),
        false => ("1000", "Lower the speed or the tick rate"),
    };
    if (1.0..=1000.0).contains(&asked) {
        return Some(format!(
            "The frame rate is invalid: {tick_rate} Hz at speed {speed} is no exact rate, and in the free handoff each tick \
             is a frame. Frames come at {} Hz. Take a rounder speed, or another handoff.",
            tick_rate.scaled(*speed)
        ));
    }
    Some(format!(
        "The frame rate is invalid: in the free handoff each tick is a frame, and {tick_rate} Hz at speed {speed} would be \
         {asked} a second. Frames come at {kept} Hz. {help}, or take another handoff."
    ))
}

#[cfg(test)]
mod tests {
    use framewalk_runtime::render::NullRenderer;
    use framewalk_runtime::scene::Scene;
    use framewalk_runtime::scene::project::{Project, parse_project};
    use framewalk_runtime::sim::Control;
    use framewalk_runtime::time::{Nanos, Speed};
    use tracing_subscriber::layer::SubscriberExt;

    use super::*;
    use crate::log_lines;
    use crate::session::Session;
    use crate::session::run::{Drive, Sabotage};

    fn project(tick_rate: &str, speed: &str, handoff: HandoffMode) -> Project {
        Project {
            tick_rate: tick_rate.parse().unwrap(),
            speed: speed.parse().unwrap(),
            handoff,
            ..parse_project("(format: 1, name: \"x\", scenes: [\"main\"])").unwrap()
        }
    }

    fn refusal(tick_rate: &str, speed: &str, handoff: HandoffMode) -> Option<String> {
        refused(&Session::new(&project(tick_rate, speed, handoff)).choices)
    }

    #[test]
    fn only_the_free_handoff_refuses_and_only_what_is_no_rate() {
        use HandoffMode::{Free, Lockstep, Slot};
        for handoff in [Slot, Lockstep] {
            assert_eq!(refusal("512", "8", handoff), None);
        }
        for (tick_rate, speed) in [("60", "1"), ("125", "8"), ("512", "0"), ("1", "1"), ("10", "0.1")] {
            assert_eq!(refusal(tick_rate, speed, Free), None, "{tick_rate} at {speed}");
        }
        assert_eq!(
            refusal("512", "8", Free).unwrap(),
            "The frame rate is invalid: in the free handoff each tick is a frame, and 512 Hz at speed 8 would be 4096 a \
             second. Frames come at 1000 Hz. Lower the speed or the tick rate, or take another handoff."
        );
        assert_eq!(
            refusal("60", "0.005", Free).unwrap(),
            "The frame rate is invalid: in the free handoff each tick is a frame, and 60 Hz at speed 0.005 would be 0.3 a \
             second. Frames come at 1 Hz. Raise the speed or the tick rate, or take another handoff."
        );
    }

    #[test]
    fn a_run_says_in_the_log_once_that_its_ticks_come_too_often_and_again_after_they_did_not() {
        let (layer, mut lines) = log_lines::channel();
        let subscriber = tracing_subscriber::registry().with(layer);
        tracing::subscriber::with_default(subscriber, || {
            let mut session = Session::new(&project("512", "8", HandoffMode::Free));
            let drive = Drive::Virtual { step: Nanos::ZERO };
            session
                .play(&Scene::default(), Box::new(NullRenderer::new()), drive, Sabotage::default())
                .unwrap();
            let speed = |thousandths| Control::SetSpeed(Speed::from_thousandths(thousandths).unwrap());
            session.advance(Nanos::from_secs(1));
            session.control(speed(7_000));
            session.advance(Nanos::from_secs(1));
            session.control(speed(1_000));
            session.control(speed(4_000));
            session.advance(Nanos::from_secs(1));
        });
        lines.drain();
        let said: Vec<&str> =
            lines.lines().map(|line| line.text.as_str()).filter(|text| text.contains("invalid")).collect();
        assert_eq!(
            said,
            [
                "frame_rate_invalid asked=512 Hz at speed 8 used=1000 Hz accepted=1 to 1000 Hz",
                "frame_rate_invalid asked=512 Hz at speed 4 used=1000 Hz accepted=1 to 1000 Hz",
            ]
        );
    }
}
