/** What else can be done with a conversation. */

import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Chat } from '../commands';
import { Dialog } from '../ui/Dialog';
import { Icon } from '../ui/Icon';
import { BudgetDialog } from './BudgetDialog';
import { removeChat, restartChat, stopAgent } from './deeds';
import { isThere } from './words';

export function Menu({ chat, open }: { chat: Chat; open: Signal<boolean> }) {
  const root = useRef<HTMLDivElement>(null);
  const asked = useSignal<'budget' | 'remove' | null>(null);
  useEffect(() => {
    if (!open.value) return;
    root.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus();
    const away = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) open.value = false;
    };
    addEventListener('pointerdown', away);
    return () => removeEventListener('pointerdown', away);
  }, [open.value]);
  const close = () => {
    open.value = false;
    root.current?.querySelector<HTMLElement>('button')?.focus();
  };
  const there = isThere(chat);
  const items: { label: string; run(): unknown }[] = [
    { label: 'Budget…', run: () => (asked.value = 'budget') },
    there ? { label: 'Stop the agent', run: () => stopAgent(chat.id) } : { label: 'Start the agent again', run: () => restartChat(chat.id, chat.session !== undefined && chat.resumable === 'no') },
    { label: 'Remove the conversation…', run: () => (asked.value = 'remove') },
  ];
  return (
    <div class="menu" ref={root}>
      <button class="icon-button" aria-label="More" aria-haspopup="menu" aria-expanded={open.value} onClick={() => (open.value = !open.value)}>
        <Icon name="more" />
      </button>
      {open.value && (
        <ul
          role="menu"
          aria-label="Conversation"
          onKeyDown={(event) => {
            const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]')];
            const here = all.indexOf(document.activeElement as HTMLElement);
            const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
            if (step !== undefined) all[(here + step + all.length) % all.length]?.focus();
            else if (event.key === 'Escape') close();
            else return;
            event.preventDefault();
            event.stopPropagation();
          }}
        >
          {items.map(({ label, run }) => (
            <li key={label} role="none">
              <button
                role="menuitem"
                onClick={() => {
                  close();
                  run();
                }}
              >
                {label}
              </button>
            </li>
          ))}
        </ul>
      )}
      {asked.value === 'budget' && <BudgetDialog chat={chat} onClose={() => (asked.value = null)} />}
      {asked.value === 'remove' && (
        <Dialog label="Remove the conversation?" class="chat-dialog" onClose={() => (asked.value = null)}>
          <h3>Remove the conversation?</h3>
          <p>What was said in it is forgotten{there ? ', and the agent is ended' : ''}. Files and terminals stay.</p>
          <div class="answers">
            <button class="button" autofocus onClick={() => (asked.value = null)}>
              Keep it
            </button>
            <button class="button deny" onClick={() => void removeChat(chat.id)}>
              Remove it
            </button>
          </div>
        </Dialog>
      )}
    </div>
  );
}
