//! Work is never lost: recovery after a kill, two editors on one project, disks that refuse.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use std::process::{Child, Command, Stdio};

use framewalk::command::{EditorCommand, NewEntity};
use framewalk::settings::Settings;

use super::*;

const PROJECT: &str = "(format: 1, name: \"mine\", about: \"\", scenes: [\"main\"])";
pub const SCENE: &str =
    "// Mine.\n(\n    format: 1,\n    entities: [\n        (id: 1, name: \"Box\"),\n    ],\n)\n";
/// Names the folder in which the other process works: only then is it one.
const OTHER_PROCESS: &str = "FRAMEWALK_TEST_OTHER_PROCESS";

/// A project, and beside it settings and data of the editors that open it.
pub struct Home {
    pub folder: tempfile::TempDir,
}

impl Home {
    pub fn new() -> Self {
        let home = Self { folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir_all(home.folder.path().join("project/scenes")).unwrap();
        std::fs::write(home.folder.path().join("project/project.ron"), PROJECT).unwrap();
        std::fs::write(home.scene("main"), SCENE).unwrap();
        let settings = Settings { autosave_seconds: 1, tour_taken: true, ..Settings::default() };
        SettingsStore::in_folder(home.folder.path()).write(&settings).unwrap();
        home
    }

    pub fn scene(&self, name: &str) -> PathBuf {
        self.folder.path().join(format!("project/scenes/{name}.ron"))
    }

    pub fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.scene(name)).unwrap()
    }

    pub fn open(&self) -> Harness<'static, EditorApp> {
        opened(self.folder.path())
    }

    /// How many scenes work is kept of; what is only being written is none yet.
    pub fn kept(&self) -> usize {
        let Ok(files) = std::fs::read_dir(self.folder.path().join("data/recovery")) else { return 0 };
        files.flatten().filter(|file| file.path().extension().is_some_and(|ending| ending == "ron")).count()
    }
}

fn opened(folder: &Path) -> Harness<'static, EditorApp> {
    let mut editor = open(Some(folder.join("project")), folder);
    editor.run();
    editor
}

pub fn names(editor: &Harness<'_, EditorApp>) -> Vec<String> {
    let scene = editor.state().workspace().unwrap().scenes.front.document.scene();
    scene.entities.iter().map(|entity| entity.name.clone()).collect()
}

pub fn run(editor: &mut Harness<'_, EditorApp>, command: EditorCommand) {
    editor.state_mut().run_command(command);
    editor.run();
}

/// Passes until it is so, in real time: what is waited for takes some seconds by itself.
pub fn wait_for(editor: &mut Harness<'_, EditorApp>, what: &str, so: impl Fn(&EditorApp) -> bool) {
    for _ in 0..400 {
        editor.step();
        if so(editor.state()) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("never: {what}");
}

/// Started by [`killed_in_the_middle_of_work_the_next_start_offers_it`], else it does nothing: it works, and never ends.
#[test]
fn the_process_that_is_killed() {
    let Some(folder) = std::env::var_os(OTHER_PROCESS).map(PathBuf::from) else { return };
    let mut editor = opened(&folder);
    run(&mut editor, EditorCommand::Add(NewEntity::Sphere));
    loop {
        editor.step();
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

pub fn start_and_kill(home: &Home) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "files_in_real_time::the_process_that_is_killed", "--nocapture"])
        .env(OTHER_PROCESS, home.folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let is_kept = (0..1200).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        home.kept() > 0
    });
    // SIGKILL: nothing is put in order.
    Child::kill(&mut child).unwrap();
    child.wait().unwrap();
    assert!(is_kept, "the work is kept some seconds after the change");
}

#[test]
fn killed_in_the_middle_of_work_the_next_start_offers_it() {
    let home = Home::new();
    start_and_kill(&home);
    assert_eq!(home.text("main"), SCENE, "never in place");
    let mut editor = home.open();
    assert!(editor.query_by_label_contains("1 entity added: Sphere").is_some(), "it says what differs");
    press(&mut editor, "Later");
    assert_eq!(names(&editor), ["Box"]);
    drop(editor);

    let mut editor = home.open();
    press(&mut editor, "Restore");
    assert_eq!(names(&editor), ["Box", "Sphere"]);
    assert!(editor.state().is_dirty());
    assert_eq!(
        editor.state().workspace().unwrap().scenes.front.document.history().done_count(),
        1,
        "one step"
    );
    run(&mut editor, EditorCommand::Undo);
    assert_eq!((names(&editor), editor.state().is_dirty()), (vec!["Box".to_owned()], false));
    run(&mut editor, EditorCommand::Redo);
    run(&mut editor, EditorCommand::Save);
    assert!(home.text("main").contains("Sphere"));
    run(&mut editor, EditorCommand::CloseProject);
    assert_eq!(home.kept(), 0, "what is saved is not kept");
    drop(editor);
    let mut editor = home.open();
    editor.run();
    assert!(editor.query_by_label("Restore").is_none(), "nothing is offered twice");
}

#[test]
fn the_welcome_page_names_what_waits_to_be_recovered_and_opens_its_project() {
    let home = Home::new();
    start_and_kill(&home);
    let mut editor = open(None, home.folder.path());
    editor.run();
    let told = editor.query_by_label_contains("main in mine, kept a moment ago");
    assert!(told.is_some(), "which scene of which project, and when");
    press(&mut editor, "Open mine with unsaved work");
    press(&mut editor, "Restore");
    assert_eq!(names(&editor), ["Box", "Sphere"]);
    run(&mut editor, EditorCommand::Save);
    run(&mut editor, EditorCommand::CloseProject);
    assert!(editor.query_by_label("Open mine with unsaved work").is_none(), "nothing waits any more");
}

#[test]
fn an_offer_that_is_waved_away_is_no_answer_and_newer_work_is_not_kept_over_it() {
    let home = Home::new();
    start_and_kill(&home);
    let mut editor = home.open();
    assert!(editor.query_by_label("Restore").is_some());
    editor.key_press(Key::Escape);
    editor.run();
    assert!(editor.query_by_label("Restore").is_none());
    run(&mut editor, EditorCommand::Add(NewEntity::Cube));
    wait_for(&mut editor, "the new work is kept beside the old", |_| home.kept() == 2);
    drop(editor);
    let mut editor = home.open();
    assert!(editor.query_by_label_contains("1 entity added: Cube").is_some());
    press(&mut editor, "Discard");
    assert!(editor.query_by_label_contains("1 entity added: Sphere").is_some());
    press(&mut editor, "Restore");
    assert_eq!(names(&editor), ["Box", "Sphere"]);
}

#[test]
fn what_is_discarded_is_not_offered_again() {
    let home = Home::new();
    start_and_kill(&home);
    let mut editor = home.open();
    press(&mut editor, "Discard");
    assert_eq!((names(&editor), home.kept()), (vec!["Box".to_owned()], 0));
}

#[test]
fn the_second_editor_is_read_only_says_who_is_first_and_takes_over_with_the_unsaved_work() {
    let home = Home::new();
    let mut first = home.open();
    run(&mut first, EditorCommand::Add(NewEntity::Cube));
    let mut second = home.open();
    let message = second.state().message().unwrap().text.clone();
    assert!(message.contains(&format!("process {}", std::process::id())), "{message}");
    run(&mut second, EditorCommand::Add(NewEntity::Sphere));
    assert_eq!(names(&second), ["Box"], "nothing is changed in the second");
    press(&mut second, "Take over");
    for _ in 0..200 {
        first.step();
        second.step();
        std::thread::sleep(std::time::Duration::from_millis(20));
        if first.state().read_only_reason().is_some() && second.state().read_only_reason().is_none() {
            break;
        }
    }
    assert!(first.state().read_only_reason().is_some(), "the first is told, and read-only");
    second.run();
    press(&mut second, "Restore");
    assert_eq!(names(&second), ["Box", "Cube"], "what was not saved there goes on here");
    run(&mut first, EditorCommand::CloseProject);
    assert!(first.state().workspace().is_none(), "nothing is lost there: nothing is asked");
    run(&mut second, EditorCommand::Save);
    assert!(home.text("main").contains("Cube"));
}

#[test]
fn who_takes_a_project_back_is_asked_about_what_is_unsaved_here_and_was_written_there() {
    let home = Home::new();
    let mut first = home.open();
    run(&mut first, EditorCommand::Add(NewEntity::Cube));
    let mut second = home.open();
    press(&mut second, "Take over");
    wait_for(&mut first, "the first gives up", |editor| editor.read_only_reason().is_some());
    wait_for(&mut second, "the second has it", |editor| editor.read_only_reason().is_none());
    second.run();
    press(&mut second, "Discard");
    run(&mut second, EditorCommand::Add(NewEntity::Sphere));
    run(&mut second, EditorCommand::Save);
    // It may ask already: then a question stands before the button.
    first.state_mut().run_command(EditorCommand::TakeOver);
    wait_for(&mut first, "the first asks", |editor| editor.read_only_reason().is_some());
    wait_for(&mut second, "the second gives up", |editor| editor.read_only_reason().is_some());
    wait_for(&mut first, "the first has it again", |editor| editor.read_only_reason().is_none());
    first.run();
    assert_eq!(names(&first), ["Box", "Cube"], "what is unsaved here is still here");
    press(&mut first, "Keep mine");
    assert!(home.text("main").contains("Cube") && !home.text("main").contains("Sphere"));
}

#[test]
fn asking_for_a_project_is_cancelled_and_the_first_keeps_it() {
    let home = Home::new();
    let mut first = home.open();
    let mut second = home.open();
    press(&mut second, "Take over");
    press(&mut second, "Do not take the project over");
    for _ in 0..20 {
        first.step();
        second.step();
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(first.state().read_only_reason(), None, "nobody asks any more");
    assert!(second.state().read_only_reason().is_some());
    press(&mut second, "Take over");
    wait_for(&mut first, "the first gives up", |editor| editor.read_only_reason().is_some());
    wait_for(&mut second, "the second has it", |editor| editor.read_only_reason().is_none());
}

#[test]
fn a_holder_that_is_killed_blocks_nobody() {
    let home = Home::new();
    start_and_kill(&home);
    let editor = home.open();
    assert_eq!(editor.state().read_only_reason(), None);
}

#[test]
fn work_is_kept_in_real_time_and_forgotten_when_it_is_undone() {
    let home = Home::new();
    let mut editor = home.open();
    run(&mut editor, EditorCommand::Add(NewEntity::Cube));
    wait_for(&mut editor, "the work is kept", |_| home.kept() == 1);
    run(&mut editor, EditorCommand::Undo);
    wait_for(&mut editor, "it is forgotten", |_| home.kept() == 0);
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_leaves_the_old_file_whole_and_the_work_unsaved() {
    let home = Home::new();
    let mount = home.folder.path().join("project/scenes");
    let mounted = Command::new("sh")
        .arg("-c")
        .arg(format!("mount -t tmpfs -o size=16k tmpfs '{}'", mount.display()))
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !mounted {
        eprintln!("no disk is filled: a small one cannot be mounted here, which needs to be root");
        return;
    }
    std::fs::write(home.scene("main"), SCENE).unwrap();
    let mut filling = vec![0_u8; 64 << 10];
    filling.fill(b'x');
    // As much as fits.
    drop(std::fs::write(mount.join("filling"), &filling));
    let mut editor = home.open();
    run(&mut editor, EditorCommand::Add(NewEntity::Cube));
    run(&mut editor, EditorCommand::Save);
    let message = editor.state().message().unwrap().clone();
    let found = (home.text("main"), editor.state().is_dirty());
    drop(editor);
    // Lazily: the thread that looks for problems may still read there.
    let undone = Command::new("umount").arg("-l").arg(&mount).status().unwrap();
    assert!(undone.success());
    assert!(message.text.contains("not saved"), "{message:?}");
    assert!(message.details[0].contains("the disk is full"), "{message:?}");
    assert_eq!(found, (SCENE.to_owned(), true));
}

/// As a person has it: files are written by a thread of their own.
pub fn in_real_time(home: &Home) -> Harness<'static, EditorApp> {
    let mut options =
        options(Some(home.folder.path().join("project")), home.folder.path(), log_lines::channel().1);
    options.drive = Drive::Threads;
    let builder = Harness::builder().with_size([1600.0, 1000.0]).with_max_steps(30);
    let mut editor = builder.build_eframe(|cc| EditorApp::new(cc, options));
    editor.step();
    editor
}

pub fn large_scene(entities: usize) -> String {
    let lines = (1..=entities).map(|id| format!("        (id: {id}, name: \"E{id}\"),\n"));
    format!("(\n    format: 1,\n    entities: [\n{}    ],\n)\n", lines.collect::<String>())
}

#[test]
fn a_large_scene_is_saved_in_real_time_while_passes_go_on_and_a_second_save_waits_for_the_first() {
    let home = Home::new();
    std::fs::write(home.scene("main"), large_scene(20_000)).unwrap();
    let mut editor = in_real_time(&home);
    let add = |editor: &mut Harness<'_, EditorApp>| {
        editor.state_mut().run_command(EditorCommand::Add(NewEntity::Empty));
        editor.step();
    };
    add(&mut editor);
    // However fast the machine is, nothing is written before the window has gone on.
    let held = editor.state_mut().hold_files();
    editor.state_mut().run_command(EditorCommand::Save);
    editor.step();
    assert!(editor.state().is_saving(), "it is not waited for");
    let message = editor.state().message().unwrap().text.clone();
    assert!(message.starts_with("Writing ") && message.contains("001 entities"), "{message}");
    add(&mut editor);
    editor.state_mut().run_command(EditorCommand::Save);
    editor.step();
    drop(held);
    wait_for(&mut editor, "both are written", |editor| !editor.is_saving());
    assert!(!editor.state().is_dirty());
    let text = home.text("main");
    assert!(
        text.contains("id: 20001") && text.contains("id: 20002"),
        "the second has what came after the first"
    );
    // Closing in the middle of a save waits for it.
    add(&mut editor);
    let held = editor.state_mut().hold_files();
    editor.state_mut().run_command(EditorCommand::Save);
    editor.step();
    editor.state_mut().run_command(EditorCommand::Quit);
    editor.step();
    drop(held);
    drop(editor);
    assert!(home.text("main").contains("id: 20003"));
}

#[test]
fn what_is_changed_while_it_is_being_written_is_unsaved_after_it() {
    let home = Home::new();
    std::fs::write(home.scene("main"), large_scene(20_000)).unwrap();
    let mut editor = in_real_time(&home);
    let held = editor.state_mut().hold_files();
    for command in [EditorCommand::Add(NewEntity::Empty), EditorCommand::Save] {
        editor.state_mut().run_command(command);
        editor.step();
    }
    assert!(editor.state().is_saving());
    editor.state_mut().run_command(EditorCommand::Add(NewEntity::Empty));
    editor.step();
    drop(held);
    wait_for(&mut editor, "it is written", |editor| !editor.is_saving());
    assert!(editor.state().is_dirty());
    editor.state_mut().run_command(EditorCommand::Undo);
    editor.step();
    assert!(!editor.state().is_dirty(), "one step back is what is in the file");
}

#[test]
fn a_save_that_is_asked_for_twice_ends_with_the_word_that_it_is_saved() {
    let home = Home::new();
    let mut editor = in_real_time(&home);
    let held = editor.state_mut().hold_files();
    for command in [EditorCommand::Add(NewEntity::Empty), EditorCommand::Save, EditorCommand::Save] {
        editor.state_mut().run_command(command);
        editor.step();
    }
    drop(held);
    wait_for(&mut editor, "it is written", |editor| !editor.is_saving());
    let message = &editor.state().message().unwrap().text;
    assert!(message.starts_with("Saved "), "{message}");
}

#[test]
fn what_is_changed_while_a_copy_is_written_is_not_thrown_away_for_what_is_on_disk() {
    let home = Home::new();
    let mut editor = in_real_time(&home);
    editor.state_mut().run_command(EditorCommand::Add(NewEntity::Cube));
    editor.step();
    std::fs::write(home.scene("main"), SCENE.replace("Mine", "Theirs")).unwrap();
    editor.state_mut().run_command(EditorCommand::Save);
    editor.step();
    wait_for(&mut editor, "it is not written", |editor| !editor.is_saving());
    editor.step();
    let held = editor.state_mut().hold_files();
    editor.get_by_label("Save mine as a copy").click();
    editor.step();
    editor.step();
    assert!(editor.state().is_saving());
    editor.state_mut().run_command(EditorCommand::Add(NewEntity::Sphere));
    editor.step();
    drop(held);
    wait_for(&mut editor, "the copy is written", |editor| !editor.is_saving());
    editor.step();
    assert_eq!(names(&editor), ["Box", "Cube", "Sphere"]);
    assert!(editor.query_by_label("Keep mine").is_some(), "it is asked again");
    let copy = home.text("main.mine");
    assert!(copy.contains("Cube") && !copy.contains("Sphere"), "{copy}");
}

#[test]
fn a_scene_that_plays_is_saved_as_it_was_made() {
    let home = Home::new();
    let mut editor = home.open();
    run(&mut editor, EditorCommand::Add(NewEntity::Cube));
    press(&mut editor, "Play");
    passes(&mut editor, 5);
    run(&mut editor, EditorCommand::Save);
    assert_eq!(editor.state().phase(), Phase::Playing);
    assert!(home.text("main").contains("Cube") && !editor.state().is_dirty());
}

#[test]
#[cfg(unix)]
fn work_is_kept_also_where_the_projects_folder_is_read_only() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    let folder = home.folder.path().join("project/scenes");
    let rights = |mode| std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(mode)).unwrap();
    rights(0o555);
    let mut editor = home.open();
    run(&mut editor, EditorCommand::Add(NewEntity::Cube));
    wait_for(&mut editor, "the work is kept", |_| home.kept() == 1);
    assert_eq!(home.text("main"), SCENE);
    rights(0o755);
}
