/** Whether an entry is in sight or will be soon: what costs something is loaded when it is. */

import { useEffect, useState } from 'preact/hooks';

export function useNear(element: { current: HTMLElement | null }): boolean {
  const [near, setNear] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      root: element.current!.closest('.chat-log'),
      rootMargin: '600px',
    });
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, []);
  return near;
}
