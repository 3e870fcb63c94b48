/** What stands around the text of one editor: bars, chips, and the comparison that may lie over it. */

import { signal } from '@preact/signals';
import { documents } from '../state/workbench';
import { type AgentWrite, AgentWrites } from './writes';

export type Comparison =
  /** What is in the editor beside what is on disk. */
  | { of: 'conflict' }
  /** What an agent wrote. */
  | { of: 'write'; write: AgentWrite };

/** What can be done with the text itself. */
interface TextPart {
  /** Saves it; what was typed until now goes to the hub first. */
  save(): Promise<void>;
  goTo(line: number): void;
  focus(): void;
  /** As it is shown now. */
  text(): string;
}

export class EditorModel {
  readonly writes: AgentWrites;
  readonly comparison = signal<Comparison | null>(null);
  /** A line that an agent points at and that was not scrolled to. */
  readonly pointed = signal<{ line: number } | null>(null);

  constructor(
    readonly path: string,
    /** The room of the text, which a comparison covers. */
    readonly over: HTMLElement,
    private readonly part: TextPart,
  ) {
    this.writes = new AgentWrites(path);
  }

  get document() {
    return documents.value.get(this.path);
  }

  save(): Promise<void> {
    return this.part.save();
  }

  goTo(line: number): void {
    this.pointed.value = null;
    this.part.goTo(line);
  }

  focus(): void {
    this.part.focus();
  }

  text(): string {
    return this.part.text();
  }

  compare(comparison: Comparison): void {
    this.comparison.value = comparison;
  }

  closeComparison(): void {
    this.comparison.value = null;
    this.focus();
  }
}
