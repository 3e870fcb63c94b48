/** All conversations: who, what about, how it stands and since when. */

import { useSignal } from '@preact/signals';
import { Age } from '../attention/Age';
import type { Chat } from '../commands';
import { best } from '../palette/fuzzy';
import { Icon } from '../ui/Icon';
import { AgentPicker } from './AgentPicker';
import { chats, chatsKnown } from './overview';
import { focusChat, place } from './place';
import { unseen } from './seen';
import { stateWords, titleOf } from './words';

export function ConversationList() {
  const query = useSignal('');
  const all = chats.value;
  if (!chatsKnown.value) return <div class="chat-empty" aria-busy="true" />;
  if (all.length === 0) return <AgentPicker first />;
  const shown = query.value === '' ? all : best(query.value, all, wordsOf, 200);
  return (
    <>
      <div class="chat-bar">
        <input
          class="field chat-filter"
          type="search"
          aria-label="Filter conversations"
          placeholder="Filter"
          value={query.value}
          onInput={(event) => (query.value = event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && shown[0]) open(shown[0].id);
          }}
        />
        <button class="button chat-new" onClick={() => (place.value = { at: 'new' })}>
          <Icon name="plus" /> New
        </button>
      </div>
      <ul class="chat-list" aria-label="Conversations">
        {shown.map((chat) => (
          <li key={chat.id}>
            <Row chat={chat} />
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p class="dim chat-none">None is called that.</p>}
    </>
  );
}

function Row({ chat }: { chat: Chat }) {
  const { mark, word, tone } = stateWords(chat.state);
  return (
    <button class="chat-row" data-state={chat.state} data-unseen={unseen(chat)} onClick={() => open(chat.id)}>
      <span class={tone} aria-hidden="true">
        {mark}
      </span>
      <span class="chat-row-title ellipsis">{titleOf(chat)}</span>
      <span class="dim chat-row-age">
        <Age sinceMs={chat.sinceMs} />
      </span>
      <span class="chat-row-more ellipsis">
        <span class="agent">{chat.agent.title}</span> <span class={tone === 'ok' ? 'dim' : tone}>{word}</span>{' '}
        <span class="dim">· {chat.reason}</span>
      </span>
    </button>
  );
}

function wordsOf(chat: Chat): string {
  return `${titleOf(chat)} ${chat.agent.title} ${stateWords(chat.state).word}`;
}

function open(id: string): void {
  place.value = { at: 'chat', id };
  focusChat();
}
