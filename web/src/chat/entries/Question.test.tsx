import { render } from 'preact';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Chat, Field, Question as Asked } from '../../commands';
import { Question } from './Question';

const chat = { id: 'c1', agent: { name: 'script', title: 'Script agent' } } as unknown as Chat;
const asked = (more: Partial<Asked>): Asked => ({ message: 'Who?', fields: [], ...more });

let host: HTMLElement;
beforeEach(() => {
  host = document.body.appendChild(document.createElement('div'));
});
afterEach(() => {
  render(null, host);
  host.remove();
});
const show = (question: Asked) => render(<Question chat={chat} number={1} question={question} />, host);

test('a page is shown with its host apart, and with a word of warning where that looks like another', () => {
  show(asked({ url: 'https://login.example.org/a?b=https://bank.example', host: 'login.example.org' }));
  expect(host.querySelector('.chat-page strong')!.textContent).toBe('login.example.org');
  expect(host.querySelector('a')!.href).toBe('https://login.example.org/a?b=https://bank.example');
  expect(host.querySelector('.warn')).toBeNull();
  show(asked({ url: 'https://xn--pple-43d.com/', host: 'xn--pple-43d.com' }));
  expect(host.querySelector('.warn')).not.toBeNull();
});

test('a page is done when the agent says so, also after it was answered', () => {
  const page = { url: 'https://example.org/', host: 'example.org' };
  const outcome = { outcome: 'accepted', values: {}, by: 'web:1' } as const;
  for (const question of [asked(page), asked({ ...page, outcome })]) {
    show(question);
    expect(host.textContent).toContain('example.org');
    expect(host.querySelector('.ok')).toBeNull();
    show({ ...question, completed: true });
    expect(host.querySelector('.ok')!.textContent).toBe('✓ done');
  }
});

test('a form takes what its fields take', () => {
  const about = { required: true };
  const fields: Field[] = [
    { ...about, name: 'n', title: 'N', input: 'number', integer: true, minimum: 1, maximum: 5 },
    { ...about, name: 't', title: 'T', input: 'text', minLength: 2, maxLength: 8 },
    { ...about, name: 'm', title: 'M', input: 'many', minItems: 1, maxItems: 1, options: [{ value: 'a', title: 'A' }, { value: 'b', title: 'B' }], default: ['a', 'b'] },
  ];
  show(asked({ fields }));
  const [number, text] = [...host.querySelectorAll<HTMLInputElement>('input.field')];
  expect([number!.min, number!.max, text!.minLength, text!.maxLength]).toEqual(['1', '5', 2, 8]);
  expect([...host.querySelectorAll('small')].map((small) => small.textContent)).toEqual(['1 to 5', '2 to 8 characters', '1 of them']);
  expect(host.querySelector<HTMLButtonElement>('button.primary')!.disabled).toBe(true);
});
