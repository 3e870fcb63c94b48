//! How two hubs that share a token recognise each other. The token itself never crosses the wire.
//!
//! ```text
//!   container                                host
//!      hello { version, nonce, who }  ──────►
//!                                     ◄──────  challenge { version, nonce, heartbeat }   or refused
//!      proof { HMAC }                 ──────►
//!                                     ◄──────  welcome { HMAC }                          or refused
//!      ◄────────── sealed lines from here on, with keys of this connection alone ──────────►
//! ```
//!
//! Everything is derived from the token and the first two lines as they were on the wire, with a fresh nonce of each side in
//! them: who only listens, repeats or changes something learns nothing and is found out. The container proves itself first.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::seal::{Key, Opener, Sealer, hex, is_mac, mac};

/// The version of the bridge's protocol.
pub const VERSION: u32 = 1;
/// What both sides can do; a side leaves alone what the other one does not name.
pub const CAPABILITIES: &[&str] = &["execute", "cancel", "progress", "resume"];
/// The longest line before the other side has proven itself.
pub const LONGEST_GREETING: usize = 8 << 10;
/// What each side proves.
const CLIENT: &str = "the client has the token";
const HOST: &str = "the host has the token";
/// The longest name of a client, its container or its workspace.
const LONGEST_NAME: usize = 200;

/// Who comes over the bridge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Client {
    /// Its own name, which no other hub has.
    pub id: String,
    /// What people call its container.
    pub container: String,
    /// The folder that it serves there.
    pub workspace: String,
}

/// The first line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    pub bridge: Magic,
    pub version: u32,
    pub nonce: String,
    pub capabilities: Vec<String>,
    pub client: Client,
}

/// `"flightdeck"`: a stranger at the port is told from a hub by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Magic {
    #[serde(rename = "flightdeck")]
    Flightdeck,
}

/// The host's lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum HostSays {
    /// Go on and prove it.
    Challenge {
        version: u32,
        nonce: String,
        capabilities: Vec<String>,
        /// So often each side says that it is there.
        heartbeat_ms: u64,
    },
    /// It is proven.
    Welcome { proof: String },
    /// It ends here.
    Refused { why: Refusal, words: String },
}

/// Why a host does not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// The versions do not fit.
    Version,
    /// The tokens are not the same.
    Token,
    /// That was no greeting.
    Garbled,
    /// So many are here already.
    Full,
}

/// The container's second line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    pub proof: String,
}

/// Both ends of an agreed connection.
#[derive(Debug)]
pub struct Agreed {
    pub sealer: Sealer,
    pub opener: Opener,
}

/// What both sides know after the first two lines.
pub struct Transcript<'a> {
    token: &'a str,
    hash: [u8; 32],
}

impl fmt::Debug for Transcript<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Transcript(…)")
    }
}

impl<'a> Transcript<'a> {
    /// Of the lines as they were on the wire, without their ends.
    pub fn new(token: &'a str, hello: &[u8], challenge: &[u8]) -> Self {
        let mut hash = Sha256::new();
        // Neither line holds its end, so the two can't be cut in another place.
        hash.update(hello);
        hash.update(b"\n");
        hash.update(challenge);
        Transcript { token, hash: hash.finalize().into() }
    }

    fn derive(&self, purpose: &str) -> [u8; 32] {
        mac(self.token.as_bytes(), &self.parts(purpose))
    }

    fn parts<'b>(&'b self, purpose: &'b str) -> [&'b [u8]; 3] {
        [b"flightdeck bridge 1: ", purpose.as_bytes(), &self.hash]
    }

    fn is(&self, proof: &str, purpose: &str) -> bool {
        is_mac(self.token.as_bytes(), &self.parts(purpose), proof)
    }

    /// What the container proves itself with.
    pub fn client_proof(&self) -> String {
        hex(&self.derive(CLIENT))
    }

    /// What the host proves itself with.
    pub fn host_proof(&self) -> String {
        hex(&self.derive(HOST))
    }

    pub fn is_client(&self, proof: &str) -> bool {
        self.is(proof, CLIENT)
    }

    pub fn is_host(&self, proof: &str) -> bool {
        self.is(proof, HOST)
    }

    /// The client's end.
    pub fn for_client(&self) -> Agreed {
        Agreed { sealer: Sealer::new(self.up()), opener: Opener::new(self.down()) }
    }

    /// The host's end.
    pub fn for_host(&self) -> Agreed {
        Agreed { sealer: Sealer::new(self.down()), opener: Opener::new(self.up()) }
    }

    fn up(&self) -> Key {
        Key(self.derive("client to host"))
    }

    fn down(&self) -> Key {
        Key(self.derive("host to client"))
    }
}

/// What is read of a greeting first: all else may be different in another version.
#[derive(Deserialize)]
struct Versioned {
    #[serde(rename = "bridge")]
    _bridge: Magic,
    version: u32,
}

impl Hello {
    /// A greeting with a nonce that was never used before: 64 hex digits.
    pub fn new(client: Client, nonce: String) -> Self {
        let capabilities = CAPABILITIES.iter().map(|&name| name.to_owned()).collect();
        Hello { bridge: Magic::Flightdeck, version: VERSION, nonce, capabilities, client }
    }

    /// Reads a greeting; the refusal says what is wrong with it.
    pub fn read(line: &[u8]) -> Result<Self, (Refusal, String)> {
        let garbled = |words: &str| (Refusal::Garbled, words.to_owned());
        let Ok(Versioned { version, .. }) = serde_json::from_slice(line) else {
            return Err(garbled("this is a bridge of Flightdeck, and that was no greeting"));
        };
        if version != VERSION {
            let words =
                format!("the host speaks version {VERSION} of the bridge's protocol, and you version {version}");
            return Err((Refusal::Version, words));
        }
        let hello: Hello = serde_json::from_slice(line).map_err(|_| garbled("the greeting is not complete"))?;
        let Client { id, container, workspace } = &hello.client;
        let is_fit = |name: &str| !name.is_empty() && name.len() <= LONGEST_NAME && !name.contains(char::is_control);
        if ![id, container, workspace].into_iter().all(|name| is_fit(name)) || hello.nonce.len() != 64 {
            return Err(garbled("a name in the greeting is empty, too long or not printable"));
        }
        Ok(hello)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const TOKEN: &str = "0123456789abcdef0123456789abcdef";

    fn client() -> Client {
        Client { id: "c1".into(), container: "box".into(), workspace: "/work".into() }
    }

    #[test]
    fn both_sides_with_the_token_agree_and_no_other() {
        let hello = serde_json::to_vec(&Hello::new(client(), "5".repeat(64))).unwrap();
        let challenge = br#"{"type":"challenge"}"#;
        let (one, other) = (Transcript::new(TOKEN, &hello, challenge), Transcript::new(TOKEN, &hello, challenge));
        assert!(other.is_client(&one.client_proof()) && one.is_host(&other.host_proof()));
        assert!(
            !other.is_client(&one.host_proof()) && !one.is_host(&other.client_proof()),
            "a proof has one direction"
        );
        for (token, hello, challenge) in [
            ("another token that is long enough!", &hello[..], &challenge[..]),
            (TOKEN, &hello[1..], challenge),
            (TOKEN, &hello, b"{}"),
        ] {
            let wrong = Transcript::new(token, hello, challenge);
            assert!(!other.is_client(&wrong.client_proof()) && !other.is_host(&wrong.host_proof()));
        }
        let (mut client, mut host) = (one.for_client(), other.for_host());
        let mut line = client.sealer.seal(&json!("up")).unwrap();
        line.pop();
        assert!(client.opener.open::<Value>(&mut line.clone()).is_err(), "a line does not open where it was sealed");
        assert_eq!(host.opener.open::<Value>(&mut line), Ok(json!("up")));
        let mut line = host.sealer.seal(&json!("down")).unwrap();
        line.pop();
        assert_eq!(client.opener.open::<Value>(&mut line), Ok(json!("down")));
    }

    #[test]
    fn proofs_that_are_none_are_refused() {
        let transcript = Transcript::new(TOKEN, b"{}", b"{}");
        let good = transcript.client_proof();
        for wrong in ["", "x", &good[..63], &format!("{good}0"), &good.replace(|c: char| c.is_ascii_digit(), "g")] {
            assert!(!transcript.is_client(wrong), "{wrong}");
        }
        assert!(transcript.is_client(&good.to_uppercase()));
    }

    #[test]
    fn greetings_are_read_with_their_version_first() {
        let good = serde_json::to_value(Hello::new(client(), "5".repeat(64))).unwrap();
        assert!(Hello::read(good.to_string().as_bytes()).is_ok());
        let with = |change: &dyn Fn(&mut Value)| {
            let mut hello = good.clone();
            change(&mut hello);
            Hello::read(hello.to_string().as_bytes()).unwrap_err().0
        };
        assert_eq!(with(&|hello| hello["version"] = json!(0)), Refusal::Version);
        assert_eq!(
            with(&|hello| *hello = json!({ "bridge": "flightdeck", "version": 2, "new": true })),
            Refusal::Version
        );
        assert_eq!(with(&|hello| hello["bridge"] = json!("other")), Refusal::Garbled);
        assert_eq!(with(&|hello| hello["client"]["container"] = json!("")), Refusal::Garbled);
        assert_eq!(with(&|hello| hello["client"]["id"] = json!("a\u{1b}b")), Refusal::Garbled);
        assert_eq!(with(&|hello| hello["client"]["workspace"] = json!("x".repeat(300))), Refusal::Garbled);
        assert_eq!(with(&|hello| hello["nonce"] = json!("")), Refusal::Garbled);
        assert_eq!(Hello::read(b"GET / HTTP/1.1").unwrap_err().0, Refusal::Garbled);
        assert_eq!(Hello::read(&[0xff; 40]).unwrap_err().0, Refusal::Garbled);
    }
}
