//! What stands in the window's title: project, scene and rates. Pure.

use framewalk_inspector::wording::off_display;
use framewalk_runtime::frame::record::{FrameRecord, HandoffMode};
use framewalk_runtime::time::Nanos;

/// How often it is looked at anew.
const PERIOD: Nanos = Nanos::from_millis(1_000);

/// Why a window shows nothing, or not what it should.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blind {
    /// The last pictures could not be shown, one after the other.
    NoPicture,
    /// Errors of the device came in the last second.
    DeviceReports,
    /// No picture will ever be drawn again with this device.
    DeviceLost,
}

impl Blind {
    const fn sentence(self) -> &'static str {
        match self {
            Self::NoPicture => "no picture can be shown, the log says why",
            Self::DeviceReports => "the graphics device reports errors, the log says which",
            Self::DeviceLost => "the graphics device is lost: close this window and play again",
        }
    }
}

/// The title that stands, and when it was made.
#[derive(Clone, Debug)]
pub struct Title {
    name: String,
    stands: String,
    made: Option<Nanos>,
}

impl Title {
    #[must_use]
    pub fn new(project: &str, scene: &str) -> Self {
        Self { name: format!("{project} / {scene}"), stands: String::new(), made: None }
    }

    /// The title, where it is another one than the one that stands.
    ///
    /// `phase` is how far the newest deadline of the clock that paces the pictures was from a refresh, where the two are
    /// locked; `blind`, why nothing is shown, where nothing is.
    pub fn renewed(
        &mut self,
        now: Nanos,
        newest: Option<&FrameRecord>,
        phase: Option<Nanos>,
        blind: Option<Blind>,
    ) -> Option<String> {
        let frame = newest?;
        if self.made.is_some_and(|made| now - made < PERIOD) {
            return None;
        }
        self.made = Some(now);
        let phase = phase.map_or_else(String::new, |phase| format!(", {}", off_display(phase)));
        // In the free handoff frames follow the ticks, and pictures are drawn on a clock of the render thread's own.
        let what = if frame.handoff.mode == HandoffMode::Free { "pictures" } else { "frames" };
        let (rate, ticks) = (frame.render_rate, frame.tick_rate);
        let title = match blind {
            // It stays for as long as that is so: where else is it to be said in a window that shows nothing?
            Some(blind) => format!("{} — {}", self.name, blind.sentence()),
            None => format!("{} — {what} {rate} Hz{phase}, ticks {ticks} Hz", self.name),
        };
        if title == self.stands {
            return None;
        }
        self.stands.clone_from(&title);
        Some(title)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use framewalk_runtime::frame::record::HandoffCounts;
    use framewalk_runtime::time::Rate;

    #[test]
    fn a_title_says_scene_and_rates_and_changes_once_a_second_at_most() {
        let mut title = Title::new("judder-lab", "main");
        let at = |hz| FrameRecord {
            render_rate: Rate::hz(hz).unwrap(),
            tick_rate: Rate::hz(10).unwrap(),
            ..FrameRecord::default()
        };
        assert_eq!(title.renewed(Nanos::ZERO, None, None, None), None);
        let first = "judder-lab / main — frames 60 Hz, ticks 10 Hz";
        assert_eq!(title.renewed(Nanos::ZERO, Some(&at(60)), None, None).as_deref(), Some(first));
        assert_eq!(title.renewed(Nanos::from_millis(999), Some(&at(144)), None, None), None);
        let second = "judder-lab / main — frames 144 Hz, ticks 10 Hz";
        assert_eq!(
            title.renewed(Nanos::from_millis(1_000), Some(&at(144)), None, None).as_deref(),
            Some(second)
        );
        assert_eq!(title.renewed(Nanos::from_millis(2_000), Some(&at(144)), None, None), None);
        let third = "judder-lab / main — frames 144 Hz, −0.3 ms off the display, ticks 10 Hz";
        let phase = Some(Nanos(-260_000));
        assert_eq!(
            title.renewed(Nanos::from_millis(3_000), Some(&at(144)), phase, None).as_deref(),
            Some(third)
        );
        let handoff = HandoffCounts { mode: HandoffMode::Free, ..HandoffCounts::default() };
        let free = FrameRecord { handoff, frame_rate: Rate::hz(10).unwrap(), ..at(144) };
        let fourth = "judder-lab / main — pictures 144 Hz, −0.3 ms off the display, ticks 10 Hz";
        assert_eq!(
            title.renewed(Nanos::from_millis(4_000), Some(&free), phase, None).as_deref(),
            Some(fourth)
        );
    }

    #[test]
    fn a_window_that_shows_nothing_says_so_in_its_title_until_it_shows_something() {
        let mut title = Title::new("judder-lab", "main");
        let frame = FrameRecord::default();
        let mut at = |second, blind| title.renewed(Nanos::from_secs(second), Some(&frame), None, blind);
        let no_picture = Some(Blind::NoPicture);
        let blind = "judder-lab / main — no picture can be shown, the log says why";
        assert_eq!(at(1, no_picture).as_deref(), Some(blind));
        assert_eq!((at(2, no_picture), at(1_000, no_picture)), (None, None), "it stays");
        let reports = "judder-lab / main — the graphics device reports errors, the log says which";
        assert_eq!(at(1_001, Some(Blind::DeviceReports)).as_deref(), Some(reports));
        let lost = "judder-lab / main — the graphics device is lost: close this window and play again";
        assert_eq!(at(1_001, Some(Blind::DeviceLost)), None, "once a second at most");
        assert_eq!(at(1_002, Some(Blind::DeviceLost)).as_deref(), Some(lost));
        assert_eq!(at(1_003, None).as_deref(), Some("judder-lab / main — frames 60 Hz, ticks 60 Hz"));
    }
}
