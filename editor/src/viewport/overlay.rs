//! The lines over the picture that say what is being drawn. Pure text.

use framewalk_inspector::wording::grouped;
use framewalk_runtime::render::picture::Picture;
use framewalk_runtime::time::FrameIndex;

use crate::session::Phase;

/// What the overlay says: the state, then how the picture came to be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OverlayLines {
    pub state: String,
    pub drawn: String,
}

/// The two lines for a picture in a phase; `open` is the frame whose stages are under way.
#[must_use]
pub fn lines(phase: Phase, open: FrameIndex, picture: Option<&Picture>, settings_wait: bool) -> OverlayLines {
    let shown = picture.map(|picture| picture.frame).filter(|frame| frame.0 > 0);
    let mut state = match (phase, shown) {
        (Phase::Edit, _) => "Edit · the scene as authored".to_owned(),
        (Phase::Playing, Some(frame)) => format!("Playing · frame {}", grouped(frame.0)),
        (Phase::Playing, None) => "Playing".to_owned(),
        (Phase::Paused, Some(frame)) => format!("Paused · showing frame {}", grouped(frame.0)),
        (Phase::Paused, None) => "Paused".to_owned(),
        (Phase::FrameOpen { next }, shown) => {
            let stage = next.index() + 1;
            let showing =
                shown.map_or_else(String::new, |frame| format!(" · showing frame {}", grouped(frame.0)));
            format!("Paused · frame {} open, before stage {stage}{showing}", grouped(open.0))
        }
        (Phase::Failed, Some(frame)) => format!("Failed · showing frame {}", grouped(frame.0)),
        (Phase::Failed, None) => "Failed".to_owned(),
    };
    if settings_wait {
        state.push_str(" · settings changed, they act before the next frame");
    }
    let drawn = picture.filter(|_| phase != Phase::Edit).map_or_else(String::new, drawn_line);
    OverlayLines { state, drawn }
}

/// How the two last ticks make the picture: `frame 1 203: 0.167 × tick 499 + 0.833 × tick 500`.
#[must_use]
pub fn drawn_line(picture: &Picture) -> String {
    let tick = picture.tick.0;
    let frame = grouped(picture.frame.0);
    if picture.last_tick {
        return format!("frame {frame}: tick {}, as simulated", grouped(tick));
    }
    if tick == 0 {
        return format!("frame {frame}: tick 0, the scene at Play");
    }
    // Rounded down, so that a weight below 1 is never written as 1.000.
    let newer = (picture.alpha * 1000.0).floor() / 1000.0;
    let older = 1.0 - newer;
    let before = grouped(tick_before(picture));
    format!("frame {frame}: {older:.3} × tick {before} + {newer:.3} × tick {}", grouped(tick))
}

/// The older of the two ticks that a picture is blended from.
#[must_use]
pub fn tick_before(picture: &Picture) -> u64 {
    picture.tick.0.saturating_sub(u64::from(picture.motion_ticks.max(1)))
}

#[cfg(test)]
mod tests {
    use framewalk_runtime::frame::stage::Stage;
    use framewalk_runtime::time::Tick;

    use super::*;

    fn picture(frame: u64, tick: u64, alpha: f64) -> Picture {
        Picture { frame: FrameIndex(frame), tick: Tick(tick), alpha, ..Picture::default() }
    }

    #[test]
    fn an_open_frame_names_itself_the_next_stage_and_what_is_shown() {
        let phase = Phase::FrameOpen { next: Stage::EndRenderFrame };
        let lines = lines(phase, FrameIndex(1204), Some(&picture(1203, 500, 0.8333)), false);
        assert_eq!(lines.state, "Paused · frame 1 204 open, before stage 5 · showing frame 1 203");
        assert_eq!(lines.drawn, "frame 1 203: 0.167 × tick 499 + 0.833 × tick 500");
    }

    #[test]
    fn the_two_weights_add_up_and_the_newer_is_never_one() {
        assert_eq!(drawn_line(&picture(2, 1, 0.0)), "frame 2: 1.000 × tick 0 + 0.000 × tick 1");
        assert_eq!(drawn_line(&picture(2, 1, 0.999_999)), "frame 2: 0.001 × tick 0 + 0.999 × tick 1");
        assert_eq!(drawn_line(&picture(1, 0, 0.0)), "frame 1: tick 0, the scene at Play");
        let of_three = Picture { motion_ticks: 3, ..picture(2, 9, 0.5) };
        assert_eq!(drawn_line(&of_three), "frame 2: 0.500 × tick 6 + 0.500 × tick 9");
    }

    #[test]
    fn edit_says_so_and_blends_nothing() {
        let lines = lines(Phase::Edit, FrameIndex(0), Some(&picture(0, 0, 0.0)), false);
        assert_eq!(
            lines,
            OverlayLines { state: "Edit · the scene as authored".into(), drawn: String::new() }
        );
    }
}
