/** The frame: a bar above, panels at the sides, the panes between them, a line below. */

import { lazy, Suspense } from 'preact/compat';
import { AgentChips } from './agents/AgentChips';
import { AttentionDialogs } from './attention/ApprovalDialog';
import { Attention } from './attention/Attention';
import { Away } from './Away';
import { chatShown, toggleChat } from './chat/place';
import { toggleNeeds } from './attention/go';
import { needs } from './attention/needs';
import { QuickOpen } from './files/QuickOpen';
import { standing } from './hub/link';
import { loadPart } from './hub/parts';
import { ColumnEdge } from './layout/ColumnEdge';
import { Dock } from './layout/Dock';
import { PanelKeyboard } from './layout/panels';
import { openTerminals, TerminalPicker } from './layout/TerminalPicker';
import { shortcutOf } from './palette/actions';
import { openPalette, Palette } from './palette/Palette';
import { replayed } from './replay/replayed';
import { PolicyDialogs } from './policy/PolicyDialogs';
import { agents, status, terminals, workspaceName } from './state/hub';
import { attention, type Panel, panel, shownTheme, side, theme, widths } from './state/preferences';
import { follow, following } from './state/workbench';
import { ComesLater } from './ui/ComesLater';
import { Icon, type IconName } from './ui/Icon';
import { Toasts } from './ui/toasts';
import { visible } from './ui/visible';
import './app.css';

/** Terminals are drawn by a large library, which is loaded when the first of them is shown. */
const ReplayDialog = lazy(() => loadPart(() => import('./replay/Replay')));

const PANELS: { name: Panel; title: string; icon: IconName }[] = [
  { name: 'files', title: 'Files', icon: 'files' },
  { name: 'search', title: 'Search', icon: 'search' },
  { name: 'agents', title: 'Agents', icon: 'agents' },
  { name: 'activity', title: 'Activity', icon: 'activity' },
  { name: 'policy', title: 'Policy', icon: 'policy' },
];

const CONTENT: Record<Panel, () => preact.JSX.Element> = {
  files: lazy(() => loadPart(() => import('./files/FilesPanel'))),
  search: lazy(() => loadPart(() => import('./files/SearchPanel'))),
  agents: lazy(() => loadPart(() => import('./agents/AgentsPanel'))),
  activity: lazy(() => loadPart(() => import('./activity/ActivityPanel'))),
  policy: lazy(() => loadPart(() => import('./policy/PolicyPanel'))),
};

export function App() {
  const Content = panel.value && CONTENT[panel.value];
  return (
    <div
      class="app"
      data-panel={panel.value !== null}
      data-attention={attention.value}
      style={{ '--panel-width': `${widths.value.panel}px`, '--attention-width': `${widths.value[rightColumn()]}px` }}
    >
      <Bar />
      <nav class="rail" aria-label="Panels">
        {PANELS.map(({ name, title, icon }) => (
          <button
            key={name}
            class="icon-button"
            aria-pressed={panel.value === name}
            aria-label={title}
            title={withShortcut(title, `view.${name}`)}
            onClick={() => (panel.value = panel.value === name ? null : name)}
          >
            <Icon name={icon} />
          </button>
        ))}
        <button class="icon-button" aria-pressed={chatShown()} aria-label="Chat" title={withShortcut('Chat', 'view.chat')} onClick={toggleChat}>
          <Icon name="chat" />
        </button>
        <button class="icon-button rail-commands" aria-label="Commands" onClick={openPalette}>
          <Icon name="menu" />
        </button>
      </nav>
      {Content && (
        <aside class="panel" tabIndex={-1} aria-label={PANELS.find(({ name }) => name === panel.value)?.title}>
          <Suspense fallback={<ComesLater />}>
            <Content />
            <PanelKeyboard name={panel.value!} />
          </Suspense>
        </aside>
      )}
      {Content && <ColumnEdge column="panel" />}
      <Dock />
      {attention.value && <Attention />}
      {attention.value && <ColumnEdge column={rightColumn()} />}
      <StatusLine />
      <Away />
      <Toasts />
      <Palette />
      <QuickOpen />
      <TerminalPicker />
      <AttentionDialogs />
      <PolicyDialogs />
      <Suspense fallback={null}>{replayed.value !== null && <ReplayDialog />}</Suspense>
    </div>
  );
}

/** The column at the right has a width for each of the two that it shows. */
const rightColumn = () => (side.value === 'chat' ? 'chat' : 'attention');

function Bar() {
  const count = needs.value.length;
  return (
    <header class="bar">
      <div class="bar-place">
        <strong class="ellipsis" title={visible(status.value?.workspace ?? '')}>
          {visible(workspaceName.value) || 'Flightdeck'}
        </strong>
        {status.value?.branch !== undefined && (
          <span class="bar-branch dim ellipsis" title={`On the branch ${visible(status.value.branch)}`}>
            <Icon name="branch" />
            {visible(status.value.branch)}
          </span>
        )}
      </div>
      <button class="bar-commands dim" onClick={openPalette}>
        Commands <kbd>F1</kbd>
      </button>
      <div class="bar-agents">
        <AgentChips />
        <button
          class="needs"
          data-count={count}
          aria-pressed={attention.value && side.value === 'needs'}
          title={withShortcut('What needs you', 'attention.go')}
          onClick={toggleNeeds}
        >
          <Icon name="flag" />
          {count === 0 ? 'Nothing needs you' : count === 1 ? '1 needs you' : `${count} need you`}
        </button>
      </div>
    </header>
  );
}

function StatusLine() {
  const live = standing.value.is === 'live';
  const running = [...terminals.value.values()].filter((terminal) => terminal.running).length;
  const follows = following.value.who === 'agents';
  return (
    <footer class="status-line">
      <span class={live ? 'ok' : 'warn'} title={live ? 'What you see is how it is' : 'What you see may be out of date'}>
        {live ? '● live' : '○ away'}
      </span>
      <span class="status-fill" />
      <button aria-pressed={follows} onClick={() => follow(follows ? { who: 'nobody' } : { who: 'agents' })}>
        {follows ? 'Following agents' : 'Follow agents'}
      </button>
      <button onClick={() => (theme.value = shownTheme.value === 'dark' ? 'light' : 'dark')}>
        {shownTheme.value === 'dark' ? 'Light' : 'Dark'}
      </button>
      <button onClick={() => (panel.value = panel.value === 'agents' ? null : 'agents')}>
        {count(agents.value.filter((agent) => agent.state !== 'gone').length, 'agent')}
      </button>
      <button title={withShortcut('Go to a terminal', 'terminal.go')} onClick={openTerminals}>
        {count(running, 'terminal')}
      </button>
      <span>hub {standing.value.is === 'live' ? standing.value.build : '–'}</span>
    </footer>
  );
}

/** What a control does, and by which keys. */
function withShortcut(title: string, action: string): string {
  const shortcut = shortcutOf(action);
  return shortcut === undefined ? title : `${title} (${shortcut})`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
