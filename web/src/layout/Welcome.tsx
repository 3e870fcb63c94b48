/** What a newcomer sees: the lines that connect an agent, and the one thing to do now. */

import { useSignal } from '@preact/signals';
import { showChat } from '../chat/place';
import { known, status, terminals } from '../state/hub';
import { shortcutOf } from '../palette/actions';
import { Copyable } from '../ui/Copyable';
import { Icon } from '../ui/Icon';
import { newTerminal } from './actions';
import { clientsFor } from './clients';
import { openTerminals } from './TerminalPicker';
import './welcome.css';

export function Welcome() {
  const chosen = useSignal(0);
  if (!known.value) return <main class="welcome" aria-busy="true" aria-label="Panes" tabIndex={-1} />;
  const clients = clientsFor(status.value?.program ?? 'flightdeck');
  const client = clients[chosen.value]!;
  const running = [...terminals.value.values()].filter((terminal) => terminal.running).length;
  return (
    <main class="welcome" aria-label="Panes" tabIndex={-1}>
      <div class="welcome-text">
        {running > 0 ? (
          <>
            <h1>No pane is open</h1>
            <p class="dim">
              {running === 1 ? '1 terminal runs that no pane shows.' : `${running} terminals run that no pane shows.`}{' '}
              <button class="link" onClick={openTerminals}>
                Go to a terminal
              </button>{' '}
              <kbd>{shortcutOf('terminal.go')}</kbd>
            </p>
          </>
        ) : (
          <>
            <h1>Nothing is open yet</h1>
            <p class="dim">
              Terminals, files and highlights show up here as soon as you or an agent open them. You see what agents do while
              they do it, and you can type into any of it.
            </p>
          </>
        )}
        <div class="welcome-clients">
          <button class="button primary" onClick={() => void newTerminal()}>
            <Icon name="terminal" /> New terminal
          </button>
          <button class="button" onClick={() => showChat()}>
            <Icon name="chat" /> Talk with an agent
          </button>
        </div>
        <p class="dim welcome-keys">
          <kbd>Ctrl+P</kbd> opens a file, <kbd>F1</kbd> has everything else.
        </p>
        <h2>Connect an agent</h2>
        <div class="welcome-clients" role="tablist" aria-label="Agents">
          {clients.map((one, index) => (
            <button
              key={one.name}
              role="tab"
              class="button"
              aria-selected={index === chosen.value}
              onClick={() => (chosen.value = index)}
            >
              {one.name}
            </button>
          ))}
        </div>
        <p class="dim">{client.where}</p>
        <Copyable text={client.text} />
      </div>
    </main>
  );
}
