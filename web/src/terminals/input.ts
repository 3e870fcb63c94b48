/** What a terminal's input is: what somebody typed or pasted, or a report that xterm makes by itself. */

/** A mouse event in the encoding of SGR, of urxvt or of X10, or a focus event. */
const REPORT = /^(?:\x1b\[<\d+;\d+;\d+[Mm]|\x1b\[\d+;\d+;\d+M|\x1b\[M[^]{3}|\x1b\[[IO])+$/;
const PASTE_MARKS = /\x1b\[20[01]~/g;

const latin1 = new TextDecoder('latin1');
const utf8 = new TextDecoder();

/** Whether it is all reports of the mouse and the focus, which only the program of that moment has a use for. */
export function isReport(bytes: Uint8Array): boolean {
  return REPORT.test(latin1.decode(bytes));
}

/** How many characters somebody typed or pasted. A key that sends a sequence, such as an arrow, is one. */
export function charactersIn(bytes: Uint8Array): number {
  const text = utf8.decode(bytes).replace(PASTE_MARKS, '');
  return text.startsWith('\x1b') ? 1 : [...text].length;
}

export function charactersInWords(count: number): string {
  return count === 1 ? '1 character of input' : `${count.toLocaleString()} characters of input`;
}
