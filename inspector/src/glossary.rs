//! The words of this program and what each means: the one table that every definition on screen comes from. No egui.

/// A word and its sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// As it is written in a label.
    pub word: &'static str,
    /// Other ways in which labels write it: the plural, or what a narrow place leaves of it.
    pub also: &'static [&'static str],
    /// One sentence or two, without the word itself at its head.
    pub sense: &'static str,
}

const fn term(word: &'static str, also: &'static [&'static str], sense: &'static str) -> Term {
    Term { word, also, sense }
}

/// Every term. Where one is part of another, both are here: [`find`] takes whole labels, [`explain`] the longest first.
pub const TERMS: &[Term] = &[
    term(
        "tick",
        &["ticks"],
        "One fixed simulation step. Tick n is the state after n ticks; tick 0 is the scene at Play.",
    ),
    term(
        "frame",
        &["frames"],
        "One pass of the six stages; it publishes one picture. Counted from 1 at Play.",
    ),
    term("stage", &["stages"], "One of the six that each frame walks through, in their order."),
    term("drain_inputs", &[], "Stage 1: takes the queued input events."),
    term("run_app_update", &[], "Stage 2: runs the systems that run once a frame, whatever its delta."),
    term(
        "begin_render_frame",
        &[],
        "Stage 3: takes the free snapshot buffer. Never waits for the render thread.",
    ),
    term(
        "run_scheduler",
        &[],
        "Stage 4: advances the accumulator, runs the ticks, then the flows, then the agents by phase.",
    ),
    term("end_render_frame", &[], "Stage 5: closes the snapshot and publishes the frame."),
    term(
        "run_maintenance",
        &[],
        "Stage 6: drains what agents handed back, compacts storage, prunes what is gone.",
    ),
    term(
        "phase",
        &["phases"],
        "One of the six inside run_scheduler: Init, Observe, Transform, Mutate, Output, Finalize.",
    ),
    term(
        "agent",
        &["agents"],
        "A unit of work that a phase runs (physics, rendering, audio, …), with its dependencies.",
    ),
    term(
        "flow",
        &["flows"],
        "A read-only projector: reads the world, publishes a typed view, changes nothing.",
    ),
    term("tick rate", &["ticks per second"], "Ticks per second of simulated time, exact: 1 to 1000 Hz."),
    term(
        "frame rate",
        &[],
        "Deadlines per second of the frame clock: the display's refresh rate, or a target; 1 to 1000 Hz.",
    ),
    term(
        "render time",
        &[],
        "The presentation time a frame is made for, in nanoseconds on the monotonic clock.",
    ),
    term(
        "delta",
        &[],
        "The time a frame is given: its render time minus the previous frame's; but 0 for frame 1 and for a stepped \
         tick, and one period for a stepped frame and for the first frame after a resume.",
    ),
    term(
        "clamped time",
        &["clamped"],
        "The part of a delta beyond the longest accepted (250 ms, where the project says nothing else).",
    ),
    term(
        "capped ticks",
        &["capped"],
        "Whole ticks that were due beyond the most allowed in one frame; dropped, never queued.",
    ),
    term("stepped ticks", &["stepped"], "Ticks granted by Step tick, outside any delta."),
    term("overstep", &[], "Accumulated time that is less than one tick."),
    term(
        "alpha",
        &[],
        "Overstep ÷ tick length, always in [0, 1): how far the picture is from the tick before to the last one.",
    ),
    term(
        "late frame",
        &["late", "late frames"],
        "A frame that reached the frame clock after its own deadline.",
    ),
    term(
        "missed deadline",
        &["missed deadlines", "missed"],
        "A grid point at which no frame ran because an earlier frame was late.",
    ),
    term("published", &[], "Handed to the render thread."),
    term("dropped", &["dropped frame", "dropped frames"], "Replaced in the slot before it was taken."),
    term("rendered", &[], "Batch and submit both done."),
    term("shown", &[], "A rendered frame that the window presented."),
    term("unseen", &[], "A rendered frame that was replaced by a newer one before the window presented it."),
    term("pending", &[], "Published, not taken: 0 or 1; in the free handoff up to 4."),
    term("in flight", &[], "Taken, its picture still in the making: 0 or 1."),
    term("abandoned", &[], "Published, never rendered, because the render thread was shut down or died."),
    term(
        "redraw",
        &["redraws"],
        "The last snapshot drawn again for another view (camera, size, selection); no frame, counted apart.",
    ),
    term("snapshot", &["snapshots"], "The immutable picture of one frame that the render thread reads."),
    term("record", &["records"], "The plain facts kept about one frame, for people to look at."),
    term("teleport", &[], "A pose set on purpose, not reached by simulation: never blended."),
    term(
        "cue",
        &["cues", "sound cues"],
        "What a tick tells of an entity that sounds from then on; no part of the simulated state.",
    ),
    term(
        "handoff",
        &["handoffs"],
        "How frames reach the render thread: by a slot (the newest wins, the rest is dropped), in lockstep (both meet at the \
         end of every frame), or free (every tick is published, the render thread keeps its own time).",
    ),
    term(
        "slot",
        &["slot handoff"],
        "A handoff: three snapshots, one slot, the newest frame wins. Drops are counted, nobody waits.",
    ),
    term(
        "lockstep",
        &["lockstep handoff"],
        "A handoff: two snapshots and a barrier at the end of every frame. Nothing is dropped; the slower thread makes \
         the faster one wait.",
    ),
    term(
        "free",
        &["free handoff"],
        "A handoff: every tick is published, the last four are kept, and the render thread blends two of them by its own \
         clock. Nobody waits for anybody.",
    ),
    term(
        "barrier",
        &["meeting", "meetings"],
        "Where sim and render, and observers if there are any, meet at the end of every frame: nobody goes on before all have \
         come. The last to come exchanges the two buffers.",
    ),
    term("generation", &[], "How often sim and render have met at the barrier."),
    term(
        "undrawn",
        &[],
        "Published ticks that no picture was made of, because a newer one was there. No loss.",
    ),
    term(
        "not yet drawn",
        &[],
        "Published, and neither drawn nor passed over so far: the newest frames, or ticks, of a run.",
    ),
    term(
        "held",
        &["held below 1"],
        "Pictures that show another moment than their own: the tick that was due had not come yet, and alpha was held just below 1; \
         or the ticks of that moment were kept no longer.",
    ),
    term(
        "wait",
        &["waits", "waited"],
        "Time in which a thread stood still because another had not come so far.",
    ),
    term("sim wait", &[], "How long the simulation stood at the barrier until the render thread came."),
    term(
        "render wait",
        &[],
        "How long the render thread had nothing to draw: from the end of one picture until it took the next frame.",
    ),
    term(
        "wake delay",
        &["wake delays"],
        "How late the render thread woke for what it waited for: after the frame was published, in the free handoff after \
         its own deadline.",
    ),
    term(
        "observer",
        &["observers"],
        "One more reader of the lockstep handoff, beside the render thread: it sees every frame between two meetings. In the other \
         handoffs it waits.",
    ),
    term(
        "picture",
        &["pictures"],
        "One drawing of a frame; in the free handoff one frame may be drawn several times.",
    ),
    term(
        "drawn alpha",
        &[],
        "Where between the last two ticks a picture is, in [0, 1); in the free handoff by the render thread's own clock.",
    ),
    term("between pictures", &[], "Free handoff: a picture's render time minus that of the picture before."),
    term(
        "late picture",
        &["late pictures"],
        "Free handoff: a picture that the render thread began after its own deadline.",
    ),
    term(
        "render rate",
        &[],
        "Deadlines per second of the pictures: the frame rate that was chosen. In the free handoff the frames' own grid is that of \
         the ticks.",
    ),
    term("speed", &[], "How fast simulated time runs against real time: 0 to 8."),
    term("frame interval", &["interval"], "A frame's render time minus that of the frame before."),
    term("frame time", &[], "Start to end of the six stages, waiting left out."),
    term("deadline", &[], "The time on the frame clock's grid at which a frame is due."),
    term(
        "batch",
        &[],
        "Blending the two poses of each simulated entity by alpha, and filling the instances.",
    ),
    term("submit", &[], "Handing a frame's work to the graphics device."),
    term("interpolation", &[], "The pose drawn is blended from those of the last two ticks, by alpha."),
    term("history", &[], "The frames whose records are kept; the oldest go when it is full."),
    term("p50", &[], "Half of all values are at most this one."),
    term("p99", &[], "99 of 100 values are at most this one."),
    term("worst", &[], "The largest value."),
];

/// The term that a label names, written in any case; `None` where it is none.
#[must_use]
pub fn find(label: &str) -> Option<&'static Term> {
    let label = label.trim().to_lowercase();
    TERMS.iter().find(|term| term.word == label || term.also.contains(&label.as_str()))
}

/// The term that a label with figures names: `dropped 3`, `Tick 1 204`, `overstep, ms`.
#[must_use]
pub fn named_by(label: &str) -> Option<&'static Term> {
    let is_word = |part: &&str| !part.starts_with(|c: char| c.is_ascii_digit()) && !UNITS.contains(part);
    let parts = label.split([' ', ',']).filter(|part| !part.is_empty());
    find(&parts.filter(is_word).collect::<Vec<_>>().join(" "))
}

const UNITS: [&str; 9] = ["ms", "ns", "s", "Hz", "×", "%", "–", "·", "MB"];

/// What a term means. For words of the table that stand in the source.
///
/// # Panics
/// The word is not in the table.
#[must_use]
pub fn sense(word: &str) -> &'static str {
    find(word).map(|term| term.sense).expect("the table holds every word that the source asks for")
}

/// What the terms in a line of text mean, one a line, in the order in which they come; empty where there are none.
#[must_use]
pub fn explain(text: &str) -> String {
    let text = text.to_lowercase();
    let mut found: Vec<(usize, usize, &'static Term)> = Vec::new();
    for term in TERMS {
        for written in std::iter::once(&term.word).chain(term.also) {
            found.extend(whole_words(&text, written).map(|at| (at, written.len(), term)));
        }
    }
    // Of two that begin at one place the longer is meant; what lies within another is part of it.
    found.sort_by_key(|(at, length, _)| (*at, std::cmp::Reverse(*length)));
    let mut end = 0;
    let mut told: Vec<&'static Term> = Vec::new();
    for (at, length, term) in found {
        if at >= end {
            end = at + length;
            if !told.contains(&term) {
                told.push(term);
            }
        }
    }
    let lines = told.iter().map(|term| format!("{}: {}", term.word, term.sense));
    lines.collect::<Vec<_>>().join("\n")
}

/// Where `word` stands in `text` with no letter or digit beside it.
fn whole_words<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    text.match_indices(word).map(|(at, _)| at).filter(move |&at| {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let before = text[..at].chars().next_back().is_some_and(is_part);
        let after = text[at + word.len()..].chars().next().is_some_and(is_part);
        !before && !after
    })
}
