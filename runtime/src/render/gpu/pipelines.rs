//! The shaders made ready: two layouts, nine ways to draw.

use super::meshes::Vertex;
use super::{COLOR_FORMAT, DEPTH_FORMAT, GpuContext, SHADOW_FORMAT};
use crate::render::batch::{Instance, LineVertex};
use std::mem::size_of;

const MESH_ATTRIBUTES: [wgpu::VertexAttribute; 4] =
    wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x3, 3 => Float32];
const INSTANCE_ATTRIBUTES: [wgpu::VertexAttribute; 5] =
    wgpu::vertex_attr_array![4 => Float32x3, 5 => Float32x4, 6 => Float32x3, 7 => Float32, 8 => Unorm8x4];
const LINE_ATTRIBUTES: [wgpu::VertexAttribute; 2] = wgpu::vertex_attr_array![0 => Float32x2, 1 => Float32x4];

/// Everything that is the same for every picture on a device.
#[derive(Debug)]
pub(super) struct Pipelines {
    /// The globals alone: for drawing into the shadow map.
    pub casting_layout: wgpu::BindGroupLayout,
    /// The globals and the shadow map.
    pub layout: wgpu::BindGroupLayout,
    pub mesh: wgpu::RenderPipeline,
    /// A shape that lies on the ground.
    pub ground: wgpu::RenderPipeline,
    pub sky: wgpu::RenderPipeline,
    pub grid: wgpu::RenderPipeline,
    pub shadow: wgpu::RenderPipeline,
    /// Marks the selected shape in the stencil.
    pub mask: wgpu::RenderPipeline,
    /// Draws it grown, where it is not marked.
    pub ring: wgpu::RenderPipeline,
    pub lines: wgpu::RenderPipeline,
}

impl Pipelines {
    pub fn new(context: &GpuContext) -> Self {
        let device = &context.device;
        let shader = |label, source: &'static str| {
            device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(label),
                source: wgpu::ShaderSource::Wgsl(source.into()),
            })
        };
        let meshes = shader(
            "mesh",
            concat!(include_str!("globals.wgsl"), include_str!("shape.wgsl"), include_str!("mesh.wgsl")),
        );
        let backdrop =
            shader("backdrop", concat!(include_str!("globals.wgsl"), include_str!("backdrop.wgsl")));
        let casting_layout = bind_group_layout(device, false);
        let layout = bind_group_layout(device, true);
        let [casting_pipeline_layout, pipeline_layout] = [&casting_layout, &layout].map(|group| {
            device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: None,
                bind_group_layouts: &[Some(group)],
                immediate_size: 0,
            })
        });

        let shape_buffers = shape_buffers();
        let line_buffers =
            [Some(vertex_buffer(size_of::<LineVertex>(), wgpu::VertexStepMode::Vertex, &LINE_ATTRIBUTES))];
        let blend = Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING);
        let draw = |recipe: &Recipe<'_>| recipe.pipeline(device, &pipeline_layout, context.samples);
        let base = Recipe {
            fragment: Some("mesh_fragment"),
            buffers: &shape_buffers,
            constants: &[("soft_shadows", f64::from(u8::from(!context.software)))],
            ..Recipe::of_shapes(&meshes)
        };
        let over_all = (false, wgpu::CompareFunction::Always);
        Self {
            mesh: draw(&base),
            ground: draw(&Recipe { fragment: Some("ground_fragment"), ..base.clone() }),
            sky: draw(&Recipe {
                module: &backdrop,
                vertex: "sky_vertex",
                fragment: Some("sky_fragment"),
                buffers: &[],
                depth: (false, wgpu::CompareFunction::LessEqual),
                cull: None,
                ..base.clone()
            }),
            grid: draw(&Recipe {
                module: &backdrop,
                vertex: "grid_vertex",
                fragment: Some("grid_fragment"),
                buffers: &[],
                topology: wgpu::PrimitiveTopology::TriangleStrip,
                cull: None,
                blend,
                depth: (false, wgpu::CompareFunction::LessEqual),
                ..base.clone()
            }),
            shadow: Recipe {
                vertex: "shadow_vertex",
                fragment: None,
                bias: wgpu::DepthBiasState { constant: 2, slope_scale: 1.5, clamp: 0.0 },
                format: SHADOW_FORMAT,
                ..base.clone()
            }
            .pipeline(device, &casting_pipeline_layout, 1),
            mask: draw(&Recipe {
                vertex: "mask_vertex",
                fragment: Some("ring_fragment"),
                cull: None,
                depth: over_all,
                stencil: stencil(wgpu::CompareFunction::Always, wgpu::StencilOperation::Replace),
                ..base.clone()
            }),
            ring: draw(&Recipe {
                vertex: "ring_vertex",
                fragment: Some("ring_fragment"),
                cull: None,
                depth: over_all,
                stencil: stencil(wgpu::CompareFunction::NotEqual, wgpu::StencilOperation::Keep),
                ..base.clone()
            }),
            lines: draw(&Recipe {
                module: &backdrop,
                vertex: "line_vertex",
                fragment: Some("line_fragment"),
                buffers: &line_buffers,
                cull: None,
                blend,
                depth: over_all,
                ..base.clone()
            }),
            casting_layout,
            layout,
        }
    }
}

fn bind_group_layout(device: &wgpu::Device, with_shadow_map: bool) -> wgpu::BindGroupLayout {
    let entry = |binding, visibility, ty| wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None };
    let uniform = wgpu::BindingType::Buffer {
        ty: wgpu::BufferBindingType::Uniform,
        has_dynamic_offset: false,
        min_binding_size: None,
    };
    let map = wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Depth,
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    };
    let comparison = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Comparison);
    let entries = [
        entry(0, wgpu::ShaderStages::VERTEX_FRAGMENT, uniform),
        entry(1, wgpu::ShaderStages::FRAGMENT, map),
        entry(2, wgpu::ShaderStages::FRAGMENT, comparison),
    ];
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: None,
        entries: if with_shadow_map { &entries } else { &entries[..1] },
    })
}

/// Draws shapes in their numbers: the globals of a pass are one matrix, [`Numbers::layout`].
#[derive(Debug)]
pub(super) struct Numbers {
    pub layout: wgpu::BindGroupLayout,
    pub pipeline: wgpu::RenderPipeline,
}

impl Numbers {
    /// What the numbers are drawn into.
    pub const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::R32Uint;

    pub fn new(context: &GpuContext) -> Self {
        let device = &context.device;
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("pick"),
            source: wgpu::ShaderSource::Wgsl(
                concat!(include_str!("shape.wgsl"), include_str!("pick.wgsl")).into(),
            ),
        });
        let layout = bind_group_layout(device, false);
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let recipe = Recipe {
            module: &module,
            vertex: "pick_vertex",
            fragment: Some("pick_fragment"),
            buffers: &shape_buffers(),
            color: Self::FORMAT,
            ..Recipe::of_shapes(&module)
        };
        Self { pipeline: recipe.pipeline(device, &pipeline_layout, 1), layout }
    }
}

/// A mesh's vertices, and the shapes drawn with it.
const fn shape_buffers() -> [Option<wgpu::VertexBufferLayout<'static>>; 2] {
    [
        Some(vertex_buffer(size_of::<Vertex>(), wgpu::VertexStepMode::Vertex, &MESH_ATTRIBUTES)),
        Some(vertex_buffer(size_of::<Instance>(), wgpu::VertexStepMode::Instance, &INSTANCE_ATTRIBUTES)),
    ]
}

const fn vertex_buffer(
    stride: usize,
    step_mode: wgpu::VertexStepMode,
    attributes: &[wgpu::VertexAttribute],
) -> wgpu::VertexBufferLayout<'_> {
    wgpu::VertexBufferLayout { array_stride: stride as u64, step_mode, attributes }
}

/// The same on both faces: compared with the reference, then `pass`.
const fn stencil(compare: wgpu::CompareFunction, pass: wgpu::StencilOperation) -> wgpu::StencilState {
    let face = wgpu::StencilFaceState {
        compare,
        fail_op: wgpu::StencilOperation::Keep,
        depth_fail_op: wgpu::StencilOperation::Keep,
        pass_op: pass,
    };
    wgpu::StencilState { front: face, back: face, read_mask: 0xff, write_mask: 0xff }
}

/// In what the pipelines differ.
#[derive(Clone)]
struct Recipe<'a> {
    module: &'a wgpu::ShaderModule,
    vertex: &'a str,
    fragment: Option<&'a str>,
    buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    topology: wgpu::PrimitiveTopology,
    cull: Option<wgpu::Face>,
    blend: Option<wgpu::BlendState>,
    /// Written, and compared how.
    depth: (bool, wgpu::CompareFunction),
    stencil: wgpu::StencilState,
    bias: wgpu::DepthBiasState,
    format: wgpu::TextureFormat,
    color: wgpu::TextureFormat,
    /// Of the fragment shader. Soft shadows are twice as many looks into the shadow map, too dear for a processor.
    constants: &'a [(&'a str, f64)],
}

impl<'a> Recipe<'a> {
    /// Solid, each in front of what is behind it; without buffers yet.
    const fn of_shapes(module: &'a wgpu::ShaderModule) -> Self {
        const FACE: wgpu::StencilFaceState = wgpu::StencilFaceState::IGNORE;
        Self {
            module,
            vertex: "mesh_vertex",
            fragment: None,
            buffers: &[],
            topology: wgpu::PrimitiveTopology::TriangleList,
            cull: Some(wgpu::Face::Back),
            blend: None,
            depth: (true, wgpu::CompareFunction::Less),
            stencil: wgpu::StencilState { front: FACE, back: FACE, read_mask: 0, write_mask: 0 },
            bias: wgpu::DepthBiasState { constant: 0, slope_scale: 0.0, clamp: 0.0 },
            format: DEPTH_FORMAT,
            color: COLOR_FORMAT,
            constants: &[],
        }
    }

    fn pipeline(
        &self,
        device: &wgpu::Device,
        layout: &wgpu::PipelineLayout,
        samples: u32,
    ) -> wgpu::RenderPipeline {
        // The mask goes into the stencil only.
        let writes_color = self.vertex != "mask_vertex";
        let targets = [Some(wgpu::ColorTargetState {
            format: self.color,
            blend: self.blend,
            write_mask: if writes_color { wgpu::ColorWrites::ALL } else { wgpu::ColorWrites::empty() },
        })];
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(self.vertex),
            layout: Some(layout),
            vertex: wgpu::VertexState {
                module: self.module,
                entry_point: Some(self.vertex),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: self.buffers,
            },
            primitive: wgpu::PrimitiveState {
                topology: self.topology,
                cull_mode: self.cull,
                ..Default::default()
            },
            depth_stencil: Some(wgpu::DepthStencilState {
                format: self.format,
                depth_write_enabled: Some(self.depth.0),
                depth_compare: Some(self.depth.1),
                stencil: self.stencil.clone(),
                bias: self.bias,
            }),
            multisample: wgpu::MultisampleState { count: samples, ..Default::default() },
            fragment: self.fragment.map(|entry_point| wgpu::FragmentState {
                module: self.module,
                entry_point: Some(entry_point),
                compilation_options: wgpu::PipelineCompilationOptions {
                    constants: self.constants,
                    ..Default::default()
                },
                targets: &targets,
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}
