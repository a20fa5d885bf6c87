//! The ring under a GPU that takes as long as the test says.

use super::*;

/// Draws pictures one after another: 1 ms to make each, and the GPU takes so long, one at a time.
struct SlowGpu {
    flights: Flights,
    drawn_in: Nanos,
    now: Nanos,
    // When the GPU will be done with each picture under way.
    ends: VecDeque<Nanos>,
}

/// What became of the pictures.
#[derive(Debug, Default, PartialEq, Eq)]
struct Told {
    stalls: u32,
    stalled: Nanos,
    waited: Nanos,
    /// The most buffers in use, and pictures in flight.
    most_buffers: u8,
    most_in_flight: usize,
    /// From the moment a picture was begun to its end on the GPU, at most.
    oldest: Nanos,
}

const STEP: Nanos = Nanos::from_micros(100);
const MADE_IN: Nanos = Nanos::from_millis(1);

impl SlowGpu {
    fn new(frames_in_flight: u8, instance_buffers: u8, drawn_in_millis: i64) -> Self {
        Self {
            flights: Flights::new(FlightLimits::nearest(frames_in_flight, instance_buffers)),
            drawn_in: Nanos::from_millis(drawn_in_millis),
            now: Nanos::ZERO,
            ends: VecDeque::new(),
        }
    }

    fn let_pass(&mut self, by: Nanos) {
        self.now += by;
        while self.ends.front().is_some_and(|end| *end <= self.now) {
            let end = self.ends.pop_front().unwrap();
            self.flights.done(end);
        }
    }

    /// As the render thread does it, but for a look every 100 µs and always something to draw.
    fn draw(&mut self, pictures: u32) -> Told {
        let mut told = Told::default();
        for _ in 0..pictures {
            let mut stalled = false;
            let begun = loop {
                match self.flights.room(self.now) {
                    Room::Now => break self.now,
                    Room::InFlight => told.waited += STEP,
                    Room::NoBuffer => {
                        told.stalled += STEP;
                        stalled = true;
                    }
                }
                self.let_pass(STEP);
            };
            told.stalls += u32::from(stalled);
            let buffer = self.flights.take_buffer(|_| 0).unwrap();
            told.most_buffers = told.most_buffers.max(self.flights.buffers_in_use());
            self.let_pass(MADE_IN);
            while self.flights.is_full() {
                told.waited += STEP;
                self.let_pass(STEP);
            }
            self.flights.submitted(buffer, MADE_IN, self.now);
            let starts = self.ends.back().map_or(self.now, |before| self.now.max(*before));
            self.ends.push_back(starts + self.drawn_in);
            told.oldest = told.oldest.max(starts + self.drawn_in - begun);
            told.most_in_flight = told.most_in_flight.max(self.flights.under_way());
        }
        told
    }
}

#[test]
fn five_buffers_never_stall_and_no_more_than_three_are_ever_needed_for_two_in_flight() {
    let told = SlowGpu::new(2, 5, 10).draw(100);
    assert_eq!((told.stalls, told.stalled), (0, Nanos::ZERO));
    assert_eq!((told.most_buffers, told.most_in_flight), (3, 2));
    assert!(told.waited > Nanos::from_millis(700), "the wait is for the GPU, not for a buffer: {told:?}");
}

#[test]
fn one_buffer_stalls_for_every_picture_until_the_one_before_is_done() {
    let told = SlowGpu::new(2, 1, 10).draw(101);
    assert_eq!((told.stalls, told.stalled), (100, Nanos::from_millis(1_000)));
    assert_eq!((told.most_buffers, told.most_in_flight), (1, 1));
}

#[test]
fn two_buffers_stall_where_a_third_picture_is_begun_while_two_are_in_flight() {
    let told = SlowGpu::new(2, 2, 10).draw(100);
    // Every picture but the first two; from what the GPU took for the first on, only as long as it takes to make one and the
    // margin, since none is begun sooner.
    assert_eq!(told.stalls, 98, "{told:?}");
    assert_eq!((told.most_buffers, told.most_in_flight), (2, 2));
    assert!(told.stalled >= Nanos::from_millis(98), "{told:?}");
    assert!(told.stalled <= Nanos::from_millis(200), "{told:?}");
    let three = SlowGpu::new(2, 3, 10).draw(100);
    assert_eq!(three.stalls, 0, "{three:?}");
}

#[test]
fn a_fast_gpu_waits_for_nothing_even_with_one_buffer() {
    let mut gpu = SlowGpu::new(2, 1, 1);
    let mut told = Told::default();
    for _ in 0..100 {
        told = gpu.draw(1);
        // The next frame is not due yet.
        gpu.let_pass(Nanos::from_millis(15));
    }
    assert_eq!((told.stalls, told.waited), (0, Nanos::ZERO));
}

#[test]
fn a_picture_is_begun_just_in_time_and_is_no_older_than_that_makes_it() {
    let told = SlowGpu::new(2, 5, 20).draw(100);
    // The first ones are begun before it is known how long the GPU takes.
    let mut gpu = SlowGpu::new(2, 5, 20);
    gpu.draw(10);
    let steady = gpu.draw(100);
    assert!(told.oldest <= Nanos::from_millis(61), "{told:?}");
    // Two pictures of 20 ms, 1 ms to make it, and the margin.
    assert!(steady.oldest <= Nanos::from_micros(42_000), "{steady:?}");
    // And the GPU never waits for a picture.
    let before = gpu.now;
    gpu.draw(100);
    assert_eq!(gpu.now - before, Nanos::from_millis(2_000));
}

#[test]
fn of_free_buffers_the_one_worth_most_is_taken_and_a_taken_one_can_be_given_back() {
    let mut flights = Flights::new(FlightLimits::nearest(2, 3));
    assert_eq!(flights.take_buffer(|buffer| u64::from(buffer == 1)), Some(1));
    assert_eq!(flights.take_buffer(|_| 0), Some(0));
    assert_eq!(flights.take_buffer(|_| 0), Some(2));
    assert_eq!(flights.take_buffer(|_| 0), None);
    assert_eq!((flights.room(Nanos::ZERO), flights.buffers_in_use()), (Room::NoBuffer, 3));
    flights.give_back(0);
    assert_eq!(flights.room(Nanos::ZERO), Room::Now);
    assert_eq!(flights.done(Nanos::ZERO), None, "nothing was submitted");
    flights.submitted(1, Nanos::from_millis(1), Nanos::from_millis(1));
    assert_eq!(flights.oldest_submitted(), Some(Nanos::from_millis(1)));
    assert_eq!(flights.done(Nanos::from_millis(9)), Some(1));
}

#[test]
fn limits_out_of_reach_become_the_nearest() {
    let limits = FlightLimits::nearest(0, 200);
    assert_eq!((limits.frames_in_flight(), limits.instance_buffers()), (1, 8));
    let usual = FlightLimits::default();
    assert_eq!((usual.frames_in_flight(), usual.instance_buffers()), (2, 5));
}
