/** A text for the clipboard, and whether it was copied just now. */

import { useSignal } from '@preact/signals';
import { complain } from './toasts';

/** So long a button says that it has copied. */
const SAYS_SO = 1500;

export function useCopy(text: string): { copied: boolean; copy(): void } {
  const copied = useSignal(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    copied.value = true;
    setTimeout(() => (copied.value = false), SAYS_SO);
  };
  return { copied: copied.value, copy: () => void copy().catch(complain) };
}
