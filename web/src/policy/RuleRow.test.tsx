import { render } from 'preact';
import { expect, test } from 'vitest';
import type { RuleShown } from '../commands';
import { RuleRow } from './RuleRow';

test('a rule hides nothing of what it allows: a file of rules may be somebody else’s', () => {
  const rule = { name: 'x\u202ey', action: 'allow', patterns: ['ls \u200b\x1b[8m; rm *'], reason: 'safe\u2066', matches: ['ls\x07'], notMatches: [] } as unknown as RuleShown;
  const host = document.createElement('div');
  render(<RuleRow rule={rule} fixed />, host);
  expect(host.innerHTML).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u200b\u202a-\u202e\u2060-\u206f]/);
  expect(host.querySelector('.pattern')!.textContent).toBe('ls \\u{200b}\\x1b[8m; rm *');
});
