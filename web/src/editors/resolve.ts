/** Ends a conflict as the person decides. */

import { call } from '../hub/link';
import { complain } from '../ui/toasts';
import type { EditorModel } from './model';

export async function resolve(model: EditorModel, keep: 'mine' | 'theirs'): Promise<void> {
  try {
    await call('flightdeck.workbench.resolve', { path: model.path, keep });
    if (model.comparison.value?.of === 'conflict') model.closeComparison();
    else model.focus();
  } catch (error) {
    complain(error);
  }
}
