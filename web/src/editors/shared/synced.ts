/**
 * A text that is shared through the hub, as one page has it: what the hub is known to have, the one edit that is on its
 * way, and what was typed since. It is pure: it sends and shows nothing itself, so that a test can try every order of
 * events.
 *
 * The text that is shown is always `known`, then `sent`, then `typed`.
 */

import { ChangeSet, type Text } from '@codemirror/state';
import type { AppliedEdit, TextChange } from '../../commands';
import { textOf, transform } from './transform';
import { difference, fromHub, sendable, toHub } from './wire';

/** An edit for the hub. The number stays the same when it is sent again. */
export interface Outgoing {
  base: number;
  changes: TextChange[];
  clientSeq: number;
}

/** What an edit of the hub means here. */
export type Taken =
  /** It is to be shown. */
  | { is: 'remote'; changes: ChangeSet }
  /** The hub has taken what was sent. */
  | { is: 'confirmed' }
  /** It was known before. */
  | { is: 'old' }
  /** Something is missing between what is known and this: the text has to be taken anew. */
  | { is: 'gap' };

export class SyncedText {
  private sent: { changes: ChangeSet; clientSeq: number } | null = null;
  private typed: ChangeSet | null = null;
  /**
   * The last edit from here that the hub has taken. A hub that was killed may have lost it: sent again, it is then refused
   * instead of being known.
   */
  confirmed: Outgoing | null = null;

  constructor(
    private readonly client: string,
    /** The version that the hub is known to have. */
    public version: number,
    /** The text of that version. */
    public known: Text,
    /** Numbers for edits; they go up for as long as the client has its name. */
    private readonly nextSeq: () => number,
  ) {}

  /** Whether the hub has everything. */
  get settled(): boolean {
    return this.sent === null && this.typed === null;
  }

  /** What the hub does not have yet, as an edit of what it is known to have. */
  get unconfirmed(): ChangeSet {
    const sent = this.sent?.changes ?? ChangeSet.empty(this.known.length);
    return this.typed ? sent.compose(this.typed) : sent;
  }

  /** Something was typed. */
  local(changes: ChangeSet): void {
    if (changes.empty) return;
    this.typed = this.typed ? this.typed.compose(changes) : changes;
  }

  /** The next edit to send, when none is on its way. */
  next(): Outgoing | null {
    if (this.sent || !this.typed) return null;
    this.sent = { changes: sendable(this.typed, this.known), clientSeq: this.nextSeq() };
    this.typed = null;
    return this.again();
  }

  /** What is on its way, to be sent again after the connection was lost. */
  again(): Outgoing | null {
    return this.sent && { base: this.version, changes: toHub(this.sent.changes), clientSeq: this.sent.clientSeq };
  }

  /** Takes an edit that the hub tells, in its order. */
  remote(edit: AppliedEdit): Taken {
    if (edit.version <= this.version) return { is: 'old' };
    if (edit.version !== this.version + 1) return { is: 'gap' };
    const changes = fromHub(edit.changes, this.known.length);
    if (edit.client === this.client) {
      // Both sides work out alike what became of it. If they ever did not, the text is taken anew.
      if (this.sent?.clientSeq !== edit.clientSeq || !same(this.sent?.changes, changes)) return { is: 'gap' };
      this.confirmed = this.again();
      this.confirm(changes, edit.version);
      return { is: 'confirmed' };
    }
    return { is: 'remote', changes: this.merge(changes, edit.version) };
  }

  /**
   * Takes a whole text of the hub, whatever happened in between. `holdsSent`: the hub has said that what was on its way
   * is in it. Gives what changes in the text that is shown; what was typed and has not arrived is kept.
   */
  anew(version: number, text: string, holdsSent: boolean): ChangeSet {
    if (this.sent && !holdsSent) {
      this.typed = this.unconfirmed;
      this.sent = null;
    } else if (this.sent) {
      this.confirmed = this.again();
      this.confirm(this.sent.changes, version);
    }
    const changes = difference(this.known.toString(), text);
    const shown = this.merge(changes, version);
    this.known = textOf(text);
    return shown;
  }

  /** Takes a text of a hub that has lost what it had taken. It is still here: what is shown stays, and is sent once more. */
  restore(version: number, text: string): void {
    const shown = this.unconfirmed.apply(this.known).toString();
    const missing = difference(text, shown);
    this.known = textOf(text);
    this.version = version;
    [this.sent, this.confirmed] = [null, null];
    this.typed = missing.empty ? null : missing;
  }

  /** Gives up what the hub does not have, which it refuses. Gives what takes it back in the text that is shown. */
  giveUp(): ChangeSet {
    const back = this.unconfirmed.invert(this.known);
    [this.sent, this.typed] = [null, null];
    return back;
  }

  /** Where a place of the known text is in the one that is shown. */
  shownAt(place: number): number {
    return this.unconfirmed.mapPos(Math.min(place, this.known.length), 1);
  }

  private confirm(changes: ChangeSet, version: number): void {
    this.known = changes.apply(this.known);
    this.sent = null;
    this.version = version;
  }

  private merge(changes: ChangeSet, version: number): ChangeSet {
    let remote = changes;
    if (this.sent) {
      const [mine, theirs] = transform(this.sent.changes, remote);
      this.sent = { ...this.sent, changes: mine };
      remote = theirs;
    }
    if (this.typed) {
      const [mine, theirs] = transform(this.typed, remote);
      this.typed = mine.empty ? null : mine;
      remote = theirs;
    }
    this.known = changes.apply(this.known);
    this.version = version;
    return remote;
  }
}

function same(a: ChangeSet | undefined, b: ChangeSet): boolean {
  return a !== undefined && JSON.stringify(toHub(a)) === JSON.stringify(toHub(b));
}
