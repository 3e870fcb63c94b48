/** Something that the agent does: what, how far it is, where, and what there is to see of it. */

import { useSignal } from '@preact/signals';
import { Diff } from '../../attention/Diff';
import { shortPath } from '../../attention/reasons';
import type { ToolCall, ToolContent } from '../../commands';
import { openFile } from '../../layout/actions';
import { status } from '../../state/hub';
import { Icon } from '../../ui/Icon';
import { visible } from '../../ui/visible';
import { kindWord, statusWords } from '../words';
import { Blocks } from './Entry';
import { EmbeddedTerminal } from './EmbeddedTerminal';
import { Output } from './Output';

export function Tool({ chat, tool }: { chat: string; tool: ToolCall }) {
  const content = tool.content ?? [];
  // What is shown with its changes need not be named twice.
  const changed = new Set(content.map((one) => (one.type === 'diff' ? one.path : null)));
  const locations = (tool.locations ?? []).filter(({ path }) => !changed.has(path));
  const foldable = content.length > 0 || tool.input !== undefined || tool.output !== undefined;
  // What can be looked at is open from the beginning; it never folds by itself while somebody reads it.
  const wanted = useSignal<boolean | null>(null);
  const open = wanted.value ?? content.some(({ type }) => type !== 'block');
  const { mark, word, tone } = statusWords(tool.status);
  const shown = content.length > 0 ? content : null;
  return (
    <article class="tool" data-status={tool.status} aria-label={`${kindWord(tool.tool)}: ${visible(tool.title)}, ${word}`}>
      <header>
        <button class="tool-head" aria-expanded={foldable ? open : undefined} disabled={!foldable} onClick={() => (wanted.value = !open)}>
          <span class={tone} aria-hidden="true" title={word}>
            {mark}
          </span>
          {!saysKind(tool) && <span class="tool-kind dim">{kindWord(tool.tool)}</span>}
          <span class={tool.tool === 'execute' ? 'tool-title code' : 'tool-title'}>{visible(tool.title) || 'something'}</span>
          {(tool.status === 'failed' || tool.status === 'cancelled') && <span class={tone}>{word}</span>}
          {foldable && <Icon name={open ? 'chevronDown' : 'chevronRight'} />}
        </button>
      </header>
      {locations.length > 0 && (
        <ul class="tool-places" aria-label="Files">
          {locations.slice(0, PLACES).map(({ path, line }, index) => (
            <li key={index}>
              <button class="link code" title={visible(path)} onClick={() => void openFile(path, line)}>
                {visible(shortPath(path, status.value?.workspace))}
                {line === undefined ? '' : `:${line}`}
              </button>
            </li>
          ))}
          {locations.length > PLACES && <li class="dim">and {locations.length - PLACES} more</li>}
        </ul>
      )}
      {open && (
        <div class="tool-body">
          {shown?.map((one, index) => <Shown key={index} name={`${tool.id} ${index}`} chat={chat} tool={tool} content={one} />)}
          {(shown === null || wanted.value === true) && <Raw input={tool.input} output={tool.output} quiet={shown !== null} />}
        </div>
      )}
    </article>
  );
}

const PLACES = 6;

/** Most agents say what they do in the title; then it is not said twice. */
function saysKind({ title, tool }: ToolCall): boolean {
  return title.toLowerCase().startsWith(kindWord(tool).toLowerCase()) || tool === 'other';
}

function Shown({ name, chat, tool, content }: { name: string; chat: string; tool: ToolCall; content: ToolContent }) {
  switch (content.type) {
    case 'block':
      return <Blocks blocks={[content.block]} />;
    case 'diff':
      return (
        <section class="tool-diff" aria-label={`Changes of ${visible(content.path)}`}>
          <header>
            <button class="link code ellipsis" title={visible(content.path)} onClick={() => void openFile(content.path, firstLine(content.diff))}>
              {visible(shortPath(content.path, status.value?.workspace))}
            </button>
            <span>
              <span class="ok">+{content.added}</span> <span class="danger">−{content.removed}</span>
            </span>
          </header>
          <Diff diff={content.diff} />
          {content.truncated && <p class="dim">There is more of it than is shown here.</p>}
        </section>
      );
    case 'terminal':
      return <EmbeddedTerminal id={content.terminal} chat={chat} said={tool.title} />;
    case 'output':
      return <Output name={name} output={content} over={tool.status !== 'in_progress' && tool.status !== 'pending'} source="the agent’s own shell" />;
  }
}

/** What the tool was given and gave, for whoever asks. */
function Raw({ input, output, quiet }: { input: unknown; output: unknown; quiet: boolean }) {
  return (
    <>
      {input !== undefined && <Json label="Given" value={input} open={!quiet} />}
      {output !== undefined && <Json label="Result" value={output} open={!quiet} />}
    </>
  );
}

function Json({ label, value, open }: { label: string; value: unknown; open: boolean }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return (
    <details class="tool-raw" open={open}>
      <summary class="dim">{label}</summary>
      <pre tabIndex={0} aria-label={label}>
        {text}
      </pre>
    </details>
  );
}

/** The first line that a diff is about, in the new file. */
export function firstLine(diff: string): number | undefined {
  const found = /^@@ -\d+(?:,\d+)? \+(\d+)/m.exec(diff);
  return found ? Number(found[1]) : undefined;
}
