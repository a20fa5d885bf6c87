//! The whole editor on a display of another rate, as the window's link tells it.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use std::rc::Rc;

use framewalk::window::link::WindowLink;
use framewalk_runtime::time::Rate;

use super::*;

#[test]
fn a_window_that_is_moved_to_another_display_is_followed_by_the_run_from_the_next_frame() {
    let settings = tempfile::tempdir().unwrap();
    let link = Rc::new(WindowLink::default());
    let mut options = options(Some(sample("judder-lab")), settings.path(), log_lines::channel().1);
    options.link = Some(Rc::clone(&link));
    let mut editor = Harness::builder()
        .with_size([1600.0, 1000.0])
        .with_max_steps(30)
        .build_eframe(|cc| EditorApp::new(cc, options));
    editor.run();
    let hz = |hz| Some(Rate::hz(hz).unwrap());
    link.display_rate.set(hz(50));
    press(&mut editor, "Play");
    // One pass a second is told of the display before it runs what is due.
    let mut second = |rate: Option<Rate>| {
        link.display_rate.set(rate);
        editor.run();
        let before = editor.state().inspector().history().newest().map_or(0, |entry| entry.record.frame.0);
        editor.state_mut().set_virtual_step(Nanos::from_secs(1));
        editor.step();
        editor.state_mut().set_virtual_step(STANDING);
        editor.run();
        let newest = editor.state().inspector().history().newest().unwrap().record;
        (newest.frame.0 - before, newest.frame_rate)
    };
    let of = |hz| Rate::hz(hz).unwrap();
    let (frames, rate) = second(hz(50));
    assert!((49..=51).contains(&frames) && rate == of(50), "{frames} {rate}");
    let (frames, rate) = second(hz(144));
    assert!((143..=145).contains(&frames) && rate == of(144), "{frames} {rate}");
    let (frames, rate) = second(hz(30));
    assert!((29..=31).contains(&frames) && rate == of(30), "{frames} {rate}");
    // Where the system knows none, the project's.
    let (frames, rate) = second(None);
    assert!((59..=61).contains(&frames) && rate == of(60), "{frames} {rate}");
}
