//! What a command in a terminal of its own tells of its end, as one in a shell does.

use flightdeck_e2e::{Agent, Deck, SOON};
use serde_json::{Value, json};

const RUN: &str = "flightdeck.terminal.run";

fn ran(agent: &mut Agent, args: &Value) -> Value {
    agent.ok(RUN, args)
}

/// A hub whose user has this shell, and an agent.
fn with_shell(shell: &str) -> (Deck, Agent) {
    let deck = Deck::new();
    deck.invoke(&["restart"]).env("SHELL", &format!("/usr/bin/{shell}")).run().expect(0);
    let agent = Agent::new(&deck, "codex");
    (deck, agent)
}

#[test]
fn each_stage_is_told_with_and_without_a_shell() {
    for shell in ["bash", "zsh"] {
        let (deck, mut agent) = with_shell(shell);
        let id = deck.shell(shell);
        let command = "false | true | grep -q x";
        for args in [json!({ "command": command }), json!({ "command": command, "id": id })] {
            let data = ran(&mut agent, &args)["data"].clone();
            assert_eq!((&data["stages"], &data["exitCode"]), (&json!([1, 0, 1]), &json!(1)), "{shell} {args}: {data}");
        }
        let data = ran(&mut agent, &json!({ "command": "echo \"[${BASH_ENV-}${ZDOTDIR-}]\" | cat" }));
        assert_eq!(data["output"], "[]\n", "{shell}: the command sees nothing of it: {data}");
    }
}

#[test]
fn what_was_in_the_background_is_told_when_it_ends_with_its_terminal() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "codex");
    // Before it is the program, it is a shell, which may leave a signal to nobody.
    let command = "sleep 1234 & until grep -q sleep /proc/$!/comm; do :; done; echo $!";
    let answer = ran(&mut agent, &json!({ "command": command }));
    let pid: u64 = answer["output"].as_str().unwrap().trim().parse().unwrap();
    let background = json!([{ "pid": pid, "command": "sleep 1234", "running": false }]);
    assert_eq!(answer["data"]["background"], background, "{answer}");
    assert!(answer["hint"].as_str().unwrap().contains("flightdeck.terminal.new"), "{answer}");
    // One that asks to be left alone is, and is told as such. It does so before it becomes the program.
    let nohup = "nohup sleep 1235 >/dev/null 2>&1 & until grep -q sleep /proc/$!/comm; do :; done; echo";
    let answer = ran(&mut agent, &json!({ "command": nohup }));
    assert_eq!(answer["data"]["background"][0]["running"], true, "{answer}");
    assert!(answer["hint"].as_str().unwrap().contains("flightdeck.terminal.kill with id"), "{answer}");
    // Its terminal is kept among many others for as long as it runs, so that it can be ended.
    for _ in 0..70 {
        ran(&mut agent, &json!({ "command": "true" }));
    }
    let kept = || (deck.json(&["ls", "--all", "--json"]).as_array().unwrap().len() < 65).then_some(());
    deck.wait_until("old ones are let go", SOON, kept);
    agent.ok("flightdeck.terminal.kill", &json!({ "id": answer["data"]["id"] }));
    let gone = || (!deck.processes().iter().any(|process| process.command.contains("sleep 123"))).then_some(());
    deck.wait_until("nothing is left", SOON, gone);
    // In a shell they go on.
    let id = deck.shell("bash");
    let answer = ran(&mut agent, &json!({ "id": id, "command": "sleep 1236 & echo" }));
    assert!(answer["data"].get("background").is_none(), "{answer}");
    let goes_on = || deck.processes().iter().any(|process| process.command.contains("sleep 1236")).then_some(());
    deck.wait_until("it has begun and goes on", SOON, goes_on);
}

#[test]
fn what_the_shell_does_not_know_of_is_told_too() {
    for shell in ["bash", "zsh"] {
        let (_deck, mut agent) = with_shell(shell);
        let started = "until pgrep -x -s 0 sleep >/dev/null; do :; done";
        for command in ["(sleep 1237 &)", "sleep 1237 & disown"] {
            let answer = ran(&mut agent, &json!({ "command": format!("{command}; {started}; echo done") }));
            let background = answer["data"]["background"].as_array().cloned().unwrap_or_default();
            let told: Vec<_> = background.iter().map(|it| (&it["command"], &it["running"])).collect();
            assert_eq!(told, [(&json!("sleep"), &json!(false))], "{shell} {command}: {answer}");
            assert!(answer["hint"].as_str().unwrap().contains("flightdeck.terminal.new"), "{shell}: {answer}");
        }
    }
}

#[test]
fn only_what_the_kernel_tells_is_a_signal() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "codex");
    let shells = ["bash", "zsh", "fish", "dash"].map(|shell| deck.shell(shell));
    // A shell gives the same code for both.
    for command in ["sh -c 'kill -SEGV $$'", "sh -c 'exit 139'"] {
        for id in &shells {
            let data = ran(&mut agent, &json!({ "command": command, "id": id }))["data"].clone();
            assert_eq!((data.get("signal"), &data["exitCode"]), (None, &json!(139)), "{id} {command}: {data}");
        }
    }
    for (command, signal) in
        [("exit 139", None), ("kill -SEGV $$", Some("SIGSEGV")), ("sh -c 'exit 139'; exit $?", None)]
    {
        let data = ran(&mut agent, &json!({ "command": command }))["data"].clone();
        let told = (data.get("signal").and_then(|signal| signal.as_str()), &data["exitCode"]);
        assert_eq!(told, (signal, &json!(139)), "{command}: {data}");
    }
}

/// Agents write for a Bourne shell, whatever shell their user has.
#[test]
fn agents_of_a_user_with_fish_get_bash() {
    let (deck, mut agent) = with_shell("fish");
    let bourne = "for i in 1 2; do echo \"$i\"; done; x=3; echo $x";
    assert_eq!(ran(&mut agent, &json!({ "command": bourne }))["output"], "1\n2\n3\n");
    let id = agent.ok("flightdeck.terminal.new", &json!({}))["data"]["id"].clone();
    assert_eq!(ran(&mut agent, &json!({ "id": id, "command": bourne }))["output"], "1\n2\n3\n");
    let decided = agent.ok("flightdeck.policy.test", &json!({ "command": bourne }));
    assert_eq!(decided["data"]["decision"], "allowed", "{decided}");
    // What is said of a shell of its own syntax names it, and the way out.
    let fish = agent.ok("flightdeck.terminal.new", &json!({ "shell": "fish" }))["data"]["id"].clone();
    for (command, code) in [(bourne, "syntax_error"), ("set x (ls)", "approval_unavailable")] {
        let refused = agent.call(RUN, &json!({ "id": fish, "command": command }));
        assert_eq!(refused["code"], code, "{refused}");
        let said = format!("{} {}", refused["error"], refused["hint"]);
        assert!(said.contains("fish") && said.contains("bash -c"), "{refused}");
    }
    let way_out = ran(&mut agent, &json!({ "id": fish, "command": format!("bash -c '{bourne}'") }));
    assert_eq!(way_out["output"], "1\n2\n3\n", "{way_out}");
    // A person has the shell that is theirs.
    let id = deck.invoke(&["new"]).env("SHELL", "/usr/bin/fish").run().expect(0).text().trim().to_owned();
    assert_eq!(deck.cli(&["run", "--in", &id, "--", "for i in 1 2; echo $i; end"]).expect(0).text(), "1\n2\n");
}
