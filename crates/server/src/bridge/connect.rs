//! The container's way to its host: each name in order, a bounded connect, the handshake, and a failure that says all of it.

use std::io;
use std::time::Duration;

use flightdeck_contract::{Error, ErrorCode, pm};
use flightdeck_core::BridgeInputs;
use serde::Serialize;
use serde_json::json;
use tokio::io::{AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};

use super::frames::next_line;
use super::handshake::{Agreed, Client, Greeting, HostSays, MAX_GREETING_BYTES, Refusal, Secret, VERSION};

/// The longest time between two beats that a host may ask for.
const LONGEST_BEAT: Duration = Duration::from_mins(1);

/// A connection on which both sides have proven themselves.
#[derive(Debug)]
pub struct Connected {
    pub read: BufReader<OwnedReadHalf>,
    pub write: OwnedWriteHalf,
    pub agreed: Agreed,
    pub heartbeat: Duration,
}

/// How one try ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Unresolved,
    Unreachable,
    Refused,
    ConnectTimedOut,
    HandshakeTimedOut,
    Closed,
    NotABridge,
    VersionMismatch,
    WrongToken,
    Full,
}

impl Outcome {
    /// Whether somebody answered at the port: then no other name of the host is tried.
    fn was_answered(self) -> bool {
        !matches!(self, Outcome::Unresolved | Outcome::Unreachable | Outcome::Refused | Outcome::ConnectTimedOut)
    }
}

/// A try, as callers and the log see it.
#[derive(Clone, Debug, Serialize)]
pub struct Attempt {
    host: String,
    port: u16,
    outcome: Outcome,
    detail: String,
}

/// Reaches the host, or says what was tried.
pub async fn connect(inputs: &BridgeInputs, client: &Client) -> Result<Connected, Error> {
    let secret = Secret::of(&inputs.token.read()?);
    let mut attempts = Vec::new();
    for host in &inputs.hosts {
        let (outcome, detail) = match reach(inputs, host).await {
            Ok(stream) => match tokio::time::timeout(inputs.connect, meet(stream, &secret, client)).await {
                Ok(Ok(connected)) => {
                    tell(inputs, format_args!("connected to {host}:{}", inputs.port));
                    return Ok(connected);
                }
                Ok(Err(unmet)) => unmet,
                Err(_) => {
                    let words = format!("no answer to the greeting within {} ms", inputs.connect.as_millis());
                    (Outcome::HandshakeTimedOut, words)
                }
            },
            Err(unreached) => unreached,
        };
        tell(inputs, format_args!("{host}:{}: {outcome:?}: {detail}", inputs.port));
        attempts.push(Attempt { host: host.clone(), port: inputs.port, outcome, detail });
        if outcome.was_answered() {
            break;
        }
    }
    Err(failure(&attempts))
}

/// Tells people who look for a fault what goes on; others find it with `FLIGHTDECK_LOG=debug`.
pub fn tell(inputs: &BridgeInputs, what: std::fmt::Arguments<'_>) {
    if inputs.trace {
        tracing::info!("bridge: {what}");
    } else {
        tracing::debug!("bridge: {what}");
    }
}

async fn reach(inputs: &BridgeInputs, host: &str) -> Result<TcpStream, (Outcome, String)> {
    let timed_out = || (Outcome::ConnectTimedOut, format!("no connection within {} ms", inputs.connect.as_millis()));
    let connecting = async {
        let found = tokio::net::lookup_host((host, inputs.port)).await;
        let mut last = (Outcome::Unresolved, "the name stands for no address".to_owned());
        for address in found.map_err(|error| (Outcome::Unresolved, error.to_string()))? {
            match TcpStream::connect(address).await {
                Ok(stream) => return Ok(stream),
                Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
                    last = (Outcome::Refused, format!("{address} refuses connections"));
                }
                Err(error) => last = (Outcome::Unreachable, format!("{address}: {error}")),
            }
        }
        Err(last)
    };
    tokio::time::timeout(inputs.connect, connecting).await.unwrap_or_else(|_| Err(timed_out()))
}

/// The handshake.
async fn meet(stream: TcpStream, secret: &Secret, client: &Client) -> Result<Connected, (Outcome, String)> {
    let _ = stream.set_nodelay(true);
    let (read, mut write) = stream.into_split();
    let mut read = BufReader::new(read);
    let unfit = || (Outcome::Closed, "the names of this container and its workspace are too long".to_owned());
    let greeting = Greeting::new(secret, client.clone()).ok_or_else(unfit)?;
    write.write_all(&greeting.line).await.map_err(|error| closed(&error))?;
    let (version, noise) = match host_says(&mut read).await? {
        HostSays::Answer { version, noise } => (version, noise),
        HostSays::Refused { why, words } => return Err(refused(why, &words)),
    };
    if version != VERSION {
        let words =
            format!("the host speaks version {version} of the bridge's protocol, and this hub version {VERSION}");
        return Err((Outcome::VersionMismatch, words));
    }
    let no_token = || (Outcome::WrongToken, "the host could not prove that it has the token".to_owned());
    let (agreed, heartbeat_ms) = greeting.answered(&noise).ok_or_else(no_token)?;
    let heartbeat = Duration::from_millis(heartbeat_ms).clamp(Duration::from_millis(10), LONGEST_BEAT);
    Ok(Connected { read, write, agreed, heartbeat })
}

async fn host_says(read: &mut BufReader<OwnedReadHalf>) -> Result<HostSays, (Outcome, String)> {
    let mut line = Vec::new();
    // The whole handshake has one limit of time.
    match next_line(read, &mut line, MAX_GREETING_BYTES, LONGEST_BEAT).await {
        Ok(true) => {}
        Ok(false) => return Err((Outcome::Closed, "the host hung up during the handshake".to_owned())),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => {
            return Err((Outcome::NotABridge, "what answers there is no bridge of Flightdeck".to_owned()));
        }
        Err(error) => return Err(closed(&error)),
    }
    serde_json::from_slice(&line)
        .map_err(|_| (Outcome::NotABridge, "what answers there is no bridge of Flightdeck".to_owned()))
}

fn closed(error: &io::Error) -> (Outcome, String) {
    (Outcome::Closed, format!("the host hung up during the handshake: {error}"))
}

fn refused(why: Refusal, words: &str) -> (Outcome, String) {
    let outcome = match why {
        Refusal::Version => Outcome::VersionMismatch,
        Refusal::Token => Outcome::WrongToken,
        Refusal::Garbled => Outcome::NotABridge,
        Refusal::Full => Outcome::Full,
    };
    // It comes from whoever answered there.
    (outcome, words.chars().filter(|char| !char.is_control()).take(200).collect())
}

/// Whether another try would end in the same way.
pub fn is_lasting(error: &Error) -> bool {
    let attempts = error.details.as_deref().and_then(|details| details.get("attempts")?.as_array());
    let outcome = attempts.and_then(|attempts| attempts.last()?.get("outcome")?.as_str());
    error.code == ErrorCode::InvalidMode || matches!(outcome, Some("wrong_token" | "version_mismatch"))
}

/// Section 7.3 of the contract: what a failure to connect counts as.
fn failure(attempts: &[Attempt]) -> Error {
    let last = attempts.last();
    let (code, text, next) = match last.map(|attempt| attempt.outcome) {
        Some(Outcome::HandshakeTimedOut) => (
            ErrorCode::TimedOut,
            "the host took the connection and did not answer",
            "see whether the host's hub hangs: `flightdeck status` there; then send it again".to_owned(),
        ),
        Some(Outcome::WrongToken) => (
            ErrorCode::Disconnected,
            "the host and this container do not have the same token",
            format!("give the container the file that `flightdeck status` on the host names, by {}", pm::TOKEN_FILE),
        ),
        Some(Outcome::VersionMismatch) => (
            ErrorCode::Disconnected,
            "the host's hub and this one are of versions that do not understand each other",
            "install the same version of Flightdeck on both sides".to_owned(),
        ),
        Some(outcome) if outcome.was_answered() => (
            ErrorCode::Disconnected,
            "what answers at the host's port ended the connection",
            "see whether the port belongs to the host's hub, and what its log says; then send it again".to_owned(),
        ),
        _ => (
            ErrorCode::ApprovalUnavailable,
            "the host's hub can't be reached from this container",
            format!(
                "ask your user to run `flightdeck serve --bridge` on the host, with an address that the container reaches, and to \
                 see that {} and {} name it",
                pm::HOST_ALIAS,
                pm::HOST_PORT
            ),
        ),
    };
    let detail = last.map(|attempt| format!(": {}:{}: {}", attempt.host, attempt.port, attempt.detail));
    Error::new(code, format!("{text}{}", detail.unwrap_or_default())).hint(next.clone()).details(json!({
        "adapter": "container_bridge",
        "attempts": attempts,
        "started": false,
        "next_action": next,
    }))
}
