/** The right column: what needs a person, then who is at work. On a phone it is the first block, and folds. */

import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { AgentList } from '../agents/AgentList';
import { Icon } from '../ui/Icon';
import { onGo } from './go';
import { needs } from './needs';
import { NeedCard } from './NeedCard';
import { askToNotify, permission } from './notify';
import './attention.css';
import './approval.css';

const folded = signal(false);
onGo((is) => (folded.value = is));

export function Attention() {
  const all = needs.value;
  const column = useRef<HTMLElement>(null);
  useKeptFocus(column.current, all.length);
  const unlessMoved = useStillness(all.length);
  return (
    <aside class="attention" ref={column} tabIndex={-1} aria-label="What needs you" data-folded={folded.value}>
      <div class="attention-head">
        <h2>Needs you</h2>
        {permission.value === 'default' && (
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
    </aside>
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
