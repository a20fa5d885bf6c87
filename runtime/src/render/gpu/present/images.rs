//! How the next image of a surface is had: what is done where the surface is out of date or lost, and when that is given
//! up. Pure.

/// So many times in a row that a surface gives no image, and it is an error.
pub(super) const TRIES: u32 = 8;

/// What a surface answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer<I> {
    Image(I),
    /// It can be shown, and the surface asks to be configured anew after it.
    Suboptimal(I),
    /// Hidden, or the display takes its time: nothing is wrong.
    NotNow,
    /// What a resize leaves behind.
    Outdated,
    /// The device refused: it may not a second time.
    Refused,
    /// Only another surface gives images again.
    Lost,
}

/// A surface that can be asked for images.
pub(super) trait Source {
    type Image;
    /// Takes on the size and format that are wanted. One that could not has no images and must not be asked for any.
    fn configure(&mut self) -> Result<(), String>;
    /// Becomes another surface of the same window.
    fn make_anew(&mut self) -> Result<(), String>;
    fn next(&mut self) -> Answer<Self::Image>;
}

/// What is to be done before the next image is asked for, and how often in a row there was none.
#[derive(Clone, Debug)]
pub(super) struct Images {
    stale: bool,
    lost: bool,
    failures: u32,
    losses: u64,
    // Why it could not be made or configured anew.
    reason: Option<String>,
}

impl Images {
    /// Of a surface that was not configured yet.
    pub(super) const fn new() -> Self {
        Self { stale: true, lost: false, failures: 0, losses: 0, reason: None }
    }

    /// Another configuration is wanted.
    pub(super) fn outdate(&mut self) {
        self.stale = true;
    }

    /// Times in a row that the surface was lost, or refused.
    pub(super) const fn failures(&self) -> u32 {
        self.failures
    }

    /// Times that the surface was lost, or refused, since the beginning.
    pub(super) const fn losses(&self) -> u64 {
        self.losses
    }

    /// The next image, from a surface made or configured anew where that is needed; `None` where there is none to be had
    /// now.
    ///
    /// # Errors
    /// A sentence, as long as the surface has failed [`TRIES`] times in a row.
    pub(super) fn next<S: Source>(&mut self, source: &mut S) -> Result<Option<S::Image>, String> {
        for _ in 0..2 {
            if std::mem::take(&mut self.lost) {
                // Where there is no other one, the old one is asked again.
                self.reason = source.make_anew().err();
                self.stale = true;
            }
            if std::mem::take(&mut self.stale)
                && let Err(reason) = source.configure()
            {
                self.reason.get_or_insert(reason);
                self.lost = self.fail();
                continue;
            }
            match source.next() {
                Answer::Image(image) => return Ok(Some(self.had(image))),
                Answer::Suboptimal(image) => {
                    self.stale = true;
                    return Ok(Some(self.had(image)));
                }
                Answer::NotNow => return Ok(None),
                Answer::Outdated => self.stale = true,
                Answer::Refused => self.stale = self.fail(),
                Answer::Lost => self.lost = self.fail(),
            }
        }
        if self.failures < TRIES {
            return Ok(None);
        }
        let why = self.reason.as_ref().map_or_else(String::new, |reason| format!(" ({reason})"));
        Err(format!("the window's surface was lost {} times in a row{why}", self.failures))
    }

    fn had<I>(&mut self, image: I) -> I {
        (self.failures, self.reason) = (0, None);
        image
    }

    /// Counts one more time; true, for what is to be done about it.
    fn fail(&mut self) -> bool {
        self.failures = self.failures.saturating_add(1);
        self.losses += 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A surface that is lost so many times, whatever is done, and then gives one image after the other.
    #[derive(Default)]
    struct Scripted {
        losses: u32,
        answer: Option<Answer<u32>>,
        refuses_to_be_made: bool,
        refuses_its_configuration: bool,
        made: u32,
        configured: u32,
        asked: u32,
    }

    impl Source for Scripted {
        type Image = u32;

        fn configure(&mut self) -> Result<(), String> {
            self.configured += 1;
            if self.refuses_its_configuration { Err("no format of it is known".to_owned()) } else { Ok(()) }
        }

        fn make_anew(&mut self) -> Result<(), String> {
            self.made += 1;
            if self.refuses_to_be_made { Err("the window is gone".to_owned()) } else { Ok(()) }
        }

        fn next(&mut self) -> Answer<u32> {
            self.asked += 1;
            match self.losses.checked_sub(1) {
                Some(left) => {
                    self.losses = left;
                    Answer::Lost
                }
                None => self.answer.unwrap_or(Answer::Image(self.asked)),
            }
        }
    }

    #[test]
    fn a_surface_lost_once_is_made_anew_and_the_same_picture_is_shown_on_it() {
        let (mut images, mut surface) = (Images::new(), Scripted::default());
        assert_eq!(images.next(&mut surface), Ok(Some(1)));
        surface.losses = 1;
        assert_eq!(images.next(&mut surface), Ok(Some(3)));
        assert_eq!((surface.made, surface.configured, images.failures()), (1, 2, 0));
        assert_eq!(images.next(&mut surface), Ok(Some(4)));
        assert_eq!((surface.made, surface.configured), (1, 2), "and no more is done after that");
        assert_eq!(images.losses(), 1);
    }

    #[test]
    fn a_surface_lost_a_thousand_times_is_an_error_from_the_eighth_on_and_shows_again_when_it_is_back() {
        let (mut images, mut surface) = (Images::new(), Scripted { losses: 1_000, ..Scripted::default() });
        for picture in 1..=500_u32 {
            let shown = images.next(&mut surface);
            match picture * 2 {
                ..8 => assert_eq!(shown, Ok(None), "picture {picture}"),
                lost => {
                    assert_eq!(shown, Err(format!("the window's surface was lost {lost} times in a row")))
                }
            }
        }
        // The first of all losses was of a surface as it was made; each later try was of another one.
        assert_eq!((surface.asked, surface.made, surface.configured), (1_000, 999, 1_000));
        assert_eq!(images.next(&mut surface), Ok(Some(1_001)));
        assert_eq!(images.failures(), 0);
        surface.losses = 2;
        assert_eq!(images.next(&mut surface), Ok(None), "a new row of losses counts anew");
    }

    #[test]
    fn a_surface_that_cannot_be_made_anew_says_why_and_the_old_one_is_configured() {
        let mut surface = Scripted { losses: 8, refuses_to_be_made: true, ..Scripted::default() };
        let mut images = Images::new();
        let said: Vec<_> = (0..4).map(|_| images.next(&mut surface)).collect();
        let sentence = "the window's surface was lost 8 times in a row (the window is gone)";
        assert_eq!(said, [Ok(None), Ok(None), Ok(None), Err(sentence.to_owned())]);
        assert_eq!(surface.configured, 8);
    }

    #[test]
    fn a_surface_that_cannot_be_configured_is_asked_for_no_image() {
        let mut surface = Scripted { losses: 1, ..Scripted::default() };
        let mut images = Images::new();
        assert_eq!(images.next(&mut surface), Ok(Some(2)));
        // As when somebody else destroys the window.
        surface.refuses_its_configuration = true;
        images.outdate();
        let said: Vec<_> = (0..4).map(|_| images.next(&mut surface)).collect();
        let sentence = "the window's surface was lost 8 times in a row (no format of it is known)";
        assert_eq!(said, [Ok(None), Ok(None), Ok(None), Err(sentence.to_owned())]);
        assert_eq!(surface.asked, 2, "as often as before");
        surface.refuses_its_configuration = false;
        assert_eq!(images.next(&mut surface), Ok(Some(3)));
    }

    #[test]
    fn a_hidden_or_resized_window_has_lost_nothing_and_is_asked_twice_a_picture_at_most() {
        let mut images = Images::new();
        for (answer, asked, configured) in
            [(Answer::NotNow, 100, 1), (Answer::Outdated, 200, 200), (Answer::Suboptimal(7), 100, 100)]
        {
            let mut surface = Scripted { answer: Some(answer), ..Scripted::default() };
            images.outdate();
            for _ in 0..100 {
                let shown = if answer == Answer::Suboptimal(7) { Some(7) } else { None };
                assert_eq!(images.next(&mut surface), Ok(shown), "{answer:?}");
            }
            assert_eq!((surface.asked, surface.configured), (asked, configured), "{answer:?}");
            assert_eq!((surface.made, images.failures()), (0, 0), "{answer:?}");
        }
    }

    #[test]
    fn a_device_that_refuses_is_asked_again_with_the_same_surface() {
        let mut surface = Scripted { answer: Some(Answer::Refused), ..Scripted::default() };
        let mut images = Images::new();
        assert_eq!((images.next(&mut surface), images.next(&mut surface)), (Ok(None), Ok(None)));
        assert_eq!((surface.made, surface.configured, images.failures()), (0, 4, 4));
    }
}
