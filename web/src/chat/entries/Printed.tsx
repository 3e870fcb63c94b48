/** What a command printed, within a tool call: its last lines, or all of them. Its height stays once it is full. */

import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { ToolContent } from '../../commands';
import { type Line, readAnsi } from '../../terminals/ansi';
import { Lines } from '../../terminals/Lines';
import { lines as inLines } from '../../terminals/words';

const SHOWN = 12;
/** More lines than these are for a terminal of their own. */
const MOST = 1000;

export function Printed({ lines, cut, label }: { lines: readonly Line[]; cut: boolean; label: string }) {
  const all = useSignal(false);
  const shown = all.value ? lines.slice(-MOST) : lines.slice(-SHOWN);
  const more = lines.length - SHOWN;
  if (lines.length === 0) return null;
  return (
    <div class="printed tool-printed">
      {cut && (all.value || more <= 0) && <p class="dim">… what came before is not here</p>}
      {more > 0 && (
        <button class="link dim" aria-expanded={all.value} onClick={() => (all.value = !all.value)}>
          {all.value ? 'the last lines only' : `${inLines(more)} before`}
        </button>
      )}
      <pre tabIndex={0} aria-label={label}>
        <Lines lines={shown} />
      </pre>
    </div>
  );
}

type Own = Extract<ToolContent, { type: 'output' }>;

/** What a command printed that the agent runs by itself. */
export function OwnOutput({ output, over }: { output: Own; over: boolean }) {
  const { lines } = useMemo(() => readAnsi(output.text), [output.text]);
  const exit = output.signal !== undefined ? `ended by ${output.signal}` : output.exitCode === undefined ? null : `exit ${output.exitCode}`;
  return (
    <section class="embedded" aria-label="Output">
      <Printed lines={lines} cut={output.truncated ?? false} label="What it printed" />
      <footer class="dim">
        <span>the agent’s own shell</span>
        <span class={output.exitCode === undefined || output.exitCode === 0 ? 'dim' : 'danger'}>{exit ?? (over ? 'ended' : 'running')}</span>
      </footer>
    </section>
  );
}
