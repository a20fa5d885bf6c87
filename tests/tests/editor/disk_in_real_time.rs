//! What other programs and the disk itself do to the files of the open project, in real time where the test's name says
//! on disk: the system tells of changes when it likes.

#![allow(
    clippy::unwrap_used,
    clippy::float_cmp,
    reason = "a test that fails says where; numbers are read back"
)]

use std::process::Command;

use framewalk::command::EditorCommand;

use super::editing::{Place, SCENE, enter, names, run, scene};
use super::*;

/// Passes until it is so, as many as it takes: while somebody writes, the window is never without something to do. The
/// system has this long to tell of a change.
pub fn until(
    editor: &mut Harness<'_, EditorApp>,
    what: &str,
    is_so: impl Fn(&Harness<'_, EditorApp>) -> bool,
) {
    for _ in 0..400 {
        two_passes(editor);
        if is_so(editor) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let message = editor.state().message().map(|message| message.text.clone());
    panic!("not within 20 seconds: {what}; the last message is {message:?}");
}

/// What the first takes note of, the second shows.
fn two_passes(editor: &mut Harness<'_, EditorApp>) {
    editor.step();
    editor.step();
}

/// Passes, for as long as a change takes to be told of and be over.
fn a_while(editor: &mut Harness<'_, EditorApp>) {
    for _ in 0..16 {
        two_passes(editor);
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}

fn message(editor: &Harness<'_, EditorApp>) -> String {
    editor.state().message().map(|message| message.text.clone()).unwrap_or_default()
}

fn box_x(editor: &Harness<'_, EditorApp>) -> f32 {
    scene(editor).named("Box").unwrap().transform.position.x
}

fn asks(editor: &Harness<'_, EditorApp>) -> bool {
    editor.query_by_label("Keep mine").is_some()
}

fn theirs() -> String {
    SCENE.replace("(0, 2, 8)", "(0, 2, 9)")
}

fn mine() -> String {
    SCENE.replace("(1, 0.5, 0)", "(7, 0.5, 0)")
}

/// With the box at 7, and not saved.
fn edited(place: &Place) -> Harness<'static, EditorApp> {
    let mut editor = place.open();
    press(&mut editor, "Box");
    enter(&mut editor, "Position x", "7");
    editor
}

#[test]
fn on_disk_what_the_editor_saves_is_neither_read_again_nor_asked_about() {
    let place = Place::new();
    let mut editor = edited(&place);
    run(&mut editor, EditorCommand::Save);
    assert_eq!(place.text(), mine());
    a_while(&mut editor);
    assert!(message(&editor).starts_with("Saved"), "{}", message(&editor));
    assert!(
        editor.state().workspace().unwrap().scenes.front.document.history().undo_name().is_some(),
        "undo is kept"
    );
    enter(&mut editor, "Position x", "8");
    run(&mut editor, EditorCommand::Save);
    enter(&mut editor, "Position x", "9");
    a_while(&mut editor);
    assert!(!asks(&editor), "its own writing is no other program's");
    assert_eq!(box_x(&editor), 9.0);
}

#[test]
fn on_disk_each_way_of_saving_is_followed_and_the_last_good_scene_stays_between() {
    let place = Place::new();
    let mut editor = place.open();
    let camera_z =
        |editor: &Harness<'_, EditorApp>| scene(editor).named("Camera").unwrap().transform.position.z;
    let file = place.scene();

    let beside = file.with_file_name(".main.ron.tmp");
    std::fs::write(&beside, theirs()).unwrap();
    std::fs::rename(&beside, &file).unwrap();
    until(&mut editor, "saved by renaming", |editor| camera_z(editor) == 9.0);

    std::fs::write(&file, &SCENE[..60]).unwrap();
    until(&mut editor, "truncated", |editor| message(editor).contains("last good scene"));
    assert_eq!(camera_z(&editor), 9.0);
    std::fs::write(&file, SCENE).unwrap();
    until(&mut editor, "mended", |editor| camera_z(editor) == 8.0);

    std::fs::remove_file(&file).unwrap();
    until(&mut editor, "deleted", |editor| message(editor).contains("last good scene"));
    assert_eq!(names(&editor), ["Camera", "Box", "Child"]);
    std::fs::write(&file, theirs()).unwrap();
    until(&mut editor, "made again", |editor| camera_z(editor) == 9.0);

    let scenes = file.parent().unwrap();
    std::fs::remove_dir_all(scenes).unwrap();
    std::fs::create_dir(scenes).unwrap();
    std::fs::write(&file, SCENE).unwrap();
    until(&mut editor, "changed by a checkout", |editor| camera_z(editor) == 8.0);
    assert!(!editor.state().is_dirty());
}

#[test]
fn on_disk_writes_without_end_are_read_all_the_same() {
    let place = Place::new();
    let mut editor = place.open();
    let file = place.scene();
    let (over, ended) = std::sync::mpsc::channel::<()>();
    let writer = std::thread::spawn(move || {
        let mut x = 100;
        while ended.try_recv() == Err(std::sync::mpsc::TryRecvError::Empty) {
            x += 1;
            let beside = file.with_file_name(".main.ron.tmp");
            std::fs::write(&beside, SCENE.replace("(1, 0.5, 0)", &format!("({x}, 0.5, 0)"))).unwrap();
            std::fs::rename(&beside, &file).unwrap();
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    });
    until(&mut editor, "one of the writes is read", |editor| box_x(editor) > 100.0);
    let first = box_x(&editor);
    until(&mut editor, "and a later one", |editor| box_x(editor) > first);
    over.send(()).unwrap();
    writer.join().unwrap();
}

#[test]
fn on_disk_both_sides_changed_is_asked_about_shown_line_by_line_and_mine_can_be_kept() {
    let place = Place::new();
    let mut editor = edited(&place);
    std::fs::write(place.scene(), theirs()).unwrap();
    until(&mut editor, "it asks", asks);
    press(&mut editor, "Show both");
    if let (Some(path), Ok(image)) = (std::env::var_os("FRAMEWALK_PICTURE"), editor.render()) {
        image.save(path).unwrap();
    }
    assert!(editor.query_by_label("Only here: 2 lines. Only on disk: 2 lines.").is_some());
    assert!(editor.query_all_by_label_contains("(7, 0.5, 0)").next().is_some(), "mine is shown");
    assert!(editor.query_all_by_label_contains("(0, 2, 9)").next().is_some(), "theirs is shown");
    assert_eq!((place.text(), box_x(&editor)), (theirs(), 7.0), "looking changes nothing");
    press(&mut editor, "Keep mine");
    assert_eq!(place.text(), mine());
    assert!(!editor.state().is_dirty());
}

#[test]
fn on_disk_what_another_program_wrote_just_as_it_is_here_is_saved_and_not_asked_about() {
    let place = Place::new();
    let mut editor = edited(&place);
    let same = format!("// Theirs, with a remark.\n{}", mine());
    std::fs::write(place.scene(), &same).unwrap();
    until(&mut editor, "it is saved", |editor| !editor.state().is_dirty());
    assert!(!asks(&editor));
    enter(&mut editor, "Position x", "1");
    run(&mut editor, EditorCommand::Save);
    let before = format!("// Theirs, with a remark.\n{SCENE}");
    assert_eq!(place.text(), before, "and what is saved later begins with their text");
}

#[test]
fn saving_what_another_program_has_just_written_asks_nothing() {
    let place = Place::new();
    let mut editor = edited(&place);
    std::fs::write(place.scene(), mine()).unwrap();
    run(&mut editor, EditorCommand::Save);
    assert!(!asks(&editor) && !editor.state().is_dirty());
    assert_eq!(place.text(), mine());
}

#[test]
fn both_sides_changed_can_be_cancelled_and_theirs_be_taken() {
    let place = Place::new();
    let mut editor = edited(&place);
    std::fs::write(place.scene(), theirs()).unwrap();
    run(&mut editor, EditorCommand::Save);
    press(&mut editor, "Cancel");
    assert!(message(&editor).ends_with("main.ron is not written yet."), "{}", message(&editor));
    assert_eq!((place.text(), box_x(&editor)), (theirs(), 7.0));
    assert!(editor.state().is_dirty());
    run(&mut editor, EditorCommand::Save);
    press(&mut editor, "Show both");
    press(&mut editor, "Take theirs");
    assert_eq!((place.text(), box_x(&editor)), (theirs(), 1.0));
    assert!(!editor.state().is_dirty());
}

#[test]
fn on_disk_a_file_that_says_the_same_in_another_way_is_read_and_what_was_done_can_be_undone() {
    let place = Place::new();
    let mut editor = edited(&place);
    run(&mut editor, EditorCommand::Save);
    std::fs::write(place.scene(), &mine()[..60]).unwrap();
    until(&mut editor, "truncated", |editor| message(editor).contains("last good scene"));
    std::fs::write(place.scene(), format!("// Mended.\n{}", mine())).unwrap();
    until(&mut editor, "mended", |editor| message(editor).contains("read again"));
    run(&mut editor, EditorCommand::Undo);
    assert_eq!(box_x(&editor), 1.0);
    run(&mut editor, EditorCommand::Save);
    assert_eq!(place.text(), format!("// Mended.\n{SCENE}"));
}

#[test]
fn on_disk_what_cannot_be_used_is_not_written_over_unasked_and_is_over_once_it_is() {
    let place = Place::new();
    let mut editor = place.open();
    let broken = format!("<<<<<<< mine\n{SCENE}");
    std::fs::write(place.scene(), &broken).unwrap();
    until(&mut editor, "it is refused", |editor| message(editor).contains("last good scene"));
    press(&mut editor, "Box");
    enter(&mut editor, "Position x", "7");
    run(&mut editor, EditorCommand::Save);
    assert!(asks(&editor));
    let told = editor.query_all_by_label_contains("cannot be used as it is now").next();
    assert!(told.is_some(), "the question says what is wrong with theirs");
    press(&mut editor, "Take theirs");
    assert_eq!((place.text(), box_x(&editor)), (broken, 7.0), "theirs is no scene: nothing is lost here");
    run(&mut editor, EditorCommand::Save);
    press(&mut editor, "Keep mine");
    assert_eq!(place.text(), mine());
    assert!(!editor.state().is_dirty());
    let front = &editor.state().workspace().unwrap().scenes.front;
    assert_eq!(front.refusal(), None, "what is there now is good");
    let refused = editor.query_all_by_label_contains("cannot be used").next();
    assert!(refused.is_none(), "and nothing says otherwise");
}

#[test]
fn on_disk_a_scene_whose_file_is_gone_can_be_saved_as_it_is() {
    let place = Place::new();
    let mut editor = place.open();
    std::fs::remove_file(place.scene()).unwrap();
    until(&mut editor, "it is missed", |editor| message(editor).contains("last good scene"));
    run(&mut editor, EditorCommand::Save);
    assert_eq!(place.text(), SCENE);
    assert_eq!(editor.state().workspace().unwrap().scenes.front.refusal(), None);
}

#[test]
fn on_disk_a_run_is_told_that_its_scene_is_older_and_can_be_started_again_with_the_new_one() {
    let place = Place::new();
    let mut editor = place.open();
    press(&mut editor, "Play");
    passes(&mut editor, 10);
    assert!(editor.query_by_label("Restart with the new scene").is_none());
    std::fs::write(place.scene(), theirs()).unwrap();
    until(&mut editor, "the run is told", |editor| {
        editor.query_by_label("Restart with the new scene").is_some()
    });
    assert_eq!(editor.state().phase(), Phase::Playing, "and not disturbed");
    assert_eq!(scene(&editor).named("Camera").unwrap().transform.position.z, 8.0);
    press(&mut editor, "Restart with the new scene");
    assert_eq!(editor.state().phase(), Phase::Playing);
    assert_eq!(scene(&editor).named("Camera").unwrap().transform.position.z, 9.0);
    assert!(editor.query_by_label("Restart with the new scene").is_none());
}

#[test]
fn on_disk_stopping_a_run_asks_where_both_sides_have_changed() {
    let place = Place::new();
    let mut editor = edited(&place);
    press(&mut editor, "Play");
    passes(&mut editor, 10);
    std::fs::write(place.scene(), theirs()).unwrap();
    until(&mut editor, "the run is told", |editor| {
        editor.query_by_label("Restart with the new scene").is_some()
    });
    press(&mut editor, "Restart with the new scene");
    assert!(asks(&editor), "work that is not saved is not thrown away by a restart");
    assert_eq!((editor.state().phase(), box_x(&editor)), (Phase::Edit, 7.0));
}

#[test]
fn on_disk_a_project_file_that_changes_is_read_and_a_broken_one_leaves_the_last() {
    let place = Place::new();
    let mut editor = place.open();
    let file = place.scene().parent().unwrap().with_file_name("project.ron");
    let good = std::fs::read_to_string(&file).unwrap();
    let other = good.replace("\"mine\"", "\"renamed\"").replace("tick_rate: 60", "tick_rate: 30");
    std::fs::write(&file, other).unwrap();
    let name =
        |editor: &Harness<'_, EditorApp>| editor.state().workspace().unwrap().project.project.name.clone();
    until(&mut editor, "it is read", |editor| name(editor) == "renamed");
    let rate = editor.state().workspace().unwrap().session.choices.tick_rate;
    assert_eq!(rate.to_string(), "30", "the next run has it");
    std::fs::write(&file, "(format: 1, name: \"bro").unwrap();
    until(&mut editor, "it says so", |editor| message(editor).contains("project.ron cannot be used"));
    assert_eq!(name(&editor), "renamed");
}

#[test]
fn on_disk_a_project_file_that_is_mended_to_what_it_was_is_not_refused_any_more() {
    let place = Place::new();
    let mut editor = place.open();
    let file = place.scene().parent().unwrap().with_file_name("project.ron");
    let good = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, &good[..20]).unwrap();
    until(&mut editor, "it says so", |editor| message(editor).contains("project.ron cannot be used"));
    std::fs::write(&file, &good).unwrap();
    until(&mut editor, "it is over", |editor| message(editor).starts_with("project.ron can be used again"));
}

#[test]
fn a_file_that_something_else_was_put_in_place_of_is_not_written_over_unasked() {
    let place = Place::new();
    let mut editor = edited(&place);
    std::fs::remove_file(place.scene()).unwrap();
    std::fs::create_dir(place.scene()).unwrap();
    run(&mut editor, EditorCommand::Save);
    assert!(asks(&editor));
    press(&mut editor, "Keep mine");
    assert!(message(&editor).contains("not saved"), "{}", message(&editor));
    assert!(place.scene().is_dir() && editor.state().is_dirty(), "a folder is no file to write over");

    std::fs::remove_dir(place.scene()).unwrap();
    run(&mut editor, EditorCommand::Save);
    if asks(&editor) {
        press(&mut editor, "Keep mine");
    }
    assert_eq!(place.text(), mine(), "where nothing lies any more, it is written anew");
}

#[test]
#[cfg(unix)]
fn a_link_in_place_of_the_file_is_followed_and_stays_a_link() {
    let place = Place::new();
    let elsewhere = place.scene().with_file_name("elsewhere.ron");
    std::fs::rename(place.scene(), &elsewhere).unwrap();
    std::os::unix::fs::symlink("elsewhere.ron", place.scene()).unwrap();
    let mut editor = edited(&place);
    run(&mut editor, EditorCommand::Save);
    assert!(place.scene().is_symlink());
    assert_eq!(std::fs::read_to_string(elsewhere).unwrap(), mine());
}

/// A small file system of its own over a folder, gone with this value.
struct SmallDisk {
    folder: PathBuf,
}

impl SmallDisk {
    /// None where mounting is not permitted, which is said.
    fn over(folder: &Path) -> Option<Self> {
        let size = "size=64k,nr_inodes=64";
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", size, "tmpfs"]).arg(folder).output();
        match mounted {
            Ok(done) if done.status.success() => Some(Self { folder: folder.to_owned() }),
            Ok(done) => {
                eprintln!("skipped: no small disk can be mounted: {}", String::from_utf8_lossy(&done.stderr));
                None
            }
            Err(error) => {
                eprintln!("skipped: no small disk can be mounted: {error}");
                None
            }
        }
    }

    fn read_only(&self, on: bool) {
        let option = if on { "remount,ro" } else { "remount,rw" };
        let done = Command::new("mount").args(["-o", option]).arg(&self.folder).status().unwrap();
        assert!(done.success());
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        drop(Command::new("umount").arg("-l").arg(&self.folder).status());
    }
}

/// The folder of scenes on a disk of 64 KiB, with the scene in it.
fn on_small_disk(place: &Place) -> Option<SmallDisk> {
    let disk = SmallDisk::over(place.scene().parent().unwrap())?;
    std::fs::write(place.scene(), SCENE).unwrap();
    Some(disk)
}

/// Saving failed with this reason: the file is as it was, and the work is still here.
fn nothing_is_lost(editor: &Harness<'_, EditorApp>, place: &Place, reason: &str) {
    assert_eq!(place.text(), SCENE);
    assert!(editor.state().is_dirty());
    assert_eq!(box_x(editor), 7.0);
    let message = editor.state().message().unwrap();
    assert!(message.text.contains("not saved"), "{message:?}");
    assert!(message.details.iter().any(|line| line.contains(reason)), "{message:?}");
    let files = std::fs::read_dir(place.scene().parent().unwrap()).unwrap();
    let left: Vec<_> = files.flatten().map(|entry| entry.file_name()).collect();
    assert!(left.iter().all(|name| name == "main.ron" || name == "filler"), "nothing half written: {left:?}");
}

#[test]
fn a_full_disk_leaves_the_old_file_whole_and_saving_works_once_there_is_room() {
    let place = Place::new();
    let Some(_disk) = on_small_disk(&place) else { return };
    let mut editor = edited(&place);
    let filler = place.scene().with_file_name("filler");
    assert!(std::fs::write(&filler, vec![0; 1 << 20]).is_err(), "the disk is full now");
    run(&mut editor, EditorCommand::Save);
    nothing_is_lost(&editor, &place, "the disk is full");
    std::fs::remove_file(filler).unwrap();
    run(&mut editor, EditorCommand::Save);
    assert_eq!(place.text(), mine());
    assert!(!editor.state().is_dirty());
}

#[test]
fn a_read_only_disk_leaves_the_old_file_whole_and_saving_works_once_it_can_be_written() {
    let place = Place::new();
    let Some(disk) = on_small_disk(&place) else { return };
    let mut editor = edited(&place);
    disk.read_only(true);
    run(&mut editor, EditorCommand::Save);
    nothing_is_lost(&editor, &place, "read-only");
    disk.read_only(false);
    run(&mut editor, EditorCommand::Save);
    assert_eq!(place.text(), mine());
}

#[test]
#[cfg(unix)]
fn a_read_only_folder_leaves_the_old_file_whole() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    let folder = place.scene().parent().unwrap().to_owned();
    let mut editor = edited(&place);
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o555)).unwrap();
    let may_all_the_same = std::fs::write(folder.join("probe"), "").is_ok();
    if may_all_the_same {
        std::fs::remove_file(folder.join("probe")).unwrap();
        eprintln!("skipped: this user may write to every folder; the test of a read-only disk stands in");
    } else {
        run(&mut editor, EditorCommand::Save);
        nothing_is_lost(&editor, &place, "permission denied");
    }
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).unwrap();
}
