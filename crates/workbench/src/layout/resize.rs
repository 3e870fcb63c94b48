//! Changing the size of a pane: what it gets, its siblings give.

use flightdeck_contract::PaneId;
use flightdeck_contract::workbench::{Area, Child, Direction, LayoutNode, Percent};

use super::share::distribute;
use super::{LEAST_AREA, Layout, Rect, WHOLE, tree};
use crate::error::WorkbenchError;
use crate::limits::SMALLEST_SIDE;

impl Layout {
    /// Makes a pane so wide or high, in percent of the whole. The nearest split in that direction gives or takes the
    /// room; a pane that fills its area in that direction resizes the area.
    pub(crate) fn resize(&mut self, pane: PaneId, along: Direction, wanted: Percent) -> Result<(), WorkbenchError> {
        let area = self.places().get(&pane).ok_or(WorkbenchError::PaneNotFound(pane))?.0;
        let room = self.room(area);
        let root = self.trees.get_mut(&area).ok_or(WorkbenchError::PaneNotFound(pane))?;
        let path = tree::path_to(root, pane).ok_or(WorkbenchError::PaneNotFound(pane))?;
        match nearest_split(root, room, &path, along) {
            Some((depth, length)) => {
                let wish = Wish { pane, along, wanted };
                reshare(children_at(root, &path[..depth]), path[depth], length, wish)
            }
            None => self.resize_area(area, Wish { pane, along, wanted }),
        }
    }

    fn resize_area(&mut self, area: Area, wish: Wish) -> Result<(), WorkbenchError> {
        let has = |area: Area| self.trees.contains_key(&area);
        let (grows_with_share, share) = match (wish.along, area) {
            (Direction::Row, Area::Right) if has(Area::Main) => (true, &mut self.right),
            (Direction::Row, Area::Main) if has(Area::Right) => (false, &mut self.right),
            (Direction::Column, Area::Bottom) if has(Area::Main) || has(Area::Right) => (true, &mut self.bottom),
            (Direction::Column, Area::Main | Area::Right) if has(Area::Bottom) => (false, &mut self.bottom),
            _ => return Err(WorkbenchError::NothingBeside { pane: wish.pane, side: wish.side() }),
        };
        let wanted = wish.wanted.hundredths();
        if !(LEAST_AREA..=WHOLE - LEAST_AREA).contains(&wanted) {
            return Err(wish.impossible(LEAST_AREA, WHOLE - LEAST_AREA));
        }
        *share = if grows_with_share { wanted } else { WHOLE - wanted };
        Ok(())
    }
}

/// What was asked for.
#[derive(Clone, Copy)]
struct Wish {
    pane: PaneId,
    along: Direction,
    wanted: Percent,
}

impl Wish {
    fn side(self) -> &'static str {
        match self.along {
            Direction::Row => "wide",
            Direction::Column => "high",
        }
    }

    fn impossible(self, least: u32, most: u32) -> WorkbenchError {
        let [least, most] = [least, most].map(Percent::from_hundredths);
        WorkbenchError::SizeImpossible { pane: self.pane, side: self.side(), wanted: self.wanted, least, most }
    }
}

/// The innermost split in a direction on the way to a pane: how deep it is, and its length.
fn nearest_split(root: &LayoutNode, room: Rect, path: &[usize], along: Direction) -> Option<(usize, u32)> {
    let (mut node, mut rect, mut nearest) = (root, room, None);
    for (depth, index) in path.iter().enumerate() {
        let LayoutNode::Split { direction, children } = node else { break };
        if *direction == along {
            nearest = Some((depth, rect.length(along)));
        }
        let before: u32 = children[..*index].iter().map(|child| child.share.hundredths()).sum();
        rect = rect.part(*direction, before, before + children[*index].share.hundredths());
        node = &children[*index].node;
    }
    nearest
}

fn children_at<'a>(root: &'a mut LayoutNode, path: &[usize]) -> &'a mut [Child] {
    match root {
        LayoutNode::Pane { .. } => &mut [],
        LayoutNode::Split { children, .. } => match path {
            [] => children,
            [index, rest @ ..] => children_at(&mut children[*index].node, rest),
        },
    }
}

fn reshare(children: &mut [Child], index: usize, length: u32, wish: Wish) -> Result<(), WorkbenchError> {
    let share_of = |side: u64| (side * u64::from(WHOLE)).div_ceil(u64::from(length.max(1)));
    let least: Vec<u64> = children.iter().map(|child| share_of(shortest(&child.node, wish.along))).collect();
    let others: u64 = least.iter().sum::<u64>() - least[index];
    let most = u64::from(WHOLE).saturating_sub(others);
    let side_of = |share: u64| (share * u64::from(length) / u64::from(WHOLE)) as u32;
    let wanted = share_of(u64::from(wish.wanted.hundredths()));
    if wanted < least[index] || wanted > most {
        return Err(wish.impossible(side_of(least[index]).max(SMALLEST_SIDE), side_of(most)));
    }
    let rest: Vec<usize> = (0..children.len()).filter(|i| *i != index).collect();
    let weights: Vec<u32> = rest.iter().map(|i| children[*i].share.hundredths()).collect();
    let minima: Vec<u32> = rest.iter().map(|i| least[*i] as u32).collect();
    let parts = distribute(WHOLE - wanted as u32, &weights, &minima);
    children[index].share = Percent::from_hundredths(wanted as u32);
    for (i, part) in rest.into_iter().zip(parts) {
        children[i].share = Percent::from_hundredths(part);
    }
    Ok(())
}

/// The length that a node needs so that no pane in it gets too small.
fn shortest(node: &LayoutNode, along: Direction) -> u64 {
    match node {
        LayoutNode::Pane { .. } => u64::from(SMALLEST_SIDE),
        LayoutNode::Split { direction, children } => {
            let needs = children.iter().map(|child| {
                let inner = shortest(&child.node, along);
                let share = u64::from(child.share.hundredths().max(1));
                if *direction == along { (inner * u64::from(WHOLE)).div_ceil(share) } else { inner }
            });
            needs.max().unwrap_or(u64::from(SMALLEST_SIDE))
        }
    }
}
