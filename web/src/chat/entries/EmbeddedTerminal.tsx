/**
 * A terminal of Flightdeck's within a tool call, live while its command runs and there to be read after the agent has
 * released it. It is shown as text that wraps, since a column is narrower than a screen; one click opens it as a terminal,
 * where it can be typed into.
 */

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { openTerminal } from '../../layout/actions';
import { terminals } from '../../state/hub';
import { Icon } from '../../ui/Icon';
import { Output } from './output';
import { Printed } from './Printed';
import { useNear } from './near';

export function EmbeddedTerminal({ id }: { id: string }) {
  const element = useRef<HTMLElement>(null);
  const near = useNear(element);
  const output = useSignal<Output | null>(null);
  useEffect(() => {
    if (!near) return;
    const mine = new Output(id);
    output.value = mine;
    return () => mine.stop();
  }, [id, near]);
  const told = output.value?.told.value;
  const state = terminals.value.get(id);
  const ended = told?.ended ?? (state && !state.running ? { exitCode: state.exitCode } : null);
  const title = state?.title ?? '';
  return (
    <section class="embedded" ref={element} aria-label={`Terminal ${id}`}>
      {told?.trouble ? (
        <p class="dim">{told.trouble}</p>
      ) : (
        <Printed lines={told?.lines ?? []} cut={told?.cut ?? false} label={`What ${id} printed`} />
      )}
      <footer>
        <span class={ended ? (ended.exitCode === undefined || ended.exitCode === 0 ? 'dim' : 'danger') : 'agent'}>
          {ended ? (ended.exitCode === undefined ? 'ended' : `exit ${ended.exitCode}`) : '● running'}
        </span>
        <span class="dim ellipsis">{title}</span>
        {!told?.trouble && (
          <button class="link" title="Open it as a terminal, to type into it" onClick={() => void openTerminal(id)}>
            <Icon name="terminal" /> {id}
          </button>
        )}
      </footer>
    </section>
  );
}
