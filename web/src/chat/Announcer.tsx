/** Tells those who listen what is new: whole sentences, and not more often than they can be heard. */

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Chat, Entry } from '../commands';
import { isBusy, stateWords } from './words';

const PAUSE_MS = 4000;
const LONGEST = 400;

export function Announcer({ chat, entries }: { chat: Chat; entries: readonly Entry[] }) {
  const said = useSignal('');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const before = useRef(chat.state);
  const latest = useRef({ chat, entries });
  latest.current = { chat, entries };
  useEffect(() => {
    if (before.current === chat.state) return;
    before.current = chat.state;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => (said.value = words(latest.current.chat, latest.current.entries)), said.peek() === '' ? 0 : PAUSE_MS);
  }, [chat.state]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <div class="visually-hidden" aria-live="polite" aria-atomic="true">
      {said.value}
    </div>
  );
}

function words(chat: Chat, entries: readonly Entry[]): string {
  const state = `${chat.agent.title}: ${stateWords(chat.state).word}.`;
  if (isBusy(chat.state)) return state;
  const last = entries.findLast((entry) => entry.kind === 'agent');
  if (last?.kind !== 'agent' || last.turn !== chat.turn) return `${state} ${chat.reason}`;
  return `${state} ${last.text.length > LONGEST ? `${last.text.slice(0, LONGEST)}…` : last.text}`;
}
