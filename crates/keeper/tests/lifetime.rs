//! Start, hub changes, many sessions, and ends that leave nothing behind.

mod support;

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::time::Duration;

use flightdeck_keeper::{ClientError, Exit, Output, Size, Target, connect, launch, read_exit};
use support::{Client, DEADLINE, Keeper, is_alive, program, session, wait_for};

fn launch_at(socket: &Path) -> Result<(), ClientError> {
    launch(&program(), &[socket.as_os_str()], socket, DEADLINE)
}

#[test]
fn what_happens_without_a_hub_is_there_for_the_next_one() {
    let keeper = Keeper::start();
    let first = keeper.client();
    first.spawn(&keeper.pty("ends", "read go; printf last; exit 4")).type_in("");
    let stays = first.spawn(&keeper.spec("stays", &["cat"], Output::Pty(Size::default())));
    let (requests, events) = connect(&keeper.socket).expect("a connection");
    drop((requests, events));
    let ends = first.requests.attach(&session("ends")).expect("a master").master;
    // The hub goes; its copies of the masters are all that is left of it, and then those go too.
    drop(first);
    rustix::io::write(ends.expect("a terminal"), b"\n").expect("types");
    wait_for("the exit file", || keeper.text("ends"), || read_exit(&keeper.log_dir("ends")));

    let second = keeper.client();
    let info = wait_for(
        "the end of output",
        || format!("{:?}", second.info("ends")),
        || second.info("ends").filter(|i| i.eof),
    );
    assert_eq!((info.exit, info.log_end), (Some(Exit::Code(4)), keeper.log("ends").len() as u64));
    assert!(keeper.text("ends").ends_with("last"), "{}", keeper.text("ends"));
    let again = second.requests.attach(&session("stays")).expect("a master");
    assert_eq!(again.pid, stays.pid);
    support::Child { pid: again.pid, master: again.master }.type_in("hello\n");
    wait_for("the echo", || keeper.text("stays"), || keeper.text("stays").contains("hello\r\nhello").then_some(()));
}

#[test]
fn two_clients_see_the_same() {
    let keeper = Keeper::start();
    let (one, two) = (keeper.client(), keeper.client());
    assert_eq!((one.requests.keeper_pid(), one.requests.keeper_version()), (keeper.pid, "test"));
    one.spawn(&keeper.pty("a", "printf a; exit 1"));
    two.spawn(&keeper.pty("b", "printf b; exit 2"));
    for client in [&one, &two] {
        assert_eq!(client.finish("a"), Exit::Code(1));
        assert_eq!(client.finish("b"), Exit::Code(2));
    }
    assert_eq!(one.requests.list().expect("a list"), two.requests.list().expect("a list"));
    // Many callers on one connection get their own answers.
    std::thread::scope(|scope| {
        for number in 0..8 {
            let (keeper, one) = (&keeper, &one);
            scope.spawn(move || {
                for round in 0..5 {
                    let id = format!("t{number}-{round}");
                    let child = one.spawn(&keeper.pty(&id, "exec cat"));
                    assert_eq!(one.info(&id).map(|info| info.pid), Some(child.pid));
                    child.type_in(&format!("{id}\n"));
                    wait_for("its own echo", || keeper.text(&id), || keeper.text(&id).contains(&id).then_some(()));
                    one.requests.signal(&session(&id), 9, Target::Leader).expect("signals");
                    assert_eq!(one.exit(&id), Exit::Signal(9));
                    one.requests.forget(&session(&id)).expect("forgets");
                }
            });
        }
    });
}

#[test]
fn two_hundred_sessions() {
    const COUNT: usize = 200;
    let keeper = Keeper::start();
    let client = keeper.client();
    let fds = || fs::read_dir(format!("/proc/{}/fd", keeper.pid)).expect("fds").count();
    let before = fds();
    let ids: Vec<String> = (0..COUNT).map(|n| format!("s{n}")).collect();
    let children: Vec<_> =
        ids.iter().map(|id| client.spawn(&keeper.spec(id, &["cat"], Output::Pty(Size::default())))).collect();
    for (id, child) in ids.iter().zip(&children) {
        child.type_in(&format!("{id}\n"));
    }
    for id in &ids {
        let expected = format!("{id}\r\n{id}\r\n");
        wait_for("echo and copy", || keeper.text(id), || (keeper.text(id) == expected).then_some(()));
    }
    assert_eq!(client.requests.list().expect("a list").len(), COUNT);
    for child in &children {
        child.type_in("\u{4}");
    }
    for id in &ids {
        assert_eq!(client.finish(id), Exit::Code(0), "{id}");
        client.requests.forget(&session(id)).expect("forgets");
    }
    wait_for("closed descriptors", || fds().to_string(), || (fds() == before).then_some(()));
}

#[test]
fn shutdown_ends_everything() {
    let keeper = Keeper::start();
    let client = keeper.client();
    let here = keeper.folder.path();
    let scripts = [
        ("polite", "trap 'printf bye; exit 5' HUP; echo $$ >polite; while :; do sleep 0.01; done"),
        ("stubborn", "trap '' HUP TERM; echo $$ >stubborn; while :; do sleep 0.01; done"),
        ("escaped", "setsid sh -c 'echo $$ >escaped; exec sleep 1000' & wait"),
        ("stopped", "echo $$ >stopped; kill -STOP $$"),
    ];
    for (id, script) in scripts {
        client.spawn(&keeper.pty(id, script));
    }
    let pids = scripts.map(|(id, _)| {
        wait_for(id, String::new, || fs::read_to_string(here.join(id)).ok()?.trim().parse::<u32>().ok())
    });
    // The trap is set before the number is written, so the polite one will say its word.
    client.requests.shutdown().expect("ends");
    assert!(!keeper.socket.exists(), "the socket stayed");
    for ((id, _), pid) in scripts.iter().zip(pids) {
        assert!(!is_alive(pid), "{id} still runs");
    }
    client.wait_closed();
    wait_for("the keeper's end", String::new, || (!keeper.is_alive()).then_some(()));
    assert_eq!(fs::read_dir(here.join("run")).expect("a folder").count(), 0, "files stayed");
    assert_eq!(read_exit(&keeper.log_dir("polite")), Some(Exit::Code(5)));
    assert!(keeper.text("polite").ends_with("bye"), "{:?}", keeper.text("polite"));
    assert_eq!(read_exit(&keeper.log_dir("stubborn")), Some(Exit::Signal(9)));
    assert!(matches!(client.requests.list(), Err(ClientError::Closed)));
}

#[test]
fn a_termination_signal_is_a_shutdown() {
    let keeper = Keeper::start();
    let client = keeper.client();
    let child = client.spawn(&keeper.pty("child", "sleep 1000"));
    let pid = rustix::process::Pid::from_raw(keeper.pid as i32).expect("a pid");
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).expect("signals");
    client.wait_closed();
    wait_for("the end", String::new, || (!keeper.is_alive() && !is_alive(child.pid)).then_some(()));
    assert_eq!(fs::read_dir(keeper.folder.path().join("run")).expect("a folder").count(), 0, "files stayed");
}

#[test]
fn an_idle_keeper_ends_and_one_that_holds_something_does_not() {
    let keeper = Keeper::start_idle(Duration::from_secs(2));
    let client = keeper.client();
    client.spawn(&keeper.pty("held", "read end"));
    drop(client);
    let other = Keeper::start_idle(Duration::from_secs(3));
    wait_for("the end of the one that holds nothing", String::new, || (!other.is_alive()).then_some(()));
    assert!(!other.socket.exists());
    assert!(keeper.is_alive(), "it ended with a session in its hands");
    let client = keeper.client();
    client.requests.signal(&session("held"), 9, Target::Leader).expect("signals");
    client.exit("held");
    client.requests.forget(&session("held")).expect("forgets");
    drop(client);
    wait_for("the end of the other", String::new, || (!keeper.is_alive()).then_some(()));
}

#[test]
fn one_keeper_for_one_socket() {
    let keeper = Keeper::start();
    // By hand, for `launch` is content with any keeper that answers.
    let output = std::process::Command::new(program()).arg(&keeper.socket).output().expect("runs");
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && words.contains("already running"), "{words}");
    launch_at(&keeper.socket).expect("is content");
    assert_eq!(keeper.client().requests.keeper_pid(), keeper.pid);

    let mode = |path: &Path| fs::metadata(path).expect("exists").permissions().mode() & 0o777;
    assert_eq!(mode(&keeper.socket), 0o600);
    assert_eq!(mode(keeper.socket.parent().expect("a folder")), 0o700);
    keeper.client().spawn(&keeper.pty("modes", "echo"));
    assert_eq!(mode(&keeper.log_dir("modes")), 0o700);
    assert_eq!(mode(&keeper.log_dir("modes").join("00000000000000000000.seg")), 0o600);
}

#[test]
fn racing_starts_give_one_keeper() {
    let folder = tempfile::tempdir().expect("a folder");
    let socket = folder.path().join("run/keeper.sock");
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| launch_at(&socket).expect("somebody won"));
        }
    });
    let pids: Vec<u32> = (0..3).map(|_| connect(&socket).expect("a connection").0.keeper_pid()).collect();
    assert!(pids.windows(2).all(|pair| pair[0] == pair[1]), "{pids:?}");
    let client = Client::new(&socket);
    client.requests.shutdown().expect("ends");
}

#[test]
fn a_stale_socket_is_replaced_and_bad_places_say_what_to_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let socket = folder.path().join("keeper.sock");
    drop(UnixListener::bind(&socket).expect("binds"));
    assert!(socket.exists(), "a stale file to find");
    launch_at(&socket).expect("a keeper");
    Client::new(&socket).requests.shutdown().expect("ends");

    let open = folder.path().join("open");
    fs::create_dir(&open).expect("a folder");
    fs::set_permissions(&open, fs::Permissions::from_mode(0o777)).expect("opens");
    let long = folder.path().join("x".repeat(120));
    let cases = [
        (open.join("s"), "chmod 700"),
        (long, "shorter folder"),
        (Path::new("/proc/nowhere/s").to_owned(), "/proc/nowhere"),
    ];
    for (socket, words) in cases {
        let error = launch_at(&socket).expect_err("no keeper").to_string();
        assert!(error.contains(words), "{error}");
    }
    let error = launch(Path::new("/no/such/program"), &[], &socket, DEADLINE).expect_err("no program");
    assert!(error.to_string().contains("/no/such/program"), "{error}");
    let error =
        launch(Path::new("sleep"), &[OsStr::new("1000")], &socket, Duration::from_millis(100)).expect_err("silent");
    assert!(error.to_string().contains("did not get ready"), "{error}");
}
