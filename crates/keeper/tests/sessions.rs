//! What a child sees and says: output, exit, input, size, streams, environment.

mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use flightdeck_keeper::layout::{StreamRecord, decode_records};
use flightdeck_keeper::{Event, Exit, Output, Refusal, Size, Stream, Target, read_exit, streams_path};
use support::{Keeper, is_alive, session, wait_for};

#[test]
fn output_is_in_the_log_byte_for_byte() {
    let keeper = Keeper::start();
    let client = keeper.client();
    let cases = [
        ("plain", "printf hello", "hello"),
        ("lines", "printf 'a\\nb\\n'", "a\r\nb\r\n"),
        ("bytes", "printf '\\000\\377\\033[1m'", "\0\u{fffd}\u{1b}[1m"),
        ("silent", ":", ""),
        ("both", "printf out; printf err >&2", "outerr"),
    ];
    for (id, script, expected) in cases {
        client.spawn(&keeper.pty(id, script));
        assert_eq!(client.finish(id), Exit::Code(0), "{id}");
        assert_eq!(keeper.text(id), expected, "{id}");
        assert_eq!(client.eof(id), keeper.log(id).len() as u64, "{id}");
    }
}

#[test]
fn exits_are_told_listed_and_written() {
    let keeper = Keeper::start();
    let client = keeper.client();
    let cases = [
        ("zero", "exit 0", Exit::Code(0)),
        ("three", "exit 3", Exit::Code(3)),
        ("high", "exit 255", Exit::Code(255)),
        ("killed", "kill -KILL $$", Exit::Signal(9)),
        ("term", "kill -TERM $$", Exit::Signal(15)),
    ];
    for (id, script, expected) in cases {
        client.spawn(&keeper.pty(id, script));
        assert_eq!(client.exit(id), expected, "{id}");
        assert_eq!(client.info(id).and_then(|info| info.exit), Some(expected), "{id}");
        // Whatever is asked after the exit was told finds the file.
        assert_eq!(read_exit(&keeper.log_dir(id)), Some(expected), "{id}");
        client.requests.forget(&session(id)).expect("an ended session can be forgotten");
        assert_eq!(client.info(id), None, "{id}");
    }
}

#[test]
fn the_master_takes_input_and_a_second_copy_does_too() {
    let keeper = Keeper::start();
    let client = keeper.client();
    let child = client.spawn(&keeper.spec("cat", &["cat"], Output::Pty(Size::default())));
    child.type_in("one\n");
    let again = client.requests.attach(&session("cat")).expect("a copy");
    assert_eq!(again.pid, child.pid);
    support::Child { pid: again.pid, master: again.master }.type_in("two\n");
    wait_for(
        "echo and copy of both lines",
        || keeper.text("cat"),
        || {
            (keeper.text("cat") == "one\r\none\r\ntwo\r\ntwo\r\n"
                || keeper.text("cat") == "one\r\ntwo\r\none\r\ntwo\r\n")
                .then_some(())
        },
    );
    child.type_in("\u{4}");
    assert_eq!(client.finish("cat"), Exit::Code(0));
}

#[test]
fn the_child_sees_its_size_and_a_new_one() {
    let keeper = Keeper::start();
    let client = keeper.client();
    let size = Size::new(31, 97).expect("a size");
    let script =
        "trap 'stty size; exit' WINCH; stty size; stty -a | grep -o '.iutf8\\|iutf8'; while :; do sleep 0.02; done";
    client.spawn(&keeper.spec("size", &["sh", "-c", script], Output::Pty(size)));
    wait_for(
        "first size",
        || keeper.text("size"),
        || keeper.text("size").starts_with("31 97\r\n iutf8\r\n").then_some(()),
    );
    client.requests.resize(&session("size"), Size::new(5, 6).expect("a size")).expect("resizes");
    assert_eq!(client.finish("size"), Exit::Code(0));
    assert!(keeper.text("size").ends_with("5 6\r\n"), "{}", keeper.text("size"));
}

#[test]
fn pipes_are_kept_apart() {
    let keeper = Keeper::start();
    let client = keeper.client();
    // Each waits until the other is in the log, so that the order is known.
    let log = keeper.log_dir("pipes").join("00000000000000000000.seg");
    let log = log.display();
    let until = |text: &str| format!("until grep -q {text} {log}; do sleep 0.01; done");
    let script = format!(
        "test -t 0 && exit 9; cat; printf out1; {}; printf err1 >&2; {}; printf out2",
        until("out1"),
        until("err1")
    );
    let child = client.spawn(&keeper.pipes("pipes", &script));
    assert!(child.master.is_none());
    assert_eq!(client.finish("pipes"), Exit::Code(0));
    assert_eq!(keeper.text("pipes"), "out1err1out2");
    let records = decode_records(&fs::read(streams_path(&keeper.log_dir("pipes"), 0)).expect("a sidecar"));
    let expected = [(0, Stream::Stdout), (4, Stream::Stderr), (8, Stream::Stdout)];
    assert_eq!(records, expected.map(|(offset, stream)| StreamRecord { offset, stream }));
    let refused = client.requests.resize(&session("pipes"), Size::default()).expect_err("no terminal");
    assert!(matches!(refused.refusal(), Some(Refusal::NoTerminal { .. })), "{refused}");
}

#[test]
fn the_child_gets_its_environment_and_nothing_of_the_keeper() {
    let keeper = Keeper::start();
    let client = keeper.client();
    let script = "tr '\\0' ' ' </proc/self/environ; pwd; tty; grep -E 'Sig(Blk|Ign)' /proc/self/status; ulimit -Sn; \
                  for fd in /proc/$$/fd/*; do echo fd=${fd##*/}; done";
    let mut spec = keeper.pty("env", script);
    spec.env.push(("WEIRD".into(), vec![0x66u8, 0xff].into()));
    client.spawn(&spec);
    assert_eq!(client.finish("env"), Exit::Code(0));
    let text = keeper.text("env");
    let here = keeper.folder.path().display().to_string();
    assert!(text.contains("WEIRD=f\u{fffd}"), "{text}");
    assert!(text.contains(&format!("{here}\r\n")) && text.contains("/dev/pts/"), "{text}");
    assert!(!text.contains("CARGO") && !text.contains("HOME="), "{text}");
    let fds: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("fd=")).collect();
    // The fourth is the folder that the shell itself lists.
    assert_eq!(fds, ["0", "1", "2", "3"], "{text}");
    assert!(text.contains("SigBlk:\t0000000000000000"), "{text}");
    // 32 and 33 belong to the C library, which does not let anybody set them.
    let ignored = text.lines().find_map(|line| line.strip_prefix("SigIgn:\t")).expect("a mask");
    assert_eq!(u64::from_str_radix(ignored, 16).expect("a number") & !(0b11 << 31), 0, "{text}");
}

#[test]
fn a_login_shell_sees_its_own_name() {
    let keeper = Keeper::start();
    let client = keeper.client();
    let mut spec = keeper.spec(
        "login",
        &["bash", "--norc", "--noprofile", "-c", "echo $0; shopt -q login_shell && echo login"],
        Output::Pty(Size::default()),
    );
    spec.arg0 = Some("-bash".into());
    client.spawn(&spec);
    client.finish("login");
    assert_eq!(keeper.text("login"), "-bash\r\nlogin\r\n");
}

type Change = fn(&mut flightdeck_keeper::SpawnSpec);

#[test]
fn what_cannot_start_says_why_and_leaves_nothing() {
    let keeper = Keeper::start();
    let client = keeper.client();
    let here = keeper.folder.path();
    fs::write(here.join("plain"), "text").expect("writes");
    fs::write(here.join("script"), "#!/no/such/interpreter\n").expect("writes");
    fs::set_permissions(here.join("script"), fs::Permissions::from_mode(0o755)).expect("sets");
    let fds = || fs::read_dir(format!("/proc/{}/fd", keeper.pid)).expect("fds").count();
    let before = fds();
    let cases: [(&str, Change, &str); 12] = [
        ("no such program", |spec| spec.argv = vec!["no-such-program".into()], "ProgramNotFound"),
        ("no such path", |spec| spec.argv = vec!["/no/such/program".into()], "ProgramNotFound"),
        ("not in this PATH", |spec| spec.env = vec![("PATH".into(), "/nowhere".into())], "ProgramNotFound"),
        ("a folder", |spec| spec.argv = vec!["/tmp".into()], "ProgramNotExecutable"),
        ("not executable", |spec| spec.argv = vec!["./plain".into()], "ProgramNotExecutable"),
        ("no interpreter", |spec| spec.argv = vec!["./script".into()], "ProgramNotExecutable"),
        ("no cwd", |spec| spec.cwd = "/no/such/folder".into(), "CwdMissing"),
        ("cwd is a file", |spec| spec.cwd = "/etc/passwd".into(), "CwdNotDirectory"),
        ("no argv", |spec| spec.argv = vec![], "Invalid"),
        ("zero byte", |spec| spec.argv.push("a\0b".into()), "Invalid"),
        ("bad name", |spec| spec.env.push(("A=B".into(), "c".into())), "Invalid"),
        ("log in a file", |spec| spec.log_dir = "/etc/passwd/log".into(), "Other"),
    ];
    for (what, change, expected) in cases {
        for output in [Output::Pty(Size::default()), Output::Pipes] {
            let mut spec = keeper.spec("bad", &["sh"], output);
            change(&mut spec);
            let error = client.refused(&spec);
            let refusal = error.refusal().unwrap_or_else(|| panic!("{what}: {error}"));
            assert!(format!("{refusal:?}").starts_with(expected), "{what}: {refusal:?}");
            assert!(!here.join("logs").exists(), "{what}: a log folder stayed");
        }
    }
    assert_eq!(fds(), before, "descriptors stayed");
    assert_eq!(client.requests.list().expect("a list"), []);
}

#[test]
fn an_id_is_used_once_until_it_is_forgotten() {
    let keeper = Keeper::start();
    let client = keeper.client();
    let child = client.spawn(&keeper.pty("one", "sleep 1000"));
    let error = client.refused(&keeper.pty("one", "echo other"));
    assert!(matches!(error.refusal(), Some(Refusal::DuplicateId { .. })), "{error}");
    let error = client.requests.forget(&session("one")).expect_err("it runs");
    assert!(matches!(error.refusal(), Some(Refusal::StillRunning { pid, .. }) if *pid == child.pid), "{error}");
    client.requests.signal(&session("one"), 9, Target::Leader).expect("signals");
    assert_eq!(client.exit("one"), Exit::Signal(9));
    let error = client.requests.signal(&session("one"), 9, Target::Leader).expect_err("it ended");
    assert!(matches!(error.refusal(), Some(Refusal::NoProcess { .. })), "{error}");
    client.requests.forget(&session("one")).expect("forgets");
    let error = client.requests.forget(&session("one")).expect_err("it is gone");
    assert!(matches!(error.refusal(), Some(Refusal::UnknownSession { .. })), "{error}");
    client.spawn(&keeper.pty("one", "exit 7"));
    client.event("second exit", |event| match event {
        Event::Exited { exit: Exit::Code(7), .. } => Some(()),
        _ => None,
    });
}

#[test]
fn signals_reach_whom_they_are_for() {
    let keeper = Keeper::start();
    let client = keeper.client();
    // An interactive shell gives its job a group of its own and puts it into the foreground.
    let child = client.spawn(&keeper.spec("fg", &["bash", "--norc", "-i"], Output::Pty(Size::default())));
    child.type_in("sh -c 'echo job-$((1+1)); exec sleep 1000'\n");
    wait_for("the job", || keeper.text("fg"), || keeper.text("fg").contains("job-2").then_some(()));
    client.requests.signal(&session("fg"), 2, Target::Foreground).expect("signals");
    child.type_in("echo status-$?\n");
    wait_for("the job's end", || keeper.text("fg"), || keeper.text("fg").contains("status-130").then_some(()));
    assert!(is_alive(child.pid));

    let child = client.spawn(&keeper.pty("group", "sleep 1000 & echo $! >pid; mv pid child; wait"));
    let path = keeper.folder.path().join("child");
    let grandchild: u32 =
        wait_for("the grandchild", String::new, || fs::read_to_string(&path).ok()?.trim().parse().ok());
    client.requests.signal(&session("group"), 15, Target::Group).expect("signals");
    assert_eq!(client.finish("group"), Exit::Signal(15));
    wait_for("the group's end", String::new, || (!is_alive(grandchild) && !is_alive(child.pid)).then_some(()));
    let error = client.requests.signal(&session("group"), 0, Target::Group).expect_err("no signal");
    assert!(matches!(error.refusal(), Some(Refusal::Invalid { .. })), "{error}");
}

#[test]
fn a_watch_fires_once() {
    let keeper = Keeper::start();
    let client = keeper.client();
    let grown =
        || client.events("events", |events| Some(events.iter().filter(|e| matches!(e, Event::Grew { .. })).count()));
    let child = client.spawn(&keeper.spec(
        "watched",
        &["sh", "-c", "stty -echo; printf ready; cat"],
        Output::Pty(Size::default()),
    ));
    client.requests.watch(&session("watched"), 0).expect("arms");
    wait_for("ready", || keeper.text("watched"), || (keeper.text("watched") == "ready" && grown() == 1).then_some(()));
    child.type_in("a\n");
    wait_for("the copy", || keeper.text("watched"), || (keeper.log("watched").len() == 8).then_some(()));
    // An answer in between proves that no event was on its way.
    assert_eq!(client.info("watched").map(|info| info.log_end), Some(8));
    assert_eq!(grown(), 1);
    // Behind already: told at once. At the end: told when there is more.
    client.requests.watch(&session("watched"), 5).expect("arms");
    client.event("the end at 8", |event| matches!(event, Event::Grew { end: 8, .. }).then_some(()));
    client.requests.watch(&session("watched"), 8).expect("arms");
    child.type_in("b\n");
    client.event("the end at 11", |event| matches!(event, Event::Grew { end: 11, .. }).then_some(()));
    client.requests.watch(&session("unknown"), 0).expect("is silently nothing");
}
