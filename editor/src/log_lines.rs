//! Log events on their way to the Log panel: a subscriber layer, a bounded queue, a bounded list.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use framewalk_runtime::time::Nanos;
use framewalk_runtime::time::source::RealClock;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::layer::Context;
use tracing_subscriber::{EnvFilter, Layer};

/// The variable that says what is logged, such as `FRAMEWALK_LOG=debug`.
pub const LOG_VARIABLE: &str = "FRAMEWALK_LOG";

/// What is logged without it: what this program says about a run, and the warnings of everything else.
const USUAL_FILTER: &str = "warn,framewalk=info";

/// What is logged, and a sentence to be logged where the variable says nothing that can be followed.
#[must_use]
pub fn filter() -> (EnvFilter, Option<String>) {
    filter_of(std::env::var(LOG_VARIABLE).ok().as_deref())
}

fn filter_of(asked: Option<&str>) -> (EnvFilter, Option<String>) {
    let usual = || EnvFilter::new(USUAL_FILTER);
    let Some(asked) = asked.filter(|asked| !asked.trim().is_empty()) else { return (usual(), None) };
    match EnvFilter::try_new(asked) {
        Ok(filter) => (filter, None),
        Err(error) => {
            let refused = format!(
                "{LOG_VARIABLE}={asked} is no filter ({error}): write a level, as debug or framewalk=debug"
            );
            (usual(), Some(refused))
        }
    }
}

/// Lines kept for the panel.
pub const KEPT_LINES: usize = 2_000;
/// A longer line is cut, in bytes.
const LONGEST_LINE: usize = 4_096;
/// Events under way from other threads; more are counted as lost.
const QUEUED_EVENTS: usize = 4_096;

/// One event, ready to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// On the monotonic clock.
    pub at: Nanos,
    pub level: Level,
    /// Which part of the program said it.
    pub source: String,
    /// The message, then its fields as `name=value`.
    pub text: String,
}

/// The layer that sends events to a [`LogLines`]; it neither blocks nor panics.
pub struct LogLayer {
    sender: SyncSender<LogLine>,
    lost: Arc<AtomicU64>,
    clock: RealClock,
}

/// What the Log panel shows: the newest lines, and how many were lost.
pub struct LogLines {
    receiver: Receiver<LogLine>,
    lost: Arc<AtomicU64>,
    lines: VecDeque<LogLine>,
    // How many lines have gone: the number of the oldest one that is kept.
    gone: u64,
}

/// A layer and the list it fills.
#[must_use]
pub fn channel() -> (LogLayer, LogLines) {
    let (sender, receiver) = sync_channel(QUEUED_EVENTS);
    let lost = Arc::new(AtomicU64::new(0));
    let layer = LogLayer { sender, lost: Arc::clone(&lost), clock: RealClock::new() };
    (layer, LogLines { receiver, lost, lines: VecDeque::new(), gone: 0 })
}

impl<S: Subscriber> Layer<S> for LogLayer {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut text = Text::default();
        event.record(&mut text);
        let line = LogLine {
            at: self.clock.now(),
            level: *event.metadata().level(),
            source: event.metadata().target().to_owned(),
            text: shortened(text.message + &text.fields),
        };
        if self.sender.try_send(line).is_err() {
            // Relaxed: a count for the eye, nothing is read because of it.
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// No line holds more memory than it may.
fn shortened(text: String) -> String {
    if text.len() <= LONGEST_LINE {
        return text;
    }
    let end = (0..=LONGEST_LINE).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    format!("{}… (cut)", &text[..end])
}

#[derive(Default)]
struct Text {
    message: String,
    fields: String,
}

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        // Writing to a String cannot fail.
        let _ = if field.name() == "message" {
            write!(self.message, "{value:?}")
        } else {
            write!(self.fields, " {}={value:?}", field.name())
        };
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        let _ = if field.name() == "message" {
            write!(self.message, "{value}")
        } else {
            write!(self.fields, " {}={value}", field.name())
        };
    }
}

impl LogLines {
    /// Lines that were written before, and none to come: for pictures of them.
    #[must_use]
    pub fn of(lines: impl IntoIterator<Item = LogLine>) -> Self {
        let (_, none) = channel();
        Self { lines: lines.into_iter().collect(), ..none }
    }

    /// Takes what came since; the oldest lines go when there are too many. The number taken: no more at once than the
    /// queue holds, however fast they come, so that a storm of lines does not keep the window.
    pub fn drain(&mut self) -> usize {
        let mut taken = 0;
        while taken < QUEUED_EVENTS
            && let Ok(line) = self.receiver.try_recv()
        {
            if self.lines.len() == KEPT_LINES {
                self.lines.pop_front();
                self.gone += 1;
            }
            self.lines.push_back(line);
            taken += 1;
        }
        taken
    }

    /// Oldest first.
    pub fn lines(&self) -> impl DoubleEndedIterator<Item = &LogLine> + ExactSizeIterator {
        self.lines.iter()
    }

    /// As [`Self::lines`], each with a number that stays its own while older lines go.
    pub fn numbered(&self) -> impl DoubleEndedIterator<Item = (u64, &LogLine)> {
        self.lines.iter().enumerate().map(|(place, line)| (self.gone + place as u64, line))
    }

    /// Events that found the queue full.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }

    pub fn clear(&mut self) {
        self.gone += self.lines.len() as u64;
        self.lines.clear();
    }
}

#[cfg(test)]
mod limit_tests;
#[cfg(test)]
mod tests {
    use tracing_subscriber::layer::SubscriberExt;

    use super::*;

    #[test]
    fn a_filter_that_cannot_be_followed_is_said_and_the_usual_one_holds() {
        let of = |asked| {
            let (filter, refused) = filter_of(asked);
            (filter.to_string(), refused)
        };
        let usual = of(None).0;
        assert!(usual.contains("framewalk=info") && usual.contains("warn"), "{usual}");
        assert_eq!(of(Some(" ")), (usual.clone(), None));
        assert_eq!(of(Some("debug")), ("debug".to_owned(), None));
        let (held, refused) = of(Some("framewalk=loud"));
        assert_eq!(held, usual);
        let refused = refused.unwrap();
        assert!(refused.starts_with("FRAMEWALK_LOG=framewalk=loud is no filter ("), "{refused}");
    }

    #[test]
    fn an_event_becomes_one_line_with_its_fields() {
        let (layer, mut lines) = channel();
        let subscriber = tracing_subscriber::registry().with(layer);
        tracing::subscriber::with_default(subscriber, || {
            tracing::warn!(target: "framewalk", dropped = 7, replaced_by = 8, "frame_dropped");
        });
        assert_eq!(lines.drain(), 1);
        let line = lines.lines().next().unwrap();
        assert_eq!((line.level, line.source.as_str()), (Level::WARN, "framewalk"));
        assert_eq!(line.text, "frame_dropped dropped=7 replaced_by=8");
    }

    #[test]
    fn the_list_is_bounded_and_keeps_the_newest() {
        let (layer, mut lines) = channel();
        let subscriber = tracing_subscriber::registry().with(layer);
        tracing::subscriber::with_default(subscriber, || {
            for number in 0..3_000 {
                tracing::info!("line {number}");
            }
        });
        lines.drain();
        assert_eq!(lines.lines().len(), 2_000);
        assert_eq!(lines.lines().next_back().unwrap().text, "line 2999");
        assert_eq!(lines.numbered().next().unwrap().0, 1_000, "a line keeps its number while older ones go");
        assert_eq!(lines.lost(), 0);
    }

    #[test]
    fn a_storm_of_100_000_lines_keeps_2_000_counts_every_loss_and_blocks_nobody() {
        let (layer, mut lines) = channel();
        let subscriber = tracing_subscriber::registry().with(layer);
        tracing::subscriber::with_default(subscriber, || {
            for number in 0..100_000 {
                tracing::warn!("line {number}");
            }
        });
        assert_eq!(lines.drain(), 4_096);
        assert_eq!((lines.lines().len(), lines.lost()), (2_000, 100_000 - 4_096));
        assert!(lines.lines.capacity() <= 4_096, "{}", lines.lines.capacity());
    }

    #[test]
    fn lines_that_keep_coming_are_not_taken_for_ever() {
        let (layer, mut lines) = channel();
        let stop = Arc::new(std::sync::atomic::AtomicBool::new(false));
        let stormy = Arc::clone(&stop);
        let storm = std::thread::spawn(move || {
            let subscriber = tracing_subscriber::registry().with(layer);
            tracing::subscriber::with_default(subscriber, || {
                while !stormy.load(Ordering::Relaxed) {
                    tracing::warn!("line");
                }
            });
        });
        for _ in 0..20 {
            assert!(lines.drain() <= 4_096);
        }
        stop.store(true, Ordering::Relaxed);
        storm.join().unwrap();
    }

    #[test]
    fn a_line_of_ten_megabytes_is_cut_between_two_characters() {
        let (layer, mut lines) = channel();
        let subscriber = tracing_subscriber::registry().with(layer);
        let long = "é".repeat(5_000_000);
        tracing::subscriber::with_default(subscriber, || tracing::warn!("x{long}"));
        lines.drain();
        let text = &lines.lines().next().unwrap().text;
        assert!(text.len() < 4_120 && text.ends_with("é… (cut)"), "{} bytes", text.len());
    }
}
