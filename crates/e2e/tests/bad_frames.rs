//! Nonsense on the hub's socket: refused with words where there is a caller to read them, and nobody else notices.

use std::os::unix::fs::PermissionsExt;

use flightdeck_contract::ErrorCode;
use flightdeck_contract::control::{MAX_MESSAGE, Request, VERSION, encode_event, encode_input, encode_message};
use flightdeck_e2e::{Deck, Event, SOON, Socket};
use serde_json::json;

fn frame(kind: u8, payload: &[u8]) -> Vec<u8> {
    [&(payload.len() as u32 + 1).to_le_bytes()[..], &[kind], payload].concat()
}

#[test]
fn garbage_is_refused_with_a_code_and_the_hub_goes_on() {
    let deck = Deck::new();
    let path = deck.socket_path();
    let pid = deck.hub_pid();
    let call = Request::Call { id: 1, command: "flightdeck.terminal.list".into(), args: json!({}), credit: None };
    let newer = Request::Hello { version: VERSION + 1, actor: "test".into() };
    let first = br#"{"type":"hello","version":1,"actor":"cli:me"}"#;
    let cases: Vec<(&str, Vec<u8>, Option<ErrorCode>)> = vec![
        ("a call before hello", encode_message(&call), Some(ErrorCode::InvalidArgument)),
        ("a newer version", encode_message(&newer), Some(ErrorCode::VersionMismatch)),
        ("the first version", frame(0, first), Some(ErrorCode::VersionMismatch)),
        ("no JSON", frame(0, b"{nope"), Some(ErrorCode::InvalidArgument)),
        ("JSON that is no request", frame(0, b"[1,2]"), Some(ErrorCode::InvalidArgument)),
        ("an unknown request", frame(0, br#"{"type":"dance"}"#), Some(ErrorCode::InvalidArgument)),
        ("an unknown field", frame(0, br#"{"type":"cancel","id":1,"x":2}"#), Some(ErrorCode::InvalidArgument)),
        ("deep JSON", frame(0, "[".repeat(100_000).as_bytes()), Some(ErrorCode::InvalidArgument)),
        ("broken UTF-8", frame(0, b"\"\xff\xfe\""), Some(ErrorCode::InvalidArgument)),
        ("an unknown kind", frame(9, b"x"), Some(ErrorCode::InvalidArgument)),
        ("an event without a call id", frame(1, b"x"), Some(ErrorCode::InvalidArgument)),
        ("input without a call id", frame(2, b"x"), Some(ErrorCode::InvalidArgument)),
        ("an event from a caller", encode_event(1, b"{}", b""), Some(ErrorCode::InvalidArgument)),
        ("an empty frame", 0_u32.to_le_bytes().to_vec(), Some(ErrorCode::InvalidArgument)),
        ("too long", u32::MAX.to_le_bytes().to_vec(), Some(ErrorCode::InvalidArgument)),
        ("just too long", (MAX_MESSAGE as u32 + 1).to_le_bytes().to_vec(), Some(ErrorCode::InvalidArgument)),
        ("HTTP", b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".to_vec(), Some(ErrorCode::InvalidArgument)),
        ("nothing", Vec::new(), None),
        ("half a header", vec![1, 0], None),
        ("half a frame", vec![100, 0, 0, 0, 0, b'{'], None),
    ];
    for (what, bytes, code) in cases {
        let mut socket = Socket::silent(&path);
        socket.send_bytes(&bytes);
        socket.close_sending();
        if let Some(code) = code {
            match socket.next() {
                Event::Failed(None, error) => assert_eq!(error.code, code, "{what}: {error}"),
                other => panic!("{what}: {other:?}"),
            }
        }
        assert_eq!(socket.next(), Event::Closed, "{what}");
    }
    assert_eq!(deck.hub_pid(), pid, "it is the same hub");
    assert_eq!(deck.cli(&["run", "echo", "alive"]).expect(0).text(), "alive\n");
}

#[test]
fn strange_but_allowed_frames_are_taken() {
    let deck = Deck::new();
    let mut socket = deck.socket();
    // Input for a call that is not there, and the end of one.
    socket.send_bytes(&encode_input(77, b"lost"));
    socket.cancel(78);
    // A frame in single bytes.
    let call = Request::Call { id: 500, command: "flightdeck.terminal.list".into(), args: json!({}), credit: None };
    for byte in encode_message(&call) {
        socket.send_bytes(&[byte]);
    }
    assert!(matches!(socket.next(), Event::Done(500, _)));
    // Missing arguments are no arguments.
    socket.send_bytes(&frame(0, br#"{"type":"call","id":501,"command":"flightdeck.terminal.list"}"#));
    assert!(matches!(socket.next(), Event::Done(501, _)));
    // A call number that is in use is refused, and the first call is not disturbed.
    let id = deck.new_terminal(&["--", "sleep", "1000"]);
    let wait = json!({ "id": id, "exit": true, "timeoutMs": 20_000 });
    let waiting = socket.begin("flightdeck.terminal.wait", wait);
    socket.send(&Request::Call {
        id: waiting,
        command: "flightdeck.terminal.list".into(),
        args: json!({}),
        credit: None,
    });
    match socket.next() {
        Event::Failed(Some(id), error) if id == waiting => assert_eq!(error.code, ErrorCode::InvalidArgument),
        other => panic!("{other:?}"),
    }
    deck.cli(&["kill", &id]).expect(0);
    assert_eq!(socket.finish(waiting).unwrap()["reason"], "exit");
}

#[test]
fn too_many_calls_at_once_are_refused_and_the_rest_goes_on() {
    let deck = Deck::new();
    let id = deck.new_terminal(&["--", "sleep", "1000"]);
    let mut socket = deck.socket();
    let calls: Vec<_> =
        (0..300).map(|_| socket.begin("flightdeck.terminal.wait", json!({ "id": id, "exit": true }))).collect();
    for _ in 0..300 - 256 {
        let Event::Failed(Some(_), error) = socket.next() else { panic!("not refused") };
        assert_eq!(error.code, ErrorCode::InvalidArgument, "{error}");
    }
    deck.cli(&["kill", &id]).expect(0);
    for _ in 0..256 {
        assert!(
            matches!(socket.next(), Event::Done(call, result) if calls.contains(&call) && result["reason"] == "exit")
        );
    }
}

#[test]
fn a_cancelled_call_says_so() {
    let deck = Deck::new();
    let id = deck.new_terminal(&["--", "sleep", "1000"]);
    let mut socket = deck.socket();
    for (command, args) in [
        ("flightdeck.terminal.wait", json!({ "id": id, "exit": true })),
        ("flightdeck.terminal.follow", json!({ "id": id, "follow": true })),
        ("flightdeck.terminal.exec", json!({ "terminal": { "command": ["sleep", "1001"], "pipes": true } })),
    ] {
        let call = socket.begin(command, args);
        socket.cancel(call);
        let error = socket.finish(call).unwrap_err();
        assert_eq!(error.code, ErrorCode::Cancelled, "{command}: {error}");
    }
    deck.wait_until("the given-up command is gone", SOON, || {
        deck.processes().iter().all(|process| process.command != "sleep 1001").then_some(())
    });
}

#[test]
fn the_sockets_are_private() {
    let deck = Deck::new();
    let path = deck.socket_path();
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&path), 0o600);
    assert_eq!(mode(&path.with_file_name("keeper.sock")), 0o600);
    assert_eq!(mode(path.parent().unwrap()), 0o700);
    let id = deck.new_terminal(&["--", "echo", "secret"]);
    deck.ended(&id, SOON);
    assert_eq!(mode(&deck.terminal_dir(&id)), 0o700);
}
