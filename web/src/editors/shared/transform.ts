/**
 * Two edits of the same text, each as it is after the other.
 *
 * `ChangeSet.map` of CodeMirror does nearly this, but where both edits begin at the same place it puts the shorter
 * deletion first, whatever the flag says. The hub puts the text of the earlier edit first, always (`Delta::transform`).
 * Both sides have to agree to the letter, so this is the hub's walk over CodeMirror's change sets.
 */

import { ChangeSet, Text } from '@codemirror/state';

/** One step of the walk over the old text. Between two `keep`s there is one `put` and then one `drop` at the most. */
type Step = { is: 'keep' | 'drop'; length: number } | { is: 'put'; text: Text; length: number };

/** The only line break there is: a `\r` is a character of its line, as at the hub. */
export const LINE_BREAK = '\n';

export function textOf(text: string): Text {
  return Text.of(text.split(LINE_BREAK));
}

function stepsOf(changes: ChangeSet): Step[] {
  const steps: Step[] = [];
  let at = 0;
  const over = (is: 'keep' | 'drop', length: number) => length > 0 && steps.push({ is, length });
  changes.iterChanges((from, to, _fromB, _toB, inserted) => {
    over('keep', from - at);
    if (inserted.length > 0) steps.push({ is: 'put', text: inserted, length: inserted.length });
    over('drop', to - from);
    at = to;
  });
  over('keep', changes.length - at);
  return steps;
}

/** Builds an edit step by step, with insertions before deletions at the same place. */
class Builder {
  private readonly changes: { from: number; to: number; insert: Text }[] = [];
  private at = 0;

  keep(length: number): void {
    this.at += length;
  }

  put(text: Text): void {
    const last = this.touching();
    if (last) last.insert = last.insert.append(text);
    else this.changes.push({ from: this.at, to: this.at, insert: text });
  }

  drop(length: number): void {
    const last = this.touching();
    this.at += length;
    if (last) last.to = this.at;
    else this.changes.push({ from: this.at - length, to: this.at, insert: Text.empty });
  }

  done(): ChangeSet {
    return ChangeSet.of(this.changes, this.at, LINE_BREAK);
  }

  private touching() {
    const last = this.changes.at(-1);
    return last?.to === this.at ? last : undefined;
  }
}

/**
 * `earlier` then the first of the answer gives the same text as `later` then the second. Where both insert, the text of
 * `earlier` comes first.
 */
export function transform(later: ChangeSet, earlier: ChangeSet): [later: ChangeSet, earlier: ChangeSet] {
  const [laterAfter, earlierAfter] = [new Builder(), new Builder()];
  const [a, b] = [stepsOf(later), stepsOf(earlier)];
  let [mine, theirs] = [a.shift(), b.shift()];
  while (mine || theirs) {
    if (theirs?.is === 'put') {
      earlierAfter.put(theirs.text);
      laterAfter.keep(theirs.length);
      theirs = b.shift();
    } else if (mine?.is === 'put') {
      laterAfter.put(mine.text);
      earlierAfter.keep(mine.length);
      mine = a.shift();
    } else {
      if (!mine || !theirs) throw new Error('the edits are not of the same text');
      const length = Math.min(mine.length, theirs.length);
      if (mine.is === 'keep' && theirs.is === 'keep') {
        laterAfter.keep(length);
        earlierAfter.keep(length);
      } else if (theirs.is === 'keep') laterAfter.drop(length);
      else if (mine.is === 'keep') earlierAfter.drop(length);
      // What both dropped is gone already.
      mine = mine.length > length ? { is: mine.is, length: mine.length - length } : a.shift();
      theirs = theirs.length > length ? { is: theirs.is, length: theirs.length - length } : b.shift();
    }
  }
  return [laterAfter.done(), earlierAfter.done()];
}
