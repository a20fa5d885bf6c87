//! The samples of a sound: computed, the same each time.

use framewalk_runtime::scene::{Sound, Wave};
use std::f64::consts::TAU;

/// Samples a second.
pub const SAMPLE_RATE: u32 = 48_000;

/// Seconds in which a tone comes up, so that it does not click.
const ATTACK: f64 = 0.004;
/// Seconds that are repeated of a sound without an end, at least.
const LOOP: f64 = 0.5;

/// The samples of the whole sound, or, of one without an end, of a stretch that can be repeated without a seam.
///
/// A sound that ends dies away: its loudness falls with the square of the time left.
#[must_use]
pub fn samples(sound: &Sound) -> Vec<f32> {
    let rate = f64::from(SAMPLE_RATE);
    let (hertz, seconds) = (f64::from(sound.hertz), f64::from(sound.seconds));
    if seconds > 0.0 {
        let count = (seconds * rate).ceil().max(1.0);
        let shaped = |idx: usize| {
            let (at, left) = (idx as f64 / rate, 1.0 - idx as f64 / count);
            let loudness = (at / ATTACK).min(1.0) * left * left;
            (loudness * wave(sound.wave, at * hertz, idx)) as f32
        };
        return (0..count as usize).map(shaped).collect();
    }
    // A whole number of periods, in a whole number of samples: off the note by less than anybody hears.
    let periods = (LOOP * hertz).ceil();
    let count = (periods / hertz * rate).round();
    (0..count as usize).map(|idx| wave(sound.wave, periods * idx as f64 / count, idx) as f32).collect()
}

/// At so many periods from its beginning, in [−1, 1]; waves with sharp edges are held down to sound as loud as the rest.
fn wave(wave: Wave, periods: f64, idx: usize) -> f64 {
    let within = periods.fract();
    match wave {
        Wave::Sine => (within * TAU).sin(),
        Wave::Triangle => 4.0 * ((within + 0.75).fract() - 0.5).abs() - 1.0,
        Wave::Square => {
            if within < 0.5 {
                0.4
            } else {
                -0.4
            }
        }
        Wave::Noise => 0.6 * noise(idx as u64),
    }
}

/// In [−1, 1), by the number of the sample: SplitMix64's mix.
fn noise(idx: u64) -> f64 {
    let mut word = idx.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((word ^ (word >> 31)) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sound(wave: Wave, hertz: f32, seconds: f32) -> Sound {
        Sound { wave, hertz, seconds, ..Sound::default() }
    }

    #[test]
    fn a_tone_is_as_long_as_it_says_and_begins_and_ends_in_silence() {
        for wave in Wave::ALL {
            let samples = samples(&sound(wave, 440.0, 0.25));
            assert_eq!(samples.len(), 12_000);
            assert!(samples[0].abs() < 1e-6 && samples[11_999].abs() < 1e-6, "{wave:?}");
            let loudest = samples.iter().fold(0.0_f32, |most, sample| most.max(sample.abs()));
            assert!((0.3..=1.0).contains(&loudest), "{wave:?}: {loudest}");
        }
    }

    #[test]
    fn a_tone_has_the_pitch_that_is_asked_for() {
        for wave in [Wave::Sine, Wave::Triangle, Wave::Square] {
            let samples = samples(&sound(wave, 441.0, 1.0));
            let upward = samples.windows(2).filter(|pair| pair[0] <= 0.0 && pair[1] > 0.0).count();
            assert!((440..=442).contains(&upward), "{wave:?}: {upward} periods in a second");
        }
    }

    #[test]
    fn one_without_an_end_is_a_stretch_without_a_seam() {
        let samples = samples(&sound(Wave::Sine, 439.7, 0.0));
        let count = samples.len();
        assert!((24_000..24_200).contains(&count), "{count}");
        // From its last sample to its first it goes on as from any to the next.
        let step = (f64::from(439.7_f32) / f64::from(SAMPLE_RATE) * TAU) as f32;
        assert!(samples[0].abs() < 1e-6 && (samples[count - 1] + step.sin()).abs() < 1e-3);
    }

    #[test]
    fn the_same_sound_has_the_same_samples() {
        let noise = sound(Wave::Noise, 440.0, 0.1);
        assert_eq!(samples(&noise), samples(&noise));
        let mean = samples(&sound(Wave::Noise, 440.0, 0.0)).iter().sum::<f32>() / 24_000.0;
        assert!(mean.abs() < 0.02, "{mean}");
    }
}
