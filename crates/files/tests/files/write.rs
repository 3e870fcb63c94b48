//! Writing: atomic, checked, and in the form that the file has.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use flightdeck_files::{Encoding, Endings, Expected, LineEnding, WriteRequest};

use super::desk::{Desk, code, request};

#[test]
fn new_and_existing_files() {
    let desk = Desk::new();
    let new = desk.write("f", "one\n", Expected::Absent).unwrap();
    assert!(new.created && new.changed && new.before.is_none() && new.entry.is_some());
    assert_eq!(code(&desk.write("f", "two\n", Expected::Absent)), "exists");
    let read = desk.read("f").unwrap();
    assert_eq!(read.version, new.version);
    let next = desk.write("f", "two\n", Expected::Is(read.version.clone())).unwrap();
    assert!(!next.created);
    assert_eq!(next.before, Some(read.version.clone()));
    let stale = desk.write("f", "three\n", Expected::Is(read.version.clone())).unwrap_err();
    assert_eq!((stale.code(), stale.current_version()), ("stale", Some(&next.version)));
    let gone = desk.write("g", "x", Expected::Is(read.version)).unwrap_err();
    assert_eq!((gone.code(), gone.current_version()), ("stale", None));
    let same = desk.write("f", "two\n", Expected::Any).unwrap();
    assert!(!same.changed && same.entry.is_none());
    assert_eq!(desk.names(""), ["f"]);
}

#[test]
fn folders_are_made_only_when_asked() {
    let desk = Desk::new();
    let error = desk.write("a/b/f", "x", Expected::Any).unwrap_err();
    assert_eq!(error.code(), "not_found");
    assert!(error.to_string().contains("no folder a/b"), "{error}");
    let asked = WriteRequest { create_parents: true, ..request("a/b/f", "x", Expected::Absent) };
    assert!(desk.files.write(&asked).unwrap().created);
    assert_eq!(desk.get("a/b/f"), b"x");
    // What is refused makes no folders.
    let refused = WriteRequest { create_parents: true, ..request("c/.git/f", "x", Expected::Any) };
    assert_eq!(code(&desk.files.write(&refused)), "protected");
    assert_eq!(desk.names(""), ["a"]);
}

/// What there was, what is written, what is there then, and how.
type Form = (Vec<u8>, &'static str, Vec<u8>, Encoding, bool);

#[test]
fn the_form_of_the_file_is_kept() {
    let desk = Desk::new();
    let wide = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    let table: [Form; 7] = [
        (b"a\r\nb\r\n".to_vec(), "x\ny\n", b"x\r\ny\r\n".to_vec(), Encoding::Utf8, true),
        (b"a\r\nb\r\n".to_vec(), "x\r\ny\r\n", b"x\r\ny\r\n".to_vec(), Encoding::Utf8, false),
        (b"a\r\nb\n".to_vec(), "x\ny\n", b"x\ny\n".to_vec(), Encoding::Utf8, false),
        (b"a\n".to_vec(), "x\r\n", b"x\r\n".to_vec(), Encoding::Utf8, false),
        (b"\xef\xbb\xbfa\n".to_vec(), "x\n", b"\xef\xbb\xbfx\n".to_vec(), Encoding::Utf8Bom, false),
        (wide("\u{feff}a\r\n"), "ü\n", wide("\u{feff}ü\r\n"), Encoding::Utf16Le, true),
        (b"caf\xe9".to_vec(), "café", "café".into(), Encoding::Utf8, false),
    ];
    for (old, content, new, encoding, kept_crlf) in table {
        desk.put("f", &old);
        let written = desk.write("f", content, Expected::Any).unwrap();
        assert_eq!(desk.get("f"), new, "{old:?} with {content:?}");
        assert_eq!((written.encoding, written.kept_crlf), (encoding, kept_crlf));
        assert_eq!(written.size, new.len() as u64);
    }
    assert_eq!(LineEnding::of("a\r\n"), LineEnding::Crlf);
}

#[test]
fn an_editor_saves_its_line_ends_as_they_are() {
    let desk = Desk::new();
    let table: [(&[u8], &str, &[u8]); 4] = [
        (b"a\r\nb\r\n", "a\nb\n", b"a\nb\n"),
        (b"a\r\nb\r\n", "a\r\nb\n", b"a\r\nb\n"),
        (b"\xef\xbb\xbfa\r\n", "a\n", b"\xef\xbb\xbfa\n"),
        (b"\xff\xfea\0\r\0\n\0", "a\n", b"\xff\xfea\0\n\0"),
    ];
    for (old, content, new) in table {
        desk.put("f", old);
        let save = WriteRequest { endings: Endings::AsGiven, ..request("f", content, Expected::Any) };
        let written = desk.files.write(&save).unwrap();
        assert_eq!(desk.get("f"), new, "{old:?} with {content:?}");
        assert!(written.changed && !written.kept_crlf);
    }
}

/// An access list as the kernel has it: version 2, then tag, rights and whose.
fn access_list(entries: &[(u16, u16, u32)]) -> Vec<u8> {
    let mut list = 2_u32.to_le_bytes().to_vec();
    for (tag, rights, whose) in entries {
        list.extend(tag.to_le_bytes().into_iter().chain(rights.to_le_bytes()).chain(whose.to_le_bytes()));
    }
    list
}

#[test]
fn access_lists_and_attributes_stay() {
    const LIST: &str = "system.posix_acl_access";
    const NOBODY: u32 = u32::MAX;
    let (owner, user, group, mask, other) = (1, 2, 4, 0x10, 0x20);
    let desk = Desk::new();
    let attribute = |path: &str, name: &str| {
        let mut value = vec![0; 1000];
        rustix::fs::getxattr(desk.at(path), name, &mut *value).ok().map(|length| value[..length].to_vec())
    };
    let set = |path: &str, name: &str, value: &[u8]| {
        rustix::fs::setxattr(desk.at(path), name, value, rustix::fs::XattrFlags::empty())
            .unwrap_or_else(|errno| panic!("{name} of {path}: {errno}"));
    };
    desk.put("f", "old");
    set("f", "user.note", b"\0any\xff");
    // The group itself may not even read, though its bits of the mode say rw: they are the mask of the list.
    let list =
        access_list(&[(owner, 6, NOBODY), (user, 6, 4242), (group, 0, NOBODY), (mask, 6, NOBODY), (other, 0, NOBODY)]);
    set("f", LIST, &list);
    desk.write("f", "new", Expected::Any).unwrap();
    assert_eq!(desk.get("f"), b"new");
    assert_eq!(attribute("f", "user.note").as_deref(), Some(&b"\0any\xff"[..]));
    assert_eq!(attribute("f", LIST), Some(list));
    assert_eq!(fs::metadata(desk.at("f")).unwrap().mode() & 0o777, 0o660);

    // New files of this folder get a list, this file has none.
    fs::create_dir(desk.at("shared")).unwrap();
    desk.put("shared/private", "old");
    fs::set_permissions(desk.at("shared/private"), fs::Permissions::from_mode(0o640)).unwrap();
    let open = [(owner, 7, NOBODY), (user, 7, 4242), (group, 7, NOBODY), (mask, 7, NOBODY), (other, 0, NOBODY)];
    set("shared", "system.posix_acl_default", &access_list(&open));
    desk.write("shared/private", "new", Expected::Any).unwrap();
    assert_eq!(attribute("shared/private", LIST), None, "nobody was let in");
    assert_eq!(fs::metadata(desk.at("shared/private")).unwrap().mode() & 0o777, 0o640);
    desk.write("shared/new", "new", Expected::Absent).unwrap();
    assert!(attribute("shared/new", LIST).is_some(), "new files are as the folder says");
}

#[test]
fn mode_and_links_stay() {
    let desk = Desk::new();
    desk.put("dir/run.sh", "old");
    fs::set_permissions(desk.at("dir/run.sh"), fs::Permissions::from_mode(0o4751)).unwrap();
    desk.link("link", "dir/run.sh");
    desk.link("link2", desk.at("link"));
    let written = desk.write("link2", "new", Expected::Any).unwrap();
    assert_eq!(written.real_path.as_str(), "dir/run.sh");
    assert_eq!(desk.get("dir/run.sh"), b"new");
    assert!(fs::symlink_metadata(desk.at("link")).unwrap().is_symlink());
    let mode = || fs::metadata(desk.at("dir/run.sh")).unwrap().mode() & 0o7777;
    assert_eq!(mode(), 0o751, "the bit that runs it as its owner goes");
    fs::hard_link(desk.at("dir/run.sh"), desk.dir.path().join("outside/hard")).unwrap();
    assert!(desk.write("link", "newer", Expected::Any).unwrap().parted_links);
    assert_eq!(fs::read(desk.dir.path().join("outside/hard")).unwrap(), b"new", "the other name keeps its content");
}

#[test]
fn owner_stays() {
    let desk = Desk::new();
    desk.put("f", "old");
    if std::os::unix::fs::chown(desk.at("f"), Some(12345), Some(12346)).is_err() {
        println!("skipped: only root can give files away");
        return;
    }
    desk.write("f", "new", Expected::Any).unwrap();
    let now = fs::metadata(desk.at("f")).unwrap();
    assert_eq!((now.uid(), now.gid()), (12345, 12346));
}

#[test]
fn refusals_leave_nothing() {
    let desk = Desk::new();
    desk.put("readonly", "old");
    fs::set_permissions(desk.at("readonly"), fs::Permissions::from_mode(0o444)).unwrap();
    let error = desk.write("readonly", "new", Expected::Any).unwrap_err();
    assert_eq!(error.code(), "read_only");
    assert!(error.advice().contains("chmod u+w"), "{}", error.advice());
    let large = "x".repeat(flightdeck_files::MAX_WRITE + 1);
    assert_eq!(code(&desk.write("large", &large, Expected::Any)), "too_large");
    let nul = desk.write("nul", "ab\0", Expected::Any).unwrap_err();
    assert_eq!(nul.code(), "bad_content");
    assert!(nul.to_string().contains("at byte 2"), "{nul}");
    assert_eq!(desk.names(""), ["readonly"]);
    assert_eq!(desk.get("readonly"), b"old");
    assert!(desk.files.backups().entries(10).is_empty());
}

/// Many writers who read first: every success must have built on what it read.
#[test]
fn no_update_is_lost() {
    let desk = Desk::new();
    desk.put("count", "0");
    let others = super::desk::open_second(&desk);
    let add = |files: &flightdeck_files::Files, times: usize| {
        let mut done = 0;
        while done < times {
            let read = files.read(&flightdeck_files::ReadRequest::new("count")).unwrap();
            let next = (read.content.parse::<u64>().unwrap() + 1).to_string();
            match files.write(&request("count", &next, Expected::Is(read.version))) {
                Ok(_) => done += 1,
                Err(error) => assert!(matches!(error.code(), "stale" | "busy"), "{error}"),
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| add(&desk.files, 100));
        }
    });
    assert_eq!(desk.get("count"), b"200");
    // Another process holds no lock of ours, so only the exchange protects.
    add(&others, 10);
    assert_eq!(desk.get("count"), b"210");
    assert_eq!(desk.names(""), ["count"]);
}

/// An editor that knows nothing of us saves all the time, while we write on top of what we read.
#[test]
fn a_save_of_somebody_else_is_never_lost() {
    let desk = Desk::new();
    desk.put("f", "save 0");
    let over = AtomicBool::new(false);
    let (mut written, mut refused) = (0, 0);
    std::thread::scope(|scope| {
        let editor = scope.spawn(|| save_until(&desk, &over));
        let deadline = Instant::now() + Duration::from_secs(20);
        while (written < 50 || refused < 200) && Instant::now() < deadline && !editor.is_finished() {
            let Ok(read) = desk.read("f") else { continue };
            let content = format!("ours on {}", read.content.trim_start_matches("ours on "));
            match desk.write("f", &content, Expected::Is(read.version)) {
                Ok(result) => written += u32::from(result.changed),
                Err(error) => {
                    assert!(matches!(error.code(), "stale" | "busy"), "{error}");
                    refused += 1;
                }
            }
        }
        over.store(true, Ordering::Relaxed);
    });
    assert!(written >= 50 && refused >= 200, "{written} written, {refused} refused: they hardly met");
}

fn save_until(desk: &Desk, over: &AtomicBool) {
    for round in 1_u64.. {
        // The save before is there, or what was built on it. While a write of ours is being taken back something else
        // can be seen for a moment.
        let before = format!("save {}", round - 1);
        let deadline = Instant::now() + Duration::from_secs(3);
        let mut now = desk.get("f");
        while !now.ends_with(before.as_bytes()) {
            assert!(Instant::now() < deadline, "{before} was lost: {:?}", String::from_utf8_lossy(&now));
            now = desk.get("f");
        }
        if over.load(Ordering::Relaxed) {
            return;
        }
        // The moment of the save is varied, so that it falls into every part of a write.
        let moment = Instant::now() + Duration::from_micros(round * 37 % 400);
        while Instant::now() < moment {
            std::hint::spin_loop();
        }
        desk.put("editor.tmp", format!("save {round}"));
        fs::rename(desk.at("editor.tmp"), desk.at("f")).unwrap();
    }
}
