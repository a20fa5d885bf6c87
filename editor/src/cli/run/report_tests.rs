//! The report's names, their order, and what each figure counts.

use super::super::summary::summary;
use super::*;
use crate::audio::{AudioFigures, Heard};
use crate::outcome::figures::{RunFigures, Seen};
use crate::outcome::{Ending, Identity, Outcome, Polls};
use framewalk_runtime::frame::record::{
    FrameKind, HandoffCounts, HandoffMode, RenderOutcome, RenderRecord, TickTotals,
};
use framewalk_runtime::jobs::topology::Core;
use framewalk_runtime::time::{FrameIndex, Nanos, Rate, Tick};

fn identity() -> Identity {
    Identity {
        project: "judder-lab".to_owned(),
        scene: "main".to_owned(),
        probes: vec![],
        handoff: framewalk_runtime::scene::project::HandoffMode::Slot,
        tick_rate: Rate::HZ_60,
        frame_rate: "59.94".parse().unwrap(),
        physics_divisor: 1,
        cadence: false,
    }
}

fn counts(published: u64, rendered: u64, dropped: u64, pending: u64) -> HandoffCounts {
    HandoffCounts { published, rendered, dropped, pending, ..HandoffCounts::default() }
}

/// Frames 1 to 4 at 10 ms; frame 3 is dropped, frame 4 drawn 3 ms late.
fn outcome() -> Outcome {
    let frame = |n: u64, kind| FrameRecord {
        run: 1,
        frame: FrameIndex(n),
        kind,
        tick: Tick(n - 1),
        render_time: Nanos::from_millis(10 * (n as i64 - 1)),
        delta: if n == 1 { Nanos::ZERO } else { Nanos::from_millis(10) },
        ticks: u32::from(n > 1),
        shown_time: Nanos::from_millis(10 * (n as i64 - 1)),
        late: n == 4,
        missed: if n == 4 { 2 } else { 0 },
        handoff: counts(n, n - 1, 0, 1),
        totals: TickTotals { ticks: n - 1, balanced: true, ..TickTotals::default() },
        ..FrameRecord::default()
    };
    let render = |n: u64, end_millis: i64| RenderRecord {
        run: 1,
        frame: FrameIndex(n),
        outcome: RenderOutcome::Rendered,
        submit_start: Nanos::from_millis(end_millis - 1),
        submit: Nanos::from_millis(1),
        shown_time: Nanos::from_millis(10 * (n as i64 - 1)),
        ..RenderRecord::default()
    };
    let frames = vec![
        frame(1, FrameKind::First),
        frame(2, FrameKind::Running),
        frame(3, FrameKind::Running),
        frame(4, FrameKind::Running),
    ];
    let renders = vec![render(1, 1), render(2, 11), render(4, 34)];
    Outcome {
        figures: RunFigures::of(&frames, &renders, Seen::AtSubmit),
        frames,
        poses: vec![],
        renders,
        counts: counts(4, 3, 1, 0),
        redraws: 0,
        window: None,
        state_hash: Some(0xab),
        records_lost: 0,
        input_lost: 7,
        meetings: 0,
        sightings: vec![],
        ending: Ending::Finished,
    }
}

/// What its frames and pictures come to now.
fn summed(outcome: Outcome) -> Outcome {
    Outcome { figures: RunFigures::of(&outcome.frames, &outcome.renders, Seen::AtSubmit), ..outcome }
}

#[test]
fn the_report_has_exactly_the_named_fields_in_their_order() {
    let process = ProcessFigures { threads: Some(2), peak_rss_bytes: Some(1024), cores: None };
    let json = Report::new(&identity(), &outcome(), process).to_json();
    let names: Vec<&str> = json
        .lines()
        .filter_map(|line| line.strip_prefix("  \"")?.split_once('"'))
        .map(|(name, _)| name)
        .collect();
    let expected = "project scene frames ticks stepped_ticks cut_ticks tick_rate frame_rate handoff elapsed_nanos \
        overstep_ticks alpha clamped_nanos capped_ticks late_frames missed_deadlines time_reversals published rendered \
        dropped abandoned shown unseen redraws conserved state_hash frame_interval_ms animation_error_ms \
        undrawn undrawn_ticks pictures held late_pictures render_rate sim_wait_ms render_wait_ms meetings observers sound_cues \
        changed physics_divisor cadence percentiles measured";
    assert_eq!(names, expected.split_whitespace().collect::<Vec<_>>());

    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    let text = |value: &serde_json::Value| value.to_string();
    assert_eq!(
        text(&value["frame_interval_ms"]),
        r#"{"max":10.0,"mean":10.0,"p50":10.0,"p95":10.0,"p99":10.0,"p999":10.0}"#
    );
    // Frame 4 shows 20 ms later than frame 2, 23 ms after it: 3 ms too late.
    assert_eq!(text(&value["animation_error_ms"]), r#"{"max_abs":3.0,"mean_abs":1.5,"p99_abs":3.0}"#);
    assert_eq!(value["state_hash"], "00000000000000ab");
    assert_eq!(value["handoff"], "slot");
    assert_eq!(value["elapsed_nanos"], 30_000_000);
    assert_eq!((&value["late_frames"], &value["missed_deadlines"]), (&1.into(), &2.into()));
    assert_eq!((&value["shown"], &value["unseen"], &value["redraws"]), (&3.into(), &0.into(), &0.into()));
    assert_eq!(value["conserved"], true);
    assert_eq!(value["percentiles"], "exact");
    assert_eq!(value["measured"]["threads"], 2);
    assert_eq!(value["measured"].get("cores"), None, "nobody asked for any");
    assert_eq!(
        (&value["measured"]["records_lost"], &value["measured"]["input_lost"]),
        (&0.into(), &7.into())
    );
    assert!(value["measured"]["stages"]["run_scheduler"]["p99_us"].is_number());
    for stage in Stage::ALL {
        let keys: Vec<&String> =
            value["measured"]["stages"][stage.name()].as_object().unwrap().keys().collect();
        assert_eq!(keys, ["max_us", "mean_us", "p50_us", "p99_us"]);
    }
}

#[test]
fn the_report_and_its_summary_say_which_thread_stayed_on_which_core() {
    let at = |thread: &str, core, stays| Seated { thread: thread.to_owned(), core: Core(core), stays };
    for (seated, json, line) in [
        (
            vec![at("sim", 1, true), at("render", 3, false), at("worker 0", 2, true)],
            r#"{"sim":1,"render":null,"worker 0":2}"#,
            "  pinned     sim on core 1, render refused on core 3, worker 0 on core 2\n",
        ),
        (vec![], "{}", "  pinned     nothing: this program may use one core only\n"),
    ] {
        let process = ProcessFigures { cores: Some(Cores(seated)), ..ProcessFigures::default() };
        let report = Report::new(&identity(), &outcome(), process);
        assert_eq!(serde_json::to_string(&report.measured.cores).unwrap(), json);
        assert!(summary(&report).contains(line), "{}", summary(&report));
    }
    let plain = Report::new(&identity(), &outcome(), ProcessFigures::default());
    assert!(!summary(&plain).contains("pinned"));
}

#[test]
fn without_a_window_a_picture_is_shown_at_the_end_of_its_submit_whenever_the_gpu_was_done() {
    let mut flown = outcome();
    flown.renders[1].flight.done = Some(flown.renders[1].submitted() + Nanos::from_millis(4));
    let flown = summed(flown);
    assert_eq!(flown.figures.animation_errors, outcome().figures.animation_errors);
    let displayed: Vec<_> = flown.rows(0).map(|row| row.displayed).collect();
    assert_eq!(displayed, [Some(1), Some(11), None, Some(34)].map(|millis| millis.map(Nanos::from_millis)));
}

#[test]
fn rates_and_handoff_are_those_of_the_last_frame_and_what_changed_is_named() {
    assert!(Report::new(&identity(), &outcome(), ProcessFigures::default()).changed.is_empty());
    let mut changed = outcome();
    for frame in &mut changed.frames[2..] {
        frame.handoff.mode = HandoffMode::Lockstep;
        frame.tick_rate = Rate::hz(30).unwrap();
    }
    let report = Report::new(&identity(), &summed(changed), ProcessFigures::default());
    assert_eq!((report.handoff, report.tick_rate.as_str()), ("lockstep", "30"));
    assert_eq!(report.changed, ["tick_rate", "handoff"]);
    let text = summary(&report);
    let header =
        "(ticks 30 Hz, frames 60 Hz, handoff lockstep in the end; changed on the way: tick rate, handoff)";
    assert!(text.contains(header), "{text}");
    // In the free handoff the frame rate that was chosen is that of the pictures alone.
    let mut shown_faster = outcome();
    for frame in &mut shown_faster.frames {
        frame.handoff.mode = HandoffMode::Free;
    }
    shown_faster.frames.last_mut().unwrap().render_rate = Rate::hz(144).unwrap();
    let report = Report::new(&identity(), &summed(shown_faster), ProcessFigures::default());
    assert_eq!((report.render_rate.as_str(), report.changed), ("144", vec!["render_rate"]));
    let slow = Identity { cadence: true, physics_divisor: 8, ..identity() };
    let empty = summed(Outcome { frames: vec![], ..outcome() });
    let text = summary(&Report::new(&slow, &empty, ProcessFigures::default()));
    let header = "(ticks 60 Hz, frames of a cadence, handoff slot, bodies 8 ticks behind)";
    assert!(text.contains(header), "{text}");
}

#[test]
fn a_summary_says_that_percentiles_are_rounded_where_they_are_and_what_was_lost() {
    let mut long = outcome();
    let text = summary(&Report::new(&identity(), &long, ProcessFigures::default()));
    assert!(!text.contains("percentiles") && !text.contains("records"), "{text}");
    // A bare window looks after its run a thousand times a second: for more than a minute.
    let intervals = (0..70_000).map(|_| Nanos::from_millis(1)).collect();
    let polls = Polls { intervals, ..Polls::default() };
    long.window = Some(InWindow { polls, ..InWindow::default() });
    long.records_lost = 3;
    let report = Report::new(&identity(), &long, ProcessFigures::default());
    assert_eq!(report.percentiles, "within 0.05 % of the value at that rank");
    let interval = report.measured.window.as_ref().unwrap().poll_interval_ms;
    assert_eq!((interval.mean, interval.p99, interval.max), (Some(1.0), Some(1.0), Some(1.0)));
    let text = summary(&report);
    let line = "\n  figures    of all 4 frames: means and maxima exact, percentiles within 0.05 %";
    assert!(text.contains(line), "{text}");
    assert!(text.contains("\n  lost       3 records of frames and pictures"), "{text}");
}

#[test]
fn what_sounded_is_counted_and_a_window_says_how_it_was_heard() {
    let mut sounding = outcome();
    sounding.frames[1].figures.sound_cues = 2;
    sounding.frames[2].figures.sound_cues = 1;
    let mut sounding = summed(sounding);
    let report = Report::new(&identity(), &sounding, ProcessFigures::default());
    assert_eq!(report.sound_cues, 3);
    let late = [0, 1, 2, 5].map(Nanos::from_millis).into_iter().collect();
    let asked = Rate::HZ_250;
    let audio = AudioFigures {
        asked,
        late,
        updates: 4,
        missed: 1,
        cues: 12,
        started: 11,
        lost: 1,
        ..AudioFigures::default()
    };
    sounding.window = Some(InWindow { audio: audio.clone(), ..InWindow::default() });
    let of = |outcome: &Outcome| {
        let report = Report::new(&identity(), outcome, ProcessFigures::default());
        report.measured.window.expect("a window").audio
    };
    let silent = of(&sounding);
    assert_eq!((silent.device.as_str(), silent.rate.as_str()), ("none", "250"));
    assert_eq!((silent.updates, silent.missed, silent.cues, silent.started, silent.lost), (4, 1, 12, 11, 1));
    assert_eq!((silent.late_ms.p50, silent.late_ms.p99), (Some(1.0), Some(5.0)));
    assert_eq!((silent.sample_rate, silent.device_losses, silent.underruns), (0, 0, 0));
    let heard = Heard { device: Some("Speakers".to_owned()), sample_rate: 44_100, losses: 2, underruns: 3 };
    sounding.window = Some(InWindow { audio: AudioFigures { heard, ..audio }, ..InWindow::default() });
    let loud = of(&sounding);
    assert_eq!((loud.device.as_str(), loud.sample_rate), ("Speakers", 44_100));
    assert_eq!((loud.device_losses, loud.underruns), (2, 3));
}

/// Two observers of three meetings; the second came last to each.
fn observed() -> Outcome {
    let mut observed = outcome();
    for (idx, frame) in observed.frames[..3].iter_mut().enumerate() {
        frame.handoff.mode = HandoffMode::Lockstep;
        frame.observer_waits.set(0, Nanos::from_millis(idx as i64 + 1));
        frame.observer_waits.set(1, Nanos::ZERO);
    }
    let seen = Sightings { frames: 3, whole: 3, agreed: 3, ..Sightings::default() };
    summed(Outcome { meetings: 3, sightings: vec![seen, seen], ..observed })
}

#[test]
fn each_observer_says_what_it_saw_and_how_long_it_waited() {
    let report = Report::new(&identity(), &observed(), ProcessFigures::default());
    let [first, second] = report.observers[..] else { panic!("{:?}", report.observers) };
    assert_eq!((first.frames, first.whole, first.agreed), (3, 3, 3));
    assert_eq!((first.waited_ms.p50, first.waited_ms.max), (Some(2.0), Some(3.0)));
    assert_eq!((second.waited_ms.p50, second.waited_ms.max), (Some(0.0), Some(0.0)));
    let line = "\n  observers  2, each met 3 of 3 frames, all whole, all saw the same; waited, ms: p50 2.000, 0.000\n";
    assert!(summary(&report).contains(line), "{}", summary(&report));
    let mut alone = observed();
    alone.sightings.truncate(1);
    let text = summary(&Report::new(&identity(), &alone, ProcessFigures::default()));
    let line = "\n  observers  1, met 3 of 3 frames, all whole; waited, ms: p50 2.000\n";
    assert!(text.contains(line), "{text}");
    let text = summary(&Report::new(&identity(), &outcome(), ProcessFigures::default()));
    assert!(!text.contains("observers"), "{text}");
}

#[test]
fn an_observer_that_saw_something_else_or_missed_a_frame_is_a_fault() {
    assert_eq!(observed().observers_fault(), None);
    let mut broken = observed();
    broken.sightings[1] =
        Sightings { frames: 2, whole: 1, agreed: 1, first_torn: Some(FrameIndex(2)), ..Sightings::default() };
    let sentence = |outcome: &Outcome| outcome.observers_fault();
    assert_eq!(sentence(&broken).as_deref(), Some("observer 2 did not find frame 2 whole"));
    let text = summary(&Report::new(&identity(), &broken, ProcessFigures::default()));
    assert!(text.contains("each met 3, 2 of 3 frames, NOT ALL WHOLE, NOT ALL SAW THE SAME"), "{text}");
    broken.sightings[1].first_torn = None;
    assert_eq!(sentence(&broken).as_deref(), Some("observer 2 met 2 of 3 frames"));
    let report = Report::new(&identity(), &broken, ProcessFigures::default());
    let ended = super::super::exit(&broken, &report);
    let Err(crate::cli::CliError::Fault(lines)) = ended else { panic!("{ended:?}") };
    assert_eq!(lines, ["error: observer 2 met 2 of 3 frames: this is a fault of framewalk"]);
}

#[test]
fn a_run_without_a_frame_has_rates_and_empty_figures() {
    let empty = Outcome { frames: vec![], renders: vec![], counts: HandoffCounts::default(), ..outcome() };
    let empty = summed(empty);
    let report = Report::new(&identity(), &empty, ProcessFigures::default());
    assert_eq!((report.frames, report.tick_rate.as_str(), report.frame_rate.as_str()), (0, "60", "59.94"));
    assert_eq!(report.frame_interval_ms, Percentiles::default());
    assert!(report.to_json().contains("\"p50\": null"));
}

#[test]
fn one_frame_out_of_balance_makes_a_run_not_conserved() {
    let mut broken = outcome();
    assert!(broken.conserved());
    broken.frames[2].totals.balanced = false;
    let broken = summed(broken);
    assert!(!broken.conserved());
    assert_eq!(broken.figures.unbalanced.map(|frame| frame.frame), Some(FrameIndex(3)));
    let mut left_over = outcome();
    left_over.counts = counts(4, 2, 1, 1);
    assert!(left_over.counts.balanced() && !left_over.conserved());
}

#[test]
fn process_figures_are_read_from_the_systems_text() {
    let status = "Name:\tframewalk\nVmHWM:\t   12345 kB\nThreads:\t3\n";
    let figures = ProcessFigures::parse(status);
    assert_eq!(figures, ProcessFigures { threads: Some(3), peak_rss_bytes: Some(12_641_280), cores: None });
    assert_eq!(ProcessFigures::parse("nothing of the kind"), ProcessFigures::default());
}

#[test]
fn a_world_that_was_left_in_the_middle_of_a_frame_has_no_hash() {
    let left = Outcome { state_hash: None, ..outcome() };
    let report = Report::new(&identity(), &left, ProcessFigures::default());
    let value: serde_json::Value = serde_json::from_str(&report.to_json()).unwrap();
    assert_eq!(value.get("state_hash"), Some(&serde_json::Value::Null));
    assert!(summary(&report).ends_with("; state hash -\n"));
}
