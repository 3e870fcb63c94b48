/** Tells of what needs a person outside of the page: in its title. */

import { effect } from '@preact/signals';
import { workspaceName } from '../state/hub';
import { needs } from './needs';

export function watchAttention(): void {
  effect(() => {
    const count = needs.value.length;
    const name = workspaceName.value ? `${workspaceName.value} · Flightdeck` : 'Flightdeck';
    document.title = count > 0 ? `(${count}) ${name}` : name;
  });
}
