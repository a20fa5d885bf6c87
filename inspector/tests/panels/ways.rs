//! The panel of lockstep and of the free handoff: who waited for whom, and what is blended.

use super::*;

#[test]
fn lockstep_says_who_waited_for_whom_and_that_nothing_is_dropped() {
    let harness = show(of_mode(HandoffMode::Lockstep), What::Panel(Panel::Handoff));
    let met = "lockstep handoff: sim writes buffer 1, render reads buffer 2; they have met 20 times; nothing is dropped";
    harness.get_by_label(met);
    harness.get_by_label("frame 20: render waited 9.00 ms for sim");
    harness.get_by_label("sim wait 2.50 ms");
    harness.get_by_label("render wait 9.00 ms");
    harness.get_by_label("generation 20");
    harness.get_by_label_contains(
        "holds: 20 published = 19 rendered + 0 pending + 1 in flight + 0 abandoned; nothing is dropped",
    );
}

#[test]
fn lockstep_has_a_lane_for_each_observer_and_says_who_came_last() {
    let mut desk = of_mode(HandoffMode::Lockstep);
    for n in 21..=22_u64 {
        let at = Nanos(16_000_000 * n as i64);
        let mut frame = FrameRecord {
            run: 1,
            frame: FrameIndex(n),
            sim_wait: Nanos(5_000_000),
            render_time: at,
            ..FrameRecord::default()
        };
        frame.stages[Stage::EndRenderFrame.index()].start = at;
        frame.handoff.mode = HandoffMode::Lockstep;
        frame.handoff.published = n;
        frame.handoff.rendered = n;
        frame.observer_waits.set(0, Nanos::ZERO);
        frame.observer_waits.set(3, Nanos(9_000_000));
        desk.inspector.ingest_frame(frame);
        desk.inspector.ingest_render(RenderRecord {
            run: 1,
            frame: FrameIndex(n),
            render_wait: Nanos(7_000_000),
            wake_delay: Some(Nanos(1_250)),
            ..RenderRecord::default()
        });
    }
    let harness = show(desk, What::Panel(Panel::Handoff));
    harness.get_by_label(
        "frame 22: sim waited 5.00 ms for observer 1; observer 1 waited 0.00 ms; observer 4 waited 9.00 ms",
    );
    harness.get_by_label("wake delay 1.3 µs");
}

#[test]
fn the_free_handoff_says_which_two_ticks_are_blended_and_where_between_them() {
    let mut desk = of_mode(HandoffMode::Free);
    // The same frame once more, later.
    let again = RenderRecord {
        run: 1,
        frame: FrameIndex(20),
        shown_time: Nanos(16_000_000 * 20 - 4_000_000),
        alpha: 0.75,
        again: true,
        ..RenderRecord::default()
    };
    let harness = show(desk_of(&desk), What::Panel(Panel::Handoff));
    harness.get_by_label("alpha 0.250 from tick 19 to tick 20; 12.00 ms behind the newest tick");
    harness.get_by_label("free handoff: 4 ticks are kept, 0 pending; alpha 0.250 from tick 19 to tick 20");
    harness.get_by_label("held 1");
    harness.get_by_label("undrawn 0");
    desk.inspector.ingest_render(again);
    let harness = show(desk, What::Panel(Panel::Handoff));
    harness.get_by_label("alpha 0.750 from tick 19 to tick 20; 4.00 ms behind the newest tick");
}

fn desk_of(desk: &Desk) -> Desk {
    let mut copy = Desk::new(0);
    let frames = desk.inspector.history().run(1);
    for entry in frames.range(0, usize::MAX) {
        copy.inspector.ingest_frame(entry.record);
        entry.render.into_iter().for_each(|render| copy.inspector.ingest_render(render));
    }
    copy
}
