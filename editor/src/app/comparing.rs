//! Comparing the three handoffs with the scene in front, beside everything else.

use framewalk_inspector::comparison::{Comparison, ComparisonWanted};
use framewalk_runtime::sim::RunSettings;
use framewalk_runtime::time::Nanos;
use framewalk_runtime::time::pacer::Pacing;

use super::EditorApp;
use crate::command::EditorCommand;
use crate::panels::Pane;
use crate::session::compare::{Comparing, Wanted};
use crate::session::run::Drive;
use crate::shell::dock::show;
use crate::shell::status::Message;

impl EditorApp {
    /// Compares them as the panel says, and shows it.
    pub(crate) fn compare_handoffs(&mut self) {
        self.compare(self.inspector.comparison_wanted());
    }

    pub(crate) fn compare(&mut self, asked: ComparisonWanted) {
        self.dock(Pane::Compare);
        show(&mut self.layout, Pane::Compare);
        if let Err(reason) = EditorCommand::CompareHandoffs.allowed(&self.situation()) {
            return self.say(Message::warning(reason));
        }
        let Some(workspace) = &self.workspace else { return };
        let scene = workspace.scenes.front.document.scene().clone();
        let settings = workspace.session.next_settings();
        let render_cost = asked.render_cost.max(scene.submit_load());
        let mut about = format!(
            "{} / {} · {} s each · ticks {} Hz, frames {} Hz",
            workspace.project.project.name,
            workspace.scenes.front.file.stem(),
            asked.seconds,
            settings.tick_rate,
            settings.frame_rate
        );
        if render_cost > Nanos::ZERO {
            about += &format!(" · render cost {} ms", render_cost.as_millis_f64());
        }
        let threads = self.run_threads();
        if self.drive == Drive::Threads {
            let waking = |pacing| if pacing == Pacing::Relaxed { "relaxed" } else { "precise" };
            about += &format!(
                " · simulation wakes {}, render thread {}",
                waking(threads.pacing),
                waking(threads.render_pacing)
            );
        }
        let (lasting, pictures) = (Nanos::from_secs(i64::from(asked.seconds)), asked.pictures);
        let drive = self.drive;
        let settings = RunSettings { workers: threads.workers.clone(), ..settings };
        let wanted = Wanted { scene, settings, lasting, pictures, render_cost, drive, threads, about };
        let wake = self.waker.call();
        match Comparing::start(wanted, wake) {
            Ok(comparing) => self.comparing = Some(comparing),
            Err(problem) => self.say(Message::error(problem, Vec::new())),
        }
    }

    /// The handoffs side by side, as far as they were compared.
    #[must_use]
    pub fn comparison(&self) -> Option<&Comparison> {
        self.comparing.as_ref().map(Comparing::comparison)
    }

    pub(crate) fn cancel_comparison(&mut self) {
        if let Some(comparing) = &mut self.comparing {
            comparing.cancel();
        }
    }

    /// Takes what was measured since the last pass.
    pub(super) fn poll_comparison(&mut self) {
        if let Some(comparing) = &mut self.comparing {
            comparing.poll();
        }
    }
}
