//! How long the GPU worked on a picture, by its own clock.

use super::GpuContext;
use crate::time::Nanos;

/// Stamps the beginning and the end of one picture's passes, where the device was made with timestamp queries.
#[derive(Debug)]
pub(super) struct Timer {
    stamps: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    readable: wgpu::Buffer,
    nanos_per_stamp: f64,
}

/// Two stamps of 64 bits.
const BYTES: u64 = 16;

impl Timer {
    pub fn new(context: &GpuContext) -> Option<Self> {
        let device = &context.device;
        if !device.features().contains(wgpu::Features::TIMESTAMP_QUERY) {
            return None;
        }
        let buffer = |label, usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: BYTES,
                usage,
                mapped_at_creation: false,
            })
        };
        Some(Self {
            stamps: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("stamps"),
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            }),
            resolved: buffer("stamps", wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC),
            readable: buffer("read stamps", wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST),
            nanos_per_stamp: f64::from(context.queue.get_timestamp_period()),
        })
    }

    /// For the first pass of a picture.
    pub fn at_begin(&self) -> wgpu::RenderPassTimestampWrites<'_> {
        wgpu::RenderPassTimestampWrites {
            query_set: &self.stamps,
            beginning_of_pass_write_index: Some(0),
            end_of_pass_write_index: None,
        }
    }

    /// For the last pass of a picture.
    pub fn at_end(&self) -> wgpu::RenderPassTimestampWrites<'_> {
        wgpu::RenderPassTimestampWrites {
            query_set: &self.stamps,
            beginning_of_pass_write_index: None,
            end_of_pass_write_index: Some(1),
        }
    }

    /// After the last pass.
    pub fn resolve(&self, encoder: &mut wgpu::CommandEncoder) {
        encoder.resolve_query_set(&self.stamps, 0..2, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.readable, 0, BYTES);
    }

    /// Between the two stamps, once the picture is done; `None` where they cannot be read or make no sense.
    pub fn read(&self, context: &GpuContext) -> Option<Nanos> {
        let slice = self.readable.slice(..);
        slice.map_async(wgpu::MapMode::Read, |_| {});
        // The picture has been waited for: this only lets wgpu notice.
        let polled = context.device.poll(wgpu::PollType::Poll);
        let stamps = polled.ok().and_then(|_| {
            let bytes = slice.get_mapped_range().ok()?;
            let mut stamps = bytes
                .chunks_exact(8)
                .map(|stamp| stamp.try_into().map(u64::from_le_bytes).unwrap_or_default());
            Some((stamps.next()?, stamps.next()?))
        });
        self.readable.unmap();
        let (begin, end) = stamps?;
        let nanos = end.checked_sub(begin)? as f64 * self.nanos_per_stamp;
        (nanos > 0.0 && nanos < 1e12).then_some(Nanos(nanos as i64))
    }
}
