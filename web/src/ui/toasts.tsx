/** Short messages at the edge, for what happened and needs no decision. Errors stay until they are dismissed. */

import { signal } from '@preact/signals';
import { HubError } from '../hub/connection';
import { Icon } from './Icon';
import { visible } from './visible';
import './toasts.css';

export type Severity = 'info' | 'success' | 'warning' | 'error';

export interface Toast {
  id: number;
  severity: Severity;
  text: string;
  hint?: string | undefined;
  action?: { label: string; run(): void };
}

const SHOWN_MS: Record<Severity, number | null> = { info: 4000, success: 3000, warning: 8000, error: null };
const AT_MOST = 4;

export const toasts = signal<readonly Toast[]>([]);
let next = 1;

export function toast(severity: Severity, text: string, more: Pick<Toast, 'hint' | 'action'> = {}): void {
  const id = next++;
  toasts.value = [...toasts.value, { id, severity, text, ...more }].slice(-AT_MOST);
  const shown = SHOWN_MS[severity];
  if (shown !== null) setTimeout(() => dismiss(id), shown);
}

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id);
}

/**
 * Tells a person why something that they did failed. That the hub is away stands above everything; `undone` says what did not
 * happen since it is: "no terminal was opened".
 */
export function complain(error: unknown, undone?: string): void {
  if (error instanceof HubError) {
    if (error.code === 'connection_lost') {
      const text = `The hub is away: ${undone}`;
      if (undone !== undefined && !toasts.peek().some((one) => one.text === text)) toast('warning', text);
    } else if (error.code !== 'cancelled') toast('error', error.message, { hint: error.hint });
  } else {
    toast('error', error instanceof Error ? error.message : String(error));
  }
}

export function Toasts() {
  return (
    <ul class="toasts">
      {toasts.value.map((one) => (
        <li key={one.id} data-severity={one.severity}>
          <div role={one.severity === 'error' ? 'alert' : 'status'}>
            {visible(one.text)}
            {one.hint && <small class="dim">{visible(one.hint)}</small>}
          </div>
          {one.action && (
            <button
              class="button bare"
              onClick={() => {
                dismiss(one.id);
                one.action?.run();
              }}
            >
              {one.action.label}
            </button>
          )}
          <button class="icon-button" aria-label="Dismiss" onClick={() => dismiss(one.id)}>
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}
