//! What a front end does with a change: the reference for all of them, and what the hub itself does with the snapshot
//! that it hands out.

use flightdeck_contract::workbench::{Change, Numbered, Snapshot};

/// Applies the next change to a snapshot. The change's number must be one above the snapshot's; otherwise something was
/// missed, nothing is changed, and the answer is `false`: take a snapshot.
#[must_use]
pub fn apply(snapshot: &mut Snapshot, numbered: &Numbered) -> bool {
    if numbered.seq != snapshot.seq + 1 {
        return false;
    }
    snapshot.seq = numbered.seq;
    take(snapshot, &numbered.change);
    true
}

fn take(snapshot: &mut Snapshot, change: &Change) {
    match change {
        Change::Areas { areas } => snapshot.areas.clone_from(areas),
        Change::Pane { pane } => put(&mut snapshot.panes, pane, |pane| pane.id),
        Change::PaneGone { id } => snapshot.panes.retain(|pane| pane.id != *id),
        Change::ActivePane { id } => snapshot.active_pane = *id,
        Change::Editor { editor } => put(&mut snapshot.editors, editor, |editor| editor.id),
        Change::EditorGone { id } => snapshot.editors.retain(|editor| editor.id != *id),
        Change::Document { document } => put(&mut snapshot.documents, document, |document| document.path.clone()),
        Change::DocumentGone { path } => snapshot.documents.retain(|document| document.path != *path),
        Change::Loaded { path, version } => {
            for document in snapshot.documents.iter_mut().filter(|document| document.path == *path) {
                (document.version, document.loaded) = (*version, true);
            }
        }
        Change::Edited { path, edit } => {
            for document in snapshot.documents.iter_mut().filter(|document| document.path == *path) {
                (document.version, document.dirty) = (edit.version, true);
            }
        }
        Change::Highlights { path, highlights } => {
            snapshot.highlights.retain(|highlight| highlight.path != *path);
            let at = snapshot.highlights.partition_point(|highlight| highlight.path < *path);
            snapshot.highlights.splice(at..at, highlights.iter().cloned());
        }
        Change::Viewer { viewer } => put(&mut snapshot.viewers, viewer, |viewer| viewer.id),
        Change::ViewerGone { id } => snapshot.viewers.retain(|viewer| viewer.id != *id),
    }
}

/// Puts something where it belongs in a sorted list, in place of what has the same key.
fn put<T: Clone, K: Ord>(list: &mut Vec<T>, new: &T, key: impl Fn(&T) -> K) {
    match list.binary_search_by_key(&key(new), &key) {
        Ok(at) => list[at] = new.clone(),
        Err(at) => list.insert(at, new.clone()),
    }
}
