//! What the editor costs while nothing happens: its share of one core over ten seconds, in Edit and while paused.
//!
//! `cargo bench -p framewalk --bench idle`. On Linux; needs Xvfb and xdotool, which `.ci/packages test` installs. The
//! aim is 1 % of a core, whatever the machine: what is measured is the processor time that the kernel counts for the
//! whole program, drawing in software included.

#[path = "../../runtime/benches/shared/row.rs"]
mod row;

fn main() {
    #[cfg(target_os = "linux")]
    linux::main();
    #[cfg(not(target_os = "linux"))]
    println!("the idle editor is measured on Linux only");
}

#[cfg(target_os = "linux")]
mod linux {
    use std::io::{BufRead, BufReader};
    use std::process::{Child, Command, Stdio};
    use std::thread::sleep;
    use std::time::Duration;

    use super::row::{self, Aim, Row};
    use framewalk_runtime::time::source::RealClock;

    const WATCHED: Duration = Duration::from_secs(10);
    /// For the first pictures, fonts and shaders.
    const SETTLING: Duration = Duration::from_secs(8);
    /// Per cent of a core.
    const AIM: f64 = 1.0;

    pub fn main() {
        let settings = tempfile::tempdir().expect("a folder for settings");
        let server = Server::start();
        let editor = Running(
            Command::new(env!("CARGO_BIN_EXE_framewalk"))
                .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../projects/first-steps"))
                .env("DISPLAY", &server.display)
                .env_remove("WAYLAND_DISPLAY")
                .env("XDG_RUNTIME_DIR", settings.path())
                .env("FRAMEWALK_CONFIG_DIR", settings.path())
                .env("FRAMEWALK_DATA_DIR", settings.path())
                .stderr(Stdio::null())
                .spawn()
                .expect("the editor starts"),
        );
        let window = server.xdotool(&["search", "--sync", "--onlyvisible", "--name", "Framewalk"]);
        let window = window.lines().last().expect("a window").to_owned();
        server.xdotool(&["windowfocus", "--sync", &window]);
        sleep(SETTLING);
        row::header();
        report("in Edit", &editor);
        // Pause, then Play: the first frame is shown and stands.
        server.xdotool(&["key", "F7"]);
        server.xdotool(&["key", "F5"]);
        sleep(SETTLING);
        report("paused at frame 1", &editor);
    }

    fn report(state: &str, editor: &Running) {
        let clock = RealClock::new();
        let (started, before) = (clock.now(), editor.cpu_seconds());
        sleep(WATCHED);
        let (ended, after) = (clock.now(), editor.cpu_seconds());
        let share = 100.0 * (after - before) / ((ended - started).as_millis_f64() / 1e3);
        let what = format!("idle editor {state}, of one core over ten seconds");
        Row { what: &what, unit: "%", ours: share, peer: None, aim: Some(Aim::Cost(AIM)) }.print();
    }

    struct Running(Child);

    impl Running {
        /// User and system time of all its threads so far.
        fn cpu_seconds(&self) -> f64 {
            let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.0.id())).expect("it still runs");
            // After the name, which is in brackets: state is field 3, user time 14, system time 15.
            let after_name = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
            let ticks = after_name.split_whitespace().skip(11).take(2);
            let ticks: f64 = ticks.filter_map(|field| field.parse::<f64>().ok()).sum();
            // The kernel's unit in this file is a hundredth of a second on every Linux.
            ticks / 100.0
        }
    }

    impl Drop for Running {
        fn drop(&mut self) {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }

    struct Server {
        child: Child,
        display: String,
    }

    impl Server {
        fn start() -> Self {
            let mut child = Command::new("Xvfb")
                .args(["-displayfd", "1", "-screen", "0", "1600x1000x24", "-nolisten", "tcp"])
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .expect("Xvfb starts: `bash .ci/packages test` installs it");
            let mut number = String::new();
            let output = child.stdout.take().expect("it was piped");
            BufReader::new(output).read_line(&mut number).expect("Xvfb says its number");
            Self { child, display: format!(":{}", number.trim()) }
        }

        fn xdotool(&self, arguments: &[&str]) -> String {
            let output = Command::new("xdotool").args(arguments).env("DISPLAY", &self.display).output();
            let output = output.expect("xdotool starts: `bash .ci/packages test` installs it");
            String::from_utf8_lossy(&output.stdout).into_owned()
        }
    }

    impl Drop for Server {
        fn drop(&mut self) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}
