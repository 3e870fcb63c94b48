//! No byte is lost, doubled or out of order: floods, rotation, a disk that is full.

mod support;

use std::fs;
use std::path::Path;

use flightdeck_keeper::layout::decode_records;
use flightdeck_keeper::{Event, Exit, LogLimits, Stream, streams_path};
use support::{Client, Keeper, segments, session, wait_for};

/// `1\r\n2\r\n...`, what `seq` prints on a terminal.
fn numbered(last: u32, line_end: &str) -> Vec<u8> {
    (1..=last).flat_map(|n| format!("{n}{line_end}").into_bytes()).collect()
}

#[track_caller]
fn assert_same(actual: &[u8], expected: &[u8]) {
    if actual != expected {
        let at = actual.iter().zip(expected).take_while(|(a, b)| a == b).count();
        let piece = |bytes: &[u8]| {
            String::from_utf8_lossy(&bytes[at.saturating_sub(20)..bytes.len().min(at + 40)]).into_owned()
        };
        panic!(
            "{} bytes instead of {}; they differ at {at}: {:?} instead of {:?}",
            actual.len(),
            expected.len(),
            piece(actual),
            piece(expected)
        );
    }
}

#[test]
fn a_flood_is_complete() {
    const LAST: u32 = 500_000;
    let keeper = Keeper::start();
    let client = keeper.client();
    client.spawn(&keeper.pty("pty", &format!("seq {LAST}")));
    client.spawn(&keeper.pipes("pipes", &format!("seq {LAST}")));
    assert_eq!(client.finish("pty"), Exit::Code(0));
    assert_eq!(client.finish("pipes"), Exit::Code(0));
    assert_same(&keeper.log("pty"), &numbered(LAST, "\r\n"));
    assert_same(&keeper.log("pipes"), &numbered(LAST, "\n"));
}

#[test]
fn a_rotated_log_is_contiguous_and_within_its_limit() {
    const LAST: u32 = 300_000;
    let keeper = Keeper::start();
    let client = keeper.client();
    for (id, line_end) in [("pty", "\r\n"), ("pipes", "\n")] {
        let script = format!("seq {LAST}");
        let mut spec = if id == "pty" { keeper.pty(id, &script) } else { keeper.pipes(id, &script) };
        spec.limits = LogLimits { total_bytes: 500_000, segment_bytes: 65_537, max_age_secs: None };
        client.spawn(&spec);
        client.finish(id);
        let expected = numbered(LAST, line_end);
        assert_eq!(client.eof(id), expected.len() as u64, "{id}");

        let dir = keeper.log_dir(id);
        let parts = segments(&dir);
        let first = parts[0].0;
        assert!(first > 0, "{id}: the oldest stayed");
        let mut end = first;
        for (base, bytes) in &parts {
            assert_eq!(*base, end, "{id}: a gap or overlap");
            end += bytes.len() as u64;
            let sidecar = fs::read(streams_path(&dir, *base)).ok();
            assert_eq!(sidecar.is_some(), id == "pipes", "{id}");
            let records = sidecar.map(|bytes| decode_records(&bytes)).unwrap_or_default();
            assert!(
                records.iter().all(|record| record.offset == *base && record.stream == Stream::Stdout),
                "{records:?}"
            );
        }
        assert!(parts[..parts.len() - 1].iter().all(|(_, bytes)| bytes.len() == 65_537), "{id}");
        assert!(end - first <= 500_000, "{id}: {} bytes", end - first);
        assert!(end - first > 500_000 - 2 * 65_537, "{id}: only {} bytes", end - first);
        assert_same(&keeper.log(id), &expected[first as usize..]);
        let sidecars = fs::read_dir(&dir)
            .expect("a folder")
            .flatten()
            .filter(|e| e.path().extension().is_some_and(|x| x == "streams"));
        assert_eq!(sidecars.count(), if id == "pipes" { parts.len() } else { 0 }, "{id}: sidecars of removed segments");
    }
}

#[test]
fn many_stream_changes_are_all_marked() {
    const LAST: u32 = 3000;
    let keeper = Keeper::start();
    let client = keeper.client();
    let script = format!("i=0; while [ $i -lt {LAST} ]; do i=$((i+1)); echo o$i; echo e$i >&2; done");
    let mut spec = keeper.pipes("mixed", &script);
    spec.limits.segment_bytes = 1000;
    client.spawn(&spec);
    client.finish("mixed");

    let dir = keeper.log_dir("mixed");
    let (mut out, mut err) = (Vec::new(), Vec::new());
    for (base, bytes) in segments(&dir) {
        let records = decode_records(&fs::read(streams_path(&dir, base)).expect("a sidecar"));
        assert_eq!(records[0].offset, base, "the first record of a segment");
        for (i, record) in records.iter().enumerate() {
            let end = records.get(i + 1).map_or(base + bytes.len() as u64, |next| next.offset);
            let piece = &bytes[(record.offset - base) as usize..(end - base) as usize];
            if record.stream == Stream::Stdout { out.extend_from_slice(piece) } else { err.extend_from_slice(piece) }
        }
    }
    let expected = |letter| (1..=LAST).flat_map(|n| format!("{letter}{n}\n").into_bytes()).collect::<Vec<u8>>();
    assert_same(&out, &expected('o'));
    assert_same(&err, &expected('e'));
}

#[test]
fn a_full_disk_stops_the_child_and_loses_nothing() {
    const LAST: u32 = 60_000;
    let keeper = Keeper::start();
    let client = keeper.client();
    let disk = keeper.folder.path().join("disk");
    fs::create_dir(&disk).expect("a folder");
    let options = c"size=256k";
    let Ok(()) = rustix::mount::mount("tmpfs", &disk, "tmpfs", rustix::mount::MountFlags::empty(), options) else {
        println!("skipped: mounting a tmpfs is not permitted here");
        return;
    };
    let _unmount = Unmount(&disk);
    let ballast = disk.join("ballast");
    fs::write(&ballast, vec![0; 200 << 10]).expect("room for the ballast");

    for id in ["pty", "pipes"] {
        let script = format!("seq {LAST}");
        let mut spec = if id == "pty" { keeper.pty(id, &script) } else { keeper.pipes(id, &script) };
        spec.log_dir = disk.join(id).into();
        spec.limits.segment_bytes = 10_000;
        client.spawn(&spec);
    }
    for id in ["pty", "pipes"] {
        let reason = stalled(&client, id);
        assert!(reason.contains("No space left") && reason.contains(id), "{reason}");
        assert!(client.info(id).is_some_and(|info| info.stalled.is_some() && !info.eof), "{id}");
    }
    // Others go on: their logs are on another disk.
    client.spawn(&keeper.pty("other", "echo fine"));
    client.finish("other");

    // Freed in small steps, so that it fills up again and again and writes are cut anywhere.
    let written = || client.requests.list().expect("a list").iter().map(|info| info.log_end).sum::<u64>();
    for left in (0..8).rev() {
        let before = written();
        let ballast = fs::OpenOptions::new().write(true).open(&ballast).expect("opens");
        ballast.set_len(left * (24 << 10)).expect("shrinks");
        wait_for("progress", || format!("{:?}", client.requests.list()), || (written() > before).then_some(()));
    }
    rustix::mount::mount_remount(&disk, rustix::mount::MountFlags::empty(), c"size=8m").expect("grows");
    for (id, line_end) in [("pty", "\r\n"), ("pipes", "\n")] {
        assert_eq!(client.finish(id), Exit::Code(0), "{id}");
        client.event("the word that it goes on", |event| match event {
            Event::Stalled { id: of, reason: None } if of.as_str() == id => Some(()),
            _ => None,
        });
        assert_same(&support::read_log(&disk.join(id)), &numbered(LAST, line_end));
        assert_eq!(client.info(id).and_then(|info| info.stalled), None);
        wait_for("the exit file", String::new, || flightdeck_keeper::read_exit(&disk.join(id)));
        client.requests.forget(&session(id)).expect("forgets");
    }
    // The keeper closes the files a moment after its answer; only then can the disk be unmounted.
    wait_for("closed files", String::new, || {
        let fds = fs::read_dir(format!("/proc/{}/fd", keeper.pid)).ok()?;
        fds.flatten().all(|fd| !fs::read_link(fd.path()).is_ok_and(|to| to.starts_with(&disk))).then_some(())
    });
}

fn stalled(client: &Client, id: &str) -> String {
    client.event(&format!("a full disk for {id}"), |event| match event {
        Event::Stalled { id: of, reason: Some(reason) } if of.as_str() == id => Some(reason.clone()),
        _ => None,
    })
}

struct Unmount<'a>(&'a Path);

impl Drop for Unmount<'_> {
    fn drop(&mut self) {
        let _busy = rustix::mount::unmount(self.0, rustix::mount::UnmountFlags::DETACH);
    }
}
