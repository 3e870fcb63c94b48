import { render } from 'preact';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Approval, Subject } from '../commands';

const calls: [string, unknown][] = [];
vi.mock('../hub/link', async (original) => ({
  ...(await original<object>()),
  call: async (command: string, args: unknown) => {
    calls.push([command, args]);
    return { id: 'a1', outcome: 'approved' };
  },
}));
const { ApprovalCard } = await import('./ApprovalCard');

const approval = (subject: Subject, more: Partial<Approval> = {}): Approval => ({
  id: 'a1',
  agent: 'gemini#4',
  call: 'acp',
  subject,
  rule: 'agent:asks',
  reason: 'the agent asks by itself',
  dangerous: false,
  scopes: ['once'],
  askedAtMs: Date.now(),
  expiresAtMs: Date.now() + 600_000,
  ...more,
});

let host: HTMLElement;
beforeEach(() => {
  calls.length = 0;
  host = document.body.appendChild(document.createElement('div'));
});
afterEach(() => {
  render(null, host);
  host.remove();
});

const buttons = () => [...host.querySelectorAll('.answers button')].map((one) => one.getAttribute('aria-label') ?? one.textContent);
const press = (name: string) =>
  [...host.querySelectorAll<HTMLButtonElement>('button')].find((one) => (one.getAttribute('aria-label') ?? one.textContent) === name)!.click();

test('an agent’s own question has its own answers, and Deny first', () => {
  const options = [
    { id: 'o1', name: 'Allow', kind: 'allow_once' as const },
    { id: 'o2', name: 'Always allow', kind: 'allow_always' as const },
    { id: 'o3', name: 'Reject', kind: 'reject_once' as const },
  ];
  render(<ApprovalCard approval={approval({ kind: 'permission', title: 'Edit main.rs', deed: 'edit', options, diff: '@@ -1 +1 @@\n-a\n+b\n' })} />, host);
  expect(buttons()).toEqual(['Deny', 'Deny with a reason', 'Allow', 'Always allow']);
  expect(host.querySelector('[data-line=added]')!.textContent).toBe('+b\n');
  press('Always allow');
  expect(calls).toEqual([['flightdeck.approval.answer', { id: 'a1', choice: 'approve', option: 'o2' }]]);
});

test('a file that would be written is shown as what changes, to be allowed or denied', () => {
  render(<ApprovalCard approval={approval({ kind: 'file_write', path: 'src/x.ts', diff: '-old\n+new' })} />, host);
  expect(host.textContent).toContain('src/x.ts');
  expect(buttons()).toEqual(['Deny', 'Deny with a reason', 'Allow once']);
  press('Deny');
  expect(calls).toEqual([['flightdeck.approval.answer', { id: 'a1', choice: 'decline' }]]);
});

test('only what the hub offers can be chosen', () => {
  const subject: Subject = { kind: 'command', text: 'x', cwd: '/', editable: false, pieces: [] };
  render(<ApprovalCard approval={approval(subject)} />, host);
  expect(buttons()).toEqual(['Deny', 'Deny with a reason', 'Allow once']);
});

test('an answer that is under way is not given twice', () => {
  const subject: Subject = { kind: 'command', text: 'x', cwd: '/', editable: true, pieces: [] };
  render(<ApprovalCard approval={approval(subject)} />, host);
  press('Allow once');
  press('Deny');
  expect(calls).toHaveLength(1);
});
