/** Keeps a click or a key that was meant for something else from answering what has just appeared under it. */

import { useEffect, useState } from 'preact/hooks';
import { QUIET_MS } from '../../attention/guard';

export function useSettled(shown: boolean): { ready: boolean; unlessReady(event: Event): void } {
  const [ready, setReady] = useState(false);
  useEffect(() => {
    setReady(false);
    if (!shown) return;
    const timer = setTimeout(() => setReady(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  return {
    ready,
    unlessReady: (event) => {
      if (ready || (event instanceof KeyboardEvent && event.key !== 'Enter' && event.key !== ' ')) return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
