import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Follow } from './follow';

function screen() {
  const active = { viewportY: 10, baseY: 10 };
  let render = () => {};
  const term = {
    buffer: { active },
    onRender: (run: () => void) => {
      render = run;
      return { dispose() {} };
    },
    scrollToBottom: () => (active.viewportY = active.baseY),
  };
  const element = document.createElement('div');
  const follow = new Follow(term as never);
  follow.watch(element);
  return { active, element, follow, draw: () => render() };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a screen that comes back at its beginning goes to its end', () => {
  const { active, draw } = screen();
  active.viewportY = 0;
  draw();
  expect(active.viewportY).toBe(10);
});

test('who has scrolled away stays there, and who is back at the end follows it again', () => {
  const { active, element, draw } = screen();
  element.dispatchEvent(new Event('wheel'));
  active.viewportY = 4;
  draw();
  vi.advanceTimersByTime(1000);
  active.baseY = 20;
  draw();
  expect(active.viewportY).toBe(4);
  element.dispatchEvent(new Event('wheel'));
  active.viewportY = 20;
  vi.advanceTimersByTime(1000);
  active.baseY = 30;
  draw();
  expect(active.viewportY).toBe(30);
});

test('a jump by a command counts as scrolling', () => {
  const { active, follow, draw } = screen();
  follow.moved();
  active.viewportY = 2;
  vi.advanceTimersByTime(1000);
  draw();
  expect(active.viewportY).toBe(2);
});
