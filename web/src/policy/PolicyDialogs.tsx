/** The form that is open, if any. */

import { AddRuleDialog } from './AddRuleDialog';
import { PolicyChangesDialog } from './ChangesDialog';
import { form } from './state';
import { TestDialog } from './TestDialog';
import './policy.css';

export function PolicyDialogs() {
  return (
    <>
      <PolicyChangesDialog />
      <Form />
    </>
  );
}

function Form() {
  switch (form.value) {
    case 'add':
      return <AddRuleDialog />;
    case 'test':
      return <TestDialog />;
    case null:
      return null;
  }
}
