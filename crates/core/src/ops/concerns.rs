//! What each request is about, for the gate.

use flightdeck_contract::agents::ListAgents;
use flightdeck_contract::approval::{AnswerApproval, ListApprovals, WatchApprovals};
use flightdeck_contract::consent::{SetConsent, ShowConsent};
use flightdeck_contract::events::WatchHub;
use flightdeck_contract::hub::{AuditQuery, Empty, StopHub};
use flightdeck_contract::openspace::{
    BridgeState, ClearHighlight, CloseEditor, ClosePane, CloseTerminal, CommandResult, CreateTerminal, FocusPane,
    HighlightRanges, ListFiles, ListPanes, ListTerminals, ListWrites, OpenEditor, OpenPane, ReadFile, ReadOutput,
    RegisterBridge, ResizePane, ScrollTo, SearchFiles, SendText, ServeBridge, UndoWrite, WriteFile,
};
use flightdeck_contract::policy::{AddRule, Rehearse, ShowPolicy, TestPolicy};
use flightdeck_contract::tabs::{
    CloseTab, CreateTab, ExecuteCommand, ListTabs, ReadLogs, SetHistoryLimit, StartProcess, StopProcess, StreamLogs,
};
use flightdeck_contract::terminal::{
    Attach, Exec, Follow, History, Kill, LeaseRequest, List, LookAtScreen, New, Pin, Read, Remove, Resize, Run, Search,
    Send, SendSignal, Wait, WatchTerminal,
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
    [Attach, Follow, History, Kill, LeaseRequest, LookAtScreen, Pin, Read, Remove, Resize, Send, SendSignal, Wait,
     WatchTerminal]: |it| Concern::terminal(it.id);
    [Run, Search]: |it| it.id.map_or_else(Concern::default, Concern::terminal);
    [CloseTab, ExecuteCommand, ReadLogs, StartProcess, StopProcess, StreamLogs]: |it| Concern::terminal(it.window_id);
    [CloseTerminal, ReadOutput, SendText]: |it| Concern::named(&it.terminal_id);

    [CloseEditor, HighlightRanges, OpenEditor, ReadFile, ScrollTo, WriteFile]: |it| Concern::subject(&it.path);
    [ClearHighlights, EditDocument, GetDocument, ResolveConflict, SaveDocument]: |it| Concern::subject(&it.path);
    [ListFiles, UndoWrite]: |it| it.path.as_deref().map_or_else(Concern::default, Concern::subject);
    [SearchFiles]: |it| Concern::subject(it.path.as_ref().unwrap_or(&it.query));
    [ClosePane, FocusPane, ResizePane]: |it| Concern::subject(&it.pane_id);
    [OpenPane]: |it| Concern::subject(&it.content_id);
    [ClearHighlight]: |it| Concern::subject(&it.highlight_id);

    // What is about nothing that the gate has to know.
    [CreateTab, CreateTerminal, Exec, List, ListPanes, ListTabs, ListTerminals, ListWrites, New, SetHistoryLimit]:
        |_| Concern::default();
    [AddRule, AnswerApproval, AuditQuery, Empty, ListAgents, ListApprovals, Rehearse, SetConsent, ShowConsent, ShowPolicy, StopHub,
     TestPolicy, WatchApprovals, WatchHub]: |_| Concern::default();
    [BridgeState, CommandResult, MovePaneTab, PinPane, RegisterBridge, ServeBridge, SetView,
     WatchWorkbench, workbench::CloseTab]: |_| Concern::default();
}
