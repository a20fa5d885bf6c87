//! One picture as commands: the shadow map, then shapes, sky, ground and marks in one pass.

use super::globals::{Globals, SHADOW_TEXELS};
use super::growing::Growing;
use super::instance_buffer::{InstanceBuffer, Staged, ViewBuffers};
use super::meshes::{MeshBuffers, Meshes};
use super::pipelines::Pipelines;
use super::target::{Attachments, texture};
use super::timer::{Stamps, Timer};
use super::{GpuContext, GpuError, SHADOW_FORMAT};
use crate::render::batch::{Batch, Changes, Instance, MeshKind, Part};
use crate::snapshot::Snapshot;
use crate::time::Nanos;
use std::ops::Range;

/// Holds what is the same for all pictures.
#[derive(Debug)]
pub(super) struct Painter {
    pipelines: Pipelines,
    meshes: Meshes,
    vertices: wgpu::Buffer,
    indices: wgpu::Buffer,
    shadow_map: wgpu::TextureView,
    sampler: wgpu::Sampler,
    /// `None` where the device has no timestamps.
    timer: Option<Timer>,
    /// Where each mesh's instances lie in the buffer.
    ranges: [MeshRanges; MeshKind::COUNT],
}

/// What is to be painted, and from what.
pub(super) struct Painted<'a> {
    pub target: &'a wgpu::TextureView,
    pub attachments: &'a Attachments,
    pub batch: &'a mut Batch,
    pub changes: &'a mut Changes,
    pub buffers: &'a mut ViewBuffers,
    pub snapshot: &'a Snapshot,
    pub grid: bool,
}

/// What an instance buffer takes, and what of that was copied into it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Copied {
    pub all_bytes: u64,
    pub copied_bytes: u64,
}

#[derive(Clone, Debug, Default)]
struct MeshRanges {
    ground: Range<u32>,
    drawn: Range<u32>,
    casting: Range<u32>,
}

impl Painter {
    pub fn new(context: &GpuContext) -> Self {
        let device = &context.device;
        let pipelines = Pipelines::new(context);
        let meshes = Meshes::build();
        let vertices = filled(context, "vertices", wgpu::BufferUsages::VERTEX, &meshes.vertices);
        let indices = filled(context, "indices", wgpu::BufferUsages::INDEX, &meshes.indices);
        let shadow_map = texture(
            context,
            "shadow map",
            [SHADOW_TEXELS; 2],
            SHADOW_FORMAT,
            1,
            wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
        )
        .create_view(&wgpu::TextureViewDescriptor::default());
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("shadow"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            compare: Some(wgpu::CompareFunction::LessEqual),
            ..Default::default()
        });
        Self {
            pipelines,
            meshes,
            vertices,
            indices,
            shadow_map,
            sampler,
            timer: Timer::new(context),
            ranges: Default::default(),
        }
    }

    /// What one picture after another is drawn from, with nothing in it yet.
    pub fn instance_buffer(&self, context: &GpuContext) -> InstanceBuffer {
        InstanceBuffer { views: [0, 1].map(|_| self.view_buffers(context)) }
    }

    fn view_buffers(&self, context: &GpuContext) -> ViewBuffers {
        let globals = context.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("globals"),
            size: size_of::<Globals>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let (casting_group, group) = self.groups(context, &globals);
        ViewBuffers {
            globals,
            casting_group,
            group,
            lines: Growing::new("lines"),
            instances: Staged::default(),
            stamps: self.timer.is_some().then(|| Stamps::new(context)),
        }
    }

    /// What the shadow pass and the main pass are told through, for a buffer of globals.
    fn groups(&self, context: &GpuContext, globals: &wgpu::Buffer) -> (wgpu::BindGroup, wgpu::BindGroup) {
        let entry = |binding, resource| wgpu::BindGroupEntry { binding, resource };
        let entries = [
            entry(0, globals.as_entire_binding()),
            entry(1, wgpu::BindingResource::TextureView(&self.shadow_map)),
            entry(2, wgpu::BindingResource::Sampler(&self.sampler)),
        ];
        let group = |layout, entries: &[wgpu::BindGroupEntry<'_>]| {
            context.device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries })
        };
        (group(&self.pipelines.casting_layout, &entries[..1]), group(&self.pipelines.layout, &entries))
    }

    /// Fills the buffers and records the passes. The batch has the lists of an older picture afterwards.
    ///
    /// # Errors
    /// The buffer cannot be written.
    pub fn paint(
        &mut self,
        context: &GpuContext,
        painted: Painted<'_>,
    ) -> Result<(wgpu::CommandBuffer, Copied), GpuError> {
        let Painted { target, attachments, batch, changes, buffers, snapshot, grid } = painted;
        let globals = Globals::new(batch, snapshot, grid);
        context.queue.write_buffer(&buffers.globals, 0, bytemuck::bytes_of(&globals));
        let copied = self.upload(context, batch, changes, buffers)?;
        let mut encoder =
            context.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("picture") });
        buffers.instances.copy(&mut encoder);
        self.shadow_pass(&mut encoder, buffers);
        self.main_pass(&mut encoder, target, attachments, batch, buffers, grid);
        if let (Some(timer), Some(stamps)) = (&self.timer, &mut buffers.stamps) {
            timer.resolve(&mut encoder, stamps);
        }
        Ok((encoder.finish(), copied))
    }

    /// The meshes, for another pass that draws shapes.
    pub const fn mesh_buffers(&self) -> MeshBuffers<'_> {
        MeshBuffers { meshes: &self.meshes, vertices: &self.vertices, indices: &self.indices }
    }

    /// What the GPU was busy for in the picture that was painted from these buffers, once that is done.
    pub fn gpu_time(&self, buffer: &mut InstanceBuffer) -> Option<Nanos> {
        let timer = self.timer.as_ref()?;
        let times = buffer.views.iter_mut().filter_map(|view| timer.read(view.stamps.as_mut()?));
        times.reduce(|first, second| first + second)
    }

    /// Puts the instances of all meshes behind one another, and the selected ones last.
    fn upload(
        &mut self,
        context: &GpuContext,
        batch: &mut Batch,
        changes: &mut Changes,
        buffers: &mut ViewBuffers,
    ) -> Result<Copied, GpuError> {
        changes.take(&mut batch.meshes);
        let marked = batch.selected.iter().chain(&batch.also_selected).map(|(_, instance)| *instance);
        let all_bytes = (changes.count() + marked.clone().count()) * size_of::<Instance>();
        let copied_bytes = buffers.instances.fill(context, changes, marked)?;
        let mut at = 0;
        let mut lists = changes.lists().map(|list| {
            at += list.len() as u32;
            at
        });
        let mut start = 0;
        for ranges in &mut self.ranges {
            let [ground, drawn_only, casting, end] = Part::ALL.map(|_| lists.next().unwrap_or(start));
            *ranges = MeshRanges { ground: start..ground, drawn: ground..casting, casting: drawn_only..end };
            start = end;
        }
        buffers.lines.fit(context, std::mem::size_of_val(batch.lines.as_slice()));
        buffers.lines.write(context, 0, &batch.lines);
        Ok(Copied { all_bytes: all_bytes as u64, copied_bytes })
    }

    fn shadow_pass(&self, encoder: &mut wgpu::CommandEncoder, buffers: &ViewBuffers) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("shadow map"),
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.shadow_map,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(1.0),
                    store: wgpu::StoreOp::Store,
                }),
                stencil_ops: None,
            }),
            timestamp_writes: self.timer.as_ref().map(Timer::at_begin),
            ..Default::default()
        });
        pass.set_bind_group(0, &buffers.casting_group, &[]);
        pass.set_pipeline(&self.pipelines.shadow);
        self.shapes(&mut pass, buffers, |ranges| ranges.casting.clone());
    }

    fn main_pass(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        attachments: &Attachments,
        batch: &Batch,
        buffers: &ViewBuffers,
        grid: bool,
    ) {
        let (view, resolve_target, store) = match &attachments.samples {
            Some(samples) => (samples, Some(target), wgpu::StoreOp::Discard),
            None => (target, None, wgpu::StoreOp::Store),
        };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("picture"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target,
                // The sky covers all that nothing else does.
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &attachments.depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(1.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(0),
                    store: wgpu::StoreOp::Discard,
                }),
            }),
            timestamp_writes: self.timer.as_ref().map(Timer::at_end),
            ..Default::default()
        });
        pass.set_bind_group(0, &buffers.group, &[]);
        pass.set_pipeline(&self.pipelines.mesh);
        self.shapes(&mut pass, buffers, |ranges| ranges.drawn.clone());
        pass.set_pipeline(&self.pipelines.ground);
        self.shapes(&mut pass, buffers, |ranges| ranges.ground.clone());
        pass.set_pipeline(&self.pipelines.sky);
        pass.draw(0..3, 0..1);
        // The ground shows shadows even where its lines are off, unless a floor does.
        if grid || batch.bare_ground {
            pass.set_pipeline(&self.pipelines.grid);
            pass.draw(0..4, 0..1);
        }
        self.marks(&mut pass, batch, buffers);
    }

    fn shapes(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        buffers: &ViewBuffers,
        which: impl Fn(&MeshRanges) -> Range<u32>,
    ) {
        pass.set_vertex_buffer(0, self.vertices.slice(..));
        pass.set_vertex_buffer(1, buffers.instances.buffer_slice());
        pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint16);
        for (ranges, span) in self.ranges.iter().zip(&self.meshes.spans) {
            let instances = which(ranges);
            if !instances.is_empty() {
                pass.draw_indexed(span.indices.clone(), span.base_vertex, instances);
            }
        }
    }

    /// The rings around the selected shapes and the dashed outlines: over everything, so that neither is ever hidden.
    fn marks(&self, pass: &mut wgpu::RenderPass<'_>, batch: &Batch, buffers: &ViewBuffers) {
        let first = self.ranges.last().map_or(0, |ranges| ranges.casting.end);
        let marked = || batch.selected.iter().chain(&batch.also_selected).map(|(kind, _)| kind).zip(first..);
        if marked().next().is_some() {
            pass.set_stencil_reference(1);
            // All of them are masked first: no ring is drawn across another selected shape.
            for pipeline in [&self.pipelines.mask, &self.pipelines.ring] {
                pass.set_pipeline(pipeline);
                for (kind, at) in marked() {
                    let span = &self.meshes.spans[kind.idx()];
                    pass.draw_indexed(span.indices.clone(), span.base_vertex, at..at + 1);
                }
            }
        }
        if !batch.lines.is_empty() {
            pass.set_pipeline(&self.pipelines.lines);
            pass.set_vertex_buffer(0, buffers.lines.buffer_slice());
            pass.draw(0..batch.lines.len() as u32, 0..1);
        }
    }
}

fn filled<T: bytemuck::Pod>(
    context: &GpuContext,
    label: &str,
    usage: wgpu::BufferUsages,
    values: &[T],
) -> wgpu::Buffer {
    let bytes: &[u8] = bytemuck::cast_slice(values);
    let buffer = context.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size: (bytes.len() as u64).next_multiple_of(4),
        usage: usage | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    // A copy takes whole words; an odd number of indices is padded.
    let mut padded = bytes.to_vec();
    padded.resize(bytes.len().next_multiple_of(4), 0);
    context.queue.write_buffer(&buffer, 0, &padded);
    buffer
}
