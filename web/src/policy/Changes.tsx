/** What would have been decided otherwise, over the audit log. */

import type { Rehearsed } from '../commands';
import { ActorName } from '../ui/actor';
import { visible } from '../ui/visible';
import { rehearsedWords, shortDecision } from './words';

export function Changes({ rehearsed }: { rehearsed: Rehearsed }) {
  const { changed, looked_at } = rehearsed;
  return (
    <div class="rehearsed" role="status">
      <p>{rehearsedWords(looked_at, changed.length)}</p>
      {changed.length > 0 && (
        <ul tabIndex={0} aria-label="What would have changed">
          {[...changed].reverse().map((one) => (
            <li key={`${one.at_ms} ${one.command}`}>
              <code>{visible(one.command)}</code>
              <span class="dim">
                {shortDecision(one.before)} → <strong>{shortDecision(one.after)}</strong>
                {one.times > 1 && ` · ${one.times} times`} · <ActorName name={one.actor} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
