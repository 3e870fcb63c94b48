/** The frame: a bar above, panels at the sides, the panes between them, a line below. */

import { lazy, Suspense } from 'preact/compat';
import { AgentChips } from './agents/AgentChips';
import { AttentionDialogs } from './attention/ApprovalDialog';
import { Attention } from './attention/Attention';
import { needs } from './attention/needs';
import { QuickOpen } from './files/QuickOpen';
import { standing } from './hub/link';
import { Dock } from './layout/Dock';
import { openPalette, Palette } from './palette/Palette';
import { replayed } from './replay/replayed';
import { PolicyDialogs } from './policy/PolicyDialogs';
import { agents, status, terminals, workspaceName } from './state/hub';
import { attention, type Panel, panel, shownTheme, theme } from './state/preferences';
import { follow, following } from './state/workbench';
import { Icon, type IconName } from './ui/Icon';
import { age, now } from './ui/time';
import { Toasts } from './ui/toasts';
import './app.css';

/** Terminals are drawn by a large library, which is loaded when the first of them is shown. */
const ReplayDialog = lazy(() => import('./replay/Replay'));

const PANELS: { name: Panel; title: string; icon: IconName }[] = [
  { name: 'files', title: 'Files', icon: 'files' },
  { name: 'search', title: 'Search', icon: 'search' },
  { name: 'agents', title: 'Agents', icon: 'agents' },
  { name: 'activity', title: 'Activity', icon: 'activity' },
  { name: 'policy', title: 'Policy', icon: 'policy' },
];

const CONTENT: Record<Panel, () => preact.JSX.Element> = {
  files: lazy(() => import('./files/FilesPanel')),
  search: lazy(() => import('./files/SearchPanel')),
  agents: lazy(() => import('./agents/AgentsPanel')),
  activity: lazy(() => import('./activity/ActivityPanel')),
  policy: lazy(() => import('./policy/PolicyPanel')),
};

export function App() {
  const Content = panel.value && CONTENT[panel.value];
  return (
    <div class="app" data-panel={panel.value !== null} data-attention={attention.value}>
      <Bar />
      <nav class="rail" aria-label="Panels">
        {PANELS.map(({ name, title, icon }) => (
          <button
            key={name}
            class="icon-button"
            aria-pressed={panel.value === name}
            aria-label={title}
            title={title}
            onClick={() => (panel.value = panel.value === name ? null : name)}
          >
            <Icon name={icon} />
          </button>
        ))}
      </nav>
      {Content && (
        <aside class="panel" aria-label={PANELS.find(({ name }) => name === panel.value)?.title}>
          <Suspense fallback={null}>
            <Content />
          </Suspense>
        </aside>
      )}
      <Dock />
      {attention.value && <Attention />}
      <StatusLine />
      <Away />
      <Toasts />
      <Palette />
      <QuickOpen />
      <AttentionDialogs />
      <PolicyDialogs />
      <Suspense fallback={null}>{replayed.value !== null && <ReplayDialog />}</Suspense>
    </div>
  );
}

function Bar() {
  const count = needs.value.length;
  return (
    <header class="bar">
      <strong class="ellipsis" title={status.value?.workspace}>
        {workspaceName.value || 'Flightdeck'}
      </strong>
      <button class="bar-commands dim" onClick={openPalette}>
        Commands <kbd>F1</kbd>
      </button>
      <AgentChips />
      <button
        class="needs"
        data-count={count}
        aria-pressed={attention.value}
        onClick={() => (attention.value = !attention.value)}
      >
        <Icon name="flag" />
        {count === 0 ? 'Nothing needs you' : count === 1 ? '1 needs you' : `${count} need you`}
      </button>
    </header>
  );
}

function StatusLine() {
  const live = standing.value.is === 'live';
  const running = [...terminals.value.values()].filter((terminal) => terminal.running).length;
  const follows = following.value.who === 'agents';
  return (
    <footer class="status-line">
      <span class={live ? 'ok' : 'warn'}>{live ? '● live' : '○ away'}</span>
      <span class="status-fill" />
      <button aria-pressed={follows} onClick={() => follow(follows ? { who: 'nobody' } : { who: 'agents' })}>
        {follows ? 'Following agents' : 'Follow agents'}
      </button>
      <button onClick={() => (theme.value = shownTheme.value === 'dark' ? 'light' : 'dark')}>
        {shownTheme.value === 'dark' ? 'Light' : 'Dark'}
      </button>
      <span>
        {count(agents.value.filter((agent) => agent.state !== 'gone').length, 'agent')} · {count(running, 'terminal')}
      </span>
      <span>hub {standing.value.is === 'live' ? standing.value.build : '–'}</span>
    </footer>
  );
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

/** While the hub is away nothing that is shown is sure, and nothing that is typed arrives. */
function Away() {
  const how = standing.value;
  if (how.is === 'locked') {
    return (
      <div class="away" role="alert">
        <strong>This browser is not let in.</strong> Run <code>flightdeck open</code> in the project's folder, and use the
        link that it makes.
      </div>
    );
  }
  if (how.is !== 'away' || now.value - how.since < 600) return null;
  return (
    <div class="away" role="status">
      <strong>The hub is away</strong> since {age(how.since, now.value)}. Terminals go on, and this page comes back by itself.
    </div>
  );
}
