//! The system's default device, by cpal.

use kira::backend::cpal::cpal;
use kira::backend::cpal::cpal::traits::{DeviceTrait, HostTrait, StreamTrait};
use kira::backend::cpal::cpal::{
    BufferSize, ErrorKind, FromSample, SampleFormat, SizedSample, StreamConfig, SupportedBufferSize,
};

use super::{Devices, Source, Trouble, Troubles};
use crate::project::store::sound_devices;

/// Parts of a second that are asked for at a time: twice that is how late a tone is.
const PARTS: u32 = 100;

/// Devices as the system has them.
#[derive(Clone, Copy, Debug, Default)]
pub struct System;

impl Devices for System {
    type Stream = cpal::Stream;

    fn open(&mut self, source: &Source, troubles: Troubles) -> Result<(Self::Stream, String), String> {
        if !sound_devices::may_be_there() {
            // ALSA would look in all its places, and come to this too.
            return Err("this machine has no sound device".to_owned());
        }
        silence_alsa();
        let device =
            cpal::default_host().default_output_device().ok_or("there is no sound device to play on")?;
        let name = device.description().map_or_else(|_| "unnamed".to_owned(), |told| told.name().to_owned());
        let refused = |error: cpal::Error| format!("{name} cannot be opened: {error}");
        let supported = device.default_output_config().map_err(refused)?;
        source.set_sample_rate(supported.sample_rate());
        let config = StreamConfig {
            buffer_size: buffer_size(supported.sample_rate(), supported.buffer_size()),
            ..supported.config()
        };
        let stream = stream(&device, config, supported.sample_format(), source, &troubles).or_else(|_| {
            let config = StreamConfig { buffer_size: BufferSize::Default, ..config };
            stream(&device, config, supported.sample_format(), source, &troubles)
        });
        let stream = stream.map_err(refused)?;
        stream.play().map_err(refused)?;
        Ok((stream, name))
    }
}

/// ALSA says each device that it does not find on stderr, a line each, at every try. What that comes to is said in the log.
///
/// Of this thread alone, which opens devices; what it has said by now is forgotten, so that it does not heap up.
#[cfg(target_os = "linux")]
fn silence_alsa() {
    // Without room for its words it may as well write them.
    let _ = alsa::Output::local_error_handler();
}

#[cfg(not(target_os = "linux"))]
const fn silence_alsa() {}

/// A hundredth of a second, where the device takes that; a system's own choice may be a second and more.
fn buffer_size(sample_rate: u32, supported: &SupportedBufferSize) -> BufferSize {
    match supported {
        SupportedBufferSize::Range { min, max } => {
            BufferSize::Fixed((sample_rate / PARTS).max(*min).min(*max))
        }
        SupportedBufferSize::Unknown => BufferSize::Default,
    }
}

fn stream(
    device: &cpal::Device,
    config: StreamConfig,
    format: SampleFormat,
    source: &Source,
    troubles: &Troubles,
) -> Result<cpal::Stream, cpal::Error> {
    match format {
        SampleFormat::F32 => stream_of::<f32>(device, config, source, troubles),
        SampleFormat::F64 => stream_of::<f64>(device, config, source, troubles),
        SampleFormat::I32 => stream_of::<i32>(device, config, source, troubles),
        SampleFormat::I24 => stream_of::<cpal::I24>(device, config, source, troubles),
        SampleFormat::I16 => stream_of::<i16>(device, config, source, troubles),
        SampleFormat::I8 => stream_of::<i8>(device, config, source, troubles),
        SampleFormat::U32 => stream_of::<u32>(device, config, source, troubles),
        SampleFormat::U16 => stream_of::<u16>(device, config, source, troubles),
        SampleFormat::U8 => stream_of::<u8>(device, config, source, troubles),
        _ => Err(cpal::Error::from(ErrorKind::UnsupportedConfig)),
    }
}

fn stream_of<S: SizedSample + FromSample<f32>>(
    device: &cpal::Device,
    config: StreamConfig,
    source: &Source,
    troubles: &Troubles,
) -> Result<cpal::Stream, cpal::Error> {
    let (source, troubles, channels) = (source.clone(), troubles.clone(), config.channels);
    let mut samples = Vec::new();
    let fill = move |out: &mut [S], _: &cpal::OutputCallbackInfo| {
        samples.resize(out.len(), 0.0);
        source.fill(&mut samples, channels);
        for (to, from) in out.iter_mut().zip(&samples) {
            *to = S::from_sample(*from);
        }
    };
    let failed = move |error: cpal::Error| troubles.tell_of(&error);
    device.build_output_stream(config, fill, failed, None)
}

impl Troubles {
    fn tell_of(&self, error: &cpal::Error) {
        match error.kind() {
            ErrorKind::Xrun => self.tell(Trouble::Underrun),
            // It goes on as it is.
            ErrorKind::RealtimeDenied | ErrorKind::DeviceChanged => {}
            ErrorKind::DeviceNotAvailable | ErrorKind::StreamInvalidated | ErrorKind::HostUnavailable => {
                self.tell(Trouble::Lost(error.to_string()));
            }
            _ => self.tell(Trouble::Failed(error.to_string())),
        }
    }
}
