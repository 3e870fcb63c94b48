//! Tabs in a session of the user's own tmux: windows beside the user's, which agents may use and never change. In the
//! end the user's server is as it was.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use flightdeck_e2e::{Agent, Deck, SOON, processes};
use rustix::process::Signal;
use serde_json::json;

use super::{Backend, call, in_log, listed, ok, refused, run, tab};

/// The user's own tmux, with a session `mine`. Dropping it ends the server.
pub(super) struct User {
    pub folder: PathBuf,
}

impl User {
    pub fn of(deck: &Deck) -> Self {
        let user = User { folder: deck.home().join("t") };
        fs::create_dir(&user.folder).unwrap();
        let mut begin = user.command();
        begin.args(["-f", "/dev/null", "new-session", "-d", "-s", "mine", "-n", "work", "-x", "100", "-y", "30"]);
        // The user works where the hub does, and so does what an agent runs there.
        assert!(begin.current_dir(deck.workspace()).status().unwrap().success());
        user
    }

    pub fn command(&self) -> Command {
        let mut command = Command::new("tmux");
        command.env_clear().env("PATH", "/usr/bin:/bin").env("HOME", &self.folder).env("SHELL", "/bin/bash");
        command.env("TMUX_TMPDIR", &self.folder).env("LANG", "C.UTF-8");
        command
    }

    #[track_caller]
    pub fn tmux(&self, args: &[&str]) -> String {
        let output = self.command().args(args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// The server's process.
    pub fn server(&self) -> u32 {
        self.tmux(&["display-message", "-p", "#{pid}"]).trim().parse().unwrap()
    }

    pub fn socket(&self) -> PathBuf {
        self.folder.join(format!("tmux-{}/default", rustix::process::getuid().as_raw()))
    }

    /// All that can be seen of the server from outside.
    pub fn state(&self) -> Vec<String> {
        let panes = "#{session_name} #{window_id} #{window_index} #{window_name} #{window_active} #{window_layout} \
                     #{pane_id} #{pane_pid} #{pane_tty} #{pane_pipe} #{pane_active} #{pane_in_mode} #{pane_dead} \
                     #{pane_width}x#{pane_height} #{window_width}x#{window_height} #{history_limit}";
        let mut seen = vec![
            self.tmux(&["list-sessions", "-F", "#{session_id} #{session_name} #{session_attached} #{session_windows}"]),
            self.tmux(&["list-panes", "-a", "-F", panes]),
            self.tmux(&["list-clients"]),
            self.tmux(&["list-buffers"]),
            self.tmux(&["show-environment", "-g"]),
            self.tmux(&["show-environment", "-t", "mine"]),
            self.tmux(&["show-hooks", "-g"]),
            self.tmux(&["show-hooks", "-t", "mine"]),
            self.tmux(&["list-keys"]),
        ];
        seen.extend(
            [["-s", "-g"], ["-g", "-w"], ["-g", "-H"]].map(|scope| self.tmux(&["show-options", scope[0], scope[1]])),
        );
        seen.push(self.tmux(&["show-options", "-t", "mine"]));
        for window in self.tmux(&["list-windows", "-a", "-F", "#{window_id}"]).lines() {
            seen.push(self.tmux(&["show-options", "-w", "-t", window]));
            seen.push(self.tmux(&["show-options", "-p", "-t", window]));
        }
        seen
    }

    pub fn windows(&self) -> Vec<String> {
        self.tmux(&["list-windows", "-t", "mine", "-F", "#{window_id} #{window_name}"])
            .lines()
            .map(str::to_owned)
            .collect()
    }

    pub fn is_piped(&self, window: &str) -> bool {
        self.tmux(&["display-message", "-p", "-t", window, "#{pane_pipe}"]) == "1\n"
    }

    /// Waits until the shell of a window has come to its prompt.
    pub fn at_prompt(&self, deck: &Deck, window: &str) {
        deck.wait_until("a prompt", SOON, || {
            self.tmux(&["capture-pane", "-p", "-t", window]).contains(['$', '#']).then_some(())
        });
    }
}

impl Drop for User {
    fn drop(&mut self) {
        // One that a test has killed is gone already.
        let _ = self.command().arg("kill-server").output();
    }
}

/// A deck whose tabs are windows of the user's session.
pub(super) fn attached() -> (Deck, User) {
    let deck = Backend::Tmux.deck();
    let user = User::of(&deck);
    attach(&deck, &user, "");
    user.at_prompt(&deck, "@0");
    (deck, user)
}

pub(super) fn attach(deck: &Deck, user: &User, more: &str) {
    let socket = user.socket();
    deck.settings(&format!("[tabs]\ntmux_attach = \"mine\"\ntmux_socket = \"{}\"\n{more}", socket.display()));
}

/// The terminal of a window of the user's, by its name.
pub(super) fn terminal_of(deck: &Deck, name: &str) -> String {
    let listed = deck.socket().call("flightdeck.terminal.list", json!({})).unwrap();
    let found = listed["terminals"].as_array().unwrap().iter().find(|terminal| terminal["title"] == name);
    found.unwrap_or_else(|| panic!("{listed}"))["id"].as_str().unwrap().to_owned()
}

/// The user lets agents use this window.
#[track_caller]
pub(super) fn hand_over(deck: &Deck, name: &str) {
    deck.cli(&["lease", &terminal_of(deck, name), "release"]).expect(0);
}

#[test]
fn tabs_are_windows_beside_the_users_and_nothing_is_left_of_them() {
    let (deck, user) = attached();
    user.tmux(&["set-option", "-g", "remain-on-exit", "on"]);
    user.tmux(&["new-session", "-d", "-s", "minefield", "-n", "elsewhere"]);
    let before = user.state();
    let mut agent = Agent::new(&deck, "codex");
    let id = tab(&mut agent, "web #(touch ran);");
    assert_eq!(user.windows(), ["@0 work".to_owned(), format!("{id} web #(touch ran);")]);
    assert_eq!(run(&mut agent, &id, "echo hi; echo ${TMUX-none}; false"), ("hi\nnone\n".to_owned(), 1));
    // The user looks at the same window as before, through no client more.
    assert_eq!(user.tmux(&["display-message", "-p", "-t", "mine:", "#{window_id}"]), "@0\n");
    assert_eq!(user.tmux(&["list-clients"]), "");
    let (tabs, active) = listed(&mut agent);
    assert_eq!(tabs, [(id.clone(), "web #(touch ran);".to_owned()), ("@0".to_owned(), "work".to_owned())]);
    assert_eq!(active, Some(id.clone()));
    let status = deck.status();
    assert!(status["tabs"]["why"].as_str().unwrap().contains("\"mine\""), "{status}");
    // One that is closed goes, whatever the user has set for all windows.
    let brief = tab(&mut agent, "brief");
    ok(&mut agent, "close_tab", &json!({ "window_id": brief }));
    deck.wait_until("the window is gone", SOON, || (user.windows().len() == 2).then_some(()));
    drop(agent);
    deck.cli(&["stop"]).expect(0);
    assert_eq!(user.windows().len(), 2);
    let mut agent = Agent::new(&deck, "codex");
    assert_eq!(run(&mut agent, &id, "echo again").0, "again\n");
    hand_over(&deck, "work");
    assert_eq!(run(&mut agent, "@0", "echo here too").0, "here too\n");
    drop(agent);
    deck.cli(&["stop", "--all"]).expect(0);
    assert_eq!(user.state(), before);
}

#[test]
fn windows_of_the_user_are_read_and_used_and_never_changed() {
    let (deck, user) = attached();
    let before = user.state();
    let mut agent = Agent::new(&deck, "codex");
    assert_eq!(listed(&mut agent).0, [("@0".to_owned(), "work".to_owned())]);
    user.tmux(&["send-keys", "-t", "@0", "echo typed by the user", "Enter"]);
    in_log(&deck, &mut agent, "@0", "\ntyped by the user\n");
    hand_over(&deck, "work");
    assert_eq!(run(&mut agent, "@0", "cd /tmp; X=carried; echo out; false"), ("out\n".to_owned(), 1));
    assert_eq!(run(&mut agent, "@0", "echo $X $PWD"), ("carried /tmp\n".to_owned(), 0));
    let chunk = ok(&mut agent, "stream_logs_from_tab", &json!({ "window_id": "@0", "from_byte": 0 }));
    assert!(chunk["chunk"].as_str().unwrap().contains("carried /tmp"), "{chunk}");
    ok(&mut agent, "start_process", &json!({ "window_id": "@0", "command": "echo begun; sleep 1000" }));
    in_log(&deck, &mut agent, "@0", "\nbegun\n");
    refused(&mut agent, "execute_command", &json!({ "window_id": "@0", "command": "true" }), "terminal_busy");
    for signal in ["SIGTERM", "SIGINT"] {
        let stopped = ok(&mut agent, "stop_process", &json!({ "window_id": "@0", "signal": signal }));
        assert_eq!(stopped["success"], true, "{stopped}");
    }
    deck.wait_until("it can be used again", SOON, || {
        let ran = call(&mut agent, "execute_command", &json!({ "window_id": "@0", "command": "echo on" }));
        (!ran.is_error).then_some(())
    });
    let error = refused(&mut agent, "close_tab", &json!({ "window_id": "@0" }), "not_allowed");
    assert!(error["error"].as_str().unwrap().contains("@0"), "{error}");
    for args in [&["kill", "t1"][..], &["resize", "t1", "50x132"], &["signal", "t1", "HUP"]] {
        let refused = deck.cli(args);
        assert!(!refused.errors().is_empty(), "{args:?}");
    }
    deck.cli(&["restart"]).expect(0);
    assert_eq!(run(&mut agent, "@0", "echo $X after"), ("carried after\n".to_owned(), 0));
    drop(agent);
    deck.kill_hub();
    let mut agent = Agent::new(&deck, "codex");
    assert_eq!(run(&mut agent, "@0", "echo $X again").0, "carried again\n");
    drop(agent);
    deck.cli(&["stop", "--all"]).expect(0);
    assert_eq!(user.state(), before);
    // It is met anew, under the same number, and is the user's again.
    let mut agent = Agent::new(&deck, "codex");
    assert_eq!(listed(&mut agent).0.len(), 1);
    refused(&mut agent, "execute_command", &json!({ "window_id": "@0", "command": "true" }), "lease_held");
    hand_over(&deck, "work");
    assert_eq!(run(&mut agent, "@0", "echo $X once more").0, "carried once more\n");
}

#[test]
fn windows_come_go_and_are_renamed_by_the_user() {
    let (deck, user) = attached();
    let mut agent = Agent::new(&deck, "codex");
    assert_eq!(listed(&mut agent).0.len(), 1);
    user.tmux(&["new-window", "-d", "-t", "mine:", "-n", "later"]);
    user.tmux(&["split-window", "-d", "-t", "@1"]);
    user.tmux(&["rename-window", "-t", "@0", "renamed"]);
    let both = [("@0".to_owned(), "renamed".to_owned()), ("@1".to_owned(), "later".to_owned())];
    assert_eq!(listed(&mut agent).0, both);
    user.at_prompt(&deck, "@1");
    hand_over(&deck, "later");
    assert_eq!(run(&mut agent, "@1", "echo before").0, "before\n");
    user.tmux(&["kill-window", "-t", "@1"]);
    deck.wait_until("it has ended", SOON, || (listed(&mut agent).0.len() == 1).then_some(()));
    refused(&mut agent, "execute_command", &json!({ "window_id": "@1", "command": "true" }), "terminal_ended");
    in_log(&deck, &mut agent, "@1", "before\n");
}

#[test]
fn a_pipe_of_the_user_is_not_taken_away() {
    let (deck, user) = attached();
    let copy = user.folder.join("copy");
    user.tmux(&["pipe-pane", "-O", "-t", "@0", &format!("exec cat > {}", copy.display())]);
    let before = user.state();
    let mut agent = Agent::new(&deck, "codex");
    assert_eq!(listed(&mut agent).0.len(), 1);
    hand_over(&deck, "work");
    for (tool, args) in [
        ("read_logs_from_tab", json!({ "window_id": "@0" })),
        ("stream_logs_from_tab", json!({ "window_id": "@0" })),
        ("execute_command", json!({ "window_id": "@0", "command": "touch ran" })),
    ] {
        let error = refused(&mut agent, tool, &args, "tmux_failed");
        assert!(error["hint"].as_str().unwrap().contains("pipe-pane -t @0"), "{error}");
    }
    user.tmux(&["send-keys", "-t", "@0", "echo for the user", "Enter"]);
    deck.wait_until("the user's pipe has it", SOON, || {
        // Typed, and printed.
        (fs::read_to_string(&copy).unwrap().matches("for the user").count() > 1).then_some(())
    });
    drop(agent);
    deck.cli(&["stop", "--all"]).expect(0);
    assert_eq!(user.state(), before);
    let mut agent = Agent::new(&deck, "codex");
    assert_eq!(listed(&mut agent).0.len(), 1);
    user.tmux(&["pipe-pane", "-t", "@0"]);
    deck.wait_until("it is heard", SOON, || {
        listed(&mut agent);
        user.is_piped("@0").then_some(())
    });
    hand_over(&deck, "work");
    assert_eq!(run(&mut agent, "@0", "echo heard").0, "heard\n");
}

#[test]
fn programs_that_read_get_no_commands_and_windows_of_the_user_cost_no_quota() {
    let (deck, user) = attached();
    attach(&deck, &user, "per_agent = 1\n");
    user.tmux(&["new-window", "-d", "-t", "mine:", "-n", "reads", "exec cat"]);
    let mut agent = Agent::new(&deck, "codex");
    assert_eq!(listed(&mut agent).0.len(), 2);
    hand_over(&deck, "reads");
    refused(&mut agent, "execute_command", &json!({ "window_id": "@1", "command": "true" }), "terminal_busy");
    let id = tab(&mut agent, "one");
    refused(&mut agent, "create_tab", &json!({}), "resource_limit");
    assert_eq!(run(&mut agent, &id, "echo hi").0, "hi\n");
}

#[test]
fn a_session_or_server_that_is_not_there_is_told() {
    let deck = Backend::Tmux.deck();
    let user = User::of(&deck);
    attach(&deck, &user, "");
    user.tmux(&["rename-session", "-t", "mine", "miner"]);
    let mut agent = Agent::new(&deck, "codex");
    let missing = |agent: &mut Agent, words: &str| {
        for tool in ["create_tab", "list_tabs"] {
            let error = refused(agent, tool, &json!({}), "tmux_failed");
            assert!(error["error"].as_str().unwrap().contains(words), "{error}");
            assert!(error["hint"].as_str().unwrap().contains("new-session -d -s mine"), "{error}");
        }
    };
    missing(&mut agent, "has no session \"mine\"; its sessions are \"miner\"");
    assert_eq!(user.tmux(&["list-windows", "-a", "-F", "#{window_id}"]), "@0\n");
    user.tmux(&["rename-session", "-t", "miner", "mine"]);
    user.at_prompt(&deck, "@0");
    let id = tab(&mut agent, "t");
    assert_eq!(listed(&mut agent).0.len(), 2);
    run(&mut agent, &id, "echo before");
    let server = user.tmux(&["display-message", "-p", "#{pid}"]).trim().parse().unwrap();
    processes::signal(server, Signal::KILL);
    for window in [id.as_str(), "@0"] {
        deck.wait_until("it has ended", SOON, || {
            let ran = call(&mut agent, "execute_command", &json!({ "window_id": window, "command": "true" }));
            (ran.object["code"] == "terminal_ended").then_some(())
        });
    }
    in_log(&deck, &mut agent, &id, "before\n");
    missing(&mut agent, "no tmux server listens on");
    // No server was started instead.
    assert!(!user.command().arg("list-sessions").output().unwrap().status.success());
}

#[test]
fn the_session_is_named_on_the_command_line_and_its_server_found_as_tmux_does() {
    let deck = Backend::Tmux.deck();
    let user = User::of(&deck);
    let inside = format!("{},1,0", user.socket().display());
    for (name, value) in [("TMUX_TMPDIR", user.folder.to_str().unwrap()), ("TMUX", inside.as_str())] {
        let serve = deck.invoke(&["serve", "--tmux-attach", "mine"]).env(name, value).start();
        deck.wait_until("the hub serves", SOON, || (deck.cli(&["status"]).code == 0).then_some(()));
        let mut agent = Agent::new(&deck, "codex");
        assert_eq!(listed(&mut agent).0, [("@0".to_owned(), "work".to_owned())], "{name}");
        let id = tab(&mut agent, "t");
        assert_eq!(run(&mut agent, &id, "echo hi").0, "hi\n", "{name}");
        drop(agent);
        deck.cli(&["stop", "--all"]).expect(0);
        serve.finish();
        assert_eq!(user.windows(), ["@0 work"], "{name}");
    }
    let refused = deck.cli(&["serve", "--tmux-attach", "mine", "--tabs-backend", "pty"]);
    assert!(refused.errors().contains("tabs.tmux_attach needs tmux"), "{}", refused.errors());
}
