/** Takes a person to what needs them. Only on their own wish: the keyboard goes along. */

import { attention, panel, side } from '../state/preferences';

/** To this need; without one to the next after the card that has the keyboard. */
export function go(key?: string): void {
  attention.value = true;
  side.value = 'needs';
  uncover();
  collapsed(false);
  requestAnimationFrame(() => {
    const cards = [...document.querySelectorAll<HTMLElement>('.attention [data-need]')];
    const here = cards.findIndex((card) => card.contains(document.activeElement));
    const card = key === undefined ? (cards[here + 1] ?? cards[0]) : cards.find((one) => one.dataset['need'] === key);
    const target = card?.querySelector<HTMLElement>('.answers button, .answer-form button') ?? document.querySelector<HTMLElement>('.attention');
    target?.focus();
    card?.scrollIntoView({ block: 'nearest' });
  });
}

/** Shows what needs a person, or puts the column away that shows it. */
export function toggleNeeds(): void {
  const shown = attention.value && side.value === 'needs' && !isCovered();
  uncover();
  attention.value = !shown;
  side.value = 'needs';
  if (!shown) collapsed(false);
}

const onPhone = () => matchMedia('(max-width: 700px)').matches;

/** Whether a panel lies over it. */
function isCovered(): boolean {
  return onPhone() && panel.value !== null;
}

/** On a phone a panel covers everything; what needs a person comes first there. */
export function uncover(): void {
  if (onPhone()) panel.value = null;
}

let collapsed: (is: boolean) => void = () => {};

/** The column tells how it is unfolded, where it can be folded. */
export function onGo(unfold: (is: boolean) => void): void {
  collapsed = unfold;
}
