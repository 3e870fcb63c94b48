//! `flightdeck.chat.terminal.*`: terminals of an agent that the hub runs.

use std::path::Path;
use std::sync::Arc;

use flightdeck_contract::chat::{
    ChatTerminal, KillChatTerminal, NewChatTerminal, OfChatTerminal, ReadChatTerminal, ReleaseChatTerminal,
    WaitForChatTerminal,
};
use flightdeck_contract::terminal::{Done, New};
use flightdeck_contract::{Error, ErrorCode};
use flightdeck_policy::{Deed, SurfaceKind};

use crate::actor::Caller;
use crate::approvals::intent::{Executes, Intent, Sight};
use crate::approvals::whole::{self, check_length};
use crate::call::Call;
use crate::conversations::terminals;
use crate::hub::Hub;
use crate::ops::executes::{is_a_shell, is_as_ever};
use crate::registry::{Command, Effects, Family, define};
use crate::terminals::default_shell::bourne;
use crate::terminals::meta::{Part, Role};
use crate::terminals::start::{Purpose, Start, absolute, start};

pub(super) fn commands() -> [Command; 5] {
    let reads = |id: &'static str, title: &'static str, words: &'static str| {
        define(Family::Hub, id, Effects::READS, title, words).for_conversations()
    };
    let ends = |id: &'static str, title: &'static str, words: &'static str| {
        define(Family::Hub, id, Effects::DESTROYS, title, words).for_conversations()
    };
    [
        define(
            Family::Hub,
            "flightdeck.chat.terminal.new",
            Effects::EXECUTES,
            "Run an agent's command",
            "Starts a command of a conversation's agent in a terminal of its own, which people see, and returns its id at once.",
        )
        .for_conversations()
        .handle_executing(|hub, call, new| async move { create(&hub, &call, new).await }),
        reads("flightdeck.chat.terminal.output", "Read an agent's terminal", "Returns what a command has printed so far.")
            .aside(|hub, call, ReadChatTerminal(of): ReadChatTerminal| {
                own(hub, call, of)?;
                terminals::output(hub, of.id, of.terminal)
            }),
        reads("flightdeck.chat.terminal.wait", "Wait for an agent's command", "Waits for the end of a command.").handle(
            |hub, call, WaitForChatTerminal(of): WaitForChatTerminal| async move {
                own(&hub, &call, of)?;
                // It lasts, and nothing waits for its end.
                call.caller.took_effect();
                tokio::select! {
                    exit = terminals::wait(&hub, of.id, of.terminal) => exit,
                    () = call.cancelled.clone().wait() => Err(Error::new(ErrorCode::Cancelled, "the wait was given up")),
                }
            },
        ),
        ends("flightdeck.chat.terminal.kill", "Kill an agent's command", "Ends a command; its terminal stays.").handle(
            |hub, call, KillChatTerminal(of): KillChatTerminal| async move {
                own(&hub, &call, of)?;
                terminals::kill(&hub, of.id, of.terminal).await?;
                Ok(Done {})
            },
        ),
        ends(
            "flightdeck.chat.terminal.release",
            "Release an agent's terminal",
            "Ends a command if it runs, and gives its terminal up. People can still look at it.",
        )
        .handle(|hub, call, ReleaseChatTerminal(of): ReleaseChatTerminal| async move {
            own(&hub, &call, of)?;
            terminals::release(&hub, of.id, of.terminal).await?;
            Ok(Done {})
        }),
    ]
}

/// Whether it is the agent of that conversation who asks.
fn own(hub: &Hub, call: &Call, of: OfChatTerminal) -> Result<(), Error> {
    check_own(hub, &call.caller, of.id)
}

pub(super) fn check_own(hub: &Hub, caller: &Caller, id: flightdeck_contract::ConversationId) -> Result<(), Error> {
    let conversation = hub.conversations().get(id)?;
    let number = conversation.agent().number();
    match &caller.actor {
        crate::actor::Actor::Agent { number: own, .. } if number == Some(*own) => Ok(()),
        _ => Err(Error::new(ErrorCode::NotAllowed, format!("{id} is a conversation with another agent"))),
    }
}

async fn create(hub: &Arc<Hub>, call: &Call, request: NewChatTerminal) -> Result<ChatTerminal, Error> {
    check_own(hub, &call.caller, request.id)?;
    // Another hub may have carried it out, and was killed before it could say so.
    if let Some(terminal) = terminals::made_for(hub, request.id, &request.request) {
        return Ok(ChatTerminal { terminal });
    }
    let role = Role::Command { request: request.request.clone(), limit: request.output_limit };
    let new = New {
        title: Some(title_of(&request)),
        command: Some(words(&request)),
        cwd: Some(folder(hub, &request)?),
        env: request.env.clone(),
        ..New::default()
    };
    let part = Part { id: request.id, role };
    // Nobody turns pages there.
    let begin = Start { conversation: Some(part), pages: false, ..Start::of(new, Purpose::Lasting) };
    let started = start(hub, &call.caller, begin).await?;
    Ok(ChatTerminal { terminal: started.id })
}

/// The command as people would write it.
fn title_of(request: &NewChatTerminal) -> String {
    let line = std::iter::once(&request.command).chain(&request.args).cloned().collect::<Vec<_>>().join(" ");
    let first = line.lines().next().unwrap_or_default();
    first.chars().take(120).collect()
}

/// What is started. Agents give a whole line where the protocol has a program: no program's name holds a space and is found.
fn words(request: &NewChatTerminal) -> Vec<String> {
    if !is_line(request) {
        return std::iter::once(request.command.clone()).chain(request.args.iter().cloned()).collect();
    }
    vec![bourne().to_owned(), "-c".to_owned(), request.command.clone()]
}

/// Whether it is a line for a shell, and not a program.
fn is_line(request: &NewChatTerminal) -> bool {
    let plain = |c: char| c.is_alphanumeric() || "-_./+@:%,".contains(c);
    request.args.is_empty() && !request.command.chars().all(plain) && !Path::new(&request.command).is_file()
}

/// The folder: that of the conversation unless another one is named.
fn folder(hub: &Hub, request: &NewChatTerminal) -> Result<String, Error> {
    match &request.cwd {
        Some(cwd) if !Path::new(cwd).is_absolute() => {
            Err(Error::invalid("cwd", format!("{cwd:?} is not an absolute path")))
        }
        Some(cwd) => Ok(cwd.clone()),
        None => Ok(hub.conversations().get(request.id)?.chat().cwd),
    }
}

/// Whether a variable has to be decided about. Agents name a usual shell with each command.
fn matters(name: &str, value: &str) -> bool {
    !(is_as_ever(name, value) || name == "SHELL" && is_a_shell(value))
}

impl Executes for NewChatTerminal {
    fn intent(&self, hub: &Hub) -> Result<Option<Intent>, Error> {
        if terminals::made_for(hub, self.id, &self.request).is_some() {
            // It was decided about when it was carried out.
            return Ok(None);
        }
        check_length(&self.command)?;
        let cwd = Some(absolute(hub, Some(&folder(hub, self)?)));
        let (deed, shell) = if is_line(self) {
            (Deed::Line(self.command.clone()), whole::of_program(bourne()))
        } else {
            (Deed::Argv(words(self)), None)
        };
        let env = self.env.iter().filter(|(name, value)| matters(name, value));
        let env = env.map(|(name, value)| (name.clone(), value.clone())).collect();
        let sight = Sight::Shared(SurfaceKind::Acp);
        Ok(Some(Intent { env, shell, ..Intent::certain(deed, sight, cwd) }))
    }

    fn edit(&mut self, command: &str) -> Result<(), Error> {
        bourne().clone_into(&mut self.command);
        self.args = vec!["-c".to_owned(), command.to_owned()];
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flightdeck_contract::ConversationId;

    #[test]
    fn a_usual_shell_is_no_matter() {
        assert!(!matters("SHELL", "/bin/bash"));
        assert!(matters("SHELL", "/tmp/evil"));
        assert!(matters("LD_PRELOAD", "/tmp/evil.so"));
        let path = std::env::var("PATH").unwrap_or_default();
        assert!(!matters("PATH", &path) && matters("PATH", "/tmp/evil"));
    }

    #[test]
    fn a_whole_line_is_run_by_a_shell_and_a_program_is_not() {
        for (command, args, line) in [
            ("npm", &["test"][..], false),
            ("ls", &[], false),
            ("/bin/ls", &[], false),
            ("echo hi; exit 3", &[], true),
            ("ls -la", &[], true),
            ("FOO=1 make", &[], true),
            ("a|b", &[], true),
            ("bash", &["-c", "echo $HOME"], false),
            ("sh -c", &["echo"], false),
        ] {
            let request = NewChatTerminal {
                id: ConversationId::new(1),
                request: String::new(),
                command: command.to_owned(),
                args: args.iter().map(|arg| (*arg).to_owned()).collect(),
                env: std::collections::BTreeMap::new(),
                cwd: None,
                output_limit: None,
            };
            assert_eq!(is_line(&request), line, "{command}");
            assert_eq!(words(&request).len(), if line { 3 } else { 1 + args.len() }, "{command}");
        }
    }
}
