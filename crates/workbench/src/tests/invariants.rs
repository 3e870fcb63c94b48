//! What is true of every workbench at any time.

use std::collections::BTreeSet;

use flightdeck_contract::workbench::{Child, Direction, Geometry, LayoutNode};

use crate::Workbench;
use crate::layout::WHOLE;
use crate::limits::{MAX_DOCUMENT_RANGES, MAX_DOCUMENTS, MAX_HIGHLIGHTS, MAX_PANES, MAX_TABS};

/// Panics with what is wrong.
pub(super) fn check(workbench: &Workbench) {
    let seen = workbench.looked_at(0);
    let ids: Vec<_> = seen.areas.iter().flat_map(|area| leaves(&area.root)).collect();
    let unique: BTreeSet<_> = ids.iter().copied().collect();
    assert_eq!(unique.len(), ids.len(), "a pane stands twice in the layout: {ids:?}");
    assert_eq!(unique, workbench.panes.keys().copied().collect(), "layout and panes differ");
    for area in &seen.areas {
        check_node(&area.root, None);
    }
    check_tiling(&seen.panes.iter().map(|pane| pane.geometry).collect::<Vec<_>>());
    check_tiling(&seen.areas.iter().map(|area| area.geometry).collect::<Vec<_>>());

    let active = workbench.layout.active;
    assert_eq!(active.is_some(), !seen.panes.is_empty(), "no pane has the focus");
    assert!(active.is_none_or(|id| unique.contains(&id)), "the focus is nowhere");
    for (area, pane) in &workbench.layout.last {
        let there = seen.panes.iter().any(|info| info.id == *pane && info.area == *area);
        assert!(there, "the last pane of {area:?} is gone");
    }
    for pane in &seen.panes {
        assert_eq!(pane.tabs.iter().filter(|tab| tab.is_active).count(), 1, "{pane:?}");
        assert!(pane.tabs.iter().any(|tab| tab.id == pane.active_tab && tab.is_active), "{pane:?}");
    }
    let tabs: Vec<_> = workbench.tabs().map(|(_, tab)| tab.id).collect();
    assert_eq!(tabs.iter().collect::<BTreeSet<_>>().len(), tabs.len(), "a tab is there twice");
    let editors: BTreeSet<_> = seen.editors.iter().map(|editor| editor.id).collect();
    assert_eq!(editors.len(), seen.editors.len(), "an editor is there twice");
    check_references(workbench);
    check_open_paths(workbench);
    assert!(seen.panes.len() <= MAX_PANES && tabs.len() <= MAX_TABS, "too much");
    assert!(seen.documents.len() <= MAX_DOCUMENTS && seen.highlights.len() <= MAX_HIGHLIGHTS, "too much");
}

fn check_open_paths(workbench: &Workbench) {
    let shown: Vec<String> = workbench.documents.keys().filter(|path| workbench.is_shown(path)).cloned().collect();
    assert_eq!(workbench.open_paths(), shown, "the open paths were not looked at");
    for (path, marks) in &workbench.marks {
        assert!(
            marks.values().map(|mark| mark.ranges.len()).sum::<usize>() <= MAX_DOCUMENT_RANGES,
            "{path} has too many"
        );
    }
}

fn check_references(workbench: &Workbench) {
    for (path, document) in &workbench.documents {
        let shown = workbench.is_shown(path);
        assert!(shown || workbench.marks.contains_key(path), "{path} is held by nothing");
        assert!(shown || !document.dirty(), "unsaved changes of {path} are not seen");
        assert!(shown || document.buffer.is_none(), "the text of {path} is kept for nobody");
        assert!(document.conflict.is_none() || document.buffer.is_some(), "{path} has a conflict with nothing");
        assert!(document.version.0 <= workbench.counters.version, "{path} is ahead of the counter");
    }
    for path in workbench.tabs().filter_map(|(_, tab)| tab.content.path()).chain(workbench.marks.keys().map(|p| &**p)) {
        assert!(workbench.documents.contains_key(path), "{path} has no document");
    }
    for (path, marks) in &workbench.marks {
        assert!(!marks.is_empty() && marks.values().all(|mark| !mark.ranges.is_empty()), "{path} has empty marks");
        let buffer = workbench.documents[path].buffer.as_ref();
        for range in marks.values().flat_map(|mark| &mark.ranges) {
            assert!(range.start_line <= range.end_line, "{range:?}");
            assert!(buffer.is_none_or(|buffer| range.end_line <= buffer.lines()), "{range:?} is beyond {path}");
        }
    }
}

fn leaves(node: &LayoutNode) -> Vec<flightdeck_contract::PaneId> {
    crate::layout::panes(node)
}

fn check_node(node: &LayoutNode, above: Option<Direction>) {
    let LayoutNode::Split { direction, children } = node else { return };
    assert!(children.len() >= 2, "a split of one: {node:?}");
    assert_ne!(above, Some(*direction), "a split in a split of the same direction: {node:?}");
    let share = |child: &Child| child.share.hundredths();
    assert_eq!(children.iter().map(share).sum::<u32>(), WHOLE, "{node:?}");
    assert!(children.iter().all(|child| share(child) > 0), "{node:?}");
    for child in children {
        check_node(&child.node, Some(*direction));
    }
}

/// The rectangles cover everything and none covers another.
fn check_tiling(all: &[Geometry]) {
    let edges = |g: &Geometry| {
        let [x, y, w, h] = [g.x, g.y, g.width, g.height].map(flightdeck_contract::workbench::Percent::hundredths);
        (x, y, x + w, y + h)
    };
    let rects: Vec<_> = all.iter().map(edges).collect();
    let area: u64 = rects.iter().map(|(x, y, r, b)| u64::from(r - x) * u64::from(b - y)).sum();
    assert!(all.is_empty() || area == u64::from(WHOLE) * u64::from(WHOLE), "they do not cover the whole: {all:?}");
    for (index, (x, y, r, b)) in rects.iter().enumerate() {
        assert!(x < r && y < b && *r <= WHOLE && *b <= WHOLE, "{:?}", all[index]);
        for (x2, y2, r2, b2) in &rects[index + 1..] {
            assert!(r <= x2 || r2 <= x || b <= y2 || b2 <= y, "two overlap: {all:?}");
        }
    }
}
