/** A list that is filtered by typing, as the palette and quick open are. */

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { Dialog } from '../ui/Dialog';
import './picker.css';

export function Picker<T>(props: {
  label: string;
  placeholder: string;
  /** What fits the query as it is now: whoever types fast and presses Enter means what they have typed, drawn or not. */
  items(): readonly T[];
  itemKey(item: T): string;
  render(item: T): ComponentChildren;
  onQuery(query: string): void;
  onPick(item: T): void;
  onClose(): void;
  empty: string;
}) {
  const at = useSignal(0);
  const list = useRef<HTMLUListElement>(null);
  const items = props.items();
  const chosen = Math.min(at.value, items.length - 1);
  const move = (step: number) => {
    if (items.length === 0) return;
    at.value = (chosen + step + items.length) % items.length;
    document.getElementById(`pick-${at.value}`)?.scrollIntoView({ block: 'nearest' });
  };
  const pick = (item: T | undefined) => {
    if (item === undefined) return;
    // A dialog gives the keyboard back to where it was when it closes. What is picked may take it elsewhere, and so comes after that.
    list.current?.closest('dialog')?.close();
    props.onClose();
    props.onPick(item);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      move(step);
    } else if (event.key === 'Enter' && !event.isComposing) {
      event.preventDefault();
      const now = props.items();
      pick(now[Math.min(at.value, now.length - 1)]);
    }
  };
  return (
    <Dialog label={props.label} class="picker" onClose={props.onClose}>
      <input
        role="combobox"
        aria-label={props.label}
        aria-expanded="true"
        aria-controls="picks"
        aria-autocomplete="list"
        aria-activedescendant={items.length > 0 ? `pick-${chosen}` : undefined}
        placeholder={props.placeholder}
        spellcheck={false}
        autocomplete="off"
        autofocus
        onInput={(event) => {
          at.value = 0;
          props.onQuery(event.currentTarget.value);
        }}
        onKeyDown={onKeyDown}
      />
      <ul id="picks" ref={list} role="listbox" aria-label={props.label}>
        {items.map((item, index) => (
          <li
            key={props.itemKey(item)}
            id={`pick-${index}`}
            role="option"
            aria-selected={index === chosen}
            onPointerMove={() => (at.value = index)}
            onClick={() => pick(item)}
          >
            {props.render(item)}
          </li>
        ))}
      </ul>
      {items.length === 0 && <p class="dim">{props.empty}</p>}
    </Dialog>
  );
}
