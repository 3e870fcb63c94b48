/** The form that is open, if any. */

import { PolicyChangesDialog } from './ChangesDialog';
import { RemoveRuleDialog } from './RemoveRuleDialog';
import { RuleDialog } from './RuleDialog';
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
  const now = form.value;
  switch (now?.is) {
    case 'add':
      return <RuleDialog />;
    case 'change':
      return <RuleDialog changed={now.rule} />;
    case 'remove':
      return <RemoveRuleDialog rule={now.rule} />;
    case 'test':
      return <TestDialog />;
    case undefined:
      return null;
  }
}
