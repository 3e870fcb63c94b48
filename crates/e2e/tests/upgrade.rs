//! A hub of an older release under a command line of this one.

use std::os::unix::net::UnixStream;
use std::process::Command;

use flightdeck_e2e::{Deck, SOON};

/// A hub that speaks version 1 of the protocol: it refuses the hello, and ends by SIGTERM as hubs do.
const OLD_HUB: &str = r#"
import json, os, signal, socket, struct, sys
path = sys.argv[1]
listener = socket.socket(socket.AF_UNIX)
listener.bind(path)
listener.listen()
def end(*_):
    os.unlink(path)
    sys.exit(0)
signal.signal(signal.SIGTERM, end)
while True:
    connection, _ = listener.accept()
    refusal = json.dumps({"type": "failed", "error": {"code": "version_mismatch", "message": "version 1 only"}}).encode()
    try:
        connection.recv(65536)
        connection.sendall(struct.pack("<IB", len(refusal) + 1, 0) + refusal)
    except OSError:
        pass  # Somebody only looked whether it is there.
    connection.close()
"#;

#[test]
fn a_hub_of_another_version_is_told_and_replaced_by_restart() {
    let deck = Deck::new();
    let id = deck.new_terminal(&["--", "sleep", "1000"]);
    let socket = deck.socket_path();
    deck.cli(&["stop"]).expect(0);
    let mut old = Command::new("python3").args(["-u", "-c", OLD_HUB]).arg(&socket).spawn().unwrap();
    deck.wait_until("the old hub listens", SOON, || UnixStream::connect(&socket).ok());
    let refused = deck.cli(&["ls"]).expect(1);
    assert!(refused.errors().contains("version 1 only"), "{}", refused.errors());
    deck.cli(&["restart"]).expect(0);
    assert!(old.wait().unwrap().success());
    assert!(deck.info(&id).running, "terminals go on");
}
