/** Whether an entry is in sight or will be soon: what costs something is there only then. */

import { useEffect, useState } from 'preact/hooks';

/** Who scrolls past stays for no longer than this. */
const SETTLED = 60;

export function useNear(element: { current: HTMLElement | null }): boolean {
  const [near, setNear] = useState(false);
  useEffect(() => {
    let timer = 0;
    const observer = new IntersectionObserver(
      (entries) => {
        const is = entries.at(-1)!.isIntersecting;
        clearTimeout(timer);
        timer = window.setTimeout(() => setNear(is), SETTLED);
      },
      { root: element.current!.closest('.chat-log'), rootMargin: '400px' },
    );
    observer.observe(element.current!);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, []);
  return near;
}
