/**
 * Parts of the page that are loaded when they are first needed. One that can't be had while the hub is away comes when it is
 * back.
 */

import { live, standing } from './link';
import { isOutdated } from './outdated';

/** How often it is tried while the hub is there. What it serves then, it serves at once. */
const ATTEMPTS = 3;
const PAUSE_MS = 500;

/** Loads a part, again after each failure that may pass. It fails when the hub has another page by now, or does not serve it. */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await load();
    } catch (error) {
      const wasLive = standing.peek().is === 'live';
      if (wasLive && (attempts >= ATTEMPTS || (await isOutdated()))) throw error;
      // The page may learn a moment later than the request that the hub is away.
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      if (standing.peek().is === 'live') continue;
      attempts = 0;
      await live();
    }
  }
}
