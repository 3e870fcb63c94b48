//! Undo and the journal behind it.

use flightdeck_files::{
    Backups, EntryId, Expected, FileError, Files, Limits, Root, Rules, UndoRequest, UndoResult, Which, WriteRequest,
};

use super::desk::{Desk, code, open, request};

fn undo(files: &Files, which: Which) -> Result<UndoResult, FileError> {
    files.undo(&UndoRequest { which, actor: "tester".to_owned() })
}

#[test]
fn back_and_forth() {
    let desk = Desk::new();
    desk.put("f", "zero");
    desk.write("f", "one", Expected::Any).unwrap();
    desk.write("g", "new", Expected::Any).unwrap();
    let two = desk.write("f", "two", Expected::Any).unwrap();
    assert_eq!(undo(&desk.files, Which::Last).unwrap().undone, two.entry.unwrap());
    assert_eq!(desk.get("f"), b"one");
    let gone = undo(&desk.files, Which::Last).unwrap();
    assert_eq!((gone.path.as_str(), gone.version), ("g", None));
    assert_eq!(desk.names(""), ["f"]);
    // An undo is undone by its own entry, and then counts as never made.
    undo(&desk.files, Which::Entry(gone.entry)).unwrap();
    assert_eq!(desk.get("g"), b"new");
    assert_eq!(undo(&desk.files, Which::Path("f".to_owned())).unwrap().path.as_str(), "f");
    assert_eq!(desk.get("f"), b"zero");
    assert_eq!(undo(&desk.files, Which::Last).unwrap().path.as_str(), "g");
    assert_eq!(code(&undo(&desk.files, Which::Last)), "nothing_to_undo");
    assert_eq!(code(&undo(&desk.files, Which::Entry(EntryId(999)))), "nothing_to_undo");
}

#[test]
fn a_write_is_shown_as_it_was() {
    let desk = Desk::new();
    let made = desk.write("f", "one", Expected::Any).unwrap().entry.unwrap();
    let changed = desk.write("f", "two", Expected::Any).unwrap().entry.unwrap();
    let texts = |id| {
        let written = desk.files.written(id).unwrap();
        (written.before, written.after)
    };
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(texts(made), (some(""), some("one")), "what it left is what the next one replaced");
    assert_eq!(texts(changed), (some("one"), some("two")), "what it left is on disk");
    desk.put("f", "by hand");
    assert_eq!(texts(changed), (some("one"), None), "nobody has kept it");
    assert_eq!(code(&desk.files.written(EntryId(999))), "nothing_to_undo");
}

#[test]
fn an_undo_never_overwrites_newer_work() {
    let desk = Desk::new();
    desk.put("f", "zero");
    desk.write("f", "one", Expected::Any).unwrap();
    desk.put("f", "by hand");
    let error = undo(&desk.files, Which::Last).unwrap_err();
    assert_eq!(error.code(), "stale");
    assert_eq!(error.current_version(), Some(&desk.read("f").unwrap().version));
    assert_eq!(desk.get("f"), b"by hand");
}

/// On disk, unsaved, written; on disk after the undo.
type Replaced = (Option<&'static [u8]>, &'static str, &'static str, &'static [u8]);

/// Text that was only in an editor comes back, whatever was on disk.
#[test]
fn unsaved_text_comes_back() {
    let table: [Replaced; 5] = [
        (Some(b"disk"), "typed", "written", b"typed"),
        // Nothing changes on disk, and the text is kept all the same.
        (Some(b"disk"), "typed", "disk", b"typed"),
        (None, "typed", "written", b"typed"),
        // It is written as it is, so nothing of it is lost.
        (Some(b"disk"), "typed", "typed", b"disk"),
        (Some(b"\xef\xbb\xbfa\r\n"), "b\n", "c\n", b"\xef\xbb\xbfb\n"),
    ];
    for (disk, unsaved, written, back) in table {
        let desk = Desk::new();
        if let Some(disk) = disk {
            desk.put("f", disk);
        }
        let write = WriteRequest { unsaved: Some(unsaved.to_owned()), ..request("f", written, Expected::Any) };
        let entry = desk.files.write(&write).unwrap().entry.expect("there is something to undo");
        let before = desk.files.backups().entries(1).remove(0).before;
        // The next process has the text, too.
        let desk = desk.under(Rules::default());
        let undone = undo(&desk.files, Which::Last).unwrap();
        assert_eq!(desk.get("f"), back, "{unsaved} under {written}");
        assert_eq!((undone.undone, undone.version), (entry, before));
        undo(&desk.files, Which::Entry(undone.entry)).unwrap();
        assert_eq!(desk.read("f").unwrap().content.replace("\r\n", "\n"), written);
    }
}

#[test]
fn through_a_link_and_by_actor() {
    let desk = Desk::new();
    desk.put("f", "zero");
    desk.link("l", "f");
    desk.write("l", "one", Expected::Any).unwrap();
    desk.files
        .write(&flightdeck_files::WriteRequest { actor: "other".to_owned(), ..request("x", "x", Expected::Any) })
        .unwrap();
    undo(&desk.files, Which::LastOf("tester".to_owned())).unwrap();
    assert_eq!(desk.get("f"), b"zero");
    assert_eq!(desk.get("x"), b"x");
    assert_eq!(code(&undo(&desk.files, Which::Path("l".to_owned()))), "nothing_to_undo");
}

#[test]
fn the_journal_survives_a_restart_and_a_torn_line() {
    let desk = Desk::new();
    desk.put("f", "zero");
    desk.write("f", "one", Expected::Any).unwrap();
    let Desk { dir, files } = desk;
    assert_eq!(code(&Backups::open(&dir.path().join("backups"), Limits::default())), "busy");
    drop(files);
    let journal = dir.path().join("backups/journal");
    let mut text = std::fs::read(&journal).unwrap();
    text.extend_from_slice(b"{\"begin\":{\"id\":77,\"ti");
    std::fs::write(&journal, text).unwrap();
    std::fs::write(dir.path().join("backups/blobs/partial"), "rubbish").unwrap();
    let files = open(dir.path(), flightdeck_files::Resolver::Openat2, Rules::default());
    assert!(!dir.path().join("backups/blobs/partial").exists());
    assert_eq!(files.backups().entries(10).len(), 1);
    undo(&files, Which::Last).unwrap();
    assert_eq!(std::fs::read(dir.path().join("ws/f")).unwrap(), b"zero");
    let entries = files.backups().entries(10);
    assert_eq!(
        entries.iter().map(|entry| (entry.undoes.is_some(), entry.undone)).collect::<Vec<_>>(),
        [(true, false), (false, true)]
    );
}

#[test]
fn the_oldest_goes_first() {
    let desk = Desk::new();
    let limits = Limits { bytes: 10_000, entries: 20 };
    let root = Root::open(&desk.at("")).unwrap();
    let files = Files::new(root, Rules::default(), Backups::open(&desk.dir.path().join("small"), limits).unwrap());
    let blobs = desk.dir.path().join("small/blobs");
    let kept = || std::fs::read_dir(&blobs).unwrap().map(|blob| blob.unwrap().metadata().unwrap().len()).sum::<u64>();
    for round in 0..100 {
        let content = format!("{round}{}", "x".repeat(if round < 50 { 10 } else { 3000 }));
        files.write(&request("f", &content, Expected::Any)).unwrap();
        assert!(files.backups().entries(1000).len() <= 20);
        assert!(kept() <= 10_000, "{} bytes are kept", kept());
    }
    let left = files.backups().entries(1000);
    assert_eq!(left.first().unwrap().id, EntryId(100));
    undo(&files, Which::Last).unwrap();
    assert!(desk.get("f").starts_with(b"98x"), "the newest can be taken back");
    // A content that somebody damaged is not restored.
    let last = files.write(&request("f", "good", Expected::Any)).unwrap();
    for blob in std::fs::read_dir(&blobs).unwrap() {
        std::fs::write(blob.unwrap().path(), "damaged").unwrap();
    }
    assert_eq!(code(&undo(&files, Which::Entry(last.entry.unwrap()))), "io");
    assert_eq!(desk.get("f"), b"good");
}
