//! Calls for another pass from any thread, whichever window it is that the editor is in by then.

use std::sync::{Arc, PoisonError, RwLock};

/// Who calls keeps one of these, and never a context: a lost device takes its window and that window's context with it.
#[derive(Clone, Debug)]
pub struct Waker {
    context: Arc<RwLock<egui::Context>>,
}

impl Waker {
    #[must_use]
    pub fn new(ctx: &egui::Context) -> Self {
        Self { context: Arc::new(RwLock::new(ctx.clone())) }
    }

    /// Asks for a pass of the window there is now.
    pub fn wake(&self) {
        self.context().request_repaint();
    }

    /// The same as a function, for whoever knows no window.
    pub fn call(&self) -> impl Fn() + Clone + Send + Sync + 'static {
        let waker = self.clone();
        move || waker.wake()
    }

    /// From now on the window of this context is called; the one before comes back.
    pub fn move_to(&self, ctx: &egui::Context) -> egui::Context {
        let mut context = self.context.write().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *context, ctx.clone())
    }

    /// The context of the window there is now.
    #[must_use]
    pub fn context(&self) -> egui::Context {
        self.context.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_was_told_how_to_call_the_first_window_calls_the_second() {
        let (first, second) = (egui::Context::default(), egui::Context::default());
        let told = |ctx: &egui::Context| {
            let (tell, told) = std::sync::mpsc::channel();
            ctx.set_request_repaint_callback(move |_| tell.send(()).unwrap_or_default());
            told
        };
        let (of_first, of_second) = (told(&first), told(&second));
        let waker = Waker::new(&first);
        let call = waker.call();
        call();
        assert_eq!((of_first.try_iter().count(), of_second.try_iter().count()), (1, 0));
        let before = waker.move_to(&second);
        assert!(before == first);
        call();
        assert_eq!((of_first.try_iter().count(), of_second.try_iter().count()), (0, 1));
    }
}
