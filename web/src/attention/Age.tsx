/** How long ago, or how long yet; alone in its component, since it is drawn anew every second. */

import { age, now } from '../ui/time';

export function Age({ sinceMs }: { sinceMs: number }) {
  return <time>{age(sinceMs, now.value)}</time>;
}

/** Said only when it matters: most requests are answered long before. */
const SOON_MS = 120_000;

export function Expiry({ expiresAtMs }: { expiresAtMs: number }) {
  const left = expiresAtMs - now.value;
  if (left > SOON_MS) return null;
  return <span class="warn">lapses in {age(now.value, Math.max(expiresAtMs, now.value))}</span>;
}
