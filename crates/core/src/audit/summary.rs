//! A call of the audit log as a sentence for people: ran `npm test` in t3. Front ends show its parts, and open what can be
//! opened; none of them makes sentences itself.

use flightdeck_contract::TerminalId;
use flightdeck_contract::hub::SummaryPart;
use serde_json::{Map, Value};

use crate::store::RUNNING;

/// What a summary is made from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SummarySource<'a> {
    pub command: &'a str,
    /// The arguments as JSON text; a long one may have been cut, and is then not JSON any more.
    pub args: &'a str,
    /// The terminal that the call was about.
    pub terminal: Option<&'a str>,
    /// `ok`, `running`, or why it did not succeed.
    pub result: &'a str,
    /// The command that a person approved in place of the one in the arguments.
    pub edited: Option<&'a str>,
    /// The command that an answer was about.
    pub asked: Option<&'a str>,
}

/// Whether the call was carried out, as far as its result tells. One that was cut off may have had its effect.
pub(crate) fn may_have_happened(result: &str) -> bool {
    let cut_off = ["abandoned", "cancelled", "interrupted", "timed_out", "disconnected", "hub_stopping"];
    result == "ok" || result == RUNNING || cut_off.contains(&result)
}

/// Whether the policy or a person refused the call.
fn was_refused(result: &str) -> bool {
    matches!(result, "blocked" | "declined" | "approval_expired" | "approval_unavailable" | "consent_declined")
}

/// The sentence about a call, without its subject.
pub(crate) fn summary_of(source: &SummarySource<'_>) -> Vec<SummaryPart> {
    let args = serde_json::from_str(source.args).unwrap_or_default();
    let Summary { verb, mut rest } = Call { source, args: &args }.summary();
    let start = if may_have_happened(source.result) {
        verb.past.to_owned()
    } else if was_refused(source.result) {
        format!("wanted to {}", verb.base)
    } else {
        format!("failed to {}", verb.base)
    };
    match rest.first_mut() {
        Some(SummaryPart::Text { text }) => text.insert_str(0, &start),
        Some(_) => rest.insert(0, text(format!("{start} "))),
        None => rest.push(text(start)),
    }
    rest
}

/// What was done, or was not.
#[derive(Clone, Copy, Debug)]
struct Verb {
    base: &'static str,
    past: &'static str,
}

/// A sentence before it is known whether its verb stands in the past.
struct Summary {
    verb: Verb,
    rest: Vec<SummaryPart>,
}

const fn verb(base: &'static str, past: &'static str) -> Verb {
    Verb { base, past }
}

const ACCEPT: Verb = verb("accept", "accepted");
const ACKNOWLEDGE: Verb = verb("acknowledge", "acknowledged");
const ADD: Verb = verb("add", "added");
const ALLOW: Verb = verb("allow", "allowed");
const ANSWER: Verb = verb("answer", "answered");
const ASK: Verb = verb("ask", "asked");
const BEGIN: Verb = verb("begin", "began");
const CALL: Verb = verb("call", "called");
const CHANGE: Verb = verb("change", "changed");
const CLOSE: Verb = verb("close", "closed");
const DELETE: Verb = verb("delete", "deleted");
const DENY: Verb = verb("deny", "denied");
const EDIT: Verb = verb("edit", "edited");
const END: Verb = verb("end", "ended");
const FOCUS: Verb = verb("focus", "focused");
const FOLLOW: Verb = verb("follow", "followed");
const HAND_BACK: Verb = verb("hand back", "handed back");
const HIGHLIGHT: Verb = verb("highlight", "highlighted");
const KEEP: Verb = verb("keep", "kept");
const LET: Verb = verb("let", "let");
const LIST: Verb = verb("list", "listed");
const LOOK: Verb = verb("look", "looked");
const MAKE: Verb = verb("make", "made");
const MOVE: Verb = verb("move", "moved");
const OPEN: Verb = verb("open", "opened");
const PASS_ON: Verb = verb("pass on", "passed on");
const PIN: Verb = verb("pin", "pinned");
const PROMPT: Verb = verb("prompt", "prompted");
const READ: Verb = verb("read", "read");
const REGISTER: Verb = verb("register", "registered");
const RELEASE: Verb = verb("release", "released");
const REMOVE: Verb = verb("remove", "removed");
const RESIZE: Verb = verb("resize", "resized");
const RESTORE: Verb = verb("restore", "restored");
const RUN: Verb = verb("run", "ran");
const SAVE: Verb = verb("save", "saved");
const SCROLL: Verb = verb("scroll", "scrolled");
const SEARCH: Verb = verb("search", "searched");
const SEND: Verb = verb("send", "sent");
const SERVE: Verb = verb("serve", "served");
const SIGN: Verb = verb("sign", "signed");
const START: Verb = verb("start", "started");
const STOP: Verb = verb("stop", "stopped");
const TAKE: Verb = verb("take", "took");
const TRY: Verb = verb("try", "tried");
const TYPE: Verb = verb("type", "typed");
const UNDO: Verb = verb("undo", "undid");
const UNPIN: Verb = verb("unpin", "unpinned");
const USE: Verb = verb("use", "used");
const VERIFY: Verb = verb("verify", "verified");
const WAIT: Verb = verb("wait", "waited");
const WATCH: Verb = verb("watch", "watched");
const WRITE: Verb = verb("write", "wrote");

fn text(text: impl Into<String>) -> SummaryPart {
    SummaryPart::Text { text: text.into() }
}

fn code(text: impl Into<String>) -> SummaryPart {
    SummaryPart::Code { text: text.into() }
}

/// `listed` + ` terminals`.
fn plain(verb: Verb, object: &str) -> Summary {
    Summary { verb, rest: vec![text(format!(" {object}"))] }
}

/// `searched` + ` for ` + `TODO`.
fn with_code(verb: Verb, between: &str, what: impl Into<String>) -> Summary {
    Summary { verb, rest: vec![text(format!(" {between}")), code(what)] }
}

/// A call with its arguments read.
struct Call<'a> {
    source: &'a SummarySource<'a>,
    args: &'a Map<String, Value>,
}

impl Call<'_> {
    fn summary(&self) -> Summary {
        match self.source.command {
            "flightdeck.terminal.exec" => self.started(),
            "flightdeck.terminal.run" | "execute_command" | "start_process" | "flightdeck.chat.terminal.new" => {
                self.ran()
            }
            "memory_terminal" | "memory_terminal_interactive" | "memory_terminal_vscode" => self.canonical(),
            command => self
                .of_terminal(command)
                .or_else(|| self.of_workbench(command))
                .or_else(|| self.of_conversation(command))
                .or_else(|| self.of_people(command))
                .or_else(|| of_hub(command))
                // An IDE has brought it, or another version of the hub.
                .unwrap_or_else(|| with_code(CALL, "", command)),
        }
    }

    fn of_terminal(&self, command: &str) -> Option<Summary> {
        Some(match command {
            "flightdeck.terminal.keys" | "openspace.terminal.send" => self.terminal(TYPE, "into", ""),
            "flightdeck.terminal.new" => self.opened(),
            "openspace.terminal.create" | "create_tab" | "flightdeck.terminal.attach" => {
                self.terminal(OPEN, "", "a terminal")
            }
            "flightdeck.terminal.kill" => self.terminal(END, "", "a terminal"),
            "openspace.terminal.close" => self.terminal(CLOSE, "", "a terminal"),
            "close_tab" => self.terminal(CLOSE, "", "a tab"),
            "flightdeck.terminal.signal" => {
                let signal = self.string(&["signal"]).unwrap_or("a signal");
                self.terminal(SEND, &format!("{signal} to"), "a signal")
            }
            "flightdeck.terminal.read"
            | "openspace.terminal.read_output"
            | "read_logs_from_tab"
            | "stream_logs_from_tab" => self.terminal(READ, "", "output"),
            "flightdeck.terminal.screen" => self.terminal(LOOK, "at", "at a screen"),
            "flightdeck.terminal.times" => self.terminal(LOOK, "at", "at a terminal"),
            "flightdeck.terminal.history" => self.terminal(LOOK, "at the commands of", "at commands"),
            "flightdeck.terminal.wait" => self.terminal(WAIT, "for", ""),
            "flightdeck.terminal.watch" => self.terminal(WATCH, "", "a terminal"),
            "flightdeck.terminal.follow" => self.terminal(FOLLOW, "", "output"),
            "flightdeck.terminal.pin" => self.terminal(PIN, "", "a terminal"),
            "flightdeck.terminal.remove" => self.terminal(REMOVE, "", "a terminal"),
            "flightdeck.terminal.resize" => self.terminal(RESIZE, "", "a terminal"),
            "stop_process" => self.terminal(STOP, "what ran in", "a process"),
            "flightdeck.terminal.list" | "openspace.terminal.list" => plain(LIST, "terminals"),
            "list_tabs" => plain(LIST, "tabs"),
            "set_history_limit" => plain(CHANGE, "how much output tabs keep"),
            "flightdeck.terminal.search" | "openspace.file.search" => {
                with_code(SEARCH, "for ", self.string(&["query", "pattern", "text"]).unwrap_or("…"))
            }
            "flightdeck.terminal.lease" => match self.string(&["action"]) {
                Some("take") => self.terminal(TAKE, "the controls of", "the controls"),
                Some("release") => self.terminal(HAND_BACK, "", "the controls"),
                Some("wait") => self.terminal(WAIT, "for", "for the controls"),
                _ => self.terminal(ASK, "who holds", "who holds the controls"),
            },
            _ => return None,
        })
    }

    fn of_workbench(&self, command: &str) -> Option<Summary> {
        Some(match command {
            "openspace.editor.open" => self.file(OPEN, ""),
            "openspace.editor.close" => self.file(CLOSE, ""),
            "openspace.editor.highlight" => self.file(HIGHLIGHT, ""),
            "openspace.editor.scroll_to" => self.file(SCROLL, "to "),
            "openspace.editor.read_file" | "openspace.file.read" | "flightdeck.chat.file.read" => self.file(READ, ""),
            "openspace.file.write" | "flightdeck.chat.file.write" => self.file(WRITE, ""),
            "openspace.file.undo" if self.string(&["path"]).is_none() => plain(UNDO, "a write"),
            "openspace.file.undo" => self.file(UNDO, "a write to "),
            "openspace.file.list" => plain(LIST, self.string(&["path"]).unwrap_or("files")),
            "openspace.editor.clear_highlight" => plain(REMOVE, "a highlight"),
            "openspace.pane.open" => plain(OPEN, self.string(&["contentId", "path"]).unwrap_or("a pane")),
            "openspace.pane.close" => plain(CLOSE, "a pane"),
            "openspace.pane.focus" => plain(FOCUS, "a pane"),
            "openspace.pane.list" => plain(LIST, "panes"),
            "openspace.pane.resize" => plain(RESIZE, "a pane"),
            "flightdeck.workbench.save" => self.file(SAVE, ""),
            "flightdeck.workbench.edit" => self.file(EDIT, ""),
            "flightdeck.workbench.resolve" if self.string(&["keep"]) == Some("mine") => {
                self.file(KEEP, "the edits to ")
            }
            "flightdeck.workbench.resolve" => self.file(TAKE, "the version on disk of "),
            "flightdeck.workbench.clear_highlights" => self.file(REMOVE, "the highlights of "),
            "flightdeck.workbench.pin" if self.flag("pinned") == Some(false) => plain(UNPIN, "a pane"),
            "flightdeck.workbench.pin" => plain(PIN, "a pane"),
            "flightdeck.workbench.document" => self.file(LOOK, "at "),
            "flightdeck.workbench.snapshot" => plain(LOOK, "at the workbench"),
            "flightdeck.workbench.state" => plain(LOOK, "at the panes"),
            "flightdeck.workbench.view" => plain(LOOK, "around"),
            "flightdeck.workbench.watch" => plain(WATCH, "the workbench"),
            "flightdeck.workbench.close_tab" => plain(CLOSE, "a tab"),
            "flightdeck.workbench.move_tab" => plain(MOVE, "a tab"),
            "flightdeck.file.writes" => plain(LIST, "writes"),
            "flightdeck.file.write_texts" => plain(LOOK, "at a write"),
            _ => return None,
        })
    }

    fn of_conversation(&self, command: &str) -> Option<Summary> {
        Some(match command {
            "flightdeck.chat.agents" => plain(LIST, "known agents"),
            "flightdeck.chat.answer" => plain(ANSWER, "an agent’s question"),
            "flightdeck.chat.authenticate" => plain(SIGN, "in to an agent"),
            "flightdeck.chat.logout" => plain(SIGN, "out of an agent"),
            "flightdeck.chat.budget" => plain(CHANGE, "the budget of a conversation"),
            "flightdeck.chat.cancel" => plain(STOP, "an agent’s turn"),
            "flightdeck.chat.list" => plain(LIST, "conversations"),
            "flightdeck.chat.mode" => plain(CHANGE, "the mode of an agent"),
            "flightdeck.chat.new" => plain(BEGIN, "a conversation with an agent"),
            "flightdeck.chat.option" => plain(CHANGE, "an option of an agent"),
            "flightdeck.chat.output" => plain(READ, "the output in a tool call"),
            "flightdeck.chat.overview" => plain(WATCH, "the conversations"),
            "flightdeck.chat.permission" => plain(ASK, "for permission"),
            "flightdeck.chat.prompt" => plain(PROMPT, "an agent"),
            "flightdeck.chat.read" => plain(READ, "a conversation"),
            "flightdeck.chat.remove" => plain(REMOVE, "a conversation"),
            "flightdeck.chat.restart" => plain(START, "an agent again"),
            "flightdeck.chat.session.delete" => plain(DELETE, "a session of an agent"),
            "flightdeck.chat.session.list" => plain(LIST, "the sessions of an agent"),
            "flightdeck.chat.stop" => plain(STOP, "an agent"),
            "flightdeck.chat.terminal.kill" => self.terminal(END, "the command in", "a command"),
            "flightdeck.chat.terminal.output" => self.terminal(READ, "", "output"),
            "flightdeck.chat.terminal.release" => self.terminal(RELEASE, "", "a terminal"),
            "flightdeck.chat.terminal.wait" => self.terminal(WAIT, "for", "for a command"),
            "flightdeck.chat.watch" => plain(WATCH, "a conversation"),
            _ => return None,
        })
    }

    /// What people do: answers, consent and rules.
    fn of_people(&self, command: &str) -> Option<Summary> {
        Some(match command {
            "flightdeck.approval.answer" => self.answered(),
            "flightdeck.approval.list" => plain(LIST, "approvals"),
            "flightdeck.approval.watch" => plain(WATCH, "approvals"),
            "flightdeck.consent.show" => plain(LOOK, "at the consent"),
            "flightdeck.consent.set" if self.flag("allow") == Some(true) => plain(LET, "agents control the workbench"),
            "flightdeck.consent.set" => plain(KEEP, "agents from the workbench"),
            "flightdeck.policy.add" => {
                let effect = match self.string(&["action"]) {
                    Some("ask") => "asks about",
                    Some("block") => "blocks",
                    _ => "allows",
                };
                with_code(ADD, &format!("a rule that {effect} "), self.words("patterns").join(", "))
            }
            "flightdeck.policy.remove" => with_code(REMOVE, "the rule ", self.string(&["name"]).unwrap_or("…")),
            "flightdeck.policy.accept" => plain(ACCEPT, "the changed rules"),
            "flightdeck.policy.reject" => plain(RESTORE, "the rules"),
            "flightdeck.policy.rehearse" => plain(TRY, "a rule on the audit log"),
            "flightdeck.policy.show" => plain(LOOK, "at the rules"),
            "flightdeck.policy.changes" => plain(LOOK, "at the changed rules"),
            "flightdeck.policy.test" => with_code(ASK, "the policy about ", self.string(&["command"]).unwrap_or("…")),
            _ => return None,
        })
    }

    /// `ran` `npm test` in t3. What a person approved in its place is what ran.
    fn ran(&self) -> Summary {
        let line = self.source.edited.map(str::to_owned).or_else(|| self.command_line());
        let mut rest = match (line, self.terminal_id()) {
            (Some(line), Some(_)) => vec![SummaryPart::Command { text: line }, text(" in ")],
            (Some(line), None) => vec![code(line)],
            (None, Some(_)) => vec![text(" something in ")],
            (None, None) => vec![text(" something")],
        };
        rest.extend(self.terminal_id().map(terminal_part));
        Summary { verb: RUN, rest }
    }

    /// What to start stands one level deeper, as for a new terminal.
    fn started(&self) -> Summary {
        let args = self.args.get("terminal").and_then(Value::as_object).unwrap_or(self.args);
        Call { source: self.source, args }.ran()
    }

    /// A terminal that was opened for a command is described by the command.
    fn opened(&self) -> Summary {
        if self.source.edited.is_some() || self.command_line().is_some() {
            return self.ran();
        }
        self.terminal(OPEN, "", "a terminal")
    }

    /// The canonical contract names what it does by its action, and holds the command one level deeper.
    fn canonical(&self) -> Summary {
        let mut args = self.args.clone();
        let nested = ["payload", "request", "params", "execution"];
        if let Some(Value::Object(inner)) = nested.iter().find_map(|name| args.get(*name).filter(|it| it.is_object())) {
            args.extend(inner.clone());
        }
        let call = Call { source: self.source, args: &args };
        match call.string(&["action"]) {
            Some("list") => plain(LIST, "terminals"),
            Some("read_output") => call.terminal(READ, "", "output"),
            Some("terminate" | "kill" | "close") => call.terminal(END, "", "a terminal"),
            _ => call.opened(),
        }
    }

    /// `denied` `rm -rf src`, or what the request was called where nothing else is known of it.
    fn answered(&self) -> Summary {
        let about = match self.source.asked {
            Some(asked) => code(asked),
            None => text(self.string(&["id"]).unwrap_or("a request")),
        };
        let mut rest = vec![text(" "), about];
        if self.string(&["choice"]) != Some("approve") {
            return Summary { verb: DENY, rest };
        }
        let edited = self.string(&["command"]);
        if let Some(edited) = edited {
            rest.extend([text(" to "), code(edited)]);
        }
        if let Some(scope) = self.string(&["scope"]).filter(|scope| *scope != "once") {
            rest.push(text(format!(" ({scope})")));
        }
        Summary { verb: if edited.is_some() { CHANGE } else { ALLOW }, rest }
    }

    /// `ended t3`, or `ended a terminal` where it is not known which.
    fn terminal(&self, verb: Verb, before: &str, unknown: &str) -> Summary {
        let word = |word: &str| if word.is_empty() { String::new() } else { format!(" {word}") };
        let rest = match self.terminal_id() {
            Some(id) => vec![text(format!("{} ", word(before))), terminal_part(id)],
            None => vec![text(word(unknown))],
        };
        Summary { verb, rest }
    }

    /// `opened src/main.rs:12`.
    fn file(&self, verb: Verb, before: &str) -> Summary {
        let Some(path) = self.string(&["path"]) else {
            let what = self.string(&["editorId"]).unwrap_or("a file");
            return plain(verb, &format!("{before}{what}"));
        };
        let line = self.args.get("line").or_else(|| self.args.get("startLine")).and_then(Value::as_u64);
        let path = path.to_owned();
        Summary { verb, rest: vec![text(format!(" {before}")), SummaryPart::File { path, line }] }
    }

    /// The command in one line: some calls take a list of words, others the arguments beside the program.
    fn command_line(&self) -> Option<String> {
        let mut words = self.words("command");
        words.extend(self.string(&["command"]));
        words.extend(self.words("args"));
        (!words.is_empty()).then(|| words.join(" "))
    }

    /// Its id, or what the call names where there was no such terminal.
    fn terminal_id(&self) -> Option<String> {
        self.source
            .terminal
            .or_else(|| self.string(&["id", "terminalId", "terminal_id", "window_id"]))
            .map(str::to_owned)
    }

    /// The first of these arguments that is a text, and not empty.
    fn string(&self, names: &[&str]) -> Option<&str> {
        names.iter().filter_map(|name| self.args.get(*name)?.as_str()).find(|text| !text.is_empty())
    }

    fn words(&self, name: &str) -> Vec<&str> {
        self.args.get(name).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
    }

    fn flag(&self, name: &str) -> Option<bool> {
        self.args.get(name)?.as_bool()
    }
}

/// Calls about the hub itself, which need no arguments to be described.
fn of_hub(command: &str) -> Option<Summary> {
    Some(match command {
        "flightdeck.agent.list" => plain(LIST, "agents"),
        "flightdeck.bridge.register" => plain(REGISTER, "an IDE"),
        "flightdeck.bridge.result" => plain(PASS_ON, "a result of the IDE"),
        "flightdeck.bridge.serve" => plain(SERVE, "as the IDE"),
        "flightdeck.bridge.state" => plain(PASS_ON, "the state of the IDE"),
        "flightdeck.hub.acknowledge" => plain(ACKNOWLEDGE, "what happened to the database"),
        "flightdeck.hub.audit" => plain(READ, "the audit log"),
        "flightdeck.hub.commands" => plain(LIST, "the commands"),
        "flightdeck.hub.instructions" => plain(READ, "the instructions"),
        "flightdeck.hub.pairing_code" => plain(MAKE, "a pairing code"),
        "flightdeck.hub.pair" => plain(USE, "a pairing code"),
        "flightdeck.hub.link" => plain(MAKE, "a login link"),
        "flightdeck.hub.results" => plain(LOOK, "at the last results"),
        "flightdeck.hub.status" => plain(LOOK, "at the hub"),
        "flightdeck.hub.stop" => plain(STOP, "the hub"),
        "flightdeck.hub.verify" => plain(VERIFY, "the audit log"),
        "flightdeck.hub.watch" => plain(WATCH, "the hub"),
        _ => return None,
    })
}

/// Front ends lead to a terminal by its id only.
fn terminal_part(name: String) -> SummaryPart {
    match name.parse::<TerminalId>() {
        Ok(_) => SummaryPart::Terminal { id: name },
        Err(_) => SummaryPart::Code { text: name },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Registry;

    fn source<'a>(command: &'a str, args: &'a str, terminal: &'a str, result: &'a str) -> SummarySource<'a> {
        SummarySource {
            command,
            args,
            terminal: Some(terminal).filter(|id| !id.is_empty()),
            result,
            edited: None,
            asked: None,
        }
    }

    fn sentence(source: &SummarySource<'_>) -> String {
        summary_of(source).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn only_the_id_of_a_terminal_leads_to_it() {
        let leads = |terminal| {
            let parts = summary_of(&source("execute_command", r#"{"command":"ls"}"#, terminal, ""));
            parts.iter().any(|part| matches!(part, SummaryPart::Terminal { .. }))
        };
        assert!(leads("t3") && !leads("@99") && !leads("build"));
    }

    #[test]
    fn calls_read_as_sentences() {
        for (command, args, terminal, expected) in [
            ("flightdeck.terminal.run", r#"{"command":"npm test","id":"t3"}"#, "", "ran npm test in t3"),
            ("flightdeck.terminal.run", r#"{"command":"npm test"}"#, "t9", "ran npm test in t9"),
            ("flightdeck.terminal.run", r#"{"command":"npm test"}"#, "", "ran npm test"),
            ("flightdeck.terminal.run", "{}", "t1", "ran something in t1"),
            ("flightdeck.terminal.keys", r#"{"id":"t3","text":"***"}"#, "", "typed into t3"),
            ("openspace.terminal.send", r#"{"terminalId":"t3","text":"x"}"#, "", "typed into t3"),
            ("openspace.editor.open", r#"{"path":"src/handler.rs","line":42}"#, "", "opened src/handler.rs:42"),
            ("openspace.file.write", r#"{"path":"src/x.ts","content":"[4 bytes]"}"#, "", "wrote src/x.ts"),
            ("openspace.file.write", r#"{"path": "cut o"#, "", "wrote a file"),
            ("flightdeck.terminal.new", "{}", "", "opened a terminal"),
            ("flightdeck.terminal.signal", r#"{"id":"t2","signal":"INT"}"#, "", "sent INT to t2"),
            ("flightdeck.terminal.lease", r#"{"id":"t3","action":"take"}"#, "", "took the controls of t3"),
            ("flightdeck.approval.answer", r#"{"id":"a1","choice":"decline"}"#, "", "denied a1"),
            (
                "flightdeck.approval.answer",
                r#"{"id":"a1","choice":"approve","scope":"session"}"#,
                "",
                "allowed a1 (session)",
            ),
            ("flightdeck.approval.answer", r#"{"id":"a1","choice":"approve","command":"ls"}"#, "", "changed a1 to ls"),
            (
                "memory_terminal_interactive",
                r#"{"action":"execute","execution":{"command":"git","args":["push","-f"]}}"#,
                "t3",
                "ran git push -f in t3",
            ),
            ("memory_terminal_interactive", r#"{"action":"terminate"}"#, "t3", "ended t3"),
            ("flightdeck.chat.terminal.new", r#"{"command":"npm","args":["test"]}"#, "t4", "ran npm test in t4"),
            ("flightdeck.terminal.new", r#"{"command":["python3","-i"]}"#, "t4", "ran python3 -i in t4"),
            (
                "flightdeck.terminal.exec",
                r#"{"terminal":{"command":["echo","from","cli"]}}"#,
                "t42",
                "ran echo from cli in t42",
            ),
            ("flightdeck.chat.new", r#"{"command":["claude"]}"#, "", "began a conversation with an agent"),
            (
                "flightdeck.policy.add",
                r#"{"patterns":["npm test","npm ci"],"action":"block"}"#,
                "",
                "added a rule that blocks npm test, npm ci",
            ),
            ("flightdeck.hub.verify", "{}", "", "verified the audit log"),
            ("my.ide.thing", "{}", "", "called my.ide.thing"),
        ] {
            assert_eq!(sentence(&source(command, args, terminal, "ok")), expected, "{command} {args}");
        }
    }

    #[test]
    fn what_did_not_happen_is_not_reported_as_done() {
        for (command, args, result, expected) in [
            ("openspace.terminal.create", "{}", "cwd_missing", "failed to open a terminal"),
            ("flightdeck.terminal.kill", r#"{"id":"t999"}"#, "terminal_not_found", "failed to end t999"),
            ("flightdeck.terminal.run", r#"{"command":"make","id":"t3"}"#, "terminal_busy", "failed to run make in t3"),
            ("flightdeck.terminal.run", r#"{"command":"rm -rf /"}"#, "blocked", "wanted to run rm -rf /"),
            ("flightdeck.terminal.keys", r#"{"id":"t3"}"#, "lease_held", "failed to type into t3"),
            ("openspace.file.search", r#"{"query":"("}"#, "invalid_argument", "failed to search for ("),
            ("flightdeck.hub.verify", "{}", "internal", "failed to verify the audit log"),
            ("my.ide.thing", "{}", "bridge_failed", "failed to call my.ide.thing"),
            // These may have had their effect.
            ("flightdeck.terminal.run", r#"{"command":"make"}"#, "interrupted", "ran make"),
            ("flightdeck.terminal.wait", r#"{"id":"t3"}"#, "timed_out", "waited for t3"),
        ] {
            assert_eq!(sentence(&source(command, args, "", result)), expected, "{command} {args} {result}");
        }
    }

    #[test]
    fn an_edited_command_is_the_one_that_ran() {
        let asked = source("flightdeck.terminal.run", r#"{"command":"rm -rf x","id":"t3"}"#, "", "ok");
        assert_eq!(sentence(&SummarySource { edited: Some("ls x"), ..asked }), "ran ls x in t3");
    }

    #[test]
    fn an_answer_says_what_it_was_about() {
        for (args, expected) in [
            (r#"{"id":"a2","choice":"decline"}"#, "denied rm -rf src"),
            (r#"{"id":"a2","choice":"approve","scope":"session"}"#, "allowed rm -rf src (session)"),
            (r#"{"id":"a2","choice":"approve","command":"ls"}"#, "changed rm -rf src to ls"),
        ] {
            let answer = source("flightdeck.approval.answer", args, "", "ok");
            assert_eq!(sentence(&SummarySource { asked: Some("rm -rf src"), ..answer }), expected);
        }
    }

    #[test]
    fn commands_files_and_terminals_are_parts_of_their_own() {
        let parts = summary_of(&source("flightdeck.terminal.run", r#"{"command":"ls","id":"t1"}"#, "", "ok"));
        let [text, code, id] = ["ran ", " in ", "t1"].map(str::to_owned);
        let command = SummaryPart::Command { text: "ls".to_owned() };
        let expected =
            [SummaryPart::Text { text }, command, SummaryPart::Text { text: code }, SummaryPart::Terminal { id }];
        assert_eq!(parts, expected);
    }

    #[test]
    fn every_command_has_a_summary() {
        for command in Registry::new().commands() {
            let done = sentence(&source(&command.id, "{}", "", "ok"));
            assert!(!done.contains(&*command.id) && !done.starts_with("called"), "{}: {done}", command.id);
            let failed = sentence(&source(&command.id, "{}", "", "internal"));
            assert!(failed.starts_with("failed to "), "{}: {failed}", command.id);
        }
    }
}
