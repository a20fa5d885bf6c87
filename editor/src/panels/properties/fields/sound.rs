//! The fields of a sound.

use framewalk_runtime::scene::{Sound, SoundWhen, Wave, ranges};

use super::{Fields, one_of};

pub(super) fn sound(fields: &mut dyn Fields, sound: &mut Sound) {
    named(fields, "When", &mut sound.when, &SoundWhen::ALL.map(|when| (when.name(), when)));
    named(fields, "Wave", &mut sound.wave, &Wave::ALL.map(|wave| (wave.name(), wave)));
    fields.number("Frequency", &mut sound.hertz, ranges::HERTZ, " Hz");
    fields.number("Length", &mut sound.seconds, ranges::SOUND_SECONDS, " s");
    fields.number("Volume", &mut sound.volume, ranges::VOLUME, "");
    fields.number("Max distance", &mut sound.max_distance, ranges::MAX_DISTANCE, " m");
}

/// One of several words of a file, in small letters.
fn named<T: Copy>(fields: &mut dyn Fields, label: &str, value: &mut T, words: &[(&str, T)]) {
    let small: Vec<(String, T)> = words.iter().map(|(name, word)| (name.to_lowercase(), *word)).collect();
    let small: Vec<(&str, T)> = small.iter().map(|(name, word)| (name.as_str(), *word)).collect();
    one_of(fields, label, value, &small);
}

#[cfg(test)]
mod tests {
    use super::super::{Apply, Value};
    use super::*;

    #[test]
    fn each_moment_and_each_wave_is_chosen_by_its_number_and_changes_nothing_else() {
        let change = |label: &str, value| [(label.to_owned(), value)];
        let mut part = Sound { volume: 0.25, ..Sound::default() };
        sound(&mut Apply(&change("When", Value::Choice(3))), &mut part);
        sound(&mut Apply(&change("Wave", Value::Choice(2))), &mut part);
        sound(&mut Apply(&change("Frequency", Value::Number(880.0))), &mut part);
        let expected = Sound {
            when: SoundWhen::Contact,
            wave: Wave::Square,
            hertz: 880.0,
            volume: 0.25,
            ..Sound::default()
        };
        assert_eq!(part, expected);
    }
}
