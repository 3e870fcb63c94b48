import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { typing, watchTyping } from './typing';

beforeAll(() => watchTyping());
afterEach(() => {
  document.body.innerHTML = '';
  vi.useRealTimers();
});

function press(selector: string): void {
  document.querySelector(selector)!.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true }));
}

test('a key in an editor or a terminal counts for a second and a half', () => {
  vi.useFakeTimers();
  document.body.innerHTML = '<div class="xterm"><textarea></textarea></div><div class="cm-editor"><p>x</p></div>';
  for (const where of ['textarea', '.cm-editor p']) {
    vi.advanceTimersByTime(10_000);
    expect(typing()).toBe(false);
    press(where);
    vi.advanceTimersByTime(1499);
    expect(typing()).toBe(true);
    vi.advanceTimersByTime(1);
    expect(typing()).toBe(false);
  }
});

test('a key on a button is no typing', () => {
  vi.useFakeTimers();
  vi.advanceTimersByTime(60_000);
  document.body.innerHTML = '<button>x</button>';
  press('button');
  expect(typing()).toBe(false);
});
