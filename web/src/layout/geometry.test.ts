import { describe, expect, test } from 'vitest';
import type { AreaLayout } from '../commands';
import { dropAt, flatten } from './geometry';

const pane = (id: string) => ({ kind: 'pane' as const, id });
const geometry = (x: number, y: number, width: number, height: number) => ({ x, y, width, height });

const AREAS: AreaLayout[] = [
  { area: 'main', geometry: geometry(0, 0, 70, 60), root: pane('p1') },
  { area: 'right', geometry: geometry(70, 0, 30, 60), root: pane('p2') },
  {
    area: 'bottom',
    geometry: geometry(0, 60, 100, 40),
    root: {
      kind: 'split',
      direction: 'row',
      children: [
        { share: 25, node: pane('p3') },
        { share: 75, node: { kind: 'split', direction: 'column', children: [{ share: 50, node: pane('p4') }, { share: 50, node: pane('p5') }] } },
      ],
    },
  },
];

describe('flatten', () => {
  test('panes tile the dock', () => {
    const { boxes } = flatten(AREAS, null);
    expect(boxes.map((box) => box.pane)).toEqual(['p1', 'p2', 'p3', 'p4', 'p5']);
    const room = boxes.reduce((sum, box) => sum + box.width * box.height, 0);
    expect(room).toBeCloseTo(100 * 100);
  });

  test('each border resizes a pane that it touches', () => {
    const { sashes } = flatten(AREAS, null);
    expect(sashes.map(({ key, pane, before }) => [key, pane, before])).toEqual([
      ['right', 'p2', false],
      ['bottom', 'p3', false],
      ['bottom/1', 'p3', true],
      ['bottom/1/1', 'p4', true],
    ]);
  });

  test('a border that is dragged moves both neighbours, and they still tile', () => {
    for (const preview of [{ key: 'right', at: 40 }, { key: 'bottom', at: 20 }, { key: 'bottom/1', at: 60 }]) {
      const { boxes } = flatten(AREAS, preview);
      expect(boxes.reduce((sum, box) => sum + box.width * box.height, 0)).toBeCloseTo(100 * 100);
    }
    const { boxes } = flatten(AREAS, { key: 'bottom/1', at: 60 });
    expect(boxes[2]).toMatchObject({ x: 0, width: 60 });
    expect(boxes[3]).toMatchObject({ x: 60, width: 40 });
  });
});

test('a tab is dropped into a pane or beside it', () => {
  const { boxes } = flatten(AREAS, null);
  expect(dropAt(boxes, 35, 30)).toMatchObject({ pane: 'p1', side: 'into' });
  expect(dropAt(boxes, 3, 30)).toMatchObject({ pane: 'p1', side: 'left', rect: { x: 0, width: 35 } });
  expect(dropAt(boxes, 35, 4)).toMatchObject({ pane: 'p1', side: 'above', rect: { y: 0, height: 30 } });
  expect(dropAt(boxes, 68, 20)).toMatchObject({ pane: 'p1', side: 'right', rect: { x: 35, width: 35 } });
  expect(dropAt(boxes, 30, 58)).toMatchObject({ pane: 'p1', side: 'below', rect: { y: 30, height: 30 } });
  expect(dropAt(boxes, 101, 58)).toBeNull();
});
