//! What a caller does after a failure: a pure function of the code and the class of the request.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::pm_term::{PmTerm, Strategy};
use super::response::any_object;
use super::words::{Action, Mode, words};

/// What to do now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Fallback {
    /// The way out, for programs. It depends on the code alone.
    pub strategy: Strategy,
    /// The action to call next, or `none`.
    pub next_action: NextAction,
    /// The mode to call it in.
    pub recommended_mode: Mode,
    /// The same in words.
    pub user_message: String,
    /// Whether a program may send the same request again without asking anybody.
    pub can_auto_retry: bool,
    /// The request to send now, ready as it is; only there where one is known that would be accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "any_object")]
    pub request: Option<Value>,
}

words! {
    /// The action to call next.
    NextAction {
        /// Run it, corrected or in another mode.
        Execute = "execute",
        /// Look at the output.
        ReadOutput = "read_output",
        /// End it.
        Terminate = "terminate",
        /// Look what there is.
        List = "list",
        /// Nothing: it is for the user to say.
        None = "none",
    }
}

/// What counts about a request when it fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Class {
    /// What was to be done, if that could be told.
    pub action: Option<Action>,
    /// The mode, or the default one.
    pub mode: Mode,
    /// How things stand.
    pub state: State,
}

/// How things stand after the failure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum State {
    /// Nothing goes on.
    #[default]
    Usual,
    /// The command was started and goes on.
    Running,
    /// Something else has to change first: it is in use, used up, or to be put right. Another mode does not help.
    Later,
    /// Nobody can allow it.
    Final,
    /// Nobody is there to see it, and unseen it could run.
    Unseen,
    /// It is known that nothing was started.
    Unstarted,
    /// A person has to allow it, and one can be asked.
    Attended,
    /// A person has to allow it, and nobody is there.
    Unattended,
}

/// What to do about this code in this class of request.
pub fn fallback(code: PmTerm, class: Class) -> Fallback {
    let (next_action, recommended_mode, message, can_auto_retry) = match code {
        PmTerm::InvalidAction => {
            (class.same(), class.mode, "Send execute, read_output, terminate or list; error.details says how.", false)
        }
        PmTerm::InvalidPayload => {
            (class.same(), class.mode, "Correct what the error names, then send the request anew.", false)
        }
        PmTerm::InvalidMode => (
            class.same(),
            class.mode,
            "Change the mode as the error says; error.details.allowed_modes has those that there are.",
            false,
        ),
        PmTerm::Declined => {
            let message = "It was declined. Tell the user, and do not run it again unless they ask for it.";
            (NextAction::None, class.mode, message, false)
        }
        PmTerm::Timeout => timeout(class),
        PmTerm::Disconnected => disconnected(class),
        PmTerm::GuiUnavailable if class.state == State::Unseen => {
            (class.same(), Mode::Headless, "Send fallback.request.", false)
        }
        PmTerm::GuiUnavailable => {
            let message = "Ask the user to run `flightdeck approve --watch`, then send it again.";
            (class.same(), class.mode, message, false)
        }
        PmTerm::BlockedDestructive => blocked(class),
        PmTerm::NotFound => {
            let message = "There is no such session or terminal for you. Call list, then retry with an id from there.";
            (NextAction::List, class.mode, message, false)
        }
        PmTerm::Internal => internal(class),
    };
    Fallback {
        strategy: code.strategy(),
        next_action,
        recommended_mode,
        user_message: message.to_owned(),
        can_auto_retry,
        request: None,
    }
}

type Way = (NextAction, Mode, &'static str, bool);

/// Words for the one case in which running a command again would run it twice.
const GOES_ON: &str = "The command still runs: get its output with read_output. Executing it again would run it twice.";

fn timeout(class: Class) -> Way {
    match (class.state, class.action, class.mode) {
        (State::Running, ..) => (NextAction::ReadOutput, class.mode, GOES_ON, false),
        (_, Some(Action::Execute), Mode::Interactive) => {
            let message = "The interactive path timed out. You can retry now or run in headless mode.";
            (NextAction::Execute, Mode::Headless, message, false)
        }
        (_, Some(Action::Execute), Mode::Headless) => {
            let message = "The headless path timed out. You can retry now or run in interactive mode.";
            (NextAction::Execute, Mode::Interactive, message, false)
        }
        _ => (class.same(), class.mode, "The request timed out. You can retry now.", class.repeatable()),
    }
}

fn disconnected(class: Class) -> Way {
    match (class.state, class.repeatable()) {
        (_, true) => (class.same(), class.mode, "The connection was lost. Reconnect and send the request again.", true),
        (State::Running, false) => (NextAction::ReadOutput, class.mode, GOES_ON, false),
        (State::Unstarted, false) => {
            let message =
                "The connection was lost, and nothing was run. Put right what the error names, then send it again.";
            (class.same(), class.mode, message, false)
        }
        (_, false) => {
            let message = "The connection was lost, and the command may have been started. Reconnect, and look with \
                           list before you run it again.";
            (NextAction::List, class.mode, message, false)
        }
    }
}

fn blocked(class: Class) -> Way {
    match (class.state, class.action, class.mode) {
        (State::Final, ..) => {
            let message = "Nobody can allow this. Reach the goal in another way, or tell the user.";
            (NextAction::None, class.mode, message, false)
        }
        (State::Later, ..) => {
            let message = "It can't be allowed as things are. Ask the user to put right what the error names.";
            (NextAction::None, class.mode, message, false)
        }
        (State::Attended, ..) => {
            let message = "Send it with mode interactive: a person is there who can allow it.";
            (NextAction::Execute, Mode::Interactive, message, false)
        }
        (State::Unattended, ..) => {
            let message = "Only a person can allow it: ask the user to run `flightdeck approve --watch`, then send it with mode \
                 interactive.";
            (NextAction::None, Mode::Interactive, message, false)
        }
        (_, Some(Action::Execute), Mode::Headless) => {
            (NextAction::Execute, Mode::Headless, "Put right what the error names, then send it again.", false)
        }
        _ => {
            let message =
                "The policy blocks this. Reach the goal in a safer way, or ask the user to change the policy.";
            (NextAction::None, class.mode, message, false)
        }
    }
}

fn internal(class: Class) -> Way {
    if class.state == State::Running {
        return (NextAction::ReadOutput, class.mode, GOES_ON, false);
    }
    if class.state == State::Later {
        let message = "It can't be done just now. Wait for what the error names, then send the request again.";
        return (class.same(), class.mode, message, false);
    }
    if class.repeatable() {
        let message = "Something went wrong inside. You can retry; the trace id in error.details finds it in the log.";
        return (class.same(), class.mode, message, false);
    }
    let message = "Something went wrong inside. Look with list whether it was started before you retry; the trace id \
                   in error.details finds it in the log.";
    (NextAction::List, class.mode, message, false)
}

impl Class {
    /// The same action again.
    fn same(self) -> NextAction {
        match self.action {
            Some(Action::Execute) => NextAction::Execute,
            Some(Action::ReadOutput) => NextAction::ReadOutput,
            Some(Action::Terminate) => NextAction::Terminate,
            Some(Action::List) => NextAction::List,
            None => NextAction::None,
        }
    }

    /// Whether doing it twice is the same as doing it once.
    fn repeatable(self) -> bool {
        matches!(self.action, Some(Action::ReadOutput | Action::Terminate | Action::List))
    }
}
