//! What each thread did lately, without egui.

use framewalk_runtime::frame::record::{Flight, MOST_OBSERVERS};
use framewalk_runtime::frame::zones::ZoneThread;
use framewalk_runtime::jobs::seating::{Seated, Seating};
use framewalk_runtime::jobs::{JobsStats, Queue, Role, ThreadStats};
use framewalk_runtime::time::Nanos;

use crate::history::Entry;
use crate::live::JobsView;
use crate::panels::handoff::model::lockstep::{self, Party};
use crate::stats::Summary;
use crate::view::View;
use crate::wording::{bytes, count, grouped, micros, millis};

/// How far back shares look.
pub const WINDOW: Nanos = Nanos::from_secs(1);
/// Most frames looked at: what the window holds at the highest frame rate.
const MOST_FRAMES: usize = 1_024;

/// Shares of the time looked at, each 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shares {
    pub worked: f32,
    /// Stood still because another thread had not come so far.
    pub waited: f32,
}

/// What a thread has to do with jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Jobs {
    pub run: u64,
    /// Of those, while it waited for something else.
    pub helped: u64,
    /// How often it slept for want of them.
    pub parked: u64,
    /// In the order of [`Queue::ALL`].
    pub by_queue: [u64; 4],
    /// Of those, what another thread hands over.
    pub taken: u64,
}

impl Jobs {
    /// `logic 1 204, physics 3`; empty where it ran none.
    #[must_use]
    pub fn queues(&self) -> String {
        let run = Queue::ALL.into_iter().zip(self.by_queue).filter(|(_, jobs)| *jobs > 0);
        run.map(|(queue, jobs)| format!("{} {}", queue.name(), grouped(jobs))).collect::<Vec<_>>().join(", ")
    }
}

/// One thread.
#[derive(Clone, Debug, PartialEq)]
pub struct Lane {
    pub name: String,
    /// What it is, in a few words.
    pub what: &'static str,
    /// None where nothing says.
    pub shares: Option<Shares>,
    /// None where it never had to do with any.
    pub jobs: Option<Jobs>,
    /// What else is to be said.
    pub note: String,
    /// Where it stays, where it was to stay on a core of its own: `core 2`. Empty elsewhere.
    pub place: String,
}

impl Lane {
    /// `sim`; of a thread that was to stay on a core `sim · core 2`.
    #[must_use]
    pub fn named(&self) -> String {
        if self.place.is_empty() { self.name.clone() } else { format!("{} · {}", self.name, self.place) }
    }

    /// `sim: worked 12 %, waited 3 %, 1 204 jobs, 37 of them while it waited, 5 taken from another, parked 12 times`.
    #[must_use]
    pub fn label(&self) -> String {
        let mut parts = Vec::new();
        if let Some(shares) = self.shares {
            parts.push(format!("worked {}", percent(shares.worked)));
            parts.push(format!("waited {}", percent(shares.waited)));
        }
        if let Some(Jobs { run, helped, parked, taken, .. }) = self.jobs {
            parts.push(count(run, "job", "jobs"));
            if helped > 0 {
                parts.push(format!("{} of them while it waited", grouped(helped)));
            }
            if taken > 0 && taken < run {
                parts.push(format!("{} taken from another", grouped(taken)));
            }
            parts.push(format!("parked {}", count(parked, "time", "times")));
        }
        if !self.note.is_empty() {
            parts.push(self.note.clone());
        }
        format!("{}: {}", self.named(), parts.join(", "))
    }

    /// How many jobs of each queue it ran, as a line; none where it ran none.
    #[must_use]
    pub fn queues(&self) -> Option<String> {
        let jobs = self.jobs.filter(|jobs| jobs.run > 0)?;
        let taken = match (jobs.taken, jobs.run) {
            (0, _) => "none taken from another thread".to_owned(),
            (taken, run) if taken == run => "all taken from those who hand them over".to_owned(),
            (taken, _) => format!("{} taken from another thread", grouped(taken)),
        };
        Some(format!("Jobs by queue: {}; {taken}.", jobs.queues()))
    }

    /// The figures beside the bar.
    #[must_use]
    pub fn figures(&self) -> String {
        let shares = self
            .shares
            .map(|shares| format!("{:>5} work + {:>5} wait", percent(shares.worked), percent(shares.waited)));
        let jobs = self.jobs.map(|Jobs { run, helped, parked, .. }| {
            let parked = grouped(parked);
            match helped {
                0 => format!("{} jobs, parked {parked}", grouped(run)),
                // A thread that has no other jobs.
                _ if helped == run => format!("{} helped", grouped(helped)),
                _ => format!("{} jobs, {} helped, parked {parked}", grouped(run), grouped(helped)),
            }
        });
        let note = Some(self.note.clone()).filter(|note| !note.is_empty());
        [shares, jobs, note].into_iter().flatten().collect::<Vec<_>>().join(" · ")
    }
}

#[must_use]
pub fn percent(share: f32) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// How busy each thread has been since a moment ago: of two readings of figures that only grow.
#[derive(Clone, Debug, Default)]
pub struct Since {
    before: Option<Reading>,
    last: Option<Reading>,
}

/// When figures were read, and how long each thread had been busy by then, and had waited in that.
#[derive(Clone, Debug, Default)]
struct Reading {
    at: Nanos,
    busy: Vec<(String, Nanos, Nanos)>,
}

impl Reading {
    fn of(&self, name: &str) -> Option<(Nanos, Nanos)> {
        self.busy.iter().find(|(known, ..)| known == name).map(|(_, busy, waited)| (*busy, *waited))
    }
}

impl Since {
    /// Takes a reading; two of them lie at least half a second apart.
    pub fn note(&mut self, jobs: JobsView<'_>) {
        const APART: Nanos = Nanos::from_millis(500);
        let passed = self.last.as_ref().map(|last| jobs.at - last.at);
        if passed.is_some_and(|passed| passed >= Nanos::ZERO && passed < APART) {
            return;
        }
        let read = |thread: &ThreadStats| (thread.name.clone(), thread.busy, thread.waited);
        let busy: Vec<_> = jobs.stats.threads.iter().map(read).collect();
        // Where another run begins, its threads have done less than those of that name before; on a manual clock time
        // goes back, too.
        let goes_on = |before: &Reading| {
            busy.iter().all(|(name, now, _)| before.of(name).is_none_or(|(then, _)| then <= *now))
                && passed.is_some_and(|passed| passed >= APART)
        };
        self.before = self.last.take().filter(goes_on);
        self.last = Some(Reading { at: jobs.at, busy });
    }

    /// None before two readings, or where the thread is new.
    #[must_use]
    pub fn shares(&self, name: &str) -> Option<Shares> {
        let (before, last) = (self.before.as_ref()?, self.last.as_ref()?);
        let passed = last.at - before.at;
        let ((busy_then, waited_then), (busy, waited)) = (before.of(name)?, last.of(name)?);
        let share = |time: Nanos| (time.0 as f64 / passed.0 as f64).clamp(0.0, 1.0) as f32;
        let waited = waited - waited_then;
        let worked = busy - busy_then - waited;
        (passed.0 > 0).then(|| Shares { worked: share(worked), waited: share(waited) })
    }
}

/// Every thread there is something to say about; none while there is no frame.
#[must_use]
pub fn lanes(view: &View<'_>, since: &Since, pass_millis: Option<f32>) -> Vec<Lane> {
    let frames = view.frames();
    let Some(entry) = view.entry() else { return Vec::new() };
    let end = frames.position(entry.frame()).map_or(frames.len(), |position| position + 1);
    let first = entry.record.render_time.0.saturating_sub(WINDOW.0);
    let is_in = |entry: &&Entry| entry.record.render_time.0 > first;
    let looked: Vec<&Entry> =
        frames.range(end.saturating_sub(MOST_FRAMES), end).rev().take_while(is_in).collect();
    let began = looked.last().map_or(entry.record.render_time, |oldest| oldest.record.render_time);
    let span = entry.record.render_time - began + entry.record.frame_rate.period();
    let helper = |name: &str| {
        let threads = view.live.jobs.map_or(&[][..], |jobs| &jobs.stats.threads);
        threads.iter().find(|thread| thread.role == Role::Helper && thread.name == name)
    };
    let told = |thread: Option<&ThreadStats>, own: &[Queue]| {
        thread.map(|thread| jobs_of(thread, own)).filter(|jobs| *jobs != Jobs::default())
    };
    let share =
        |time: i64| if span.0 > 0 { (time as f64 / span.0 as f64).clamp(0.0, 1.0) as f32 } else { 0.0 };
    let sum =
        |of: &dyn Fn(&Entry) -> i64| looked.iter().map(|entry| of(entry).max(0)).fold(0, i64::saturating_add);
    let pass = pass_millis.map_or_else(String::new, |millis| format!("last pass {millis:.1} ms"));
    let pictures = view.selection.history(view.history).pictures();
    let oldest = looked.last().map_or(entry.frame(), |oldest| oldest.frame());
    let again = pictures.range(pictures.of_frames(entry.record.run, oldest, entry.frame()));
    let again = again.rev().filter(|picture| picture.record.again).take(MOST_FRAMES);
    let mut delays: Vec<Nanos> = looked.iter().filter_map(|entry| entry.render?.wake_delay).collect();
    delays.extend(again.filter_map(|picture| picture.record.wake_delay));
    let woke = Summary::of(&mut delays)
        .map_or_else(String::new, |delays| format!("woke {} late", micros(delays.p50)));
    let lost = |thread| match view.history.zones().lost(thread) {
        0 => String::new(),
        lost => format!("{} lost", count(lost, "zone", "zones")),
    };
    let mut lanes = vec![
        Lane {
            name: "ui".to_owned(),
            what: "The window: events, panels, the last pass over them.",
            shares: None,
            jobs: told(helper("main"), &Queue::ALL),
            note: pass,
            place: String::new(),
        },
        Lane {
            name: "sim".to_owned(),
            what: "The six stages of every frame. In a tick it waits for the last jobs that others have begun; in lockstep, for the \
                   render thread.",
            shares: Some(Shares {
                worked: share(sum(&|entry| entry.record.frame_time().0 - entry.record.jobs_wait.0)),
                waited: share(sum(&|entry| entry.record.sim_wait.0 + entry.record.jobs_wait.0)),
            }),
            jobs: told(helper("sim"), &[Queue::Logic, Queue::Physics, Queue::General]),
            note: lost(ZoneThread::Sim),
            place: String::new(),
        },
        Lane {
            name: "render".to_owned(),
            what: "Batch and submit of what it takes; it waits for the next frame, for its own deadline, or for the GPU. How late it woke for \
                   that is the median of the last second.",
            shares: Some(Shares {
                worked: share(sum(&|entry| entry.render_work.0)),
                waited: share(sum(&|entry| entry.render_wait.0)),
            }),
            jobs: told(helper("render"), &[Queue::Render, Queue::General]),
            note: joined([woke, lost(ZoneThread::Render)]),
            place: String::new(),
        },
    ];
    lanes.extend(observers(&looked).into_iter().enumerate().filter_map(|(number, party)| {
        let party = party?;
        Some(Lane {
            name: format!("observer {}", number + 1),
            what: "Reads every frame of the lockstep, as the render thread does, and waits at the meeting for all the others.",
            shares: Some(Shares { worked: share(party.worked.0), waited: share(party.waited.0) }),
            jobs: None,
            note: String::new(),
            place: String::new(),
        })
    }));
    if let Some(jobs) = view.live.jobs {
        lanes.extend((0..).zip(workers(jobs.stats)).map(|(number, worker)| Lane {
            note: lost(ZoneThread::Worker(number)),
            ..lane_of(worker, since)
        }));
    }
    if let Some(seating) = view.live.seating.filter(|seating| seating.is_possible()) {
        let seated = seating.seated();
        // The window's thread is none of the run's.
        lanes.iter_mut().skip(1).for_each(|lane| lane.place = place_of(&lane.name, &seated));
    }
    lanes
}

/// What each observer of the lockstep worked and waited in these frames, the newest first; none that was at no meeting of them.
fn observers(looked: &[&Entry]) -> [Option<Party>; MOST_OBSERVERS] {
    let mut all = [None; MOST_OBSERVERS];
    for (idx, entry) in looked.iter().enumerate() {
        let before = looked.get(idx + 1).map(|before| &before.record);
        for (number, party) in lockstep::observers(&entry.record, before) {
            let own: &mut Party = all[number].get_or_insert_default();
            own.worked += party.worked;
            own.waited += party.waited;
        }
    }
    all
}

/// Where a thread of a run stays in which each was to have a core of its own.
fn place_of(name: &str, seated: &[Seated]) -> String {
    match seated.iter().find(|seated| seated.thread == name) {
        Some(Seated { core, stays: true, .. }) => format!("core {}", core.0),
        Some(Seated { core, stays: false, .. }) => format!("not on core {}", core.0),
        None => "any core".to_owned(),
    }
}

/// What is to be said where the threads of a run were to stay on cores of their own; none where nobody asked for that.
#[must_use]
pub fn seats_sentence(seating: Option<&Seating>) -> Option<String> {
    let seating = seating?;
    if !seating.is_possible() {
        return Some(
            "A core of its own was asked for each thread, and this program may use one core only: there is nothing to choose."
                .to_owned(),
        );
    }
    let seats = seating.seats();
    let shared = (seats.render == seats.sim)
        .then(|| "No core is left for render: it shares the one of sim.".to_owned());
    let refused: Vec<String> =
        seating.seated().into_iter().filter(|seated| !seated.stays).map(|seated| seated.thread).collect();
    let refused = (!refused.is_empty()).then(|| {
        format!("The system refuses to keep {} where it was put; it runs on any core.", refused.join(", "))
    });
    let both: Vec<String> = [shared, refused].into_iter().flatten().collect();
    (!both.is_empty()).then(|| both.join(" "))
}

/// How the newest picture went from the snapshot to the GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drawing {
    pub flight: Flight,
    /// How long the render thread had the snapshot to itself.
    pub borrowed: Nanos,
}

impl Drawing {
    /// What the panel shows: a name, the figures, and what they mean.
    #[must_use]
    pub fn lines(&self) -> Vec<(&'static str, String, &'static str)> {
        let Flight { in_flight, most_in_flight, buffers_in_use, buffers, .. } = self.flight;
        let size = |of: u64| bytes(usize::try_from(of).unwrap_or(usize::MAX));
        vec![
            (
                "snapshot",
                format!("held for {}", millis(self.borrowed)),
                "How long the render thread had the newest picture's snapshot to itself: until the last of it was read. No lock \
                 is held on it, and what is waited for the GPU is no part of that.",
            ),
            (
                "pictures",
                format!("{in_flight} of {most_in_flight} in flight, waited {}", millis(self.flight.wait)),
                "Pictures in the GPU's queue when the newest was put into it, and how long the render thread waited for \
                 that. The next one is begun just in time for the oldest to end. Finished ones go to the window in three \
                 targets that go round, and one more for each picture that is made while others are in flight.",
            ),
            (
                "instance buffers",
                format!(
                    "{buffers_in_use} of {buffers} in use, stalls {}, {} together",
                    grouped(self.flight.stalls),
                    millis(self.flight.stalled)
                ),
                "Buffers that the GPU reads or that are being filled. A stall: none was free, and the render thread stood still \
                 until the oldest picture was done. Their number is in the preferences.",
            ),
            (
                "copied",
                format!("{} of {}", size(self.flight.copied_bytes), size(self.flight.instance_bytes)),
                "What of the newest picture's instances was copied for the GPU: not what the buffer held already.",
            ),
        ]
    }
}

/// Of the chosen frame's picture; of the newest one while live. None where nothing was drawn, and where whoever draws is done
/// when a submit returns: that one has no queue.
#[must_use]
pub fn drawing(view: &View<'_>) -> Option<Drawing> {
    let newest = view.history.newest_picture().filter(|_| view.selection.is_live());
    let picture = newest.or_else(|| view.entry()?.render.as_ref())?;
    let drawing = Drawing { flight: picture.flight, borrowed: picture.borrowed() };
    (drawing.flight.buffers > 0).then_some(drawing)
}

/// Those among the threads that do nothing but jobs.
pub fn workers(stats: &JobsStats) -> impl Iterator<Item = &ThreadStats> {
    stats.threads.iter().filter(|thread| thread.role != Role::Helper)
}

fn joined(notes: [String; 2]) -> String {
    let [first, second] = notes;
    if first.is_empty() || second.is_empty() { first + &second } else { format!("{first}, {second}") }
}

fn lane_of(thread: &ThreadStats, since: &Since) -> Lane {
    Lane {
        name: thread.name.clone(),
        what: match thread.role {
            Role::PhysicsWorker => "Runs jobs, those of physics first. Sleeps while there are none.",
            Role::Worker | Role::Helper => "Runs jobs, those of physics last. Sleeps while there are none.",
        },
        shares: since.shares(&thread.name),
        jobs: Some(jobs_of(thread, &[])),
        note: String::new(),
        place: String::new(),
    }
}

/// `own`: where its own jobs lie. What overflowed into `general` is taken for its own too.
fn jobs_of(thread: &ThreadStats, own: &[Queue]) -> Jobs {
    let run = thread.all_jobs();
    let kept: u64 = own.iter().map(|queue| thread.jobs[*queue as usize]).sum();
    Jobs { run, helped: thread.helped, parked: thread.parked, by_queue: thread.jobs, taken: run - kept }
}
