//! One row for each thing measured, the same columns in every benchmark: what, ours, a peer, their ratio, the aim.
//!
//! A ratio is between two medians of rounds that took turns in one process, so that a machine which slows down slows
//! both. Trust it, not the times.

// Every benchmark takes what it needs of this.
#![allow(dead_code)]

use framewalk_runtime::time::source::RealClock;

/// What is held to be good enough.
#[derive(Clone, Copy)]
pub enum Aim {
    /// Ours ÷ the peer's, at most.
    Ratio(f64),
    /// Ours, in the row's unit, at most.
    Cost(f64),
}

/// One measured thing.
pub struct Row<'a> {
    pub what: &'a str,
    pub unit: &'static str,
    pub ours: f64,
    /// Who does the like, or the least that can be done, and what that costs.
    pub peer: Option<(&'a str, f64)>,
    pub aim: Option<Aim>,
}

const WHAT: usize = 58;
const PEER: usize = 34;

/// Above the rows: once for all benchmarks that one `cargo bench` runs, so that what it prints is one table.
pub fn header() {
    if !is_first_of_its_run() {
        return;
    }
    let (what, peer) = ("what", "beside");
    println!("{what:<WHAT$} {:>12} {:>12}  {peer:<PEER$} {:>6}  {:<12} met", "ours", "peer", "ratio", "aim");
}

impl Row<'_> {
    pub fn print(&self) {
        let Self { what, unit, ours, peer, aim } = self;
        let cost =
            |cost: f64| format!("{cost:.decimals$} {unit}", decimals = if cost < 100.0 { 2 } else { 0 });
        let ratio = peer.map(|(_, theirs)| ours / theirs);
        let (named, met) = match (aim, ratio) {
            (Some(Aim::Ratio(most)), Some(ratio)) => (format!("≤ {most:.2}"), yes_or_no(ratio <= *most)),
            (Some(Aim::Cost(most)), _) => (format!("≤ {most} {unit}"), yes_or_no(ours <= most)),
            _ => (String::new(), ""),
        };
        let ratio = ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}"));
        let (peer, theirs) = peer.map_or(("", String::new()), |(peer, theirs)| (peer, cost(theirs)));
        let ours = cost(*ours);
        let line =
            format!("{what:<WHAT$} {ours:>12} {theirs:>12}  {peer:<PEER$} {ratio:>6}  {named:<12} {met}");
        println!("{}", line.trim_end());
    }
}

const fn yes_or_no(met: bool) -> &'static str {
    if met { "yes" } else { "no" }
}

/// All benchmarks that one cargo runs have the same parent; the first of them leaves a mark.
#[cfg(unix)]
fn is_first_of_its_run() -> bool {
    let mark = format!("framewalk-bench-{}", std::os::unix::process::parent_id());
    let mark = std::env::temp_dir().join(mark);
    // A mark of a process long gone, whose number came round again, does not count.
    let is_fresh = |mark: &std::path::Path| {
        let age = mark.metadata().ok()?.modified().ok()?.elapsed().ok()?;
        Some(age.as_secs() < 3_600)
    };
    let is_first = is_fresh(&mark) != Some(true);
    // Without a mark every benchmark prints its head, which is no loss.
    let _ = std::fs::write(mark, "");
    is_first
}

#[cfg(not(unix))]
const fn is_first_of_its_run() -> bool {
    true
}

/// `cargo bench` runs this. `cargo test --benches` does not say so: then one short look that everything runs is enough.
pub fn is_measured() -> bool {
    std::env::args().any(|argument| argument == "--bench")
}

/// A thing to be timed; told the number of its round.
pub type Contender<'a> = &'a mut dyn FnMut(usize);

/// Nanoseconds of each contender, the median over `rounds` in which they take turns.
pub fn taking_turns<const N: usize>(rounds: usize, mut contenders: [Contender<'_>; N]) -> [f64; N] {
    let clock = RealClock::new();
    let mut nanos = [(); N].map(|()| Vec::with_capacity(rounds));
    for round in 0..rounds {
        for (contender, nanos) in contenders.iter_mut().zip(&mut nanos) {
            let start = clock.now();
            contender(round);
            nanos.push((clock.now() - start).0 as f64);
        }
    }
    nanos.map(median)
}

pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
