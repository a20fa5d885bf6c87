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
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;

/// Lines kept for the panel.
pub const KEPT_LINES: usize = 2_000;
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
}

/// A layer and the list it fills.
#[must_use]
pub fn channel() -> (LogLayer, LogLines) {
    let (sender, receiver) = sync_channel(QUEUED_EVENTS);
    let lost = Arc::new(AtomicU64::new(0));
    let layer = LogLayer { sender, lost: Arc::clone(&lost), clock: RealClock::new() };
    (layer, LogLines { receiver, lost, lines: VecDeque::new() })
}

impl<S: Subscriber> Layer<S> for LogLayer {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut text = Text::default();
        event.record(&mut text);
        let line = LogLine {
            at: self.clock.now(),
            level: *event.metadata().level(),
            source: event.metadata().target().to_owned(),
            text: text.message + &text.fields,
        };
        if self.sender.try_send(line).is_err() {
            // Relaxed: a count for the eye, nothing is read because of it.
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }
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
    /// Takes what came since; the oldest lines go when there are too many. The number taken.
    pub fn drain(&mut self) -> usize {
        let mut taken = 0;
        while let Ok(line) = self.receiver.try_recv() {
            if self.lines.len() == KEPT_LINES {
                self.lines.pop_front();
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

    /// Events that found the queue full.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }

    pub fn clear(&mut self) {
        self.lines.clear();
    }
}

#[cfg(test)]
mod tests {
    use tracing_subscriber::layer::SubscriberExt;

    use super::*;

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
        assert_eq!(lines.lost(), 0);
    }
}
