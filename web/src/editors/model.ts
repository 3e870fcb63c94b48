/** What stands around the text of one editor: bars, chips, and the comparison that may lie over it. */

import { signal } from '@preact/signals';
import { documents } from '../state/workbench';
import { type AgentWrite, AgentWrites } from './writes';

export type Comparison =
  /** What is in the editor beside what is on disk. */
  | { of: 'conflict' }
  /** What an agent wrote. */
  | { of: 'write'; write: AgentWrite };

export class EditorModel {
  readonly writes: AgentWrites;
  readonly comparison = signal<Comparison | null>(null);
  /** A line that an agent points at and that was not scrolled to. */
  readonly pointed = signal<{ line: number } | null>(null);

  constructor(
    readonly path: string,
    /** The room of the text, which a comparison covers. */
    readonly over: HTMLElement,
    /** Saves the text; what was typed until now goes to the hub first. */
    readonly save: () => Promise<void>,
    readonly goTo: (line: number) => void,
    readonly focus: () => void,
    /** The text as it is shown now. */
    readonly text: () => string,
  ) {
    this.writes = new AgentWrites(path);
  }

  get document() {
    return documents.value.get(this.path);
  }

  compare(comparison: Comparison): void {
    this.comparison.value = comparison;
  }

  closeComparison(): void {
    this.comparison.value = null;
    this.focus();
  }
}
