//! How much memory a change takes while it is kept. Everything in it counts: a bound on what is typed alone would let
//! somebody fill the memory with what is not typed, such as highlights.

use flightdeck_contract::workbench::{
    AppliedEdit, AreaLayout, Change, Child, Highlight, LayoutNode, Numbered, PaneInfo, Range, TabInfo, TextChange,
};

/// The memory of a change, in bytes.
pub(crate) fn weight(numbered: &Numbered) -> usize {
    let more = match &numbered.change {
        Change::Areas { areas } => {
            areas.iter().map(|area| size_of::<AreaLayout>() + children(&area.root)).sum::<usize>()
        }
        Change::Pane { pane } => of_pane(pane),
        Change::PaneGone { .. } | Change::ActivePane { .. } | Change::EditorGone { .. } | Change::ViewerGone { .. } => {
            0
        }
        Change::Editor { editor } => editor.path.len(),
        Change::Viewer { viewer } => viewer.name.len(),
        Change::Document { document } => {
            document.path.len() + length(document.disk_version.as_ref()) + length(document.conflict.as_ref())
        }
        Change::DocumentGone { path } | Change::Loaded { path, .. } => path.len(),
        Change::Edited { path, edit } => path.len() + of_edit(edit),
        Change::Highlights { path, highlights } => path.len() + highlights.iter().map(of_highlight).sum::<usize>(),
    };
    size_of::<Numbered>() + more
}

fn children(node: &LayoutNode) -> usize {
    match node {
        LayoutNode::Pane { .. } => 0,
        LayoutNode::Split { children: below, .. } => {
            below.iter().map(|child| size_of::<Child>() + children(&child.node)).sum()
        }
    }
}

fn of_pane(pane: &PaneInfo) -> usize {
    let tab = |tab: &TabInfo| size_of::<TabInfo>() + tab.content_id.len() + tab.title.len() + tab.created_by.len();
    pane.title.len() + pane.created_by.len() + pane.tabs.iter().map(tab).sum::<usize>()
}

fn of_edit(edit: &AppliedEdit) -> usize {
    let change = |change: &TextChange| size_of::<TextChange>() + change.insert.len();
    edit.by.len() + length(edit.client.as_ref()) + edit.changes.iter().map(change).sum::<usize>()
}

fn of_highlight(highlight: &Highlight) -> usize {
    let texts = highlight.id.as_str().len() + highlight.path.len() + highlight.created_by.len();
    size_of::<Highlight>() + texts + highlight.ranges.len() * size_of::<Range>()
}

fn length(text: Option<&String>) -> usize {
    text.map_or(0, String::len)
}
