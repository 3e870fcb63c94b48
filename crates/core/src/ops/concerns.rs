//! What each request is about, for the gate.

use flightdeck_contract::agents::ListAgents;
use flightdeck_contract::approval::{AnswerApproval, ListApprovals, WatchApprovals};
use flightdeck_contract::chat::{
    AnswerQuestion, AskPermission, Authenticate, CancelTurn, DeleteSession, KillChatTerminal, ListChats, ListPresets,
    ListSessions, NewChat, NewChatTerminal, Prompt, ReadChat, ReadChatFile, ReadChatOutput, ReadChatTerminal,
    ReleaseChatTerminal, RemoveChat, RestartChat, SetBudget, SetMode, SetOption, SignOut, StopChat,
    WaitForChatTerminal, WatchChat, WatchChats, WriteChatFile,
};
use flightdeck_contract::consent::{SetConsent, ShowConsent};
use flightdeck_contract::events::WatchHub;
use flightdeck_contract::hub::{AcknowledgeDatabase, AuditQuery, Empty, Pair, StopHub};
use flightdeck_contract::openspace::{
    BridgeState, ClearHighlight, CloseEditor, ClosePane, CloseTerminal, CommandResult, CreateTerminal, FocusPane,
    HighlightRanges, ListFiles, ListPanes, ListTerminals, ListWrites, OpenEditor, OpenPane, ReadFile, ReadOutput,
    RegisterBridge, ResizePane, ScrollTo, SearchFiles, SendText, ServeBridge, ShowWrite, UndoWrite, WriteFile,
};
use flightdeck_contract::policy::{
    AcceptPolicy, AddRule, ListPolicyChanges, Rehearse, RejectPolicy, RemoveRule, ShowPolicy, TestPolicy,
};
use flightdeck_contract::tabs::{
    CloseTab, CreateTab, ExecuteCommand, ListTabs, ReadLogs, SetHistoryLimit, StartProcess, StopProcess, StreamLogs,
};
use flightdeck_contract::terminal::{
    Attach, Exec, Follow, History, Kill, LeaseRequest, List, LookAtScreen, New, Pin, Read, Remove, Resize, Run, Search,
    Send, SendSignal, Times, Wait, WatchTerminal,
};
use flightdeck_contract::workbench::{
    self, ClearHighlights, EditDocument, GetDocument, MovePaneTab, PinPane, ResolveConflict, SaveDocument, SetView,
    WatchWorkbench,
};

use crate::registry::{Concern, Concerns};

/// Says of each request what it is about.
macro_rules! concerns {
    ($([$($request:ty),*]: |$it:pat_param| $concern:expr;)*) => {
        $($(impl Concerns for $request {
            fn concern(&self) -> Concern {
                let $it = self;
                $concern
            }
        })*)*
    };
}

concerns! {
    [Attach, Follow, History, LookAtScreen, Pin, Read, Resize, Times, Wait, WatchTerminal]: |it| Concern::terminal(it.id);
    [Kill, Remove]: |it| Concern::terminal(it.id).and_ends().urgently();
    [LeaseRequest, SendSignal]: |it| Concern::terminal(it.id).urgently();
    // Keys alone may be meant to end what runs.
    [Send]: |it| {
        let concern = Concern::terminal(it.id);
        if it.text.is_some() || it.paste.is_some() { concern.and_types() } else { concern }
    };
    [Run, Search]: |it| it.id.map_or_else(Concern::default, Concern::terminal);
    [ExecuteCommand, ReadLogs, StreamLogs]: |it| Concern::terminal(it.window_id);
    [StartProcess]: |it| Concern::terminal(it.window_id).and_types();
    [CloseTab]: |it| Concern::terminal(it.window_id).and_ends().urgently();
    [StopProcess]: |it| Concern::terminal(it.window_id).urgently();
    [ReadOutput]: |it| Concern::named(&it.terminal_id);
    [SendText]: |it| Concern::named(&it.terminal_id).and_types();
    [CloseTerminal]: |it| Concern::named(&it.terminal_id).and_ends().urgently();
    [CreateTab]: |_| Concern::new_terminal(None);
    [CreateTerminal]: |it| Concern::new_terminal(it.title.as_ref()).and_panes();
    [New]: |it| Concern::new_terminal(it.title.as_ref());
    [List, ListTabs, ListTerminals]: |_| Concern::list();

    [CloseEditor, HighlightRanges, OpenEditor, ScrollTo]: |it| Concern::path(&it.path).and_panes();
    [ReadFile, WriteFile]: |it| Concern::path(&it.path);
    [ClearHighlights, EditDocument, GetDocument, ResolveConflict, SaveDocument]: |it| Concern::path(&it.path);
    [ListFiles, UndoWrite]: |it| it.path.as_deref().map_or_else(Concern::all_files, Concern::path);
    [ListWrites, ShowWrite]: |_| Concern::all_files();
    [SearchFiles]: |it| {
        let place = it.path.as_deref().map_or_else(Concern::all_files, Concern::path);
        Concern { subject: it.path.clone().or_else(|| Some(it.query.clone())), ..place }
    };
    [ClosePane, FocusPane, ResizePane]: |it| Concern::subject(&it.pane_id).and_panes();
    [OpenPane]: |it| Concern::subject(&it.content_id).and_panes();
    [ClearHighlight]: |it| Concern::subject(&it.highlight_id).and_panes();
    [ListPanes]: |_| Concern::default().and_panes();
    [MovePaneTab, PinPane, SetView, workbench::CloseTab]: |_| Concern::default().and_panes();

    [ReadChatFile, WriteChatFile]: |it| Concern::path(&it.path);
    [ReadChatTerminal, WaitForChatTerminal]: |it| Concern::terminal(it.0.terminal);
    [ReadChatOutput]: |it| Concern::subject(&it.0.id.to_string());
    [KillChatTerminal, ReleaseChatTerminal]: |it| Concern::terminal(it.0.terminal).urgently();
    [AnswerQuestion, AskPermission, Authenticate, CancelTurn, DeleteSession, ListSessions, SignOut, NewChatTerminal, Prompt, ReadChat, RemoveChat, RestartChat, SetBudget, SetMode,
     SetOption, StopChat, WatchChat]: |it| Concern::subject(&it.id.to_string());

    // What is about nothing that the gate has to know.
    [Exec, SetHistoryLimit]: |_| Concern::default();
    [AcceptPolicy, AcknowledgeDatabase, AddRule, AnswerApproval, AuditQuery, Empty, ListAgents, ListApprovals, ListPolicyChanges, Pair, Rehearse,
     RejectPolicy, RemoveRule, SetConsent, ShowConsent, ShowPolicy, StopHub, TestPolicy, WatchApprovals, WatchHub]: |_| Concern::default();
    [ListChats, ListPresets, NewChat, WatchChats]: |_| Concern::default();
    [BridgeState, CommandResult, RegisterBridge, ServeBridge, WatchWorkbench]: |_| Concern::default();
}
