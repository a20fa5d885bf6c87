//! `new`: projects that play at once, and nothing of anybody's overwritten.

use crate::support::{framewalk, instant};

#[test]
fn every_template_is_clean_and_plays_at_once() {
    for template in ["empty", "first-steps"] {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("my game");
        let done = framewalk(["new".as_ref(), dir.as_os_str(), "--template".as_ref(), template.as_ref()]);
        assert_eq!((done.status, done.stderr.as_str()), (0, ""), "{done:?}");
        assert_eq!(framewalk(["check".as_ref(), dir.as_os_str()]).status, 0);
        let ran = instant(&dir, "--seconds 1");
        assert_eq!(ran.report["project"], "my game");
        assert_eq!((ran.number("frames"), ran.number("ticks")), (61, 60));
    }
}

#[test]
fn a_folder_that_is_not_empty_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("novel.txt"), "chapter one").unwrap();
    let done =
        framewalk(["new".as_ref(), folder.path().as_os_str(), "--template".as_ref(), "empty".as_ref()]);
    assert_eq!((done.status, done.stdout.as_str()), (1, ""));
    assert!(done.stderr.contains("not empty"), "{}", done.stderr);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);

    let file = folder.path().join("novel.txt");
    let done = framewalk(["new".as_ref(), file.as_os_str()]);
    assert!(done.status == 1 && done.stderr.contains("is a file"), "{done:?}");
    assert_eq!(std::fs::read_to_string(file).unwrap(), "chapter one");
}

#[test]
fn an_empty_folder_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let done = framewalk(["new".as_ref(), folder.path().as_os_str()]);
    assert_eq!(done.status, 0, "{done:?}");
    assert!(folder.path().join("project.ron").is_file() && folder.path().join("scenes/main.ron").is_file());
}

#[test]
#[cfg(unix)]
fn a_link_that_leads_nowhere_is_called_one_and_stays() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("link");
    std::os::unix::fs::symlink("nowhere", &link).unwrap();
    let done = framewalk(["new".as_ref(), link.as_os_str()]);
    let expected = format!("error: {} is a link that leads nowhere; choose a new folder\n", link.display());
    assert_eq!((done.status, done.stderr.as_str()), (1, expected.as_str()), "{done:?}");
    assert!(link.is_symlink() && std::fs::read_dir(folder.path()).unwrap().count() == 1);
}
