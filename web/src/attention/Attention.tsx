/** The right column: what needs a person, then who is at work; or the conversations with agents. On a phone it is the first block, and folds. */

import { signal } from '@preact/signals';
import { lazy, Suspense } from 'preact/compat';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { AgentList } from '../agents/AgentList';
import { chats } from '../chat/overview';
import { unseen } from '../chat/seen';
import { loadPart } from '../hub/parts';
import { type Side, side } from '../state/preferences';
import { ComesLater } from '../ui/ComesLater';
import { Icon } from '../ui/Icon';
import { onGo } from './go';
import { needs } from './needs';
import { NeedCard } from './NeedCard';
import { askToNotify, permission } from './notify';
import './attention.css';
import './approval.css';

/** Nobody who talks with no agent needs it. */
const ChatPanel = lazy(() => loadPart(() => import('../chat/ChatPanel')));

const folded = signal(false);
onGo((is) => (folded.value = is));

export function Attention() {
  const all = needs.value;
  const column = useRef<HTMLElement>(null);
  useKeptFocus(column.current, all.length);
  const unlessMoved = useStillness(all.length);
  return (
    <aside
      class="attention"
      ref={column}
      tabIndex={-1}
      aria-label={side.value === 'chat' ? 'Chat' : 'What needs you'}
      data-folded={folded.value && side.value === 'needs'}
      data-side={side.value}
    >
      <div class="attention-head">
        <h2 class="visually-hidden">{side.value === 'chat' ? 'Chat' : 'Needs you'}</h2>
        <div class="sides" role="tablist" aria-label="What this column shows">
          <SideTab name="needs" title="Needs you" count={all.length} />
          <SideTab name="chat" title="Chat" count={chats.value.filter(unseen).length} />
        </div>
        {side.value === 'needs' && permission.value === 'default' && (
          <button class="button bare notify" title="Tell me by a notification while I look elsewhere" onClick={() => void askToNotify()}>
            Notify me
          </button>
        )}
        <button
          class="icon-button fold"
          aria-label={folded.value ? 'Unfold' : 'Fold'}
          aria-expanded={!folded.value}
          onClick={() => (folded.value = !folded.value)}
        >
          <Icon name={folded.value ? 'chevronRight' : 'chevronDown'} />
        </button>
      </div>
      {side.value === 'chat' ? (
        <Suspense fallback={<ComesLater />}>
          <ChatPanel />
        </Suspense>
      ) : (
      <div class="attention-body">
        {all.length === 0 ? (
          <div class="attention-empty">
            <p>Nothing needs you</p>
            <p class="dim">Requests of agents, questions of their programs and conflicts show here.</p>
          </div>
        ) : (
          <ul class="needs-list" aria-label="What needs you" onClickCapture={unlessMoved}>
            {all.map((need) => (
              <li key={need.key}>
                <NeedCard need={need} />
              </li>
            ))}
          </ul>
        )}
        <h2>Agents</h2>
        <AgentList brief />
      </div>
      )}
    </aside>
  );
}

function SideTab({ name, title, count }: { name: Side; title: string; count: number }) {
  const chosen = side.value === name;
  return (
    <button
      role="tab"
      id={`side-${name}`}
      aria-selected={chosen}
      tabIndex={chosen ? 0 : -1}
      data-count={count}
      onClick={() => (side.value = name)}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
        event.preventDefault();
        side.value = name === 'needs' ? 'chat' : 'needs';
        document.getElementById(`side-${side.value}`)?.focus();
      }}
    >
      {title}
      {count > 0 && <span class="count">{count}</span>}
    </button>
  );
}

/** When the card that had the keyboard goes, the keyboard stays in the column instead of falling to the page. */
function useKeptFocus(column: HTMLElement | null, count: number): void {
  const within = useRef(false);
  useEffect(() => {
    if (!column) return;
    const note = () => (within.current = column.contains(document.activeElement));
    addEventListener('focusin', note);
    return () => removeEventListener('focusin', note);
  }, [column]);
  useEffect(() => {
    if (within.current && document.activeElement === document.body) column?.focus();
  }, [column, count]);
}

const MOVED_MS = 400;

/** When a card goes, the next one moves up under the pointer: a click that was meant for the one before is dropped. */
function useStillness(count: number): (event: MouseEvent) => void {
  const before = useRef(count);
  const movedMs = useRef(0);
  useLayoutEffect(() => {
    if (count < before.current) movedMs.current = Date.now();
    before.current = count;
  }, [count]);
  return (event) => {
    // Keys go where the focus is, which does not move; they click without a count.
    if (event.detail === 0 || Date.now() - movedMs.current >= MOVED_MS) return;
    event.preventDefault();
    event.stopPropagation();
  };
}
