/** The policy from the palette. The forms stand over whatever is open, so that they work from everywhere. */

import { register } from '../palette/actions';
import { panel } from '../state/preferences';
import { reviewPolicy } from './ChangesDialog';
import { draft, form } from './state';

export function openForm(which: 'add' | 'test'): void {
  draft.value = '';
  form.value = { is: which };
}

export function registerPolicy(): void {
  register(
    { id: 'policy.show', title: 'Policy: Rules in force', run: () => (panel.value = 'policy') },
    { id: 'policy.add', title: 'Policy: Add a rule…', run: () => openForm('add') },
    { id: 'policy.review', title: 'Policy: Review changes from outside', run: reviewPolicy },
    { id: 'policy.test', title: 'Policy: Test a command…', run: () => openForm('test') },
  );
}
