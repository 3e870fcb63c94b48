/** The audit log as a time line, newest first. It grows by itself, and further back on request. */

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Entry } from './Entry';
import { ALL, filter } from './filter';
import { Filters } from './Filters';
import { complete, loading, loadOlder, matching, PAGE } from './log';
import './activity.css';

export default function ActivityPanel() {
  const want = filter.value;
  // Another filter begins with one page again.
  const unfolded = useSignal({ of: want, count: PAGE });
  const shown = unfolded.value.of === want ? unfolded.value.count : PAGE;
  useEffect(() => {
    // Whoever types a filter is asked for once they pause.
    const timer = setTimeout(() => void loadOlder(), 200);
    return () => clearTimeout(timer);
  }, [want]);
  const all = matching.value;
  const more = all.length > shown || !complete.value;
  const older = () => {
    unfolded.value = { of: want, count: shown + PAGE };
    if (all.length < shown + PAGE) void loadOlder();
  };
  return (
    <>
      <h2>Activity</h2>
      <Filters />
      {all.length === 0 && complete.value ? (
        <p class="dim activity-empty">
          {want === ALL ? 'What agents and people do shows here, as it happens.' : 'Nothing like that has happened.'}
        </p>
      ) : (
        <ol class="timeline" aria-label="What happened, newest first" aria-busy={loading.value}>
          {all.slice(0, shown).map((call) => (
            <li key={call.seq}>
              <Entry call={call} />
            </li>
          ))}
        </ol>
      )}
      {more && all.length > 0 && (
        <button class="button bare older" disabled={loading.value} onClick={older}>
          Show older
        </button>
      )}
    </>
  );
}
