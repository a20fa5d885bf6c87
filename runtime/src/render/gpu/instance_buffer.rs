//! One instance buffer of the ring: all that one picture is drawn from and no other one under way.
//!
//! The processor writes into memory that stays mapped while the GPU does not use it; what is new in there is copied, on the
//! GPU, to where the shapes are drawn from. Both keep what they held, so only what changed goes either way.

use super::growing::Growing;
use super::timer::Stamps;
use super::{GpuContext, GpuError};
use crate::render::batch::{Changes, Holds, Instance};
use std::mem::size_of;
use std::ops::Range;

const SIZE: usize = size_of::<Instance>();

/// What a picture is drawn from: a part for the view, and one for its second one where there is any.
#[derive(Debug)]
pub(super) struct InstanceBuffer {
    pub views: [ViewBuffers; 2],
}

/// What a picture is drawn from, seen from one view.
#[derive(Debug)]
pub(super) struct ViewBuffers {
    pub globals: wgpu::Buffer,
    pub casting_group: wgpu::BindGroup,
    pub group: wgpu::BindGroup,
    pub lines: Growing,
    pub instances: Staged,
    /// Where the GPU's stamps of this picture are read; `None` where the device has none.
    pub stamps: Option<Stamps>,
}

impl InstanceBuffer {
    /// The picture in which it was last filled; 0 for never.
    pub fn filled_in(&self) -> u64 {
        self.views[0].instances.holds.map_or(0, |holds| holds.picture)
    }

    /// After the submit: what comes back from the GPU is asked for, to be there when it is done.
    pub fn submitted(&mut self) {
        for view in &mut self.views {
            view.instances.submitted();
            if let Some(stamps) = &mut view.stamps {
                stamps.ask();
            }
        }
    }
}

/// Instances on their way to the GPU, and where they are drawn from.
#[derive(Debug, Default)]
pub(super) struct Staged {
    // Mapped but while the GPU uses it.
    staging: Option<wgpu::Buffer>,
    drawn: Option<wgpu::Buffer>,
    // What stands in both.
    holds: Option<Holds>,
    // In bytes, ascending: what is to be copied from the one to the other.
    to_copy: Vec<Range<u64>>,
    unmapped: bool,
}

impl Staged {
    /// Writes what this buffer lacks of the newest instances, and `more` behind them; answers how many bytes.
    pub fn fill(
        &mut self,
        context: &GpuContext,
        changes: &Changes,
        more: impl Iterator<Item = Instance> + Clone,
    ) -> Result<u64, GpuError> {
        let count = changes.count();
        self.fit(context, (count + more.clone().count()) * SIZE);
        // Nothing is held for sure until all is written.
        let holds = self.holds.take();
        self.to_copy.clear();
        let Some(staging) = &self.staging else { return Ok(0) };
        // Mapped once for all of it, and not at all where nothing is new.
        let mut mapped = None;
        let mut copied = 0;
        let mut refused = None;
        let to_copy = &mut self.to_copy;
        let mut write = |begin: usize, instances: &[Instance]| {
            if mapped.is_none() {
                match staging.get_mapped_range_mut(..) {
                    Ok(range) => mapped = Some(range),
                    Err(error) => refused = Some(error.to_string()),
                }
            }
            let Some(range) = &mut mapped else { return };
            let bytes: &[u8] = bytemuck::cast_slice(instances);
            let begin = begin * SIZE;
            range.slice(begin..begin + bytes.len()).copy_from_slice(bytes);
            copied += bytes.len() as u64;
            let (begin, end) = (begin as u64, (begin + bytes.len()) as u64);
            match to_copy.last_mut() {
                Some(last) if last.end == begin => last.end = end,
                _ => to_copy.push(begin..end),
            }
        };
        changes.lacking(holds.as_ref(), &mut write);
        for (at, instance) in more.enumerate() {
            write(count + at, &[instance]);
        }
        drop(mapped);
        if let Some(refused) = refused {
            // It never came back from the GPU: another one is made for the next picture.
            *self = Self::default();
            return Err(GpuError::Refused(refused));
        }
        self.holds = Some(changes.now());
        Ok(copied)
    }

    /// Records the copies on the GPU.
    pub fn copy(&mut self, encoder: &mut wgpu::CommandEncoder) {
        let (Some(staging), Some(drawn), false) = (&self.staging, &self.drawn, self.to_copy.is_empty())
        else {
            return;
        };
        staging.unmap();
        self.unmapped = true;
        for range in self.to_copy.drain(..) {
            encoder.copy_buffer_to_buffer(staging, range.start, drawn, range.start, range.end - range.start);
        }
    }

    /// The commands are on their way: the memory is to be mapped again when they are done.
    fn submitted(&mut self) {
        if let (Some(staging), true) = (&self.staging, std::mem::take(&mut self.unmapped)) {
            // Whether it was, the next writing finds out.
            staging.map_async(wgpu::MapMode::Write, .., |_| {});
        }
    }

    pub fn buffer_slice(&self) -> Option<wgpu::BufferSlice<'_>> {
        self.drawn.as_ref().map(|buffer| buffer.slice(..))
    }

    /// Room for so many bytes; it grows by half at least, and never shrinks.
    fn fit(&mut self, context: &GpuContext, bytes: usize) {
        let has = self.drawn.as_ref().map_or(0, wgpu::Buffer::size);
        if has >= bytes as u64 && self.drawn.is_some() {
            return;
        }
        let size = (bytes as u64 + bytes as u64 / 2).max(4096).next_multiple_of(256);
        let buffer = |label, usage, mapped_at_creation| {
            let descriptor = wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation };
            Some(context.device.create_buffer(&descriptor))
        };
        let staging = wgpu::BufferUsages::MAP_WRITE | wgpu::BufferUsages::COPY_SRC;
        let drawn = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST;
        self.staging = buffer("written instances", staging, true);
        self.drawn = buffer("instances", drawn, false);
        self.holds = None;
        self.unmapped = false;
    }
}
