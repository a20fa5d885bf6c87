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
    harness.get_by_label_contains("render and 2 observers read buffer 2");
    harness.get_by_label("observer 1: reads buffer 2, waited 0.00 ms");
    harness.get_by_label("observer 4: reads buffer 2, waited 9.00 ms");
}

/// A lockstep with so many observers, the first of which reads for 12 ms and the others for less.
pub(super) fn observed(observers: usize) -> Desk {
    let mut desk = Desk::new(0);
    for n in 1..=30_u64 {
        let at = Nanos(16_000_000 * n as i64);
        let mut frame = FrameRecord {
            run: 1,
            frame: FrameIndex(n),
            tick: Tick(n),
            sim_wait: Nanos(5_000_000),
            render_time: at,
            ..FrameRecord::default()
        };
        frame.stages[Stage::RunScheduler.index()].duration = Nanos(2_000_000);
        frame.stages[Stage::EndRenderFrame.index()].start = at + Nanos(6_000_000);
        frame.figures.snapshot_buffer = (n % 2) as u8;
        frame.handoff.mode = HandoffMode::Lockstep;
        (frame.handoff.published, frame.handoff.rendered) = (n, n);
        for number in 0..observers {
            frame.observer_waits.set(number, Nanos(4_000_000 + 1_500_000 * number as i64));
        }
        desk.inspector.ingest_frame(frame);
        desk.inspector.ingest_render(RenderRecord {
            run: 1,
            frame: FrameIndex(n),
            batch: Nanos(1_000_000),
            submit: Nanos(3_000_000),
            render_wait: Nanos(7_000_000),
            ..RenderRecord::default()
        });
    }
    desk
}

#[test]
fn each_observer_has_a_box_that_says_which_buffer_it_reads_and_how_long_it_waited() {
    for size in [[900.0, 900.0], [900.0, 270.0], [500.0, 270.0], [60.0, 270.0]] {
        let harness = show_in(observed(6), What::Panel(Panel::Handoff), size);
        harness.get_by_label(
            "lockstep handoff: sim writes buffer 1, render and 6 observers read buffer 2; they have met 30 times; nothing is dropped",
        );
        for (number, waited) in (1..).zip(["4.00", "5.50", "7.00", "8.50", "10.00", "11.50"]) {
            harness.get_by_label(&format!("observer {number}: reads buffer 2, waited {waited} ms"));
        }
    }
    let harness = show(observed(1), What::Panel(Panel::Handoff));
    harness.get_by_label_contains("render and 1 observer read buffer 2");
    harness.get_by_label("observer 1: reads buffer 2, waited 4.00 ms");
    assert!(harness.query_by_label_contains("observer 2").is_none());
    let harness = show(observed(0), What::Panel(Panel::Handoff));
    harness.get_by_label_contains("render reads buffer 2");
    assert!(harness.query_by_label_contains("observer").is_none());
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

/// Ten ticks a second, each drawn five times.
fn slow_ticks() -> Desk {
    let mut desk = Desk::new(0);
    for n in 1..=20_u64 {
        let at = Nanos(100_000_000 * n as i64);
        let mut frame = FrameRecord {
            run: 1,
            frame: FrameIndex(n),
            kind: if n == 1 { FrameKind::First } else { FrameKind::Running },
            tick: Tick(n),
            render_time: at,
            simulated_time: at,
            tick_length: Nanos(100_000_000),
            frame_rate: Rate::hz(10).expect("a rate"),
            render_rate: Rate::hz(50).expect("a rate"),
            ..FrameRecord::default()
        };
        frame.handoff.mode = HandoffMode::Free;
        desk.inspector.ingest_frame(frame);
        for nth in 0..5 {
            let render_time = at + Nanos(20_000_000 * nth);
            desk.inspector.ingest_render(RenderRecord {
                run: 1,
                frame: FrameIndex(n),
                taken: render_time,
                render_time,
                alpha: 0.2 * nth as f64,
                again: nth > 0,
                batch_start: render_time,
                batch: Nanos(1_000_000),
                submit_start: render_time + Nanos(1_000_000),
                submit: Nanos(2_000_000),
                ..RenderRecord::default()
            });
        }
    }
    desk
}

#[test]
fn in_the_free_handoff_every_panel_says_that_it_is_about_pictures() {
    let harness = show(slow_ticks(), What::Panel(Panel::Pacing));
    for label in
        ["between pictures p50 20.00 ms", "late pictures, last 10 s 0", "held, last 10 s 0", "drawn alpha"]
    {
        harness.get_by_label(label);
    }
    harness.get_by_label_contains("pacing plots of the times between pictures: pictures p50 20.00");
    assert!(harness.query_by_label_contains("frame interval").is_none());

    let harness = show(slow_ticks(), What::Panel(Panel::Histogram));
    harness.get_by_label("histograms of 20 frames · 100 pictures · last 10 s");
    harness.get_by_label_contains("between pictures p50 20.00 ms");
    harness.get_by_label_contains("drawn alpha p50 0.400");

    let harness = show(slow_ticks(), What::Figures);
    harness.get_by_label("alpha 0.800");
    harness.get_by_label("overstep 0.00 ms");

    let harness = show(slow_ticks(), What::Strip);
    harness.get_by_label("undrawn");
    harness.get_by_label("late");
    let harness = show(slow_ticks(), What::Panel(Panel::Record));
    harness.get_by_label("picture 1 of 5");
    let harness = show(slow_ticks(), What::Panel(Panel::Timeline));
    harness.get_by_label_contains(" pictures");
}
