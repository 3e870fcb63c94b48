/**
 * Text that somebody decides about, with nothing in it that can't be seen: what moves the cursor, takes no room or turns
 * the direction of reading is shown as an escape, as `flightdeck approve` does. Otherwise a command could read as another.
 */

// Controls but tab and newline, soft hyphen, what takes no room, directions, fillers that look empty, tags.
const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}]/gu;

export function visible(text: string): string {
  return text.replace(UNSEEN, (character) => {
    const code = character.codePointAt(0)!.toString(16);
    return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u{${code}}`;
  });
}

export function hasUnseen(text: string): boolean {
  return text.search(UNSEEN) >= 0;
}
