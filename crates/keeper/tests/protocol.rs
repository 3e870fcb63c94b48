//! Clients that don't behave: garbage, other versions, unknown requests, and one that never reads.

mod support;

use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;

use flightdeck_keeper::PROTOCOL;
use serde_json::{Value, json};
use support::{DEADLINE, Keeper, session, wait_for};

/// A client that can say anything.
struct Raw(UnixStream);

impl Raw {
    fn connect(keeper: &Keeper) -> Self {
        let stream = UnixStream::connect(&keeper.socket).expect("connects");
        stream.set_read_timeout(Some(DEADLINE)).expect("sets");
        Self(stream)
    }

    fn greeted(keeper: &Keeper) -> Self {
        let mut raw = Self::connect(keeper);
        raw.say(&json!({"seq": 0, "kind": "hello", "body": {"min_protocol": 1, "max_protocol": 1, "build": "t"}}));
        let welcome = raw.hear().expect("a welcome");
        assert_eq!(welcome["ok"]["protocol"], PROTOCOL, "{welcome}");
        raw
    }

    fn say(&mut self, message: &Value) {
        let body = message.to_string();
        self.send(&[&(body.len() as u32).to_le_bytes(), body.as_bytes()].concat());
    }

    fn send(&mut self, bytes: &[u8]) {
        self.0.write_all(bytes).expect("sends");
    }

    /// `None`: the keeper closed the connection.
    fn hear(&mut self) -> Option<Value> {
        let mut len = [0; 4];
        self.0.read_exact(&mut len).ok()?;
        let mut body = vec![0; u32::from_le_bytes(len) as usize];
        self.0.read_exact(&mut body).expect("a whole frame");
        Some(serde_json::from_slice(&body).expect("JSON"))
    }
}

#[test]
fn garbage_ends_only_its_own_connection() {
    let keeper = Keeper::start();
    let client = keeper.client();
    client.spawn(&keeper.pty("bystander", "cat"));
    let frame = |body: &[u8]| [&(body.len() as u32).to_le_bytes(), body].concat();
    let cases: [(&str, Vec<u8>); 9] = [
        ("an HTTP request", b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".to_vec()),
        ("all ones", vec![0xff; 100]),
        ("a frame over the limit", ((16u32 << 20) + 1).to_le_bytes().to_vec()),
        ("an empty frame", frame(b"")),
        ("not JSON", frame(b"{\"seq\": 1,")),
        ("no envelope", frame(b"[1, 2, 3]")),
        ("a negative seq", frame(br#"{"seq": -1, "kind": "list"}"#)),
        ("not UTF-8", frame(&[b'"', 0xff, b'"'])),
        ("deep nesting", frame("[".repeat(100_000).as_bytes())),
    ];
    for (what, bytes) in cases {
        for greeted in [false, true] {
            let mut raw = if greeted { Raw::greeted(&keeper) } else { Raw::connect(&keeper) };
            raw.send(&bytes);
            assert_eq!(raw.hear(), None, "{what}");
        }
    }
    // Half a frame and a hang-up; and a connection that says nothing.
    Raw::greeted(&keeper).send(&[100, 0, 0, 0, b'{']);
    let _silent = Raw::connect(&keeper);
    assert!(client.info("bystander").is_some_and(|info| info.exit.is_none()));
    assert!(keeper.is_alive());
}

#[test]
fn what_a_request_lacks_is_answered_and_the_connection_goes_on() {
    let keeper = Keeper::start();
    let mut raw = Raw::greeted(&keeper);
    let cases = [
        (json!({"seq": 1, "kind": "dance"}), "unsupported", "dance"),
        (json!({"seq": 2, "kind": "dance", "body": {"a": [1, 2]}}), "unsupported", "older than the hub"),
        (
            json!({"seq": 3, "kind": "resize", "body": {"id": "x", "size": {"rows": 0, "cols": 80}}}),
            "invalid",
            "1 to 2000",
        ),
        (
            json!({"seq": 4, "kind": "resize", "body": {"id": "x", "size": {"rows": 24, "cols": 80}}}),
            "unknown_session",
            "x",
        ),
        (json!({"seq": 5, "kind": "attach", "body": {"id": "../x"}}), "invalid", "session id"),
        (json!({"seq": 6, "kind": "spawn", "body": {}}), "invalid", "missing field"),
        (json!({"seq": 7, "kind": "forget"}), "invalid", ""),
        (json!({"seq": 8, "kind": "signal", "body": {"id": "x", "number": 9, "target": "moon"}}), "invalid", "moon"),
    ];
    for (request, code, words) in cases {
        raw.say(&request);
        let answer = raw.hear().expect("an answer");
        assert_eq!(answer["seq"], request["seq"], "{answer}");
        assert_eq!(answer["error"]["code"], code, "{request} gave {answer}");
        assert!(answer["message"].as_str().is_some_and(|message| message.contains(words)), "{request} gave {answer}");
    }
    raw.say(&json!({"seq": 9, "kind": "list", "from_the_future": true}));
    assert_eq!(raw.hear().expect("an answer")["ok"]["sessions"], json!([]));
}

#[test]
fn protocols_must_overlap_and_hello_comes_first() {
    let keeper = Keeper::start();
    let cases = [
        (json!({"seq": 1, "kind": "hello", "body": {"min_protocol": 1, "max_protocol": 9, "build": ""}}), None),
        (
            json!({"seq": 1, "kind": "hello", "body": {"min_protocol": 2, "max_protocol": 3, "build": ""}}),
            Some("needs 2 to 3: run `flightdeck stop --all`"),
        ),
        (
            json!({"seq": 1, "kind": "hello", "body": {"min_protocol": 0, "max_protocol": 0, "build": ""}}),
            Some("keeper speaks protocol 1"),
        ),
        (json!({"seq": 1, "kind": "list"}), Some("hello first")),
    ];
    for (first, refused) in cases {
        let mut raw = Raw::connect(&keeper);
        raw.say(&first);
        let answer = raw.hear().expect("an answer");
        match refused {
            None => assert_eq!(answer["ok"]["protocol"], 1, "{answer}"),
            Some(words) => {
                assert!(answer["message"].as_str().is_some_and(|message| message.contains(words)), "{answer}");
                assert_eq!(raw.hear(), None, "closed after a refusal");
            }
        }
    }
}

#[test]
fn a_client_that_never_reads_is_dropped_and_harms_nobody() {
    let keeper = Keeper::start();
    let client = keeper.client();
    let child = client.spawn(&keeper.pty("shared", "printf x; cat"));
    wait_for("output", || keeper.text("shared"), || (!keeper.log("shared").is_empty()).then_some(()));
    let mut deaf = Raw::greeted(&keeper);
    let before = resident_kib(keeper.pid);
    // Each of these is answered by an event at once, and none of those is read.
    let watch = json!({"seq": 1, "kind": "watch", "body": {"id": "shared", "from": 0}}).to_string();
    let frame = [&(watch.len() as u32).to_le_bytes(), watch.as_bytes()].concat().repeat(100);
    let mut sent = 0;
    while deaf.0.write_all(&frame).is_ok() {
        sent += frame.len();
        assert!(sent < 256 << 20, "still connected after {sent} bytes");
    }
    let grown = resident_kib(keeper.pid).saturating_sub(before);
    assert!(grown < 24 << 10, "the keeper grew by {grown} KiB");
    child.type_in("still here\n");
    wait_for(
        "the other client's echo",
        || keeper.text("shared"),
        || keeper.text("shared").contains("still here").then_some(()),
    );
    client.requests.watch(&session("shared"), 0).expect("arms");
    client.event("an event for the other client", |_| Some(()));
}

fn resident_kib(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("a status");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a size");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}
