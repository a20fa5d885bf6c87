//! What is known of a picture the moment it is begun, whatever clock it is drawn by.

use crate::frame::record::RenderRecord;
use crate::handoff::{FrameConsumer, Held, Taken};
use crate::render::Timed;
use crate::time::Nanos;
use crate::time::frame_clock::Planned;

/// Begins a picture of what was taken: the snapshot shows the time that the picture is made for, and the record says what is
/// known by `now`. `waits_since` is when whoever draws began to wait for it, none where it did not.
pub(crate) fn begun<S: Timed>(
    consumer: &mut FrameConsumer<S>,
    run: u32,
    taken: &Taken,
    planned: Planned,
    waits_since: Option<Nanos>,
    now: Nanos,
) -> RenderRecord {
    let frame = &taken.frame;
    if let (Some(blend), Some(snapshot)) = (&taken.blend, consumer.snapshot_mut()) {
        snapshot.show_at(frame.render_time, blend);
    }
    let (shown_time, alpha) = consumer.snapshot().shown();
    let held = taken.blend.map_or(Held::No, |blend| blend.held);
    RenderRecord {
        run,
        frame: frame.frame,
        taken: now,
        wake_delay: wake_delay(taken, planned, waits_since, now),
        render_time: frame.render_time,
        shown_time,
        alpha,
        again: taken.again,
        held: held.is_off(),
        ends: held == Held::Standing,
        late: planned.late,
        missed: planned.missed,
        ..RenderRecord::default()
    }
}

/// How late it was woken for what it waited for; none where it did not wait.
fn wake_delay(taken: &Taken, planned: Planned, waits_since: Option<Nanos>, now: Nanos) -> Option<Nanos> {
    let due = match taken.blend {
        // The first picture after a rest has no deadline.
        Some(_) => Some(planned.render_time).filter(|_| !planned.late && planned.grid > 0),
        None => taken.times.published.filter(|at| waits_since.is_some_and(|since| since <= *at)),
    }?;
    Some((now - due).max(Nanos::ZERO))
}
