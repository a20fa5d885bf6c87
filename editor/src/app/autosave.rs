//! When unsaved work is kept for recovery: some seconds after a change, and in the middle of work at the latest after
//! half a minute.

use framewalk_runtime::time::Nanos;

/// While editing goes on, work is kept at least this often.
pub const AT_LATEST: Nanos = Nanos::from_secs(30);

/// Of one document.
#[derive(Clone, Copy, Debug, Default)]
pub struct Autosave {
    // The revision that was seen last, and the one that was kept last.
    seen: Option<u64>,
    kept: Option<u64>,
    // When the first and the last change were made that are not kept.
    changes: Option<(Nanos, Nanos)>,
    /// It is being written.
    pub is_writing: bool,
    // The last time that it was written, that failed.
    has_failed: bool,
}

/// What is to be done now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AutosaveDue {
    Nothing,
    Keep,
    /// What was kept is not needed any more.
    Forget,
    /// Nothing yet: ask again after so long.
    In(Nanos),
}

impl Autosave {
    /// Looks at a document at this time; `after` is how long after the last change it is kept.
    pub fn look(&mut self, revision: u64, is_dirty: bool, after: Nanos, now: Nanos) -> AutosaveDue {
        let is_changed = self.seen.replace(revision) != Some(revision);
        if self.is_writing {
            // It is looked at again when that is done.
            self.changes = if is_changed { Some((now, now)) } else { self.changes };
            return AutosaveDue::Nothing;
        }
        if !is_dirty {
            self.changes = None;
            return if self.kept.take().is_some() { AutosaveDue::Forget } else { AutosaveDue::Nothing };
        }
        if is_changed && self.kept != Some(revision) {
            let first = self.changes.map_or(now, |(first, _)| first);
            self.changes = Some((first, now));
        }
        let Some((first, last)) = self.changes else { return AutosaveDue::Nothing };
        let until = (last + after).min(first + AT_LATEST);
        if now < until {
            return AutosaveDue::In(until - now);
        }
        self.changes = None;
        self.kept = Some(revision);
        self.is_writing = true;
        self.has_failed = false;
        AutosaveDue::Keep
    }

    /// This revision is kept on disk.
    #[must_use]
    pub fn is_kept(&self, revision: u64) -> bool {
        self.kept == Some(revision) && !self.is_writing
    }

    /// Something of this document is kept on disk, or will be.
    #[must_use]
    pub fn has_kept(&self) -> bool {
        self.kept.is_some()
    }

    /// It could not be kept, and is not tried at this moment.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.has_failed
    }

    /// What is not kept is kept at the next look.
    pub fn hurry(&mut self) {
        let long_ago = Nanos(i64::MIN / 2);
        self.changes = Some((long_ago, long_ago));
    }

    /// It could not be kept: it is tried again. What is on disk is older, if there is anything.
    pub fn failed(&mut self, now: Nanos) {
        self.changes.get_or_insert((now, now));
        self.kept = Some(0);
        self.has_failed = true;
    }

    /// What was kept is another editor's by now: nothing here is known to be kept, and what is unsaved is kept at the
    /// next look.
    pub fn begin_anew(&mut self) {
        // What is still being written has another name, or is the other editor's: nobody answers for it here.
        *self = Self::default();
        self.hurry();
    }

    /// Work is kept on disk already, of this revision or an older one.
    pub fn note_kept(&mut self) {
        self.kept.get_or_insert(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AFTER: Nanos = Nanos::from_secs(10);

    fn s(seconds: i64) -> Nanos {
        Nanos::from_secs(seconds)
    }

    #[test]
    fn work_is_kept_ten_seconds_after_the_last_change() {
        let mut autosave = Autosave::default();
        assert_eq!(autosave.look(1, false, AFTER, s(0)), AutosaveDue::Nothing);
        assert_eq!(autosave.look(2, true, AFTER, s(5)), AutosaveDue::In(s(10)));
        assert_eq!(autosave.look(3, true, AFTER, s(9)), AutosaveDue::In(s(10)));
        assert_eq!(autosave.look(3, true, AFTER, s(18)), AutosaveDue::In(s(1)));
        assert_eq!(autosave.look(3, true, AFTER, s(19)), AutosaveDue::Keep);
        autosave.is_writing = false;
        assert_eq!(autosave.look(3, true, AFTER, s(60)), AutosaveDue::Nothing, "it is kept");
        assert_eq!(autosave.look(4, false, AFTER, s(61)), AutosaveDue::Forget, "it was saved");
        assert_eq!(autosave.look(4, false, AFTER, s(62)), AutosaveDue::Nothing);
    }

    #[test]
    fn what_could_not_be_kept_is_not_taken_for_kept_and_tried_again() {
        let mut autosave = Autosave::default();
        assert_eq!(autosave.look(2, true, AFTER, s(0)), AutosaveDue::In(s(10)));
        assert_eq!(autosave.look(2, true, AFTER, s(10)), AutosaveDue::Keep);
        autosave.is_writing = false;
        autosave.failed(s(11));
        assert!(!autosave.is_kept(2) && autosave.has_failed());
        assert_eq!(autosave.look(2, true, AFTER, s(21)), AutosaveDue::Keep);
        assert!(!autosave.has_failed(), "it is tried");
        autosave.is_writing = false;
        assert!(autosave.is_kept(2));
    }

    #[test]
    fn where_another_editor_had_the_project_unsaved_work_is_kept_at_once_and_none_is_forgotten() {
        let mut autosave = Autosave::default();
        autosave.note_kept();
        autosave.begin_anew();
        assert!(!autosave.is_kept(2) && !autosave.has_kept());
        assert_eq!(autosave.look(2, true, AFTER, s(30)), AutosaveDue::Keep);
        let mut autosave = Autosave::default();
        autosave.note_kept();
        autosave.begin_anew();
        assert_eq!(autosave.look(1, false, AFTER, s(30)), AutosaveDue::Nothing, "it is the other editor's");
        // Begun under another name, and not over: nobody will say that it is.
        let mut autosave = Autosave::default();
        autosave.hurry();
        assert_eq!(autosave.look(2, true, AFTER, s(30)), AutosaveDue::Keep);
        autosave.begin_anew();
        assert_eq!(autosave.look(2, true, AFTER, s(31)), AutosaveDue::Keep);
    }

    #[test]
    fn work_without_end_is_kept_every_half_a_minute() {
        let mut autosave = Autosave::default();
        let mut kept = Vec::new();
        for second in 0_i64..100 {
            if autosave.look(second.unsigned_abs(), true, AFTER, s(second)) == AutosaveDue::Keep {
                autosave.is_writing = false;
                kept.push(second);
            }
        }
        assert_eq!(kept, [30, 61, 92]);
    }
}
