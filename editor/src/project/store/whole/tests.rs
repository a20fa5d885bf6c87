//! What is promised of every file that is written.

use super::*;

const ALL: [Kind; 4] = [Kind::Output, Kind::Document, Kind::New, Kind::Private];

fn count(folder: &tempfile::TempDir) -> usize {
    std::fs::read_dir(folder.path()).unwrap().count()
}

#[test]
fn writing_replaces_the_whole_file_and_leaves_nothing_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.json");
    write(&path, b"a long first content", Kind::New).unwrap();
    for kind in [Kind::Output, Kind::Document, Kind::Private] {
        write(&path, b"short", kind).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"short");
    }
    let there = write(&path, b"new", Kind::New).unwrap_err();
    assert_eq!(there.to_string(), format!("cannot write {}: it is there already", path.display()));
    assert_eq!((std::fs::read(&path).unwrap(), count(&folder)), (b"short".to_vec(), 1));
}

#[test]
fn the_folder_of_a_document_is_made_and_that_of_an_output_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).join("a.ron");
    for (kind, name) in [(Kind::Document, "document"), (Kind::New, "new"), (Kind::Private, "private")] {
        write(&path(name), b"here", kind).unwrap();
        assert_eq!(std::fs::read(path(name)).unwrap(), b"here");
    }
    let refused = write(&path("output"), b"here", Kind::Output).unwrap_err();
    assert_eq!((refused.why.as_str(), count(&folder)), ("there is no such folder", 3));
    assert_eq!(check(&path("output"), Kind::Output).unwrap_err(), refused, "it is known before");
}

#[cfg(unix)]
mod on_unix {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
    use std::process::Command;

    use super::*;

    /// Names the folder into which the other process writes: only then is it one.
    const OTHER_PROCESS: &str = "FRAMEWALK_TEST_UMASK_FOLDER";
    const ITS_NAME: &str = "project::store::whole::tests::on_unix::the_process_with_another_umask";

    fn mode(file: &Path) -> u32 {
        file.metadata().unwrap().permissions().mode() & 0o777
    }

    fn set_mode(file: &Path, mode: u32) {
        std::fs::set_permissions(file, std::fs::Permissions::from_mode(mode)).unwrap();
    }

    fn name_of(kind: Kind) -> String {
        format!("{kind:?}.ron")
    }

    /// Started by [`a_new_file_has_the_rights_that_the_umask_leaves`], which gives it another umask; else it does
    /// nothing.
    #[test]
    fn the_process_with_another_umask() {
        let Some(folder) = std::env::var_os(OTHER_PROCESS).map(PathBuf::from) else { return };
        for kind in ALL {
            write(&folder.join(name_of(kind)), b"new", kind).unwrap();
        }
    }

    #[test]
    fn a_new_file_has_the_rights_that_the_umask_leaves() {
        for (umask, expected) in [("022", 0o644), ("002", 0o664), ("077", 0o600), ("000", 0o666)] {
            let folder = tempfile::tempdir().unwrap();
            let script = format!("umask {umask} && exec \"$0\" --exact {ITS_NAME}");
            let done = Command::new("sh")
                .args(["-c", &script])
                .arg(std::env::current_exe().unwrap())
                .env(OTHER_PROCESS, folder.path())
                .output()
                .unwrap();
            assert!(done.status.success(), "{done:?}");
            for kind in [Kind::Output, Kind::Document, Kind::New] {
                assert_eq!(mode(&folder.path().join(name_of(kind))), expected, "{kind:?} under {umask}");
            }
            let private = folder.path().join(name_of(Kind::Private));
            assert_eq!(mode(&private), 0o600, "kept work is its owner's alone");
        }
    }

    #[test]
    fn a_file_keeps_the_rights_that_it_has() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("main.ron");
        write(&path, b"first", Kind::Document).unwrap();
        for kept in [0o640, 0o664, 0o600, 0o755] {
            set_mode(&path, kept);
            for kind in [Kind::Output, Kind::Document, Kind::Private] {
                write(&path, b"again", kind).unwrap();
                assert_eq!(mode(&path), kept, "{kind:?}");
            }
        }
    }

    #[test]
    fn a_file_keeps_its_owner_and_its_group_where_that_is_allowed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("main.ron");
        write(&path, b"first", Kind::Document).unwrap();
        if std::os::unix::fs::chown(&path, Some(12_345), Some(54_321)).is_err() {
            eprintln!("skipped: only root may give a file away");
            return;
        }
        write(&path, b"second", Kind::Document).unwrap();
        let now = path.metadata().unwrap();
        assert_eq!((now.uid(), now.gid()), (12_345, 54_321));
    }

    #[test]
    fn a_link_stays_and_what_it_names_is_written() {
        for kind in ALL {
            let folder = tempfile::tempdir().unwrap();
            let (link, file) = (folder.path().join("link"), folder.path().join("inside.json"));
            symlink("inside.json", &link).unwrap();
            write(&link, b"made", kind).unwrap();
            assert!(link.is_symlink() && std::fs::read(&file).unwrap() == b"made", "{kind:?}");
            if kind != Kind::New {
                write(&link, b"replaced", kind).unwrap();
                assert!(link.is_symlink() && std::fs::read(&file).unwrap() == b"replaced", "{kind:?}");
            }
        }
    }

    #[test]
    fn links_that_lead_round_in_a_circle_name_no_file_and_stay() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (folder.path().join("one"), folder.path().join("two"));
        symlink("two", &one).unwrap();
        symlink("one", &two).unwrap();
        for kind in ALL {
            let refused = write(&one, b"here", kind).unwrap_err();
            assert_eq!(refused.why, "its links lead round in a circle", "{kind:?}");
            assert_eq!(check(&one, kind).unwrap_err(), refused, "it is known before");
            assert!(one.is_symlink() && two.is_symlink() && count(&folder) == 2);
        }
    }

    #[test]
    fn no_folder_is_made_up_for_a_link_that_leads_nowhere() {
        let folder = tempfile::tempdir().unwrap();
        let far = folder.path().join("far.ron");
        symlink("drive/far.ron", &far).unwrap();
        for kind in ALL {
            let refused = write(&far, b"here", kind).unwrap_err();
            assert_eq!(refused.why, format!("{} is a link into a folder that is not there", far.display()));
            assert!(far.is_symlink() && count(&folder) == 1);
        }
    }

    #[test]
    fn what_is_no_file_is_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let (socket, inside) = (folder.path().join("socket.ron"), folder.path().join("folder.ron"));
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        std::fs::create_dir(&inside).unwrap();
        for (path, why) in [(&socket, "it is no file, but a pipe or a device"), (&inside, "it is a folder")] {
            for kind in [Kind::Document, Kind::Private] {
                let refused = write(path, b"(format: 1)", kind).unwrap_err();
                assert_eq!(refused.to_string(), format!("cannot write {}: {why}", path.display()));
            }
        }
        assert_eq!(check(&inside, Kind::Output).unwrap_err().why, "it is a folder");
        assert_eq!(count(&folder), 2, "nothing is left beside them");
    }

    #[test]
    fn a_device_takes_an_output_as_it_is() {
        let null = Path::new("/dev/null");
        check(null, Kind::Output).unwrap();
        write(null, b"gone", Kind::Output).unwrap();
        assert!(!null.metadata().unwrap().is_file());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_pipe_behind_links_takes_an_output_as_it_is_also_where_nobody_reads_on() {
        use std::io::Read;
        use std::os::fd::AsRawFd;
        let folder = tempfile::tempdir().unwrap();
        let (mut reader, writer) = std::io::pipe().unwrap();
        let link = folder.path().join("link");
        symlink(format!("/dev/fd/{}", writer.as_raw_fd()), &link).unwrap();
        check(&link, Kind::Output).unwrap();
        write(&link, b"through the pipe", Kind::Output).unwrap();
        let mut read = [0; 16];
        reader.read_exact(&mut read).unwrap();
        assert_eq!(&read, b"through the pipe");
        assert_eq!(
            write(&link, b"", Kind::Document).unwrap_err().why,
            "it is no file, but a pipe or a device"
        );
        // Closed before anything is read: more than it holds.
        let writing = std::thread::spawn(move || write(&link, &vec![0; 1 << 20], Kind::Output));
        reader.read_exact(&mut read).unwrap();
        drop(reader);
        assert_eq!(writing.join().unwrap(), Ok(()));
        assert_eq!(count(&folder), 1);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn an_open_file_without_a_name_takes_an_output_as_it_is() {
        use std::os::fd::AsRawFd;
        let folder = tempfile::tempdir().unwrap();
        let nameless = tempfile::tempfile_in(folder.path()).unwrap();
        let path = PathBuf::from(format!("/proc/self/fd/{}", nameless.as_raw_fd()));
        for text in ["a long first content", "short"] {
            write(&path, text.as_bytes(), Kind::Output).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(count(&folder), 0);
    }

    #[test]
    fn a_file_that_is_write_protected_is_not_replaced_whoever_asks() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.json");
        std::fs::write(&path, "old").unwrap();
        set_mode(&path, 0o444);
        for kind in [Kind::Output, Kind::Document, Kind::Private] {
            let refused = write(&path, b"new", kind).unwrap_err();
            assert_eq!(refused.why, "the file is write-protected");
            assert_eq!(check(&path, kind).unwrap_err(), refused, "it is known before");
        }
        assert_eq!((std::fs::read(&path).unwrap(), count(&folder)), (b"old".to_vec(), 1));
    }
}
