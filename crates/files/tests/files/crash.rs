//! A process that is killed while it writes: the file is old or new, and nothing is left behind.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use flightdeck_files::{Expected, Resolver, Rules, UndoRequest, Which};

use super::desk::{open, request};

const CHILD: &str = "FLIGHTDECK_FILES_CRASH";
const ROUNDS: u32 = 40;
const SIZE: usize = 200_000;

fn content(round: usize) -> String {
    format!("{round}\n").repeat(SIZE / (round.to_string().len() + 1))
}

/// The child: writes as fast as it can until it is killed.
#[test]
#[ignore = "it is run by the test below"]
fn endless_writer() {
    let Some(dir) = std::env::var_os(CHILD).map(PathBuf::from) else { return };
    let files = open(&dir, Resolver::Openat2, Rules::default());
    std::fs::write(dir.join("ready"), "").unwrap();
    for round in 10_000.. {
        files.write(&request("sub/f", &content(round), Expected::Any)).unwrap();
    }
}

#[test]
fn killed_at_any_moment() {
    for parent in [PathBuf::from("/dev/shm"), std::env::temp_dir()] {
        let dir = tempfile::TempDir::with_prefix_in("files-crash-", parent).unwrap();
        std::fs::create_dir_all(dir.path().join("ws/sub")).unwrap();
        std::fs::write(dir.path().join("ws/sub/f"), content(10_000)).unwrap();
        for round in 0..ROUNDS / 2 {
            kill_once(dir.path(), Duration::from_micros(u64::from(round) * 1777 % 30_000));
            settled(dir.path());
        }
    }
}

fn kill_once(dir: &Path, after: Duration) {
    let _ = std::fs::remove_file(dir.join("ready"));
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "crash::endless_writer", "--ignored", "--nocapture"])
        .env(CHILD, dir)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    while !dir.join("ready").exists() {
        assert!(Instant::now() < deadline, "the child did not start: {:?}", child.try_wait());
        assert!(child.try_wait().unwrap().is_none(), "the child ended");
        std::thread::yield_now();
    }
    // Not a wait for something: the moment of the kill is what is varied.
    let moment = Instant::now() + after;
    while Instant::now() < moment {
        std::hint::spin_loop();
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

fn settled(dir: &Path) {
    let text = std::fs::read_to_string(dir.join("ws/sub/f")).unwrap();
    let round: usize = text.lines().next().unwrap().parse().unwrap();
    assert!(text == content(round), "the file is neither old nor new: {} bytes", text.len());
    // The next start sweeps and can undo what was done.
    let files = open(dir, Resolver::Openat2, Rules::default());
    let names: Vec<_> =
        std::fs::read_dir(dir.join("ws/sub")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["f"], "something was left behind");
    if let Some(last) = files.backups().entries(1).first() {
        let version =
            files.read(&flightdeck_files::ReadRequest { max_bytes: 1, ..flightdeck_files::ReadRequest::new("sub/f") });
        assert_eq!(last.after, Some(version.unwrap().version), "the journal and the file agree");
    }
}

/// States that a kill can leave, made by hand, since the moment between two renames is too short to hit.
#[test]
fn what_was_left_is_settled() {
    // The journal's before and after, the file, the temporary file; then the file, and whether the change counts.
    type Case = (
        Option<&'static str>,
        Option<&'static str>,
        Option<&'static str>,
        Option<&'static str>,
        Option<&'static str>,
        bool,
    );
    let table: [Case; 8] = [
        (Some("old"), Some("new"), Some("old"), Some("ne"), Some("old"), false),
        (Some("old"), Some("new"), Some("old"), Some("new"), Some("old"), false),
        (Some("old"), Some("new"), Some("new"), Some("old"), Some("new"), true),
        (Some("old"), Some("new"), Some("new"), Some("somebody's"), Some("somebody's"), false),
        (None, Some("new"), None, Some("ne"), None, false),
        (None, Some("new"), Some("new"), None, Some("new"), true),
        (Some("old"), None, None, Some("old"), None, true),
        (Some("old"), None, None, Some("somebody's"), Some("somebody's"), false),
    ];
    for case in table {
        let (before, after, file, temp, left, counts) = case;
        let dir = tempfile::tempdir_in("/dev/shm").unwrap();
        let ws = dir.path().join("ws");
        std::fs::create_dir_all(dir.path().join("backups")).unwrap();
        std::fs::create_dir(&ws).unwrap();
        let digest =
            |text: Option<&str>| text.map_or_else(|| "null".to_owned(), |text| format!("\"{}\"", sha256(text)));
        let line = format!(
            r#"{{"begin":{{"id":1,"time_ms":1,"actor":"a","path":"f","before":{},"after":{},"mode":420,"note":"","undoes":null,"temp":".flightdeck-0123456789abcdef.tmp"}}}}"#,
            digest(before),
            digest(after)
        );
        std::fs::write(dir.path().join("backups/journal"), line + "\n").unwrap();
        for (name, text) in [("f", file), (".flightdeck-0123456789abcdef.tmp", temp)] {
            text.inspect(|text| std::fs::write(ws.join(name), text).unwrap());
        }
        let files = open(dir.path(), Resolver::Openat2, Rules::default());
        let now = std::fs::read_to_string(ws.join("f")).ok();
        assert_eq!(now.as_deref(), left, "{case:?}");
        assert_eq!(files.backups().entries(9).len(), usize::from(counts), "{case:?}");
        assert_eq!(std::fs::read_dir(&ws).unwrap().count(), usize::from(left.is_some()), "{case:?}");
    }
}

/// Text that was only in an editor is kept instead of what was on disk, and the disk is settled all the same.
#[test]
fn a_write_over_unsaved_text_is_settled() {
    let dir = tempfile::tempdir_in("/dev/shm").unwrap();
    let ws = dir.path().join("ws");
    std::fs::create_dir_all(dir.path().join("backups/blobs")).unwrap();
    std::fs::create_dir(&ws).unwrap();
    let line = format!(
        r#"{{"begin":{{"id":1,"time_ms":1,"actor":"a","path":"f","before":"{}","unsaved":"{}","after":"{}","mode":420,"note":"","undoes":null,"temp":".flightdeck-0123456789abcdef.tmp"}}}}"#,
        sha256("old"),
        sha256("typed"),
        sha256("new")
    );
    std::fs::write(dir.path().join("backups/journal"), line + "\n").unwrap();
    std::fs::write(dir.path().join("backups/blobs").join(sha256("typed")), "typed").unwrap();
    std::fs::write(ws.join("f"), "new").unwrap();
    std::fs::write(ws.join(".flightdeck-0123456789abcdef.tmp"), "old").unwrap();
    let files = open(dir.path(), Resolver::Openat2, Rules::default());
    assert_eq!(std::fs::read_to_string(ws.join("f")).unwrap(), "new");
    assert_eq!(std::fs::read_dir(&ws).unwrap().count(), 1, "the temporary file stayed");
    files.undo(&UndoRequest { which: Which::Last, actor: "a".to_owned() }).unwrap();
    assert_eq!(std::fs::read_to_string(ws.join("f")).unwrap(), "typed");
}

fn sha256(text: &str) -> String {
    use sha2::Digest;
    sha2::Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}
