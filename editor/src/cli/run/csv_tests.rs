//! The table's columns, their order, and what is in a cell.

use super::*;
use crate::outcome::Ending;
use crate::outcome::figures::{RunFigures, Seen};
use framewalk_runtime::frame::record::{FrameKind, FrameRecord, HandoffCounts, RenderRecord, StageTiming};
use framewalk_runtime::time::{FrameIndex, Nanos, Tick};
use glam::{Quat, Vec3};

fn outcome() -> Outcome {
    let stage = |duration| StageTiming { start: Nanos(1), duration: Nanos(duration) };
    let first = FrameRecord {
        frame: FrameIndex(1),
        kind: FrameKind::First,
        handoff: HandoffCounts { published: 1, pending: 1, ..HandoffCounts::default() },
        stages: [1, 2, 3, 4, 5, 6].map(stage),
        wake_error: Nanos(70),
        ..FrameRecord::default()
    };
    let second = FrameRecord {
        frame: FrameIndex(2),
        kind: FrameKind::Running,
        tick: Tick(2),
        render_time: Nanos(20_000_000),
        delta: Nanos(20_000_000),
        clamped: Nanos(5),
        ticks: 2,
        capped_ticks: 3,
        overstep: Nanos(8_333_333),
        alpha: 0.5,
        late: true,
        missed: 4,
        sim_wait: Nanos(33),
        handoff: HandoffCounts { published: 2, dropped: 1, pending: 1, ..HandoffCounts::default() },
        ..first
    };
    Outcome {
        frames: vec![first, second],
        poses: vec![
            None,
            Some(Pose {
                position: Vec3::new(0.1, -2.0, 1e-7),
                rotation: Quat::from_xyzw(-0.0, 0.0, -0.0, 1.0),
                scale: Vec3::ONE,
            }),
        ],
        renders: vec![RenderRecord {
            frame: FrameIndex(2),
            render_wait: Nanos(7),
            render_time: Nanos(20_000_000),
            shown_time: Nanos(12),
            batch: Nanos(8),
            submit_start: Nanos(100),
            submit: Nanos(9),
            ..RenderRecord::default()
        }],
        counts: HandoffCounts { published: 2, rendered: 1, dropped: 1, ..HandoffCounts::default() },
        redraws: 0,
        window: None,
        figures: RunFigures::new(Seen::AtSubmit),
        state_hash: None,
        records_lost: 0,
        input_lost: 0,
        meetings: 0,
        sightings: vec![],
        ending: Ending::Finished,
    }
}

#[test]
fn the_table_has_exactly_the_named_columns_in_their_order() {
    let table = table(&outcome(), &["Mover".to_owned()]);
    assert_eq!(
        table.lines().next().unwrap(),
        "frame,tick,render_time_ns,delta_ns,clamped_ns,ticks,capped_ticks,overstep_ns,alpha,published,rendered,\
         dropped,abandoned,pending,in_flight,late,missed,animation_error_ns,Mover.px,Mover.py,Mover.pz,Mover.qx,\
         Mover.qy,Mover.qz,Mover.qw,undrawn,sim_wait_ns,render_wait_ns,pictures,held,drawn_at_ns,shown_time_ns,drain_inputs_ns,run_app_update_ns,begin_render_frame_ns,run_scheduler_ns,\
         end_render_frame_ns,run_maintenance_ns,wake_error_ns,batch_ns,submit_ns,displayed_ns,gpu_done_ns"
    );
}

#[test]
fn in_the_free_handoff_the_columns_of_a_probe_say_that_its_pose_is_the_frames() {
    let mut free = outcome();
    free.frames[1].handoff.mode = HandoffMode::Free;
    let table = table(&free, &["Mover".to_owned()]);
    let header = table.lines().next().unwrap();
    assert!(header.contains(",animation_error_ns,Mover@frame.px,Mover@frame.py,"), "{header}");
    assert!(header.contains(",Mover@frame.qw,undrawn,"), "{header}");
}

#[test]
fn cells_are_plain_numbers_and_empty_where_there_is_no_value() {
    let table = table(&outcome(), &["Mover".to_owned()]);
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[1], "1,0,0,0,0,0,0,0,0,1,0,0,0,1,0,0,0,,,,,,,,,0,0,,0,0,,,1,2,3,4,5,6,70,,,,");
    assert_eq!(
        lines[2],
        "2,2,20000000,20000000,5,2,3,8333333,0.5,2,0,1,0,1,0,1,4,,0.1,-2,0.0000001,0,0,0,1,0,33,7,1,0,20000000,12,1,2,3,4,5,6,70,8,9,109,"
    );
    assert!(table.ends_with('\n'));
}

#[test]
fn every_line_has_as_many_cells_as_the_header() {
    for names in [vec![], vec!["Mover".to_owned()]] {
        let table = table(&outcome(), &names);
        let cells: Vec<usize> = table.lines().map(|line| line.matches(',').count()).collect();
        assert!(cells.iter().all(|count| *count == cells[0]), "{cells:?}");
    }
}

#[test]
fn a_name_with_a_comma_stays_one_cell() {
    assert_eq!(quoted("a, \"b\".px"), "\"a, \"\"b\"\".px\"");
    assert_eq!(quoted("Mover.px"), "Mover.px");
}
