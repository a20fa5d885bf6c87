//! Pictures under way on a GPU, and the ring of instance buffers that they are drawn from. Pure: no GPU, and no clock.
//!
//! ```text
//!   free buffer ──▶ taken, filled ──▶ submitted: under way ──▶ done: free again
//! ```
//!
//! The two limits do not depend on each other. With more buffers than pictures in flight there is always one to fill for
//! the next picture while the GPU reads the others; with fewer, whoever draws stands still until it lets go of one. The
//! buffer is had before a frame is taken, so that nobody stands still with a snapshot in hand.

use std::collections::VecDeque;

use crate::time::Nanos;

/// How many pictures may be in flight, and how many instance buffers go round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlightLimits {
    // At least one of each, and no more than there is room for.
    frames_in_flight: u8,
    instance_buffers: u8,
}

impl FlightLimits {
    pub const MOST_FRAMES_IN_FLIGHT: u8 = 3;
    pub const MOST_INSTANCE_BUFFERS: u8 = 8;
    /// One picture from one buffer: for whoever waits for each picture.
    pub const SINGLE: Self = Self { frames_in_flight: 1, instance_buffers: 1 };

    /// The nearest that there may be.
    #[must_use]
    pub fn nearest(frames_in_flight: u8, instance_buffers: u8) -> Self {
        Self {
            frames_in_flight: frames_in_flight.clamp(1, Self::MOST_FRAMES_IN_FLIGHT),
            instance_buffers: instance_buffers.clamp(1, Self::MOST_INSTANCE_BUFFERS),
        }
    }

    #[must_use]
    pub const fn frames_in_flight(self) -> u8 {
        self.frames_in_flight
    }

    #[must_use]
    pub const fn instance_buffers(self) -> u8 {
        self.instance_buffers
    }
}

impl Default for FlightLimits {
    fn default() -> Self {
        Self { frames_in_flight: 2, instance_buffers: 5 }
    }
}

/// Whether another picture may be begun now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    Now,
    /// As many pictures are in flight as may be, and the oldest is not nearly done.
    InFlight,
    /// There is no instance buffer that the GPU does not read.
    NoBuffer,
}

/// The next picture is begun so long before it is needed, beyond what making it took the last time.
const MARGIN: Nanos = Nanos::from_micros(500);

/// What is under way, and what is free.
#[derive(Clone, Debug)]
pub struct Flights {
    limits: FlightLimits,
    // Oldest first: the GPU ends them in order.
    under_way: VecDeque<UnderWay>,
    busy: [bool; FlightLimits::MOST_INSTANCE_BUFFERS as usize],
    // How long the GPU was busy with its last picture, and how long that took to be made here.
    drawn_in: Nanos,
    made_in: Nanos,
    // When the GPU was last seen to end one.
    last_done: Nanos,
}

/// A picture in the GPU's queue.
#[derive(Clone, Copy, Debug)]
struct UnderWay {
    buffer: u8,
    submitted: Nanos,
}

impl Flights {
    #[must_use]
    pub fn new(limits: FlightLimits) -> Self {
        Self {
            limits,
            under_way: VecDeque::with_capacity(usize::from(FlightLimits::MOST_FRAMES_IN_FLIGHT)),
            busy: [false; FlightLimits::MOST_INSTANCE_BUFFERS as usize],
            drawn_in: Nanos::ZERO,
            made_in: Nanos::ZERO,
            last_done: Nanos(i64::MIN),
        }
    }

    #[must_use]
    pub const fn limits(&self) -> FlightLimits {
        self.limits
    }

    /// Pictures in the GPU's queue.
    #[must_use]
    pub fn under_way(&self) -> usize {
        self.under_way.len()
    }

    /// No picture may be submitted before one is done.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.under_way.len() >= usize::from(self.limits.frames_in_flight)
    }

    /// Instance buffers that are read by the GPU or being filled.
    #[must_use]
    pub fn buffers_in_use(&self) -> u8 {
        self.busy.iter().map(|busy| u8::from(*busy)).sum()
    }

    /// Whether to begin another picture.
    ///
    /// Where as many are in flight as may be, one more is begun just in time to be ready when the oldest ends: any
    /// sooner, and it would show an older frame than it need; any later, and the GPU would wait for it.
    #[must_use]
    pub fn room(&self, now: Nanos) -> Room {
        if self.is_full()
            && let Some(oldest) = self.under_way.front()
        {
            let ends = oldest.submitted.max(self.last_done) + self.drawn_in;
            if now < ends - self.made_in - MARGIN {
                return Room::InFlight;
            }
        }
        if self.free().next().is_some() { Room::Now } else { Room::NoBuffer }
    }

    /// Takes a free buffer to be filled, of several the one that `worth` says most of; none where none is free.
    pub fn take_buffer(&mut self, worth: impl Fn(u8) -> u64) -> Option<u8> {
        let best = self.free().max_by_key(|buffer| (worth(*buffer), u8::MAX - buffer))?;
        self.busy[usize::from(best)] = true;
        Some(best)
    }

    /// A taken buffer is not drawn from after all.
    pub fn give_back(&mut self, buffer: u8) {
        self.busy[usize::from(buffer)] = false;
    }

    /// The picture in a taken buffer is in the GPU's queue now. Making it took so long, without what was waited since.
    pub fn submitted(&mut self, buffer: u8, made_in: Nanos, now: Nanos) {
        self.made_in = made_in.max(Nanos::ZERO);
        self.under_way.push_back(UnderWay { buffer, submitted: now });
    }

    /// When the oldest picture under way was submitted.
    #[must_use]
    pub fn oldest_submitted(&self) -> Option<Nanos> {
        self.under_way.front().map(|oldest| oldest.submitted)
    }

    /// The oldest picture under way is done: its buffer is free. None where nothing is under way.
    pub fn done(&mut self, now: Nanos) -> Option<u8> {
        let oldest = self.under_way.pop_front()?;
        self.drawn_in = (now - oldest.submitted.max(self.last_done)).max(Nanos::ZERO);
        self.last_done = now;
        self.give_back(oldest.buffer);
        Some(oldest.buffer)
    }

    fn free(&self) -> impl Iterator<Item = u8> + '_ {
        (0..self.limits.instance_buffers).filter(|buffer| !self.busy[usize::from(*buffer)])
    }
}

#[cfg(test)]
mod tests;
