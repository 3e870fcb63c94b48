/**
 * Whether the hub serves another page than this one: it was upgraded below an open page. Parts that are loaded when they
 * are needed may be gone then, so the person is told, and loads it again when it suits them.
 */

import { signal } from '@preact/signals';
import { standing } from './link';

export const outdated = signal(false);

/** The script that a page begins with; its name holds a hash of what is in it. */
export function scriptOf(html: string): string | undefined {
  return /<script[^>]+src="([^"]+)"/.exec(html)?.[1];
}

export function watchForUpgrades(): void {
  let seen = false;
  standing.subscribe((now) => {
    if (now.is !== 'live') return;
    // The first connection is that of the page that was just loaded.
    if (seen) void isOutdated();
    seen = true;
  });
}

/** Looks whether the hub serves another page. `false` too when it does not answer. */
export async function isOutdated(): Promise<boolean> {
  const mine = document.querySelector<HTMLScriptElement>('script[type=module][src]')?.getAttribute('src');
  try {
    const theirs = scriptOf(await (await fetch('/', { cache: 'no-store' })).text());
    if (mine && theirs && mine !== theirs) outdated.value = true;
  } catch {
    // It is looked at again with the next connection.
  }
  return outdated.value;
}
