//! Watching open files.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use flightdeck_files::{Expected, Notice, Watch};

use super::desk::Desk;

const DEADLINE: Duration = Duration::from_secs(10);

fn start(desk: &Desk) -> (Watch, Receiver<Notice>) {
    let (send, receive) = channel();
    let watch = Watch::start(Arc::clone(desk.files.root()), move |notice| drop(send.send(notice))).unwrap();
    (watch, receive)
}

fn next(notices: &Receiver<Notice>) -> String {
    match notices.recv_timeout(DEADLINE).expect("a notice has to come") {
        Notice::Changed(path) => format!("changed {path}"),
        Notice::Gone(path) => format!("gone {path}"),
        Notice::Overflow => "overflow".to_owned(),
    }
}

/// Takes notices until all of these have come, in any order.
fn until(notices: &Receiver<Notice>, wanted: &[&str]) {
    let mut told = Vec::new();
    while !wanted.iter().all(|wanted| told.iter().any(|told| told == wanted)) {
        told.push(next(notices));
    }
}

#[test]
fn changes_of_open_files_are_told_once() {
    let desk = Desk::new();
    desk.put("a/f", "one");
    desk.put("a/other", "x");
    desk.put("g", "x");
    let (watch, notices) = start(&desk);
    let f = watch.interest("a/f").unwrap();
    let again = watch.interest("a/f").unwrap();
    let g = watch.interest("g").unwrap();
    assert_eq!(watch.counts(), (2, 2));

    std::fs::write(desk.at("a/f"), "two, in place").unwrap();
    assert_eq!(next(&notices), "changed a/f");
    // By rename, as editors and our own writes do.
    std::fs::write(desk.at("a/tmp"), "three").unwrap();
    std::fs::rename(desk.at("a/tmp"), desk.at("a/f")).unwrap();
    assert_eq!(next(&notices), "changed a/f");
    desk.write("a/f", "four", Expected::Any).unwrap();
    assert_eq!(next(&notices), "changed a/f");
    // Neighbours are nobody's business; the next notice is about something else.
    std::fs::write(desk.at("a/other"), "y").unwrap();
    std::fs::remove_file(desk.at("g")).unwrap();
    assert_eq!(next(&notices), "gone g");
    std::fs::write(desk.at("g"), "back").unwrap();
    assert_eq!(next(&notices), "changed g");

    drop(again);
    assert_eq!(watch.counts(), (2, 2), "somebody is still interested");
    drop(f);
    assert_eq!(watch.counts(), (1, 1));
    std::fs::write(desk.at("a/f"), "five").unwrap();
    std::fs::write(desk.at("g"), "last").unwrap();
    assert_eq!(next(&notices), "changed g");
    drop(g);
    assert_eq!(watch.counts(), (0, 0));
    drop(watch);
    assert!(notices.recv().is_err(), "no more notices");
}

#[test]
fn a_folder_changes_when_something_comes_or_goes() {
    let desk = Desk::new();
    desk.put("a/f", "one");
    let (watch, notices) = start(&desk);
    let _root = watch.interest("").unwrap();
    let _a = watch.interest("a").unwrap();
    std::fs::write(desk.at("a/new"), "x").unwrap();
    assert_eq!(next(&notices), "changed a");
    std::fs::rename(desk.at("a/new"), desk.at("a/renamed")).unwrap();
    assert_eq!(next(&notices), "changed a");
    // What is in a file is not what is in its folder; the next notice is about something else.
    std::fs::write(desk.at("a/f"), "two").unwrap();
    std::fs::create_dir(desk.at("b")).unwrap();
    assert_eq!(next(&notices), "changed .");
    std::fs::remove_dir_all(desk.at("a")).unwrap();
    until(&notices, &["changed .", "gone a"]);
    std::fs::create_dir(desk.at("a")).unwrap();
    until(&notices, &["changed .", "changed a"]);
    std::fs::write(desk.at("a/again"), "x").unwrap();
    assert_eq!(next(&notices), "changed a", "it is watched again");
}

#[test]
fn a_folder_that_goes_and_comes_back() {
    let desk = Desk::new();
    desk.put("a/b/f", "one");
    let (watch, notices) = start(&desk);
    let _f = watch.interest("a/b/f").unwrap();
    std::fs::remove_dir_all(desk.at("a")).unwrap();
    assert_eq!(next(&notices), "gone a/b/f");
    desk.put("a/b/f", "two");
    assert_eq!(next(&notices), "changed a/b/f");
    std::fs::rename(desk.at("a/b"), desk.at("a/c")).unwrap();
    assert_eq!(next(&notices), "gone a/b/f");
    std::fs::rename(desk.at("a/c"), desk.at("a/b")).unwrap();
    assert_eq!(next(&notices), "changed a/b/f");
    std::fs::write(desk.at("a/b/f"), "three").unwrap();
    assert_eq!(next(&notices), "changed a/b/f");
}

#[test]
fn a_link_is_watched_where_it_leads() {
    let desk = Desk::new();
    desk.put("real/f", "one");
    desk.link("l", "real/f");
    let (watch, notices) = start(&desk);
    let _l = watch.interest("l").unwrap();
    std::fs::write(desk.at("real/f"), "two").unwrap();
    assert_eq!(next(&notices), "changed l");
    assert_eq!(super::desk::code(&watch.interest("../outside/secret")), "outside_workspace");
}

/// Nothing tells of these themselves, but the next event of any file does.
#[test]
fn a_renamed_folder_further_up_and_a_link_that_leads_elsewhere() {
    let desk = Desk::new();
    for path in ["a/b/f", "real/f", "other/f", "bell/f"] {
        desk.put(path, "one");
    }
    desk.link("l", "real/f");
    let (watch, notices) = start(&desk);
    let _guards = ["a/b/f", "l", "bell/f"].map(|path| watch.interest(path).unwrap());
    let ring = |text: &str| std::fs::write(desk.at("bell/f"), text).unwrap();

    std::fs::rename(desk.at("a"), desk.at("c")).unwrap();
    ring("two");
    assert_eq!([next(&notices), next(&notices)], ["gone a/b/f", "changed bell/f"]);
    // From now on it is watched where it would come back, so no bell is needed.
    desk.put("a/b/f", "another");
    assert_eq!(next(&notices), "changed a/b/f");

    std::fs::remove_file(desk.at("l")).unwrap();
    desk.link("l", "other/f");
    ring("three, longer");
    let told = [next(&notices), next(&notices)];
    assert!(told.contains(&"changed l".to_owned()), "{told:?}");
    std::fs::write(desk.at("other/f"), "two").unwrap();
    let mut told = next(&notices);
    while told == "changed bell/f" {
        told = next(&notices);
    }
    assert_eq!(told, "changed l");
    assert_eq!(watch.counts(), (3, 3), "no folder of before is watched");
}

#[test]
fn lost_events_are_told() {
    let desk = Desk::new();
    desk.put("f", "x");
    desk.put("g", "x");
    let limit = std::fs::read_to_string("/proc/sys/fs/inotify/max_queued_events").unwrap();
    let limit: usize = limit.trim().parse().unwrap();
    let (send, notices) = channel();
    let (go, held) = channel::<()>();
    // The callback holds the thread up until it may go on, and the queue of the kernel runs over.
    let on = move |notice| {
        drop(send.send(notice));
        let _ = held.recv();
    };
    let watch = Watch::start(Arc::clone(desk.files.root()), on).unwrap();
    let _f = watch.interest("f").unwrap();
    std::fs::write(desk.at("f"), "first").unwrap();
    assert_eq!(next(&notices), "changed f");
    for _ in 0..limit {
        // Equal events in a row count as one, so two files take turns.
        std::fs::write(desk.at("f"), "y").unwrap();
        std::fs::write(desk.at("g"), "y").unwrap();
    }
    drop(go);
    assert_eq!(next(&notices), "overflow");
    assert_eq!(next(&notices), "changed f");
}
