//! A disk that is full: programs wait, it is told, and when there is room again nothing was lost.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use flightdeck_contract::ErrorCode;
use flightdeck_e2e::{Agent, Deck, SOON, processes};
use rustix::process::Signal;
use serde_json::json;
use tempfile::TempDir;

/// A small disk of its own, unmounted when it goes.
struct SmallDisk(PathBuf);

impl SmallDisk {
    /// `None` where mounting is not permitted.
    fn mount(at: PathBuf, size: &str) -> Option<Self> {
        fs::create_dir_all(&at).unwrap();
        let options = format!("size={size},mode=700");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(&at).output().ok()?;
        if !mounted.status.success() {
            eprintln!("skipped: no tmpfs can be mounted here: {}", String::from_utf8_lossy(&mounted.stderr).trim());
            return None;
        }
        Some(SmallDisk(at))
    }

    fn grow(&self, size: &str) {
        let done = Command::new("mount").args(["-o", &format!("remount,size={size}")]).arg(&self.0).status().unwrap();
        assert!(done.success());
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily: whoever still has a file open there does not keep the test's folder.
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

/// Both programs begin when both are there: on a full disk none can be started.
const WHEN_TOLD: &str = "until [ -e go ]; do sleep 0.01; done";

/// A deck whose state is on a small disk. It goes first, then its disk, and the folder that held it last.
struct Small {
    deck: Deck,
    disk: SmallDisk,
    _folder: TempDir,
}

fn deck_on(size: &str) -> Option<Small> {
    let folder = TempDir::with_prefix("fd").unwrap();
    let state = folder.path().join("s");
    let disk = SmallDisk::mount(state.clone(), size)?;
    Some(Small { deck: Deck::with_state(state), disk, _folder: folder })
}

#[test]
fn a_full_disk_stalls_the_program_and_loses_nothing() {
    let Some(small) = deck_on("512k") else { return };
    let Small { deck, disk, .. } = &small;
    let filler = deck.state().join("filler");
    fs::write(&filler, vec![0; 100 << 10]).unwrap();
    // More than the disk, a pipe and the keeper's own memory hold together.
    let wanted: String = (1..=900_000).map(|n| format!("{n}\n")).collect();
    let ids: Vec<_> = [&[][..], &["--pipes"]]
        .iter()
        .map(|kind| {
            deck.new_terminal(&[*kind, &["--", "sh", "-c", &format!("{WHEN_TOLD}; seq 900000; exit 3")]].concat())
        })
        .collect();
    fs::write(deck.workspace().join("go"), "").unwrap();
    for id in &ids {
        let info = deck.wait_until("the stall is told", SOON, || Some(deck.info(id)).filter(|info| info.stalled));
        assert!(info.running, "the program waits: {info:?}\n{}", deck.dump());
    }
    let table = deck.cli(&["ls"]).expect(0).text();
    assert_eq!(table.matches("disk full").count(), 2, "{table}");
    // What there is can be read, and everything else still answers. One of the two may have had all the room.
    let said: String = ids.iter().map(|id| deck.cli(&["logs", id, "-n", "3"]).expect(0).text()).collect();
    assert!(said.contains('\n'));
    let refused = deck.socket().call("flightdeck.terminal.new", json!({ "command": ["true"] }));
    if let Err(error) = refused {
        assert_eq!(error.code, ErrorCode::Storage, "{error:?}");
    }
    // Room for what a person deletes is not enough for all, so the rest comes from a larger disk.
    fs::remove_file(&filler).unwrap();
    disk.grow("32m");
    for id in &ids {
        assert_eq!(deck.ended(id, SOON), 3, "{id}");
        assert!(!deck.info(id).stalled, "{id}");
        let log = String::from_utf8(deck.raw_log(id)).unwrap().replace("\r\n", "\n");
        assert!(log == wanted, "{id}: {} of {} bytes", log.len(), wanted.len());
    }
}

#[test]
fn a_program_that_ended_during_the_stall_loses_nothing() {
    let Some(small) = deck_on("512k") else { return };
    let Small { deck, disk, .. } = &small;
    // So much that the rest may still fit into the pipe when the disk is full: the program is through then.
    let wanted: String = (1..=90_000).map(|n| format!("{n}\n")).collect();
    let filler = deck.state().join("filler");
    fs::write(&filler, vec![0; 200 << 10]).unwrap();
    let ids: Vec<_> = [&[][..], &["--pipes"]]
        .iter()
        .map(|kind| {
            deck.new_terminal(&[*kind, &["--", "sh", "-c", &format!("{WHEN_TOLD}; seq 90000; exit 3")]].concat())
        })
        .collect();
    fs::write(deck.workspace().join("go"), "").unwrap();
    deck.wait_until("a stall is told", SOON, || ids.iter().any(|id| deck.info(id).stalled).then_some(()));
    disk.grow("16m");
    for id in &ids {
        assert_eq!(deck.ended(id, SOON), 3, "{id}");
        deck.wait_until("everything is on disk", SOON, || {
            let log = String::from_utf8(deck.log_on_disk(id)).unwrap().replace("\r\n", "\n");
            (log == wanted).then_some(())
        });
        assert!(!deck.info(id).stalled, "{id}");
    }
}

#[test]
fn deleting_a_file_lets_a_stalled_program_go_on() {
    let Some(small) = deck_on("4m") else { return };
    let deck = &small.deck;
    let filler = deck.state().join("filler");
    fs::write(&filler, vec![0; 3300 << 10]).unwrap();
    let wanted: String = (1..=300_000).map(|n| format!("{n}\n")).collect();
    let id = deck.new_terminal(&["--pipes", "--", "seq", "300000"]);
    deck.wait_until("the stall is told", SOON, || deck.info(&id).stalled.then_some(()));
    fs::remove_file(&filler).unwrap();
    assert_eq!(deck.ended(&id, SOON), 0);
    assert!(deck.raw_log(&id) == wanted.as_bytes());
}

#[test]
fn a_stalled_terminal_survives_the_hub_and_can_be_killed() {
    let Some(small) = deck_on("512k") else { return };
    let deck = &small.deck;
    let id = deck.new_terminal(&["--", "seq", "1000000"]);
    deck.wait_until("the stall is told", SOON, || deck.info(&id).stalled.then_some(()));
    deck.kill_hub();
    deck.wait_until("the next hub knows it too", SOON, || deck.info(&id).stalled.then_some(()));
    deck.cli(&["kill", &id, "--grace", "200ms"]).expect(0);
    deck.nothing_left_of(&id);
}

/// What a process has in memory, in bytes.
fn memory_of(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
}

/// tmux reads on, whoever takes what it has read. So it is the tab itself that has to wait.
#[test]
fn a_tab_in_tmux_waits_and_tmux_does_not_grow() {
    const LAST: u64 = 6_000_000;
    const WATCHED: Duration = Duration::from_secs(3);
    const STALLS: u32 = 16;
    let Some(small) = deck_on("2m") else { return };
    let Small { deck, disk, .. } = &small;
    deck.settings("[tabs]\nbackend = \"tmux\"\n");
    let mut agent = Agent::with(deck, "codex", &["--tools", "tabs"]);
    let call = |agent: &mut Agent, tool: &str, args: serde_json::Value| {
        let id = agent.begin(tool, &args);
        let answer = agent.answer(id)["result"].clone();
        assert!(answer["isError"] != true, "{tool}: {answer}");
        answer["structuredContent"].clone()
    };
    let tab = call(&mut agent, "create_tab", json!({ "name": "t" }))["window_id"].as_str().unwrap().to_owned();
    call(&mut agent, "execute_command", json!({ "window_id": tab, "command": "true" }));
    let socket = PathBuf::from(deck.status()["socket"].as_str().unwrap()).with_file_name("tmux");
    let server =
        Command::new("tmux").arg("-S").arg(&socket).args(["display-message", "-p", "#{pid}"]).output().unwrap();
    let server = String::from_utf8(server.stdout).unwrap().trim().parse().unwrap();
    let line = format!("seq {LAST}; echo the-end");
    call(&mut agent, "start_process", json!({ "window_id": tab, "command": line }));
    deck.wait_until("the stall is told", SOON, || deck.info("t1").stalled.then_some(()));
    let before = memory_of(server);
    let began = Instant::now();
    let most = deck.wait_until("a while has passed", SOON, || {
        let now = memory_of(server);
        assert!(now < before + (16 << 20), "tmux grew from {before} to {now} bytes");
        (began.elapsed() > WATCHED).then_some(now)
    });
    println!("tmux has {} KB when the log stalls, and {} KB {} s later", before >> 10, most >> 10, WATCHED.as_secs());
    // It is halted in the middle of its work each time, wherever that is.
    for step in 1..=STALLS {
        let end = deck.info("t1").log_end;
        disk.grow(&format!("{}m", 2 + step));
        deck.wait_until("it stalls again", SOON, || {
            let info = deck.info("t1");
            (info.stalled && info.log_end > end + (512 << 10)).then_some(())
        });
    }
    disk.grow("128m");
    let wanted: String = (1..=LAST).map(|n| format!("{n}\r\n")).chain(["the-end\r\n".to_owned()]).collect();
    let log = deck.wait_until("all is logged", Duration::from_mins(1), || {
        Some(String::from_utf8(deck.raw_log("t1")).unwrap()).filter(|log| log.contains("\nthe-end\r\n"))
    });
    let logged = &log[log.find("1\r\n2\r\n3\r\n").unwrap()..];
    let same = logged.bytes().zip(wanted.bytes()).take_while(|(logged, printed)| logged == printed).count();
    let around = String::from_utf8_lossy(&logged.as_bytes()[same.saturating_sub(100)..logged.len().min(same + 300)]);
    assert!(same == wanted.len(), "it differs after {same} of {} bytes: {around:?}", wanted.len());
    assert!(!deck.info("t1").stalled);
    let ran = call(&mut agent, "execute_command", json!({ "window_id": tab, "command": "echo on" }));
    assert_eq!(ran["output"], "on\n", "{ran}");
}

/// The user's own tmux with a session `mine`, to which the hub is attached. Dropping it ends the server.
struct UsersTmux(PathBuf);

impl UsersTmux {
    fn attach(deck: &Deck) -> Self {
        let user = UsersTmux(deck.home().join("t"));
        fs::create_dir(&user.0).unwrap();
        user.call(&["-f", "/dev/null", "new-session", "-d", "-s", "mine", "-x", "100", "-y", "30"]);
        let socket = user.call(&["display-message", "-p", "#{socket_path}"]);
        deck.settings(&format!("[tabs]\ntmux_attach = \"mine\"\ntmux_socket = \"{}\"\n", socket.trim()));
        user
    }

    #[track_caller]
    fn call(&self, args: &[&str]) -> String {
        let mut tmux = Command::new("tmux");
        tmux.env_clear().env("PATH", "/usr/bin:/bin").env("HOME", &self.0).env("TMUX_TMPDIR", &self.0);
        let done = tmux.env("SHELL", "/bin/bash").args(args).output().unwrap();
        assert!(done.status.success(), "{args:?}: {done:?}");
        String::from_utf8(done.stdout).unwrap()
    }

    fn server(&self) -> u32 {
        self.call(&["display-message", "-p", "#{pid}"]).trim().parse().unwrap()
    }

    fn is_piped(&self, window: &str) -> bool {
        self.call(&["display-message", "-p", "-t", window, "#{pane_pipe}"]) == "1\n"
    }

    /// Watches the server for a while, in which it must not grow.
    #[track_caller]
    fn does_not_grow(&self, deck: &Deck) {
        let (server, began) = (self.server(), Instant::now());
        let before = memory_of(server);
        deck.wait_until("a while has passed", SOON, || {
            let now = memory_of(server);
            assert!(now < before + (16 << 20), "the user's tmux grew from {before} to {now} bytes");
            (began.elapsed() > Duration::from_secs(3)).then_some(())
        });
    }
}

impl Drop for UsersTmux {
    fn drop(&mut self) {
        let _ = Command::new("tmux").env("TMUX_TMPDIR", &self.0).arg("kill-server").output();
    }
}

/// Calls a tab tool, which must succeed.
#[track_caller]
fn tab_call(agent: &mut Agent, tool: &str, args: &serde_json::Value) -> serde_json::Value {
    let id = agent.begin(tool, args);
    let answer = agent.answer(id)["result"].clone();
    assert!(answer["isError"] != true, "{tool}: {answer}");
    answer["structuredContent"].clone()
}

#[test]
fn a_window_of_the_user_goes_on_and_their_tmux_does_not_grow() {
    let Some(small) = deck_on("2m") else { return };
    let Small { deck, disk, .. } = &small;
    let user = UsersTmux::attach(deck);
    let mut agent = Agent::with(deck, "codex", &["--tools", "tabs"]);
    tab_call(&mut agent, "list_tabs", &json!({}));
    user.call(&["send-keys", "-t", "@0", "yes", "Enter"]);
    deck.wait_until("the stall is told", SOON, || deck.info("t1").stalled.then_some(()));
    user.does_not_grow(deck);
    user.call(&["send-keys", "-t", "@0", "C-c", ""]);
    disk.grow("128m");
    let log = deck.wait_until("it is heard again", SOON, || {
        user.call(&["send-keys", "-t", "@0", "echo af''ter", "Enter"]);
        Some(String::from_utf8_lossy(&deck.raw_log("t1")).into_owned()).filter(|log| log.contains("after\r\n"))
    });
    assert_eq!(log.matches("[flightdeck: the log could not be written, and what was printed").count(), 1);
    assert!(!deck.info("t1").stalled);
}

#[test]
fn without_a_keeper_the_users_tmux_does_not_grow() {
    for signal in [Signal::KILL, Signal::TERM] {
        let deck = Deck::new();
        let user = UsersTmux::attach(&deck);
        let mut agent = Agent::with(&deck, "codex", &["--tools", "tabs"]);
        let tab = tab_call(&mut agent, "create_tab", &json!({ "name": "t" }))["window_id"].as_str().unwrap().to_owned();
        tab_call(&mut agent, "list_tabs", &json!({}));
        let windows = ["@0", tab.as_str()];
        assert!(windows.iter().all(|window| user.is_piped(window)));
        drop(agent);
        let (hub, keeper) = (deck.hub_pid(), deck.keeper_pid());
        processes::signal(hub, Signal::KILL);
        processes::signal(keeper, signal);
        deck.wait_until("both are gone", SOON, || {
            (!processes::is_alive(hub) && !processes::is_alive(keeper)).then_some(())
        });
        for window in windows {
            user.call(&["send-keys", "-t", window, "yes", "Enter"]);
        }
        user.does_not_grow(&deck);
        for window in windows {
            deck.wait_until("the writer has ended", SOON, || (!user.is_piped(window)).then_some(()));
            user.call(&["send-keys", "-t", window, "C-c", ""]);
        }
        // The next hub listens to both again.
        deck.start();
        for window in windows {
            deck.wait_until("it is heard again", SOON, || user.is_piped(window).then_some(()));
        }
    }
}

#[test]
fn a_keeper_that_is_told_to_end_leaves_no_terminal_halted() {
    let Some(small) = deck_on("2m") else { return };
    let Small { deck, .. } = &small;
    let user = UsersTmux::attach(deck);
    let mut agent = Agent::with(deck, "codex", &["--tools", "tabs"]);
    let tab = tab_call(&mut agent, "create_tab", &json!({ "name": "t" }))["window_id"].as_str().unwrap().to_owned();
    tab_call(&mut agent, "execute_command", &json!({ "window_id": tab, "command": "true" }));
    let done = deck.workspace().join("done");
    let line = format!("seq 2000000; touch {}", done.display());
    tab_call(&mut agent, "start_process", &json!({ "window_id": tab, "command": line }));
    deck.wait_until("the stall is told", SOON, || deck.info("t1").stalled.then_some(()));
    drop(agent);
    let keeper = deck.keeper_pid();
    assert!(!done.exists());
    processes::signal(keeper, Signal::TERM);
    deck.wait_until("the keeper is gone", SOON, || (!processes::is_alive(keeper)).then_some(()));
    deck.wait_until("the program has gone on", SOON, || done.exists().then_some(()));
    assert!(user.call(&["list-windows", "-F", "#{window_id}"]).contains(&tab));
}

/// Takes all that is left of a disk.
fn fill(deck: &Deck) -> PathBuf {
    use std::io::Write as _;
    let filler = deck.state().join("filler");
    let mut file = fs::File::create(&filler).unwrap();
    while file.write_all(&[0; 4096]).is_ok() {}
    filler
}

/// Whether a result or an error says that the disk is full.
fn says_so(answer: &serde_json::Value) -> bool {
    let text = answer.to_string();
    text.contains("is full") || text.to_lowercase().contains("no space left")
}

#[test]
fn the_very_call_that_meets_a_full_disk_says_so() {
    let Some(small) = deck_on("4m") else { return };
    let Small { deck, .. } = &small;
    deck.settings("[tabs]\nbackend = \"pty\"\n");
    let mut agent = Agent::with(deck, "codex", &["--tools", "all"]);
    let id = agent.ok("flightdeck.terminal.new", &json!({}))["data"]["id"].as_str().unwrap().to_owned();
    deck.at_prompt(&id);
    let tab = tab_call(&mut agent, "create_tab", &json!({ "name": "t" }))["window_id"].clone();
    tab_call(&mut agent, "execute_command", &json!({ "window_id": tab, "command": "true" }));
    agent.ok("openspace.file.write", &json!({ "path": "a.txt", "content": "one\n" }));
    let filler = fill(deck);
    for (tool, args) in [
        ("openspace.file.write", json!({ "path": "a.txt", "content": "two\n" })),
        ("flightdeck.terminal.run", json!({ "command": "echo hi" })),
        ("flightdeck.terminal.run", json!({ "command": "true" })),
        ("flightdeck.terminal.run", json!({ "id": id, "command": "echo hi" })),
        ("flightdeck.terminal.new", json!({})),
        ("flightdeck.terminal.new", json!({ "command": ["sh", "-c", "echo hi"] })),
        ("openspace.terminal.create", json!({})),
        ("execute_command", json!({ "window_id": tab, "command": "echo hi" })),
        ("start_process", json!({ "window_id": tab, "command": "echo hi" })),
        ("create_tab", json!({ "name": "u" })),
        (
            "memory_terminal_interactive",
            json!({ "action": "execute", "invocation": { "mode": "headless", "intent": "execute_command" },
                "execution": { "command": "echo hi" } }),
        ),
    ] {
        let call = agent.begin(tool, &args);
        let answer = agent.answer(call)["result"]["structuredContent"].clone();
        assert!(says_so(&answer), "{tool} {args}: {answer}");
    }
    fs::remove_file(filler).unwrap();
    deck.wait_until("it goes on", SOON, || {
        let ran = agent.call("flightdeck.terminal.run", &json!({ "command": "echo hi" }));
        (ran["output"] == "hi\n" && !says_so(&ran)).then_some(())
    });
}

/// There is room to begin, and none for what is printed.
#[test]
fn the_very_call_whose_output_finds_no_room_says_so() {
    let Some(small) = deck_on("16m") else { return };
    let Small { deck, .. } = &small;
    deck.settings("[tabs]\nbackend = \"pty\"\n");
    fs::write(deck.workspace().join("big"), "some line of text\n".repeat(50_000)).unwrap();
    let mut agent = Agent::with(deck, "codex", &["--tools", "all"]);
    let id = agent.ok("flightdeck.terminal.new", &json!({}))["data"]["id"].as_str().unwrap().to_owned();
    deck.at_prompt(&id);
    let tab = tab_call(&mut agent, "create_tab", &json!({ "name": "t" }))["window_id"].clone();
    tab_call(&mut agent, "execute_command", &json!({ "window_id": tab, "command": "true" }));
    for (tool, args) in [
        ("flightdeck.terminal.run", json!({ "command": "cat big", "timeoutMs": 60_000 })),
        ("flightdeck.terminal.run", json!({ "id": id, "command": "cat big", "timeoutMs": 60_000 })),
        ("execute_command", json!({ "window_id": tab, "command": "cat big", "timeout_ms": 60_000 })),
        (
            "memory_terminal_interactive",
            json!({ "action": "execute", "invocation": { "mode": "headless", "intent": "execute_command" },
                "execution": { "command": "cat big" }, "runtime": { "timeout_ms": 60_000 } }),
        ),
    ] {
        let filler = fill(deck);
        let file = fs::OpenOptions::new().write(true).open(&filler).unwrap();
        file.set_len(file.metadata().unwrap().len() - (256 << 10)).unwrap();
        drop(file);
        let began = Instant::now();
        let call = agent.begin(tool, &args);
        let answer = agent.answer(call)["result"]["structuredContent"].clone();
        assert!(says_so(&answer) && began.elapsed() < SOON, "{tool} {args}: {answer}");
        fs::remove_file(filler).unwrap();
        deck.wait_until("all goes on", SOON, || {
            let listed = deck.json(&["ls", "--json"]).to_string();
            (!listed.contains("\"stalled\":true") && !listed.contains("\"cat\"")).then_some(())
        });
    }
}

#[test]
fn a_command_that_fills_the_disk_is_not_waited_for() {
    let Some(small) = deck_on("4m") else { return };
    let Small { deck, disk, .. } = &small;
    deck.settings("[tabs]\nbackend = \"pty\"\n");
    let mut agent = Agent::with(deck, "codex", &["--tools", "all"]);
    let id = agent.ok("flightdeck.terminal.new", &json!({}))["data"]["id"].as_str().unwrap().to_owned();
    deck.at_prompt(&id);
    let tab = tab_call(&mut agent, "create_tab", &json!({ "name": "t" }))["window_id"].clone();
    tab_call(&mut agent, "execute_command", &json!({ "window_id": tab, "command": "true" }));
    // Three at once: on a full disk none can be begun.
    let line = |name: &str| format!("touch {name}; {WHEN_TOLD}; seq 2000000");
    let calls = [
        agent.begin("flightdeck.terminal.run", &json!({ "command": line("one"), "timeoutMs": 300_000 })),
        agent.begin("flightdeck.terminal.run", &json!({ "id": id, "command": line("two"), "timeoutMs": 300_000 })),
        agent.begin("execute_command", &json!({ "window_id": tab, "command": line("three"), "timeout_ms": 300_000 })),
    ];
    deck.wait_until("all three have begun", SOON, || {
        ["one", "two", "three"].iter().all(|name| deck.workspace().join(name).exists()).then_some(())
    });
    fs::write(deck.workspace().join("go"), "").unwrap();
    for (call, place) in calls.into_iter().zip(["/data/stalled", "/data/stalled", "/stalled"]) {
        let answer = agent.answer(call)["result"]["structuredContent"].clone();
        assert_eq!(answer.pointer(place), Some(&json!(true)), "{place}: {answer}");
        assert!(says_so(&answer), "{answer}");
    }
    disk.grow("128m");
    deck.wait_until("they go on", SOON, || {
        (!deck.info(&id).stalled && deck.screen(&id).text.contains("2000000")).then_some(())
    });
}
