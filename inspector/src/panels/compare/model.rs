//! The table of a comparison, without egui.

use framewalk_runtime::frame::record::HandoffMode;
use framewalk_runtime::time::Nanos;

use crate::comparison::{Comparison, Cpu, Measured};
use crate::stats::Summary;
use crate::wording::{grouped, millis_number};

/// What stands where nothing was measured.
pub const NOT_MEASURED: &str = "not measured";

/// One figure of each way.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub name: &'static str,
    pub unit: &'static str,
    /// What it means, and how it is measured.
    pub meaning: &'static str,
    /// One a column.
    pub cells: Vec<String>,
    /// The column with the least value, in rows where less is better whatever one wants, and only where one has it.
    pub best: Option<usize>,
}

impl Row {
    /// `tick to drawn p50, ms: slot 8.21, lockstep 9.02, free 4.40`.
    #[must_use]
    pub fn label(&self, columns: &[HandoffMode]) -> String {
        let cells = columns.iter().zip(&self.cells).map(|(mode, cell)| format!("{} {cell}", mode.name()));
        format!("{}, {}: {}", self.name, self.unit, cells.collect::<Vec<_>>().join(", "))
    }
}

/// A comparison as a table: a group of rows under each head.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    pub columns: Vec<HandoffMode>,
    pub groups: Vec<(&'static str, Vec<Row>)>,
}

const SIM_WAIT: &str = "How long the simulation stood at the barrier until the render thread came. Outside lockstep it \
    never waits.";
const RENDER_WAIT: &str = "How long the render thread had nothing to draw: from the end of one picture until it took the \
    next frame. In lockstep that is its wait at the barrier, in the free handoff for its own deadline.";
const TICK_TO_DRAWN: &str = "From the end of the stage that ran a tick to the end of the submit of the first picture that \
    blends it in; of each picture that shows a newer tick than the picture before.";
const INPUT_TO_DRAWN: &str = "From the moment a key event was sent to the end of the submit of the first picture that \
    shows a tick which saw it. A key is pressed and let go at the same times in each of the three runs.";
const ANIMATION_ERROR: &str = "How far the simulated time between two pictures was from the time between their submits, \
    without its sign. 0 is perfectly even motion.";
const PICTURE: &str = "What batch and submit of a picture took together. Where pictures are counted and not drawn, that is \
    their render cost: what the scene's own loads on a submit take, or longer where that was asked for.";
const CPU: &str = "Time that the thread spent on a core, by the system's own account of it, as a share of the run: 100 % is \
    one whole core.";

impl Table {
    #[must_use]
    pub fn of(comparison: &Comparison) -> Self {
        let of = &comparison.measured;
        let counts = vec![
            counted(
                of,
                "frames published",
                "frames",
                "Handed to the render thread; in the free handoff each is one tick.",
                |one| one.counts.published,
            ),
            counted(
                of,
                "pictures drawn",
                "pictures",
                "Batch and submit both done; in the free handoff one frame may be drawn more than once.",
                |one| one.pictures,
            ),
            counted(
                of,
                "dropped",
                "frames",
                "Replaced in the slot before they were taken. The other two drop nothing.",
                |one| one.counts.dropped,
            ),
            counted(
                of,
                "undrawn",
                "ticks",
                "Ticks of the free handoff that no picture was made of, because a newer one was there. No loss: there are more ticks than pictures.",
                |one| one.undrawn_ticks,
            ),
            counted(
                of,
                "late",
                "frames",
                "Reached the frame clock after their own deadline; in the free handoff that of the render thread.",
                |one| one.late,
            ),
            counted(
                of,
                "held below 1",
                "pictures",
                "Pictures of the free handoff for which the tick that was due had not come yet.",
                |one| one.held,
            ),
        ];
        let waits = [
            times(of, &["sim wait p50", "sim wait p99", "sim wait max"], SIM_WAIT, false, |one| one.sim_wait),
            times(
                of,
                &["render wait p50", "render wait p99", "render wait max"],
                RENDER_WAIT,
                false,
                |one| one.render_wait,
            ),
        ];
        let latencies = [
            times(
                of,
                &["tick to drawn p50", "tick to drawn p99", "tick to drawn max"],
                TICK_TO_DRAWN,
                true,
                |one| one.tick_to_drawn,
            ),
            times(
                of,
                &["input to drawn p50", "input to drawn p99", "input to drawn max"],
                INPUT_TO_DRAWN,
                true,
                |one| one.input_to_drawn,
            ),
        ];
        let mut latency = latencies.concat();
        latency.push(answered(of));
        let errors = errors(of);
        let mut cost =
            times(of, &["picture p50", "picture p99", "picture max"], PICTURE, false, |one| one.drawing);
        cost.extend([
            cpu(of, "CPU of sim", |cpu| cpu.sim),
            cpu(of, "CPU of render", |cpu| cpu.render),
            cpu(of, "CPU of workers", |cpu| cpu.workers),
        ]);
        Self {
            columns: of.iter().map(|one| one.mode).collect(),
            groups: vec![
                ("what became of them", counts),
                ("waits", waits.concat()),
                ("latency", latency),
                ("evenness", errors),
                ("cost", cost),
            ],
        }
    }

    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.groups.iter().flat_map(|(_, rows)| rows)
    }

    /// The whole table as text, a line a row, its cells apart by tabs.
    #[must_use]
    pub fn text(&self, about: &str) -> String {
        let names: Vec<&str> = self.columns.iter().map(|mode| mode.name()).collect();
        let mut text = format!("{about}\n\tunit\t{}\n", names.join("\t"));
        for row in self.rows() {
            text += &format!("{}\t{}\t{}\n", row.name, row.unit, row.cells.join("\t"));
        }
        text
    }
}

fn counted(
    of: &[Measured],
    name: &'static str,
    unit: &'static str,
    meaning: &'static str,
    value: impl Fn(&Measured) -> u64,
) -> Row {
    let cells = of.iter().map(|one| grouped(value(one))).collect();
    Row { name, unit, meaning, cells, best: None }
}

/// Median, 99th percentile and worst of a set of times.
fn times(
    of: &[Measured],
    names: &[&'static str; 3],
    meaning: &'static str,
    less_is_better: bool,
    value: impl Fn(&Measured) -> Option<Summary>,
) -> Vec<Row> {
    let parts: [fn(&Summary) -> Nanos; 3] = [|all| all.p50, |all| all.p99, |all| all.max];
    let rows = names.iter().zip(parts).map(|(name, part)| {
        let values: Vec<Option<Nanos>> = of.iter().map(|one| value(one).map(|all| part(&all))).collect();
        timed(name, meaning, &values, less_is_better)
    });
    rows.collect()
}

type Part = fn(Summary) -> Nanos;

fn errors(of: &[Measured]) -> Vec<Row> {
    let mean = |all: Summary| Nanos(all.mean_nanos.round() as i64);
    let parts: [(&'static str, Part); 3] = [
        ("animation error mean", mean),
        ("animation error p99", |all| all.p99),
        ("animation error max", |all| all.max),
    ];
    let rows = parts.into_iter().map(|(name, part)| {
        let values: Vec<Option<Nanos>> = of.iter().map(|one| one.animation_error.map(part)).collect();
        timed(name, ANIMATION_ERROR, &values, true)
    });
    rows.collect()
}

fn timed(name: &'static str, meaning: &'static str, values: &[Option<Nanos>], less_is_better: bool) -> Row {
    let cells: Vec<String> =
        values.iter().map(|value| value.map_or_else(not_measured, millis_number)).collect();
    let best = if less_is_better { least(values, &cells) } else { None };
    Row { name, unit: "ms", meaning, cells, best }
}

/// The one column with the least value, as far as the figures that are shown tell them apart.
fn least(values: &[Option<Nanos>], cells: &[String]) -> Option<usize> {
    let (best, _) = values
        .iter()
        .enumerate()
        .filter_map(|(at, value)| Some((at, (*value)?)))
        .min_by_key(|(_, value)| *value)?;
    let known = values.iter().flatten().count();
    let alone = cells.iter().filter(|cell| **cell == cells[best]).count() == 1;
    (known > 1 && alone).then_some(best)
}

/// How many of the key events that were sent are in the figures above.
fn answered(of: &[Measured]) -> Row {
    let cell = |one: &Measured| {
        let seen = one.input_to_drawn.map_or(0, |all| all.count);
        if one.inputs == 0 { not_measured() } else { format!("{seen} of {}", one.inputs) }
    };
    Row {
        name: "key events shown",
        unit: "events",
        meaning: "How many of the key events that were sent were seen by a tick that a picture shows: the figures above are \
                  of these. The last ones may be on their way when the run ends.",
        cells: of.iter().map(cell).collect(),
        best: None,
    }
}

fn cpu(of: &[Measured], name: &'static str, part: impl Fn(&Cpu) -> Nanos) -> Row {
    let cell = |one: &Measured| match one.cpu.filter(|_| one.lasted.0 > 0) {
        Some(cpu) => format!("{:.1}", 100.0 * part(&cpu).0 as f64 / one.lasted.0 as f64),
        None => not_measured(),
    };
    Row { name, unit: "% of a core", meaning: CPU, cells: of.iter().map(cell).collect(), best: None }
}

fn not_measured() -> String {
    NOT_MEASURED.to_owned()
}
