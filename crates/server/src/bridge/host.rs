//! The host's end: a door for the hubs of containers. It recognises them, and hands what they ask to the hub.

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use flightdeck_contract::approval::Origin;
use flightdeck_contract::{Error, ErrorCode};
use flightdeck_core::{Errand, ErrandTicket, Hub};
use tokio::io::{AsyncWriteExt as _, BufReader};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::task::JoinSet;

use super::frames::{ClientSays, HostSays, MISSED, next_line};
use super::handshake::{self, Agreed, Client, MAX_GREETING_BYTES, Refusal, Refused, answer};
use super::seal::{MAX_LINE_BYTES, Opener, Sealer};

/// How many may be connected, those who have not proven themselves included.
const MOST: usize = 64;
/// How long a stranger may take to become a client.
const GREETING: Duration = Duration::from_secs(5);
/// How many requests of one client may be under way.
const AT_ONCE: usize = 64;
/// How many lines may wait to be sent to one client.
const OUTBOX: usize = 64;
/// How many answers may be on their way to one client.
const UNDELIVERED: usize = 1024;

/// The door.
#[derive(Debug)]
pub struct Listener {
    listener: TcpListener,
    terms: Arc<Terms>,
}

#[derive(Debug)]
struct Terms {
    secret: handshake::Secret,
    heartbeat: Duration,
}

impl Listener {
    /// Listens at this address for whoever has the token.
    pub async fn bind(address: SocketAddr, token: &str, heartbeat: Duration) -> io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        Ok(Listener { listener, terms: Arc::new(Terms { secret: handshake::Secret::of(token), heartbeat }) })
    }

    /// Where it listens.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until it is dropped; what was begun for clients goes on.
    pub async fn serve(&self, hub: &Arc<Hub>) {
        let room = Arc::new(Semaphore::new(MOST));
        let mut visits = JoinSet::new();
        loop {
            let accepted = tokio::select! {
                accepted = self.listener.accept() => accepted,
                Some(_) = visits.join_next() => continue,
            };
            let (stream, peer) = match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    tracing::warn!(%error, "a connection to the bridge could not be taken");
                    // Out of descriptors, most likely: they come back when others end.
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                }
            };
            let (hub, terms, place) = (Arc::clone(hub), Arc::clone(&self.terms), Arc::clone(&room).try_acquire_owned());
            visits.spawn(async move {
                match place {
                    Ok(_place) => visit(hub, &terms, stream, peer).await,
                    Err(_) => drop(refuse(stream, Refusal::Full, "too many connections are open").await),
                }
            });
        }
    }
}

async fn refuse(mut stream: TcpStream, why: Refusal, words: &str) -> io::Result<()> {
    let line = handshake::line(&handshake::HostSays::Refused { why, words: words.to_owned() });
    tokio::time::timeout(GREETING, stream.write_all(&line)).await.map_err(|_| io::ErrorKind::TimedOut)??;
    stream.shutdown().await
}

async fn visit(hub: Arc<Hub>, terms: &Terms, stream: TcpStream, peer: SocketAddr) {
    let _ = stream.set_nodelay(true);
    let (read, mut write) = stream.into_split();
    let mut read = BufReader::new(read);
    let met = tokio::time::timeout(GREETING, greet(&mut read, &mut write, terms)).await;
    match met {
        Ok(Ok((client, agreed, first))) => {
            tracing::info!(container = client.container, workspace = client.workspace, %peer, "a container came over the bridge");
            let ended = Visit::new(hub, client.clone(), peer, terms.heartbeat).serve(read, write, agreed, first).await;
            tracing::info!(container = client.container, %peer, reason = %ended, "a container left the bridge");
        }
        Ok(Err(Unmet::Refused(why, words))) => {
            tracing::warn!(%peer, ?why, words, "somebody was refused at the bridge");
            let line = handshake::line(&handshake::HostSays::Refused { why, words });
            // It may be gone already.
            let _ = tokio::time::timeout(GREETING, write.write_all(&line)).await;
        }
        Ok(Err(Unmet::Gone(error))) => tracing::debug!(%peer, %error, "somebody left the bridge without a word"),
        Err(_) => tracing::debug!(%peer, "somebody at the bridge said nothing"),
    }
}

enum Unmet {
    Refused(Refusal, String),
    Gone(io::Error),
}

impl From<io::Error> for Unmet {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::InvalidData => Unmet::Refused(Refusal::Garbled, "the greeting is too long".to_owned()),
            _ => Unmet::Gone(error),
        }
    }
}

/// The handshake, and the first line after it: who only repeats a greeting can't make that one.
async fn greet(
    read: &mut BufReader<OwnedReadHalf>,
    write: &mut OwnedWriteHalf,
    terms: &Terms,
) -> Result<(Client, Agreed, ClientSays), Unmet> {
    let gone = || Unmet::Gone(io::ErrorKind::UnexpectedEof.into());
    let mut line = Vec::new();
    if !next_line(read, &mut line, MAX_GREETING_BYTES, GREETING).await? {
        return Err(gone());
    }
    let heartbeat_ms = terms.heartbeat.as_millis() as u64;
    let (client, answered, mut agreed) =
        answer(&terms.secret, &line, heartbeat_ms).map_err(|Refused(why, words)| Unmet::Refused(why, words))?;
    write.write_all(&answered).await?;
    // It has not proven itself before this one is opened.
    if !next_line(read, &mut line, MAX_GREETING_BYTES, GREETING).await? {
        return Err(gone());
    }
    let first = agreed.opener.open(&line).map_err(|broken| Unmet::Refused(Refusal::Garbled, broken.to_string()))?;
    Ok((client, agreed, first))
}

/// A client that is here.
struct Visit {
    hub: Arc<Hub>,
    client: Client,
    origin: Arc<Origin>,
    heartbeat: Duration,
    /// Ends the waiting for requests that are under way.
    cancels: HashMap<u64, oneshot::Sender<()>>,
    /// What is on its way to the client: whose request, and its name.
    undelivered: HashMap<u64, (String, String)>,
}

impl Visit {
    fn new(hub: Arc<Hub>, client: Client, peer: SocketAddr, heartbeat: Duration) -> Self {
        let origin = Arc::new(Origin {
            container: client.container.clone(),
            workspace: client.workspace.clone(),
            address: peer.ip().to_string(),
        });
        Visit { hub, client, origin, heartbeat, cancels: HashMap::new(), undelivered: HashMap::new() }
    }

    /// Serves it until it leaves, and says why it did.
    async fn serve(
        mut self,
        mut read: BufReader<OwnedReadHalf>,
        write: OwnedWriteHalf,
        agreed: Agreed,
        first: ClientSays,
    ) -> String {
        let Agreed { sealer, mut opener } = agreed;
        let (outbox, lines) = mpsc::channel(OUTBOX);
        let hub = Arc::clone(&self.hub);
        let mut under_way = JoinSet::new();
        let written = say(write, sealer, lines, self.heartbeat);
        let heard = async {
            let mut line = Vec::new();
            self.take(first, &outbox, &mut under_way).await;
            loop {
                match hear(&mut read, &mut line, &mut opener, self.heartbeat).await {
                    Ok(said) => self.take(said, &outbox, &mut under_way).await,
                    Err(reason) => return reason,
                }
                while under_way.try_join_next().is_some() {}
            }
        };
        tokio::select! {
            reason = written => reason,
            reason = heard => reason,
            _ = hub.stopping() => "the hub ends".to_owned(),
        }
        // Whatever waits for an answer goes with the set, and with it the tickets: a question to a person is withdrawn.
    }

    async fn take(&mut self, said: ClientSays, outbox: &mpsc::Sender<HostSays>, under_way: &mut JoinSet<()>) {
        match said {
            ClientSays::Beat => {}
            ClientSays::Cancel { id } => {
                if let Some(cancel) = self.cancels.remove(&id) {
                    let _ = cancel.send(());
                }
            }
            ClientSays::Ack { id } => {
                if let Some((agent, request)) = self.undelivered.remove(&id) {
                    self.hub.errand_delivered(&self.client.id, &agent, &request).await;
                }
            }
            ClientSays::Request { id, request_id, trace, agent, request } => {
                self.cancels.retain(|_, cancel| !cancel.is_closed());
                if self.cancels.len() >= AT_ONCE || self.undelivered.len() >= UNDELIVERED {
                    let text = format!("{AT_ONCE} requests of this container are under way already");
                    let error = Error::new(ErrorCode::TooManyCalls, text).hint("wait for some to end");
                    let _ = outbox.send(HostSays::Failed { id, error }).await;
                    return;
                }
                let (cancel, cancelled) = oneshot::channel();
                self.cancels.insert(id, cancel);
                self.undelivered.insert(id, (agent.clone(), request_id.clone()));
                let errand =
                    Errand { request_id, trace, agent, request, progress: tokio::sync::watch::Sender::default() };
                let ticket = self.hub.take_errand(&self.origin, &self.client.id, errand);
                under_way.spawn(wait(id, ticket, cancelled, outbox.clone()));
            }
        }
    }
}

/// Waits for the end of a request, and tells of it as it goes on.
async fn wait(id: u64, mut ticket: ErrandTicket, mut cancelled: oneshot::Receiver<()>, outbox: mpsc::Sender<HostSays>) {
    let mut progress = ticket.progress();
    if outbox.send(HostSays::Accepted { id }).await.is_err() {
        return;
    }
    let mut wanted = true;
    let answer = loop {
        let report = tokio::select! {
            biased;
            answer = ticket.answer() => break answer,
            given_up = &mut cancelled, if wanted => {
                wanted = false;
                if given_up.is_err() {
                    continue;
                }
                None
            }
            Ok(()) = progress.changed() => Some(progress.borrow_and_update().clone()),
        };
        match report {
            Some(report) => drop(outbox.send(HostSays::Progress { id, report }).await),
            None => ticket.give_up(),
        }
    };
    let says = match answer {
        Ok(response) => HostSays::Response { id, response },
        Err(error) => HostSays::Failed { id, error },
    };
    // Without a connection it stays noted, and is answered when it is asked for again.
    let _ = outbox.send(says).await;
}

/// Writes what there is to say, and that the hub is there. It ends when the client does not take it.
async fn say(
    mut write: OwnedWriteHalf,
    mut sealer: Sealer,
    mut lines: mpsc::Receiver<HostSays>,
    heartbeat: Duration,
) -> String {
    loop {
        let says = tokio::time::timeout(heartbeat, lines.recv()).await.unwrap_or(Some(HostSays::Beat));
        let Some(says) = says else { return "nothing is left to say".to_owned() };
        let line = match sealer.seal(&says) {
            Ok(line) => line,
            Err(broken) => match shortened(&says, &mut sealer) {
                Some(line) => line,
                None => return broken.to_string(),
            },
        };
        if let Err(error) = send(&mut write, &line, heartbeat).await {
            return error.to_string();
        }
    }
}

/// An answer that does not fit into a line becomes one that says so.
fn shortened(says: &HostSays, sealer: &mut Sealer) -> Option<Vec<u8>> {
    let &HostSays::Response { id, .. } = says else { return None };
    let error = Error::new(ErrorCode::TooLarge, "the answer is too long for the bridge: read_output gets the output");
    sealer.seal(&HostSays::Failed { id, error }).ok()
}

/// Writes a line, piece by piece, so that a slow reader is told from one that is gone.
pub(super) async fn send(write: &mut OwnedWriteHalf, line: &[u8], heartbeat: Duration) -> io::Result<()> {
    let mut left = line;
    while !left.is_empty() {
        let written = tokio::time::timeout(heartbeat * MISSED, write.write(left));
        match written.await.map_err(|_| io::Error::new(io::ErrorKind::TimedOut, "it does not read any more"))?? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            count => left = &left[count..],
        }
    }
    Ok(())
}

/// The next thing that the client says; an error is why the connection ends.
async fn hear(
    read: &mut BufReader<OwnedReadHalf>,
    line: &mut Vec<u8>,
    opener: &mut Opener,
    heartbeat: Duration,
) -> Result<ClientSays, String> {
    match next_line(read, line, MAX_LINE_BYTES, heartbeat * MISSED).await {
        Ok(true) => opener.open(line).map_err(|broken| broken.to_string()),
        Ok(false) => Err("it hung up".to_owned()),
        Err(error) if error.kind() == io::ErrorKind::TimedOut => Err("it was silent for too long".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}
