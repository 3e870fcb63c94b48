//! A host that can't be used: each way has its code, says what was tried, and runs nothing.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::time::{Duration, Instant};

use flightdeck_e2e::{Agent, Deck, Direction, Network, Side};
use serde_json::{Value, json};

use super::{PORT, Pair, TOKEN_FILE, TOOL, execute, failed, other_letter};

/// What is told of the last try.
fn outcome(answer: &Value) -> &str {
    let attempts = answer["error"]["details"]["attempts"].as_array().unwrap_or_else(|| panic!("no attempts: {answer}"));
    attempts.last().unwrap()["outcome"].as_str().unwrap()
}

#[track_caller]
fn nothing_ran(pair: &Pair) {
    assert!(!pair.host.workspace().join("made").exists() && !pair.container.workspace().join("made").exists());
}

#[test]
fn no_route_no_listener_and_a_foreign_listener() {
    let pair = Pair::new();
    let _person = pair.person();
    let mut agent = pair.agent("codex");
    // The cable is pulled: nobody answers, and the time is bounded.
    pair.network.pull();
    pair.start_container(&[]);
    let before = Instant::now();
    let answer = agent.call(TOOL, &execute("touch made"));
    failed(&answer, "PM_TERM_GUI_UNAVAILABLE");
    assert!(before.elapsed() < Duration::from_secs(15));
    let attempts = answer["error"]["details"]["attempts"].as_array().unwrap();
    let hosts: Vec<_> = attempts.iter().map(|attempt| attempt["host"].as_str().unwrap()).collect();
    assert_eq!(hosts, [Network::HOST, "host.containers.internal", "host.docker.internal"], "{answer}");
    assert!(attempts.iter().all(|attempt| attempt["port"] == 45459), "{answer}");
    assert!(["unreachable", "connect_timed_out"].contains(&attempts[0]["outcome"].as_str().unwrap()), "{answer}");
    assert!(answer["error"]["details"]["next_action"].as_str().unwrap().contains("--bridge"), "{answer}");
    pair.network.plug();
    // Nobody listens at this port.
    pair.start_container(&[(PORT, "45460")]);
    let answer = agent.call(TOOL, &execute("touch made"));
    failed(&answer, "PM_TERM_GUI_UNAVAILABLE");
    assert_eq!(answer["error"]["details"]["attempts"][0]["outcome"], "refused", "{answer}");
    // A proven command runs headless in the container instead, if its caller wants that.
    let mut request = execute("echo hi");
    request["runtime"] = json!({ "allow_headless_fallback": true });
    let answer = agent.call(TOOL, &request);
    assert_eq!(
        (&answer["resolved"]["mode"], &answer["result"]["stdout"]),
        (&json!("headless"), &json!("hi\n")),
        "{answer}"
    );
    nothing_ran(&pair);
}

#[test]
fn a_listener_that_is_no_bridge() {
    let pair = Pair::new();
    // What it says, and what comes of it.
    let rows: [(&'static [u8], &str, &str); 4] = [
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "PM_TERM_DISCONNECTED", "not_a_bridge"),
        (&[b'x'; 9000], "PM_TERM_DISCONNECTED", "not_a_bridge"),
        (b"{\"type\":\"welcome\",\"proof\":\"\"}\n", "PM_TERM_DISCONNECTED", "not_a_bridge"),
        (b"", "PM_TERM_TIMEOUT", "handshake_timed_out"),
    ];
    for (number, (says, code, told)) in rows.into_iter().enumerate() {
        let port = 46000 + number;
        pair.network.inside(Side::Host, move || {
            let listener = TcpListener::bind((Network::HOST, port as u16)).unwrap();
            std::thread::spawn(move || {
                for mut stream in listener.incoming().flatten() {
                    let _ = stream.write_all(says);
                    let _ = stream.read_to_end(&mut Vec::new());
                }
            });
        });
        pair.start_container(&[(PORT, &port.to_string())]);
        let answer = Agent::new(&pair.container, "codex").call(TOOL, &execute("touch made"));
        failed(&answer, code);
        assert_eq!(outcome(&answer), told, "{answer}");
        assert_eq!(answer["error"]["details"]["started"], false, "{answer}");
    }
    nothing_ran(&pair);
}

#[test]
fn another_token_and_another_version() {
    let (pair, tap) = Pair::tapped();
    let _person = pair.person();
    let mut agent = pair.agent("codex");
    tap.meddle(|direction, line| {
        let text = String::from_utf8_lossy(line);
        let old = text.replace("\"bridge\":\"flightdeck\",\"version\":2", "\"bridge\":\"flightdeck\",\"version\":1");
        vec![if direction == Direction::ToHost { old.into_bytes() } else { line.to_owned() }]
    });
    let answer = agent.call(TOOL, &execute("touch made"));
    failed(&answer, "PM_TERM_DISCONNECTED");
    assert_eq!(outcome(&answer), "version_mismatch", "{answer}");
    assert_eq!(answer["fallback"]["next_action"], "execute", "{answer}");
    // An older host.
    tap.meddle(|_, line| {
        vec![
            String::from_utf8_lossy(line)
                .replace("\"type\":\"answer\",\"version\":2", "\"type\":\"answer\",\"version\":9")
                .into_bytes(),
        ]
    });
    assert_eq!(outcome(&agent.call(TOOL, &execute("touch made"))), "version_mismatch");
    // A host of version 1, which encrypts nothing, says so; and nobody is taken up on speaking that version.
    for (old, told) in [
        (r#"{"type":"refused","why":"version","words":"the host speaks version 1"}"#, "version_mismatch"),
        (r#"{"type":"challenge","version":1,"nonce":"","capabilities":[],"heartbeat_ms":1000}"#, "not_a_bridge"),
    ] {
        tap.meddle(move |direction, line| {
            vec![if direction == Direction::ToContainer { format!("{old}\n").into_bytes() } else { line.to_owned() }]
        });
        assert_eq!(outcome(&agent.call(TOOL, &execute("touch made"))), told);
    }
    // Whoever changes a greeting on its way is found out, whichever it is.
    for meddled in [Direction::ToHost, Direction::ToContainer] {
        tap.meddle(move |direction, line| {
            vec![if direction == meddled { other_letter(line) } else { line.to_owned() }]
        });
        assert_eq!(outcome(&agent.call(TOOL, &execute("touch made"))), "wrong_token");
    }
    tap.pass();
    // The token itself never went by.
    let token = fs::read_to_string(pair.token_file()).unwrap();
    assert!(token.trim().len() == 64 && tap.seen().len() > 6);
    // And nobody can read who comes from where.
    assert!(tap.seen().iter().all(|(_, line)| !line.contains("container\"") && !line.contains("capabilities")));
    assert!(tap.seen().iter().all(|(_, line)| !line.contains(token.trim())));
    // Another one is refused; then a file that is not there, one that is too short, and no port.
    let other = pair.container.home().join("token");
    fs::write(&other, "0123456789abcdef0123456789abcdef\n").unwrap();
    let (port, other) = (tap.port.to_string(), other.to_string_lossy().into_owned());
    let host = ("PM_INTERACTIVE_TERMINAL_HOST_ALIAS", "127.0.0.1");
    pair.start_container(&[host, (PORT, &port), (TOKEN_FILE, &other)]);
    let answer = agent.call(TOOL, &execute("touch made"));
    failed(&answer, "PM_TERM_DISCONNECTED");
    assert_eq!(outcome(&answer), "wrong_token", "{answer}");
    for (variable, value) in [(TOKEN_FILE, "/none"), (TOKEN_FILE, "/dev/null"), (PORT, "x")] {
        pair.start_container(&[host, (PORT, &port), (variable, value)]);
        let answer = agent.call(TOOL, &execute("touch made"));
        failed(&answer, "PM_TERM_INVALID_MODE");
        assert!(answer["error"]["details"]["missing"].is_array(), "{answer}");
    }
    nothing_ran(&pair);
}

#[test]
fn a_port_that_another_hub_has_keeps_no_hub_from_its_work() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let deck = Deck::new();
    deck.settings(&format!("[bridge]\nenabled = true\nport = {port}\n"));
    let status = {
        deck.start();
        deck.status()
    };
    assert!(status.get("bridge").is_none(), "{status}");
    let problem = status["settingsProblem"].as_str().unwrap();
    assert!(problem.contains("containers are not served") && problem.contains(&port.to_string()), "{status}");
    deck.cli(&["run", "true"]).expect(0);
    // Who asks for it in so many words is told at once.
    deck.cli(&["stop", "--all"]).expect(0);
    let refused = deck.cli(&["serve", "--bridge"]).expect(1).errors();
    assert!(refused.contains("bridge.port"), "{refused}");
    // An address for documents, which no machine has.
    let refused = deck.cli(&["serve", "--bridge=203.0.113.7"]).expect(1).errors();
    assert!(refused.contains("no network of this machine has that address"), "{refused}");
}

#[test]
fn nobody_is_there_on_the_host() {
    let pair = Pair::new();
    let mut agent = pair.agent("codex");
    let answer = agent.call(TOOL, &execute("touch made"));
    failed(&answer, "PM_TERM_GUI_UNAVAILABLE");
    nothing_ran(&pair);
    // The same request asks again when somebody is: nothing was done that would have to be remembered.
    let mut person = pair.person();
    let asked = agent.begin(TOOL, &execute("echo now"));
    let _ = &mut person;
    super::printed(&agent.result(asked), "now\n", 0);
}
