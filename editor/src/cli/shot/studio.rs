//! An egui window that exists nowhere: its passes, and the last of them as a picture.

use std::sync::Arc;

use egui::{FullOutput, RawInput, Rect, pos2, vec2};
use egui_wgpu::{
    RenderState, RendererOptions, ScreenDescriptor, WgpuConfiguration, WgpuSetup, WgpuSetupCreateNew,
};
use framewalk_runtime::render::gpu::{DeviceHealth, GpuContext, RgbaImage};

use crate::app::EditorApp;

/// A window's worth of pixels, and the device that draws them.
pub struct Studio {
    ctx: egui::Context,
    render: RenderState,
    context: GpuContext,
    size: [u32; 2],
    last: Option<FullOutput>,
    passes: u32,
}

impl Studio {
    /// Any adapter, a software one where there is no other; or that one first.
    ///
    /// # Errors
    /// No adapter or no device: a sentence.
    pub fn new(size: [u32; 2], software: bool) -> Result<Self, String> {
        let mut setup = WgpuSetupCreateNew::without_display_handle();
        if software {
            setup.native_adapter_selector = Some(Arc::new(|adapters, _| software_first(adapters)));
        }
        let setup = WgpuSetup::CreateNew(setup);
        let instance = pollster::block_on(setup.new_instance());
        let config = WgpuConfiguration { wgpu_setup: setup, ..WgpuConfiguration::default() };
        // The same picture on every machine, as far as its adapter lets it.
        let options = RendererOptions::PREDICTABLE;
        let render = pollster::block_on(RenderState::create(&config, &instance, None, options))
            .map_err(|error| format!("nothing can be drawn here: {error}"))?;
        let health = DeviceHealth::watch(&render.device);
        let (device, queue) = (render.device.clone(), render.queue.clone());
        let context = GpuContext::from_window(device, queue, &render.adapter, Default::default(), health);
        Ok(Self { ctx: egui::Context::default(), render, context, size, last: None, passes: 0 })
    }

    /// Another size, from the next pass on.
    pub fn resize(&mut self, size: [u32; 2]) {
        self.size = size;
    }

    pub fn ctx(&self) -> &egui::Context {
        &self.ctx
    }

    pub fn render_state(&self) -> &RenderState {
        &self.render
    }

    /// One pass of the whole editor. Time moves by a sixtieth of a second, on no clock.
    pub fn pass(&mut self, editor: &mut EditorApp) {
        let [width, height] = self.size.map(|side| side as f32);
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(width, height))),
            time: Some(f64::from(self.passes) / 60.0),
            max_texture_side: Some(self.render.device.limits().max_texture_dimension_2d as usize),
            ..RawInput::default()
        };
        self.passes += 1;
        let mut output = self.ctx.run_ui(input, |ui| {
            let ctx = ui.ctx().clone();
            editor.logic_pass(&ctx);
            editor.ui_pass(ui);
        });
        let mut renderer = self.render.renderer.write();
        for (id, images) in std::mem::take(&mut output.textures_delta.set) {
            for image in images {
                renderer.update_texture(&self.render.device, &self.render.queue, id, &image);
            }
        }
        for id in std::mem::take(&mut output.textures_delta.free) {
            renderer.free_texture(&id);
        }
        drop(renderer);
        self.last = Some(output);
    }

    /// The last pass, painted.
    ///
    /// # Errors
    /// Nothing was drawn, or the device refused.
    pub fn picture(&self) -> Result<RgbaImage, String> {
        let output = self.last.as_ref().ok_or_else(|| "nothing was drawn".to_owned())?;
        let (device, queue) = (&self.render.device, &self.render.queue);
        let screen =
            ScreenDescriptor { pixels_per_point: output.pixels_per_point, size_in_pixels: self.size };
        let jobs = self.ctx.tessellate(output.shapes.clone(), output.pixels_per_point);
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("shot"),
            size: wgpu::Extent3d { width: self.size[0], height: self.size[1], depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: self.render.target_format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut renderer = self.render.renderer.write();
        let buffers = renderer.update_buffers(device, queue, &mut encoder, &jobs, &screen);
        {
            let mut pass = encoder
                .begin_render_pass(&wgpu::RenderPassDescriptor {
                    label: Some("shot"),
                    color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                        view: &view,
                        resolve_target: None,
                        ops: wgpu::Operations {
                            load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                            store: wgpu::StoreOp::Store,
                        },
                        depth_slice: None,
                    })],
                    ..Default::default()
                })
                .forget_lifetime();
            renderer.render(&mut pass, &jobs, &screen);
        }
        queue.submit(buffers.into_iter().chain([encoder.finish()]));
        let mut image = self.context.read_back(&texture).map_err(|error| error.to_string())?;
        if matches!(
            self.render.target_format,
            wgpu::TextureFormat::Bgra8Unorm | wgpu::TextureFormat::Bgra8UnormSrgb
        ) {
            image.pixels.as_chunks_mut::<4>().0.iter_mut().for_each(|pixel| pixel.swap(0, 2));
        }
        // The window is opaque, whatever was blended into it.
        image.pixels.as_chunks_mut::<4>().0.iter_mut().for_each(|pixel| pixel[3] = 255);
        Ok(image)
    }
}

fn software_first(adapters: &[wgpu::Adapter]) -> Result<wgpu::Adapter, String> {
    let is_software = |adapter: &&wgpu::Adapter| adapter.get_info().device_type == wgpu::DeviceType::Cpu;
    let found = adapters.iter().find(is_software).or_else(|| adapters.first());
    found.cloned().ok_or_else(|| "no graphics adapter was found".to_owned())
}
