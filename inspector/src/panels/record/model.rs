//! The fields of a frame as rows, without egui.

use std::iter;

use framewalk_runtime::frame::record::{FrameKind, HandoffMode, MOST_OBSERVERS, RenderRecord};
use framewalk_runtime::frame::stage::Stage;
use framewalk_runtime::time::{FrameIndex, Nanos};

use crate::glossary;
use crate::history::{Entry, Fate};
use crate::wording::{grouped, millis, nanos};

/// What the wait of each observer is called.
const OBSERVER_WAITS: [&str; MOST_OBSERVERS] = [
    "observer 1 wait",
    "observer 2 wait",
    "observer 3 wait",
    "observer 4 wait",
    "observer 5 wait",
    "observer 6 wait",
];

/// One field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub name: &'static str,
    pub value: String,
    /// What it is, where the glossary does not say; else what there is to add.
    pub note: &'static str,
}

impl Row {
    /// What it is, in the words of the glossary.
    #[must_use]
    pub fn meaning(&self) -> String {
        match glossary::find(self.name) {
            Some(term) if self.note.is_empty() => term.sense.to_owned(),
            Some(term) => format!("{}\n{}", term.sense, self.note),
            None => self.note.to_owned(),
        }
    }
}

/// Fields that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    pub title: &'static str,
    pub rows: Vec<Row>,
}

/// Every field of a frame, by group.
#[must_use]
pub fn groups(entry: &Entry) -> Vec<Group> {
    vec![
        identity(entry),
        time(entry),
        ticks(entry),
        handoff(entry),
        stages(entry),
        render(entry),
        window(entry),
        input(entry),
    ]
}

/// All of it as text, one field a line.
#[must_use]
pub fn as_text(groups: &[Group]) -> String {
    let mut text = String::new();
    for group in groups {
        text += &format!("{}\n", group.title);
        for row in &group.rows {
            text += &format!("  {}: {}\n", row.name, row.value);
        }
    }
    text
}

fn row(name: &'static str, value: impl Into<String>, note: &'static str) -> Row {
    Row { name, value: value.into(), note }
}

/// A field that the glossary explains, and nothing to add.
fn term(name: &'static str, value: impl Into<String>) -> Row {
    row(name, value, "")
}

/// `6.94 ms  6 944 445 ns`: to read, and exact.
fn both(time: Nanos) -> String {
    format!("{}  ({})", millis(time), nanos(time))
}

fn yes_no(value: bool) -> &'static str {
    if value { "yes" } else { "no" }
}

fn frame_or_dash(frame: Option<FrameIndex>) -> String {
    frame.map_or_else(|| "–".to_owned(), |frame| grouped(frame.0))
}

fn identity(entry: &Entry) -> Group {
    let record = &entry.record;
    let kind = match record.kind {
        FrameKind::First => "first of its run",
        FrameKind::Running => "running",
        FrameKind::Resumed => "first after a resume",
        FrameKind::SteppedFrame => "stepped frame",
        FrameKind::SteppedTick => "stepped tick",
        FrameKind::ByHand => "changed by hand",
    };
    Group {
        title: "identity",
        rows: vec![
            row(
                "run",
                record.run.to_string(),
                "Which Play this frame belongs to, from 1. Frames of two runs never mix.",
            ),
            term("frame", grouped(record.frame.0)),
            row("tick", grouped(record.tick.0), "The count after this frame."),
            row("kind", kind, "Where the frame's delta came from."),
            row("outcome", fate(entry), "What became of it, as far as the records say."),
            row(
                "settings changed",
                yes_no(record.settings_changed),
                "A rate, the speed, the handoff, the physics divisor or a limit was changed before this frame.",
            ),
        ],
    }
}

fn fate(entry: &Entry) -> String {
    match entry.fate {
        Fate::Pending => "pending".to_owned(),
        Fate::InFlight => "in flight".to_owned(),
        Fate::Rendered => "rendered".to_owned(),
        Fate::Shown { .. } => "rendered, shown".to_owned(),
        Fate::Unseen => "rendered, unseen".to_owned(),
        Fate::Dropped { by } => format!("dropped, replaced by {}", grouped(by.0)),
        Fate::Undrawn => "undrawn: a newer tick was drawn".to_owned(),
        Fate::Abandoned => "abandoned".to_owned(),
    }
}

fn time(entry: &Entry) -> Group {
    let record = &entry.record;
    Group {
        title: "time",
        rows: vec![
            term("render time", nanos(record.render_time)),
            term("delta", both(record.delta)),
            term("clamped time", both(record.clamped)),
            row("time reversal", yes_no(record.time_reversal), "The delta was negative and counted as 0."),
            match entry.is_free() {
                true => row(
                    "frame rate",
                    format!("{} Hz", record.frame_rate),
                    "Free handoff: that of the ticks on the clock, tick rate × speed, so that each frame is one tick.",
                ),
                false => term("frame rate", format!("{} Hz", record.frame_rate)),
            },
            term("late", yes_no(record.late)),
            term("missed deadlines", grouped(record.missed)),
            row("wake error", both(record.wake_error), "How long after the deadline the wait really ended."),
            term("frame time", both(record.frame_time())),
            row(
                "jobs wait",
                both(record.jobs_wait),
                "How long stage 4 stood still for jobs that other threads had begun. Part of the frame time.",
            ),
        ],
    }
}

fn ticks(entry: &Entry) -> Group {
    let record = &entry.record;
    let totals = &record.totals;
    Group {
        title: "ticks",
        rows: vec![
            row(
                "ticks",
                grouped(record.ticks.into()),
                "Here: how many this frame ran, stepped ones included.",
            ),
            term("stepped ticks", grouped(record.stepped_ticks.into())),
            term("capped ticks", grouped(record.capped_ticks)),
            row(
                "cut ticks",
                grouped(record.cut_ticks),
                "Whole ticks due beyond the number the run was asked for.",
            ),
            row("overstep", both(record.overstep), "Rounded down to whole ns."),
            term("alpha", format!("{:.6}", record.alpha)),
            row("tick length", both(record.tick_length), "One tick, rounded to whole ns."),
            term("tick rate", format!("{} Hz", record.tick_rate)),
            term("speed", format!("{} ×", record.speed)),
            row("most ticks", grouped(record.max_ticks.into()), "The most ticks allowed in one frame."),
            row(
                "simulated time",
                both(record.simulated_time),
                "Simulated time of the last tick: the lengths of all ticks run.",
            ),
            row(
                "shown time",
                both(record.shown_time),
                "The simulated time the picture shows: that of the previous tick + alpha × the length of the last.",
            ),
            row(
                "scaled time",
                format!("{:.6} ticks", totals.scaled_ticks),
                "Since Play: the sum of (delta − clamped) × speed × tick rate.",
            ),
            row(
                "ticks since Play",
                grouped(totals.ticks),
                "Every tick run since Play, stepped ones included.",
            ),
            row("stepped since Play", grouped(totals.stepped), "Ticks granted by Step tick since Play."),
            row("capped since Play", grouped(totals.capped), "Capped ticks since Play."),
            row("cut since Play", grouped(totals.cut), "Cut ticks since Play."),
            row(
                "rounded since Play",
                format!("{:e} ticks", totals.rounded_ticks),
                "Lost to rounding when a tick rate changed.",
            ),
            row("clamped since Play", both(totals.clamped), "Clamped time since Play."),
            row("time reversals", grouped(totals.time_reversals), "Negative deltas since Play."),
            row(
                "tick equation",
                holds(totals.balanced),
                "scaled + stepped = ticks + overstep + capped + rounded + cut, in whole numbers, after this frame and every one before it.",
            ),
        ],
    }
}

fn holds(value: bool) -> &'static str {
    if value { "holds" } else { "does not hold" }
}

fn handoff(entry: &Entry) -> Group {
    let counts = &entry.record.handoff;
    let mut rows = match counts.mode {
        HandoffMode::Slot => Vec::new(),
        HandoffMode::Lockstep => {
            let sim = row(
                "sim wait",
                both(entry.record.sim_wait),
                "How long the simulation waited at the meeting for the render thread.",
            );
            let waits = entry.record.observer_waits.iter().map(|(number, wait)| {
                row(OBSERVER_WAITS[number], both(wait), "How long this observer waited at the meeting.")
            });
            iter::once(sim).chain(waits).collect()
        }
        HandoffMode::Free => vec![
            row("undrawn", grouped(counts.undrawn), "Ticks that were never drawn, because a newer one was."),
            row(
                "pictures",
                grouped(entry.pictures.into()),
                "How often this frame was drawn, at different times.",
            ),
        ],
    };
    rows.extend([
        row(
            "replaced",
            frame_or_dash(entry.record.replaced),
            "The untaken frame that publishing this one replaced.",
        ),
        term("handoff", counts.mode.name()),
        row("published", grouped(counts.published), "Read at the end of stage 6."),
        term("rendered", grouped(counts.rendered)),
        term("dropped", grouped(counts.dropped)),
        term("pending", grouped(counts.pending)),
        term("in flight", grouped(counts.in_flight)),
        term("abandoned", grouped(counts.abandoned)),
        row(
            "frame equation",
            holds(counts.balanced()),
            "published = rendered + dropped + undrawn + pending + in flight + abandoned.",
        ),
    ]);
    Group { title: "handoff", rows }
}

fn stages(entry: &Entry) -> Group {
    let record = &entry.record;
    let figures = &record.figures;
    let mut rows: Vec<Row> = Stage::ALL
        .into_iter()
        .map(|stage| {
            row(
                stage.name(),
                both(record.stages[stage.index()].duration),
                "Here: from its start to its end, waiting left out.",
            )
        })
        .collect();
    rows.extend([
        row("input events", grouped(figures.input_events.into()), "Stage 1: input events taken."),
        row("systems", grouped(figures.systems.into()), "Stage 2: systems run."),
        row(
            "snapshot buffer",
            format!("{} of {}", u32::from(figures.snapshot_buffer) + 1, record.snapshot_buffers()),
            "Stage 3: which of the snapshot buffers was taken.",
        ),
        row("spawned", grouped(figures.spawned.into()), "Stage 4: entities spawned by this frame's ticks."),
        row("removed", grouped(figures.despawned.into()), "Stage 4: entities removed by this frame's ticks."),
        row("flows", grouped(figures.flows.into()), "Stage 4: how many published a view."),
        row("agents", grouped(figures.agents.into()), "Stage 4: how many ran once."),
        row(
            "snapshot entities",
            grouped(figures.snapshot_entities.into()),
            "Stage 5: entities in the snapshot.",
        ),
        row("drained", grouped(figures.drained.into()), "Stage 6: results drained from agents."),
        row("pruned", grouped(figures.pruned.into()), "Stage 6: interpolation entries of what is gone."),
        row("entities", grouped(figures.entities.into()), "Entities alive after the frame."),
    ]);
    Group { title: "stages", rows }
}

fn render(entry: &Entry) -> Group {
    let of = |value: fn(&RenderRecord) -> String| entry.render.as_ref().map_or_else(|| "–".to_owned(), value);
    let mut rows = pictures(entry);
    rows.extend(of_picture(of));
    Group { title: "render thread", rows }
}

/// In the free handoff: which of its pictures the fields below are of, and what became of all of them.
fn pictures(entry: &Entry) -> Vec<Row> {
    if !entry.is_free() {
        return Vec::new();
    }
    let of_all = |number: u32| format!("{} of {}", grouped(number.into()), grouped(entry.pictures.into()));
    vec![
        term("render rate", format!("{} Hz", entry.record.render_rate)),
        row(
            "picture",
            if entry.tries == 0 { "–".to_owned() } else { of_all(1) },
            "The fields below are those of its first.",
        ),
        row("late pictures", of_all(entry.late_pictures), "Of this frame's."),
        row(
            "missed by pictures",
            grouped(entry.missed_pictures.into()),
            "The render thread's own deadlines at which nothing was drawn, because a picture of this frame was late.",
        ),
        row(
            "held pictures",
            of_all(entry.held),
            "Those whose alpha was held just below 1: the tick that was due had not come.",
        ),
    ]
}

fn of_picture(of: impl Fn(fn(&RenderRecord) -> String) -> String) -> Vec<Row> {
    vec![
        row("taken", of(|render| nanos(render.taken)), "When it was taken."),
        term("render wait", of(|render| both(render.render_wait))),
        term("wake delay", of(|render| render.wake_delay.map_or_else(|| "it was busy".to_owned(), both))),
        row(
            "drawn time",
            of(|render| both(render.shown_time)),
            "The simulated time its picture shows, as the render thread blended it.",
        ),
        row(
            "drawn alpha",
            of(|render| format!("{:.6}", render.alpha)),
            "Where between the last two ticks that is; in the free handoff by the render thread's own clock.",
        ),
        term("held", of(|render| yes_no(render.held).to_owned())),
        term("batch", of(|render| both(render.batch))),
        term("submit", of(|render| both(render.submit))),
        row(
            "GPU time",
            of(|render| render.gpu.map_or_else(|| "not told by the adapter".to_owned(), both)),
            "How long the graphics device worked on the picture, by its own clock.",
        ),
        row("submitted", of(|render| nanos(render.submitted())), "When its submit ended."),
        row(
            "pixels there",
            of(|render| render.flight.done.map_or_else(|| "–".to_owned(), nanos)),
            "When the GPU was seen to be done with it; that is looked for every 0.5 ms.",
        ),
        row(
            "snapshot held",
            of(|render| both(render.borrowed())),
            "From taking it until the last of it was read.",
        ),
        row(
            "waited for GPU",
            of(|render| both(render.flight.wait + render.flight.stall)),
            "Because as many pictures were in flight as may be, or no instance buffer was free.",
        ),
        row(
            "copied",
            of(|render| {
                format!(
                    "{} B of {} B",
                    grouped(render.flight.copied_bytes),
                    grouped(render.flight.instance_bytes)
                )
            }),
            "Of its instances: not what the buffer held already.",
        ),
        row("instances", of(|render| grouped(render.instances.into())), "Instances drawn."),
        row(
            "culled",
            of(|render| grouped(render.culled.into())),
            "Instances left out because the camera does not see them.",
        ),
    ]
}

fn window(entry: &Entry) -> Group {
    let presented = match entry.fate {
        Fate::Shown { at } => nanos(at),
        _ => "–".to_owned(),
    };
    let error = entry.animation_error.map_or_else(|| "–".to_owned(), both);
    Group {
        title: "window",
        rows: vec![
            row("presented", presented, "When the window first painted it."),
            row(
                "animation error",
                error,
                "(simulated time shown − that of the shown frame before) − (display time − display time before) × speed; positive = shown too soon. Empty for frame 1, for drops, for the first frame after a pause, a step or a change of rate or speed, and for a picture of the end of a motion that was over before.",
            ),
        ],
    }
}

/// How long the oldest input event that this frame's ticks were the first to see took to get there, and onto the screen.
fn input(entry: &Entry) -> Group {
    let text = |time: Option<Nanos>| time.map_or_else(|| "–".to_owned(), both);
    let arrived = entry.record.input_arrived;
    let shown = match entry.fate {
        Fate::Shown { at } => arrived.map(|arrived| at - arrived),
        _ => None,
    };
    Group {
        title: "input",
        rows: vec![
            row(
                "arrived",
                arrived.map_or_else(|| "–".to_owned(), nanos),
                "When the oldest event arrived that a tick of this frame was the first to see.",
            ),
            row(
                "to its tick",
                text(entry.record.input_to_tick()),
                "From its arrival to the beginning of that tick.",
            ),
            row(
                "to its picture",
                text(shown),
                "From its arrival until the window painted this frame; empty where it never did.",
            ),
        ],
    }
}
