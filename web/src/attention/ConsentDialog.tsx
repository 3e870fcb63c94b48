/** Asks on first use whether agents may control the workbench. */

import { Dialog } from '../ui/Dialog';
import { clock } from '../ui/time';
import { consent, consentOpen, setConsent } from './consent';
import { useGuard } from './useGuard';

export function ConsentDialog() {
  const shown = consent.value;
  return consentOpen.value && shown ? <Shown /> : null;
}

function Shown() {
  const open = useGuard();
  const { text, ask, allowed, by, atMs } = consent.value!;
  return (
    <Dialog label="May agents control the workbench?" class="consent-dialog" onClose={() => (consentOpen.value = false)}>
      <div data-ready={open}>
        <h3>Agents and the workbench</h3>
        {text.split('\n').map((line) => (
          <p key={line}>{line}</p>
        ))}
        {/* The sentences are those of the document; nobody has agreed to them yet. */}
        <p class="consent-question">
          <strong>Do you allow agents to control the workbench?</strong>
        </p>
        {!ask && (
          <p class="dim">
            {allowed ? 'Allowed' : 'Not allowed'} by {by ?? 'somebody'}
            {atMs !== undefined && ` at ${clock(atMs)}`}.
          </p>
        )}
        <div class="answers">
          <button class="button" autofocus onClick={() => void setConsent(false, false)}>
            Not now
          </button>
          <button class="button deny" onClick={() => void setConsent(false, true)}>
            Don’t allow
          </button>
          <span class="fill" />
          <button class="button" onClick={() => void setConsent(true, true)}>
            Allow
          </button>
        </div>
        <p class="dim consent-note">
          “Not now” holds until the hub ends. Terminals and files go on under the policy either way.
        </p>
      </div>
    </Dialog>
  );
}
