/** Saves what a terminal has printed, as plain text. */

import { stream } from '../hub/link';

export async function saveOutput(id: string, title: string): Promise<void> {
  const parts: BlobPart[] = [];
  const reading = stream('flightdeck.terminal.follow', { id, plain: true }, (event, bytes) => {
    if (event.type === 'output') parts.push(bytes.slice());
    else if (event.type === 'gap') parts.push(`[... ${event.to - event.from} bytes left out: the log does not reach back so far ...]\n`);
  });
  await reading.result;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(parts, { type: 'text/plain' }));
  link.download = fileName(id, title);
  link.click();
  // The download has its own hold on it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A title is what a program says; a file's name is letters, digits and dashes. */
export function fileName(id: string, title: string): string {
  const plain = title.normalize('NFKD').replace(/[^A-Za-z0-9]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 40);
  return plain === '' ? `${id}.txt` : `${id}-${plain}.txt`;
}
