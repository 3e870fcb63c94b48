/**
 * A terminal of Flightdeck's within a tool call: its screen in little, live while its command runs, and there to be read
 * after the agent has released it. One click opens it as a whole terminal, where it can be typed into.
 */

import { useSignal } from '@preact/signals';
import { openTerminal } from '../../layout/actions';
import { terminals } from '../../state/hub';
import type { Live } from '../../terminals/live';
import { Icon } from '../../ui/Icon';
import { ScreenInLittle } from './ScreenInLittle';

/** `said`: what the tool call says already. */
export function EmbeddedTerminal({ id, said }: { id: string; said: string }) {
  const live = useSignal<Live | null>(null);
  const trouble = live.value?.trouble.value;
  const state = terminals.value.get(id);
  const ended = live.value?.ended.value ?? (state && !state.running ? { exitCode: state.exitCode } : null);
  const title = state === undefined || state.title === said ? '' : state.title;
  return (
    <section class="embedded" aria-label={`Terminal ${id}`}>
      {trouble ? (
        <p class="dim">{`${id} is no longer there: ${trouble}`}</p>
      ) : (
        <ScreenInLittle
          name={id}
          label={`What ${id} printed`}
          feed={async (glance) => {
            const [{ Live }, { GLANCE_LINES }] = await Promise.all([import('../../terminals/live'), import('../../terminals/glance')]);
            const mine = new Live(id, glance, null, GLANCE_LINES);
            live.value = mine;
            mine.start();
            return () => mine.stop();
          }}
        />
      )}
      <footer>
        <span class={ended ? (ended.exitCode === undefined || ended.exitCode === 0 ? 'dim' : 'danger') : 'agent'}>
          {ended ? (ended.exitCode === undefined ? 'ended' : `exit ${ended.exitCode}`) : '● running'}
        </span>
        <span class="dim ellipsis">{title}</span>
        {!trouble && (
          <button class="link" title="Open it as a terminal, to type into it" onClick={() => void openTerminal(id)}>
            <Icon name="terminal" /> {id}
          </button>
        )}
      </footer>
    </section>
  );
}
