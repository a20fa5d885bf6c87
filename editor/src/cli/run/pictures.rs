//! Drawing off screen, and the last picture as a file.

use framewalk_runtime::render::gpu::{GpuContext, GpuRenderer, RgbaImage, TargetReceiver, View, ViewSender};
use framewalk_runtime::render::{FlightLimits, Renderer};
use framewalk_runtime::snapshot::Snapshot;
use image::ImageEncoder;
use image::codecs::png::PngEncoder;

/// The pictures of a run that is drawn: the window's place, taken by nobody until the run is over.
pub struct Pictures {
    context: GpuContext,
    targets: TargetReceiver,
    // Kept so that the renderer's view has a sender for as long as it draws.
    _view: ViewSender,
}

impl Pictures {
    /// A renderer on any adapter, through the scene's own camera and without the editor's grid. `flights`: how many of its
    /// pictures may be under way; without, each is waited for.
    ///
    /// # Errors
    /// No adapter, or one that refuses: a sentence.
    pub fn start(
        size: [u32; 2],
        flights: Option<FlightLimits>,
    ) -> Result<(Box<dyn Renderer<Snapshot>>, Self), String> {
        let context = GpuContext::headless().map_err(|error| error.to_string())?;
        let software = if context.software { ", in software" } else { "" };
        tracing::info!(target: "framewalk", adapter = context.adapter_name, "drawing with {}{software}", context.backend);
        let view = View { size, ghosts: false, grid: false, ..View::default() };
        let (mut renderer, targets, view) =
            GpuRenderer::new(context.clone(), view).map_err(|error| error.to_string())?;
        if let Some(flights) = flights {
            renderer.fly(flights);
        }
        Ok((Box::new(renderer), Self { context, targets, _view: view }))
    }

    /// What is said where the graphics device was lost meanwhile.
    #[must_use]
    pub fn loss(&self) -> Option<String> {
        self.context.health.lost().map(loss)
    }

    /// The picture drawn last, as a PNG. Asked for once, when the run is over.
    ///
    /// # Errors
    /// Nothing was drawn, or the device refused.
    pub fn last_png(&mut self) -> Result<Vec<u8>, String> {
        let Some(target) = self.targets.take() else {
            return Err("no frame was drawn".to_owned());
        };
        let texture = target.texture.clone();
        let image = self.context.read_back(&texture).map_err(|error| error.to_string())?;
        png(&image)
    }
}

/// `reason` is the device's own.
fn loss(reason: &str) -> String {
    format!(
        "the graphics device was lost ({reason}): frames after that are counted and not drawn. Start the run again: it asks \
         for another one"
    )
}

/// A picture as a PNG file.
///
/// # Errors
/// What the encoder refuses: a picture of no size.
pub fn png(image: &RgbaImage) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    PngEncoder::new(&mut bytes)
        .write_image(&image.pixels, image.width, image.height, image::ExtendedColorType::Rgba8)
        .map_err(|error| error.to_string())?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_whose_device_was_lost_says_what_that_means_and_what_to_do() {
        let said = "the graphics device was lost (Parent device is lost): frames after that are counted and not drawn. Start \
                    the run again: it asks for another one";
        assert_eq!(loss("Parent device is lost"), said);
    }

    #[test]
    fn a_png_reads_back_to_the_same_pixels() {
        let pixels = vec![255, 0, 0, 255, 0, 128, 0, 255];
        let bytes = png(&RgbaImage { width: 2, height: 1, pixels: pixels.clone() }).unwrap();
        let read = image::load_from_memory(&bytes).unwrap().into_rgba8();
        assert_eq!((read.width(), read.height(), read.into_raw()), (2, 1, pixels));
    }
}
