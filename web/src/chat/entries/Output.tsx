/** What a command printed of which only the text is here. It is shown as a terminal of Flightdeck's is. */

import { useEffect, useRef } from 'preact/hooks';
import type { ToolContent } from '../../commands';
import type { Glance } from '../../terminals/glance';
import { ScreenInLittle } from './ScreenInLittle';

type Printed = Pick<Extract<ToolContent, { type: 'output' }>, 'text' | 'truncated' | 'exitCode' | 'signal'>;

interface Props {
  /** Which one it is, among all that are ever shown. */
  name: string;
  output: Printed;
  over: boolean;
  /** Where the text comes from. */
  source: string;
}

export function Output({ name, output, over, source }: Props) {
  const shown = useRef<{ glance: Glance; text: string } | null>(null);
  const show = () => {
    const { current } = shown;
    if (!current || current.text === output.text) return;
    // It grows at its end; only when its beginning was cut off it has to be drawn anew.
    const grown = output.text.startsWith(current.text);
    if (!grown) current.glance.term.reset();
    current.glance.term.write(grown ? output.text.slice(current.text.length) : output.text);
    current.text = output.text;
  };
  useEffect(show, [output.text]);
  const exit = output.signal !== undefined ? `ended by ${output.signal}` : output.exitCode === undefined ? null : `exit ${output.exitCode}`;
  return (
    <section class="embedded" aria-label="Output">
      {output.truncated && <p class="dim">… what came before is not here</p>}
      {output.text !== '' && (
        <ScreenInLittle
          name={name}
          label="What it printed"
          wraps
          feed={(glance) => {
            shown.current = { glance, text: '' };
            show();
            return () => (shown.current = null);
          }}
        />
      )}
      <footer class="dim">
        <span>{source}</span>
        <span class={output.exitCode === undefined || output.exitCode === 0 ? 'dim' : 'danger'}>{exit ?? (over ? 'ended' : 'running')}</span>
      </footer>
    </section>
  );
}
