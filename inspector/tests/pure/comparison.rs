//! What a recorded run of each handoff comes to, by literal values.

use framewalk_inspector::comparison::{Comparison, Cpu, Measured, Recording};
use framewalk_inspector::panels::compare::model::{NOT_MEASURED, Table};
use framewalk_runtime::frame::record::{
    FrameKind, FrameRecord, HandoffCounts, HandoffMode, RenderRecord, StageTiming,
};
use framewalk_runtime::frame::stage::Stage;
use framewalk_runtime::time::{FrameIndex, Nanos, Tick};

const MS: i64 = 1_000_000;

/// Frame n at n × 10 ms: its scheduler runs from 1 to 3 ms after that and makes one tick of 10 ms.
fn frame(n: u64, events: u32) -> FrameRecord {
    let at = 10 * MS * n as i64;
    let mut record = FrameRecord {
        run: 1,
        frame: FrameIndex(n),
        kind: if n == 1 { FrameKind::First } else { FrameKind::Running },
        tick: Tick(n),
        ticks: 1,
        render_time: Nanos(at),
        shown_time: Nanos(at),
        ..FrameRecord::default()
    };
    record.figures.input_events = events;
    record.stages[Stage::RunScheduler.index()] =
        StageTiming { start: Nanos(at + MS), duration: Nanos(2 * MS) };
    record
}

/// A picture of frame n, submitted so many ms after the frame began.
fn picture(n: u64, after: i64) -> RenderRecord {
    let began = 10 * MS * n as i64;
    RenderRecord {
        run: 1,
        frame: FrameIndex(n),
        shown_time: Nanos(began),
        submit_start: Nanos(began + (after - 1) * MS),
        submit: Nanos(MS),
        render_wait: Nanos(4 * MS),
        ..RenderRecord::default()
    }
}

fn recording() -> Recording {
    Recording {
        frames: vec![frame(1, 0), frame(2, 1), frame(3, 0), frame(4, 2)],
        // Frame 3 was dropped.
        renders: vec![picture(1, 5), picture(2, 5), picture(4, 7)],
        // At 12, 31 and 33 ms: the first is seen in frame 2, the others in frame 4.
        inputs: vec![Nanos(12 * MS), Nanos(31 * MS), Nanos(33 * MS), Nanos(49 * MS)],
        counts: HandoffCounts { published: 4, rendered: 3, dropped: 1, ..HandoffCounts::default() },
        lasted: Nanos(50 * MS),
        ..Recording::default()
    }
}

#[test]
fn latency_runs_from_the_tick_and_from_the_key_to_the_end_of_the_first_submit_that_shows_them() {
    let measured = Measured::of(HandoffMode::Slot, &recording());
    // Tick n is over 3 ms after its frame began.
    let ticks = measured.tick_to_drawn.unwrap();
    assert_eq!((ticks.count, ticks.p50, ticks.max), (3, Nanos(2 * MS), Nanos(4 * MS)));
    // 12 → 25, 31 → 47, 33 → 47; the one at 49 was not seen.
    let inputs = measured.input_to_drawn.unwrap();
    assert_eq!((inputs.count, inputs.p50, inputs.max), (3, Nanos(14 * MS), Nanos(16 * MS)));
    assert_eq!((measured.inputs, measured.pictures, measured.counts.dropped), (4, 3, 1));
    // Shown 20 ms apart and 22 ms apart on the display: 2 ms off, once.
    let error = measured.animation_error.unwrap();
    assert_eq!((error.count, error.max), (2, Nanos(2 * MS)));
    assert_eq!(measured.render_wait.unwrap().count, 2, "the first waited for the run to begin");
}

#[test]
fn a_tick_that_is_drawn_twice_is_measured_once_and_one_that_is_not_drawn_not_at_all() {
    let mut recording = recording();
    recording.renders = vec![picture(2, 5), RenderRecord { again: true, ..picture(2, 9) }];
    let measured = Measured::of(HandoffMode::Free, &recording);
    assert_eq!(measured.tick_to_drawn.unwrap().count, 1);
    assert_eq!(measured.input_to_drawn.unwrap().max, Nanos(13 * MS));
}

#[test]
fn undrawn_are_the_ticks_of_the_frames_that_a_newer_one_was_drawn_instead_of() {
    let mut recording = recording();
    // Frame 1 has no tick, frame 2 three, since ticks came faster than frames; 4 was still to be taken at the end.
    recording.frames[0].ticks = 0;
    recording.frames[1].ticks = 3;
    recording.renders = vec![picture(3, 5), RenderRecord { again: true, ..picture(3, 9) }];
    recording.counts =
        HandoffCounts { published: 4, rendered: 1, undrawn: 2, abandoned: 1, ..HandoffCounts::default() };
    assert_eq!(Measured::of(HandoffMode::Free, &recording).undrawn_ticks, 3);
    let comparison =
        Comparison { measured: vec![Measured::of(HandoffMode::Free, &recording)], ..Comparison::default() };
    let table = Table::of(&comparison);
    assert_eq!(table.rows().find(|row| row.name == "undrawn").unwrap().cells[0], "3");
}

fn comparison(cpu: Option<Cpu>) -> Comparison {
    let one = |mode, after: i64| {
        let mut recording = recording();
        recording.renders = vec![picture(1, after), picture(2, after)];
        recording.cpu = cpu;
        Measured::of(mode, &recording)
    };
    Comparison {
        about: "a scene".to_owned(),
        measured: vec![one(HandoffMode::Slot, 6), one(HandoffMode::Lockstep, 6), one(HandoffMode::Free, 5)],
        ..Comparison::default()
    }
}

#[test]
fn what_was_not_measured_says_so_and_only_the_one_lowest_of_latency_and_evenness_is_marked() {
    let table = Table::of(&comparison(None));
    let row = |name: &str| table.rows().find(|row| row.name == name).unwrap();
    assert_eq!(row("CPU of sim").cells, [NOT_MEASURED; 3]);
    assert_eq!((row("tick to drawn p50").best, row("render wait p50").best), (Some(2), None));
    assert_eq!(row("tick to drawn p50").cells, ["3.00", "3.00", "2.00"]);
    assert_eq!(row("animation error max").best, None, "all the same");
    assert_eq!(row("dropped").best, None);
    assert_eq!(row("key events shown").cells, ["1 of 4", "1 of 4", "1 of 4"]);
    assert_eq!(
        row("tick to drawn p50").label(&table.columns),
        "tick to drawn p50, ms: slot 3.00, lockstep 3.00, free 2.00"
    );
    let cpu = Cpu { sim: Nanos(5 * MS), render: Nanos(MS), workers: Nanos::ZERO };
    let told = Table::of(&comparison(Some(cpu)));
    let told: Vec<_> =
        told.rows().filter(|row| row.name.starts_with("CPU")).map(|row| row.cells[0].clone()).collect();
    assert_eq!(told, ["10.0", "2.0", "0.0"]);
}

#[test]
fn the_table_is_copied_a_line_a_row_with_its_units() {
    let text = Table::of(&comparison(None)).text("a scene");
    assert!(
        text.starts_with("a scene\n\tunit\tslot\tlockstep\tfree\nframes published\tframes\t4\t4\t4\n"),
        "{text}"
    );
    assert!(text.contains("\ntick to drawn p50\tms\t3.00\t3.00\t2.00\n"), "{text}");
}
