/** One call in the time line. It unfolds to everything that the log has of it. */

import { useSignal } from '@preact/signals';
import type { AuditCall } from '../commands';
import { ActorName } from '../ui/actor';
import { Icon } from '../ui/Icon';
import { clock, duration } from '../ui/time';
import { hasNamesakes } from './log';
import { Outcome } from './Outcome';
import { Sentence } from './Sentence';
import { isWrite, review, undo } from './undo';
import { toldAtMs } from './words';

export function Entry({ call }: { call: AuditCall }) {
  const open = useSignal(false);
  const id = `call-${call.seq}`;
  return (
    <article class="entry" data-open={open.value}>
      <button
        class="entry-fold"
        aria-expanded={open.value}
        aria-controls={id}
        aria-label={`Details of ${call.command}`}
        onClick={() => (open.value = !open.value)}
      >
        <Icon name={open.value ? 'chevronDown' : 'chevronRight'} />
      </button>
      <div class="entry-line">
        <time class="dim" dateTime={new Date(toldAtMs(call)).toISOString()}>
          {clock(toldAtMs(call))}
        </time>
        <ActorName name={call.actor} numbered={hasNamesakes(call.actor)} /> <Sentence call={call} /> <Outcome call={call} />
      </div>
      {open.value && <Details id={id} call={call} />}
    </article>
  );
}

function Details({ id, call }: { id: string; call: AuditCall }) {
  const rows: [string, string | undefined][] = [
    ['command', call.command],
    ['by', `${call.actor} through ${call.surface}`],
    ['decision', call.decision.replaceAll('_', ' ')],
    ['rule', call.rule],
    ['reason', call.reason],
    ['ran instead', call.run?.edited],
    ['exit code', call.run?.exitCode?.toString()],
    ['result', call.result],
    ['error', call.error],
    ['began', call.durationMs === undefined ? undefined : clock(call.atMs)],
    ['took', call.durationMs === undefined ? undefined : duration(call.durationMs)],
    ['trace', call.trace],
  ];
  return (
    <div id={id} class="entry-details">
      <dl>
        {rows.map(([name, value]) =>
          value ? (
            <div key={name}>
              <dt>{name}</dt>
              <dd class={name === 'error' ? 'danger' : ''}>{value}</dd>
            </div>
          ) : null,
        )}
      </dl>
      <pre tabIndex={0} aria-label="Arguments">
        {pretty(call.args)}
      </pre>
      {isWrite(call) && (
        <div class="answers">
          <button class="button" onClick={() => void review(call)}>
            What it changed
          </button>
          <button class="button" onClick={() => void undo(call)}>
            Take this write back
          </button>
        </div>
      )}
    </div>
  );
}

function pretty(args: string): string {
  try {
    return JSON.stringify(JSON.parse(args), null, 2);
  } catch {
    return args;
  }
}
