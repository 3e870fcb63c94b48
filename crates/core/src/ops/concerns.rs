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
    self, ClearHighlights, EditDocument, FocusTab, GetDocument, MovePaneTab, PinPane, ResolveConflict, SaveDocument,
    SetEditorView, WatchWorkbench,
};

use crate::registry::{Concern, Concerns};

/// Says of each request what it is about, by a field of it.
macro_rules! concerns {
    ($($request:ty: |$it:ident| $concern:expr;)*) => {
        $(impl Concerns for $request {
            fn concern(&self) -> Concern {
                let $it = self;
                $concern
            }
        })*
    };
}

/// Requests about nothing that the gate has to know.
macro_rules! about_nothing {
    ($($request:ty),* $(,)?) => {
        $(impl Concerns for $request {
            fn concern(&self) -> Concern {
                Concern::default()
            }
        })*
    };
}

concerns! {
    Attach: |it| Concern::terminal(it.id);
    Follow: |it| Concern::terminal(it.id);
    History: |it| Concern::terminal(it.id);
    Kill: |it| Concern::terminal(it.id);
    LeaseRequest: |it| Concern::terminal(it.id);
    LookAtScreen: |it| Concern::terminal(it.id);
    Pin: |it| Concern::terminal(it.id);
    Read: |it| Concern::terminal(it.id);
    Remove: |it| Concern::terminal(it.id);
    Resize: |it| Concern::terminal(it.id);
    Run: |it| it.id.map_or_else(Concern::default, Concern::terminal);
    Search: |it| it.id.map_or_else(Concern::default, Concern::terminal);
    Send: |it| Concern::terminal(it.id);
    SendSignal: |it| Concern::terminal(it.id);
    Wait: |it| Concern::terminal(it.id);
    WatchTerminal: |it| Concern::terminal(it.id);

    CloseTab: |it| Concern::terminal(it.window_id);
    ExecuteCommand: |it| Concern::terminal(it.window_id);
    ReadLogs: |it| Concern::terminal(it.window_id);
    StartProcess: |it| Concern::terminal(it.window_id);
    StopProcess: |it| Concern::terminal(it.window_id);
    StreamLogs: |it| Concern::terminal(it.window_id);

    CloseTerminal: |it| Concern::named(&it.terminal_id);
    ReadOutput: |it| Concern::named(&it.terminal_id);
    SendText: |it| Concern::named(&it.terminal_id);

    ClearHighlight: |it| Concern::subject(&it.highlight_id);
    CloseEditor: |it| Concern::subject(&it.path);
    ClosePane: |it| Concern::subject(&it.pane_id);
    FocusPane: |it| Concern::subject(&it.pane_id);
    HighlightRanges: |it| Concern::subject(&it.path);
    ListFiles: |it| it.path.as_deref().map_or_else(Concern::default, Concern::subject);
    OpenEditor: |it| Concern::subject(&it.path);
    OpenPane: |it| Concern::subject(&it.content_id);
    ReadFile: |it| Concern::subject(&it.path);
    ResizePane: |it| Concern::subject(&it.pane_id);
    ScrollTo: |it| Concern::subject(&it.path);
    SearchFiles: |it| Concern::subject(it.path.as_ref().unwrap_or(&it.query));
    UndoWrite: |it| it.path.as_deref().map_or_else(Concern::default, Concern::subject);
    WriteFile: |it| Concern::subject(&it.path);

    ClearHighlights: |it| Concern::subject(&it.path);
    EditDocument: |it| Concern::subject(&it.path);
    GetDocument: |it| Concern::subject(&it.path);
    ResolveConflict: |it| Concern::subject(&it.path);
    SaveDocument: |it| Concern::subject(&it.path);
}

about_nothing! {
    WatchHub,
    ListAgents,
    AddRule,
    AnswerApproval,
    AuditQuery,
    BridgeState,
    CommandResult,
    CreateTab,
    CreateTerminal,
    Empty,
    Exec,
    FocusTab,
    List,
    ListApprovals,
    ListPanes,
    ListTabs,
    ListTerminals,
    ListWrites,
    MovePaneTab,
    New,
    PinPane,
    RegisterBridge,
    Rehearse,
    ServeBridge,
    SetConsent,
    SetEditorView,
    SetHistoryLimit,
    ShowConsent,
    ShowPolicy,
    StopHub,
    TestPolicy,
    WatchApprovals,
    WatchWorkbench,
    workbench::CloseTab,
}
