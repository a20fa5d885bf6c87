//! How many pictures may be in flight on the GPU, and from how many instance buffers they are drawn.

use clap::Args;
use framewalk_runtime::render::FlightLimits;

/// What is said about them on a command line. They change when a picture is drawn, and never what is in it.
#[derive(Args, Debug, Default)]
pub struct FlightArgs {
    /// Pictures that may be in the GPU's queue at once, 1 to 3 [default: 2; with --pace instant each is waited for]
    #[arg(long, value_name = "N", value_parser = frames_in_flight, allow_hyphen_values = true)]
    pub frames_in_flight: Option<u8>,
    /// Buffers that go round for what is drawn, 1 to 8; where none is free the render thread stalls [default: 5]
    #[arg(long, value_name = "N", value_parser = instance_buffers, allow_hyphen_values = true)]
    pub instance_buffers: Option<u8>,
}

impl FlightArgs {
    #[must_use]
    pub fn limits(&self) -> FlightLimits {
        let usual = FlightLimits::default();
        FlightLimits::nearest(
            self.frames_in_flight.unwrap_or(usual.frames_in_flight()),
            self.instance_buffers.unwrap_or(usual.instance_buffers()),
        )
    }
}

fn frames_in_flight(text: &str) -> Result<u8, String> {
    one_to(text, FlightLimits::MOST_FRAMES_IN_FLIGHT)
}

fn instance_buffers(text: &str) -> Result<u8, String> {
    one_to(text, FlightLimits::MOST_INSTANCE_BUFFERS)
}

fn one_to(text: &str, most: u8) -> Result<u8, String> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|number| plain && (1..=most).contains(number));
    number.ok_or_else(|| format!("write a whole number from 1 to {most}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_out_of_reach_are_refused_in_a_sentence() {
        assert_eq!((frames_in_flight("3"), instance_buffers("8")), (Ok(3), Ok(8)));
        for text in ["0", "4", "-1", "two", "", "+1"] {
            assert_eq!(frames_in_flight(text), Err("write a whole number from 1 to 3".to_owned()), "{text}");
        }
        assert_eq!(instance_buffers("9"), Err("write a whole number from 1 to 8".to_owned()));
        let limits = FlightArgs { instance_buffers: Some(1), ..FlightArgs::default() }.limits();
        assert_eq!((limits.frames_in_flight(), limits.instance_buffers()), (2, 1));
    }
}
