//! A window that is gone in the middle of its event loop: winit panics then, and what was done until then must not be lost.

use std::any::Any;

/// What is said of a window that its program has not closed.
pub const DESTROYED: &str = "the window was destroyed by another program";

/// A window that was open is gone, and no other could be opened in its place: a sentence, with what became of unsaved work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WindowGone(pub String);

/// What is said of a panic that ended the event loop of a window.
///
/// On X11 any program may destroy any window. winit hears of it afterwards: where it asks for the window's place meanwhile, or
/// tells the input method that the keyboard has left it, it takes the server's answer, that there is no such window, for a
/// fault of its own.
#[must_use]
pub fn sentence(panic: &(dyn Any + Send)) -> String {
    let message = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("(no message)");
    // As Xlib says it, and as x11rb does.
    if ["BadWindow", "error_kind: Window,"].iter().any(|error| message.contains(error)) {
        DESTROYED.to_owned()
    } else {
        format!(
            "the window's event loop panicked: {}",
            message.split_whitespace().collect::<Vec<_>>().join(" ")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_that_is_not_there_any_more_was_destroyed_and_any_other_panic_is_named() {
        for of_winit in [
            "Failed to unfocus input context: XError { description: \"BadWindow (invalid Window parameter)\" }",
            "called `Result::unwrap()` on an `Err` value: X11(X11Error { error_kind: Window, error_code: 3, sequence: 443 })",
        ] {
            assert_eq!(sentence(&of_winit.to_owned()), "the window was destroyed by another program");
        }
        let own: Box<dyn Any + Send> = Box::new("index 3\n  out of bounds");
        assert_eq!(sentence(&*own), "the window's event loop panicked: index 3 out of bounds");
        assert_eq!(sentence(&7_u8), "the window's event loop panicked: (no message)");
    }
}
