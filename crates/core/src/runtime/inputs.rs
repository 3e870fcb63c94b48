//! What the operator says by environment variables about the way to a person.

use std::path::PathBuf;
use std::time::Duration;

use flightdeck_contract::{Error, ErrorCode, pm};
use serde_json::json;

/// The shortest token that is taken: shorter ones can be guessed from what an eavesdropper sees of the handshake.
pub const SHORTEST_TOKEN: usize = 32;
/// The longest time that can be set.
const LONGEST_MS: u64 = 300_000;

/// All of it.
#[derive(Clone, Debug)]
pub(crate) struct Inputs {
    /// The adapter that is used when a request does not say.
    pub mode: Option<String>,
    /// The hub runs in a container.
    pub in_container: bool,
    /// The window's program.
    pub binary: Option<PathBuf>,
    /// How the host is reached, or what is missing for that.
    pub bridge: Result<BridgeInputs, Error>,
}

/// How the host of a container is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BridgeInputs {
    /// Names of the host, in the order in which they are tried.
    pub hosts: Vec<String>,
    /// The port there.
    pub port: u16,
    /// How long connecting to one of them may take.
    pub connect: Duration,
    /// How long the host may take to accept a request.
    pub request: Duration,
    /// Where the secret is.
    pub token: TokenSource,
    /// What people on the host call this container.
    pub container: String,
    /// Whether the log tells what goes over the bridge.
    pub trace: bool,
}

/// Where the bridge's secret comes from.
#[derive(Clone, PartialEq, Eq)]
pub enum TokenSource {
    /// The variable itself.
    Given(String),
    /// A file, which may be there later than the hub.
    File(PathBuf),
}

impl std::fmt::Debug for TokenSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TokenSource::Given(_) => f.write_str("Given(…)"),
            TokenSource::File(path) => f.debug_tuple("File").field(path).finish(),
        }
    }
}

impl TokenSource {
    /// The secret, once it is there.
    pub fn read(&self) -> Result<String, Error> {
        let token = match self {
            TokenSource::Given(token) => token.clone(),
            TokenSource::File(path) => std::fs::read_to_string(path)
                .map_err(|error| {
                    incomplete(&[format!("{} names {}, which can't be read: {error}", pm::TOKEN_FILE, path.display())])
                })?
                .trim()
                .to_owned(),
        };
        if token.len() < SHORTEST_TOKEN {
            return Err(incomplete(&[format!("the token has less than {SHORTEST_TOKEN} characters")]));
        }
        Ok(token)
    }
}

impl Inputs {
    /// Reads the hub's environment. An empty variable is one that is not set: containers often pass those on.
    pub(crate) fn read(lookup: impl Fn(&str) -> Option<String>) -> Self {
        let set = |name: &str| lookup(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
        Inputs {
            mode: set(pm::ADAPTER_MODE),
            in_container: set(pm::RUNNING_IN_CONTAINER).is_some_and(|value| value == "true" || value == "1"),
            binary: set(pm::BINARY).map(PathBuf::from),
            bridge: bridge(&set),
        }
    }
}

fn bridge(set: &dyn Fn(&str) -> Option<String>) -> Result<BridgeInputs, Error> {
    let mut missing = Vec::new();
    let mut number = |name: &str, usual: u64, most: u64| {
        let Some(text) = set(name) else { return usual };
        match text.parse() {
            Ok(number) if (1..=most).contains(&number) => number,
            _ => {
                missing.push(format!("{name} is {text:?}, and must be a number from 1 to {most}"));
                usual
            }
        }
    };
    let port = number(pm::HOST_PORT, pm::DEFAULT_HOST_PORT.into(), u16::MAX.into()) as u16;
    let connect = Duration::from_millis(number(pm::CONNECT_TIMEOUT_MS, pm::DEFAULT_CONNECT_TIMEOUT_MS, LONGEST_MS));
    let request = Duration::from_millis(number(pm::REQUEST_TIMEOUT_MS, pm::DEFAULT_REQUEST_TIMEOUT_MS, LONGEST_MS));
    let token = match (set(pm::TOKEN), set(pm::TOKEN_FILE)) {
        (Some(token), _) if token.len() < SHORTEST_TOKEN => {
            missing.push(format!("{} has less than {SHORTEST_TOKEN} characters", pm::TOKEN));
            None
        }
        (Some(token), _) => Some(TokenSource::Given(token)),
        (None, Some(file)) => Some(TokenSource::File(file.into())),
        (None, None) => {
            missing.push(format!("neither {} nor {} is set", pm::TOKEN_FILE, pm::TOKEN));
            None
        }
    };
    let mut hosts: Vec<String> = Vec::new();
    let usual = pm::DEFAULT_HOST_ALIASES.map(|alias| Some(alias.to_owned()));
    for host in [set(pm::HOST_ALIAS), set(pm::HOST_FALLBACK_ALIAS)].into_iter().chain(usual).flatten() {
        if !hosts.contains(&host) {
            hosts.push(host);
        }
    }
    let Some(token) = token.filter(|_| missing.is_empty()) else { return Err(incomplete(&missing)) };
    let own_name = || std::fs::read_to_string("/etc/hostname").ok().map(|name| name.trim().to_owned());
    let container = set(pm::CONTAINER_NAME).or_else(own_name).filter(|name| !name.is_empty());
    let container = container.unwrap_or_else(|| "container".to_owned());
    let trace = set(pm::TRACE_BRIDGE).is_some_and(|value| value == "1" || value == "true");
    Ok(BridgeInputs { hosts, port, connect, request, token, container, trace })
}

fn incomplete(missing: &[String]) -> Error {
    let text = format!("the bridge out of the container is not set up: {}", missing.join("; "));
    Error::new(ErrorCode::InvalidMode, text)
        .hint("set what is missing where the hub is started (docs/operators.md lists it all), then start it again")
        .details(json!({ "adapter": "container_bridge", "missing": missing }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "0123456789abcdef0123456789abcdef";

    fn read(set: &[(&str, &str)]) -> Inputs {
        Inputs::read(|name| set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn what_is_not_said_has_its_documented_value() {
        let bridge = read(&[(pm::TOKEN, TOKEN), (pm::CONTAINER_NAME, "box")]).bridge.unwrap();
        assert_eq!(bridge.hosts, ["host.containers.internal", "host.docker.internal"]);
        assert_eq!((bridge.port, bridge.connect.as_millis(), bridge.request.as_millis()), (45459, 3000, 30000));
        assert!(!bridge.trace && bridge.container == "box");
    }

    #[test]
    fn aliases_come_in_the_order_of_the_document_and_once() {
        let set = [(pm::TOKEN, TOKEN), (pm::HOST_ALIAS, "10.0.0.1"), (pm::HOST_FALLBACK_ALIAS, "host.docker.internal")];
        let hosts = read(&set).bridge.unwrap().hosts;
        assert_eq!(hosts, ["10.0.0.1", "host.docker.internal", "host.containers.internal"]);
    }

    #[test]
    fn everything_that_is_wrong_is_told_at_once() {
        type Row<'a> = (&'a [(&'a str, &'a str)], &'a [&'a str]);
        let rows: &[Row<'_>] = &[
            (&[], &[pm::TOKEN_FILE]),
            (&[(pm::TOKEN, "short")], &["less than 32"]),
            (&[(pm::TOKEN, TOKEN), (pm::HOST_PORT, "0")], &[pm::HOST_PORT]),
            (&[(pm::TOKEN, TOKEN), (pm::HOST_PORT, "70000")], &[pm::HOST_PORT]),
            (
                &[(pm::HOST_PORT, "x"), (pm::CONNECT_TIMEOUT_MS, "-1")],
                &[pm::HOST_PORT, pm::CONNECT_TIMEOUT_MS, pm::TOKEN],
            ),
        ];
        for (set, told) in rows {
            let error = read(set).bridge.unwrap_err();
            assert_eq!(error.code, ErrorCode::InvalidMode);
            assert!(told.iter().all(|word| error.message.contains(word)), "{set:?}: {}", error.message);
        }
    }

    #[test]
    fn a_token_file_is_read_when_it_is_needed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("token");
        let source = TokenSource::File(path.clone());
        assert_eq!(source.read().unwrap_err().code, ErrorCode::InvalidMode);
        std::fs::write(&path, format!("{TOKEN}\n")).unwrap();
        assert_eq!(source.read().unwrap(), TOKEN);
    }
}
