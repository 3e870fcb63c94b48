/** What a program asks, in its own words: the last line of its screen. */

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { call } from '../hub/link';
import { visible } from '../ui/visible';

export function Question({ terminal }: { terminal: string }) {
  const asked = useSignal('');
  useEffect(() => {
    call('flightdeck.terminal.screen', { id: terminal }).then(({ text }) => (asked.value = lastLine(text)), () => {});
  }, [terminal]);
  // Room for it is there from the beginning, so that nothing moves when it comes.
  return <pre class="asked-question ellipsis dim">{visible(asked.value) || '\u00a0'}</pre>;
}

export function lastLine(screen: string): string {
  return screen.split('\n').map((line) => line.trim()).filter(Boolean).at(-1) ?? '';
}
