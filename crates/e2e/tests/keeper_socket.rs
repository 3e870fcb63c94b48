//! Who may speak with the keeper: the hub that it has started, and nobody else. And that it starts the next hub by itself.

use std::collections::VecDeque;
use std::fs;
use std::io::{IoSliceMut, Write as _};
use std::mem::MaybeUninit;
use std::net::{Shutdown, TcpStream};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use flightdeck_e2e::{Deck, Pty, SOON, browser, processes};
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, recvmsg};
use rustix::process::Signal;
use serde_json::{Value, json};

/// Ten hubs that are lost in a row come back ever later.
const LONG: Duration = Duration::from_mins(1);

fn keeper_socket(deck: &Deck) -> PathBuf {
    Path::new(deck.status()["socket"].as_str().unwrap()).with_file_name("keeper.sock")
}

fn hub_log(deck: &Deck) -> PathBuf {
    Path::new(deck.status()["state"].as_str().unwrap()).join("hub.log")
}

/// Says something to the keeper, and gives all that it answers until it hangs up or has nothing to say.
fn say(socket: &Path, frames: &[Vec<u8>]) -> (Vec<Value>, VecDeque<OwnedFd>) {
    let mut stream = UnixStream::connect(socket).expect("it listens");
    for frame in frames {
        // It may have hung up after the one before.
        let _ = stream.write_all(frame);
    }
    // Whatever it has not answered by then it never answers.
    let _ = stream.shutdown(Shutdown::Write);
    let (mut bytes, mut fds) = (Vec::new(), VecDeque::new());
    loop {
        let mut piece = [0; 4096];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(4))];
        let mut ancillary = RecvAncillaryBuffer::new(&mut space);
        let received = recvmsg(&stream, &mut [IoSliceMut::new(&mut piece)], &mut ancillary, RecvFlags::CMSG_CLOEXEC);
        for message in ancillary.drain() {
            if let RecvAncillaryMessage::ScmRights(rights) = message {
                fds.extend(rights);
            }
        }
        match received {
            Ok(received) if received.bytes > 0 => bytes.extend_from_slice(&piece[..received.bytes]),
            _ => break,
        }
    }
    let mut replies = Vec::new();
    let mut rest = &bytes[..];
    while let Some((length, after)) = rest.split_first_chunk::<4>() {
        let (body, after) = after.split_at(u32::from_le_bytes(*length) as usize);
        replies.push(serde_json::from_slice(body).expect("JSON"));
        rest = after;
    }
    (replies, fds)
}

fn frame(kind: &str, body: &Value) -> Vec<u8> {
    let json = json!({ "seq": 7, "kind": kind, "body": body }).to_string();
    [&(json.len() as u32).to_le_bytes(), json.as_bytes()].concat()
}

fn attacks(deck: &Deck, id: &str, pid: u32) -> Vec<(&'static str, Value)> {
    let made = deck.workspace().join("made");
    let spec = json!({
        "id": "own", "argv": ["touch", made], "env": [["PATH", "/usr/bin:/bin"]], "cwd": deck.workspace(),
        "output": { "pty": { "rows": 24, "cols": 80 } }, "log_dir": deck.workspace().join("log"),
        "limits": { "segment_bytes": 1 << 20, "total_bytes": 1 << 22 },
    });
    vec![
        ("spawn", spec.clone()),
        ("spawn_confined", spec),
        ("follow", json!({ "id": "own", "fifo": made, "log_dir": made, "limits": {} })),
        ("mind", json!({ "id": id, "pid": std::process::id() })),
        ("attach", json!({ "id": id })),
        ("list", json!({})),
        ("resize", json!({ "id": id, "size": { "rows": 7, "cols": 7 } })),
        ("signal", json!({ "id": id, "number": 9, "target": "leader" })),
        ("signal", json!({ "id": id, "number": 9, "target": "group" })),
        ("forget", json!({ "id": id })),
        ("close_input", json!({ "id": id })),
        ("watch", json!({ "id": id, "from": 0 })),
        ("shutdown", json!({})),
        ("serving", json!({})),
        ("await_hub", json!({})),
        ("stop_hub", json!({})),
        ("start_hub", json!({ "program": "/bin/sh", "options": "{}" })),
        ("start_hub", json!({ "program": format!("/proc/{pid}/exe"), "options": "{}", "foreground": true })),
        ("no_such_request", json!({ "id": id })),
    ]
}

#[test]
fn who_dials_the_keeper_can_ask_for_nothing_but_a_hub() {
    let deck = Deck::new();
    let id = deck.new_terminal(&["--", "sh", "-c", "while read line; do echo got $line; done"]);
    let (socket, info) = (keeper_socket(&deck), deck.info(&id));
    let attacks = attacks(&deck, &id, deck.hub_pid());
    let hello = frame("hello", &json!({ "min_protocol": 1, "max_protocol": 1, "build": "x" }));
    let fail = |case: &str| {
        for (kind, body) in &attacks {
            for greeting in [None, Some(hello.clone())] {
                let frames: Vec<_> = greeting.into_iter().chain([frame(kind, body)]).collect();
                let (replies, fds) = say(&socket, &frames);
                assert!(fds.is_empty(), "{case}: {kind} brought a descriptor");
                assert!(!replies.is_empty(), "{case}: {kind} was not answered");
                for reply in &replies {
                    assert!(reply.get("ok").is_none() && reply["error"]["code"].is_string(), "{case}: {kind}: {reply}");
                }
            }
        }
    };
    fail("with a hub");
    let lost = deck.lose_hub();
    fail("without a hub");
    drop(lost);
    // Broken frames, and one that is longer than any honest one, end the connection.
    for frames in [vec![vec![0xff; 64]], vec![(1u32 << 20).to_le_bytes().to_vec()], vec![vec![9, 0, 0, 0, b'{']]] {
        let (replies, fds) = say(&socket, &frames);
        assert!(replies.is_empty() && fds.is_empty());
    }
    let now = deck.info(&id);
    assert!(now.running && (now.pid, now.size) == (info.pid, info.size), "{now:?}");
    assert!(!deck.workspace().join("made").exists());
    deck.cli(&["send", &id, "word", "--enter"]).expect(0);
    deck.cli(&["wait", &id, "--pattern", "got word", "--from", "0"]).expect(0);
}

#[test]
fn connections_that_ask_for_nothing_keep_nobody_out() {
    let deck = Deck::new();
    deck.new_terminal(&["--", "sleep", "1000"]);
    let socket = keeper_socket(&deck);
    let idle: Vec<_> = (0..400).map_while(|_| UnixStream::connect(&socket).ok()).collect();
    assert!(idle.len() > 128, "{}", idle.len());
    deck.cli(&["restart"]).expect(0);
}

/// Waits for the next hub as somebody would who starts none.
fn comes_back(deck: &Deck, lost: u32) -> u32 {
    deck.wait_until("the next hub serves", LONG, || {
        let status = deck.cli(&["status", "--json"]);
        let pid = (status.code == 0).then(|| status.json::<Value>()["pid"].as_u64().unwrap() as u32)?;
        (pid != lost).then_some(pid)
    })
}

#[test]
fn a_hub_that_is_killed_comes_back_by_itself() {
    let deck = Deck::new();
    let id = deck.shell("bash");
    deck.run_in(&id, "X=carried");
    let (browser, hub, keeper) = (browser(&deck), deck.hub_pid(), deck.keeper_pid());
    deck.kill_hub();
    // Nobody asks for it: a browser only looks whether it is there, and is still known.
    deck.wait_until("the page is served again", SOON, || TcpStream::connect(&browser.address).ok());
    assert_eq!(browser.get("/session").status, 204);
    assert_ne!(comes_back(&deck, hub), hub);
    assert_eq!((deck.keeper_pid(), deck.run_in(&id, "echo $X").output.as_str()), (keeper, "carried\n"));
    let log = fs::read_to_string(hub_log(&deck)).unwrap();
    assert!(log.contains(&format!("the hub (process {hub}) was lost (killed by signal 9)")), "{log}");
    // One that is asked to end stays away, also by a signal.
    for stop in [true, false] {
        let hub = deck.hub_pid();
        if stop {
            drop(deck.cli(&["stop"]).expect(0));
        } else {
            processes::signal(hub, Signal::TERM);
        }
        deck.wait_until("it has ended", SOON, || (!processes::is_alive(hub)).then_some(()));
        deck.cli(&["status"]).expect(1);
        deck.start();
        assert_eq!(fs::read_to_string(hub_log(&deck)).unwrap().matches("was lost").count(), 1);
    }
    assert_eq!(deck.run_in(&id, "echo $X").output, "carried\n");
}

#[test]
fn ten_kills_in_a_row_lose_no_byte() {
    let deck = Deck::new();
    let line = "i=0; while ! [ -e stop ]; do i=$((i+1)); echo line $i; sleep 0.01; done; echo over";
    let id = deck.new_terminal(&["--", "sh", "-c", line]);
    let mut hub = deck.hub_pid();
    for _ in 0..10 {
        processes::signal(hub, Signal::KILL);
        hub = comes_back(&deck, hub);
    }
    fs::write(deck.workspace().join("stop"), "").unwrap();
    deck.ended(&id, SOON);
    let text = deck.cli(&["logs", &id, "--all"]).expect(0).text();
    let lines: Vec<_> = text.lines().collect();
    let expected: Vec<_> = (1..lines.len()).map(|number| format!("line {number}")).chain(["over".to_owned()]).collect();
    assert!(lines.len() > 10 && lines == expected, "{} lines: {:?}", lines.len(), lines.iter().rev().take(3));
}

#[test]
fn all_who_ask_at_once_get_the_same_hub() {
    let deck = Deck::new();
    deck.new_terminal(&["--", "sleep", "1000"]);
    for _ in 0..3 {
        let lost = deck.lose_hub();
        let asking: Vec<_> = (0..4).map(|_| deck.invoke(&["new", "--", "true"]).start()).collect();
        drop(lost);
        for one in asking {
            one.finish().expect(0);
        }
        let hubs = || deck.processes().into_iter().filter(|process| process.command.contains("--by-keeper")).count();
        assert_eq!(hubs(), 1);
    }
}

#[test]
fn a_hub_that_cannot_serve_is_not_started_for_ever() {
    let deck = Deck::new();
    let id = deck.new_terminal(&["--", "sleep", "1000"]);
    let (log, keeper) = (hub_log(&deck), deck.keeper_pid());
    let lock = log.with_file_name("hub.lock");
    let lost = deck.lose_hub();
    fs::remove_file(&lock).unwrap();
    fs::create_dir(&lock).unwrap();
    drop(lost);
    let told = deck.wait_until("it is given up", SOON, || {
        fs::read_to_string(&log).ok().filter(|log| log.contains("the next command starts it"))
    });
    let tries = told.matches("was lost").count();
    assert!((2..10).contains(&tries), "{told}");
    assert!(processes::is_alive(keeper));
    // Whoever wants one learns why there is none.
    let refused = deck.cli(&["new"]).expect(1);
    assert!(refused.errors().contains("hub.lock"), "{refused}");
    assert_eq!(fs::read_to_string(&log).unwrap().matches("was lost").count(), tries, "nobody else tried");
    fs::remove_dir(&lock).unwrap();
    deck.start();
    assert!(deck.info(&id).running);
}

#[test]
fn a_keeper_starts_only_its_own_program() {
    let deck = Deck::new();
    // By another name: what a link leads to counts.
    let other = deck.home().join("other-flightdeck");
    fs::hard_link(deck.program(), &other).or_else(|_| fs::copy(deck.program(), &other).map(drop)).unwrap();
    let own = deck.command(&[]);
    let with_other = |args: &[&str]| {
        let mut command = Command::new(&other);
        command.args(args).current_dir(deck.workspace()).env_clear();
        command.envs(own.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command.output().unwrap()
    };
    // Where nothing runs, it makes way.
    deck.start();
    deck.cli(&["stop"]).expect(0);
    assert!(with_other(&["restart"]).status.success());
    assert!(with_other(&["stop"]).status.success());
    // And where something does, it stays.
    let id = deck.new_terminal(&["--", "sleep", "1000"]);
    let keeper = deck.keeper_pid();
    assert!(with_other(&["ls"]).status.success(), "a hub that runs is for all");
    deck.cli(&["stop"]).expect(0);
    let refused = with_other(&["restart"]);
    let words = String::from_utf8_lossy(&refused.stderr).into_owned();
    let program = deck.program().canonicalize().unwrap();
    assert!(!refused.status.success() && words.contains(program.to_str().unwrap()), "{words}");
    assert!(words.contains("flightdeck stop --all"), "{words}");
    deck.start();
    assert!(deck.info(&id).running && deck.keeper_pid() == keeper);
    deck.cli(&["stop"]).expect(0);
    let stopped = with_other(&["stop", "--all"]);
    assert!(stopped.status.success(), "{}", String::from_utf8_lossy(&stopped.stderr));
    deck.wait_until("all of it has ended", SOON, || deck.processes().is_empty().then_some(()));
}

#[test]
fn where_nothing_runs_the_next_hub_has_the_environment_of_whoever_asks() {
    let deck = Deck::new();
    deck.cli(&["run", "true"]).expect(0);
    let has = |mark: &str| processes::with_environment(mark).iter().any(|process| process.pid == deck.hub_pid());
    deck.invoke(&["restart"]).env("FD_MARK", "asked-after").run().expect(0);
    assert!(has("FD_MARK=asked-after"), "what has ended holds nobody up");
    deck.cli(&["run", "true"]).expect(0);
    // The keeper does not hear of the end of its hub until somebody waits for the next one.
    let beside = deck.hub_spawner();
    processes::signal(beside, Signal::STOP);
    deck.cli(&["stop"]).expect(0);
    let asking = deck.invoke(&["restart"]).env("FD_MARK", "asked-before").start();
    let asks = |process: &processes::Process| process.command.contains(" serve --background");
    deck.wait_until("it is asked for", SOON, || deck.processes().iter().any(asks).then_some(()));
    processes::signal(beside, Signal::CONT);
    asking.finish().expect(0);
    assert!(has("FD_MARK=asked-before"));
    // What runs keeps the keeper.
    deck.new_terminal(&["--", "sleep", "1000"]);
    deck.invoke(&["restart"]).env("FD_MARK", "too-late").run().expect(0);
    assert!(has("FD_MARK=asked-before"));
}

#[test]
fn a_hub_in_the_foreground_ends_with_its_command() {
    let deck = Deck::new();
    let id = deck.new_terminal(&["--", "sleep", "1000"]);
    let log = hub_log(&deck);
    deck.cli(&["stop"]).expect(0);
    let window = deck.window(&["serve"]);
    window.wait_for("/login?code=");
    let hub = deck.hub_pid();
    // Lost, it comes back, and belongs to the same command.
    processes::signal(hub, Signal::KILL);
    let hub = comes_back(&deck, hub);
    let serving = deck.processes().into_iter().find(|process| process.command.ends_with("flightdeck serve")).unwrap();
    processes::signal(serving.pid, Signal::KILL);
    deck.wait_until("the hub has ended", SOON, || (!processes::is_alive(hub)).then_some(()));
    assert_eq!(fs::read_to_string(log).unwrap().matches("was lost").count(), 1, "it was asked to end");
    drop(window);
    deck.start();
    assert!(deck.info(&id).running);
}

/// Another file with the program, which can be moved away.
fn movable_program(deck: &Deck) -> PathBuf {
    let own = deck.home().join("own-flightdeck");
    fs::hard_link(deck.program(), &own).or_else(|_| fs::copy(deck.program(), &own).map(drop)).unwrap();
    own
}

fn serve_with(deck: &Deck, program: &Path) -> Pty {
    let like = deck.command(&[]);
    let mut command = Command::new(program);
    command.arg("serve").current_dir(deck.workspace()).env_clear();
    command.envs(like.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let window = Pty::start(&command, 24, 80);
    window.wait_for("/login?code=");
    window
}

#[test]
fn a_hub_in_the_foreground_outlasts_a_restart_that_failed() {
    let deck = Deck::new();
    let own = movable_program(&deck);
    let window = serve_with(&deck, &own);
    let (log, hub) = (hub_log(&deck), deck.hub_pid());
    let away = deck.home().join("away");
    fs::rename(&own, &away).unwrap();
    processes::signal(hub, Signal::KILL);
    deck.wait_until("a start fails", SOON, || {
        fs::read_to_string(&log).ok().filter(|log| log.contains("the hub can't be started again"))
    });
    fs::rename(&away, &own).unwrap();
    let hub = comes_back(&deck, hub);
    let serving = |process: &processes::Process| process.command.ends_with("own-flightdeck serve");
    let serving = deck.processes().into_iter().find(serving).expect("it still serves");
    processes::signal(serving.pid, Signal::KILL);
    deck.wait_until("the hub has ended with its command", SOON, || (!processes::is_alive(hub)).then_some(()));
    drop(window);
}

#[test]
fn a_hub_in_the_foreground_that_does_not_come_back_ends_its_command() {
    let deck = Deck::new();
    deck.start();
    let id = deck.new_terminal(&["--", "sleep", "1000"]);
    deck.cli(&["stop"]).expect(0);
    let mut window = deck.window(&["serve"]);
    window.wait_for("/login?code=");
    let hub = deck.hub_pid();
    processes::signal(deck.hub_spawner(), Signal::KILL);
    assert!(deck.info(&id).running);
    processes::signal(hub, Signal::KILL);
    window.wait_for("flightdeck stop --all");
    assert_ne!(window.exit_code(SOON), 0);
}

#[test]
fn without_the_process_that_starts_hubs_one_learns_what_to_do() {
    let deck = Deck::new();
    deck.new_terminal(&["--", "sleep", "1000"]);
    processes::signal(deck.hub_spawner(), Signal::KILL);
    deck.run_in(&deck.shell("bash"), "true");
    deck.kill_hub();
    let refused = deck.cli(&["new"]).expect(1);
    assert!(refused.errors().contains("flightdeck stop --all"), "{refused}");
    deck.cli(&["stop", "--all"]).expect(0);
    deck.wait_until("all of it has ended", SOON, || deck.processes().is_empty().then_some(()));
}

#[test]
fn a_keeper_of_an_older_release_keeps_its_terminals() {
    let deck = Deck::new();
    deck.start();
    let socket = keeper_socket(&deck);
    deck.cli(&["stop", "--all"]).expect(0);
    // It does not know of hubs that it would start: they dial it.
    let program = deck.program().with_file_name("examples").join("keeper");
    let own = deck.command(&[]);
    let variables = own.get_envs().filter_map(|(name, value)| Some((name, value?)));
    let older = Command::new(&program).arg(&socket).env_clear().envs(variables).status();
    assert!(older.expect("it is built").success());
    let id = deck.shell("bash");
    deck.run_in(&id, "X=carried");
    let keeper = deck.keeper_pid();
    deck.cli(&["restart"]).expect(0);
    assert_eq!((deck.keeper_pid(), deck.run_in(&id, "echo $X").output.as_str()), (keeper, "carried\n"));
    deck.kill_hub();
    assert_eq!(deck.run_in(&id, "echo $X").output, "carried\n");
}

#[test]
fn a_keeper_that_stands_still_is_told_within_the_time_of_the_call() {
    let deck = Deck::new();
    deck.start();
    let keeper = deck.keeper_pid();
    processes::signal(keeper, Signal::STOP);
    deck.wait_until("it stands still", SOON, || processes::is_stopped(keeper).then_some(()));
    let begun = Instant::now();
    let refused = deck.cli(&["run", "--timeout", "2s", "--", "touch", "made"]);
    let took = begun.elapsed();
    processes::signal(keeper, Signal::CONT);
    assert_ne!(refused.code, 0);
    let words = refused.errors();
    assert!(words.contains(&format!("kill -CONT {keeper}")) && !words.contains("Events::next"), "{words}");
    assert!(took > Duration::from_secs(1) && took < Duration::from_secs(20), "{took:?}");
    // What was given up is not done later.
    deck.cli(&["run", "--", "true"]).expect(0);
    assert!(!deck.workspace().join("made").exists());
    assert_eq!(deck.json(&["ls", "--json"]), json!([]));
}
