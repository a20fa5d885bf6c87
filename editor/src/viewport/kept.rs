//! What is remembered of the viewport between two starts.

use super::{Look, Viewport};
use crate::settings::ViewSettings;

impl Viewport {
    /// A viewport that shows what was remembered.
    #[must_use]
    pub fn showing(view: ViewSettings) -> Self {
        let look = |camera| if camera { Look::Camera } else { Look::Free };
        let mut viewport = Self::default();
        (viewport.grid, viewport.ghosts) = (view.grid, view.ghosts);
        (viewport.show_trails, viewport.last_tick) = (view.trails, view.last_tick);
        (viewport.gizmo.tool, viewport.gizmo.space) = (view.tool, view.space);
        (viewport.edit_look, viewport.run_look) = (look(view.camera_in_edit), look(view.camera_in_run));
        viewport
    }

    /// What is to be remembered of it.
    #[must_use]
    pub fn settings(&self) -> ViewSettings {
        ViewSettings {
            grid: self.grid,
            ghosts: self.ghosts,
            trails: self.show_trails,
            last_tick: self.last_tick,
            camera_in_edit: self.edit_look == Look::Camera,
            camera_in_run: self.run_look == Look::Camera,
            tool: self.gizmo.tool,
            space: self.gizmo.space,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_start_shows_what_a_new_viewport_does() {
        assert_eq!(Viewport::default().settings(), ViewSettings::default());
        let other = ViewSettings { grid: false, camera_in_edit: true, ..ViewSettings::default() };
        assert_eq!(Viewport::showing(other).settings(), other);
    }
}
