//! A window without an interface: the newest picture goes from the renderer to the window's surface, on the render thread.
//!
//! ```text
//!   batch ─▶ submit ─▶ Target ─▶ next image of the surface ─▶ blit ─▶ present
//! ```
//!
//! The blit stands behind the picture in the GPU's queue, so nobody waits for the one before the other is submitted.
//! Everything of the surface happens on this one thread, its configuration too. So nothing else ever submits while it is
//! configured anew (wgpu bears that badly), and the window's thread never waits for a display.

mod images;

use super::context::{GpuContext, one_line};
use super::{GpuError, GpuRenderer, MOST_TARGETS, Target, TargetReceiver, View, ViewSender};
use crate::frame::record::{Flight, Presented};
use crate::frame::zones::zone;
use crate::handoff::FrameDescriptor;
use crate::log_limit::LimitedLine;
use crate::render::{BatchFigures, Finished, FlightLimits, RenderError, Renderer, Room};
use crate::snapshot::Snapshot;
use crate::time::Nanos;
use crate::time::phase_lock::refresh_waited_for;
use crate::time::source::RealClock;
use images::{Answer, Images, Source};

/// Images that the surface may hold ready; the display shows one of them at each refresh.
const IMAGES_AHEAD: u32 = 1;

/// Draws a snapshot and shows it on a window.
pub struct Presenting {
    renderer: GpuRenderer,
    // Where the renderer leaves what is done; what is shown was taken before.
    targets: TargetReceiver,
    surface: WindowSurface,
    clock: RealClock,
    presented: Option<Presented>,
}

impl Presenting {
    /// A renderer for this surface, and where its views go. The view's size is that of the window.
    ///
    /// # Errors
    /// The device refused to make what is needed.
    pub fn new(
        context: GpuContext,
        surface: WindowSurface,
        view: View,
        limits: FlightLimits,
    ) -> Result<(Self, ViewSender), GpuError> {
        let (mut renderer, targets, views) = GpuRenderer::new(context, view)?;
        renderer.fly(limits);
        let presenting = Self { renderer, targets, surface, clock: RealClock::new(), presented: None };
        Ok((presenting, views))
    }

    /// Shows the picture submitted last. A window that takes no picture now is not shown one.
    fn present(&mut self) -> Result<(), GpuError> {
        self.presented = None;
        if let Some((context, target)) = self.renderer.newest_under_way() {
            self.presented = self.surface.show(context, target, &self.clock)?;
        }
        Ok(())
    }
}

impl Renderer<Snapshot> for Presenting {
    fn on_stop(&mut self) {
        self.renderer.on_stop();
    }

    fn room(&mut self) -> Room {
        self.renderer.room()
    }

    fn under_way(&self) -> usize {
        self.renderer.under_way()
    }

    fn take_finished(&mut self) -> Option<Finished> {
        let finished = self.renderer.take_finished();
        self.targets.take();
        finished
    }

    fn settle(&mut self) {
        self.renderer.settle();
    }

    fn flight(&self) -> Flight {
        self.renderer.flight()
    }

    fn batch(&mut self, frame: &FrameDescriptor, snapshot: &Snapshot) -> Result<BatchFigures, RenderError> {
        self.renderer.batch(frame, snapshot)
    }

    fn submit(&mut self, frame: &FrameDescriptor, snapshot: &Snapshot) -> Result<(), RenderError> {
        self.presented = None;
        self.renderer.submit(frame, snapshot)?;
        Ok(self.present()?)
    }

    fn gpu_time(&self) -> Option<Nanos> {
        self.renderer.gpu_time()
    }

    fn presented(&self) -> Option<Presented> {
        self.presented
    }

    fn redraw(&mut self, snapshot: &Snapshot) -> Result<bool, RenderError> {
        let drawn = self.renderer.redraw(snapshot)?;
        if drawn {
            self.present()?;
        }
        Ok(drawn)
    }

    fn view_changed(&mut self) -> bool {
        self.renderer.view_changed()
    }
}

/// Makes a surface of a window, where the one before is lost: called on the render thread, and may say that it cannot be
/// done there.
pub struct SurfaceMaker(Box<dyn FnMut() -> Result<wgpu::Surface<'static>, String> + Send>);

impl SurfaceMaker {
    pub fn new(make: impl FnMut() -> Result<wgpu::Surface<'static>, String> + Send + 'static) -> Self {
        Self(Box::new(make))
    }
}

impl std::fmt::Debug for SurfaceMaker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SurfaceMaker")
    }
}

/// A window's surface, and what it takes to put a target on it.
#[derive(Debug)]
pub struct WindowSurface {
    surface: wgpu::Surface<'static>,
    maker: SurfaceMaker,
    config: wgpu::SurfaceConfiguration,
    images: Images,
    losses_logged: LimitedLine,
    pipeline: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
    sampler: wgpu::Sampler,
    // For each target, with the generation of the texture it names.
    groups: [Option<(u64, wgpu::BindGroup)>; MOST_TARGETS],
}

impl WindowSurface {
    /// Made for a surface of this size, with who makes another one should it be lost. Pictures wait for the display's
    /// refresh: nothing tears.
    ///
    /// # Errors
    /// The adapter cannot draw on it, or the device refused.
    pub fn new(
        context: &GpuContext,
        adapter: &wgpu::Adapter,
        (surface, maker): (wgpu::Surface<'static>, SurfaceMaker),
        size: [u32; 2],
    ) -> Result<Self, GpuError> {
        let [width, height] = size.map(|edge| edge.max(1));
        let mut config = surface.get_default_config(adapter, width, height).ok_or_else(|| {
            GpuError::Refused(format!("the adapter {} cannot draw on this window", context.adapter_name))
        })?;
        let formats = surface.get_capabilities(adapter).formats;
        // A target's colours are encoded already: best is a surface that takes them as they are.
        config.format = formats.iter().copied().find(|format| !format.is_srgb()).unwrap_or(config.format);
        config.present_mode = wgpu::PresentMode::AutoVsync;
        config.desired_maximum_frame_latency = IMAGES_AHEAD;
        let device = &context.device;
        let layout = layout(device);
        let pipeline = context.checked(|| Ok(pipeline(device, &layout, config.format)))?;
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("present"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        });
        Ok(Self {
            surface,
            maker,
            config,
            images: Images::new(),
            losses_logged: LimitedLine::new(|held_back| {
                tracing::warn!(target: "framewalk", held_back, "surface_lost");
            }),
            pipeline,
            layout,
            sampler,
            groups: [const { None }; MOST_TARGETS],
        })
    }

    /// Puts the target on the next image of the surface; `None` where there is none to be had now.
    fn show(
        &mut self,
        context: &GpuContext,
        target: &Target,
        clock: &RealClock,
    ) -> Result<Option<Presented>, GpuError> {
        let [width, height] = target.size;
        if [self.config.width, self.config.height] != target.size {
            self.images.outdate();
        }
        (self.config.width, self.config.height) = (width, height);
        let losses = self.images.losses();
        let asked = clock.now();
        let image = self.image(context);
        let got = clock.now();
        if self.images.losses() == losses {
            self.losses_logged.look(got);
        } else if let Some(held_back) = self.losses_logged.allow(got) {
            tracing::warn!(target: "framewalk", in_a_row = self.images.failures(), held_back, "surface_lost");
        }
        // A device that is lost refuses everything from then on.
        context.alive()?;
        let Some(image) = image? else { return Ok(None) };
        context.checked(|| {
            let view = image.texture.create_view(&wgpu::TextureViewDescriptor::default());
            let commands = self.blit(context, target, &view);
            // Nobody configures this surface but this thread; the gate is for windows that others configure.
            let _gate = context.gate.read().unwrap_or_else(std::sync::PoisonError::into_inner);
            context.queue.submit([commands]);
            zone!("present");
            context.queue.present(image);
            Ok(())
        })?;
        // Making a surface anew takes its time, and is no refresh of the display.
        let refresh = refresh_waited_for(asked, got).filter(|_| self.images.losses() == losses);
        Ok(Some(Presented { at: clock.now(), refresh }))
    }

    fn image(&mut self, context: &GpuContext) -> Result<Option<wgpu::SurfaceTexture>, GpuError> {
        zone!("wait_for_display");
        let Self { surface, maker, config, images, .. } = self;
        let mut real = Real { surface, maker, config, context };
        images.next(&mut real).map_err(|sentence| GpuError::Refused(one_line(&sentence)))
    }

    fn blit(
        &mut self,
        context: &GpuContext,
        target: &Target,
        surface: &wgpu::TextureView,
    ) -> wgpu::CommandBuffer {
        let (layout, sampler) = (&self.layout, &self.sampler);
        let make = || group(&context.device, layout, sampler, &target.view);
        let kept = &mut self.groups[usize::from(target.index) % MOST_TARGETS];
        let group = match kept.take() {
            Some((generation, group)) if generation == target.generation => group,
            _ => make(),
        };
        let (_, group) = kept.insert((target.generation, group));
        let mut encoder =
            context.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("present") });
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("present"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: surface,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                    store: wgpu::StoreOp::Store,
                },
            })],
            ..Default::default()
        });
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &*group, &[]);
        pass.draw(0..3, 0..1);
        drop(pass);
        encoder.finish()
    }
}

/// The surface of a window.
struct Real<'a> {
    surface: &'a mut wgpu::Surface<'static>,
    maker: &'a mut SurfaceMaker,
    config: &'a wgpu::SurfaceConfiguration,
    context: &'a GpuContext,
}

impl Source for Real<'_> {
    type Image = wgpu::SurfaceTexture;

    fn configure(&mut self) -> Result<(), String> {
        let configured = self.context.checked(|| {
            self.surface.configure(&self.context.device, self.config);
            Ok(())
        });
        configured.map_err(|error| error.to_string())
    }

    fn make_anew(&mut self) -> Result<(), String> {
        // The old one goes before the new one is configured: a window bears the images of one only.
        *self.surface = (self.maker.0)()?;
        Ok(())
    }

    fn next(&mut self) -> Answer<wgpu::SurfaceTexture> {
        // What is wrong is told by the answer, or is a refusal: the next may be a good one.
        let Ok(answer) = self.context.checked(|| Ok(self.surface.get_current_texture())) else {
            return Answer::Refused;
        };
        match answer {
            wgpu::CurrentSurfaceTexture::Success(image) => Answer::Image(image),
            wgpu::CurrentSurfaceTexture::Suboptimal(image) => Answer::Suboptimal(image),
            wgpu::CurrentSurfaceTexture::Timeout | wgpu::CurrentSurfaceTexture::Occluded => Answer::NotNow,
            wgpu::CurrentSurfaceTexture::Outdated => Answer::Outdated,
            wgpu::CurrentSurfaceTexture::Validation => Answer::Refused,
            wgpu::CurrentSurfaceTexture::Lost => Answer::Lost,
        }
    }
}

fn layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::FRAGMENT,
        ty,
        count: None,
    };
    let picture = wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable: true },
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    };
    let filtering = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("present"),
        entries: &[entry(0, picture), entry(1, filtering)],
    })
}

fn group(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    sampler: &wgpu::Sampler,
    picture: &wgpu::TextureView,
) -> wgpu::BindGroup {
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("present"),
        layout,
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(picture) },
            wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::Sampler(sampler) },
        ],
    })
}

fn pipeline(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    format: wgpu::TextureFormat,
) -> wgpu::RenderPipeline {
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("present"),
        source: wgpu::ShaderSource::Wgsl(include_str!("present.wgsl").into()),
    });
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some("present"),
        bind_group_layouts: &[Some(layout)],
        immediate_size: 0,
    });
    let constants = [("surface_encodes", f64::from(u8::from(format.is_srgb())))];
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("present"),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("present_vertex"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: &[],
        },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: None,
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some("present_fragment"),
            compilation_options: wgpu::PipelineCompilationOptions {
                constants: &constants,
                ..Default::default()
            },
            targets: &[Some(wgpu::ColorTargetState {
                format,
                blend: None,
                write_mask: wgpu::ColorWrites::ALL,
            })],
        }),
        multiview_mask: None,
        cache: None,
    })
}
