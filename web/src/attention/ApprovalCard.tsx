/** A request in the list. It can be answered here, in full. */

import type { Approval } from '../commands';
import { ActorName } from '../ui/actor';
import { Icon } from '../ui/Icon';
import { Age } from './Age';
import { Answers } from './Answers';
import { bringForward, fresh } from './arrivals';
import { Asked, headingOf } from './Asked';

export function ApprovalCard({ approval }: { approval: Approval }) {
  return (
    <article
      class="card approval"
      data-need={approval.id}
      data-fresh={fresh.value.has(approval.id)}
      aria-label={`${approval.agent} ${headingOf(approval)}`}
    >
      <header>
        <span class="card-title">
          <strong>
            <ActorName name={approval.agent} />
          </strong>{' '}
          {headingOf(approval)}
        </span>
        <button class="icon-button enlarge" aria-label="Show larger" title="Show larger" onClick={() => bringForward(approval.id)}>
          <Icon name="maximise" />
        </button>
        <span class="dim card-age">
          <Age sinceMs={approval.askedAtMs} />
        </span>
      </header>
      <Asked approval={approval} />
      <Answers approval={approval} />
    </article>
  );
}
