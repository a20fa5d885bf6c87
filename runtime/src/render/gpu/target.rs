//! What goes to the window: targets that go round through a slot. Three of them, and one more for each picture that is made
//! while others are in flight.

use super::{COLOR_FORMAT, DEPTH_FORMAT, GpuContext, GpuError};
use crate::render::flights::FlightLimits;
use crate::render::picture::Picture;

/// The three of the slot, and at most one for each picture in flight: the oldest of them stands in the slot's own.
pub const MOST_TARGETS: usize = 3 + FlightLimits::MOST_FRAMES_IN_FLIGHT as usize;

/// One of the pictures that go round between renderer and window.
///
/// The texture holds gamma-encoded sRGB as `Rgba8Unorm`, which is what egui's wgpu renderer samples as it stands (an
/// sRGB view would be decoded and come out too dark).
#[derive(Debug)]
pub struct Target {
    /// Which of them, from 0: below [`MOST_TARGETS`].
    pub index: u8,
    pub texture: wgpu::Texture,
    pub view: wgpu::TextureView,
    pub size: [u32; 2],
    /// Changes when the texture is made anew; a window that has registered another one points its id to this.
    pub generation: u64,
    pub picture: Picture,
    /// The same frame from the second view, where one was asked for.
    pub second: Option<SecondTarget>,
}

/// The picture from the second view; goes round with the target it belongs to.
#[derive(Debug)]
pub struct SecondTarget {
    pub texture: wgpu::Texture,
    pub view: wgpu::TextureView,
    pub size: [u32; 2],
    /// As [`Target::generation`], counted together with it.
    pub generation: u64,
}

/// Makes targets, and counts them so that no two textures have the same generation.
#[derive(Debug, Default)]
pub(super) struct TargetMaker {
    made: u64,
}

impl TargetMaker {
    pub fn make(&mut self, context: &GpuContext, index: u8, size: [u32; 2]) -> Target {
        let SecondTarget { texture, view, size, generation } = self.surface(context, size);
        Target { index, texture, view, size, generation, picture: Picture::default(), second: None }
    }

    fn surface(&mut self, context: &GpuContext, size: [u32; 2]) -> SecondTarget {
        let texture = texture(
            context,
            "target",
            size,
            COLOR_FORMAT,
            1,
            wgpu::TextureUsages::RENDER_ATTACHMENT
                | wgpu::TextureUsages::TEXTURE_BINDING
                | wgpu::TextureUsages::COPY_SRC,
        );
        self.made += 1;
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        SecondTarget { texture, view, size, generation: self.made }
    }

    /// Makes the texture anew where the size is another one; the picture's memory is kept.
    pub fn fit(&mut self, context: &GpuContext, target: &mut Target, size: [u32; 2]) -> Result<(), GpuError> {
        if target.size != size {
            let mut made = context.checked(|| Ok(self.make(context, target.index, size)))?;
            made.picture = std::mem::take(&mut target.picture);
            made.second = target.second.take();
            *target = made;
        }
        Ok(())
    }

    /// The target has a second texture of this size, or none.
    pub fn fit_second(
        &mut self,
        context: &GpuContext,
        target: &mut Target,
        size: Option<[u32; 2]>,
    ) -> Result<(), GpuError> {
        if target.second.as_ref().map(|second| second.size) != size {
            target.second = match size {
                Some(size) => Some(context.checked(|| Ok(self.surface(context, size)))?),
                None => None,
            };
        }
        Ok(())
    }
}

/// What is drawn into beside a target: depth, and the samples where there are several. One set serves all of them.
#[derive(Debug)]
pub(super) struct Attachments {
    pub size: [u32; 2],
    pub depth: wgpu::TextureView,
    /// `None` where the adapter takes one sample a pixel.
    pub samples: Option<wgpu::TextureView>,
}

impl Attachments {
    pub fn new(context: &GpuContext, size: [u32; 2]) -> Self {
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let view = |label, format| {
            texture(context, label, size, format, context.samples, usage)
                .create_view(&wgpu::TextureViewDescriptor::default())
        };
        Self {
            size,
            depth: view("depth", DEPTH_FORMAT),
            samples: (context.samples > 1).then(|| view("samples", COLOR_FORMAT)),
        }
    }
}

pub(super) fn texture(
    context: &GpuContext,
    label: &str,
    size: [u32; 2],
    format: wgpu::TextureFormat,
    samples: u32,
    usage: wgpu::TextureUsages,
) -> wgpu::Texture {
    context.device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: samples,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage,
        view_formats: &[],
    })
}
