/**
 * A terminal of Flightdeck's within a tool call: its screen in little, live while its command runs, and there to be read
 * after the agent has released it. One click opens it as a whole terminal, where it can be typed into.
 */

import { computed, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { Transcript } from '../../commands';
import type { HubError } from '../../hub/connection';
import { call } from '../../hub/link';
import { loadPart } from '../../hub/parts';
import { openTerminal } from '../../layout/actions';
import { terminals } from '../../state/hub';
import type { Live } from '../../terminals/live';
import { Icon } from '../../ui/Icon';
import { visible } from '../../ui/visible';
import { Output } from './Output';
import { ScreenInLittle } from './ScreenInLittle';

interface Props {
  id: string;
  /** The conversation that it is in. */
  chat: string;
  /** What the tool call says already. */
  said: string;
}

export function EmbeddedTerminal({ id, chat, said }: Props) {
  const live = useSignal<Live | null>(null);
  const trouble = live.value?.trouble.value;
  // A conversation may hold hundreds of them: each is drawn again for its own changes alone.
  const state = useMemo(() => computed(() => terminals.value.get(id)), [id]).value;
  const ended = live.value?.ended.value ?? (state && !state.running ? { exitCode: state.exitCode } : null);
  const title = state === undefined || state.title === said ? '' : state.title;
  if (trouble) return <Gone id={id} chat={chat} />;
  return (
    <section class="embedded" aria-label={`Terminal ${id}`}>
      <ScreenInLittle
        name={id}
        label={`What ${id} printed`}
        feed={async (glance) => {
          const [{ Live }, { GLANCE_LINES }] = await loadPart(() => Promise.all([import('../../terminals/live'), import('../../terminals/glance')]));
          const mine = new Live(id, glance, null, GLANCE_LINES);
          live.value = mine;
          mine.start();
          return () => mine.stop();
        }}
      />
      <footer>
        <span class={ended ? (ended.exitCode === undefined || ended.exitCode === 0 ? 'dim' : 'danger') : 'agent'}>
          {ended ? (ended.exitCode === undefined ? 'ended' : `exit ${ended.exitCode}`) : '● running'}
        </span>
        <span class="dim ellipsis">{visible(title)}</span>
        <button class="link" title="Open it as a terminal, to type into it" onClick={() => void openTerminal(id)}>
          <Icon name="terminal" /> {id}
        </button>
      </footer>
    </section>
  );
}

/** The terminal went when it was old; the conversation has kept the end of what it printed. */
function Gone({ id, chat }: { id: string; chat: string }) {
  const kept = useSignal<Transcript | string | null>(null);
  useEffect(() => {
    call('flightdeck.chat.output', { id: chat, terminal: id }).then(
      (transcript) => (kept.value = transcript),
      (error: HubError) => (kept.value = error.message),
    );
  }, [id, chat]);
  if (kept.value === null) return null;
  if (typeof kept.value === 'string') return <p class="dim">{`${id} is no longer there: ${kept.value}`}</p>;
  const { output, truncated, exit } = kept.value;
  return <Output name={`${chat} ${id}`} output={{ text: output, truncated, ...exit }} over source={`${id} is gone; the end of its output is kept`} />;
}
