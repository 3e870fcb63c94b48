/** Where panes are, in percent of the dock: the hub's split trees, made flat. */

import type { AreaLayout, Direction, LayoutNode } from '../commands';

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface PaneBox extends Rect {
  pane: string;
}

/** A border that can be dragged. */
export interface Sash extends Rect {
  key: string;
  direction: Direction;
  /** The pane that gets another size, and whether it lies before the border. */
  pane: string;
  before: boolean;
  /** Where that pane begins, or ends when it lies behind. */
  anchor: number;
}

/** A size that is tried while a border is dragged: the border's place in percent. */
export interface Preview {
  key: string;
  at: number;
}

export function flatten(areas: readonly AreaLayout[], preview: Preview | null): { boxes: PaneBox[]; sashes: Sash[] } {
  const boxes: PaneBox[] = [];
  const sashes: Sash[] = [];
  const placed = areas.map(({ area, geometry, root }) => ({ area, rect: { ...geometry }, root }));
  const of = (name: string) => placed.find((one) => one.area === name);
  const [main, right, bottom] = [of('main'), of('right'), of('bottom')];

  const border = (key: string, direction: Direction, rect: Rect, node: LayoutNode, before: boolean, anchor: number) => {
    sashes.push({ key, direction, ...rect, pane: leaf(node, direction), before, anchor });
  };
  if (main && right) {
    const at = preview?.key === 'right' ? preview.at : right.rect.x;
    main.rect.width = at - main.rect.x;
    right.rect.width += right.rect.x - at;
    right.rect.x = at;
    border('right', 'row', { x: at, y: right.rect.y, width: 0, height: right.rect.height }, right.root, false, 100);
  }
  const upper = main ?? right;
  if (bottom && upper) {
    const at = preview?.key === 'bottom' ? preview.at : bottom.rect.y;
    for (const one of [main, right]) if (one) one.rect.height = at - one.rect.y;
    const below = sashes.at(-1);
    if (below) below.height = at - below.y;
    bottom.rect.height = 100 - at;
    bottom.rect.y = at;
    border('bottom', 'column', { x: 0, y: at, width: 100, height: 0 }, bottom.root, false, 100);
  }

  const walk = (node: LayoutNode, rect: Rect, key: string) => {
    if (node.kind === 'pane') {
      boxes.push({ pane: node.id, ...rect });
      return;
    }
    const row = node.direction === 'row';
    const [start, length] = row ? [rect.x, rect.width] : [rect.y, rect.height];
    const edges = [start];
    for (const child of node.children) edges.push(edges.at(-1)! + (length * child.share) / 100);
    for (let index = 1; index < node.children.length; index++) {
      const name = `${key}/${index}`;
      if (preview?.key === name) edges[index] = preview.at;
    }
    node.children.forEach((child, index) => {
      const [from, to] = [edges[index]!, edges[index + 1]!];
      const part = row ? { ...rect, x: from, width: to - from } : { ...rect, y: from, height: to - from };
      if (index > 0) {
        const line = row ? { ...rect, x: from, width: 0 } : { ...rect, y: from, height: 0 };
        border(`${key}/${index}`, node.direction, line, node.children[index - 1]!.node, true, edges[index - 1]!);
      }
      walk(child.node, part, `${key}/${index}`);
    });
  };
  for (const { area, rect, root } of placed) walk(root, rect, area);
  return { boxes, sashes };
}

/** A pane of a node that is as long as the node itself in a direction. */
function leaf(node: LayoutNode, direction: Direction): string {
  if (node.kind === 'pane') return node.id;
  const whole = node.direction !== direction ? node.children.find((child) => child.node.kind === 'pane') : undefined;
  return leaf((whole ?? node.children[0]!).node, direction);
}

/** Where a tab is dropped: into a pane, at a place among its tabs, or beside it. */
export type Drop = { pane: string; rect: Rect } & ({ side: 'into'; index?: number } | { side: Side });
export type Side = 'left' | 'right' | 'above' | 'below';

/** So near to an edge, as a part of the pane, a tab is dropped beside the pane. */
const EDGE = 0.25;

export function dropAt(boxes: readonly PaneBox[], x: number, y: number): Drop | null {
  const box = boxes.find((one) => x >= one.x && x < one.x + one.width && y >= one.y && y < one.y + one.height);
  if (!box) return null;
  const { pane, ...rect } = box;
  const [along, down] = [(x - box.x) / box.width, (y - box.y) / box.height];
  const edges: [Side, number][] = [
    ['left', along],
    ['right', 1 - along],
    ['above', down],
    ['below', 1 - down],
  ];
  const [side, distance] = edges.reduce((nearest, edge) => (edge[1] < nearest[1] ? edge : nearest));
  return distance < EDGE ? { pane, side, rect: half(rect, side) } : { pane, side: 'into', rect };
}

function half(rect: Rect, side: Side): Rect {
  const [width, height] = [rect.width / 2, rect.height / 2];
  switch (side) {
    case 'left':
      return { ...rect, width };
    case 'right':
      return { ...rect, x: rect.x + width, width };
    case 'above':
      return { ...rect, height };
    case 'below':
      return { ...rect, y: rect.y + height, height };
  }
}
