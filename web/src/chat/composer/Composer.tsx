/** Where a person says something to an agent. */

import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Chat } from '../../commands';
import { allFiles, refreshFiles } from '../../files/all';
import { rank } from '../../files/rank';
import { split } from '../../files/rows';
import { call } from '../../hub/link';
import { best } from '../../palette/fuzzy';
import { documents } from '../../state/workbench';
import { Icon } from '../../ui/Icon';
import { complain, toast } from '../../ui/toasts';
import { BudgetDialog } from '../BudgetDialog';
import { cancelTurn } from '../deeds';
import { isBusy, isThere, usageWords } from '../words';
import { draftOf } from './drafts';
import { pictureOf, picturesIn } from './pictures';
import { completed, contentOf, type Wanted, wantedAt } from './prompt';
import { Settings } from './Settings';
import { type Suggestion, Suggestions } from './Suggestions';
import './composer.css';

const MOST = 8;
const TALLEST = 220;

export function Composer({ chat, onSent }: { chat: Chat; onSent(): void }) {
  const { text, pictures } = draftOf(chat.id);
  const field = useRef<HTMLTextAreaElement>(null);
  const wanted = useSignal<Wanted | null>(null);
  const at = useSignal(0);
  const sending = useSignal(false);
  const raising = useSignal(false);
  const busy = isBusy(chat.state);
  const can = isThere(chat) && (chat.state === 'ready' || chat.state === 'done' || chat.state === 'failed');

  const usage = usageWords(chat.usage, chat.budget);
  // Nothing more is taken until somebody says that more may be used.
  const usedUp = usage !== null && usage.near >= 1;

  useLayoutEffect(() => grow(field.current), [text.value, chat.id]);
  useEffect(() => {
    if (wanted.value?.is === 'file') void refreshFiles();
  }, [wanted.value?.is]);

  const items = wanted.value ? suggestionsFor(wanted.value, chat) : [];
  // A word that only looks like a mention is no reason for a list.
  const suggesting = wanted.value !== null && (items.length > 0 || (wanted.value.is === 'file' && allFiles.value === null));
  const chosen = Math.min(at.value, items.length - 1);

  const look = () => {
    const area = field.current;
    const next = area ? wantedAt(area.value, area.selectionStart) : null;
    if (next?.query !== wanted.peek()?.query) at.value = 0;
    wanted.value = next;
  };
  const pick = (item: Suggestion | undefined) => {
    const area = field.current;
    if (!item || !area || !wanted.value) return;
    const next = completed(area.value, area.selectionStart, wanted.value, item.value);
    text.value = next.text;
    area.value = next.text;
    area.setSelectionRange(next.cursor, next.cursor);
    wanted.value = null;
  };
  const send = async () => {
    const files = new Set(allFiles.peek() ?? []);
    const content = contentOf(text.value, (path) => files.has(path) || documents.peek().has(path), pictures.value);
    if (content.length === 0 || sending.value) return;
    if (busy) {
      toast('info', `${chat.agent.title} still works on the last prompt`, { hint: 'wait for its end, or stop it with Escape' });
      return;
    }
    if (usedUp) {
      raising.value = true;
      return;
    }
    const sent = { text: text.value, pictures: pictures.value };
    sending.value = true;
    try {
      await call('flightdeck.chat.prompt', { id: chat.id, content });
      if (text.peek() === sent.text) text.value = '';
      pictures.value = pictures.peek().filter((one) => !sent.pictures.includes(one));
      onSent();
    } catch (error) {
      complain(error);
    } finally {
      sending.value = false;
    }
  };
  const add = async (files: File[]) => {
    if (!chat.accepts.images) {
      toast('warning', `${chat.agent.title} takes no pictures`);
      return;
    }
    try {
      pictures.value = [...pictures.value, ...(await Promise.all(files.map(pictureOf)))];
    } catch (error) {
      complain(error);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (suggesting && items.length > 0) {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step !== undefined) {
        event.preventDefault();
        at.value = (chosen + step + items.length) % items.length;
        return;
      }
      if ((event.key === 'Enter' && !event.shiftKey) || event.key === 'Tab') {
        event.preventDefault();
        pick(items[chosen]);
        return;
      }
    }
    if (event.key === 'Escape') {
      if (wanted.value) wanted.value = null;
      else if (busy) void cancelTurn(chat.id);
      else return;
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      void send();
    }
  };
  return (
    <div class="composer">
      {suggesting && (
        <Suggestions
          label={wanted.value!.is === 'file' ? 'Files' : 'Commands'}
          items={items}
          at={chosen}
          empty="Looking for files…"
          onPick={pick}
        />
      )}
      {pictures.value.length > 0 && (
        <ul class="pictures" aria-label="Pictures">
          {pictures.value.map((picture, index) => (
            <li key={index}>
              <img src={`data:${picture.mime};base64,${picture.data}`} alt={`Picture ${index + 1}`} />
              <button
                class="icon-button"
                aria-label={`Remove picture ${index + 1}`}
                onClick={() => (pictures.value = pictures.value.filter((one) => one !== picture))}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <textarea
        ref={field}
        rows={1}
        aria-label={`Message to ${chat.agent.title}`}
        aria-autocomplete="list"
        aria-controls={suggesting ? 'chat-suggestions' : undefined}
        aria-activedescendant={suggesting && items.length > 0 ? `suggestion-${chosen}` : undefined}
        placeholder={placeholder(chat, can, busy)}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          look();
        }}
        onKeyUp={(event) => {
          if (event.key.startsWith('Arrow') || event.key === 'Home' || event.key === 'End') look();
        }}
        onClick={look}
        onBlur={() => (wanted.value = null)}
        onKeyDown={onKeyDown}
        onPaste={(event) => {
          const found = picturesIn(event.clipboardData);
          if (found.length === 0) return;
          event.preventDefault();
          void add(found);
        }}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          const found = picturesIn(event.dataTransfer);
          if (found.length === 0) return;
          event.preventDefault();
          void add(found);
        }}
      />
      <footer>
        <Settings chat={chat} disabled={!can && !busy} />
        <span class="fill" />
        {usage && (
          <span class={usedUp ? 'danger' : usage.near >= 0.8 ? 'warn' : 'dim'} title="What this conversation has used">
            {usedUp ? 'budget used up · ' : usage.near >= 0.8 ? 'near the budget · ' : ''}
            {usage.text}
          </span>
        )}
        {busy ? (
          <button class="button composer-send" title="Stop (Escape)" onClick={() => void cancelTurn(chat.id)}>
            <span aria-hidden="true">■</span> Stop
          </button>
        ) : usedUp ? (
          <button class="button composer-send" onClick={() => (raising.value = true)}>
            Raise the budget…
          </button>
        ) : (
          <button
            class="button primary composer-send"
            title="Send (Enter; Shift+Enter for a new line)"
            disabled={!can || sending.value || (text.value.trim() === '' && pictures.value.length === 0)}
            onClick={() => void send()}
          >
            Send
          </button>
        )}
      </footer>
      {raising.value && (
        <BudgetDialog
          chat={chat}
          onClose={() => {
            raising.value = false;
            field.current?.focus();
          }}
        />
      )}
    </div>
  );
}

function placeholder(chat: Chat, can: boolean, busy: boolean): string {
  if (busy) return `${chat.agent.title} is at work · Escape stops it`;
  if (!can) return chat.state === 'starting' ? `${chat.agent.title} is starting…` : `${chat.agent.title} can’t be prompted now`;
  const commands = (chat.commands ?? []).length > 0 ? ', / for commands' : '';
  return `Message ${chat.agent.title} · @ for files${commands}`;
}

function suggestionsFor(wanted: Wanted, chat: Chat): Suggestion[] {
  if (wanted.is === 'command') {
    const commands = best(wanted.query, chat.commands ?? [], ({ name }) => name, MOST);
    return commands.map(({ name, description, hint }) => ({
      value: name,
      label: `/${name}`,
      about: hint === undefined ? description : `${description} · ${hint}`,
    }));
  }
  const open = new Set(documents.value.keys());
  return rank(wanted.query, allFiles.value ?? [], open, MOST).map((path) => {
    const [folder, name] = split(path);
    return { value: path, label: name, about: folder };
  });
}

/** As tall as what is typed, to a point. */
function grow(area: HTMLTextAreaElement | null): void {
  if (!area) return;
  area.style.height = 'auto';
  area.style.height = `${Math.min(area.scrollHeight, TALLEST)}px`;
}
