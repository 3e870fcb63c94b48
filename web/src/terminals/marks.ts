/**
 * The marks that a shell of the hub's prints around commands (`ESC ] 7733 ; nonce ; kind … BEL`). They say where on the
 * screen a command begins, which nothing else does exactly.
 *
 * A program can print such bytes as well, and the page does not know the nonce. So a mark only says *where*: whether a
 * command began there, and which, is for the hub's records to say.
 */

export interface ShellMark {
  /** `A` a prompt, `B` its end, `C` and `R` a command begins, `D` it has ended. */
  kind: string;
  /** The index after its last byte. */
  end: number;
}

const [ESC, BEL] = [0x1b, 0x07];
const PREFIX = new TextEncoder().encode('\x1b]7733;');
/** Longer ones hold a whole script as the text of the command; it is not worth keeping them. */
const LONGEST = 16 * 1024;
/** Nonce and kind are within so many bytes. */
const HEAD = 64;

const ascii = new TextDecoder('latin1');

/** Finds marks in output that comes in pieces. */
export class MarkScanner {
  private held: Uint8Array = new Uint8Array(0);

  scan(bytes: Uint8Array): ShellMark[] {
    const data = this.held.length > 0 ? joined(this.held, bytes) : bytes;
    const before = this.held.length;
    const found: ShellMark[] = [];
    let [at, held] = [0, data.length];
    for (;;) {
      const begin = data.indexOf(ESC, at);
      if (begin < 0) break;
      const fits = matching(data, begin);
      if (begin + fits === data.length) {
        held = begin;
        break;
      }
      if (fits < PREFIX.length) {
        at = begin + 1;
        continue;
      }
      let end = begin + PREFIX.length;
      while (end < data.length && data[end] !== BEL && data[end] !== ESC) end += 1;
      if (end === data.length) {
        held = end - begin < LONGEST ? begin : data.length;
        break;
      }
      if (data[end] === BEL) {
        const head = ascii.decode(data.subarray(begin + PREFIX.length, Math.min(end, begin + HEAD)));
        found.push({ kind: head.split(';')[1] ?? '', end: end + 1 - before });
        end += 1;
      }
      at = end;
    }
    this.held = data.slice(held);
    return found;
  }
}

/** How much of the prefix is there. */
function matching(data: Uint8Array, at: number): number {
  let length = 0;
  while (length < PREFIX.length && at + length < data.length && data[at + length] === PREFIX[length]) length += 1;
  return length;
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}
