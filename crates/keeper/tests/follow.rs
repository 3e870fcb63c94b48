//! Terminals that somebody else runs: their output is logged, and their end is told as far as anybody knows it.

mod support;

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::process::{Child, Command};
use std::thread;
use std::time::Duration;

use flightdeck_keeper::{Event, Exit, FollowSpec, LogLimits, OsBytes, Refusal, WhenStalled, exit_path, output_path};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use support::{Client, Keeper, session};

/// A folder with its FIFO, followed.
fn follow(keeper: &Keeper, client: &Client, id: &str) -> FollowSpec {
    let dir = keeper.log_dir(id);
    fs::create_dir_all(&dir).expect("a folder");
    mknodat(CWD, output_path(&dir), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a FIFO");
    let spec = FollowSpec { id: session(id), log_dir: OsBytes::from(dir.as_os_str()), limits: LogLimits::default() };
    client.requests.follow(&spec).expect("followed");
    spec
}

/// Opened for both ways, as the real writer does.
fn writer(keeper: &Keeper, id: &str) -> File {
    OpenOptions::new().read(true).write(true).open(output_path(&keeper.log_dir(id))).expect("opens")
}

/// A process whose end counts.
fn process(client: &Client, id: &str) -> Child {
    let child = Command::new("sleep").arg("1000").spawn().expect("sleep");
    client.requests.mind(&session(id), child.id(), WhenStalled::Leave).expect("minded");
    child
}

/// A keeper that follows one terminal, whose first process runs.
fn followed(id: &str) -> (Keeper, Client, Child) {
    let keeper = Keeper::start();
    let client = keeper.client();
    follow(&keeper, &client, id);
    let child = process(&client, id);
    (keeper, client, child)
}

fn end(mut child: Child) {
    child.kill().expect("it runs");
    child.wait().expect("reaped");
}

fn lost(client: &Client, id: &str) {
    client.event("it is lost", |event| matches!(event, Event::Lost { id: of, .. } if *of == session(id)).then_some(()));
}

#[test]
fn output_and_status_are_told_when_the_writer_has_gone() {
    let (keeper, client, child) = followed("a");
    let mut fifo = writer(&keeper, "a");
    fifo.write_all(b"all of it").expect("writes");
    fs::write(exit_path(&keeper.log_dir("a")), "code 5\n").expect("writes");
    end(child);
    fifo.write_all(b", and the rest").expect("writes");
    drop(fifo);
    assert_eq!(client.finish("a"), Exit::Code(5));
    assert_eq!(keeper.text("a"), "all of it, and the rest");
    let info = client.info("a").expect("held");
    assert_eq!((info.exit, info.eof, info.lost), (Some(Exit::Code(5)), true, false));
    client.requests.forget(&session("a")).expect("forgotten");
    assert_eq!(client.info("a"), None);
}

#[test]
fn an_end_without_a_word_is_told_as_such() {
    let keeper = Keeper::start();
    let client = keeper.client();
    // Once with the output ending first, once with a writer that stays, once with a process that is gone already.
    follow(&keeper, &client, "first");
    let child = process(&client, "first");
    drop(writer(&keeper, "first"));
    client.eof("first");
    assert!(client.info("first").is_some_and(|info| info.exit.is_none() && !info.lost), "its process lives");
    end(child);
    lost(&client, "first");
    follow(&keeper, &client, "stays");
    let child = process(&client, "stays");
    let fifo = writer(&keeper, "stays");
    end(child);
    lost(&client, "stays");
    drop(fifo);
    follow(&keeper, &client, "gone");
    client.requests.mind(&session("gone"), u32::MAX / 2, WhenStalled::Leave).expect("minded");
    lost(&client, "gone");
    assert!(client.info("gone").is_some_and(|info| info.lost && info.eof));
}

#[test]
fn output_that_was_cut_off_can_be_followed_again_and_the_log_goes_on() {
    let keeper = Keeper::start();
    let client = keeper.client();
    let spec = follow(&keeper, &client, "a");
    assert!(matches!(client.requests.follow(&spec).expect_err("twice").refusal(), Some(Refusal::DuplicateId { .. })));
    let child = process(&client, "a");
    writer(&keeper, "a").write_all(b"one ").expect("writes");
    client.eof("a");
    client.requests.follow(&spec).expect("again");
    client.requests.mind(&session("a"), child.id(), WhenStalled::Leave).expect("minded");
    let mut fifo = writer(&keeper, "a");
    fifo.write_all(b"two").expect("writes");
    fs::write(exit_path(&keeper.log_dir("a")), "signal 9\n").expect("writes");
    end(child);
    drop(fifo);
    assert_eq!(client.exit("a"), Exit::Signal(9));
    assert_eq!(keeper.text("a"), "one two");
}

#[test]
fn followed_sessions_are_not_the_keepers_to_end() {
    let (keeper, client, child) = followed("a");
    let fifo = writer(&keeper, "a");
    client.requests.shutdown().expect("ends");
    assert!(support::is_alive(child.id()));
    end(child);
    drop(fifo);
}

#[test]
fn a_backlog_is_logged_however_long_it_takes() {
    const PIECES: usize = 200;
    const PIECE: usize = 8 << 10;
    let (keeper, client, child) = followed("a");
    let mut fifo = writer(&keeper, "a");
    fs::write(exit_path(&keeper.log_dir("a")), "code 3\n").expect("writes");
    end(child);
    // Slower than the patience with a terminal that says nothing, and never silent for long.
    for _ in 0..PIECES {
        fifo.write_all(&[b'x'; PIECE]).expect("writes");
        thread::sleep(Duration::from_millis(15));
    }
    fifo.write_all(b"THE-END").expect("writes");
    drop(fifo);
    let log_end = client.event("its exit", |event| match event {
        Event::Exited { exit: Exit::Code(3), log_end, .. } => Some(*log_end),
        _ => None,
    });
    assert_eq!(log_end, (PIECES * PIECE + "THE-END".len()) as u64);
    assert!(keeper.text("a").ends_with("xTHE-END"));
}

#[test]
fn programs_that_print_after_the_shell_has_ended_are_logged_and_hold_up_nothing() {
    let (keeper, client, child) = followed("a");
    let mut fifo = writer(&keeper, "a");
    fs::write(exit_path(&keeper.log_dir("a")), "code 3\n").expect("writes");
    end(child);
    assert_eq!(client.exit("a"), Exit::Code(3));
    assert!(client.info("a").is_some_and(|info| !info.eof));
    fifo.write_all(b"later").expect("writes");
    drop(fifo);
    client.eof("a");
    assert_eq!(keeper.text("a"), "later");
}

#[test]
fn a_writer_to_a_forgotten_fifo_can_write_all_and_end() {
    let (keeper, client, child) = followed("a");
    let path = output_path(&keeper.log_dir("a"));
    // The real writer holds it open for reading too, so nobody's end would ever let it go on.
    let mut command = Command::new("sh");
    command.arg("-c").arg("head -c 1000000 /dev/zero | cat 1<>\"$0\"").arg(&path);
    let fifo = writer(&keeper, "a");
    client.requests.forget(&session("a")).expect("forgotten");
    let mut cat = command.spawn().expect("sh");
    support::wait_for("end of the writer", || "it waits".to_owned(), || cat.try_wait().expect("a child"));
    end(child);
    drop(fifo);
    // The keeper holds no more of it than it did before.
    let descriptors = || fs::read_dir(format!("/proc/{}/fd", keeper.pid)).expect("lists").flatten();
    let held = || descriptors().filter(|fd| fs::read_link(fd.path()).is_ok_and(|target| target == path)).count();
    support::wait_for("end of the FIFO", || format!("{} descriptors", held()), || (held() == 0).then_some(()));
}
