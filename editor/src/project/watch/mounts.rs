//! Which file system a folder lies on, by the system's list of mounts: those of other machines tell of no changes.

use std::path::Path;

/// File systems whose files another machine can change without this system being told.
const NETWORK: &[&str] = &[
    "nfs",
    "nfs4",
    "cifs",
    "smb3",
    "smbfs",
    "9p",
    "afs",
    "ceph",
    "ncpfs",
    "fuse.sshfs",
    "fuse.glusterfs",
    "fuse.rclone",
    "fuse.davfs",
    "davfs",
    "drvfs",
];

/// The kind of network drive that a folder lies on, by the text of `/proc/self/mounts`; none where it lies on no such.
pub fn network_kind<'a>(mounts: &'a str, folder: &Path) -> Option<&'a str> {
    let listed = mounts.lines().filter_map(|line| {
        let mut words = line.split(' ').skip(1);
        let place = words.next()?.replace("\\040", " ");
        Some((place, words.next()?))
    });
    // The innermost one; of those at the same place the last, which lies over the others.
    let (_, kind) =
        listed.filter(|(place, _)| folder.starts_with(place)).max_by_key(|(place, _)| place.len())?;
    NETWORK.contains(&kind).then_some(kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_mount_decides() {
        let mounts = "/dev/a / ext4 rw 0 0\n\
                      host:/x /mnt nfs4 rw 0 0\n\
                      /dev/b /mnt/local ext4 rw 0 0\n\
                      //host/y /mnt/my\\040games cifs rw 0 0\n";
        let kind = |folder: &str| network_kind(mounts, Path::new(folder));
        assert_eq!(kind("/home/me"), None);
        assert_eq!(kind("/mnt/game"), Some("nfs4"));
        assert_eq!(kind("/mnt/local/game"), None);
        assert_eq!(kind("/mnt/my games/one"), Some("cifs"));
        assert_eq!(kind("/mntx"), None, "another folder that begins alike");
        assert_eq!(network_kind("", Path::new("/")), None, "a system without the list");
        assert_eq!(network_kind("nonsense\n", Path::new("/")), None);
    }
}
