import type { View } from '../layout/view';

export async function openTerminal(host: HTMLElement, id: string): Promise<View> {
  host.textContent = id;
  return { focus() {}, shown() {}, dispose() {} };
}
