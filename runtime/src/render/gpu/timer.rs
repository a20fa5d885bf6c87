//! How long the GPU worked on a picture, by its own clock.

use super::GpuContext;
use crate::time::Nanos;

/// Stamps the beginning and the end of one picture's passes, where the device was made with timestamp queries.
#[derive(Debug)]
pub(super) struct Timer {
    // Pictures follow one another on the GPU: they share the queries, and each has its own place to be read at.
    stamps: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    nanos_per_stamp: f64,
}

/// Where the stamps of one picture are read once it is done.
#[derive(Debug)]
pub(super) struct Stamps {
    readable: wgpu::Buffer,
    // Commands write to it that were not submitted yet; it is being mapped for those that were.
    written: bool,
    asked: bool,
}

/// Two stamps of 64 bits.
const BYTES: u64 = 16;

impl Timer {
    pub fn new(context: &GpuContext) -> Option<Self> {
        let device = &context.device;
        if !device.features().contains(wgpu::Features::TIMESTAMP_QUERY) {
            return None;
        }
        Some(Self {
            stamps: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("stamps"),
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            }),
            resolved: device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("stamps"),
                size: BYTES,
                usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            }),
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

    /// After the last pass: the stamps will be read there.
    pub fn resolve(&self, encoder: &mut wgpu::CommandEncoder, stamps: &mut Stamps) {
        encoder.resolve_query_set(&self.stamps, 0..2, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &stamps.readable, 0, BYTES);
        stamps.written = true;
    }

    /// Between the two stamps, once the picture is done; `None` where they cannot be read or make no sense.
    pub fn read(&self, stamps: &mut Stamps) -> Option<Nanos> {
        if !std::mem::take(&mut stamps.asked) {
            return None;
        }
        let read = stamps.readable.get_mapped_range(..).ok().and_then(|bytes| {
            let mut stamps = bytes
                .chunks_exact(8)
                .map(|stamp| stamp.try_into().map(u64::from_le_bytes).unwrap_or_default());
            Some((stamps.next()?, stamps.next()?))
        });
        stamps.readable.unmap();
        let (begin, end) = read?;
        let nanos = end.checked_sub(begin)? as f64 * self.nanos_per_stamp;
        (nanos > 0.0 && nanos < 1e12).then_some(Nanos(nanos as i64))
    }
}

impl Stamps {
    pub fn new(context: &GpuContext) -> Self {
        let readable = context.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("read stamps"),
            size: BYTES,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Self { readable, asked: false, written: false }
    }

    /// The commands are on their way: what they write is to be read when they are done.
    pub fn ask(&mut self) {
        if std::mem::take(&mut self.written) {
            self.readable.map_async(wgpu::MapMode::Read, .., |_| {});
            self.asked = true;
        }
    }
}
