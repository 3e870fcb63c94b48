//! The ten codes of the contract, with everything that a code alone decides in one table.

use super::words::words;
use crate::ErrorCode;

words! {
    /// What went wrong, in the words of the contract.
    PmTerm {
        /// An unknown action or alias.
        InvalidAction = "PM_TERM_INVALID_ACTION",
        /// A field that can't be taken.
        InvalidPayload = "PM_TERM_INVALID_PAYLOAD",
        /// A mode that can't be had.
        InvalidMode = "PM_TERM_INVALID_MODE",
        /// A person said no.
        Declined = "PM_TERM_DECLINED",
        /// The time was up.
        Timeout = "PM_TERM_TIMEOUT",
        /// The connection was lost.
        Disconnected = "PM_TERM_DISCONNECTED",
        /// Nobody is there to see it.
        GuiUnavailable = "PM_TERM_GUI_UNAVAILABLE",
        /// The policy does not let it run.
        BlockedDestructive = "PM_TERM_BLOCKED_DESTRUCTIVE",
        /// No such session or terminal.
        NotFound = "PM_TERM_NOT_FOUND",
        /// What has no code of its own: something is in use for now, the machine is at its limits, or it is a mistake
        /// of Flightdeck's own.
        Internal = "PM_TERM_INTERNAL",
    }
}

words! {
    /// What kind of thing went wrong.
    Category {
        /// The request is not in order.
        Validation = "validation",
        /// A person decided.
        UserDecision = "user_decision",
        /// The time was up.
        RuntimeTimeout = "runtime_timeout",
        /// The way to the terminal.
        Transport = "transport",
        /// What is needed is not there.
        RuntimeUnavailable = "runtime_unavailable",
        /// The policy.
        Authorization = "authorization",
        /// What was meant does not exist.
        Identity = "identity",
        /// Something inside.
        Internal = "internal",
    }
}

words! {
    /// What a caller does about it.
    Strategy {
        /// The same request never succeeds.
        RejectNoRetry = "reject_no_retry",
        /// Tell the user that it was declined.
        ReportDecline = "report_decline",
        /// Try again, in this mode or the other.
        SuggestRetryHeadlessOrInteractive = "suggest_retry_headless_or_interactive",
        /// Connect again, then try again.
        SuggestReconnectRetry = "suggest_reconnect_retry",
        /// Run it headless, if that is allowed.
        FallbackToHeadlessIfAllowed = "fallback_to_headless_if_allowed",
        /// Do it in a safer way.
        RejectWithSafetyHint = "reject_with_safety_hint",
        /// Look what there is, then try again.
        RefreshListThenRetry = "refresh_list_then_retry",
        /// Look what happened, then try again.
        DeterministicInternalFallback = "deterministic_internal_fallback",
    }
}

impl PmTerm {
    /// The row of the taxonomy: category, whether it is retriable, and the default fallback.
    const fn row(self) -> (Category, bool, Strategy) {
        use Strategy as S;
        match self {
            PmTerm::InvalidAction | PmTerm::InvalidPayload | PmTerm::InvalidMode => {
                (Category::Validation, false, S::RejectNoRetry)
            }
            PmTerm::Declined => (Category::UserDecision, false, S::ReportDecline),
            PmTerm::Timeout => (Category::RuntimeTimeout, true, S::SuggestRetryHeadlessOrInteractive),
            PmTerm::Disconnected => (Category::Transport, true, S::SuggestReconnectRetry),
            PmTerm::GuiUnavailable => (Category::RuntimeUnavailable, true, S::FallbackToHeadlessIfAllowed),
            PmTerm::BlockedDestructive => (Category::Authorization, false, S::RejectWithSafetyHint),
            PmTerm::NotFound => (Category::Identity, false, S::RefreshListThenRetry),
            PmTerm::Internal => (Category::Internal, true, S::DeterministicInternalFallback),
        }
    }

    /// What kind of thing went wrong.
    pub const fn category(self) -> Category {
        self.row().0
    }

    /// Whether the same request can succeed another time.
    pub const fn retriable(self) -> bool {
        self.row().1
    }

    /// What a caller does about it.
    pub const fn strategy(self) -> Strategy {
        self.row().2
    }
}

/// Whether something is only in use or used up, for now. Its words are for the caller.
pub const fn is_passing(code: ErrorCode) -> bool {
    use ErrorCode as E;
    matches!(
        code,
        E::TerminalBusy
            | E::LeaseHeld
            | E::RateLimited
            | E::TooManyCalls
            | E::TurnLimit
            | E::StaleVersion
            | E::UnsavedChanges
            | E::EditTooOld
            | E::BridgeTaken
    )
}

/// The code of the contract for one of our own. Every one of ours is here, so a new one has to find its place.
pub const fn pm_term(code: ErrorCode) -> PmTerm {
    use ErrorCode as E;
    match code {
        E::InvalidAction | E::UnknownCommand => PmTerm::InvalidAction,
        E::InvalidMode => PmTerm::InvalidMode,
        // The caller named something that can't be used: another value helps, the same one never does.
        E::InvalidArgument
        | E::CwdMissing
        | E::ProgramNotFound
        | E::ProgramNotExecutable
        | E::NotAShell
        | E::NoTerminal
        | E::BadPath
        | E::NotAFile
        | E::NotAFolder
        | E::BinaryFile
        | E::UnknownEncoding
        | E::TooLarge
        | E::LayoutImpossible
        | E::SyntaxError
        | E::PortTaken
        | E::NotSupported => PmTerm::InvalidPayload,
        // A call that its caller gave up is a decision too, and must not come back by itself.
        E::Declined | E::ConsentDeclined | E::Cancelled => PmTerm::Declined,
        // It was waited for, and the time was up.
        E::TimedOut | E::ApprovalExpired | E::NoPrompt | E::InputNotRead | E::StillRunning => PmTerm::Timeout,
        E::BridgeGone | E::Disconnected | E::HubStopping | E::KeeperLost | E::VersionMismatch | E::NotServed => {
            PmTerm::Disconnected
        }
        E::ApprovalUnavailable => PmTerm::GuiUnavailable,
        // A policy that can't be read lets nothing run; only its repair helps.
        E::Blocked
        | E::NotAllowed
        | E::PolicyInvalid
        | E::OutsideWorkspace
        | E::SensitiveFile
        | E::ProtectedFile
        | E::PermissionDenied => PmTerm::BlockedDestructive,
        // An answered question and an ended terminal are gone; an ambiguous title names nothing. `list` helps.
        E::TerminalNotFound
        | E::TerminalEnded
        | E::Ambiguous
        | E::ApprovalNotFound
        | E::ApprovalSettled
        | E::FileNotFound
        | E::NothingToUndo
        | E::PaneNotFound
        | E::ChatNotFound
        | E::EditorNotOpen
        | E::HighlightNotFound => PmTerm::NotFound,
        // Nothing was waited for: something is in use or used up, for now. The contract has no class for that, and
        // this is its code for what has none. It can be tried again.
        E::TerminalBusy
        | E::LeaseHeld
        | E::RateLimited
        | E::TooManyCalls
        | E::TurnLimit
        | E::StaleVersion
        | E::UnsavedChanges
        | E::EditTooOld
        | E::BridgeTaken
        | E::ChatNotReady
        | E::BudgetExhausted
        // The machine is at its limits: not the caller's doing, and it can pass.
        | E::ResourceLimit
        | E::Storage
        | E::TmuxMissing
        | E::TmuxTooOld
        | E::TmuxFailed
        | E::BridgeFailed
        | E::AgentFailed
        | E::Internal => PmTerm::Internal,
    }
}
