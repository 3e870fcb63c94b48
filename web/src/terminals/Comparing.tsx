/** How what a command printed differs from when it ran before. */

import { useEffect, useState } from 'preact/hooks';
import { type Comparison, comparisonOf } from './output';

export function Comparing({ id, number }: { id: string; number: number }) {
  const [found, setFound] = useState<Comparison | string | null>(null);
  useEffect(() => {
    comparisonOf(id, number).then(setFound, (error: Error) => setFound(error.message));
  }, [id, number]);
  if (found === null) return null;
  if (typeof found === 'string') return <p class="danger comparing">{found}</p>;
  if (found.with === undefined) return <p class="dim comparing">This is the first run of this command here.</p>;
  if (found.lines.length === 0) return <p class="dim comparing">It printed the same as run {found.with}.</p>;
  return (
    <div class="comparing">
      <p class="dim">Compared with run {found.with}</p>
      <pre>
        {found.lines.map(({ sign, text }, index) => (
          <span key={index} class="line" data-sign={sign}>
            {sign === '@' ? text : `${sign} ${text}`}
            {'\n'}
          </span>
        ))}
      </pre>
    </div>
  );
}
