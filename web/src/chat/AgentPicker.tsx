/** Which agent to start: those that are here, those that could be, and any other command. */

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Preset } from '../commands';
import { call, standing } from '../hub/link';
import { useCopy } from '../ui/copy';
import { Icon } from '../ui/Icon';
import { complain } from '../ui/toasts';
import { startChat } from './deeds';
import { place } from './place';
import { wordsOf } from './line';

export function AgentPicker({ first = false }: { first?: boolean }) {
  const presets = useSignal<readonly Preset[] | null>(null);
  const query = useSignal('');
  const starting = useSignal<string | null>(null);
  const live = standing.value.is === 'live';
  const look = () => void call('flightdeck.chat.agents', {}).then(({ agents }) => (presets.value = agents), complain);
  useEffect(() => {
    if (!live) return;
    look();
    // Somebody who has installed one comes back to this window.
    addEventListener('focus', look);
    return () => removeEventListener('focus', look);
  }, [live]);
  const start = async (key: string, how: Parameters<typeof startChat>[0]) => {
    if (starting.value !== null) return;
    starting.value = key;
    await startChat(how);
    starting.value = null;
  };
  const matching = (presets.value ?? []).filter((preset) => preset.name.toLowerCase().includes(query.value.trim().toLowerCase()));
  const found = matching.filter((preset) => preset.found !== undefined);
  const missing = matching.filter((preset) => preset.found === undefined);
  return (
    <div class="agent-picker">
      <header>
        {!first && (
          <button class="icon-button" aria-label="All conversations" title="All conversations" onClick={() => (place.value = { at: 'list' })}>
            <Icon name="back" />
          </button>
        )}
        <div>
          <strong>{first ? 'Talk with an agent' : 'New conversation'}</strong>
          <p class="dim">It works in this workspace, with terminals, files and panes that you see. What is dangerous waits for your yes.</p>
        </div>
      </header>
      {(presets.value?.length ?? 0) > 0 && (
        <input
          class="field chat-filter"
          type="search"
          aria-label="Filter agents"
          placeholder="Filter agents"
          value={query.value}
          onInput={(event) => (query.value = event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && found[0]) void start(found[0].id, { agent: found[0].id });
          }}
        />
      )}
      {found.length > 0 && (
        <ul class="agent-choices" aria-label="Agents that are installed">
          {found.map((preset) => (
            <li key={preset.id}>
              <button class="agent-choice" disabled={starting.value !== null} title={preset.found} onClick={() => void start(preset.id, { agent: preset.id })}>
                <Icon name="agents" />
                <strong>{preset.name}</strong>
                <code class="dim ellipsis">{preset.command.join(' ')}</code>
                <span class="agent-go">{starting.value === preset.id ? 'Starting…' : 'Start'}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <Own starting={starting.value} onStart={(command) => void start('own', { command })} />
      {missing.length > 0 && (
        <>
          <h2>Not installed</h2>
          <ul class="agent-missing" aria-label="Agents that are not installed">
            {missing.map((preset) => (
              <li key={preset.id}>
                <strong>{preset.name}</strong>
                <CopyLine text={preset.install} name={preset.name} />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function Own({ starting, onStart }: { starting: string | null; onStart(command: string[]): void }) {
  const line = useSignal('');
  const trouble = useSignal<string | null>(null);
  return (
    <form
      class="agent-own"
      onSubmit={(event) => {
        event.preventDefault();
        const words = wordsOf(line.value);
        trouble.value = words === null ? 'A quote is not closed.' : words.length === 0 ? 'Type a program and its arguments.' : null;
        if (words !== null && words.length > 0) onStart(words);
      }}
    >
      <label for="own-command">Another command that speaks the Agent Client Protocol</label>
      <div class="agent-own-row">
        <input
          id="own-command"
          class="field code"
          placeholder="my-agent --acp"
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          aria-describedby={trouble.value === null ? undefined : 'own-trouble'}
          value={line.value}
          onInput={(event) => {
            line.value = event.currentTarget.value;
            trouble.value = null;
          }}
        />
        <button class="button" disabled={starting !== null}>
          {starting === 'own' ? 'Starting…' : 'Start'}
        </button>
      </div>
      {trouble.value !== null && (
        <p class="danger" id="own-trouble" role="alert">
          {trouble.value}
        </p>
      )}
    </form>
  );
}

function CopyLine({ text, name }: { text: string; name: string }) {
  const { copied, copy } = useCopy(text);
  return (
    <div class="copy-line">
      <code tabIndex={0}>{text}</code>
      <button class="icon-button" aria-label={copied ? 'Copied' : `Copy how to install ${name}`} title="Copy" onClick={copy}>
        {copied ? <span class="ok">✓</span> : <Icon name="copy" />}
      </button>
    </div>
  );
}
