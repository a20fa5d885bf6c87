//! Running jobs while a thread waits for something else: for a deadline, or for another thread at a meeting.
//!
//! Two things are true at once of such a thread: it is to be on time, and it has a core for nothing. So:
//!
//! - It takes short jobs only, those of `logic` and `render`, its own first. Of a physics step, and of what lies in
//!   `general`, nobody knows how long it takes.
//! - Before a deadline it begins none any more that may not be over by then: how long they took lately is the margin
//!   ([`Grain`]). The spin before a deadline comes on top of that, since the wait that is handed to [`Helping`] ends with it.
//! - Between two jobs it looks whether what it waits for has come, and after half a millisecond it lets its owner look for
//!   everything else.
//! - It is woken last, after every worker, and not at all by who hands over while it is up.
//!
//! Where nothing is handed over it sleeps as it would have: lying down beside that costs five exchanges and a fence.

use super::apart::Apart;
use super::{Jobs, Queue, WORKER_LOOKS_ROUND, kinds};
use crate::handoff::sleep::OwnBed;
use crate::handoff::task::Task;
use crate::time::Nanos;
use crate::time::grain::Grain;
use crate::time::rest::{Asleep, Rest};
use std::time::Duration;

/// How long it helps before its owner looks round, who may have been asked for something else. A model has no time to pass.
const BEFORE_LOOKING: Nanos = if cfg!(loom) { Nanos::MAX } else { Nanos::from_micros(500) };

/// One thread's way to help while it waits. It is used on one thread.
pub struct Helping {
    jobs: Jobs,
    order: [Queue; 2],
    // None where all are taken, and once it is left.
    bed: Option<OwnBed>,
    grain: Grain,
    // Of the thread `render`: where it helps, that is to be on another core than the one it helps.
    apart: Option<Apart>,
}

impl Helping {
    /// For a thread whose own jobs lie in `own`: `logic` or `render`; the latter on that thread itself.
    #[must_use]
    pub fn new(jobs: &Jobs, own: Queue) -> Self {
        let other = if own == Queue::Render { Queue::Logic } else { Queue::Render };
        let own = if own == Queue::Render { own } else { Queue::Logic };
        jobs.0.lanes.begin_helping();
        let bed = jobs.0.sleepers.take_last_bed();
        let keeps_off = own == Queue::Render && jobs.0.home.is_looked_at();
        let apart = keeps_off.then(|| Apart::after(jobs.workers())).flatten();
        Self { jobs: jobs.clone(), order: [own, other], bed, grain: Grain::default(), apart }
    }

    /// So long before the end of a wait no job is begun any more.
    #[must_use]
    pub const fn margin(&self) -> Nanos {
        self.grain.length()
    }

    /// Sleeps beside the jobs: true where it was woken for one.
    fn sleep(&mut self, at_most: Option<Duration>, is_over: &dyn Fn() -> bool) -> bool {
        let sleepers = &self.jobs.0.sleepers;
        let kinds = kinds(&self.order);
        let lies_down = self.bed.as_mut().and_then(|bed| sleepers.lie_down(bed, kinds).then_some(bed));
        let Some(bed) = lies_down else {
            Asleep.rest(at_most, is_over);
            return false;
        };
        if !self.jobs.has_work(&self.order) {
            Asleep.rest(at_most, is_over);
        }
        sleepers.get_up(bed, kinds)
    }

    /// No job is begun for fear of being late. Those that wait may be shorter than it is feared.
    fn decline(&mut self) {
        if self.jobs.has_work(&self.order) {
            self.grain.shrink();
        }
    }

    /// Runs what there is, one after another, while there is time for another. True: there was one.
    fn help(&mut self, lane: usize, until: Nanos, is_over: &dyn Fn() -> bool) -> bool {
        let jobs = &self.jobs.0;
        let began = jobs.clock.now();
        let look_at = Nanos(began.0.saturating_add(BEFORE_LOOKING.0));
        let stretch = jobs.lanes.begin(lane, began);
        let (mut now, mut has_helped, mut may_be_late) = (began, false, false);
        loop {
            let last_begin = until - self.grain.length();
            if now >= last_begin {
                may_be_late = true;
                break;
            }
            if now >= look_at || is_over() {
                break;
            }
            let helps = |task: Task| {
                jobs.lanes.helped(lane);
                task.run()
            };
            if self.jobs.run_next(lane, &self.order, helps) {
                has_helped = true;
                let end = jobs.clock.now();
                self.grain.note(end - now);
                now = end;
                continue;
            }
            // As a worker does: what follows on the last job is cheap to hand over then.
            let at_most = WORKER_LOOKS_ROUND.min(last_begin - now);
            let goes_on = self.jobs.look_round(&self.order, at_most, is_over);
            now = jobs.clock.now();
            if !goes_on {
                break;
            }
        }
        jobs.lanes.end(lane, stretch, now);
        if may_be_late {
            self.decline();
        }
        has_helped
    }
}

impl Rest for Helping {
    fn rest(&mut self, at_most: Option<Duration>, is_over: &dyn Fn() -> bool) -> bool {
        // Known from the first wait on, so that no later one has to be told apart from other threads.
        let lane = self.jobs.0.lanes.of_this_thread();
        let at_most_nanos = at_most
            .map_or(Nanos::MAX, |at_most| Nanos(i64::try_from(at_most.as_nanos()).unwrap_or(i64::MAX)));
        if at_most_nanos <= self.margin() {
            // Whether a job comes and goes meanwhile is not seen from here.
            self.grain.shrink();
            return Asleep.rest(at_most, is_over);
        }
        let until = self.jobs.0.clock.now() + at_most_nanos;
        let was_called = !self.jobs.has_work(&self.order) && self.sleep(at_most, is_over);
        if !was_called && !self.jobs.has_work(&self.order) {
            return true;
        }
        if let (true, Some(apart)) = (was_called, &mut self.apart) {
            apart.keep_off(&self.jobs.0.home);
        }
        let has_helped = self.help(lane, until, is_over);
        // Who called believes that somebody is up for what was handed over, and this thread may have no time for it.
        self.jobs.pass_on(&self.order);
        !has_helped
    }
}

impl Drop for Helping {
    fn drop(&mut self) {
        if let Some(bed) = self.bed.take() {
            self.jobs.0.sleepers.leave_bed(bed);
        }
        self.jobs.0.lanes.end_helping();
    }
}
