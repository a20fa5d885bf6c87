//! Play and Stop again and again in the whole editor, on real threads, workers among them, and the software adapter:
//! threads, memory and what the threads cost are back where they were. Ten cycles here;
//! `FRAMEWALK_CYCLES=100 cargo test --workspace --test cycles_in_real_time` for the full count, of which the last third is then compared with the
//! first.
//!
//! A file with one test: it counts what the whole process holds.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use framewalk::app::{EditorApp, EditorOptions};
use framewalk::log_lines;
use framewalk::project::store::SettingsStore;
use framewalk::session::Phase;
use framewalk::session::run::Drive;

/// So many cycles warm the caches of driver and fonts.
const WARM: usize = 3;

/// From so many cycles on, thirds of them say more than the first and the last: what differs by chance evens out.
const MANY: usize = 30;

/// What the process holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Held {
    sim_and_render_threads: usize,
    threads: usize,
    allocations: usize,
    resident_kib: u64,
}

fn thread_names() -> Vec<String> {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    tasks.filter_map(|task| std::fs::read_to_string(task.unwrap().path().join("comm")).ok()).collect()
}

fn sim_and_render(names: &[String]) -> usize {
    names.iter().filter(|name| matches!(name.trim(), "sim" | "render")).count()
}

/// The threads once those that have ended are gone from the list, where they stand for a while longer: so many at most,
/// where that is known, and one of the two kinds. After half a minute, those there are.
fn settled_thread_names(at_most: Option<usize>) -> Vec<String> {
    let settled = (0..6_000).find_map(|_| {
        let names = thread_names();
        if sim_and_render(&names) == 1 && at_most.is_none_or(|at_most| names.len() <= at_most) {
            return Some(names);
        }
        std::thread::sleep(Duration::from_millis(5));
        None
    });
    settled.unwrap_or_else(thread_names)
}

fn resident_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// By how much more there is of something in the last third of the cycles than in the first, on average.
fn slope(held: &[Held], of: impl Fn(&Held) -> u64) -> f64 {
    let third = held.len() / 3;
    let mean = |part: &[Held]| part.iter().map(|held| of(held) as f64).sum::<f64>() / third as f64;
    mean(&held[held.len() - third..]) - mean(&held[..third])
}

#[test]
fn on_real_threads_cycles_of_play_and_stop_leave_threads_and_graphics_memory_where_they_were() {
    let cycles: usize = std::env::var("FRAMEWALK_CYCLES").map_or(10, |count| count.parse().unwrap());
    let settings = tempfile::tempdir().unwrap();
    let options = EditorOptions {
        settings: SettingsStore::in_folder(settings.path()),
        log: log_lines::channel().1,
        drive: Drive::Threads,
        link: None,
        gate: Arc::default(),
        project: Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../projects/first-steps")),
    };
    let device = Arc::new(Mutex::new(None));
    let device_of_editor = Arc::clone(&device);
    let mut editor = Harness::builder().with_size([900.0, 600.0]).wgpu().build_eframe(move |cc| {
        *device_of_editor.lock().unwrap() = cc.wgpu_render_state.as_ref().map(|state| state.device.clone());
        EditorApp::new(cc, options)
    });
    let device = device.lock().unwrap().take().expect("a software adapter draws");
    let steps_until = |editor: &mut Harness<'_, EditorApp>, what: &str, done: &dyn Fn(&EditorApp) -> bool| {
        for _ in 0..6_000 {
            editor.step();
            if done(editor.state()) {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("never: {what}");
    };
    let press = |editor: &mut Harness<'_, EditorApp>, label: &str| {
        editor.get_all_by_label(label).next().unwrap_or_else(|| panic!("no {label}")).click();
        editor.step();
    };
    steps_until(&mut editor, "Edit is drawn", &|app| app.shows_authored_picture());
    let mut held = Vec::new();
    for cycle in 1..=cycles {
        press(&mut editor, "Play");
        steps_until(&mut editor, "a picture of the run", &|app| {
            let session = &app.workspace().unwrap().session;
            session.counts().is_some_and(|counts| counts.rendered >= 2) && session.newest().is_some()
        });
        press(&mut editor, "Stop");
        steps_until(&mut editor, "Edit, and every thread ended", &|app| {
            let session = &app.workspace().unwrap().session;
            app.phase() == Phase::Edit && !session.has_left_threads() && app.shows_authored_picture()
        });
        let _ = device.poll(wgpu_poll());
        let names = settled_thread_names(held.get(WARM - 1).map(|warm: &Held| warm.threads));
        let report = device.generate_allocator_report();
        held.push(Held {
            sim_and_render_threads: sim_and_render(&names),
            threads: names.len(),
            allocations: report.map_or(0, |report| report.allocations.len()),
            resident_kib: resident_kib(),
        });
        assert_eq!(held[cycle - 1].sim_and_render_threads, 1, "Edit's own render thread: {names:?}");
    }
    let (warm, last) = (held[cycles.min(WARM) - 1], held[cycles - 1]);
    println!("after {} cycles {warm:?}, after {cycles} {last:?}", cycles.min(WARM));
    assert!(last.threads <= warm.threads, "{held:?}");
    // How many pictures were ever in flight at once decides how many targets and buffers there are: some more or fewer
    // by chance. What leaks does so in each cycle.
    let by_chance = (cycles - cycles.min(WARM)) / 2;
    assert!(last.allocations <= warm.allocations + by_chance, "{held:?}");
    let grown = last.resident_kib.saturating_sub(warm.resident_kib);
    assert!(grown < 40_000, "{grown} KiB more after {cycles} cycles: {held:?}");
    if cycles >= MANY {
        let later = &held[WARM..];
        let threads = slope(later, |held| held.threads as u64);
        let allocations = slope(later, |held| held.allocations as u64);
        let kib = slope(later, |held| held.resident_kib);
        println!(
            "the last third less the first: {threads:.2} threads, {allocations:.2} allocations, {kib:.0} KiB"
        );
        // So many cycles lie between the middles of the two.
        let between = (later.len() * 2 / 3) as f64;
        assert!(threads < 0.5, "{threads} threads: {held:?}");
        assert!(allocations < between / 10.0, "{allocations} allocations: {held:?}");
        assert!(kib < 100.0 * between, "{kib} KiB: {held:?}");
    }
    // What was asked of it at last may still be drawn; then a second costs nearly nothing.
    let busy: Vec<Duration> = (0..20).map(|_| busy_in_a_second()).take_while(|busy| *busy >= IDLE).collect();
    assert!(busy.len() < 20, "in Edit the threads of runs are busy in every second: {busy:?}");
}

/// A hundredth of a second.
const IDLE: Duration = Duration::from_millis(10);

/// Time that the threads named for simulation and rendering spend on a core in one second, in which nobody asks for
/// anything.
fn busy_in_a_second() -> Duration {
    let before = on_a_core();
    std::thread::sleep(Duration::from_secs(1));
    on_a_core().saturating_sub(before)
}

fn on_a_core() -> Duration {
    let nanos = std::fs::read_dir("/proc/self/task").unwrap().filter_map(|task| {
        let folder = task.unwrap().path();
        let name = std::fs::read_to_string(folder.join("comm")).ok()?;
        let spent = std::fs::read_to_string(folder.join("schedstat")).ok()?;
        matches!(name.trim(), "sim" | "render").then(|| spent.split(' ').next()?.parse::<u64>().ok())?
    });
    Duration::from_nanos(nanos.sum())
}

fn wgpu_poll() -> eframe::wgpu::PollType {
    eframe::wgpu::PollType::wait_indefinitely()
}
