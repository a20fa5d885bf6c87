//! Calls into a renderer, whose code is foreign: a panic in it is a sentence, not the end of the caller.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::time::FrameIndex;

/// Calls the renderer; a panic comes back as a sentence that names the stage.
pub(crate) fn guarded<R>(
    stage: &str,
    frame: Option<FrameIndex>,
    call: impl FnOnce() -> R,
) -> Result<R, String> {
    // After a panic the renderer is only told to stop and dropped, so a broken invariant in it goes no further.
    catch_unwind(AssertUnwindSafe(call)).map_err(|payload| {
        let of_frame = frame.map_or(String::new(), |frame| format!(" of frame {}", frame.0));
        format!("panicked in {stage}{of_frame}: {}", panic_message(&*payload))
    })
}

/// The text a panic carried.
pub(crate) fn panic_message(payload: &(dyn Any + Send)) -> &str {
    payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("(no message)")
}
