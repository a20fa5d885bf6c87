//! Whether this machine may have something to be heard through: asked before ALSA is, which looks in many places.

/// Certainly not, where false; on systems other than Linux nobody knows before it is tried.
#[must_use]
pub fn may_be_there() -> bool {
    !cfg!(target_os = "linux") || has_card() || has_server() || is_written_down()
}

/// A sound card that plays: `/dev/snd/pcmC0D0p`.
fn has_card() -> bool {
    let Ok(devices) = std::fs::read_dir("/dev/snd") else { return false };
    devices.flatten().any(|device| device.file_name().to_string_lossy().starts_with("pcm"))
}

/// A sound server that takes a session's sounds: PulseAudio or PipeWire.
fn has_server() -> bool {
    if std::env::var_os("PULSE_SERVER").is_some() {
        return true;
    }
    let Some(folder) = std::env::var_os("XDG_RUNTIME_DIR").map(std::path::PathBuf::from) else {
        return false;
    };
    ["pulse/native", "pipewire-0"].iter().any(|socket| folder.join(socket).exists())
}

/// Somebody has told ALSA of a device of their own.
fn is_written_down() -> bool {
    let home = std::env::var_os("HOME").map(|home| std::path::Path::new(&home).join(".asoundrc"));
    home.is_some_and(|path| path.is_file()) || std::path::Path::new("/etc/asound.conf").is_file()
}
