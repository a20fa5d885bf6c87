//! One picture as commands: the shadow map, then shapes, sky, ground and marks in one pass.

use super::globals::{Globals, SHADOW_TEXELS};
use super::meshes::Meshes;
use super::picking::MeshBuffers;
use super::pipelines::Pipelines;
use super::target::{Attachments, texture};
use super::timer::Timer;
use super::{GpuContext, SHADOW_FORMAT};
use crate::render::batch::{Batch, Instance, MeshKind, Part};
use crate::snapshot::Snapshot;
use crate::time::Nanos;
use std::mem::size_of;
use std::ops::Range;

/// Holds what is the same for all pictures, and the buffers that each one fills.
#[derive(Debug)]
pub(super) struct Painter {
    pipelines: Pipelines,
    meshes: Meshes,
    vertices: wgpu::Buffer,
    indices: wgpu::Buffer,
    globals: wgpu::Buffer,
    casting_group: wgpu::BindGroup,
    group: wgpu::BindGroup,
    shadow_map: wgpu::TextureView,
    instances: Growing,
    lines: Growing,
    /// `None` where the device has no timestamps.
    timer: Option<Timer>,
    /// Where each mesh's instances lie in the buffer.
    ranges: [MeshRanges; MeshKind::COUNT],
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
        let globals = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("globals"),
            size: size_of::<Globals>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
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
        let entry = |binding, resource| wgpu::BindGroupEntry { binding, resource };
        let entries = [
            entry(0, globals.as_entire_binding()),
            entry(1, wgpu::BindingResource::TextureView(&shadow_map)),
            entry(2, wgpu::BindingResource::Sampler(&sampler)),
        ];
        let group = |layout, entries: &[wgpu::BindGroupEntry<'_>]| {
            device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries })
        };
        Self {
            casting_group: group(&pipelines.casting_layout, &entries[..1]),
            group: group(&pipelines.layout, &entries),
            pipelines,
            meshes,
            vertices,
            indices,
            globals,
            shadow_map,
            instances: Growing::new("instances"),
            lines: Growing::new("lines"),
            timer: Timer::new(context),
            ranges: Default::default(),
        }
    }

    /// Fills the buffers and records the passes.
    pub fn paint(
        &mut self,
        context: &GpuContext,
        target: &wgpu::TextureView,
        attachments: &Attachments,
        batch: &Batch,
        snapshot: &Snapshot,
        grid: bool,
    ) -> wgpu::CommandBuffer {
        let globals = Globals::new(batch, snapshot, grid);
        context.queue.write_buffer(&self.globals, 0, bytemuck::bytes_of(&globals));
        self.upload(context, batch);
        let mut encoder =
            context.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("picture") });
        self.shadow_pass(&mut encoder);
        self.main_pass(&mut encoder, target, attachments, batch, grid);
        if let Some(timer) = &self.timer {
            timer.resolve(&mut encoder);
        }
        encoder.finish()
    }

    /// The meshes, for another pass that draws shapes.
    pub const fn mesh_buffers(&self) -> MeshBuffers<'_> {
        MeshBuffers { meshes: &self.meshes, vertices: &self.vertices, indices: &self.indices }
    }

    /// What the GPU was busy for in the picture painted last, once that has been waited for.
    pub fn gpu_time(&self, context: &GpuContext) -> Option<Nanos> {
        self.timer.as_ref().and_then(|timer| timer.read(context))
    }

    /// Puts the instances of all meshes behind one another, and the selected ones last.
    fn upload(&mut self, context: &GpuContext, batch: &Batch) {
        let count: usize = batch
            .meshes
            .iter()
            .map(|mesh| Part::ALL.iter().map(|part| mesh[*part].len()).sum::<usize>())
            .sum();
        let marked = usize::from(batch.selected.is_some()) + batch.also_selected.len();
        self.instances.fit(context, (count + marked) * size_of::<Instance>());
        let mut at = 0;
        let mut append = |instances: &[Instance]| {
            self.instances.write(context, at as usize * size_of::<Instance>(), instances);
            at += instances.len() as u32;
            at
        };
        for (mesh, ranges) in batch.meshes.iter().zip(&mut self.ranges) {
            let start = append(&[]);
            let ground = append(&mesh[Part::Ground]);
            let drawn_only = append(&mesh[Part::DrawnOnly]);
            let casting = append(&mesh[Part::Casting]);
            let end = append(&mesh[Part::UnseenCasting]);
            *ranges = MeshRanges { ground: start..ground, drawn: ground..casting, casting: drawn_only..end };
        }
        for (_, instance) in batch.selected.iter().chain(&batch.also_selected) {
            append(std::slice::from_ref(instance));
        }
        self.lines.fit(context, std::mem::size_of_val(batch.lines.as_slice()));
        self.lines.write(context, 0, &batch.lines);
    }

    fn shadow_pass(&self, encoder: &mut wgpu::CommandEncoder) {
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
        pass.set_bind_group(0, &self.casting_group, &[]);
        pass.set_pipeline(&self.pipelines.shadow);
        self.shapes(&mut pass, |ranges| ranges.casting.clone());
    }

    fn main_pass(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        attachments: &Attachments,
        batch: &Batch,
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
        pass.set_bind_group(0, &self.group, &[]);
        pass.set_pipeline(&self.pipelines.mesh);
        self.shapes(&mut pass, |ranges| ranges.drawn.clone());
        pass.set_pipeline(&self.pipelines.ground);
        self.shapes(&mut pass, |ranges| ranges.ground.clone());
        pass.set_pipeline(&self.pipelines.sky);
        pass.draw(0..3, 0..1);
        // The ground shows shadows even where its lines are off, unless a floor does.
        if grid || batch.bare_ground {
            pass.set_pipeline(&self.pipelines.grid);
            pass.draw(0..4, 0..1);
        }
        self.marks(&mut pass, batch);
    }

    fn shapes(&self, pass: &mut wgpu::RenderPass<'_>, which: impl Fn(&MeshRanges) -> Range<u32>) {
        pass.set_vertex_buffer(0, self.vertices.slice(..));
        pass.set_vertex_buffer(1, self.instances.buffer_slice());
        pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint16);
        for (ranges, span) in self.ranges.iter().zip(&self.meshes.spans) {
            let instances = which(ranges);
            if !instances.is_empty() {
                pass.draw_indexed(span.indices.clone(), span.base_vertex, instances);
            }
        }
    }

    /// The rings around the selected shapes and the dashed outlines: over everything, so that neither is ever hidden.
    fn marks(&self, pass: &mut wgpu::RenderPass<'_>, batch: &Batch) {
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
            pass.set_vertex_buffer(0, self.lines.buffer_slice());
            pass.draw(0..batch.lines.len() as u32, 0..1);
        }
    }
}

/// A vertex buffer that grows when more is to go in, by at least half, and never shrinks.
#[derive(Debug)]
pub(super) struct Growing {
    label: &'static str,
    buffer: Option<wgpu::Buffer>,
}

impl Growing {
    pub const fn new(label: &'static str) -> Self {
        Self { label, buffer: None }
    }

    pub fn fit(&mut self, context: &GpuContext, bytes: usize) {
        let has = self.buffer.as_ref().map_or(0, wgpu::Buffer::size);
        if has < bytes as u64 || self.buffer.is_none() {
            self.buffer = Some(context.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(self.label),
                size: (bytes as u64 + bytes as u64 / 2).max(4096).next_multiple_of(256),
                usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }));
        }
    }

    pub fn write<T: bytemuck::Pod>(&self, context: &GpuContext, at: usize, values: &[T]) {
        if let (Some(buffer), false) = (&self.buffer, values.is_empty()) {
            context.queue.write_buffer(buffer, at as u64, bytemuck::cast_slice(values));
        }
    }

    pub fn buffer_slice(&self) -> Option<wgpu::BufferSlice<'_>> {
        self.buffer.as_ref().map(|buffer| buffer.slice(..))
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
