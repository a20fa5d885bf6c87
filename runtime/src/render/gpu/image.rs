//! A finished picture as bytes, for screenshots and tests.

use super::{GpuContext, GpuError};
use std::sync::mpsc;

/// sRGB bytes, four a pixel, rows from the top without padding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RgbaImage {
    pub width: u32,
    pub height: u32,
    pub pixels: Vec<u8>,
}

impl RgbaImage {
    /// Red, green and blue at a place; `None` outside.
    #[must_use]
    pub fn rgb(&self, x: u32, y: u32) -> Option<[u8; 3]> {
        if x >= self.width || y >= self.height {
            return None;
        }
        let at = (y as usize * self.width as usize + x as usize) * 4;
        self.pixels.get(at..at + 3)?.try_into().ok()
    }
}

impl GpuContext {
    /// Copies a target's texture back and waits for it.
    ///
    /// # Errors
    /// The device refused or was lost.
    pub fn read_back(&self, texture: &wgpu::Texture) -> Result<RgbaImage, GpuError> {
        let (width, height) = (texture.width(), texture.height());
        let row = width * 4;
        let padded_row = row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = self.checked(|| {
            let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("read back"),
                size: u64::from(padded_row) * u64::from(height),
                usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
                mapped_at_creation: false,
            });
            let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            encoder.copy_texture_to_buffer(
                texture.as_image_copy(),
                wgpu::TexelCopyBufferInfo {
                    buffer: &buffer,
                    layout: wgpu::TexelCopyBufferLayout {
                        offset: 0,
                        bytes_per_row: Some(padded_row),
                        rows_per_image: None,
                    },
                },
                texture.size(),
            );
            self.submit_and_wait(encoder.finish())?;
            Ok(buffer)
        })?;
        let (sender, receiver) = mpsc::channel();
        buffer.map_async(wgpu::MapMode::Read, .., move |result| {
            let _ = sender.send(result);
        });
        self.device
            .poll(wgpu::PollType::wait_indefinitely())
            .map_err(|error| GpuError::Refused(error.to_string()))?;
        match receiver.try_recv() {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(GpuError::Refused(error.to_string())),
            Err(_) => return Err(GpuError::Refused("the copied picture was never mapped".to_owned())),
        }
        let mapped = buffer.get_mapped_range(..).map_err(|error| GpuError::Refused(error.to_string()))?;
        let pixels =
            mapped.chunks(padded_row as usize).flat_map(|padded| &padded[..row as usize]).copied().collect();
        Ok(RgbaImage { width, height, pixels })
    }
}
