//! A vertex buffer for as much as there happens to be.

use super::GpuContext;

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
