//! A small client of HTTP, which can also send what no honest client would.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::{Deck, SOON, binary};

/// Where agents' clients are served.
const MCP: &str = "/mcp";

/// A connection to a server.
#[derive(Debug)]
pub enum Wire {
    /// Of the test itself.
    Own(TcpStream),
    /// Of an agent's client, which is a process of its own.
    Client(UnixStream),
}

impl Wire {
    fn to(address: &str) -> Self {
        let stream = TcpStream::connect(address).expect("the server listens");
        stream.set_read_timeout(Some(SOON)).expect("a time limit");
        Wire::Own(stream)
    }

    fn by_client(address: &str) -> Self {
        let (own, other) = UnixStream::pair().expect("a pair of sockets");
        own.set_read_timeout(Some(SOON)).expect("a time limit");
        let end = || Stdio::from(OwnedFd::from(other.try_clone().expect("a descriptor")));
        let mut client = Command::new(binary::client());
        let mut child = client.args(["connect", address]).stdin(end()).stdout(end()).spawn().expect("it starts");
        // It ends with its connection.
        std::thread::spawn(move || child.wait());
        Wire::Client(own)
    }
}

impl Read for Wire {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        match self {
            Wire::Own(stream) => stream.read(into),
            Wire::Client(stream) => stream.read(into),
        }
    }
}

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self {
            Wire::Own(stream) => stream.write(bytes),
            Wire::Client(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A server, and what to show to be let in.
#[derive(Clone, Debug)]
pub struct Http {
    /// `127.0.0.1:23456`.
    pub address: String,
    /// Sent with every request.
    pub headers: Vec<(String, String)>,
}

/// An answer.
#[derive(Debug)]
pub struct Response {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    body: Body,
}

#[derive(Debug)]
struct Body {
    read: BufReader<Wire>,
    /// So many bytes are left of it, or of the chunk at hand.
    left: usize,
    chunked: bool,
    ended: bool,
}

/// A browser that a person has let in.
pub fn browser(deck: &Deck) -> Http {
    let browser = Http::of(deck).without("Authorization");
    let link = deck.cli(&["open", "--print"]).expect(0).text().trim().to_owned();
    let path = link.strip_prefix(&format!("http://{}", browser.address)).expect("a link to this hub").to_owned();
    let cookie = browser.get(&path).header("set-cookie").expect("a cookie").to_owned();
    browser.with("Cookie", cookie.split(';').next().unwrap_or_default())
}

impl Http {
    /// The deck's server, with its token.
    #[track_caller]
    pub fn of(deck: &Deck) -> Self {
        deck.socket_path();
        let status = deck.status();
        let token = std::fs::read_to_string(status["tokenFile"].as_str().expect("a path")).expect("the token's file");
        Http::at(status["http"]["url"].as_str().expect("an address"))
            .with("Authorization", &format!("Bearer {}", token.trim()))
    }

    /// A server, with nothing to show.
    pub fn at(url: &str) -> Self {
        Http { address: url.trim_start_matches("http://").to_owned(), headers: Vec::new() }
    }

    /// The same with a header in every request, in place of one of the same name.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self = self.without(name);
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The same without a header.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
        self
    }

    /// Asks for something.
    #[track_caller]
    pub fn get(&self, path: &str) -> Response {
        self.request("GET", path, &[], b"")
    }

    /// Sends a request; the answer is read as it comes.
    #[track_caller]
    pub fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Response {
        Response::read(self.send(method, path, headers, body))
    }

    /// Sends a request and leaves the answer to whoever wants it.
    #[track_caller]
    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Wire {
        let mut stream = if path == MCP { Wire::by_client(&self.address) } else { Wire::to(&self.address) };
        let own = |name: &str| self.headers.iter().any(|(other, _)| other.eq_ignore_ascii_case(name));
        let mut head = format!("{method} {path} HTTP/1.1\r\nContent-Length: {}\r\n", body.len());
        if !own("host") {
            let _ = write!(head, "Host: {}\r\n", self.address);
        }
        let all =
            self.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).chain(headers.iter().copied());
        for (name, value) in all {
            let _ = write!(head, "{name}: {value}\r\n");
        }
        stream.write_all(format!("{head}\r\n").as_bytes()).expect("the server reads");
        // A server that has seen enough may stop reading.
        let _ = stream.write_all(body);
        stream
    }

    /// Sends a message of MCP.
    #[track_caller]
    pub fn mcp(&self, headers: &[(&str, &str)], message: &Value) -> Response {
        Response::read(self.send_mcp(headers, message))
    }

    #[track_caller]
    fn send_mcp(&self, headers: &[(&str, &str)], message: &Value) -> Wire {
        let usual = [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")];
        self.send("POST", MCP, &[&usual, headers].concat(), message.to_string().as_bytes())
    }

    /// A request of 2026-07-28, which needs nothing before it.
    #[track_caller]
    pub fn modern(&self, method: &str, params: Value) -> Response {
        Response::read(self.send_modern(method, params))
    }

    /// The same without reading the answer.
    #[track_caller]
    pub fn send_modern(&self, method: &str, mut params: Value) -> Wire {
        let name = params.get("name").or_else(|| params.get("uri")).and_then(Value::as_str);
        let name = name.unwrap_or_default().to_owned();
        params["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2026-07-28".into();
        params["_meta"]["io.modelcontextprotocol/clientInfo"] = json!({ "name": "walk-in", "version": "1" });
        params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
        let mut headers = vec![("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", method)];
        if !name.is_empty() {
            headers.push(("Mcp-Name", &name));
        }
        self.send_mcp(&headers, &json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }))
    }
}

impl Response {
    #[track_caller]
    fn read(stream: Wire) -> Self {
        let mut read = BufReader::new(stream);
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            let length = read.read_line(&mut line).expect("an answer");
            assert!(length > 0, "the server hung up after {lines:?}");
            match line.trim_end() {
                "" => break,
                line => lines.push(line.to_owned()),
            }
        }
        let status = lines[0].split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a status");
        let headers: Vec<_> = lines[1..]
            .iter()
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
            .collect();
        let value = |wanted: &str| headers.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str());
        let chunked = value("transfer-encoding") == Some("chunked");
        let left = value("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        let body = Body { read, left, chunked, ended: !chunked && left == 0 };
        Response { status, headers, body }
    }

    /// One header.
    pub fn header(&self, wanted: &str) -> Option<&str> {
        self.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted)).map(|(_, value)| value.as_str())
    }

    /// The whole body.
    pub fn text(mut self) -> String {
        let mut text = String::new();
        self.body.read_to_string(&mut text).expect("text");
        text
    }

    /// The body as JSON; of a stream of events, the message that answers a request.
    #[track_caller]
    pub fn json(mut self) -> Value {
        if self.header("content-type") == Some("text/event-stream") {
            return self.event(|message| message.get("id").is_some());
        }
        let text = self.text();
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    /// The next message of a stream of events that is wanted.
    #[track_caller]
    pub fn event(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        let mut seen = Vec::new();
        let mut line = Vec::new();
        loop {
            let mut byte = [0];
            let length = self.body.read(&mut byte).unwrap_or_else(|error| panic!("{error} after {seen:?}"));
            assert!(length > 0, "the stream ended after {seen:?}");
            if byte[0] != b'\n' {
                line.push(byte[0]);
                continue;
            }
            let text = String::from_utf8_lossy(&line).trim().to_owned();
            line.clear();
            let Some(Ok(message)) = text.strip_prefix("data:").map(|data| serde_json::from_str(data.trim())) else {
                continue;
            };
            if wanted(&message) {
                return message;
            }
            seen.push(message);
        }
    }
}

impl Read for Body {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        if self.chunked && self.left == 0 && !self.ended {
            let mut line = String::new();
            self.read.read_line(&mut line)?;
            self.left = usize::from_str_radix(line.trim(), 16).map_err(|_| ErrorKind::InvalidData)?;
            self.ended = self.left == 0;
        }
        if self.ended {
            return Ok(0);
        }
        let most = into.len().min(self.left);
        let length = self.read.read(&mut into[..most])?;
        self.left -= length;
        if self.left == 0 && self.chunked {
            self.read.read_line(&mut String::new())?;
        } else if self.left == 0 || length == 0 {
            self.ended = true;
        }
        Ok(length)
    }
}
