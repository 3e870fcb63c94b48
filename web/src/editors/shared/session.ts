/**
 * One editor's part in a shared text: sends what is typed, shows what others type, and takes the text anew when something
 * was missed. The rules are in `SyncedText`; this is the way to the hub and into the editor.
 */

import { Annotation, type ChangeSet, type Text, Transaction } from '@codemirror/state';
import { type EditorView, ViewPlugin } from '@codemirror/view';
import { signal } from '@preact/signals';
import type { AppliedEdit } from '../../commands';
import { HubError } from '../../hub/connection';
import { call, live, standing } from '../../hub/link';
import { documents, onText, workbench } from '../../state/workbench';
import { complain } from '../../ui/toasts';
import { type Outgoing, SyncedText } from './synced';
import { textOf } from './transform';

/** Who made a change that came from the hub; absent when the text was taken anew. */
export interface Origin {
  by?: string;
}

/** Marks transactions that came from the hub. */
export const fromOthers = Annotation.define<Origin>();

/** The page's part of a client's name: edits of one client are counted, so nobody else may have it. */
const PAGE = crypto.getRandomValues(new Uint32Array(3)).join('-');
let sessions = 0;
let edits = 0;

/** Told of each edit of others with the text before and after it, for the review of what agents write. */
export type OnRemote = (edit: AppliedEdit, before: Text, after: Text) => void;

export class Session {
  /** Goes up when the text was taken anew, and places in it have to be looked up again. */
  readonly taken = signal(0);
  private readonly synced: SyncedText;
  private readonly client: string;
  private view: EditorView | null = null;
  private readonly stops: (() => void)[] = [];
  private waiting: (() => void)[] = [];
  /** What came while the text is taken anew. */
  private held: AppliedEdit[] | null = null;
  /** The text has to be taken anew. */
  private stale = false;
  /** How often in a row the hub has refused what was sent. */
  private refusals = 0;
  /** The life of the hub that has confirmed the last edit. */
  private epoch = 0;
  private over = false;

  private constructor(
    readonly path: string,
    version: number,
    text: string,
    private readonly onRemote: OnRemote,
  ) {
    this.client = `web-${PAGE}-${++sessions}`;
    this.synced = new SyncedText(this.client, version, textOf(text), () => ++edits);
  }

  /** Takes a document. What happens to it from here on is not missed. */
  static async open(path: string, onRemote: OnRemote): Promise<Session> {
    const held: AppliedEdit[] = [];
    const stop = onText((event) => event.type === 'edited' && event.path === path && held.push(event.edit));
    try {
      for (;;) {
        try {
          const { version, text } = await call('flightdeck.workbench.document', { path });
          const session = new Session(path, version, text, onRemote);
          session.held = held;
          return session;
        } catch (error) {
          if (!isAway(error)) throw error;
          await live();
        }
      }
    } finally {
      stop();
    }
  }

  /** The text that an editor begins with. */
  get text(): Text {
    return this.synced.known;
  }

  /** Where a place of the hub's text, in lines and columns from 1, is in the text that is shown. */
  shownAt(line: number, column = 1): number {
    const { known } = this.synced;
    const { from, to } = known.line(Math.min(Math.max(line, 1), known.lines));
    return this.synced.shownAt(Math.min(from + column - 1, to));
  }

  /** The extension that listens to what is typed. */
  readonly extension = ViewPlugin.define(() => ({
    update: ({ transactions }) => {
      for (const transaction of transactions) {
        if (transaction.docChanged && transaction.annotation(fromOthers) === undefined) this.synced.local(transaction.changes);
      }
      this.send();
    },
  }));

  /** Begins to work with the editor that shows its text. */
  attach(view: EditorView): void {
    this.view = view;
    this.stops.push(
      onText((event) => {
        if (event.type === 'anew' || (event.type === 'loaded' && event.path === this.path)) void this.takeAnew();
        else if (event.type === 'edited' && event.path === this.path) this.take(event.edit);
      }),
      standing.subscribe((now) => {
        if (now.is !== 'live') return;
        this.refusals = 0;
        if (this.stale) void this.takeAnew();
        // The hub may have it already; then it says so, and does not apply it twice.
        else this.deliver(this.synced.again());
      }),
      documents.subscribe((all) => {
        // What is on disk can't be lost with the hub any more.
        if (all.get(this.path)?.dirty === false && workbench.peek().epoch === this.epoch) this.synced.confirmed = null;
      }),
    );
    this.release();
  }

  /** Resolves when the hub has all that was typed until now. */
  async settled(): Promise<void> {
    while (!this.synced.settled && !this.over) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  dispose(): void {
    this.over = true;
    for (const stop of this.stops) stop();
    this.wake();
  }

  private take(edit: AppliedEdit): void {
    if (this.held) {
      this.held.push(edit);
      return;
    }
    const before = this.synced.known;
    const taken = this.synced.remote(edit);
    switch (taken.is) {
      case 'remote':
        this.show(taken.changes, { by: edit.by });
        this.onRemote(edit, before, this.synced.known);
        break;
      case 'confirmed':
        this.refusals = 0;
        this.epoch = workbench.peek().epoch;
        this.send();
        if (this.synced.settled) this.wake();
        break;
      case 'gap':
        void this.takeAnew();
        break;
      case 'old':
        break;
    }
  }

  private send(): void {
    if (!this.held) this.deliver(this.synced.next());
  }

  private deliver(outgoing: Outgoing | null): void {
    if (!outgoing || this.over) return;
    call('flightdeck.workbench.edit', { path: this.path, client: this.client, ...outgoing }).catch((error: unknown) => {
      if (!this.over && !isAway(error)) this.refused(error);
    });
  }

  /**
   * A hub that was started anew may not know the version that an edit was made for; then it is sent once more for the text
   * that the hub has. What it can't take at all does not stay here either, since nobody else would ever see it.
   */
  private refused(error: unknown): void {
    this.refusals += 1;
    if (this.refusals > 1 || (error instanceof HubError && error.code === 'too_large')) {
      complain(error);
      this.show(this.synced.giveUp(), {});
    }
    void this.takeAnew();
  }

  /** Something was missed. What was typed here stays, and the cursor stays where the text around it does. */
  private async takeAnew(): Promise<void> {
    this.stale = true;
    if (this.held) return;
    this.held = [];
    try {
      while (this.stale) {
        this.stale = false;
        const holdsSent = await this.takes(this.synced.again());
        const holdsRest = holdsSent || this.synced.confirmed === null || (await this.takes(this.synced.confirmed));
        const { version, text } = await call('flightdeck.workbench.document', { path: this.path });
        if (this.over) return;
        if (holdsRest) this.show(this.synced.anew(version, text, holdsSent), {});
        else this.synced.restore(version, text);
      }
      this.taken.value += 1;
    } catch (error) {
      // It is tried again when the hub comes back.
      this.stale = true;
      if (!this.over && !isAway(error)) complain(error);
    }
    if (!this.over) this.release();
  }

  /** Whether the hub has an edit that was sent before, or takes it now. */
  private async takes(outgoing: Outgoing | null): Promise<boolean> {
    if (!outgoing) return false;
    try {
      await call('flightdeck.workbench.edit', { path: this.path, client: this.client, ...outgoing });
      return true;
    } catch (error) {
      if (isAway(error)) throw error;
      return false;
    }
  }

  private release(): void {
    const held = this.held ?? [];
    this.held = null;
    for (const edit of held) this.take(edit);
    this.send();
    if (this.synced.settled) this.wake();
  }

  private show(changes: ChangeSet, origin: Origin): void {
    this.view?.dispatch({
      changes,
      annotations: [fromOthers.of(origin), Transaction.addToHistory.of(false), Transaction.remote.of(true)],
    });
  }

  private wake(): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (const resolve of waiting) resolve();
  }
}

function isAway(error: unknown): boolean {
  return error instanceof HubError && (error.code === 'connection_lost' || error.code === 'hub_stopping');
}
