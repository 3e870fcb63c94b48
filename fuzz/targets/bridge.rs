//! Any bytes at the bridge: greetings and sealed lines are read or refused, nothing panics, and what nobody sealed never opens.

#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::Value;

// The files themselves, so that the fuzzer needs nothing else of the server.
#[allow(dead_code)]
#[path = "../../crates/server/src/bridge/handshake.rs"]
mod handshake;
#[allow(dead_code)]
#[path = "../../crates/server/src/bridge/seal.rs"]
mod seal;

use handshake::{Hello, HostSays, Proof, Transcript};

const TOKEN: &str = "0123456789abcdef0123456789abcdef";

fuzz_target!(|bytes: &[u8]| {
    // A greeting is read or refused; what was read is within its limits.
    if let Ok(hello) = Hello::read(bytes) {
        assert!(hello.version == handshake::VERSION && hello.nonce.len() == 64);
        assert!(!hello.client.container.contains(char::is_control));
    }
    let _ = serde_json::from_slice::<HostSays>(bytes);
    let transcript = Transcript::new(TOKEN, bytes, b"{}");
    if let Ok(Proof { proof }) = serde_json::from_slice(bytes) {
        assert!(!transcript.is_client(&proof) && !transcript.is_host(&proof), "{proof:?} was guessed");
    }
    // Nobody has sealed this.
    let (client, mut host) = (transcript.for_client(), transcript.for_host());
    assert!(host.opener.open::<Value>(&mut bytes.to_vec()).is_err());
    // What is sealed opens once, and not when any byte of it is another one.
    let mut sealer = client.sealer;
    let text = String::from_utf8_lossy(bytes);
    let Ok(mut line) = sealer.seal(&text) else { return };
    assert_eq!(line.pop(), Some(b'\n'));
    if let [place, change, ..] = *bytes {
        let place = usize::from(place) * line.len() / 256;
        let mut other = line.clone();
        other[place] ^= change.max(1);
        // Digits of the seal may be written in capitals.
        if !other.eq_ignore_ascii_case(&line) {
            assert!(host.opener.open::<String>(&mut other).is_err());
        }
    }
    assert_eq!(host.opener.open::<String>(&mut line.clone()).as_deref(), Ok(&*text));
    assert!(host.opener.open::<String>(&mut line).is_err(), "a line opened twice");
});
