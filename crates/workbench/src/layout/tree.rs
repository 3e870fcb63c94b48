//! The split tree of one area: placing, splitting and removing panes. In its normal form a split has at least two
//! children, none of them a split in the same direction, and shares that sum up to exactly 100 percent.

use flightdeck_contract::PaneId;
use flightdeck_contract::workbench::{Child, Direction, LayoutNode, Percent};

use super::share::distribute;
use super::{Rect, WHOLE};

/// Every pane with its room, from left to right and from top to bottom.
pub(crate) fn place(node: &LayoutNode, rect: Rect, put: &mut impl FnMut(PaneId, Rect)) {
    match node {
        LayoutNode::Pane { id } => put(*id, rect),
        LayoutNode::Split { direction, children } => {
            let mut before = 0;
            for child in children {
                let after = before + child.share.hundredths();
                place(&child.node, rect.part(*direction, before, after), put);
                before = after;
            }
        }
    }
}

/// The panes in order.
pub(crate) fn panes(node: &LayoutNode) -> Vec<PaneId> {
    let mut all = Vec::new();
    place(node, Rect::ALL, &mut |id, _| all.push(id));
    all
}

/// The way to a pane: the index of the child to take in each split.
pub(super) fn path_to(node: &LayoutNode, pane: PaneId) -> Option<Vec<usize>> {
    match node {
        LayoutNode::Pane { id } => (*id == pane).then(Vec::new),
        LayoutNode::Split { children, .. } => children.iter().enumerate().find_map(|(index, child)| {
            let mut path = path_to(&child.node, pane)?;
            path.insert(0, index);
            Some(path)
        }),
    }
}

/// Puts a new pane behind `beside` in that direction; each of them gets half of the room.
pub(crate) fn split(node: &mut LayoutNode, beside: PaneId, new: PaneId, along: Direction) {
    match node {
        LayoutNode::Pane { id } if *id == beside => {
            let old = LayoutNode::Pane { id: beside };
            let half = Percent::from_hundredths(WHOLE / 2);
            let children =
                vec![Child { share: half, node: old }, Child { share: half, node: LayoutNode::Pane { id: new } }];
            *node = LayoutNode::Split { direction: along, children };
        }
        LayoutNode::Pane { .. } => {}
        LayoutNode::Split { direction, children } => {
            let leaf = LayoutNode::Pane { id: beside };
            match children.iter().position(|child| child.node == leaf) {
                Some(index) if *direction == along => {
                    let share = children[index].share.hundredths();
                    children[index].share = Percent::from_hundredths(share - share / 2);
                    let half = Percent::from_hundredths(share / 2);
                    children.insert(index + 1, Child { share: half, node: LayoutNode::Pane { id: new } });
                }
                Some(index) => split(&mut children[index].node, beside, new, along),
                None => children.iter_mut().for_each(|child| split(&mut child.node, beside, new, along)),
            }
        }
    }
}

/// Lets two panes change places.
pub(crate) fn swap(node: &mut LayoutNode, one: PaneId, other: PaneId) {
    match node {
        LayoutNode::Pane { id } if *id == one => *id = other,
        LayoutNode::Pane { id } if *id == other => *id = one,
        LayoutNode::Pane { .. } => {}
        LayoutNode::Split { children, .. } => {
            for child in children {
                swap(&mut child.node, one, other);
            }
        }
    }
}

/// The tree without a pane, whose room goes to the neighbour before it, or to the one behind when it is the first.
pub(crate) fn without(node: LayoutNode, pane: PaneId) -> Option<LayoutNode> {
    match node {
        LayoutNode::Pane { id } => (id != pane).then_some(LayoutNode::Pane { id }),
        LayoutNode::Split { direction, children } => {
            let mut kept: Vec<Child> = Vec::with_capacity(children.len());
            let mut freed = 0;
            for Child { share, node } in children {
                match (without(node, pane), kept.last_mut()) {
                    (Some(node), _) => {
                        kept.push(Child { share: plus(share, freed), node });
                        freed = 0;
                    }
                    (None, Some(before)) => before.share = plus(before.share, share.hundredths()),
                    (None, None) => freed = share.hundredths(),
                }
            }
            normal(direction, kept)
        }
    }
}

fn plus(share: Percent, hundredths: u32) -> Percent {
    Percent::from_hundredths(share.hundredths() + hundredths)
}

/// A split in its normal form; nothing when it has no children.
pub(crate) fn normal(direction: Direction, children: Vec<Child>) -> Option<LayoutNode> {
    let mut flat = Vec::with_capacity(children.len());
    for Child { share, node } in children {
        match node {
            LayoutNode::Split { direction: inner, children } if inner == direction => {
                let weights: Vec<u32> = children.iter().map(|child| child.share.hundredths()).collect();
                let least = vec![1; weights.len()];
                let shares = distribute(share.hundredths().max(weights.len() as u32), &weights, &least);
                let nodes = children.into_iter().map(|child| child.node);
                flat.extend(nodes.zip(shares).map(|(node, share)| child(share, node)));
            }
            node => flat.push(Child { share, node }),
        }
    }
    match flat.len() {
        0 | 1 => flat.pop().map(|child| child.node),
        _ => Some(LayoutNode::Split { direction, children: exact(flat) }),
    }
}

fn child(share: u32, node: LayoutNode) -> Child {
    Child { share: Percent::from_hundredths(share), node }
}

/// The same children with shares that sum up to 100 percent.
fn exact(children: Vec<Child>) -> Vec<Child> {
    let weights: Vec<u32> = children.iter().map(|child| child.share.hundredths()).collect();
    if weights.iter().sum::<u32>() == WHOLE && !weights.contains(&0) {
        return children;
    }
    let shares = distribute(WHOLE, &weights, &vec![1; weights.len()]);
    children.into_iter().zip(shares).map(|(old, share)| child(share, old.node)).collect()
}
