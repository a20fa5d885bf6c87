use std::collections::VecDeque;

use framewalk_runtime::scene::{EntityId, Sound};
use kira::{AudioManager, AudioManagerSettings, Capacities};

use super::*;
use crate::audio::Output;
use crate::audio::spatial::Level;
use crate::audio::speaker::Speaker;

const LOOK: Duration = Duration::from_millis(50);

/// Hands the renderer over to whoever asks for it.
struct Caught(Option<Renderer>);

impl Backend for Caught {
    type Settings = ();
    type Error = std::convert::Infallible;

    fn setup((): (), _: usize) -> Result<(Self, u32), Self::Error> {
        Ok((Self(None), FIRST_SAMPLE_RATE))
    }

    fn start(&mut self, renderer: Renderer) -> Result<(), Self::Error> {
        self.0 = Some(renderer);
        Ok(())
    }
}

fn manager() -> AudioManager<Caught> {
    let settings = AudioManagerSettings {
        capacities: Capacities::default(),
        main_track_builder: kira::track::MainTrackBuilder::new(),
        internal_buffer_size: 128,
        backend_settings: (),
    };
    AudioManager::new(settings).expect("a manager")
}

/// What each try gives; where nothing is left, there is no device.
#[derive(Clone, Default)]
struct Fake(Arc<Mutex<Tried>>);

#[derive(Default)]
struct Tried {
    given: VecDeque<Result<(&'static str, u32), &'static str>>,
    tries: u32,
    open: u32,
    troubles: Option<Troubles>,
}

/// An open one.
struct Opened(Fake);

impl Drop for Opened {
    fn drop(&mut self) {
        self.0.tried(|tried| tried.open -= 1);
    }
}

impl Fake {
    fn tried<T>(&self, look: impl FnOnce(&mut Tried) -> T) -> T {
        look(&mut self.0.lock().unwrap())
    }

    fn give(&self, device: Result<(&'static str, u32), &'static str>) {
        self.tried(|tried| tried.given.push_back(device));
    }

    fn tell(&self, trouble: Trouble) {
        self.tried(|tried| tried.troubles.as_ref().expect("it was opened").tell(trouble));
    }
}

impl Devices for Fake {
    type Stream = Opened;

    fn open(&mut self, source: &Source, troubles: Troubles) -> Result<(Opened, String), String> {
        let given = self.tried(|tried| {
            tried.tries += 1;
            tried.given.pop_front().unwrap_or(Err("there is none"))
        });
        let (name, sample_rate) = given?;
        source.set_sample_rate(sample_rate);
        self.tried(|tried| {
            tried.open += 1;
            tried.troubles = Some(troubles);
        });
        Ok((Opened(self.clone()), name.to_owned()))
    }
}

/// A speaker, and what looks after its devices.
struct Kept {
    fake: Fake,
    speaker: Speaker<Caught>,
    keeper: Keeper<Fake>,
    told: Told,
}

impl Kept {
    fn new() -> Self {
        let mut manager = manager();
        let renderer = manager.backend_mut().0.take().expect("a renderer");
        let (fake, told) = (Fake::default(), Told::default());
        let keeper = Keeper::new(fake.clone(), Source::new(renderer), Arc::clone(&told));
        let speaker = Speaker::new(manager, Arc::clone(&told)).expect("a track");
        Self { fake, speaker, keeper, told }
    }

    /// Looks without a sample taken.
    fn look(&mut self, looks: u32) {
        for _ in 0..looks {
            self.keeper.look(LOOK);
        }
    }

    /// Looks, with samples taken as time passes: the loudest.
    fn hear(&mut self, looks: u32) -> f32 {
        let sample_rate = self.keeper.source.0.sample_rate.load(Ordering::Relaxed);
        let mut loudest = 0.0_f32;
        for _ in 0..looks {
            self.keeper.look(LOOK);
            let mut samples = vec![0.0; sample_rate as usize / 20 * 2];
            self.keeper.source.fill(&mut samples, 2);
            loudest = samples.iter().fold(loudest, |most, sample| most.max(sample.abs()));
        }
        loudest
    }

    fn start(&mut self, entity: u64, seconds: f32) {
        let sound = Sound { seconds, ..Sound::default() };
        self.speaker.start(EntityId(entity), &sound, Level { gain: 0.5, pan: 0.0 });
    }

    fn told(&self) -> Heard {
        self.told.lock().unwrap().clone()
    }
}

fn gone() -> Trouble {
    Trouble::Lost("pulled out".to_owned())
}

#[test]
fn a_device_that_goes_and_comes_back_is_opened_again_and_what_sounds_goes_on_meanwhile() {
    let mut heard = Kept::new();
    heard.fake.give(Ok(("Speakers", 48_000)));
    heard.look(1);
    heard.start(1, 0.0);
    heard.start(2, 1.0);
    assert!(heard.hear(50) > 0.1);
    heard.start(3, 1.0);
    heard.fake.tell(gone());
    heard.fake.give(Err("there is none"));
    heard.fake.give(Ok(("Headphones", 44_100)));
    heard.look(1);
    assert_eq!(heard.fake.tried(|tried| (tried.tries, tried.open)), (2, 0), "closed, and tried at once");
    heard.look(19);
    assert_eq!(heard.fake.tried(|tried| tried.tries), 2);
    heard.look(1);
    assert_eq!(heard.fake.tried(|tried| (tried.tries, tried.open)), (3, 1), "and after a second");
    assert!(heard.hear(10) > 0.1, "the one without an end is heard again");
    assert_eq!(heard.speaker.sounding(), 1, "the others are over, though nobody heard them");
    let expected =
        Heard { device: Some("Headphones".to_owned()), sample_rate: 44_100, losses: 1, underruns: 0 };
    assert_eq!(heard.told(), expected);
}

#[test]
fn sounds_that_nobody_heard_do_not_come_in_a_heap_with_the_device() {
    let mut heard = Kept::new();
    for entity in 0..400 {
        heard.start(entity, 0.05);
        heard.look(1);
    }
    heard.look(2);
    assert_eq!(heard.speaker.sounding(), 0);
    heard.fake.give(Ok(("Speakers", 48_000)));
    heard.look(200);
    assert_eq!(heard.fake.tried(|tried| tried.open), 1);
    assert!(heard.hear(4) < 1e-6, "silence");
    heard.start(1_000, 0.5);
    assert!(heard.hear(4) > 0.1, "new ones are heard");
}

#[test]
fn a_device_that_stands_heaps_nothing_up_either() {
    let mut heard = Kept::new();
    heard.fake.give(Ok(("Speakers", 48_000)));
    heard.hear(20);
    for entity in 0..400 {
        heard.start(entity, 0.05);
        heard.look(1);
    }
    heard.look(2);
    assert_eq!(heard.speaker.sounding(), 0);
    assert!(heard.hear(4) < 1e-6, "silence");
    assert_eq!(heard.told().losses, 0, "it may go on, and did");
    heard.start(1_000, 0.5);
    assert!(heard.hear(4) > 0.1);
}

#[test]
fn a_tone_is_as_long_at_any_sample_rate() {
    for sample_rate in [44_100, 48_000, 96_000] {
        let mut heard = Kept::new();
        heard.fake.give(Ok(("Speakers", sample_rate)));
        heard.look(1);
        heard.start(1, 0.2);
        heard.hear(3);
        assert_eq!(heard.speaker.sounding(), 1, "{sample_rate}");
        heard.hear(3);
        assert_eq!(heard.speaker.sounding(), 0, "{sample_rate}");
    }
}

#[test]
fn one_that_takes_all_it_is_given_is_closed_for_good() {
    let mut heard = Kept::new();
    for _ in 0..3 {
        heard.fake.give(Ok(("Nowhere", 48_000)));
    }
    for _ in 0..200 {
        heard.keeper.look(LOOK);
        for _ in 0..20 {
            heard.keeper.source.fill(&mut vec![0.0; 4_800], 2);
        }
    }
    assert_eq!(heard.fake.tried(|tried| (tried.tries, tried.open)), (1, 0));
    assert_eq!(heard.told().losses, 1);
}

#[test]
fn gaps_are_counted_and_a_loss_that_is_said_a_hundred_times_is_one() {
    let mut heard = Kept::new();
    heard.fake.give(Ok(("Speakers", 48_000)));
    heard.fake.give(Ok(("Speakers", 48_000)));
    heard.hear(50);
    heard.fake.tell(Trouble::Underrun);
    heard.fake.tell(Trouble::Underrun);
    for _ in 0..100 {
        heard.fake.tell(gone());
    }
    heard.look(1);
    let told = heard.told();
    assert_eq!((told.underruns, told.losses), (2, 1));
    assert_eq!(heard.fake.tried(|tried| (tried.tries, tried.open)), (2, 1));
}

#[test]
fn on_a_real_thread_a_device_is_closed_with_its_speaker() {
    let (fake, told) = (Fake::default(), Told::default());
    fake.give(Ok(("Speakers", 48_000)));
    let (mut backend, _) = DeviceBackend::setup((fake.clone(), told), 128).unwrap();
    let mut manager = manager();
    backend.start(manager.backend_mut().0.take().expect("a renderer")).unwrap();
    drop(backend);
    assert_eq!(fake.tried(|tried| (tried.tries, tried.open)), (1, 0));
}

#[test]
fn something_that_went_wrong_once_is_no_loss_while_samples_are_taken_and_one_when_none_are() {
    let mut heard = Kept::new();
    heard.fake.give(Ok(("Speakers", 48_000)));
    heard.fake.give(Ok(("Speakers", 48_000)));
    let failed = || Trouble::Failed("input or output error".to_owned());
    heard.hear(2);
    heard.fake.tell(failed());
    heard.hear(50);
    assert_eq!((heard.told().losses, heard.fake.tried(|tried| tried.tries)), (0, 1));
    // What was taken since the last look still counts for this one.
    heard.look(1);
    for _ in 0..100 {
        heard.fake.tell(failed());
    }
    heard.look(2);
    assert_eq!((heard.told().losses, heard.fake.tried(|tried| (tried.tries, tried.open))), (1, (2, 1)));
}
