import { ChangeSet, type Text } from '@codemirror/state';
import { expect, test } from 'vitest';
import type { AppliedEdit } from '../../commands';
import { randomEdit, randoms } from './random';
import { type Outgoing, SyncedText } from './synced';
import { textOf, transform } from './transform';
import { fromHub, toHub } from './wire';

/** What the hub does with edits (crates/workbench/src/document.rs). */
class ModelHub {
  version = 1;
  private history: ChangeSet[] = [];
  private readonly last = new Map<string, number>();
  readonly told: AppliedEdit[] = [];

  constructor(public text: Text) {}

  edit(client: string, { base, changes, clientSeq }: Outgoing): 'taken' | 'repeated' | 'too old' {
    const last = this.last.get(client) ?? -1;
    if (clientSeq === last) return 'repeated';
    if (clientSeq < last) throw new Error('out of order');
    const behind = this.version - base;
    if (behind < 0 || behind > this.history.length) return 'too old';
    const since = this.history.slice(this.history.length - behind);
    let edit = fromHub(changes, since[0]?.length ?? this.text.length);
    for (const earlier of since) [edit] = transform(edit, earlier);
    this.last.set(client, clientSeq);
    this.apply(edit, { by: 'web:1', client, clientSeq });
    return 'taken';
  }

  apply(edit: ChangeSet, who: Omit<AppliedEdit, 'version' | 'changes'>): void {
    this.text = edit.apply(this.text);
    this.history.push(edit);
    this.version += 1;
    this.told.push({ version: this.version, changes: toHub(edit), ...who });
  }

  /** It was killed: it has an older text, and knows nothing of what came since. */
  crash(text: Text): void {
    this.restart();
    this.text = text;
    this.version += 1000;
    this.last.clear();
  }

  /** It starts anew: what it had is there, how it came about is forgotten. */
  restart(): void {
    this.history = [];
  }
}

/** A page: what it shows, and what is on its way to it and from it. */
class ModelPage {
  readonly synced: SyncedText;
  shown: Text;
  read: number;
  outgoing: Outgoing | null = null;
  gaps = 0;
  private seq = 0;

  constructor(
    readonly name: string,
    readonly hub: ModelHub,
  ) {
    this.synced = new SyncedText(name, hub.version, hub.text, () => this.seq++);
    this.shown = hub.text;
    this.read = hub.told.length;
  }

  type(edit: ChangeSet): void {
    this.shown = edit.apply(this.shown);
    this.synced.local(edit);
    this.outgoing ??= this.synced.next();
  }

  /** What was sent arrives. */
  arrive(): void {
    const { outgoing } = this;
    if (!outgoing) return;
    this.outgoing = null;
    if (this.hub.edit(this.name, outgoing) === 'too old') this.takeAnew(false);
  }

  /** The next edit that the hub has told is taken. */
  take(): void {
    const edit = this.hub.told[this.read];
    if (!edit) return;
    this.read += 1;
    const taken = this.synced.remote(edit);
    if (taken.is === 'gap') {
      this.gaps += 1;
      return this.takeAnew(false);
    }
    if (taken.is === 'remote') this.shown = taken.changes.apply(this.shown);
    if (taken.is === 'confirmed') this.outgoing ??= this.synced.next();
    this.check();
  }

  /** The connection was lost: what was on its way may have arrived or not, and what was told is missed. */
  reconnect(): void {
    this.outgoing = null;
    const takes = (outgoing: Outgoing | null) => outgoing !== null && this.hub.edit(this.name, outgoing) !== 'too old';
    const holdsSent = takes(this.synced.again());
    if (holdsSent || this.synced.confirmed === null || takes(this.synced.confirmed)) return this.takeAnew(holdsSent);
    this.synced.restore(this.hub.version, this.hub.text.toString());
    this.read = this.hub.told.length;
    this.outgoing = this.synced.next();
    this.check();
  }

  private takeAnew(holdsSent: boolean): void {
    const changes = this.synced.anew(this.hub.version, this.hub.text.toString(), holdsSent);
    this.shown = changes.apply(this.shown);
    this.read = this.hub.told.length;
    this.outgoing = this.synced.next();
    this.check();
  }

  check(): void {
    expect(this.synced.unconfirmed.apply(this.synced.known).toString()).toBe(this.shown.toString());
  }
}

function settle(hub: ModelHub, pages: ModelPage[]): void {
  while (pages.some((page) => page.outgoing || page.read < hub.told.length)) {
    for (const page of pages) {
      page.arrive();
      page.take();
    }
  }
  for (const page of pages) {
    expect(page.shown.toString()).toBe(hub.text.toString());
    expect(page.synced.settled).toBe(true);
  }
}

test.each([2, 3])('%i pages that type at once end with the same text, whatever comes first', (count) => {
  for (let seed = 1; seed <= 200; seed++) {
    const random = randoms(seed);
    const hub = new ModelHub(textOf('fn main() {\n}\n'));
    const pages = Array.from({ length: count }, (_, index) => new ModelPage(`page ${index}`, hub));
    for (let turn = 0; turn < 40; turn++) {
      const page = pages[random(count)]!;
      const what = random(8);
      if (what < 3) page.type(randomEdit(random, page.shown.length));
      else if (what < 5) page.arrive();
      else if (what < 7) page.take();
      else if (random(3) === 0) hub.apply(randomEdit(random, hub.text.length), { by: 'claude-code#1' });
    }
    settle(hub, pages);
    expect(pages.map((page) => page.gaps)).toEqual(pages.map(() => 0));
  }
});

test('connections that are lost and a hub that starts anew lose nothing that is shown', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = randoms(1000 + seed);
    const hub = new ModelHub(textOf('one\ntwo\n'));
    const pages = Array.from({ length: 2 }, (_, index) => new ModelPage(`page ${index}`, hub));
    for (let turn = 0; turn < 30; turn++) {
      const page = pages[random(2)]!;
      const what = random(10);
      if (what < 4) page.type(randomEdit(random, page.shown.length));
      else if (what < 6) page.arrive();
      else if (what < 8) page.take();
      else if (what < 9) page.reconnect();
      else if (random(3) === 0) hub.restart();
    }
    settle(hub, pages);
  }
});

test('what a hub had taken and lost when it was killed comes back from the page', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const random = randoms(5000 + seed);
    const hub = new ModelHub(textOf('one\ntwo\n'));
    const page = new ModelPage('page', hub);
    const kept = hub.text;
    for (let turn = 0; turn < 20; turn++) {
      if (random(2) === 0) page.type(randomEdit(random, page.shown.length));
      page.arrive();
      if (random(2) === 0) page.take();
    }
    settle(hub, [page]);
    if (random(2) === 0) page.type(randomEdit(random, page.shown.length));
    const shown = page.shown.toString();
    hub.crash(kept);
    page.reconnect();
    settle(hub, [page]);
    expect(hub.text.toString()).toBe(shown);
  }
});

test('an edit that arrived before the connection was lost is not applied twice', () => {
  const hub = new ModelHub(textOf('a'));
  const page = new ModelPage('page', hub);
  page.type(ChangeSet.of({ from: 1, insert: 'b' }, 1));
  page.arrive();
  page.type(ChangeSet.of({ from: 2, insert: 'c' }, 2));
  page.reconnect();
  settle(hub, [page]);
  expect(hub.text.toString()).toBe('abc');
});

test('what the hub refuses is taken back', () => {
  const hub = new ModelHub(textOf('abc'));
  const page = new ModelPage('page', hub);
  page.type(ChangeSet.of({ from: 0, to: 1, insert: 'x' }, 3));
  page.type(ChangeSet.of({ from: 3, insert: 'y' }, 3));
  page.shown = page.synced.giveUp().apply(page.shown);
  expect(page.shown.toString()).toBe('abc');
  expect(page.synced.settled).toBe(true);
});
