/** Whether the person is typing just now. Whoever is must not be interrupted: what comes then stays at the edge. */

const PAUSE_MS = 1500;

let lastKeyMs = Number.NEGATIVE_INFINITY;

/** Begins to notice keys that go into text, with the time of the last one only. */
export function watchTyping(): void {
  const note = (event: Event) => {
    if (takesText(event.target)) lastKeyMs = Date.now();
  };
  for (const type of ['keydown', 'input', 'paste']) addEventListener(type, note, true);
}

export function typing(nowMs = Date.now()): boolean {
  // Somebody who words an answer is in the middle of it, however long they think.
  const wording = document.activeElement?.closest('.approval textarea, .approval input') ?? null;
  return nowMs - lastKeyMs < PAUSE_MS || wording !== null;
}

export function takesText(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  return target.closest('input, textarea, select, [contenteditable]:not([contenteditable="false"]), .xterm, .cm-editor') !== null;
}
