//! Says what is drawn at a place: a few shapes in a small square, read back without waiting.

use super::growing::Growing;
use super::meshes::MeshBuffers;
use super::pipelines::Numbers;
use super::target::texture;
use super::{DEPTH_FORMAT, GpuContext, GpuError};
use crate::render::Attention;
use crate::render::pick::{PATCH, PATCH_TEXELS, Pick, PickDesk};
use crate::scene::EntityId;
use std::mem::size_of;
use std::sync::mpsc;

/// A row of the square as it is read back: copies ask for this much.
const ROW: u32 = wgpu::COPY_BYTES_PER_ROW_ALIGNMENT;

/// Answers one question after another, each between two frames; kept by the renderer once somebody asks.
pub(super) struct PickPass {
    desk: PickDesk,
    /// Made for the first question.
    square: Option<Square>,
    under_way: Option<UnderWay>,
}

/// A question whose square was submitted.
struct UnderWay {
    pick: Pick,
    mapped: mpsc::Receiver<Result<(), wgpu::BufferAsyncError>>,
}

/// What the square is drawn into and read from.
struct Square {
    numbers: Numbers,
    target: wgpu::Texture,
    view: wgpu::TextureView,
    depth: wgpu::TextureView,
    matrix: wgpu::Buffer,
    group: wgpu::BindGroup,
    instances: Growing,
    readable: wgpu::Buffer,
}

impl PickPass {
    pub fn new(desk: PickDesk) -> Self {
        Self { desk, square: None, under_way: None }
    }

    /// Takes the answer that has come, or begins with the next question; never waits for the GPU.
    pub fn attend(&mut self, context: &GpuContext, buffers: &MeshBuffers<'_>) -> Attention {
        if let Some(under_way) = self.under_way.take() {
            let came = context.look().map(|()| under_way.mapped.try_recv());
            let read = match came {
                Ok(Err(mpsc::TryRecvError::Empty)) => {
                    self.under_way = Some(under_way);
                    return Attention::UnderWay;
                }
                Ok(Ok(Ok(()))) => self.read(context, &under_way.pick),
                Ok(Ok(Err(error))) => Err(GpuError::Refused(error.to_string())),
                Ok(Err(mpsc::TryRecvError::Disconnected)) => {
                    Err(GpuError::Refused("what was drawn at the place cannot be read".to_owned()))
                }
                Err(lost) => Err(lost),
            };
            if read.is_err() {
                // It may still be mapped, or never will be: the next question gets another one.
                self.square = None;
            }
            self.desk.answer(under_way.pick, read.map_err(Into::into));
            return Attention::Answered;
        }
        let Some(pick) = self.desk.take_asked() else { return Attention::Idle };
        if pick.is_empty() {
            self.desk.answer(pick, Ok(None));
            return Attention::Answered;
        }
        match self.begin(context, buffers, &pick) {
            Ok(mapped) => {
                self.under_way = Some(UnderWay { pick, mapped });
                Attention::UnderWay
            }
            Err(error) => {
                self.desk.answer(pick, Err(error.into()));
                Attention::Answered
            }
        }
    }

    fn begin(
        &mut self,
        context: &GpuContext,
        buffers: &MeshBuffers<'_>,
        pick: &Pick,
    ) -> Result<mpsc::Receiver<Result<(), wgpu::BufferAsyncError>>, GpuError> {
        let square = &mut self.square;
        context.checked(|| {
            let square = square.get_or_insert_with(|| Square::new(context));
            let commands = square.draw(context, buffers, pick);
            context.submit([commands])?;
            let (sender, mapped) = mpsc::channel();
            square.readable.map_async(wgpu::MapMode::Read, .., move |result| {
                // Nobody waits for it where the renderer is gone.
                let _ = sender.send(result);
            });
            Ok(mapped)
        })
    }

    fn read(&self, context: &GpuContext, pick: &Pick) -> Result<Option<EntityId>, GpuError> {
        let Some(square) = &self.square else { return Ok(None) };
        context.checked(|| {
            let mut numbers = [0; PATCH_TEXELS];
            {
                let bytes = square
                    .readable
                    .get_mapped_range(..)
                    .map_err(|error| GpuError::Refused(error.to_string()))?;
                let rows = bytes
                    .chunks(ROW as usize)
                    .flat_map(|row| row.as_chunks::<4>().0.iter().take(PATCH as usize));
                for (number, texel) in numbers.iter_mut().zip(rows) {
                    *number = u32::from_le_bytes(*texel);
                }
            }
            square.readable.unmap();
            Ok(pick.found_in(&numbers))
        })
    }
}

impl Square {
    fn new(context: &GpuContext) -> Self {
        let device = &context.device;
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let surface = |label, format, usage| texture(context, label, [PATCH; 2], format, 1, usage);
        let target = surface("numbers", Numbers::FORMAT, usage | wgpu::TextureUsages::COPY_SRC);
        let buffer = |label, size, usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        let numbers = Numbers::new(context);
        let uniform = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let matrix = buffer("clip from world", size_of::<[f32; 16]>() as u64, uniform);
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &numbers.layout,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: matrix.as_entire_binding() }],
        });
        let readable = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        Self {
            view: target.create_view(&wgpu::TextureViewDescriptor::default()),
            depth: surface("depth of numbers", DEPTH_FORMAT, usage)
                .create_view(&wgpu::TextureViewDescriptor::default()),
            instances: Growing::new("numbered instances"),
            readable: buffer("read numbers", u64::from(ROW * PATCH), readable),
            numbers,
            target,
            matrix,
            group,
        }
    }

    /// Fills the buffers and records the pass and the copy.
    fn draw(&mut self, context: &GpuContext, buffers: &MeshBuffers<'_>, pick: &Pick) -> wgpu::CommandBuffer {
        let matrix = pick.clip_from_world().to_cols_array();
        context.queue.write_buffer(&self.matrix, 0, bytemuck::cast_slice(&matrix));
        self.instances.fit(context, size_of_val(pick.instances()));
        self.instances.write(context, 0, pick.instances());
        let mut encoder =
            context.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("pick") });
        self.pass(&mut encoder, buffers, pick);
        encoder.copy_texture_to_buffer(
            self.target.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &self.readable,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(ROW),
                    rows_per_image: None,
                },
            },
            self.target.size(),
        );
        encoder.finish()
    }

    fn pass(&self, encoder: &mut wgpu::CommandEncoder, buffers: &MeshBuffers<'_>, pick: &Pick) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("pick"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &self.view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                    store: wgpu::StoreOp::Store,
                },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(1.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(0),
                    store: wgpu::StoreOp::Discard,
                }),
            }),
            ..Default::default()
        });
        pass.set_pipeline(&self.numbers.pipeline);
        pass.set_bind_group(0, &self.group, &[]);
        pass.set_vertex_buffer(0, buffers.vertices.slice(..));
        pass.set_vertex_buffer(1, self.instances.buffer_slice());
        pass.set_index_buffer(buffers.indices.slice(..), wgpu::IndexFormat::Uint16);
        for (mesh, instances) in pick.draws() {
            let span = &buffers.meshes.spans[mesh.idx()];
            pass.draw_indexed(span.indices.clone(), span.base_vertex, instances.clone());
        }
    }
}

#[cfg(test)]
mod tests;
