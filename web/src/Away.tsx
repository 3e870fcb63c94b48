/**
 * What stands above everything while the page is not connected: what has happened, and what brings the hub back. It lies over
 * the bar, of which nothing is of use then, and covers nothing that somebody reads or types.
 */

import { type Standing, standing } from './hub/link';
import { outdated } from './hub/outdated';
import { status } from './state/hub';
import { Copyable } from './ui/Copyable';
import { shellLine } from './ui/shell';
import { age, now } from './ui/time';
import './away.css';

/** A restart takes less; nobody has to be told of one. */
const UNTOLD_MS = 600;
/** A hub that has crashed is there again by then, if something starts it. */
const COMES_BACK_MS = 5000;

export function Away() {
  const how = standing.value;
  switch (how.is) {
    case 'connecting':
      return null;
    case 'live':
      return outdated.value ? <Outdated /> : null;
    case 'locked':
      return (
        <div class="away" role="alert">
          <p>
            <strong>This browser is not let in.</strong> Run <code>flightdeck open</code> in the project's folder, and use the link
            that it makes.
          </p>
        </div>
      );
    case 'away':
      return now.value - how.since < UNTOLD_MS ? null : <Gone how={how} />;
  }
}

function Outdated() {
  return (
    <div class="away newer" role="status">
      <p>
        <strong>Flightdeck is newer than this page.</strong> Nothing is lost by loading it again.{' '}
        <button class="button" onClick={() => location.reload()}>
          Reload
        </button>
      </p>
    </div>
  );
}

function Gone({ how }: { how: Extract<Standing, { is: 'away' }> }) {
  const since = age(how.since, now.value);
  if (how.why === 'stopped') {
    return (
      <div class="away" role="status">
        <p>
          <strong>The hub was stopped</strong> {since} ago. <span class="away-more">This page goes on when it runs again.</span> To start it, run:
        </p>
        <Copyable text={startingLine()} />
      </div>
    );
  }
  const late = now.value - how.since >= COMES_BACK_MS;
  return (
    <div class="away" role="status">
      <p>
        <strong>The hub is away.</strong> It went {since} ago<span class="away-more">, and this page goes on when it is back</span>.
        {late && ' If it does not come back, run:'}
      </p>
      {late && <Copyable text={startingLine()} />}
    </div>
  );
}

/** What starts the hub of this folder. */
function startingLine(): string {
  const { program = 'flightdeck', workspace } = status.value ?? {};
  return shellLine([program, 'open', ...(workspace === undefined ? [] : ['-w', workspace])]);
}
