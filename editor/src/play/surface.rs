//! What a window is drawn on with: instance, device and surface, made once on the window's thread.

use std::sync::Arc;

use framewalk_runtime::render::FlightLimits;
use framewalk_runtime::render::gpu::{
    DeviceHealth, GpuContext, Presenting, SurfaceMaker, View, ViewSender, WindowSurface,
};
use winit::event_loop::ActiveEventLoop;
use winit::window::Window;

const HELP: &str = "Mesa's software driver draws everywhere (Debian and Ubuntu: apt install mesa-vulkan-drivers); \
                    `framewalk run PROJECT` needs no window and no driver";

/// A renderer that shows what it draws on this window, from the render thread alone; where its views go, and how its
/// device fares.
///
/// # Errors
/// A sentence: nothing to draw with, or an adapter that cannot draw here.
pub fn renderer(
    event_loop: &ActiveEventLoop,
    window: &Arc<Window>,
    view: &View,
    limits: FlightLimits,
) -> Result<(Presenting, ViewSender, Arc<DeviceHealth>), String> {
    let display = Box::new(event_loop.owned_display_handle());
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_with_display_handle_from_env(display));
    let surface = instance
        .create_surface(Arc::clone(window))
        .map_err(|error| format!("the window cannot be drawn on: {error}; {HELP}"))?;
    let (context, adapter) =
        GpuContext::for_surface(&instance, &surface).map_err(|error| format!("{error}; {HELP}"))?;
    let software = if context.software { ", in software" } else { "" };
    tracing::info!(
        target: "framewalk", adapter = context.adapter_name, "drawing with {}{software}", context.backend
    );
    let window = Arc::clone(window);
    // Some systems allow that on the window's thread only, and say so: the lost surface is then tried again and again.
    let another = SurfaceMaker::new(move || {
        instance.create_surface(Arc::clone(&window)).map_err(|error| format!("no other can be made: {error}"))
    });
    let surface = WindowSurface::new(&context, &adapter, (surface, another), view.size)
        .map_err(|error| format!("{error}; {HELP}"))?;
    let health = Arc::clone(&context.health);
    let (renderer, views) = Presenting::new(context, surface, view.clone(), limits)
        .map_err(|error| format!("{error}; {HELP}"))?;
    Ok((renderer, views, health))
}
