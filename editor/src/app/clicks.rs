//! Clicks into the picture: whoever draws is asked what is seen there, and a ray answers where it cannot.

use std::collections::VecDeque;
use std::time::Duration;

use framewalk_runtime::scene::EntityId;
use framewalk_runtime::time::Nanos;

use super::EditorApp;
use crate::document::selection::SelectionChange;
use crate::viewport::picking::Click;

/// So long an answer is waited for; then the ray's counts.
pub(super) const PATIENCE: Duration = Duration::from_secs(1);
const PATIENCE_NANOS: Nanos = Nanos(PATIENCE.as_nanos() as i64);

/// Those that were asked about and not answered yet, in order.
#[derive(Default)]
pub(super) struct Clicks {
    open: VecDeque<OpenClick>,
    asked: u64,
}

struct OpenClick {
    number: u64,
    click: Click,
    by_ray: Option<EntityId>,
    at: Nanos,
}

impl Clicks {
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// They were into pictures of another project.
    pub fn forget(&mut self) {
        self.open.clear();
    }
}

impl EditorApp {
    /// Selects what is seen where it was clicked, as soon as that is known: in a frame or two.
    pub(crate) fn click(&mut self, click: Click) {
        let at = self.now();
        let live = self.is_live();
        let Some(workspace) = &mut self.workspace else { return };
        let locked = &workspace.scenes.front.document.marks.locked;
        let free = |id: EntityId| live || !locked.contains(&id);
        let picture = self.viewport.picture();
        let by_ray = click.spot.zip(picture).and_then(|(spot, picture)| spot.by_ray(picture, free));
        let number = self.clicks.asked + 1;
        let asked = click.spot.is_some_and(|spot| self.viewport.ask(number, &spot, free));
        if !asked {
            self.settle_clicks();
            self.resolve(&click, by_ray);
            return;
        }
        self.clicks.asked = number;
        self.clicks.open.push_back(OpenClick { number, click, by_ray, at });
        match &mut self.viewport.authored {
            Some((picture, _)) if !live => picture.attend(),
            _ => workspace.session.attend(),
        }
        self.follow_clicks();
    }

    /// Takes the answers that have come, and waits no longer for those that are due.
    pub(super) fn follow_clicks(&mut self) {
        while let Some((number, found)) =
            self.viewport.screen.as_mut().and_then(|screen| screen.asker.answer())
        {
            // Those before it were asked of a screen that is gone.
            while let Some(open) = self.clicks.open.pop_front_if(|open| open.number <= number) {
                let waited = (self.now() - open.at).as_millis_f64();
                let picked = match &found {
                    Ok(found) if open.number == number => *found,
                    Ok(_) => open.by_ray,
                    Err(error) => {
                        tracing::warn!(target: "framewalk", %error, "picked_by_ray");
                        open.by_ray
                    }
                };
                let (entity, ray) = (picked.map_or(0, |id| id.0), open.by_ray.map_or(0, |id| id.0));
                tracing::debug!(target: "framewalk", entity, ray, waited_ms = waited, "picked");
                self.resolve(&open.click, picked);
            }
        }
        let now = self.now();
        while let Some(open) = self.clicks.open.pop_front_if(|open| now - open.at >= PATIENCE_NANOS) {
            self.resolve(&open.click, open.by_ray);
        }
    }

    /// Waits no longer: whoever was asked goes, or something else is selected.
    pub(crate) fn settle_clicks(&mut self) {
        while let Some(open) = self.clicks.open.pop_front() {
            self.resolve(&open.click, open.by_ray);
        }
    }

    fn resolve(&mut self, click: &Click, picked: Option<EntityId>) {
        let Some(workspace) = &self.workspace else { return };
        let item = picked.and_then(|id| self.viewport.picture()?.item(id));
        if click.bodies_only && !item.is_some_and(|item| item.simulated) {
            return;
        }
        match picked {
            // With Ctrl or Shift a click adds one, or lets go of it; beside everything it means nothing.
            Some(id) if click.more => self.change_selection(SelectionChange::Toggle(id)),
            None if click.more => {}
            picked if workspace.scenes.front.document.selection.ids() != picked.as_slice() => {
                self.select(picked)
            }
            _ => {}
        }
    }
}
