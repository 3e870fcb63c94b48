import { signal } from '@preact/signals';
import { render } from 'preact';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FoundInLog } from './logFind';
import type { Pane } from './pane';

interface Read {
  from?: number;
  to: number;
  answer(text: string, from: number): Promise<void>;
}
let reads: Read[] = [];
const settled = () => new Promise((resolve) => setTimeout(resolve, 20));
vi.mock('../hub/link', async (original) => ({
  ...(await original<object>()),
  call: (_command: string, args: { from?: number; to: number }) =>
    new Promise((resolve) => {
      reads.push({
        ...args,
        answer: (text, from) => {
          resolve({ text, from });
          return settled().then(() => {});
        },
      });
    }),
}));
const { LogView } = await import('./LogView');

const foundInLog = signal<{ found: FoundInLog; at: number } | null>(null);
const pane = { id: 't1', foundInLog, closeLog: () => {}, openFound: () => {} } as unknown as Pane;
const found: FoundInLog = { text: 'Needle', cursors: [10, 100_000, 100_020], end: 200_000, more: false };
let host: HTMLElement;
const open = async (at: number) => {
  foundInLog.value = { found, at };
  render(<LogView pane={pane} upTo={found.cursors[at]!} />, host);
  await settled();
};
/** The reads that were not answered yet: what comes before a line, and what begins there. */
const asked = () => {
  const [before, after] = [reads.find(({ from }) => from === undefined)!, reads.find(({ from }) => from !== undefined)!];
  reads = [];
  return { before, after };
};
const chosen = () => [...host.querySelectorAll('[data-hit="this"]')].map((one) => one.textContent);

beforeEach(() => {
  reads = [];
  host = document.body.appendChild(document.createElement('div'));
});
afterEach(() => {
  render(null, host);
  host.remove();
});

test('the line that was found is chosen, whatever else near it was found', async () => {
  await open(1);
  const { before, after } = asked();
  expect([before.to, after.from]).toEqual([100_000, 100_000]);
  void before.answer('needle-0\nother\n', 99_000);
  await after.answer(`${'-'.repeat(1000)} needle-1\n${'-'.repeat(1000)} needle-2\n`, 100_000);
  expect(host.querySelectorAll('[data-hit]')).toHaveLength(3);
  expect(chosen()).toEqual([`${'-'.repeat(1000)} needle-1`]);
});

test('stepping on before a page came shows the page of the last step', async () => {
  await open(2);
  const first = asked();
  await open(0);
  const second = asked();
  expect([second.before.to, second.after.from]).toEqual([10, 10]);
  void first.before.answer('from the first\n', 99_000);
  await first.after.answer('needle-2\n', 100_020);
  expect(host.textContent).not.toMatch(/from the first|needle-2/);
  void second.before.answer('before\n', 0);
  await second.after.answer('needle-0\n', 10);
  expect(chosen()).toEqual(['needle-0']);
  expect(host.querySelector('.log-pages')!.textContent).toContain('This is where the log begins');
});
