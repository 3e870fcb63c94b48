/**
 * Runs something after the texts of the same message were told. The state of the workbench is set first, so what is told
 * about places in a text has to wait until that text is there.
 */
export function later(run: () => void): void {
  queueMicrotask(run);
}
