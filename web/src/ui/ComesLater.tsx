/** Stands in place of a part of the page that is not loaded yet. While the hub is there, that takes no time to speak of. */

import { standing } from '../hub/link';

export function ComesLater() {
  return standing.value.is === 'away' ? <p class="comes-later dim">This shows when the hub is back.</p> : null;
}
