//! How late each way of waiting for a deadline is, and what it costs: idle, and with every core busy beside it.
//!
//! `cargo run --release -p framewalk-runtime --no-default-features --example pacing`; `docs/pacing.md` has what it prints.

#[cfg(target_os = "linux")]
fn main() {
    linux::main();
}

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("it is measured on Linux only: elsewhere threads do not say what they cost");
}

#[cfg(target_os = "linux")]
mod linux {
    use std::hint::{black_box, spin_loop};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    use framewalk_runtime::time::frame_clock::FrameClock;
    use framewalk_runtime::time::pacer::{Pacer, Pacing, wake_sharp};
    use framewalk_runtime::time::source::RealClock;
    use framewalk_runtime::time::{Nanos, Rate};
    use nix::sys::time::TimeSpec;
    use nix::time::{ClockId, ClockNanosleepFlags, clock_gettime, clock_nanosleep};

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

    pub fn main() {
        let seconds = 3.0;
        for busy in [false, true] {
            let stop = Arc::new(AtomicBool::new(false));
            let cores = std::thread::available_parallelism().map_or(1, usize::from);
            let burners: Vec<_> = (0..if busy { cores } else { 0 })
                .map(|_| {
                    let stop = Arc::clone(&stop);
                    std::thread::spawn(move || {
                        let mut n = 0_u64;
                        while !stop.load(Ordering::Relaxed) {
                            n = black_box(n.wrapping_mul(3).wrapping_add(1));
                        }
                    })
                })
                .collect();
            println!("\n{}", if busy { "every core busy beside it" } else { "nothing else" });
            println!("| way of waiting | Hz | late, us: median | p99 | worst | CPU, % of a core |");
            println!("| --- | --- | --- | --- | --- | --- |");
            for (name, way) in WAYS {
                for hz in [60, 240, 1000] {
                    // On a thread of its own each: what the system was told about one does not last.
                    let measured = std::thread::spawn(move || measure(way, hz, seconds));
                    let (late, cpu) = measured.join().expect("it only waits");
                    println!(
                        "| {name} | {hz} | {:.1} | {:.1} | {:.0} | {cpu:.2} |",
                        late[0], late[1], late[2]
                    );
                }
            }
            stop.store(true, Ordering::Relaxed);
            burners.into_iter().for_each(|burner| burner.join().expect("it only burns"));
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
        late.sort_by(f64::total_cmp);
        let at = |part: f64| late[((late.len() as f64 * part) as usize).min(late.len() - 1)];
        ([at(0.5), at(0.99), at(1.0)], cpu)
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

    /// What the calling thread has used of a core.
    fn cpu_nanos() -> u64 {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
        text.split_whitespace().next().and_then(|nanos| nanos.parse().ok()).unwrap_or(0)
    }
}
