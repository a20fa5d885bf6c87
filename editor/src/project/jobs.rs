//! Work with files that may take long, off the window's thread: one thread, one job after the other, in order.

use std::collections::VecDeque;
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use framewalk_runtime::scene::Scene;

use super::both::Both;
use super::scene_text;
use super::store::whole::{self, Kind};
use super::store::{self, ReadScene, recovery};

/// What is to be done.
#[derive(Debug)]
pub enum Job {
    Save(Box<Save>),
    /// Reads a scene's file, unless it has the text that is known of it.
    Read {
        file: PathBuf,
        known: Option<String>,
        progress: Progress,
    },
    /// Compares a scene with what its file has now, line by line.
    Compare(Box<Compare>),
    /// Keeps the work on a scene for recovery.
    Keep {
        data: PathBuf,
        file: PathBuf,
        base: String,
        /// The text that the file has, as far as is known.
        on_disk: String,
        scene: Scene,
    },
    /// What was kept of a scene is not needed any more.
    Forget {
        data: PathBuf,
        file: PathBuf,
    },
    /// Nothing, until the other end is dropped; only a test gives it, and never to [`Jobs::Direct`].
    Hold(Receiver<()>),
}

/// A scene that is to be written.
#[derive(Debug)]
pub struct Save {
    pub file: PathBuf,
    /// The text that the scene was read from: what is written differs from it only where the scene does. Empty where
    /// none was read.
    pub base: String,
    pub scene: Scene,
    pub over: Over,
    /// Told meanwhile.
    pub progress: Progress,
}

/// A scene that is to be compared with its file.
#[derive(Debug)]
pub struct Compare {
    pub file: PathBuf,
    /// See [`Save::base`].
    pub base: String,
    pub scene: Scene,
    pub progress: Progress,
}

/// How much of a job is done, for whoever draws meanwhile. Each job has one of its own, by which it is known; whoever
/// does not want it any more says so.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<Told>);

#[derive(Debug, Default)]
struct Told {
    part: AtomicU32,
    given_up: AtomicBool,
}

impl PartialEq for Progress {
    /// They are of the same job.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Progress {}

impl Progress {
    fn tell(&self, part: f32) {
        // Relaxed: a number to be looked at, by which nothing else is told.
        self.0.part.store(part.to_bits(), Ordering::Relaxed);
    }

    /// From 0 to 1.
    #[must_use]
    pub fn part(&self) -> f32 {
        f32::from_bits(self.0.part.load(Ordering::Relaxed))
    }

    /// Nobody waits for it any more: it ends as soon as it can.
    pub fn give_up(&self) {
        // Relaxed: nothing else is told by it, and it may be seen late.
        self.0.given_up.store(true, Ordering::Relaxed);
    }

    /// Nobody waits for it any more.
    #[must_use]
    pub fn is_given_up(&self) -> bool {
        self.0.given_up.load(Ordering::Relaxed)
    }
}

/// What may be written over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Over {
    /// The file as it was read, and no other: this text. One that is gone may be written again.
    Known(String),
    /// Whatever is there.
    Anything,
    /// Nothing: the file must be new.
    Nothing,
}

/// What was done.
#[derive(Debug)]
pub enum Done {
    Saved {
        file: PathBuf,
        outcome: Saved,
    },
    /// `None`: it has the text that was known, or the job was given up.
    Read {
        progress: Progress,
        read: Option<Box<ReadScene>>,
    },
    /// Where they differ, or why they cannot be compared. `None`: the job was given up.
    Compared {
        progress: Progress,
        both: Option<Result<Both, Vec<String>>>,
    },
    Kept {
        file: PathBuf,
        problem: Option<String>,
    },
    Forgotten,
    Held,
}

/// What became of a scene that was to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Saved {
    /// It is in its file: this text.
    Written(String),
    /// Another program has written just this scene, as this text: nothing was left to be done.
    WasThere(String),
    /// Another program has written the file since it was read, and it cannot be used as it is where there is a fault:
    /// nothing was done.
    ChangedOnDisk { fault: Option<String> },
    /// Nothing was changed on disk: why, in sentences.
    Failed(Vec<String>),
}

/// Does one job. It may take long.
#[must_use]
pub fn perform(job: Job) -> Done {
    match job {
        Job::Save(save) => Done::Saved { outcome: written(&save), file: save.file },
        Job::Read { file, known, progress } => {
            let read = || store::read_scene_unless(&file, known.as_deref());
            let read = (!progress.is_given_up()).then(read).flatten();
            Done::Read { progress, read: read.map(Box::new) }
        }
        Job::Compare(compare) => Done::Compared { both: compared(&compare), progress: compare.progress },
        Job::Keep { data, file, base, on_disk, scene } => {
            let kept = scene_text(&base, &scene, &|_| {})
                .map_err(|faults| faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
                .and_then(|text| recovery::keep(&data, &file, &on_disk, &text));
            Done::Kept { file, problem: kept.err() }
        }
        Job::Forget { data, file } => {
            recovery::forget(&data, &file);
            Done::Forgotten
        }
        Job::Hold(released) => {
            let _ = released.recv();
            Done::Held
        }
    }
}

/// The same, where a panic is an answer too: else whoever waits for one would wait for ever, and so would the window.
fn told(job: Job, perform: impl FnOnce(Job) -> Done) -> Done {
    const BROKE: &str =
        "the program has made a mistake, and nothing was written; what it was stands on stderr";
    const BROKE_READING: &str = "the program has made a mistake in reading it; what it was stands on stderr";
    let fallen = match &job {
        Job::Save(save) => {
            Done::Saved { file: save.file.clone(), outcome: Saved::Failed(vec![BROKE.to_owned()]) }
        }
        Job::Read { file, progress, .. } => {
            let fault = format!("{}: {BROKE_READING}", file.display());
            let read = ReadScene { text: String::new(), scene: Err(vec![fault]), is_gone: false };
            Done::Read { progress: progress.clone(), read: Some(Box::new(read)) }
        }
        Job::Compare(compare) => Done::Compared {
            progress: compare.progress.clone(),
            both: Some(Err(vec![BROKE_READING.to_owned()])),
        },
        Job::Keep { file, .. } => Done::Kept {
            file: file.clone(),
            problem: Some(format!("your work could not be kept for recovery: {BROKE}")),
        },
        Job::Forget { .. } => Done::Forgotten,
        Job::Hold(_) => Done::Held,
    };
    std::panic::catch_unwind(AssertUnwindSafe(|| perform(job))).unwrap_or(fallen)
}

fn written(save: &Save) -> Saved {
    if let Over::Known(known) = &save.over
        && let Some(read) = store::read_scene_unless(&save.file, Some(known))
        && !read.is_gone
    {
        return match read.scene {
            Ok(theirs) if theirs == save.scene => Saved::WasThere(read.text),
            theirs => {
                Saved::ChangedOnDisk { fault: theirs.err().and_then(|faults| faults.into_iter().next()) }
            }
        };
    }
    // The rest is for the disk.
    let tell = |part: f32| save.progress.tell(part * 0.9);
    let text = match scene_text(&save.base, &save.scene, &tell) {
        Ok(text) => text,
        Err(faults) => return Saved::Failed(faults.iter().map(ToString::to_string).collect()),
    };
    let kind = match save.over {
        Over::Nothing => Kind::New,
        Over::Known(_) | Over::Anything => Kind::Document,
    };
    match whole::write(&save.file, text.as_bytes(), kind) {
        Ok(()) => Saved::Written(text),
        Err(problem) => Saved::Failed(vec![problem.to_string()]),
    }
}

fn compared(compare: &Compare) -> Option<Result<Both, Vec<String>>> {
    // Reading and comparing take less than saying what would be written.
    const READ: f32 = 0.1;
    const WRITTEN: f32 = 0.8;
    let Compare { file, base, scene, progress } = compare;
    let goes_on = || (!progress.is_given_up()).then_some(());
    goes_on()?;
    let theirs = store::read_scene_text(file);
    progress.tell(READ);
    goes_on()?;
    let mine = match scene_text(base, scene, &|part| progress.tell(READ + (WRITTEN - READ) * part)) {
        Ok(mine) => mine,
        Err(faults) => return Some(Err(faults.iter().map(ToString::to_string).collect())),
    };
    goes_on()?;
    Some(Ok(Both::of(&mine, &theirs)))
}

/// Whoever does the jobs. Dropped, it does first what it was given.
pub enum Jobs {
    /// In the caller's thread, at once: in virtual time the same happens every time.
    Direct(VecDeque<Done>),
    Thread(FilesThread),
}

/// The thread `files`.
pub struct FilesThread {
    // None only while it is dropped.
    jobs: Option<Sender<Job>>,
    done: Receiver<Done>,
    thread: Option<JoinHandle<()>>,
    pending: usize,
}

impl Drop for FilesThread {
    fn drop(&mut self) {
        drop(self.jobs.take());
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::error!(target: "framewalk", "the thread `files` has panicked");
        }
    }
}

impl Jobs {
    /// On a thread of their own; `wake` is called from it whenever one is done. Where the system refuses a thread, they
    /// are done in the caller's.
    #[must_use]
    pub fn threaded(wake: impl Fn() + Send + 'static) -> Self {
        let (jobs, to_do) = channel::<Job>();
        let (tell, done) = channel();
        let work = move || {
            for job in to_do {
                if tell.send(told(job, perform)).is_err() {
                    // Nobody listens: what is left, such as a save, is done all the same.
                    continue;
                }
                wake();
            }
        };
        match std::thread::Builder::new().name("files".to_owned()).spawn(work) {
            Ok(thread) => {
                Self::Thread(FilesThread { jobs: Some(jobs), done, thread: Some(thread), pending: 0 })
            }
            Err(error) => {
                tracing::warn!(target: "framewalk", "no thread for files, the window may stall: {error}");
                Self::Direct(VecDeque::new())
            }
        }
    }

    /// Gives a job, to be done after those before. Those who ask give no second of a kind before the first is done, so
    /// that no more wait than scenes are open.
    pub fn give(&mut self, job: Job) {
        match self {
            Self::Direct(done) => done.push_back(perform(job)),
            Self::Thread(thread) => {
                let sent = thread.jobs.as_ref().is_some_and(|jobs| jobs.send(job).is_ok());
                thread.pending += usize::from(sent);
            }
        }
    }

    /// What has been done since, the first first.
    pub fn poll(&mut self) -> Option<Done> {
        match self {
            Self::Direct(done) => done.pop_front(),
            Self::Thread(thread) => {
                let done = thread.done.try_recv().ok()?;
                thread.pending = thread.pending.saturating_sub(1);
                Some(done)
            }
        }
    }

    /// Something is not done yet.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        match self {
            Self::Direct(done) => !done.is_empty(),
            Self::Thread(thread) => thread.pending > 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn save(file: &std::path::Path, seed: u64, over: Over) -> Job {
        let scene = Scene { seed, ..Scene::default() };
        let base = "(format: 1, entities: [])".to_owned();
        let (file, progress) = (file.to_owned(), Progress::default());
        Job::Save(Box::new(Save { file, base, scene, over, progress }))
    }

    #[test]
    fn jobs_are_done_in_order_off_the_thread_and_all_of_them_before_it_goes() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.ron");
        let (woken, wakes) = channel();
        let mut jobs = Jobs::threaded(move || woken.send(()).unwrap_or_default());
        for seed in 1..=20 {
            jobs.give(save(&file, seed, Over::Anything));
        }
        assert!(jobs.is_busy());
        wakes.recv_timeout(std::time::Duration::from_secs(20)).expect("one is done");
        let Some(Done::Saved { outcome: Saved::Written(text), .. }) = jobs.poll() else { panic!("a save") };
        assert!(text.contains("seed: 1"), "the first one: {text}");
        drop(jobs);
        assert!(std::fs::read_to_string(&file).unwrap().contains("seed: 20"));
    }

    #[test]
    fn a_job_that_panics_is_answered_as_one_that_failed() {
        let file = PathBuf::from("/games/a/scenes/main.ron");
        let broken = |_: Job| -> Done { panic!("on purpose") };
        let Done::Saved { file: told_of, outcome: Saved::Failed(why) } =
            told(save(&file, 1, Over::Anything), broken)
        else {
            panic!("a failed save")
        };
        assert_eq!((told_of, why.len()), (file.clone(), 1));
        let (base, on_disk, scene) = (String::new(), String::new(), Scene::default());
        let keep = Job::Keep { data: PathBuf::new(), file: file.clone(), base, on_disk, scene };
        let kept = told(keep, broken);
        assert!(matches!(kept, Done::Kept { file: told_of, problem: Some(_) } if told_of == file));
    }

    #[test]
    fn how_much_of_a_save_is_done_is_told_while_it_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let scene = Scene::default();
        let base = "(format: 1, entities: [])".to_owned();
        let progress = Progress::default();
        assert!(progress.part() < 0.001);
        let file = folder.path().join("a.ron");
        let save = Save { file, base, scene, over: Over::Anything, progress: progress.clone() };
        drop(perform(Job::Save(Box::new(save))));
        assert!((0.5..=0.9).contains(&progress.part()), "what is left is the disk's: {}", progress.part());
    }

    #[test]
    fn a_file_that_others_wrote_or_that_is_there_is_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.ron");
        std::fs::write(&file, "theirs").unwrap();
        let no_scene = format!("{}:1:1: expected `(`, found `theirs`", file.display());
        for (over, expected) in [
            (Over::Known("mine".to_owned()), Saved::ChangedOnDisk { fault: Some(no_scene) }),
            (
                Over::Nothing,
                Saved::Failed(vec![format!("cannot write {0}: it is there already", file.display())]),
            ),
        ] {
            let Done::Saved { outcome, .. } = perform(save(&file, 1, over)) else { panic!("a save") };
            match (&outcome, &expected) {
                (Saved::Failed(found), Saved::Failed(_)) => assert!(found[0].ends_with("is there already")),
                _ => assert_eq!(outcome, expected),
            }
            assert_eq!(std::fs::read_to_string(&file).unwrap(), "theirs");
        }
        let Done::Saved { outcome, .. } = perform(save(&file, 1, Over::Known("theirs".to_owned()))) else {
            panic!("a save")
        };
        assert!(matches!(outcome, Saved::Written(_)));
    }
}
