/** Why the hub did not take a rule, said where the rule was written. */

import { HubError } from '../hub/connection';

export interface Trouble {
  text: string;
  hint?: string | undefined;
}

export function troubleOf(error: unknown): Trouble {
  return error instanceof HubError ? { text: error.message, hint: error.hint } : { text: String(error) };
}

export function TroubleWords({ trouble }: { trouble: Trouble | null }) {
  if (!trouble) return null;
  return (
    <p class="danger" role="alert">
      {trouble.text}
      {trouble.hint && <small class="dim"> {trouble.hint}</small>}
    </p>
  );
}
