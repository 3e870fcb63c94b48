/** One conversation: who it is with and how it stands, what was said, and where to say more. */

import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { Age } from '../attention/Age';
import type { Chat } from '../commands';
import { Icon } from '../ui/Icon';
import { Announcer } from './Announcer';
import { Composer } from './composer/Composer';
import { AfterEnd } from './AfterEnd';
import { Follow } from './follow';
import { Log } from './Log';
import { Menu } from './Menu';
import { chatOf } from './overview';
import { place } from './place';
import { stateWords, titleOf } from './words';

export function Conversation({ id }: { id: string }) {
  const follow = useMemo(() => new Follow(id), [id]);
  useEffect(() => () => follow.stop(), [follow]);
  const { chat: told, removed, entries } = follow.transcript.value;
  // The overview knows it before its first entries come.
  const chat = told ?? chatOf(id) ?? null;
  if (removed || follow.trouble.value !== null) {
    return (
      <div class="chat-empty">
        <p>{removed ? 'This conversation was removed.' : 'This conversation can’t be shown.'}</p>
        {follow.trouble.value !== null && <p class="dim">{follow.trouble.value}</p>}
        <button class="button" onClick={() => (place.value = { at: 'list' })}>
          All conversations
        </button>
      </div>
    );
  }
  if (!chat) return <div class="chat-empty" aria-busy="true" />;
  return (
    <>
      <Head chat={chat} />
      <Log follow={follow} chat={chat} key={id}>
        {told !== null && entries.length === 0 && <Invitation chat={chat} />}
        <AfterEnd chat={chat} />
      </Log>
      <Announcer chat={chat} entries={entries} />
      <Composer chat={chat} onSent={() => (follow.atEnd = true)} key={`composer-${id}`} />
    </>
  );
}

function Head({ chat }: { chat: Chat }) {
  const { mark, word, tone } = stateWords(chat.state);
  const open = useSignal(false);
  return (
    <header class="chat-head">
      <button class="icon-button" aria-label="All conversations" title="All conversations" onClick={() => (place.value = { at: 'list' })}>
        <Icon name="back" />
      </button>
      <div class="chat-name">
        <strong class="ellipsis" title={titleOf(chat)}>
          {titleOf(chat)}
        </strong>
        <span class="chat-state" title={chat.reason}>
          <span class="agent">{chat.agent.title}</span>
          <span class={tone}>
            <span aria-hidden="true">{mark} </span>
            {word}
          </span>
          <span class="dim">
            <Age sinceMs={chat.sinceMs} />
          </span>
        </span>
      </div>
      <Menu chat={chat} open={open} />
    </header>
  );
}

function Invitation({ chat }: { chat: Chat }) {
  if (chat.state !== 'ready' && chat.state !== 'done') return null;
  return (
    <div class="chat-empty">
      <p>
        <strong>{chat.agent.title}</strong> is ready.
      </p>
      <p class="dim">
        Say what to do. It works in <code>{chat.cwd}</code> with real terminals that you see here, and asks before what is
        dangerous.
      </p>
    </div>
  );
}
