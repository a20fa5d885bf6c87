//! How late each way of waiting is, for a deadline and for a frame, and what it costs: idle, and with every core busy beside
//! it.
//!
//! `cargo run --release -p framewalk-runtime --no-default-features --example pacing`; `docs/pacing.md` has what it prints.
//! With `frames` behind it, only what waiting for a frame costs.

#[cfg(target_os = "linux")]
mod deadlines;
#[cfg(target_os = "linux")]
mod frames;

#[cfg(target_os = "linux")]
fn main() {
    let only_frames = std::env::args().any(|argument| argument == "frames");
    for is_busy in [false, true] {
        beside(is_busy, || {
            let what = if is_busy { "every core busy beside it" } else { "nothing else" };
            if !only_frames {
                println!("\nDeadlines, {what}\n");
                deadlines::table(3.0);
            }
            println!("\nFrames, {what}\n");
            frames::table(10.0);
        });
    }
}

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("it is measured on Linux only: elsewhere threads do not say what they cost");
}

/// Does it while a thread on every core never sleeps, or while none of these does.
#[cfg(target_os = "linux")]
fn beside(is_busy: bool, work: impl FnOnce()) {
    use std::sync::atomic::{AtomicBool, Ordering};

    let stop = AtomicBool::new(false);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..if is_busy { cores } else { 0 } {
            scope.spawn(|| {
                let mut n = 0_u64;
                while !stop.load(Ordering::Relaxed) {
                    n = std::hint::black_box(n.wrapping_mul(3).wrapping_add(1));
                }
            });
        }
        work();
        stop.store(true, Ordering::Relaxed);
    });
}

/// Median, 99th percentile and the largest.
#[cfg(target_os = "linux")]
fn quantiles(mut values: Vec<f64>) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    let last = values.len().saturating_sub(1);
    [0.5, 0.99, 1.0].map(|part| {
        values.get(((values.len() as f64 * part) as usize).min(last)).copied().unwrap_or_default()
    })
}

/// What the calling thread has used of a core.
#[cfg(target_os = "linux")]
fn cpu_nanos() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split_whitespace().next().and_then(|nanos| nanos.parse().ok()).unwrap_or(0)
}
