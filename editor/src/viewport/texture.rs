//! The bridge to whoever draws: finished targets come in and are shown through egui, views go out.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use egui::TextureId;
use framewalk_runtime::frame::record::Flight;
use framewalk_runtime::handoff::FrameDescriptor;
use framewalk_runtime::render::gpu::{
    GpuContext, GpuError, GpuRenderer, MOST_TARGETS, Target, TargetReceiver, ViewSender,
};
use framewalk_runtime::render::pick::PickAsker;
use framewalk_runtime::render::picture::{Outlook, Picture};
use framewalk_runtime::render::view::View;
use framewalk_runtime::render::{Attention, BatchFigures, Finished, RenderError, Renderer, Room};
use framewalk_runtime::snapshot::Snapshot;
use framewalk_runtime::time::Nanos;

/// The window's device, shared with the renderers.
#[derive(Clone)]
pub struct Graphics {
    pub context: GpuContext,
    pub state: egui_wgpu::RenderState,
}

impl Graphics {
    /// A renderer that draws with the window's device, and the screen that shows what it draws.
    ///
    /// # Errors
    /// What the device refused.
    pub fn renderer(&self, view: &View) -> Result<(GpuRenderer, Screen), GpuError> {
        let (mut renderer, targets, views) = GpuRenderer::new(self.context.clone(), view.clone())?;
        let screen = Screen {
            targets,
            views,
            asker: renderer.asker(),
            sent: view.clone(),
            registered: [[None; 2]; MOST_TARGETS],
            has_picture: false,
            state: self.state.clone(),
        };
        Ok((renderer, screen))
    }
}

/// Shows the targets of one renderer. Dropping it takes its textures back from egui.
pub struct Screen {
    targets: TargetReceiver,
    views: ViewSender,
    /// Asks what is drawn at a place.
    pub asker: PickAsker,
    sent: View,
    // Which textures of a target egui's ids point to, its own and the second view's, by the target's number.
    registered: [[Option<(TextureId, u64)>; 2]; MOST_TARGETS],
    has_picture: bool,
    state: egui_wgpu::RenderState,
}

impl Screen {
    /// Sends a view when it differs from the last one sent; true when it did, and the renderer must be told.
    pub fn send(&mut self, view: &View) -> bool {
        if *view == self.sent {
            return false;
        }
        self.sent.clone_from(view);
        self.views.buffer_mut().clone_from(view);
        self.views.publish();
        true
    }

    /// Takes the newest target; true when there was one.
    pub fn take(&mut self) -> bool {
        let taken = self.targets.take().is_some();
        self.has_picture |= taken;
        taken
    }

    /// What the target on screen shows; `None` before the first one.
    #[must_use]
    pub fn picture(&self) -> Option<&Picture> {
        self.has_picture.then(|| &self.targets.current().picture)
    }

    /// The target on screen, as a texture for this pass; registered once, pointed anew after a resize.
    pub fn texture(&mut self) -> Option<(TextureId, Outlook)> {
        if !self.has_picture {
            return None;
        }
        let target: &Target = self.targets.current();
        let ids = &mut self.registered[usize::from(target.index) % MOST_TARGETS];
        let id = registered(&self.state, &mut ids[0], &target.view, target.generation);
        Some((id, target.picture.outlook))
    }

    /// What the scene's own camera sees, as a texture: the second picture, or the first where that is taken through it.
    pub fn camera_texture(&mut self) -> Option<(TextureId, Outlook)> {
        if !self.has_picture {
            return None;
        }
        let target: &Target = self.targets.current();
        let ids = &mut self.registered[usize::from(target.index) % MOST_TARGETS];
        match (&target.second, target.picture.second) {
            (Some(second), Some(outlook)) => {
                Some((registered(&self.state, &mut ids[1], &second.view, second.generation), outlook))
            }
            _ if target.picture.through_scene_camera => self.texture(),
            _ => None,
        }
    }
}

/// egui's id for a texture, pointed anew where the texture was made anew.
fn registered(
    state: &egui_wgpu::RenderState,
    place: &mut Option<(TextureId, u64)>,
    view: &wgpu::TextureView,
    generation: u64,
) -> TextureId {
    let filter = wgpu::FilterMode::Linear;
    let mut renderer = state.renderer.write();
    let id = match *place {
        Some((id, made)) => {
            if made != generation {
                renderer.update_egui_texture_from_wgpu_texture(&state.device, view, filter, id);
            }
            id
        }
        None => renderer.register_native_texture(&state.device, view, filter),
    };
    *place = Some((id, generation));
    id
}

impl Drop for Screen {
    fn drop(&mut self) {
        let mut renderer = self.state.renderer.write();
        for (id, _) in self.registered.iter().flatten().flatten() {
            renderer.free_texture(id);
        }
    }
}

/// Calls the window after each picture, so that it paints once a picture and not without one. Another renderer may take
/// the place of the one within, between two pictures: whoever drives it goes on.
pub struct Calling {
    renderer: Box<dyn Renderer<Snapshot>>,
    call: Arc<dyn Fn() + Send + Sync>,
    others: Option<Receiver<Box<dyn Renderer<Snapshot>>>>,
    // Pictures of the renderer before, which will never be there.
    left: VecDeque<Finished>,
}

/// Hands another renderer to a [`Calling`] that draws on some thread.
pub struct Redrawer {
    others: Sender<Box<dyn Renderer<Snapshot>>>,
}

impl Redrawer {
    /// From its next turn on, whoever draws does so with this one; false where nobody draws any more.
    #[must_use]
    pub fn draw_with(&self, renderer: Box<dyn Renderer<Snapshot>>) -> bool {
        self.others.send(renderer).is_ok()
    }
}

impl Calling {
    #[must_use]
    pub fn new(renderer: Box<dyn Renderer<Snapshot>>, call: Arc<dyn Fn() + Send + Sync>) -> Self {
        Self { renderer, call, others: None, left: VecDeque::new() }
    }

    /// The same, and who may replace the renderer within.
    #[must_use]
    pub fn replaceable(
        renderer: Box<dyn Renderer<Snapshot>>,
        call: Arc<dyn Fn() + Send + Sync>,
    ) -> (Self, Redrawer) {
        let (others, come) = channel();
        (Self { others: Some(come), ..Self::new(renderer, call) }, Redrawer { others })
    }

    /// Between two pictures: takes the renderer that came, if one did. What the one before has in flight is waited for,
    /// or given up where its device is lost.
    fn take_other(&mut self) {
        let Some(others) = &self.others else { return };
        while let Ok(mut other) = others.try_recv() {
            self.renderer.settle();
            self.left.extend(std::iter::from_fn(|| self.renderer.take_finished()));
            self.renderer.on_stop();
            other.on_start();
            self.renderer = other;
        }
    }
}

impl Renderer<Snapshot> for Calling {
    fn on_start(&mut self) {
        self.renderer.on_start();
    }

    fn on_stop(&mut self) {
        self.renderer.on_stop();
        (self.call)();
    }

    fn batch(&mut self, frame: &FrameDescriptor, snapshot: &Snapshot) -> Result<BatchFigures, RenderError> {
        self.take_other();
        self.renderer.batch(frame, snapshot)
    }

    fn submit(&mut self, frame: &FrameDescriptor, snapshot: &Snapshot) -> Result<(), RenderError> {
        let result = self.renderer.submit(frame, snapshot);
        if result.is_err() || self.renderer.under_way() == 0 {
            (self.call)();
        }
        result
    }

    fn redraw(&mut self, snapshot: &Snapshot) -> Result<bool, RenderError> {
        self.take_other();
        let drawn = self.renderer.redraw(snapshot);
        if matches!(drawn, Ok(true)) && self.renderer.under_way() == 0 {
            (self.call)();
        }
        drawn
    }

    fn room(&mut self) -> Room {
        self.take_other();
        self.renderer.room()
    }

    fn under_way(&self) -> usize {
        self.left.len() + self.renderer.under_way()
    }

    fn take_finished(&mut self) -> Option<Finished> {
        let finished = self.left.pop_front().or_else(|| self.renderer.take_finished());
        if finished.is_some() {
            (self.call)();
        }
        finished
    }

    fn settle(&mut self) {
        self.renderer.settle();
    }

    fn flight(&self) -> Flight {
        self.renderer.flight()
    }

    fn view_changed(&mut self) -> bool {
        self.take_other();
        self.renderer.view_changed()
    }

    fn attend(&mut self) -> Attention {
        let attention = self.renderer.attend();
        if attention == Attention::Answered {
            (self.call)();
        }
        attention
    }

    fn gpu_time(&self) -> Option<Nanos> {
        self.renderer.gpu_time()
    }
}
