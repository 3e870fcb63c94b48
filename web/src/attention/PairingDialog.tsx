/** Shows a code by which a program that is not known to be this person's becomes one of their front ends. */

import { signal } from '@preact/signals';
import type { PairingCode } from '../commands';
import { call } from '../hub/link';
import { useCopy } from '../ui/copy';
import { Dialog } from '../ui/Dialog';
import { complain } from '../ui/toasts';

const shown = signal<PairingCode | null>(null);

/** Makes a code and shows it. */
export async function showPairingCode(): Promise<void> {
  try {
    shown.value = await call('flightdeck.hub.pairing_code', {});
  } catch (error) {
    complain(error);
  }
}

export function PairingDialog() {
  return shown.value && <Shown made={shown.value} />;
}

function Shown({ made }: { made: PairingCode }) {
  const { copied, copy } = useCopy(made.code);
  const close = () => (shown.value = null);
  return (
    <Dialog label="Pair a program" class="consent-dialog" onClose={close}>
      <div>
        <h3>Pair a program</h3>
        <p>
          Run <code>flightdeck pair</code> in the window that Flightdeck does not recognise as yours, and type this code there:
        </p>
        <p class="pairing-code">
          <code>{made.code}</code>
        </p>
        <p class="dim">
          It works once, within {Math.round(made.expiresInSeconds / 60)} minutes. What runs in that window can then approve commands in your name: do
          not give the code to an agent.
        </p>
        <div class="answers">
          <button class="button" autofocus onClick={copy}>
            {copied ? 'Copied' : 'Copy the code'}
          </button>
          <span class="fill" />
          <button class="button" onClick={close}>
            Close
          </button>
        </div>
      </div>
    </Dialog>
  );
}
