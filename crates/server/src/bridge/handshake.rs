//! How two hubs that share a token recognise each other and agree on keys. The token itself never crosses the wire.
//!
//! ```text
//!   container                                        host
//!      hello  { version, noise: -> psk, e }   ──────►
//!                                             ◄──────  answer { version, noise: <- e, ee }   or refused
//!      ◄──────────── encrypted lines from here on, with keys of this connection alone ──────────►
//! ```
//!
//! It is `NNpsk0` of the Noise framework: the token is the key that both share, and each side adds a key of this
//! connection alone, so that a token that is lost later opens nothing that went by before. Who comes, and what both can
//! do, is in the encrypted part. A `hello` can be repeated by others, the line that follows it can't: the host takes a
//! client for one only after that, and so the line is short: a beat.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD as BASE64;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use snow::{Builder, HandshakeState};

use super::seal::{Opener, Sealer};

/// The version of the bridge's protocol. Version 1 did not encrypt; it is not spoken any more.
pub const VERSION: u32 = 2;
/// What both sides can do; a side leaves alone what the other one does not name.
pub const CAPABILITIES: &[&str] = &["execute", "cancel", "progress", "resume"];
/// The longest line before the other side has proven itself.
pub const MAX_GREETING_BYTES: usize = 8 << 10;
const PATTERN: &str = "Noise_NNpsk0_25519_ChaChaPoly_SHA256";
/// What both sides have to mean: a greeting of another protocol or version opens nothing here.
const PROLOGUE: &[u8] = b"flightdeck bridge 2";
/// The longest name of a client, its container or its workspace.
const MAX_NAME_BYTES: usize = 200;

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
struct Hello {
    bridge: Magic,
    version: u32,
    /// The first message of Noise, with an [`Introduction`] in it.
    noise: String,
}

/// `"flightdeck"`: a stranger at the port is told from a hub by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Magic {
    #[serde(rename = "flightdeck")]
    Flightdeck,
}

/// The host's line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum HostSays {
    /// It has the token too.
    Answer {
        version: u32,
        /// The second message of Noise, with [`Terms`] in it.
        noise: String,
    },
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

/// What the container says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Introduction {
    capabilities: Vec<String>,
    client: Client,
}

/// What the host says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Terms {
    capabilities: Vec<String>,
    /// So often each side says that it is there.
    heartbeat_ms: u64,
}

/// Both ends of an agreed connection.
#[derive(Debug)]
pub struct Agreed {
    pub sealer: Sealer,
    pub opener: Opener,
}

impl Agreed {
    fn of(state: HandshakeState) -> Option<Self> {
        let keys = Arc::new(state.into_stateless_transport_mode().ok()?);
        Some(Agreed { sealer: Sealer::new(Arc::clone(&keys)), opener: Opener::new(keys) })
    }
}

/// The key that is made of the token.
#[derive(Clone)]
pub struct Secret([u8; 32]);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl Secret {
    pub fn of(token: &str) -> Self {
        let mut hash = Sha256::new();
        hash.update(b"flightdeck bridge 2: the key of a token\0");
        hash.update(token);
        Secret(hash.finalize().into())
    }

    fn builder(&self) -> Option<Builder<'_>> {
        Builder::new(PATTERN.parse().ok()?).prologue(PROLOGUE).ok()?.psk(0, &self.0).ok()
    }
}

/// A greeting of this hub, which waits for its answer.
#[derive(Debug)]
pub struct Greeting {
    state: HandshakeState,
    /// As it goes over the wire.
    pub line: Vec<u8>,
}

impl Greeting {
    /// `None` when the names are too long for it.
    pub fn new(secret: &Secret, client: Client) -> Option<Self> {
        let mut state = secret.builder()?.build_initiator().ok()?;
        let noise = write(&mut state, &Introduction { capabilities: capabilities(), client })?;
        let line = line(&Hello { bridge: Magic::Flightdeck, version: VERSION, noise });
        (line.len() <= MAX_GREETING_BYTES).then_some(Greeting { state, line })
    }

    /// Reads the host's message, and gives the keys and the time between two beats. `None` when it was not made with the
    /// token.
    pub fn answered(mut self, noise: &str) -> Option<(Agreed, u64)> {
        let terms: Terms = read(&mut self.state, noise)?;
        Some((Agreed::of(self.state)?, terms.heartbeat_ms))
    }
}

/// What is read of a greeting first: all else may be different in another version.
#[derive(Deserialize)]
struct Versioned {
    #[serde(rename = "bridge")]
    _bridge: Magic,
    version: u32,
}

/// Reads a greeting and answers it; the refusal says what is wrong with it. Whoever greets is known for sure when the
/// first line after it opens.
pub fn answer(secret: &Secret, greeting: &[u8], heartbeat_ms: u64) -> Result<(Client, Vec<u8>, Agreed), Refused> {
    let garbled = |words: &str| Refused(Refusal::Garbled, words.to_owned());
    let Ok(Versioned { version, .. }) = serde_json::from_slice(greeting) else {
        return Err(garbled("this is a bridge of Flightdeck, and that was no greeting"));
    };
    if version != VERSION {
        let words = format!("the host speaks version {VERSION} of the bridge's protocol, and you version {version}");
        return Err(Refused(Refusal::Version, words));
    }
    let hello: Hello = serde_json::from_slice(greeting).map_err(|_| garbled("the greeting is not complete"))?;
    let begin = || secret.builder()?.build_responder().ok();
    let mut state = begin().ok_or_else(|| garbled("no keys can be made"))?;
    let Some(Introduction { client, .. }) = read(&mut state, &hello.noise) else {
        return Err(Refused(Refusal::Token, "your token is not that of the host".to_owned()));
    };
    let Client { id, container, workspace } = &client;
    let is_fit = |name: &str| !name.is_empty() && name.len() <= MAX_NAME_BYTES && !name.contains(char::is_control);
    if ![id, container, workspace].into_iter().all(|name| is_fit(name)) {
        return Err(garbled("a name in the greeting is empty, too long or not printable"));
    }
    let terms = Terms { capabilities: capabilities(), heartbeat_ms };
    let end = |mut state| Some((write(&mut state, &terms)?, Agreed::of(state)?));
    let (noise, agreed) = end(state).ok_or_else(|| garbled("no keys can be made"))?;
    Ok((client, line(&HostSays::Answer { version: VERSION, noise }), agreed))
}

/// Why a greeting is not taken, for whoever sent it.
#[derive(Debug, PartialEq, Eq)]
pub struct Refused(pub Refusal, pub String);

fn capabilities() -> Vec<String> {
    CAPABILITIES.iter().map(|&name| name.to_owned()).collect()
}

/// A line of the handshake, with its end.
pub fn line(says: &impl Serialize) -> Vec<u8> {
    // Our own types hold nothing that JSON can't say.
    let mut line = serde_json::to_vec(says).unwrap_or_default();
    line.push(b'\n');
    line
}

fn write(state: &mut HandshakeState, says: &impl Serialize) -> Option<String> {
    let mut message = vec![0; MAX_GREETING_BYTES];
    let length = state.write_message(&serde_json::to_vec(says).ok()?, &mut message).ok()?;
    Some(BASE64.encode(&message[..length]))
}

fn read<T: for<'a> Deserialize<'a>>(state: &mut HandshakeState, noise: &str) -> Option<T> {
    let message = BASE64.decode(noise).ok()?;
    let mut plain = vec![0; MAX_GREETING_BYTES];
    let length = state.read_message(&message, &mut plain).ok()?;
    serde_json::from_slice(&plain[..length]).ok()
}

#[cfg(test)]
pub mod tests {
    use serde_json::{Value, json};

    use super::*;

    const TOKEN: &str = "0123456789abcdef0123456789abcdef";

    fn client() -> Client {
        Client { id: "box-1".to_owned(), container: "box".to_owned(), workspace: "/work".to_owned() }
    }

    /// Both ends of a fresh connection: the client's and the host's.
    pub fn pair() -> (Agreed, Agreed) {
        let secret = Secret::of(TOKEN);
        let greeting = Greeting::new(&secret, client()).unwrap();
        let (who, line, host) = answer(&secret, &greeting.line, 500).unwrap();
        assert_eq!(who, client());
        let (client, heartbeat) = greeting.answered(&noise(&line)).unwrap();
        assert_eq!(heartbeat, 500);
        (client, host)
    }

    fn noise(line: &[u8]) -> String {
        match serde_json::from_slice(line).unwrap() {
            HostSays::Answer { noise, .. } => noise,
            HostSays::Refused { .. } => panic!("refused"),
        }
    }

    #[test]
    fn both_ends_understand_each_other_and_nobody_else() {
        let (mut client, mut host) = pair();
        let mut up = client.sealer.seal(&json!("up")).unwrap();
        up.pop();
        assert!(client.opener.open::<Value>(&up).is_err(), "a line does not open where it was sealed");
        assert_eq!(host.opener.open::<Value>(&up), Ok(json!("up")));
        let mut down = host.sealer.seal(&json!("down")).unwrap();
        down.pop();
        assert_eq!(client.opener.open::<Value>(&down), Ok(json!("down")));
    }

    #[test]
    fn nothing_of_a_greeting_shows_and_no_byte_of_it_can_be_changed() {
        let secret = Secret::of(TOKEN);
        let greeting = Greeting::new(&secret, client()).unwrap();
        let text = String::from_utf8(greeting.line.clone()).unwrap();
        assert!(!text.contains("container") && !text.contains("/work") && !text.contains(TOKEN));
        let hello: Hello = serde_json::from_slice(&greeting.line).unwrap();
        for place in 0..hello.noise.len() {
            let mut changed = hello.noise.clone().into_bytes();
            changed[place] = if changed[place] == b'A' { b'B' } else { b'A' };
            let noise = String::from_utf8(changed).unwrap();
            let refused = answer(&secret, &line(&Hello { noise, ..hello.clone() }), 500).unwrap_err();
            assert_eq!(refused.0, Refusal::Token, "byte {place}");
        }
        // The answer as well.
        let (_, answered, _) = answer(&secret, &greeting.line, 500).unwrap();
        let mut other = noise(&answered).into_bytes();
        other[20] = if other[20] == b'A' { b'B' } else { b'A' };
        assert!(greeting.answered(std::str::from_utf8(&other).unwrap()).is_none());
    }

    #[test]
    fn another_token_opens_nothing_and_a_repeated_greeting_gets_no_further() {
        let (secret, other) = (Secret::of(TOKEN), Secret::of("another token that is long enough!"));
        let greeting = Greeting::new(&other, client()).unwrap();
        assert_eq!(answer(&secret, &greeting.line, 500).unwrap_err().0, Refusal::Token);
        // Somebody repeats what went by: the host answers with another key, and the lines of before do not open.
        let greeting = Greeting::new(&secret, client()).unwrap();
        let (_, answered, _) = answer(&secret, &greeting.line, 500).unwrap();
        let (_, _, mut again) = answer(&secret, &greeting.line, 500).unwrap();
        let (mut client, _) = greeting.answered(&noise(&answered)).unwrap();
        let mut line = client.sealer.seal(&json!("up")).unwrap();
        line.pop();
        assert!(again.opener.open::<Value>(&line).is_err());
    }

    #[test]
    fn greetings_are_read_with_their_version_first() {
        let secret = Secret::of(TOKEN);
        let refused = |hello: &Value| answer(&secret, hello.to_string().as_bytes(), 500).unwrap_err().0;
        let greeting = Greeting::new(&secret, client()).unwrap();
        let good: Value = serde_json::from_slice(&greeting.line).unwrap();
        let with = |field: &str, value: Value| {
            let mut hello = good.clone();
            hello[field] = value;
            refused(&hello)
        };
        // What version 1 sent: it is not taken, and told why.
        let old = json!({ "bridge": "flightdeck", "version": 1, "nonce": "5".repeat(64), "capabilities": [],
            "client": { "id": "a", "container": "b", "workspace": "c" } });
        assert_eq!(refused(&old), Refusal::Version);
        assert_eq!(with("version", json!(3)), Refusal::Version);
        assert_eq!(with("bridge", json!("other")), Refusal::Garbled);
        assert_eq!(with("noise", json!(7)), Refusal::Garbled);
        assert_eq!(with("noise", json!("")), Refusal::Token);
        assert_eq!(answer(&secret, b"GET / HTTP/1.1", 500).unwrap_err().0, Refusal::Garbled);
        assert_eq!(answer(&secret, &[0xff; 40], 500).unwrap_err().0, Refusal::Garbled);
        for (container, workspace) in [("", "/work"), ("a\u{1b}b", "/work"), ("box", &"x".repeat(300))] {
            let unfit = Client { id: "1".into(), container: container.into(), workspace: workspace.into() };
            let greeting = Greeting::new(&secret, unfit).unwrap();
            assert_eq!(answer(&secret, &greeting.line, 500).unwrap_err().0, Refusal::Garbled, "{container:?}");
        }
    }
}
