//! Many streams on one connection, streams that are cut off, and hubs that are restarted under their viewers.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Read as _};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, iter, thread};

use flightdeck_client::{Hub, Live, Moment};
use flightdeck_contract::TerminalId;
use flightdeck_contract::control::{CallId, Request, WINDOW};
use flightdeck_contract::events::{HubChange, HubEvent, NumberedHubChange, TerminalState, WatchHub};
use flightdeck_contract::terminal::{Attach, TerminalEvent};
use flightdeck_contract::workspace::Workspace;
use flightdeck_e2e::{Deck, Event, SOON, Socket};
use proptest::prelude::Rng as _;
use proptest::test_runner::{RngAlgorithm, TestRng};
use serde_json::{Value, json};

/// Reads until a call is answered. Of events only those of `fed` are granted again.
fn answer(socket: &mut Socket, wanted: CallId, fed: CallId, seen: &mut HashMap<CallId, usize>) -> Value {
    loop {
        match socket.next() {
            Event::Event(id, event, bytes) => {
                *seen.entry(id).or_default() += bytes.len();
                if id == fed {
                    let bytes = (event.to_string().len() + bytes.len()) as u32;
                    socket.send(&Request::Credit { id, bytes });
                }
            }
            Event::Done(id, result) if id == wanted => return result,
            other => panic!("{other:?}"),
        }
    }
}

/// How long a call may take, of 99 in 100.
const P99: Duration = Duration::from_millis(20);

/// A call that is held up by a stream would never be answered here: nobody reads that stream. One that is merely delayed by
/// streams is delayed in every round; what else the machine does is not, so the best of some rounds counts. A machine that has
/// more to do delays calls of a hub without streams too.
#[test]
fn no_call_waits_for_a_stream_that_floods_or_is_not_read_or_for_a_program_that_does_not_read() {
    let deck = Deck::new();
    let flooding = deck.new_terminal(&["--", "yes"]);
    let unread = deck.new_terminal(&["--", "yes", "nobody reads this"]);
    let deaf = deck.new_terminal(&["--", "sh", "-c", "stty raw -echo; echo deaf; exec sleep 1000"]);
    deck.on_screen(&deaf, "deaf");
    let quiet = deck.new_terminal(&["--", "sleep", "1000"]);
    let other = Deck::new();
    other.new_terminal(&["--", "sleep", "1000"]);
    let mut without = other.socket();
    let mut socket = deck.socket();
    socket.grant_by_hand();
    let mut attach = |id: &str| socket.begin("flightdeck.terminal.attach", json!({ "id": id }));
    let (flood, lazy, stuck) = (attach(&flooding), attach(&unread), attach(&deaf));
    for _ in 0..47 {
        attach(&quiet);
    }
    // As much as may be on its way, far more than the terminal takes.
    socket.input(stuck, &vec![b'x'; WINDOW as usize]);
    let mut seen = HashMap::new();
    let window = WINDOW as usize;
    let deadline = Instant::now() + 2 * SOON;
    let mut rounds = Vec::new();
    loop {
        let (mut times, mut usual) = (Vec::new(), Vec::new());
        for turn in 0..200 {
            let began = Instant::now();
            without.call("flightdeck.hub.status", json!({})).expect("its status");
            usual.push(began.elapsed());
            let size = json!({ "rows": 24, "cols": 80 + turn % 2 });
            let began = Instant::now();
            let call = match turn % 2 {
                0 => socket.begin("flightdeck.hub.status", json!({})),
                _ => socket.begin("flightdeck.terminal.resize", json!({ "id": quiet, "size": size })),
            };
            answer(&mut socket, call, flood, &mut seen);
            times.push(began.elapsed());
        }
        let [p99, usual] = [times, usual].map(|mut times| {
            times.sort_unstable();
            times[times.len() * 99 / 100 - 1]
        });
        rounds.push((p99, usual));
        let floods = seen.get(&flood).is_some_and(|bytes| *bytes > 4 * window);
        if floods && p99 < P99.max(2 * usual) {
            break;
        }
        assert!(
            Instant::now() < deadline,
            "p99 of each round, and without streams: {rounds:?}; what the streams have told: {seen:?}"
        );
    }
    assert!(seen[&lazy] <= window + 64 * 1024, "what is not granted is not sent: {seen:?}");
    socket.cancel(stuck);
    loop {
        match socket.next() {
            Event::Failed(Some(id), error) if id == stuck => {
                assert_eq!(error.code.name(), "cancelled");
                break;
            }
            Event::Event(..) => {}
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn input_beyond_what_is_granted_ends_its_call_with_the_reason() {
    let deck = Deck::new();
    let deaf = deck.new_terminal(&["--", "sh", "-c", "stty raw -echo; echo deaf; exec sleep 1000"]);
    deck.on_screen(&deaf, "deaf");
    let mut socket = deck.socket();
    let call = socket.begin("flightdeck.terminal.attach", json!({ "id": deaf }));
    socket.input(call, &vec![b'x'; WINDOW as usize]);
    socket.input(call, b"one too many");
    let error = socket.finish(call).unwrap_err();
    assert!(error.message.contains("may"), "{error}");
    assert!(socket.call("flightdeck.hub.status", json!({})).is_ok(), "the connection stands");
}

/// Numbered lines with colours and characters of more than one byte, until a file is there. No more of them than a viewer
/// may be behind before it is shown the screen in place of them.
const LINES: &str = r#"
import os, sys, time
n = 0
while not os.path.exists("gate"):
    if n < 20000:
        n += 1
        sys.stdout.write("\x1b[3%dm%d zo\u00eb \u65e5\u672c\x1b[0m\n" % (n % 8, n))
        sys.stdout.flush()
    time.sleep(0.0002)
print("over")
"#;

/// What of the log a viewer is shown: nothing in [`LINES`] asks the terminal anything.
fn printed(deck: &Deck, id: &str) -> Vec<u8> {
    deck.log_on_disk(id)
}

/// A socket in front of the hub's, which hangs up after so many bytes of what the hub sends, once for each of `cuts`.
fn cutting(path: &Path, hub: PathBuf, cuts: Vec<usize>) {
    let listener = UnixListener::bind(path).unwrap();
    thread::spawn(move || {
        for cut in cuts.into_iter().map(Some).chain(iter::repeat(None)) {
            let Ok((client, _)) = listener.accept() else { return };
            let Ok(hub) = UnixStream::connect(&hub) else { continue };
            let (mut from, mut to) = (client.try_clone().unwrap(), hub.try_clone().unwrap());
            thread::spawn(move || io::copy(&mut from, &mut to));
            // What is left of a frame is cut off in the middle.
            let _ = io::copy(&mut (&hub).take(cut.map_or(u64::MAX, |cut| cut as u64)), &mut &client);
            let _ = (client.shutdown(Shutdown::Both), hub.shutdown(Shutdown::Both));
        }
    });
}

/// How often a stream is cut off.
const CUTS: usize = 1000;

#[test]
fn a_viewer_that_is_cut_off_anywhere_a_thousand_times_sees_each_byte_once() {
    let deck = Deck::new();
    let id = deck.new_terminal(&["--", "python3", "-u", "-c", LINES]);
    let mut random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let cuts = (0..CUTS).map(|_| random.next_u32() as usize % 900).collect();
    let path = deck.home().join("cut");
    cutting(&path, deck.socket_path(), cuts);
    let hub = Hub::at(Workspace::at(&deck.workspace()).unwrap(), path);
    let attach = Attach { from: Some(0), ..Attach::to(id.parse().unwrap()) };
    let seen = runtime().block_on(async {
        let mut live = Live::new(hub, "test", attach);
        let (mut seen, mut away) = (Vec::new(), 0);
        while let Some(moment) = live.next().await.unwrap() {
            match moment {
                Moment::Event(event, bytes) => take(&mut seen, event, &bytes),
                Moment::Away => away += 1,
                Moment::Back => {}
            }
            if away == CUTS {
                fs::write(deck.workspace().join("gate"), "").unwrap();
            }
        }
        assert_eq!(away, CUTS);
        seen
    });
    let log = printed(&deck, &id);
    assert!(seen == log, "{} bytes seen, {} printed", seen.len(), log.len());
}

/// Adds what was printed to what a viewer has seen.
fn take(seen: &mut Vec<u8>, event: TerminalEvent, bytes: &[u8]) {
    match event {
        TerminalEvent::Output { from, to, .. } => {
            assert_eq!(from, seen.len() as u64, "nothing is left out or sent twice");
            seen.extend(bytes);
            assert_eq!(to, seen.len() as u64);
        }
        TerminalEvent::Ended { exit_code, .. } => assert_eq!(exit_code, Some(0)),
        TerminalEvent::Attached { .. } | TerminalEvent::Resized { .. } => {}
        other => panic!("{other:?}"),
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

/// What a watcher of the hub knows, put together from what it was told.
#[derive(Default)]
struct Known {
    seq: u64,
    terminals: BTreeMap<TerminalId, TerminalState>,
}

impl Known {
    fn take(&mut self, event: HubEvent) {
        match event {
            HubEvent::Snapshot { snapshot } => {
                self.seq = snapshot.seq;
                self.terminals = snapshot.terminals.into_iter().map(|terminal| (terminal.id, terminal)).collect();
            }
            HubEvent::Changes { changes } => {
                for NumberedHubChange { seq, change } in changes {
                    assert!(seq > self.seq, "change {seq} comes after {}", self.seq);
                    self.seq = seq;
                    match change {
                        HubChange::TerminalCreated { terminal }
                        | HubChange::TerminalChanged { terminal, .. }
                        | HubChange::TerminalEnded { terminal } => {
                            self.terminals.insert(terminal.id, terminal);
                        }
                        HubChange::TerminalGone { id } => {
                            self.terminals.remove(&id);
                        }
                        _ => {}
                    }
                }
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_watcher_of_the_hub_that_is_cut_off_and_whose_hub_is_restarted_knows_what_others_know() {
    let deck = Deck::new();
    deck.shell("bash");
    let mut random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let cuts = (0..200).map(|_| random.next_u32() as usize % 3000).collect();
    let path = deck.home().join("cut");
    cutting(&path, deck.socket_path(), cuts);
    let workspace = Workspace::at(&deck.workspace()).unwrap();
    let (over, mut until) = tokio::sync::watch::channel(None::<TerminalId>);
    let mut live = Live::new(Hub::at(workspace, path), "test", WatchHub::default());
    let runtime = runtime();
    let watcher = runtime.spawn(async move {
        let (mut known, mut away, mut last) = (Known::default(), 0, None);
        loop {
            tokio::select! {
                moment = live.next() => match moment.unwrap().expect("a hub that is restarted is no end") {
                    Moment::Event(event, _) => known.take(event),
                    Moment::Away => away += 1,
                    Moment::Back => {}
                },
                _ = until.changed() => last = *until.borrow_and_update(),
            }
            // The last one that was made is known, and everything before it.
            if last.is_some_and(|last| known.terminals.get(&last).is_some_and(|last| !last.running)) {
                return (known, away);
            }
        }
    });
    for turn in 0..12 {
        let id = deck.new_terminal(&["--", "sh", "-c", "printf '\\033]0;a title\\007'; exec sleep 1000"]);
        deck.cli(&["kill", &id]).expect(0);
        match turn {
            3 => {
                deck.kill_hub();
                deck.cli(&["run", "true"]).expect(0);
            }
            7 => {
                deck.cli(&["restart"]).expect(0);
            }
            _ => {}
        }
    }
    let last = deck.new_terminal(&["--", "true"]);
    deck.ended(&last, SOON);
    over.send_replace(Some(last.parse().unwrap()));
    let watched = runtime.block_on(async { tokio::time::timeout(SOON * 2, watcher).await });
    let (known, away) = watched.expect("it learns of the last terminal").unwrap();
    assert!(away > 2, "it was cut off: {away}");
    let mut fresh = Known::default();
    let mut socket = deck.socket();
    socket.begin("flightdeck.hub.watch", json!({}));
    fresh.take(serde_json::from_value(socket.event().0).unwrap());
    assert_eq!(known.terminals, fresh.terminals);
}

#[test]
fn twenty_viewers_go_on_after_restarts_of_the_hub_as_if_there_had_been_none() {
    let deck = Deck::new();
    let id = deck.new_terminal(&["--", "python3", "-u", "-c", LINES]);
    let terminal: TerminalId = id.parse().unwrap();
    let root = deck.workspace();
    let runtime = runtime();
    let socket = deck.socket_path();
    let viewers: Vec<_> = (0..20)
        .map(|number| {
            let hub = Hub::at(Workspace::at(&root).unwrap(), socket.clone());
            let attach = Attach { from: Some(0), ..Attach::to(terminal) };
            runtime.spawn(async move {
                let mut live = Live::new(hub, &format!("viewer:{number}"), attach);
                let (mut seen, mut away) = (Vec::new(), 0);
                while let Some(moment) = live.next().await.unwrap() {
                    match moment {
                        Moment::Event(event, bytes) => take(&mut seen, event, &bytes),
                        Moment::Away => away += 1,
                        Moment::Back => {}
                    }
                }
                (seen, away)
            })
        })
        .collect();
    let lines = |least: usize| {
        deck.wait_until("more lines", SOON, || (deck.log_on_disk(&id).len() > least * 20).then_some(()));
    };
    lines(50);
    deck.kill_hub();
    deck.cli(&["run", "true"]).expect(0);
    lines(400);
    deck.cli(&["restart"]).expect(0);
    lines(800);
    fs::write(root.join("gate"), "").unwrap();
    deck.ended(&id, SOON);
    let log = printed(&deck, &id);
    for viewer in viewers {
        let viewed = runtime.block_on(async { tokio::time::timeout(Duration::from_mins(1), viewer).await });
        let (seen, away) = viewed.expect("it ends with the program").unwrap();
        assert!(seen == log, "{} bytes seen, {} printed", seen.len(), log.len());
        assert!(away > 0, "the hub was restarted under it");
    }
}

#[test]
fn scrollback_comes_before_the_screen() {
    let deck = Deck::new();
    let id = deck.shell("bash");
    deck.run_in(&id, "seq 1000 2000");
    let mut socket = deck.socket();
    let call = socket.begin("flightdeck.terminal.attach", json!({ "id": id, "scrollback": 500 }));
    let mut before = Vec::new();
    loop {
        let (event, bytes) = socket.event();
        match event["type"].as_str().unwrap() {
            "output" => before.extend(bytes),
            "snapshot" => {
                let screen = String::from_utf8_lossy(&bytes).into_owned();
                assert!(screen.contains("2000") && !screen.contains("1900"), "{screen}");
                assert_eq!(event["size"]["rows"], 24);
                break;
            }
            "attached" => {}
            other => panic!("{other}"),
        }
    }
    let before = String::from_utf8_lossy(&before).into_owned();
    assert!(before.contains("\n1600\r\n") && !before.contains("\n1400\r\n"), "{before}");
    socket.cancel(call);
}

#[test]
fn the_size_is_that_of_who_typed_last_and_else_the_smallest() {
    let deck = Deck::new();
    let id = deck.shell("bash");
    let size = || {
        let size = deck.info(&id).size;
        (size.rows, size.cols)
    };
    let begin = |rows: u16, cols: u16| {
        let mut socket = deck.socket();
        let call =
            socket.begin("flightdeck.terminal.attach", json!({ "id": id, "size": { "rows": rows, "cols": cols } }));
        let (event, _) = socket.event();
        assert_eq!(event["type"], "attached", "{event}");
        (socket, call, event["viewer"].clone())
    };
    let (small, _, _) = begin(30, 90);
    assert_eq!(size(), (30, 90));
    let (mut large, call, viewer) = begin(40, 120);
    assert_eq!(size(), (30, 90), "a window that only looks on changes nothing for others");
    large.input(call, b" ");
    deck.wait_until("who types has the size", SOON, || (size() == (40, 120)).then_some(()));
    large
        .call("flightdeck.terminal.resize", json!({ "id": id, "size": { "rows": 41, "cols": 121 }, "viewer": viewer }))
        .unwrap();
    assert_eq!(size(), (41, 121));
    drop(large);
    deck.wait_until("the other one is left", SOON, || (size() == (30, 90)).then_some(()));
    drop(small);
    let unknown = json!({ "id": id, "size": { "rows": 9, "cols": 9 }, "viewer": 77 });
    assert_eq!(deck.socket().call("flightdeck.terminal.resize", unknown).unwrap_err().code.name(), "invalid_argument");
}

/// How many sockets the hub holds.
fn sockets_of(pid: u32) -> usize {
    let descriptors = fs::read_dir(format!("/proc/{pid}/fd")).unwrap().flatten();
    let is_socket = |path: std::path::PathBuf| path.to_string_lossy().starts_with("socket:");
    descriptors.filter(|entry| fs::read_link(entry.path()).is_ok_and(is_socket)).count()
}

#[test]
fn a_stream_that_waits_for_credit_goes_with_its_caller_or_when_it_is_given_up() {
    let deck = Deck::new();
    let id = deck.new_terminal(&["--", "sh", "-c", "seq 1000000"]);
    deck.ended(&id, SOON);
    let pid = deck.hub_pid();
    let before = sockets_of(pid);
    for _ in 0..5 {
        let mut socket = deck.socket();
        socket.grant_by_hand();
        let call = socket.begin("flightdeck.terminal.follow", json!({ "id": id }));
        let mut seen = 0;
        while seen < WINDOW as usize {
            seen += socket.event().1.len();
        }
        socket.cancel(call);
        assert_eq!(socket.finish(call).unwrap_err().code.name(), "cancelled");
        let waiting = socket.begin("flightdeck.terminal.follow", json!({ "id": id }));
        while socket.event().1.is_empty() {}
        drop(socket);
        let _ = waiting;
    }
    deck.wait_until("the hub holds nothing for them", SOON, || (sockets_of(pid) <= before).then_some(()));
}

#[test]
fn a_resumed_viewer_gets_the_rest_of_what_ended_in_an_earlier_life_of_the_hub() {
    let deck = Deck::new();
    let id = deck.new_terminal(&["--", "sh", "-c", "seq 1000"]);
    deck.ended(&id, SOON);
    deck.kill_hub();
    deck.cli(&["run", "true"]).expect(0);
    let log = deck.log_on_disk(&id);
    let mut socket = deck.socket();
    let call = socket.begin("flightdeck.terminal.attach", json!({ "id": id, "from": 100 }));
    let (bytes, result) = socket.finish_stream(call);
    assert_eq!(result.unwrap()["exitCode"], 0);
    assert_eq!(String::from_utf8_lossy(&bytes), String::from_utf8_lossy(&log[100..]));
}
