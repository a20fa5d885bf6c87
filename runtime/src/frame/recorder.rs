//! Records on their way from a producing thread to whoever looks: a bounded ring that never blocks.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::record::{FrameRecord, RenderRecord};

/// What the runtime's threads report.
// Boxing the larger variant would allocate once a frame; a ring of 2048 of these is about 1.5 MB.
#[expect(clippy::large_enum_variant, reason = "no allocation per frame")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RuntimeRecord {
    /// From the sim thread, after a frame's sixth stage.
    Frame(FrameRecord),
    /// From the render thread, after a taken frame.
    Render(RenderRecord),
}

/// Two seconds of records at 1000 frames a second.
pub const RECORD_RING_CAPACITY: usize = 2048;

/// A ring of at most `capacity` records; one for each producing thread.
///
/// A full ring keeps what it holds and loses the new record; the loss is counted and seen from both ends.
#[must_use]
pub fn record_ring(capacity: usize) -> (RecordSender, RecordReceiver) {
    let (producer, consumer) = rtrb::RingBuffer::new(capacity);
    let lost = Arc::new(AtomicU64::new(0));
    (RecordSender { producer, lost: lost.clone() }, RecordReceiver { consumer, lost })
}

/// The producing thread's end.
#[derive(Debug)]
pub struct RecordSender {
    producer: rtrb::Producer<RuntimeRecord>,
    // Relaxed at both ends: a plain count that publishes nothing; the ring itself orders the records.
    lost: Arc<AtomicU64>,
}

impl RecordSender {
    /// Hands a record over without waiting; false where the ring was full and it is lost.
    pub fn send(&mut self, record: RuntimeRecord) -> bool {
        let sent = self.producer.push(record).is_ok();
        if !sent {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
        sent
    }

    /// Records lost since the ring was made.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }

    /// Nobody looks any more: the other end is gone.
    #[must_use]
    pub fn is_abandoned(&self) -> bool {
        self.producer.is_abandoned()
    }
}

/// The end of whoever looks.
#[derive(Debug)]
pub struct RecordReceiver {
    consumer: rtrb::Consumer<RuntimeRecord>,
    lost: Arc<AtomicU64>,
}

impl RecordReceiver {
    /// The oldest record not yet received.
    pub fn receive(&mut self) -> Option<RuntimeRecord> {
        self.consumer.pop().ok()
    }

    /// Hands over, oldest first, what is there now; what arrives meanwhile is left for the next time, so that this
    /// ends however fast the other thread is. Returns how many.
    pub fn drain(&mut self, mut sink: impl FnMut(RuntimeRecord)) -> usize {
        let mut drained = 0;
        for _ in 0..self.consumer.slots() {
            let Some(record) = self.receive() else { break };
            sink(record);
            drained += 1;
        }
        drained
    }

    /// Records that wait.
    #[must_use]
    pub fn len(&self) -> usize {
        self.consumer.slots()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.consumer.is_empty()
    }

    /// Records lost since the ring was made.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }

    /// The producing thread is gone: what waits now is all there will be.
    #[must_use]
    pub fn is_abandoned(&self) -> bool {
        self.consumer.is_abandoned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::FrameIndex;

    fn frame(number: u64) -> RuntimeRecord {
        RuntimeRecord::Frame(FrameRecord { frame: FrameIndex(number), ..FrameRecord::default() })
    }

    fn number(record: RuntimeRecord) -> u64 {
        match record {
            RuntimeRecord::Frame(record) => record.frame.0,
            RuntimeRecord::Render(record) => record.frame.0,
        }
    }

    #[test]
    fn records_arrive_in_order_and_whole() {
        let (mut sender, mut receiver) = record_ring(4);
        let rendered =
            RuntimeRecord::Render(RenderRecord { frame: FrameIndex(2), instances: 7, ..Default::default() });
        assert!(sender.send(frame(1)));
        assert!(sender.send(rendered));
        assert_eq!(receiver.receive(), Some(frame(1)));
        assert_eq!(receiver.receive(), Some(rendered));
        assert_eq!(receiver.receive(), None);
    }

    #[test]
    fn a_full_ring_keeps_the_old_loses_the_new_and_counts_it_at_both_ends() {
        let (mut sender, mut receiver) = record_ring(3);
        for n in 1..=5 {
            assert_eq!(sender.send(frame(n)), n <= 3);
        }
        assert_eq!((sender.lost(), receiver.lost(), receiver.len()), (2, 2, 3));
        let mut seen = Vec::new();
        assert_eq!(receiver.drain(|record| seen.push(number(record))), 3);
        assert_eq!(seen, [1, 2, 3]);
        assert!(sender.send(frame(6)));
        assert_eq!((receiver.receive().map(number), receiver.lost()), (Some(6), 2));
    }

    #[test]
    fn either_end_sees_that_the_other_is_gone_and_no_record_goes_with_it() {
        let (mut sender, mut receiver) = record_ring(2);
        sender.send(frame(1));
        drop(sender);
        assert!(receiver.is_abandoned());
        assert_eq!(receiver.receive(), Some(frame(1)));
        let (sender, receiver) = record_ring(2);
        drop(receiver);
        assert!(sender.is_abandoned());
    }

    #[test]
    fn sent_is_received_plus_lost_across_threads() {
        let (mut sender, mut receiver) = record_ring(16);
        let producer =
            std::thread::spawn(move || (1..=10_000).filter(|n| sender.send(frame(*n))).count() as u64);
        let (mut received, mut last) = (0, 0);
        loop {
            // Asked before the drain: a producer that was gone already can have added nothing after it.
            let gone = receiver.is_abandoned();
            receiver.drain(|record| {
                assert!(number(record) > last, "{} after {last}", number(record));
                last = number(record);
                received += 1;
            });
            if gone {
                break;
            }
            std::thread::yield_now();
        }
        assert_eq!(producer.join().unwrap(), received);
        assert_eq!(received + receiver.lost(), 10_000);
    }
}
