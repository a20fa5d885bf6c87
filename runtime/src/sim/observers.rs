//! What observers of the lockstep see of its frames, and whether all of them saw the same. No thread, no waiting.
//!
//! Each hashes what it reads, twice, and leaves the hash for the others; none of them keeps a list, and nobody waits for a
//! comparison: the meeting that they wait at anyhow puts it in order.

pub mod thread;

use crate::handoff::FrameDescriptor;
use crate::snapshot::Snapshot;
use crate::time::FrameIndex;

/// What one observer saw of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sightings {
    /// Frames that it read to their end.
    pub frames: u64,
    /// Of those, frames that were whole: newer than the one before, the snapshot that of the frame which had just been
    /// published, and the same to the bit at the end of the reading as at its beginning.
    pub whole: u64,
    /// Of those that it read, frames of which the first observer read the same.
    pub agreed: u64,
    /// The first that was not whole.
    pub first_torn: Option<FrameIndex>,
    /// The first that it saw differently from the first observer.
    pub first_different: Option<FrameIndex>,
}

/// What an observer knows while it observes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Looks {
    seen: Sightings,
    last: FrameIndex,
    // The hash of the last frame, while nobody has compared it.
    uncompared: Option<u64>,
}

/// One frame as it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sight {
    hash: u64,
    is_of_frame: bool,
}

impl Sight {
    fn of(frame: &FrameDescriptor, snapshot: &Snapshot) -> Self {
        let is_of_frame = (snapshot.frame, snapshot.tick) == (frame.frame, frame.tick);
        Self { hash: snapshot.pose_hash(), is_of_frame }
    }
}

impl Looks {
    /// One more frame was read from its beginning to its end.
    fn add(&mut self, frame: FrameIndex, begin: Sight, end: Sight) {
        let is_whole = self.last < frame && begin == end && begin.is_of_frame;
        self.seen.frames += 1;
        self.seen.whole += u64::from(is_whole);
        if !is_whole {
            self.seen.first_torn.get_or_insert(frame);
        }
        self.last = frame;
        self.uncompared = Some(end.hash);
    }

    /// Holds the last frame against what the first observer saw of it.
    fn compare(&mut self, first: u64) {
        let Some(own) = self.uncompared.take() else { return };
        self.seen.agreed += u64::from(own == first);
        if own != first {
            self.seen.first_different.get_or_insert(self.last);
        }
    }
}

/// Compares the last frame, after which there was no meeting any more.
fn compare_last(all: &mut [Looks]) {
    let Some(first) = all.first().copied() else { return };
    let Some(hash) = first.uncompared else { return };
    for own in all.iter_mut().filter(|own| own.last == first.last) {
        own.compare(hash);
    }
}

/// What observers found wrong, in a sentence: frames that were not whole, or not the same for all of them.
#[must_use]
pub fn fault(all: &[Sightings]) -> Option<String> {
    let torn = |own: &Sightings| own.first_torn;
    let different = |own: &Sightings| own.first_different;
    let first = |of: fn(&Sightings) -> Option<FrameIndex>| {
        let found = (1..).zip(all).filter_map(|(number, own)| Some((of(own)?, number)));
        found.min()
    };
    if let Some((frame, number)) = first(torn) {
        return Some(format!("observer {number} did not find frame {} whole", frame.0));
    }
    let (frame, number) = first(different)?;
    Some(format!("observer {number} saw something else in frame {} than observer 1 did", frame.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Tick;

    const fn sight(hash: u64) -> Sight {
        Sight { hash, is_of_frame: true }
    }

    /// Each pair: a frame and its hash, seen alike from beginning to end.
    fn seen(frames: &[(u64, u64)], first: &[u64]) -> Looks {
        let mut own = Looks::default();
        for (idx, (frame, hash)) in frames.iter().enumerate() {
            own.add(FrameIndex(*frame), sight(*hash), sight(*hash));
            if let Some(first) = first.get(idx) {
                own.compare(*first);
            }
        }
        own
    }

    fn told(all: &[Looks]) -> Option<String> {
        fault(&all.iter().map(|own| own.seen).collect::<Vec<_>>())
    }

    #[test]
    fn who_saw_the_same_agrees_and_the_last_frame_is_compared_at_the_end() {
        let hashes = [11, 22, 33];
        let frames = [(1, 11), (2, 22), (3, 33)];
        let mut all = [seen(&frames, &hashes[..2]), seen(&frames, &hashes[..2])];
        assert_eq!(all.map(|own| (own.seen.frames, own.seen.whole, own.seen.agreed)), [(3, 3, 2); 2]);
        compare_last(&mut all);
        assert_eq!(all.map(|own| own.seen.agreed), [3, 3]);
        compare_last(&mut all);
        assert_eq!(all.map(|own| own.seen.agreed), [3, 3], "once");
        assert_eq!(told(&all), None);
        compare_last(&mut []);
        assert_eq!(fault(&[]), None);
    }

    #[test]
    fn the_first_frame_that_an_observer_saw_differently_is_named() {
        let first = seen(&[(1, 11), (2, 22), (3, 33)], &[11, 22, 33]);
        let second = seen(&[(1, 11), (2, 22), (3, 99)], &[11, 22, 33]);
        let third = seen(&[(1, 11), (2, 88), (3, 99)], &[11, 22, 33]);
        assert_eq!((third.seen.agreed, third.seen.first_different), (1, Some(FrameIndex(2))));
        let sentence = "observer 3 saw something else in frame 2 than observer 1 did";
        assert_eq!(told(&[first, second, third]).as_deref(), Some(sentence));
        let mut last = [seen(&[(1, 5)], &[]), seen(&[(1, 6)], &[])];
        compare_last(&mut last);
        assert_eq!(last.map(|own| own.seen.agreed), [1, 0]);
        assert_eq!(
            told(&last).as_deref(),
            Some("observer 2 saw something else in frame 1 than observer 1 did")
        );
    }

    #[test]
    fn one_that_ended_before_the_last_frame_disagrees_with_nobody() {
        let mut all = [seen(&[(1, 11), (2, 22)], &[11]), seen(&[(1, 11)], &[])];
        compare_last(&mut all);
        assert_eq!(all.map(|own| (own.seen.frames, own.seen.agreed)), [(2, 2), (1, 0)]);
        assert_eq!(told(&all), None);
    }

    #[test]
    fn a_frame_is_whole_where_it_is_newer_its_own_and_the_same_to_the_end_of_the_reading() {
        let strange = Sight { hash: 1, is_of_frame: false };
        for (frame, begin, end, whole) in [
            (5, sight(1), sight(1), 1),
            (5, sight(1), sight(2), 0),
            (5, strange, strange, 0),
            (4, sight(1), sight(1), 0),
            (3, sight(1), sight(1), 0),
        ] {
            let mut own = seen(&[(4, 7)], &[7]);
            own.add(FrameIndex(frame), begin, end);
            assert_eq!((own.seen.frames, own.seen.whole - 1), (2, whole), "{frame} {begin:?} {end:?}");
            let sentence = (whole == 0).then(|| format!("observer 1 did not find frame {frame} whole"));
            assert_eq!(told(&[own]), sentence);
        }
    }

    #[test]
    fn a_snapshot_is_of_its_frame_by_number_and_tick() {
        let frame = FrameDescriptor { frame: FrameIndex(3), tick: Tick(2), ..FrameDescriptor::default() };
        let of = |frame_number, tick| {
            let snapshot =
                Snapshot { frame: FrameIndex(frame_number), tick: Tick(tick), ..Snapshot::default() };
            Sight::of(&frame, &snapshot).is_of_frame
        };
        assert_eq!([of(3, 2), of(2, 2), of(3, 3)], [true, false, false]);
    }
}
