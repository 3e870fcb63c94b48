/** The row of keys above a phone's keyboard. Ctrl counts for the next key. */

import type { Pane } from './pane';
import { sequenceOf, TOUCH_KEYS, type TouchKey } from './touch';

export function TouchRow({ pane }: { pane: Pane }) {
  const press = (key: TouchKey) => {
    const { term } = pane.screen;
    const sequence = sequenceOf(key, term.modes);
    if (sequence === null) pane.ctrlHeld.value = !pane.ctrlHeld.value;
    else term.input(sequence);
  };
  return (
    <div class="touch-row" role="group" aria-label="Keys">
      {TOUCH_KEYS.map((key) => (
        <button
          key={key}
          class="button"
          aria-pressed={key === 'Ctrl' ? pane.ctrlHeld.value : undefined}
          // The keyboard stays open: the press does not take the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => press(key)}
        >
          {key}
        </button>
      ))}
    </div>
  );
}
