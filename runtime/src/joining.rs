//! Waiting for a thread to end, but not for ever: one that does not end in time is left to itself, and known by name.

use std::any::Any;
use std::convert::Infallible;
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::thread::{Builder, JoinHandle, Thread};
use std::time::Duration;

/// A thread that can be joined with a deadline.
pub struct Joinable {
    handle: JoinHandle<()>,
    // Nothing is ever sent: it disconnects when the thread has done its work, by a panic too.
    ended: Receiver<Infallible>,
}

/// A thread that did not end in time. It goes on by itself; nobody waits for it any more.
pub struct LeftThread {
    thread: Joinable,
}

impl Joinable {
    /// Starts a named thread.
    ///
    /// # Errors
    /// The system refuses a thread.
    pub fn spawn(builder: Builder, name: &str, body: impl FnOnce() + Send + 'static) -> io::Result<Self> {
        let (alive, ended) = channel();
        let handle = builder.name(name.to_owned()).spawn(move || {
            // Dropped after the work, and while a panic unwinds.
            let _alive = alive;
            body();
        })?;
        Ok(Self { handle, ended })
    }

    #[must_use]
    pub fn thread(&self) -> &Thread {
        self.handle.thread()
    }

    /// Waits as long as it takes.
    ///
    /// # Errors
    /// What the thread panicked with.
    pub fn join(self) -> Result<(), Box<dyn Any + Send>> {
        self.handle.join()
    }

    /// Waits so long at most.
    ///
    /// # Errors
    /// The thread has not ended: it is left to itself.
    pub fn join_within(self, patience: Duration) -> Result<Result<(), Box<dyn Any + Send>>, LeftThread> {
        match self.ended.recv_timeout(patience) {
            Err(RecvTimeoutError::Timeout) => Err(LeftThread { thread: self }),
            Err(RecvTimeoutError::Disconnected) => Ok(self.join()),
            Ok(never) => match never {},
        }
    }
}

impl LeftThread {
    /// What the thread is called: `sim` or `render`.
    #[must_use]
    pub fn name(&self) -> &str {
        self.thread.thread().name().unwrap_or("a thread")
    }

    /// It has ended after all.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.thread.ended.try_recv() == Err(TryRecvError::Disconnected)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn on_real_threads_one_that_does_not_end_is_left_by_name_and_its_end_is_seen() {
        let (let_go, may_go) = channel::<()>();
        let thread = Joinable::spawn(Builder::new(), "sim", move || {
            let _ = may_go.recv();
        })
        .unwrap();
        let left = thread.join_within(Duration::from_millis(1)).expect_err("it waits");
        assert_eq!(left.name(), "sim");
        assert!(!left.has_ended());
        drop(let_go);
        while !left.has_ended() {
            std::thread::yield_now();
        }
    }

    #[test]
    fn on_real_threads_an_end_by_panic_is_an_end() {
        let thread = Joinable::spawn(Builder::new(), "sim", || panic!("out of paint")).unwrap();
        let ended = thread.join_within(Duration::from_secs(60));
        assert!(matches!(ended, Ok(Err(_))));
    }
}
