//! How the threads of a run meet their deadlines, as it is said on a command line.

use clap::Args;
use framewalk_runtime::sim::paced::PacedOptions;
use framewalk_runtime::time::Nanos;
use framewalk_runtime::time::decimal::decimal_nanos;
use framewalk_runtime::time::pacer::{Pacer, Pacing};

/// What is said about them; in real time only.
#[derive(Args, Debug, Default)]
pub struct PacingArgs {
    /// How the thread of the simulation meets its deadlines: precise (a sleep, then a short spin that follows how late
    /// waking has been), relaxed (a sleep alone, late by some 100 µs) or tail=200us (a sleep, then a spin of that length)
    /// [default: precise]
    #[arg(long, value_name = "PACING", value_parser = pacing)]
    pub pacing: Option<Pacing>,
    /// The same of the render thread, and how it waits for frames [default: as --pacing]
    #[arg(long, value_name = "PACING", value_parser = pacing)]
    pub render_pacing: Option<Pacing>,
}

impl PacingArgs {
    /// Whether anything was said.
    #[must_use]
    pub const fn is_given(&self) -> bool {
        self.pacing.is_some() || self.render_pacing.is_some()
    }

    /// Options of a run with these.
    #[must_use]
    pub fn options(&self) -> PacedOptions {
        let pacing = self.pacing.unwrap_or(Pacing::Precise);
        PacedOptions {
            pacing,
            render_pacing: self.render_pacing.unwrap_or(pacing),
            ..PacedOptions::default()
        }
    }
}

fn pacing(text: &str) -> Result<Pacing, String> {
    match text {
        "precise" => return Ok(Pacing::Precise),
        "relaxed" => return Ok(Pacing::Relaxed),
        _ => {}
    }
    let most = Pacer::MAX_SPIN_TAIL;
    let micros = text.strip_prefix("tail=").and_then(|tail| tail.strip_suffix("us"));
    let tail = micros.and_then(|micros| decimal_nanos(micros, 3));
    tail.filter(|tail| *tail > Nanos::ZERO && *tail <= most).map(Pacing::Tail).ok_or_else(|| {
        format!("write precise, relaxed, or tail=200us: above 0, at most {} us", most.0 / 1_000)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pacing_is_read_as_it_is_written_in_the_help() {
        for (text, expected) in [
            ("precise", Pacing::Precise),
            ("relaxed", Pacing::Relaxed),
            ("tail=200us", Pacing::Tail(Nanos(200_000))),
            ("tail=0.5us", Pacing::Tail(Nanos(500))),
            ("tail=500us", Pacing::Tail(Nanos(500_000))),
        ] {
            assert_eq!(pacing(text), Ok(expected), "{text}");
        }
        for text in
            ["", "exact", "tail", "tail=", "tail=0us", "tail=501us", "tail=-1us", "tail=200", "tail=1ms"]
        {
            assert!(pacing(text).unwrap_err().contains("at most 500 us"), "{text}");
        }
    }

    #[test]
    fn the_render_thread_waits_as_the_simulation_does_unless_it_is_told_otherwise() {
        let options = PacingArgs::default().options();
        assert_eq!((options.pacing, options.render_pacing), (Pacing::Precise, Pacing::Precise));
        let args = PacingArgs { pacing: Some(Pacing::Relaxed), render_pacing: None };
        assert_eq!(args.options().render_pacing, Pacing::Relaxed);
        let args = PacingArgs { pacing: None, render_pacing: Some(Pacing::Relaxed) };
        assert_eq!((args.options().pacing, args.options().render_pacing), (Pacing::Precise, Pacing::Relaxed));
    }
}
