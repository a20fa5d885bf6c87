//! Pictures in the GPU's queue: from the end of their submit until their pixels are there and the window may have them.
//!
//! Nobody blocks in wgpu for that while a window draws with the same device: a blocking wait would hold up the window's
//! present for as long. So the oldest is looked at again and again, with a short sleep between.

use std::collections::VecDeque;
use std::time::Duration;

use super::context::Queued;
use super::instance_buffer::InstanceBuffer;
use super::{GpuContext, GpuError, GpuRenderer, Target};
use crate::frame::record::Flight;
use crate::frame::zones::zone;
use crate::render::Finished;
use crate::render::flights::{FlightLimits, Flights};
use crate::time::source::RealClock;
use crate::time::{FrameIndex, Nanos};

/// Longest that one picture may take before the GPU counts as hung.
const LONGEST_PICTURE: Nanos = Nanos::from_secs(20);
/// Between two looks at a picture that is waited for.
const BETWEEN_LOOKS: Duration = Duration::from_micros(200);

/// Who waits until a picture is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Waiting {
    /// Each submit: the picture is there when it returns.
    EverySubmit,
    /// Nobody, up to as many pictures as may be in flight.
    Nobody,
}

/// What is in the queue, and what it takes.
pub(super) struct UnderWay {
    pub waiting: Waiting,
    pub flights: Flights,
    /// By their numbers, each made when it is first used.
    pub buffers: Vec<Option<InstanceBuffer>>,
    pub pictures: VecDeque<Submitted>,
    pub finished: VecDeque<Finished>,
    /// Targets beyond the three of the slot: with several pictures in flight each needs one.
    pub spare: Vec<Target>,
    pub extra_targets: u8,
    pub clock: RealClock,
    /// When making the next picture began.
    pub begun: Nanos,
    /// Of the last submit.
    pub flight: Flight,
}

/// A picture that was submitted.
pub(super) struct Submitted {
    pub queued: Queued,
    pub frame: (u32, FrameIndex),
    pub redraw: bool,
    /// None: that of the oldest picture, which stands in the slot's buffer.
    pub target: Option<Target>,
}

impl Submitted {
    const fn unfinished(&self) -> Finished {
        Finished { frame: self.frame.1, redraw: self.redraw, at: None, gpu: None }
    }
}

impl UnderWay {
    pub fn new(waiting: Waiting, limits: FlightLimits) -> Self {
        let clock = RealClock::new();
        Self {
            waiting,
            flights: Flights::new(limits),
            buffers: (0..limits.instance_buffers()).map(|_| None).collect(),
            pictures: VecDeque::new(),
            finished: VecDeque::new(),
            spare: Vec::new(),
            extra_targets: 0,
            begun: clock.now(),
            clock,
            flight: Flight::default(),
        }
    }
}

impl GpuRenderer {
    /// A buffer that the GPU does not use; where there is none, the oldest picture is waited for.
    pub(super) fn take_buffer(&mut self) -> Result<u8, GpuError> {
        self.under_way.flight.stall = Nanos::ZERO;
        loop {
            let UnderWay { buffers, flights, .. } = &mut self.under_way;
            let worth =
                |buffer: u8| buffers[usize::from(buffer)].as_ref().map_or(0, |buffer| 1 + buffer.filled_in());
            if let Some(buffer) = flights.take_buffer(worth) {
                return Ok(buffer);
            }
            let began = self.under_way.clock.now();
            self.wait_for_oldest()?;
            self.under_way.flight.stall += self.under_way.clock.now() - began;
        }
    }

    /// Waits until another picture may be submitted.
    pub(super) fn wait_until_not_full(&mut self) -> Result<(), GpuError> {
        let mut waited = Nanos::ZERO;
        while self.under_way.flights.is_full() {
            let began = self.under_way.clock.now();
            self.wait_for_oldest()?;
            waited += self.under_way.clock.now() - began;
        }
        (self.under_way.flight.wait, self.under_way.flight.submit_wait) = (waited, waited);
        Ok(())
    }

    /// The picture is in the queue.
    pub(super) fn queued(&mut self, buffer: u8, mut picture: Submitted) {
        if self.under_way.pictures.is_empty()
            && let Some(mut target) = picture.target.take()
        {
            // The ones before it are done: it is the oldest now.
            std::mem::swap(self.targets.buffer_mut(), &mut target);
            self.under_way.spare.push(target);
        }
        if let Some(buffer) = &mut self.under_way.buffers[usize::from(buffer)] {
            buffer.submitted();
        }
        let UnderWay { flights, pictures, clock, flight, begun, .. } = &mut self.under_way;
        let made = flight.read.unwrap_or(*begun) - *begun - flight.stall;
        flights.submitted(buffer, made, clock.now());
        pictures.push_back(picture);
        let limits = flights.limits();
        (flight.in_flight, flight.most_in_flight) = (pictures.len() as u8, limits.frames_in_flight());
        (flight.buffers_in_use, flight.buffers) = (flights.buffers_in_use(), limits.instance_buffers());
        flight.done = None;
    }

    /// The target of the picture submitted last, done or not: what is submitted now comes after it. None where nothing is
    /// under way.
    pub(super) fn newest_under_way(&mut self) -> Option<(&GpuContext, &Target)> {
        let newest = self.under_way.pictures.back()?;
        Some((&self.context, newest.target.as_ref().unwrap_or_else(|| self.targets.buffer_mut())))
    }

    /// Hands what is done to the window; waits for nothing.
    pub(super) fn look(&mut self) {
        while let Some(oldest) = self.under_way.pictures.front() {
            match self.context.is_done(&oldest.queued) {
                Ok(true) => self.finish_oldest(),
                Ok(false) if self.is_hung() => {
                    tracing::error!(target: "framewalk", "the GPU has not ended a picture for 20 s; it is given up");
                    self.give_up_oldest();
                }
                Ok(false) => return,
                // The device is gone, and says so to whoever draws next.
                Err(_) => self.give_up_oldest(),
            }
        }
    }

    /// Waits until the oldest picture is done.
    pub(super) fn wait_for_oldest(&mut self) -> Result<(), GpuError> {
        zone!("wait_for_gpu");
        let before = self.under_way.pictures.len();
        if self.under_way.waiting == Waiting::EverySubmit
            && let Some(oldest) = self.under_way.pictures.front()
        {
            // No window is held up by it.
            let waited = self.context.wait_for(oldest.queued.index.clone());
            match waited {
                Ok(()) => self.finish_oldest(),
                Err(_) => self.give_up_oldest(),
            }
            return waited;
        }
        loop {
            self.look();
            if self.under_way.pictures.len() < before || before == 0 {
                return Ok(());
            }
            std::thread::sleep(BETWEEN_LOOKS);
        }
    }

    /// Waits until nothing is under way.
    pub(super) fn wait_for_all(&mut self) {
        // Who is given up is under way no more either.
        while !self.under_way.pictures.is_empty() {
            let _ = self.wait_for_oldest();
        }
    }

    fn is_hung(&self) -> bool {
        let UnderWay { flights, clock, .. } = &self.under_way;
        flights.oldest_submitted().is_some_and(|submitted| clock.now() - submitted > LONGEST_PICTURE)
    }

    /// Its pixels are there.
    fn finish_oldest(&mut self) {
        let now = self.under_way.clock.now();
        let Some(picture) = self.under_way.pictures.pop_front() else { return };
        let buffer = self.under_way.flights.done(now).map_or(0, usize::from);
        let painter = &self.painter;
        self.gpu_time = self.under_way.buffers[buffer].as_mut().and_then(|buffer| painter.gpu_time(buffer));
        self.newest = Some(self.targets.buffer_mut().texture.clone());
        self.publish(picture.frame, picture.redraw);
        self.bring_up();
        match self.under_way.waiting {
            Waiting::EverySubmit => self.under_way.flight.done = Some(now),
            Waiting::Nobody => {
                let finished = Finished { at: Some(now), gpu: self.gpu_time, ..picture.unfinished() };
                self.under_way.finished.push_back(finished);
            }
        }
    }

    /// Its pixels will never be there; nor does anybody know what still uses its buffer.
    fn give_up_oldest(&mut self) {
        let now = self.under_way.clock.now();
        let Some(picture) = self.under_way.pictures.pop_front() else { return };
        if let Some(buffer) = self.under_way.flights.done(now) {
            self.under_way.buffers[usize::from(buffer)] = None;
        }
        self.gpu_time = None;
        self.bring_up();
        if self.under_way.waiting == Waiting::Nobody {
            self.under_way.finished.push_back(picture.unfinished());
        }
    }

    /// The target of the oldest picture stands in the slot's buffer, to be published.
    fn bring_up(&mut self) {
        let oldest = self.under_way.pictures.front_mut();
        if let Some(mut target) = oldest.and_then(|oldest| oldest.target.take()) {
            std::mem::swap(self.targets.buffer_mut(), &mut target);
            self.under_way.spare.push(target);
        }
    }
}
