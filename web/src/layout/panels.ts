/** The panels at the left by keyboard: their keys open them and take the keyboard there, and back again. */

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Panel, panel } from '../state/preferences';
import { focus } from '../state/workbench';
import { openViews } from './view';

/** The panel that is to get the keyboard as soon as it is there. */
const awaited = signal<Panel | null>(null);

const element = () => document.querySelector<HTMLElement>('aside.panel');

/** Opens a panel and goes there; from there it closes it, and goes back to where the keyboard was. */
export function togglePanel(name: Panel): void {
  const isHere = element()?.contains(document.activeElement) ?? false;
  if (panel.value === name && isHere) {
    panel.value = null;
    if (focus.value !== null) openViews.focus(focus.value);
    return;
  }
  panel.value = name;
  awaited.value = name;
}

/** Stands behind what a panel shows, and so comes when that is loaded. */
export function PanelKeyboard({ name }: { name: Panel }) {
  const wanted = awaited.value === name;
  useEffect(() => {
    if (!wanted) return;
    awaited.value = null;
    const aside = element();
    const first = ['[role=tree]', 'input:enabled', '.panel button:enabled'].map((one) => aside?.querySelector<HTMLElement>(one));
    (first.find((one) => one != null) ?? aside)?.focus();
  }, [wanted]);
  return null;
}
