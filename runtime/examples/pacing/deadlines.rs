//! How late a thread is that waits for a deadline, and what that costs.

use std::hint::spin_loop;
use std::time::Duration;

use framewalk_runtime::time::frame_clock::FrameClock;
use framewalk_runtime::time::pacer::{Pacer, Pacing, wake_sharp};
use framewalk_runtime::time::source::RealClock;
use framewalk_runtime::time::{Nanos, Rate};
use nix::sys::time::TimeSpec;
use nix::time::{ClockId, ClockNanosleepFlags, clock_gettime, clock_nanosleep};

use super::{cpu_nanos, quantiles};

/// A way of waiting.
#[derive(Clone, Copy, Debug)]
enum Wait {
    /// `std::thread::sleep`, for what is left.
    Sleep,
    /// `clock_nanosleep` to an absolute time, and the same woken sharp.
    Absolute,
    AbsoluteSharp,
    /// `Pacer`.
    Paced(Pacing),
    /// As `Pacing::Relaxed`, woken sharp.
    ParkSharp,
    Spin,
}

const WAYS: [(&str, Wait); 8] = [
    ("thread::sleep", Wait::Sleep),
    ("absolute clock_nanosleep", Wait::Absolute),
    ("absolute clock_nanosleep, timer slack 1 ns", Wait::AbsoluteSharp),
    ("park (relaxed)", Wait::Paced(Pacing::Relaxed)),
    ("park, timer slack 1 ns", Wait::ParkSharp),
    ("park, slack 1 ns, 200 us spin", Wait::Paced(Pacing::Tail(Nanos::from_micros(200)))),
    ("park, slack 1 ns, adaptive spin (precise)", Wait::Paced(Pacing::Precise)),
    ("spin", Wait::Spin),
];

/// One line for each way and rate.
pub fn table(seconds: f64) {
    println!("| way of waiting | Hz | late, us: median | p99 | worst | CPU, % of a core |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for (name, way) in WAYS {
        for hz in [60, 240, 1000] {
            // On a thread of its own each: what the system was told about one does not last.
            let measured = std::thread::spawn(move || measure(way, hz, seconds));
            let (late, cpu) = measured.join().expect("it only waits");
            println!("| {name} | {hz} | {:.1} | {:.1} | {:.0} | {cpu:.2} |", late[0], late[1], late[2]);
        }
    }
}

/// Lateness in µs (median, 99th percentile, worst), and the share of a core in percent.
fn measure(way: Wait, hz: u32, seconds: f64) -> ([f64; 3], f64) {
    if matches!(way, Wait::AbsoluteSharp | Wait::ParkSharp) {
        wake_sharp();
    }
    let clock = RealClock::new();
    let mut pacer = Pacer::new(match way {
        Wait::Paced(pacing) => pacing,
        _ => Pacing::Relaxed,
    });
    let rate = Rate::hz(hz).expect("a rate");
    let mut grid = FrameClock::started(clock.now(), rate);
    let count = (f64::from(hz) * seconds) as usize;
    let mut late = Vec::with_capacity(count);
    let (start, used) = (clock.now(), cpu_nanos());
    grid.next(start);
    for _ in 0..count {
        let deadline = grid.next_deadline();
        wait(way, &mut pacer, &clock, deadline);
        let now = clock.now();
        late.push((now - deadline).0.max(0) as f64 / 1e3);
        grid.next(now.max(deadline));
    }
    let cpu = 100.0 * (cpu_nanos() - used) as f64 / (clock.now() - start).0 as f64;
    (quantiles(late), cpu)
}

fn wait(way: Wait, pacer: &mut Pacer, clock: &RealClock, deadline: Nanos) {
    let left = deadline - clock.now();
    if left <= Nanos::ZERO {
        return;
    }
    match way {
        Wait::Sleep => std::thread::sleep(Duration::from_nanos(left.0.unsigned_abs())),
        Wait::Absolute | Wait::AbsoluteSharp => {
            let monotonic = ClockId::CLOCK_MONOTONIC;
            let now = clock_gettime(monotonic).expect("a clock");
            let until = now + TimeSpec::from_duration(Duration::from_nanos(left.0.unsigned_abs()));
            clock_nanosleep(monotonic, ClockNanosleepFlags::TIMER_ABSTIME, &until).expect("it sleeps");
        }
        Wait::Paced(_) | Wait::ParkSharp => _ = pacer.wait_until(clock, deadline, || false),
        Wait::Spin => {
            while clock.now() < deadline {
                spin_loop();
            }
        }
    }
}
