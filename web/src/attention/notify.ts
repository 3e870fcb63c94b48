/** Notifications of the browser, for whoever asked for them and looks elsewhere. */

import { signal } from '@preact/signals';
import { go } from './go';
import type { Need } from './needs';
import { bodyOf, titleOf } from './titles';

const possible = 'Notification' in globalThis;

export const permission = signal<NotificationPermission>(possible ? Notification.permission : 'denied');

/** Browsers want a click before they ask. */
export async function askToNotify(): Promise<void> {
  if (possible) permission.value = await Notification.requestPermission();
}

const shown = new Map<string, Notification>();

/** Tells of what is new, and takes back what needs nobody any more. */
export function tell(needs: readonly Need[], fresh: readonly Need[]): void {
  const keys = new Set(needs.map((need) => need.key));
  for (const [key, notification] of shown) {
    if (keys.has(key)) continue;
    notification.close();
    shown.delete(key);
  }
  if (!possible || permission.value !== 'granted' || document.hasFocus()) return;
  for (const need of fresh) {
    const notification = make(need);
    if (!notification) continue;
    notification.onclick = () => {
      window.focus();
      notification.close();
      go(need.key);
    };
    shown.set(need.key, notification);
  }
}

/** The same need in two windows is one notification. Some phones have none for pages, and say so only now. */
function make(need: Need): Notification | null {
  try {
    return new Notification(titleOf(need), { body: bodyOf(need), tag: need.key, icon: '/favicon.svg' });
  } catch {
    return null;
  }
}
