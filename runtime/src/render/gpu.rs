//! Draws snapshots off screen with wgpu, into a ring of its own targets.
//!
//! ```text
//!   View ──slot──▶ batch ─▶ submit ─▶ under way ──slot──▶ Target (texture + Picture)
//! ```
//!
//! It needs no window. A picture is published when its pixels are there. As it is made, every submit waits for that; after
//! [`GpuRenderer::fly`] it returns as soon as the picture is in the GPU's queue, a few of them may be under way, and who
//! draws looks from time to time which are done. What fails is an error with a sentence, and leaves the last picture in the
//! slot.

mod context;
mod draw;
mod globals;
mod growing;
mod image;
mod instance_buffer;
mod meshes;
mod picking;
mod pipelines;
mod present;
mod target;
mod timer;
mod under_way;

pub use super::picture::{Outlook, Picture, PictureItem, TickPoses};
pub use super::view::{Lens, SecondView, View, ViewCamera};
pub use context::{DeviceHealth, GpuContext, wanted_features};
pub use image::RgbaImage;
pub use present::{Presenting, SurfaceMaker, WindowSurface};
pub use target::{MOST_TARGETS, SecondTarget, Target};

use super::batch::{Batch, Changes};
use super::pick::{PickAsker, pick_roads};
use super::{Attention, BatchFigures, Finished, FlightLimits, RenderError, Renderer, Room};
use crate::frame::record::Flight;
use crate::frame::zones::zone;
use crate::handoff::FrameDescriptor;
use crate::handoff::slot::{Consumer, Producer, slot};
use crate::snapshot::Snapshot;
use crate::time::{FrameIndex, Nanos};
use draw::{Copied, Painted, Painter};
use instance_buffer::InstanceBuffer;
use picking::PickPass;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use target::{Attachments, TargetMaker};
use under_way::{Submitted, UnderWay, Waiting};

/// Gamma-encoded, because egui samples what it is given without decoding; see [`Target`].
pub const COLOR_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
/// The stencil marks the selected shape, so that its ring goes around it.
const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth24PlusStencil8;
const SHADOW_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// The window's end of the ring of targets.
pub type TargetReceiver = Consumer<Target>;
/// The window's end of the slot of views.
pub type ViewSender = Producer<View>;

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GpuError {
    #[error(
        "no graphics adapter was found ({0}): install a Vulkan driver (Mesa's software one will do), \
         or choose the null renderer"
    )]
    NoAdapter(String),
    #[error("the graphics adapter gives no device ({0}): update its driver, or choose the null renderer")]
    NoDevice(String),
    #[error("the graphics device refused the work: {0}")]
    Refused(String),
    #[error("the graphics device is lost ({0}): nothing more is drawn with it")]
    Lost(String),
}

impl From<GpuError> for RenderError {
    fn from(error: GpuError) -> Self {
        Self::new(error.to_string())
    }
}

/// Draws one snapshot a call; knows no thread.
pub struct GpuRenderer {
    context: GpuContext,
    painter: Painter,
    attachments: Attachments,
    maker: TargetMaker,
    targets: Producer<Target>,
    views: Consumer<View>,
    /// The newest view taken, with its size replaced where that had no area.
    view: View,
    /// The view was taken and asks for another picture, which has not been drawn: its batch or submit failed.
    undrawn: bool,
    batch: Batch,
    /// What the second view is drawn from, while there is one.
    second: Batch,
    second_attachments: Option<Attachments>,
    /// What is new in the instances of each view.
    changes: [Changes; 2],
    under_way: UnderWay,
    /// What the GPU was busy for in the picture that was done last.
    gpu_time: Option<Nanos>,
    /// The texture of the newest published target; nothing draws into it before the next one is published.
    newest: Option<wgpu::Texture>,
    /// A rendered frame that the window has not taken, as far as is known here.
    untaken: Option<(u32, FrameIndex)>,
    unseen: Arc<AtomicU64>,
    /// Once somebody may ask what is drawn at a place.
    picks: Option<PickPass>,
}

impl GpuRenderer {
    /// A renderer, and the window's ends: finished targets come out of one, views go into the other. The three targets
    /// of the slot are there at once, at the view's size, with an empty picture; one more is made for each picture that is
    /// drawn while others are in flight.
    ///
    /// # Errors
    /// The device refused to make what is needed.
    pub fn new(context: GpuContext, view: View) -> Result<(Self, TargetReceiver, ViewSender), GpuError> {
        let mut view = view;
        if !view.has_area() {
            view.size = [1, 1];
        }
        let view = View { size: within_limits(&context, view.size), second: None, ..view };
        let (painter, attachments, maker, ring) = context.checked(|| {
            let mut maker = TargetMaker::default();
            let ring = [0, 1, 2].map(|index| maker.make(&context, index, view.size));
            Ok((Painter::new(&context), Attachments::new(&context, view.size), maker, ring))
        })?;
        let (targets, receiver) = slot(ring);
        let (sender, views) = slot([view.clone(), view.clone(), view.clone()]);
        let renderer = Self {
            context,
            painter,
            attachments,
            maker,
            targets,
            views,
            view,
            undrawn: false,
            batch: Batch::default(),
            second: Batch::default(),
            second_attachments: None,
            changes: Default::default(),
            under_way: UnderWay::new(Waiting::EverySubmit, FlightLimits::SINGLE),
            gpu_time: None,
            newest: None,
            untaken: None,
            unseen: Arc::default(),
            picks: None,
        };
        Ok((renderer, receiver, sender))
    }

    /// From now on a submit returns when its picture is in the GPU's queue: whoever draws is to look for what is done, as
    /// a render thread does.
    pub fn fly(&mut self, limits: FlightLimits) {
        self.wait_for_all();
        self.under_way = UnderWay::new(Waiting::Nobody, limits);
    }

    /// How many rendered frames were replaced by a newer one before the window took them; readable from any thread.
    #[must_use]
    pub fn unseen(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.unseen)
    }

    /// The end of the roads on which it is asked what a picture shows at a place; of another one before, the questions
    /// are answered no more.
    #[must_use]
    pub fn asker(&mut self) -> PickAsker {
        let (asker, desk) = pick_roads();
        self.picks = Some(PickPass::new(desk));
        asker
    }

    #[must_use]
    pub const fn context(&self) -> &GpuContext {
        &self.context
    }

    /// The last target drawn, as bytes.
    ///
    /// # Errors
    /// Nothing was drawn yet, or the device refused.
    pub fn read_back(&mut self) -> Result<RgbaImage, GpuError> {
        self.wait_for_all();
        let Some(texture) = &self.newest else {
            return Err(GpuError::Refused("there is no picture yet: nothing was drawn".to_owned()));
        };
        self.context.read_back(texture)
    }

    /// Takes the newest view, if one waits; true if a picture other than the last is asked for.
    fn take_view(&mut self) -> bool {
        let Some(taken) = self.views.take() else { return self.undrawn };
        let mut view = taken.clone();
        view.size = if view.has_area() { within_limits(&self.context, view.size) } else { self.view.size };
        view.second = view
            .second
            .filter(|second| second.size[0] > 0 && second.size[1] > 0)
            .map(|second| SecondView { size: within_limits(&self.context, second.size), ..second });
        self.undrawn |= view != self.view;
        self.view = view;
        self.undrawn
    }

    fn fill(&mut self, snapshot: &Snapshot) -> BatchFigures {
        self.batch.fill(snapshot, &self.view, self.view.size);
        let mut figures = BatchFigures { instances: self.batch.drawn, culled: self.batch.culled };
        if let Some(second) = self.view.of_second() {
            self.second.fill(snapshot, &second, second.size);
            figures.instances += self.second.drawn;
            figures.culled += self.second.culled;
        }
        figures
    }

    /// Draws the batch; its picture is published when it is done.
    fn draw(&mut self, snapshot: &Snapshot, redraw: bool) -> Result<(), GpuError> {
        let buffer = self.take_buffer()?;
        // The oldest stands in the slot's buffer, and all others in spare ones.
        let mut own = match self.under_way.pictures.is_empty() {
            true => None,
            false => Some(self.spare_target()?),
        };
        let drawn = self.submit_picture(buffer, &mut own, snapshot, redraw);
        if drawn.is_err() {
            // What stands in it is not known.
            self.under_way.buffers[usize::from(buffer)] = None;
            self.under_way.flights.give_back(buffer);
        }
        self.under_way.spare.extend(own.take());
        drawn?;
        match self.under_way.waiting {
            Waiting::EverySubmit => self.wait_for_oldest(),
            Waiting::Nobody => Ok(()),
        }
    }

    /// A target that is neither in the slot nor under way.
    fn spare_target(&mut self) -> Result<Target, GpuError> {
        if let Some(spare) = self.under_way.spare.pop() {
            return Ok(spare);
        }
        let index = 3 + self.under_way.extra_targets;
        let made = self.context.checked(|| Ok(self.maker.make(&self.context, index, self.view.size)))?;
        self.under_way.extra_targets += 1;
        Ok(made)
    }

    /// Brings the batch into the buffer and what draws it into the GPU's queue.
    fn submit_picture(
        &mut self,
        buffer: u8,
        own: &mut Option<Target>,
        snapshot: &Snapshot,
        redraw: bool,
    ) -> Result<(), GpuError> {
        let commands = self.encode(buffer, own, snapshot, redraw)?;
        self.under_way.flight.read = Some(self.under_way.clock.now());
        self.wait_until_not_full()?;
        let queued = self.context.checked(|| self.context.submit_watched(commands.into_iter().flatten()))?;
        // A device that is gone takes everything and does nothing: it says so when it is asked.
        self.context.is_done(&queued)?;
        let frame = (snapshot.run, snapshot.frame);
        self.queued(buffer, Submitted { queued, frame, redraw, target: own.take() });
        self.undrawn = false;
        Ok(())
    }

    /// The commands of the picture, and of the one from the second view; what the target says of them.
    fn encode(
        &mut self,
        buffer: u8,
        own: &mut Option<Target>,
        snapshot: &Snapshot,
        redraw: bool,
    ) -> Result<[Option<wgpu::CommandBuffer>; 2], GpuError> {
        let Self { context, painter, attachments, second_attachments, maker, targets, .. } = self;
        let size = self.batch.size;
        let target = own.as_mut().unwrap_or_else(|| targets.buffer_mut());
        maker.fit(context, target, size)?;
        if attachments.size != size {
            *attachments = context.checked(|| Ok(Attachments::new(context, size)))?;
        }
        let second_size = self.view.second.map(|second| second.size);
        maker.fit_second(context, target, second_size)?;
        if second_attachments.as_ref().map(|attachments| attachments.size) != second_size {
            *second_attachments = match second_size {
                Some(size) => Some(context.checked(|| Ok(Attachments::new(context, size)))?),
                None => None,
            };
        }
        let place = &mut self.under_way.buffers[usize::from(buffer)];
        if place.is_none() {
            *place = Some(context.checked(|| Ok(painter.instance_buffer(context)))?);
        }
        let Some(InstanceBuffer { views: [buffers, second_buffers] }) = place else {
            return Ok([None, None]);
        };
        let [changes, second_changes] = &mut self.changes;
        let (grid, mut copied) = (self.view.grid, Copied::default());
        let mut paint = |painted: Painted<'_>| {
            zone!("encode");
            let (commands, more) = context.checked(|| painter.paint(context, painted))?;
            copied.all_bytes += more.all_bytes;
            copied.copied_bytes += more.copied_bytes;
            Ok::<_, GpuError>(commands)
        };
        let (view, batch) = (&target.view, &mut self.batch);
        let first = paint(Painted { target: view, attachments, batch, changes, buffers, snapshot, grid })?;
        let second = match (&target.second, second_attachments) {
            (Some(second), Some(attachments)) => Some(paint(Painted {
                target: &second.view,
                attachments,
                batch: &mut self.second,
                changes: second_changes,
                buffers: second_buffers,
                snapshot,
                grid,
            })?),
            _ => None,
        };
        let flight = &mut self.under_way.flight;
        (flight.instance_bytes, flight.copied_bytes) = (copied.all_bytes, copied.copied_bytes);
        let picture = &mut target.picture;
        picture.outlook = Outlook::new(&self.batch.lens, size);
        picture.second = second_size.map(|size| Outlook::new(&self.second.lens, size));
        picture.through_scene_camera = self.view.camera == ViewCamera::Scene;
        (picture.run, picture.frame, picture.tick) = (snapshot.run, snapshot.frame, snapshot.tick);
        (picture.alpha, picture.shown_time, picture.ends) =
            (snapshot.alpha, snapshot.shown_time, snapshot.ends);
        picture.motion_ticks = snapshot.motion_ticks;
        (picture.redraw, picture.last_tick) = (redraw, self.view.last_tick);
        picture.selected = self.batch.selected_poses;
        // The batch fills its list anew for the next picture; so the two lists go round, too.
        std::mem::swap(&mut picture.items, &mut self.batch.items);
        Ok([Some(first), second])
    }

    /// A redraw is no frame and makes none unseen: the frame it shows is as good as taken when the redraw is.
    fn publish(&mut self, frame: (u32, FrameIndex), redraw: bool) {
        let replaced = self.targets.publish();
        let lost = self.untaken.take().filter(|_| replaced);
        match lost {
            Some(lost) if lost == frame => self.untaken = Some(frame),
            // Relaxed: a count that orders nothing.
            Some(_) => _ = self.unseen.fetch_add(1, Ordering::Relaxed),
            None => {}
        }
        if !redraw {
            self.untaken = Some(frame);
        }
    }
}

impl Renderer<Snapshot> for GpuRenderer {
    fn on_stop(&mut self) {
        self.wait_for_all();
    }

    fn batch(&mut self, _frame: &FrameDescriptor, snapshot: &Snapshot) -> Result<BatchFigures, RenderError> {
        self.under_way.begun = self.under_way.clock.now();
        self.take_view();
        Ok(self.fill(snapshot))
    }

    fn submit(&mut self, _frame: &FrameDescriptor, snapshot: &Snapshot) -> Result<(), RenderError> {
        Ok(self.draw(snapshot, false)?)
    }

    fn room(&mut self) -> Room {
        self.look();
        self.under_way.flights.room(self.under_way.clock.now())
    }

    fn under_way(&self) -> usize {
        self.under_way.pictures.len() + self.under_way.finished.len()
    }

    fn take_finished(&mut self) -> Option<Finished> {
        self.look();
        self.under_way.finished.pop_front()
    }

    fn settle(&mut self) {
        self.wait_for_all();
    }

    fn flight(&self) -> Flight {
        self.under_way.flight
    }

    fn gpu_time(&self) -> Option<Nanos> {
        self.gpu_time
    }

    fn attend(&mut self) -> Attention {
        match &mut self.picks {
            Some(picks) => picks.attend(&self.context, &self.painter.mesh_buffers()),
            None => Attention::Idle,
        }
    }

    fn redraw(&mut self, snapshot: &Snapshot) -> Result<bool, RenderError> {
        if !self.take_view() {
            return Ok(false);
        }
        self.under_way.begun = self.under_way.clock.now();
        self.fill(snapshot);
        self.draw(snapshot, true)?;
        Ok(true)
    }

    fn view_changed(&mut self) -> bool {
        self.views.has_new() || self.undrawn
    }
}

/// No texture is larger than the adapter takes.
fn within_limits(context: &GpuContext, size: [u32; 2]) -> [u32; 2] {
    let most = context.device.limits().max_texture_dimension_2d;
    size.map(|edge| edge.min(most))
}

#[cfg(test)]
mod tests;
