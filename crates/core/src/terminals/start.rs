//! Starting a terminal: the one way by which every command that needs a fresh one gets it.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use flightdeck_contract::tabs::TabNumber;
use flightdeck_contract::terminal::New;
use flightdeck_contract::{Error, TERMINAL_VARIABLE, TerminalId, WORKSPACE_VARIABLE};
use flightdeck_keeper::{LogLimits, Sandbox};
use flightdeck_term::session::{Kind, Session};
use flightdeck_term::{Program, Spawn, Stdin, Tag};

use super::default_shell;
use super::ground::{self, Ground};
use super::meta::{Canonical, Meta, Part, What};
use super::quota;
use crate::actor::{Actor, Caller};
use crate::aside::in_place;
use crate::convert;
use crate::hub::Hub;
use crate::terminals::afterwards::{self, Telling};
use crate::terminals::known;
use crate::terminals::tabs;

/// The smallest log: two segments of a size that is still worth a file.
pub(crate) const SMALLEST_LOG: u64 = 128 * 1024;
/// A log is cut into so many segments, so that what rotation takes away at once is a small part.
const SEGMENTS: u64 = 64;
const LARGEST_SEGMENT: u64 = 4 << 20;
const SMALLEST_SEGMENT: u64 = 64 * 1024;

/// The kernel takes no longer ones.
const LONGEST_PATH: usize = 4095;

/// Whether a terminal is for one call only, and goes early when old ones are removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    Lasting,
    Transient,
    /// It is one of the tabs, and has its number among them.
    Tab,
}

/// What to start.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    pub new: New,
    pub purpose: Purpose,
    /// Set for a session of the canonical contract.
    pub canonical: Option<Canonical>,
    /// Variables of the hub that it does not get.
    pub unset: &'static [&'static str],
    /// What it is confined to, if it is. No caller chooses it: it comes from the settings and the policy.
    pub sandbox: Option<Sandbox>,
    /// The shell that runs its command, when that is to tell how it ended.
    pub telling: Option<Telling>,
    /// What the shell runs, when that is too long for an argument: it reads it from a file. `new` has what is shown of it.
    pub script: Option<String>,
    /// Its part in a conversation with an agent.
    pub conversation: Option<Part>,
    /// Whether programs may show their output page by page. Somebody has to turn them.
    pub pages: bool,
    /// How long the caller waits at most, if it has said so.
    pub within: Option<Duration>,
}

impl Start {
    /// As a caller asks for it, with nothing of our own.
    pub(crate) fn of(new: New, purpose: Purpose) -> Self {
        Start {
            new,
            purpose,
            canonical: None,
            unset: &[],
            sandbox: None,
            telling: None,
            script: None,
            conversation: None,
            pages: true,
            within: None,
        }
    }
}

/// A terminal that was started.
#[derive(Clone, Debug)]
pub(crate) struct Started {
    pub id: TerminalId,
    pub session: Arc<Session>,
}

/// Starts a terminal.
pub(crate) async fn start(hub: &Arc<Hub>, caller: &Caller, start: Start) -> Result<Started, Error> {
    // Files are written and the keeper is asked: a few milliseconds that the runtime should not wait for.
    in_place(|| start_blocking(hub, &caller.actor, start))
}

fn start_blocking(hub: &Hub, actor: &Actor, start: Start) -> Result<Started, Error> {
    let Start { new, purpose, canonical, unset, sandbox, telling, script, conversation, pages, within } = start;
    let _counted = quota::check(hub, actor, purpose)?;
    let size = new.size.map(convert::size).transpose()?.unwrap_or_default();
    let limits = limits(new.log_bytes)?;
    for (field, path) in [("cwd", &new.cwd), ("shell", &new.shell)] {
        if path.as_ref().is_some_and(|path| path.len() > LONGEST_PATH) {
            return Err(Error::invalid(field, format!("no path is longer than {LONGEST_PATH} bytes")));
        }
    }
    let cwd = absolute(hub, new.cwd.as_deref());
    let mut env = environment(hub, &new)?;
    env.retain(|(name, _)| name.to_str().is_none_or(|name| !unset.contains(&name) || new.env.contains_key(name)));
    if !pages {
        without_pagers(&mut env, &new.env);
    }
    // What is written of tabs has them in the user's shell.
    let shell = || if purpose == Purpose::Tab { default_shell::of_user() } else { default_shell::of(actor) };
    let (mut program, command) = program(&new, shell)?;
    let id = hub.known().next_id()?;
    let Ground { starter, tab, attached } = match purpose {
        Purpose::Tab => ground::of_tab(hub, id, new.title.as_deref())?,
        Purpose::Lasting | Purpose::Transient => Ground::keeper(None),
    };
    let tag = Tag { name: TERMINAL_VARIABLE, value: format!("{id}@{}", hub.workspace().key()) };
    let dir = hub.dir(id);
    let first = script.as_ref().and(command.first()).map(OsString::from);
    let mut meta = Meta {
        id,
        title: new.title.filter(|title| !title.is_empty()),
        command,
        cwd: cwd.clone(),
        size: convert::window_size(size),
        created_by: actor.to_string(),
        created_at: SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0.0, |d| d.as_secs_f64()),
        tag: tag.value.clone(),
        what: What::of(&program),
        log_bytes: limits.total_bytes,
        transient: purpose == Purpose::Transient,
        owner: actor.agent_name().filter(|_| !new.keep).map(str::to_owned),
        canonical,
        tab,
        attached,
        conversation,
    };
    // Noted before it runs: a program may fill the disk at once, and one that the next hub could not find must not run. And
    // before it has a folder: one without any was never started.
    meta.save(hub.store()).map_err(|error| convert::store_error(&error))?;
    hub.spares().make(&dir).map_err(|error| {
        let _ = known::discard(hub, id);
        convert::io_error("the folder of the new terminal can't be made", &error)
    })?;
    if let Some(script) = script {
        let file = dir.join(SCRIPT);
        if let Err(error) = write_private(&file, &script) {
            let _ = known::discard(hub, id);
            return Err(convert::io_error("the command can't be handed over by file", &error));
        }
        program = Program::Command(first.into_iter().chain([file.into()]).collect());
    }
    if let Some(telling) = telling {
        let user_env = |name: &str| env.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        let variable = afterwards::prepare(&dir, &telling, user_env);
        // A command is run all the same when it can't be told how it ended.
        if let Ok(Some((name, value))) = variable {
            env.retain(|(known, _)| *known != name);
            env.push((name, value));
        }
    }
    let started = hub.terminals().spawn(Spawn {
        id: convert::session_id(id),
        program,
        cwd,
        env,
        size,
        dir,
        tag,
        limits,
        sandbox,
        starter,
        within,
    });
    let session = started.map_err(|error| {
        // Nothing was started, so nothing stays behind.
        let _ = known::discard(hub, id);
        convert::spawn_error(&error)
    })?;
    if matches!(session.kind(), Kind::Shell(_)) {
        // Only now is it known by which marks it speaks.
        meta.what = session.kind().into();
        meta.tab = meta.tab.or_else(|| session.window().map(TabNumber::new));
        if let Err(error) = meta.save(hub.store()) {
            session.tree().kill(rustix::process::Signal::KILL, std::time::Duration::ZERO);
            let _ = known::discard(hub, id);
            return Err(convert::store_error(&error));
        }
    }
    if let Some(number) = meta.tab {
        tabs::note(hub, number);
    }
    known::remember(hub, meta, actor);
    Ok(Started { id, session })
}

/// The file in a terminal's folder from which its shell reads a long command.
const SCRIPT: &str = "command";

fn write_private(path: &std::path::Path, text: &str) -> std::io::Result<()> {
    use std::io::Write;
    use std::os::unix::fs::OpenOptionsExt;
    let mut file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes())
}

pub(crate) fn limits(log_bytes: Option<u64>) -> Result<LogLimits, Error> {
    let defaults = LogLimits::default();
    let Some(total) = log_bytes else { return Ok(defaults) };
    if total < SMALLEST_LOG {
        return Err(Error::invalid("logBytes", format!("{total} is too small: {SMALLEST_LOG} is the least")));
    }
    let segment = (total / SEGMENTS).clamp(SMALLEST_SEGMENT, LARGEST_SEGMENT);
    Ok(LogLimits { total_bytes: total, segment_bytes: segment, ..defaults })
}

fn program(new: &New, shell: impl FnOnce() -> String) -> Result<(Program, Vec<String>), Error> {
    if new.stdin && !new.pipes {
        return Err(Error::invalid("stdin", "it belongs to `pipes`: a command on a terminal reads what is typed"));
    }
    match &new.command {
        Some(argv) if argv.first().is_none_or(String::is_empty) => {
            Err(Error::invalid("command", "it is empty: give a program and its arguments"))
        }
        Some(_) if new.shell.is_some() || new.login => Err(Error::invalid(
            "shell",
            "a command is started without a shell: leave out `shell` and `login`, or run `sh -c`",
        )),
        Some(argv) => {
            let parts = argv.iter().map(OsString::from).collect();
            let stdin = if new.stdin { Stdin::Held } else { Stdin::Empty };
            Ok((if new.pipes { Program::Piped(parts, stdin) } else { Program::Command(parts) }, argv.clone()))
        }
        None if new.pipes => Err(Error::invalid("pipes", "a shell needs a terminal: give a command to run on pipes")),
        None => {
            let named = new.shell.as_ref().or_else(|| new.env.get("SHELL")).filter(|path| !path.is_empty());
            let name = named.cloned().unwrap_or_else(shell);
            Ok((Program::Shell { path: PathBuf::from(&name), login: new.login }, vec![name]))
        }
    }
}

fn environment(hub: &Hub, new: &New) -> Result<Vec<(OsString, OsString)>, Error> {
    for (name, value) in &new.env {
        if name.is_empty() || name.contains(['=', '\0']) || value.contains('\0') {
            return Err(Error::invalid(
                "env",
                format!("{name:?} is not the name of a variable, or its value holds a NUL"),
            ));
        }
    }
    let inherited = if new.clear_env { Vec::new() } else { std::env::vars_os().collect() };
    let mut env: Vec<(OsString, OsString)> = inherited
        .into_iter()
        .filter(|(name, _)| name.to_str().is_none_or(|name| !new.env.contains_key(name) && name != WORKSPACE_VARIABLE))
        .collect();
    env.extend(new.env.iter().map(|(name, value)| (name.into(), value.into())));
    env.retain(|(name, _)| name != WORKSPACE_VARIABLE);
    env.push((WORKSPACE_VARIABLE.into(), hub.workspace().root().into()));
    Ok(env)
}

/// Has programs print all at once: the user's pagers go, and the one of those who would take their own is `cat`. What the
/// caller has set stays.
fn without_pagers(env: &mut Vec<(OsString, OsString)>, own: &BTreeMap<String, String>) {
    let is_own = |name: &OsStr| name.to_str().is_some_and(|name| own.contains_key(name));
    env.retain(|(name, _)| is_own(name) || !name.as_encoded_bytes().ends_with(b"PAGER"));
    let cats = ["PAGER", "GIT_PAGER"].into_iter().filter(|name| !own.contains_key(*name));
    env.extend(cats.map(|name| (name.into(), "cat".into())));
}

/// The folder that is meant: below the workspace unless it is absolute, without `.` parts, as a person would write it.
pub(crate) fn absolute(hub: &Hub, cwd: Option<&str>) -> PathBuf {
    hub.workspace().root().join(cwd.unwrap_or(".")).components().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_pager_is_left_but_that_of_the_caller() {
        let pairs = |pairs: &[(&str, &str)]| -> Vec<(OsString, OsString)> {
            pairs.iter().map(|(name, value)| (name.into(), value.into())).collect()
        };
        let mut env = pairs(&[("A", "a"), ("MANPAGER", "less"), ("GIT_PAGER", "delta"), ("PAGER_X", "x")]);
        without_pagers(&mut env, &BTreeMap::new());
        assert_eq!(env, pairs(&[("A", "a"), ("PAGER_X", "x"), ("PAGER", "cat"), ("GIT_PAGER", "cat")]));
        let mut env = pairs(&[("PAGER", "more"), ("MANPAGER", "less")]);
        without_pagers(&mut env, &BTreeMap::from([("PAGER".to_owned(), "more".to_owned())]));
        assert_eq!(env, pairs(&[("PAGER", "more"), ("GIT_PAGER", "cat")]));
    }
}
