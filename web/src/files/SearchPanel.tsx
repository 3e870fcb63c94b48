/** Finds text in all files, while it is typed. */

import { openFile } from '../layout/actions';
import { Icon } from '../ui/Icon';
import { visible } from '../ui/visible';
import { Skeleton } from './FilesPanel';
import { type Group, grouped, parts, summary } from './results';
import { caseSensitive, include, outcome, query, regex, searchNow, searchSoon } from './search';
import { split } from './rows';
import './files.css';
import './search.css';

export default function SearchPanel() {
  const now = outcome.value;
  return (
    <div class="search" onKeyDown={walk}>
      <h2>Search</h2>
      <div class="panel-filter search-fields">
        <div class="search-query">
          <input
            class="field"
            type="search"
            aria-label="Search in files"
            placeholder="Text in files"
            spellcheck={false}
            autocomplete="off"
            ref={begin}
            value={query.value}
            onInput={(event) => {
              query.value = event.currentTarget.value;
              searchSoon();
            }}
            onKeyDown={(event) => event.key === 'Enter' && searchNow()}
          />
          <Toggle label="Match case" sign="Aa" signal={caseSensitive} />
          <Toggle label="Regular expression" sign=".*" signal={regex} />
        </div>
        <input
          class="field"
          type="text"
          aria-label="Only in files like these"
          placeholder="Only in: *.rs, src/**"
          spellcheck={false}
          value={include.value}
          onInput={(event) => {
            include.value = event.currentTarget.value;
            searchSoon();
          }}
        />
      </div>
      {now.is === 'nothing' && (
        <p class="panel-note dim">Finds lines in all files that git would see. Type to begin; arrows and Enter open a line.</p>
      )}
      {now.is === 'searching' && <Skeleton />}
      {now.is === 'failed' && (
        <p class="panel-note danger" role="alert">
          {now.message}
        </p>
      )}
      {now.is === 'found' && (
        <>
          <p class="panel-note dim search-summary" role="status">
            {summary(now.matches, now.truncated)}
            {now.running && ', and going on'}
            {now.truncated && <span class="warn"> · {now.reason ?? 'there are more'}</span>}
          </p>
          <div class="search-results">
            {grouped(now.matches).map((group) => (
              <Matches key={group.path} group={group} />
            ))}
          </div>
        </>
      )}
    </div>
  );
}

function Toggle({ label, sign, signal }: { label: string; sign: string; signal: { value: boolean } }) {
  return (
    <button
      class="icon-button code"
      aria-label={label}
      title={label}
      aria-pressed={signal.value}
      onClick={() => {
        signal.value = !signal.value;
        searchNow();
      }}
    >
      {sign}
    </button>
  );
}

function Matches({ group }: { group: Group }) {
  const [folder, name] = split(group.path);
  return (
    <details open>
      <summary title={visible(group.path)}>
        <Icon name="chevronRight" />
        <span class="ellipsis">{visible(name)}</span>
        <span class="search-folder dim ellipsis">{visible(folder)}</span>
        <span class="dim search-count">{group.matches.length}</span>
      </summary>
      <ul>
        {group.matches.map((match) => {
          const [before, hit, after] = parts(match, outcome.value.is === 'found' ? outcome.value.query : NONE);
          return (
            <li key={`${match.line}:${match.column}`}>
              <button class="search-match" onClick={() => void openFile(match.path, match.line)}>
                <span class="dim">{match.line}</span>
                <code class="ellipsis">
                  {before}
                  {hit && <mark>{hit}</mark>}
                  {after}
                </code>
              </button>
            </li>
          );
        })}
      </ul>
    </details>
  );
}

const NONE = { text: '', caseSensitive: false, regex: false };

/** Whoever opens the search wants to type. */
function begin(input: HTMLInputElement | null): void {
  input?.select();
}

/** Arrows go from the field into the matches and back. */
function walk(event: KeyboardEvent): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return;
  const stops = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('input[type=search], summary, .search-match')];
  const visible = stops.filter((stop) => stop.checkVisibility());
  const at = visible.indexOf(document.activeElement as HTMLElement);
  const next = visible[at + step];
  if (at < 0 || !next) return;
  event.preventDefault();
  next.focus();
}
