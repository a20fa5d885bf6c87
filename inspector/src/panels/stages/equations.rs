//! The two equations as text, without egui.

use framewalk_runtime::frame::record::{FrameRecord, HandoffCounts, HandoffMode, TickTotals};
use framewalk_runtime::frame::stage::Stage;

use super::model::Looked;
use crate::wording::{grouped, millis, short};

/// An equation with its numbers in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equation {
    pub holds: bool,
    pub text: String,
    /// What its terms mean.
    pub meaning: &'static str,
}

impl Equation {
    #[must_use]
    pub fn label(&self) -> String {
        format!("{}: {}", if self.holds { "holds" } else { "does not hold" }, self.text)
    }
}

const TICKS_MEANING: &str = "No time gets lost: scaled time in ticks (+ stepped) = ticks + overstep + capped \
    (+ rounded + cut).\nScaled time is the sum of (delta − clamped) × speed × tick rate since Play; stepped are ticks \
    granted by Step tick; overstep is what is left over, below one tick; capped were due beyond the most allowed in one \
    frame. Checked after every frame, in whole numbers.";

const SLOT_MEANING: &str = "No frame gets lost: published = rendered + dropped + pending + in flight + abandoned.\n\
    Dropped were replaced in the slot before they were taken; pending waits in the slot; in flight was taken and is \
    being rendered; abandoned were never rendered because the render thread was shut down or died.";

const LOCKSTEP_MEANING: &str = "Nothing is dropped: published = rendered + pending + in flight + abandoned.\n\
    A frame is handed over by the meeting that both come to, and the next one waits until the render thread has come \
    again. Pending was handed over and not begun; in flight is being rendered; abandoned were never rendered because \
    the render thread was shut down or died.";

const FREE_MEANING: &str = "No frame gets lost: published = rendered + undrawn + pending + in flight + abandoned.\n\
    Every tick is published as a frame of its own; ticks that came late together, or faster than 1000 a second, share one. \
    Rendered were drawn, as the newer of the two ticks that a picture blends, each counted once; undrawn were passed \
    over, since a newer one was drawn; pending are newer than what was drawn last, 4 at most. Undrawn is no loss: there \
    are simply more ticks than pictures.";

/// Both equations after the frame looked at: from it where its stages have come that far, else from the frame before.
#[must_use]
pub fn equations(
    looked: &Looked<'_>,
    counts_now: Option<HandoffCounts>,
    rate_changed: bool,
) -> [Equation; 2] {
    let before = looked.before.map(|(record, _)| record);
    // While the scheduler has not run, the open frame has no totals of its own.
    let own_totals = looked.is_done(Stage::RunScheduler) && looked.record.totals.balanced;
    let totals_of =
        if own_totals || !looked.is_open() { looked.record } else { before.unwrap_or(looked.record) };
    let counts = counts_now.unwrap_or_else(|| {
        if looked.is_open() {
            before.map(|record| record.handoff).unwrap_or_default()
        } else {
            looked.record.handoff
        }
    });
    let nothing_yet = totals_of.totals == TickTotals::default() && looked.is_open();
    [ticks_equation(totals_of, nothing_yet, rate_changed), frames_equation(&counts)]
}

fn ticks_equation(record: &FrameRecord, nothing_yet: bool, rate_changed: bool) -> Equation {
    let totals = &record.totals;
    let scaled = short(totals.scaled_ticks);
    let mut text = if rate_changed {
        format!("scaled time {scaled} ticks")
    } else {
        let seconds = totals.scaled_ticks * record.tick_rate.period_secs_f64();
        format!("{seconds:.3} s at {} Hz = {scaled} ticks", record.tick_rate)
    };
    if totals.stepped > 0 {
        text += &format!(" + {} stepped", grouped(totals.stepped));
    }
    text += &format!(
        " = {} + {} overstep + {} capped",
        grouped(totals.ticks),
        short(record.alpha),
        grouped(totals.capped)
    );
    if totals.rounded_ticks > 0.0 {
        text += &format!(" + {:.0e} rounded", totals.rounded_ticks);
    }
    if totals.cut > 0 {
        text += &format!(" + {} cut", grouped(totals.cut));
    }
    let clamped = if totals.clamped.0 == 0 { "0".to_owned() } else { millis(totals.clamped) };
    text += &format!(" ({clamped} clamped, {} stepped)", grouped(totals.stepped));
    Equation { holds: totals.balanced || nothing_yet, text, meaning: TICKS_MEANING }
}

/// What became of the frames, in the terms of the way that they take. What other ways lost before the handoff was changed
/// stays in it.
pub(crate) fn frames_equation(counts: &HandoffCounts) -> Equation {
    let (dropped, undrawn) = ((counts.dropped, "dropped"), (counts.undrawn, "undrawn"));
    let (own, of_others, meaning) = match counts.mode {
        HandoffMode::Slot => (Some(dropped), vec![undrawn], SLOT_MEANING),
        HandoffMode::Lockstep => (None, vec![dropped, undrawn], LOCKSTEP_MEANING),
        HandoffMode::Free => (Some(undrawn), vec![dropped], FREE_MEANING),
    };
    let mut text = format!("{} published = {} rendered", grouped(counts.published), grouped(counts.rendered));
    let kept =
        [(counts.pending, "pending"), (counts.in_flight, "in flight"), (counts.abandoned, "abandoned")];
    for (number, name) in own.into_iter().chain(kept) {
        text += &format!(" + {} {name}", grouped(number));
    }
    for (number, name) in of_others.into_iter().filter(|(number, _)| *number > 0) {
        text += &format!(" + {} {name} before", grouped(number));
    }
    if counts.mode == HandoffMode::Lockstep && counts.dropped == 0 {
        text += "; nothing is dropped";
    }
    Equation { holds: counts.balanced(), text, meaning }
}
