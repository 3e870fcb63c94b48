//! A standard input that the keeper holds: it outlives the client that wrote to it, and ends when it is told to.
#![allow(clippy::unwrap_used)]

mod support;

use std::fs;

use flightdeck_keeper::{Exit, Output};
use rustix::io::{Errno, write};
use support::{Keeper, session, wait_for};

fn descriptors(pid: u32) -> usize {
    fs::read_dir(format!("/proc/{pid}/fd")).unwrap().count()
}

#[test]
fn it_stays_open_from_client_to_client_until_it_is_closed() {
    let keeper = Keeper::start();
    let spec = keeper.spec("cat", &["cat"], Output::PipesHeld);
    let first = keeper.client();
    let spawned = first.requests.spawn(&spec).unwrap();
    assert!(spawned.master.is_none());
    assert_eq!(write(spawned.stdin.as_ref().unwrap(), b"one "), Ok(4));
    drop((first, spawned));
    let second = keeper.client();
    let again = second.requests.attach(&session("cat")).unwrap();
    assert_eq!(write(again.stdin.as_ref().unwrap(), b"two"), Ok(3));
    wait_for("both pieces", || keeper.text("cat"), || (keeper.text("cat") == "one two").then_some(()));
    second.requests.close_input(&session("cat")).unwrap();
    assert!(second.info("cat").unwrap().exit.is_none(), "our copy is still open");
    drop(again);
    assert_eq!(second.finish("cat"), Exit::Code(0));
    second.requests.close_input(&session("cat")).unwrap();
    assert!(second.requests.attach(&session("cat")).unwrap().stdin.is_none());
}

#[test]
fn a_child_that_does_not_read_holds_up_nobody_and_nothing_of_it_stays() {
    let keeper = Keeper::start();
    let client = keeper.client();
    let before = descriptors(client.requests.keeper_pid());
    let spec = keeper.spec("deaf", &["sleep", "1000"], Output::PipesHeld);
    let spawned = client.requests.spawn(&spec).unwrap();
    let stdin = spawned.stdin.unwrap();
    let mut taken = 0;
    let full = loop {
        match write(&stdin, &[b'x'; 4096]) {
            Ok(count) => taken += count,
            Err(error) => break error,
        }
    };
    assert_eq!(full, Errno::AGAIN);
    assert!((4096..=1 << 20).contains(&taken), "{taken}");
    // Another one is none of its business, and has no copy of its input.
    client.spawn(&keeper.pipes("other", "exit 3"));
    assert_eq!(client.finish("other"), Exit::Code(3));
    client.requests.signal(&session("deaf"), 9, flightdeck_keeper::Target::Group).unwrap();
    assert_eq!(client.finish("deaf"), Exit::Signal(9));
    assert_eq!(write(&stdin, b"x"), Err(Errno::PIPE));
    drop(stdin);
    for id in ["deaf", "other"] {
        client.requests.forget(&session(id)).unwrap();
    }
    let now = || descriptors(client.requests.keeper_pid());
    wait_for("all to be closed", || format!("{before} before, {} now", now()), || (now() == before).then_some(()));
}
