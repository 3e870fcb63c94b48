//! Where a path leads: to something that nobody may destroy, into the workspace, or outside of it.

use super::value::{SOMEWHERE, Scope, UNKNOWN, Value};
use crate::Place;

/// Folders of the system. Deleting one of them, or all that is in it, ends the system.
const SYSTEM: &[&str] = &[
    "/etc",
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/boot",
    "/var",
    "/home",
    "/root",
    "/dev",
    "/proc",
    "/sys",
    "/opt",
    "/srv",
    "/mnt",
    "/media",
    "/run",
    "/usr/bin",
    "/usr/sbin",
    "/usr/lib",
    "/usr/local",
    "/usr/share",
    "/var/lib",
    "/var/log",
    "/System",
    "/Library",
    "/Applications",
    "/Users",
    "/Volumes",
    "/private",
    "/private/etc",
    "/private/var",
    "/nix",
    "/nix/store",
    "/snap",
    "/mnt/c",
    "/mnt/c/Windows",
    "/mnt/c/Users",
    "/c",
    "/c/Windows",
    "/c/Users",
];

/// Where a path leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Spot {
    /// What nobody may destroy, in words.
    Vital(String),
    /// Below the workspace.
    Inside,
    /// Below a folder for temporary files.
    Temporary,
    /// Devices that keep nothing: `/dev/null`, `/dev/stdout`.
    Nothing,
    /// A block device.
    Device,
    /// Anywhere else, by its path.
    Outside(String),
    /// It can't be said.
    Unknown,
}

/// A path made absolute, without `.` and `..`; it begins with [`SOMEWHERE`] when the folder is not known.
pub(super) fn resolve(path: &str, cwd: &str) -> String {
    let cwd = if path.starts_with('/') || path.starts_with(SOMEWHERE) { "" } else { cwd };
    let base = if path.starts_with(SOMEWHERE) || cwd.starts_with(SOMEWHERE) { SOMEWHERE } else { "" };
    let mut resolved = String::with_capacity(cwd.len() + path.len() + 2);
    resolved.push_str(base);
    let inside = |path| str::strip_prefix(path, SOMEWHERE).unwrap_or(path);
    let path = if cwd.is_empty() { inside(path) } else { path };
    for part in inside(cwd).split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => resolved.truncate(resolved.rfind('/').unwrap_or(base.len())),
            part => {
                resolved.push('/');
                resolved.push_str(part);
            }
        }
    }
    if resolved.is_empty() { "/".to_owned() } else { resolved }
}

/// Whether `path` is `folder` or lies below it.
pub(super) fn below(path: &str, folder: &str) -> bool {
    let folder = folder.trim_end_matches('/');
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether a name stands for everything in its folder: `*`, `.*`, `.[!.]*`, `**`.
fn everything(name: &str) -> bool {
    matches!(name, "*" | ".*" | "**" | ".[!.]*" | ".[^.]*" | "..?*" | "?*" | "*.*" | ".??*" | "[!.]*" | "*?" | "***")
}

/// Whether a pattern with `*`, `?` and `[…]` fits a name. A class fits any character: this is for searching danger.
fn fits(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n, mut star) = (0, 0, None);
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(b'[') => {
                p += pattern[p..].iter().position(|byte| *byte == b']').map_or(1, |end| end + 1);
                n += 1;
            }
            Some(byte) if *byte == b'?' || *byte == name[n] => {
                p += 1;
                n += 1;
            }
            _ => {
                let Some((back, from)) = star else { return false };
                p = back + 1;
                n = from + 1;
                star = Some((back, n));
            }
        }
    }
    pattern[p..].iter().all(|byte| *byte == b'*')
}

/// Whether a path with patterns can stand for another path.
fn covers(pattern: &str, path: &str) -> bool {
    let (mut patterns, mut parts) = (pattern.split('/'), path.split('/'));
    loop {
        match (patterns.next(), parts.next()) {
            (None, None) => return true,
            (Some(pattern), Some(part)) if fits(pattern.as_bytes(), part.as_bytes()) => {}
            _ => return false,
        }
    }
}

/// What a path is to the user when nobody may destroy it.
fn vital(path: &str, glob: bool, scope: &Scope) -> Option<String> {
    if path == "/" {
        return Some("the whole file system".to_owned());
    }
    if path == SOMEWHERE {
        return Some("the folder it starts in, which can be the workspace".to_owned());
    }
    let workspace = &*scope.workspace;
    let leads = |to: &str| below(to, path) || (glob && ancestors(to).any(|folder| covers(path, folder)));
    if leads(workspace) {
        return Some(if path == workspace {
            "the workspace".to_owned()
        } else {
            format!("{path}, which holds the workspace")
        });
    }
    if leads(&scope.home) {
        return Some(if path == &*scope.home {
            "the home folder".to_owned()
        } else {
            format!("{path}, which holds the home folder")
        });
    }
    // None of them lies deeper than that.
    if path.bytes().filter(|byte| *byte == b'/').count() > 3 {
        return None;
    }
    let system = SYSTEM.iter().find(|folder| path == **folder || (glob && covers(path, folder)))?;
    Some(format!("{system}, a folder of the system"))
}

fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |path| path.rfind('/').map(|end| &path[..end]).filter(|path| !path.is_empty()))
}

/// Where a value leads when everything there is deleted, overwritten or moved away.
pub(super) fn spot(value: &Value, place: &Place, scope: &Scope) -> Spot {
    let text = value.text.as_str();
    if let Some(drive) = windows_root(text) {
        return Spot::Vital(drive);
    }
    if text.starts_with(UNKNOWN) {
        return Spot::Unknown;
    }
    let mut path = resolve(text, &scope.cwd);
    let mut glob = value.glob;
    if glob {
        // All that is in a folder is as good as the folder.
        while let Some((folder, name)) = path.rsplit_once('/') {
            if !everything(name) {
                break;
            }
            path = if folder.is_empty() { "/".to_owned() } else { folder.to_owned() };
        }
        glob = path.contains(['*', '?', '[']);
    }
    if let Some(what) = vital(&path, glob, scope) {
        return Spot::Vital(what);
    }
    locate(&path, place, scope)
}

/// Where a path leads, leaving aside how vital it is.
fn locate(path: &str, place: &Place, scope: &Scope) -> Spot {
    if path.starts_with("/dev/") {
        return device(path);
    }
    if below(path, &scope.workspace) {
        return Spot::Inside;
    }
    if place.temp.iter().any(|temp| below(path, &temp.to_string_lossy())) {
        return Spot::Temporary;
    }
    // The folder is not known, but nothing leads out of it.
    if path.starts_with(SOMEWHERE) {
        return Spot::Inside;
    }
    if path.contains(UNKNOWN) && !path.starts_with("/home/") {
        return Spot::Unknown;
    }
    Spot::Outside(path.to_owned())
}

/// Where output goes that is written to a value.
pub(super) fn written(value: &Value, place: &Place, scope: &Scope) -> Spot {
    if value.text.starts_with(UNKNOWN) || value.text.is_empty() {
        return Spot::Unknown;
    }
    locate(&resolve(&value.text, &scope.cwd), place, scope)
}

fn device(path: &str) -> Spot {
    const HARMLESS: &[&str] = &[
        "null",
        "zero",
        "full",
        "tty",
        "stdin",
        "stdout",
        "stderr",
        "random",
        "urandom",
        "ptmx",
        "console",
        "fd",
        "pts",
        "shm",
        "tcp",
        "udp",
        "snd",
        "dri",
        "input",
        "log",
        "kmsg",
        "fuse",
        "kvm",
        "net",
        "char",
        "bus",
        "hugepages",
        "mqueue",
    ];
    const BLOCK: &[&str] = &[
        "sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "rdisk", "dm-", "md", "loop", "nbd", "zd", "sr", "mapper",
        "block", "mem", "kmem", "port", "root", "mtd", "ubi", "pmem", "zram", "bcache", "fd0",
    ];
    let name = path["/dev/".len()..].split('/').next().unwrap_or_default();
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    if HARMLESS.contains(&name)
        || matches!(stem, "tty" | "ttyS" | "ttyUSB" | "ttyACM" | "video" | "pts" | "fd") && name != "fd0"
    {
        return Spot::Nothing;
    }
    if BLOCK.iter().any(|start| name.starts_with(start)) || name.contains(['*', '?', '[', UNKNOWN]) {
        return Spot::Device;
    }
    Spot::Outside(path.to_owned())
}

/// `C:\`, `C:\Windows`, as they are and as a shell leaves them.
fn windows_root(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    if bytes.len() < 2 || !bytes[0].is_ascii_alphabetic() || bytes[1] != b':' {
        return None;
    }
    let rest = text[2..].trim_matches(['\\', '/', '*', '.']).to_ascii_lowercase();
    match rest.as_str() {
        "" => Some(format!("the drive {}", &text[..2])),
        "windows" | "users" | "program files" | "windows\\system32" => Some(format!("{text}, a folder of the system")),
        _ => None,
    }
}
