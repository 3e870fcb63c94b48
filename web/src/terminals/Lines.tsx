/** What was printed, line by line, in the colours of the theme. */

import type { Line } from './ansi';
import './ansi.css';

export function Lines({ lines }: { lines: readonly Line[] }) {
  return (
    <>
      {lines.map((line, index) => (
        <span key={index} class="line">
          {line.map((span, at) =>
            span.look === '' ? (
              span.text
            ) : (
              <span key={at} class={span.look}>
                {span.text}
              </span>
            ),
          )}
          {'\n'}
        </span>
      ))}
    </>
  );
}
