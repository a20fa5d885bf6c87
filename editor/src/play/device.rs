//! How the graphics device of a window fares: looked at once a second, and said while it happens.

use std::sync::Arc;

use framewalk_runtime::render::gpu::DeviceHealth;
use framewalk_runtime::time::Nanos;

use super::title::Blind;

/// How often it is looked at.
const PERIOD: Nanos = Nanos::from_millis(1_000);

/// The device of one window.
#[derive(Clone, Debug)]
pub struct DeviceWatch {
    health: Arc<DeviceHealth>,
    errors: Errors,
}

/// Whether errors come, by how many there are. Pure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Errors {
    looked: Option<Nanos>,
    seen: u64,
    come: bool,
}

impl Errors {
    /// There are `count` of them by now. True where that was to be looked at.
    fn look(&mut self, now: Nanos, count: u64) -> bool {
        if self.looked.is_some_and(|looked| now - looked < PERIOD) {
            return false;
        }
        self.looked = Some(now);
        self.come = count > self.seen;
        self.seen = count;
        true
    }
}

impl DeviceWatch {
    #[must_use]
    pub fn new(health: Arc<DeviceHealth>) -> Self {
        Self { health, errors: Errors::default() }
    }

    /// Once a second: what was held back of errors goes into the log, and whether there are new ones into the title. May be
    /// called as often as one likes.
    pub fn look(&mut self, now: Nanos) {
        if self.errors.look(now, self.health.errors()) {
            self.health.look(now);
        }
    }

    /// What the title is to say instead of rates; `no_picture` where the last pictures could not be shown.
    #[must_use]
    pub fn blind(&self, no_picture: bool) -> Option<Blind> {
        match (self.health.lost(), no_picture) {
            (Some(_), _) => Some(Blind::DeviceLost),
            (None, true) => Some(Blind::NoPicture),
            (None, false) => self.errors.come.then_some(Blind::DeviceReports),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_said_for_as_long_as_they_come_and_are_looked_for_once_a_second() {
        let mut watch = DeviceWatch::new(Arc::default());
        let mut at = |millis, errors| {
            let looked = watch.errors.look(Nanos::from_millis(millis), errors);
            (looked, watch.blind(false))
        };
        let said = Some(Blind::DeviceReports);
        assert_eq!(at(0, 0), (true, None));
        assert_eq!(at(1, 3), (false, None));
        assert_eq!(at(1_000, 3), (true, said), "they came in the last second");
        assert_eq!(at(1_001, 3), (false, said));
        assert_eq!(at(2_000, 4), (true, said));
        assert_eq!(at(3_000, 4), (true, None), "none came since");
        assert_eq!(watch.blind(true), Some(Blind::NoPicture));
    }
}
