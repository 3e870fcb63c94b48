/** A unified diff, coloured by line; signs stay, so that colour is not all there is. */

import { visible } from '../ui/visible';

export function lineKind(line: string): 'added' | 'removed' | 'place' | 'same' {
  if (line.startsWith('@@')) return 'place';
  if (line.startsWith('+++') || line.startsWith('---')) return 'place';
  return line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same';
}

export function Diff({ diff }: { diff: string }) {
  return (
    <pre class="diff" tabIndex={0} aria-label="What would change">
      {diff.replace(/\n$/, '').split('\n').map((line, index) => (
        <span key={index} data-line={lineKind(line)}>
          {visible(line)}
          {'\n'}
        </span>
      ))}
    </pre>
  );
}
