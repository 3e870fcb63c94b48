/** One thing that was said or done. */

import type { Block, Chat, Entry as Told } from '../../commands';
import { openFile } from '../../layout/actions';
import { ActorName } from '../../ui/actor';
import { clock } from '../../ui/time';
import { visible } from '../../ui/visible';
import { Markdown } from '../markdown/Markdown';
import { amount, endWords } from '../words';
import { Permission } from './Permission';
import { Plan } from './Plan';
import { Question } from './Question';
import { Tool } from './Tool';
import './entries.css';

export function Entry({ entry, chat }: { entry: Told; chat: Chat }) {
  switch (entry.kind) {
    case 'user':
      return (
        <article class="said" aria-label="You said">
          <header>
            {entry.by === undefined ? <span class="person">you</span> : <ActorName name={entry.by} />}
            <time class="dim">{clock(entry.atMs).slice(0, 5)}</time>
          </header>
          <Blocks blocks={entry.blocks} />
        </article>
      );
    case 'agent':
      return (
        <article class="answer" aria-label={`${chat.agent.title} said`}>
          <Markdown text={entry.text} />
        </article>
      );
    case 'thought':
      return (
        <details class="thought">
          <summary>
            <span class="dim">Thought</span> <span class="dim ellipsis">{firstLine(entry.text)}</span>
          </summary>
          <Markdown text={entry.text} />
        </details>
      );
    case 'shown':
      return <Blocks blocks={[entry.block]} />;
    case 'plan':
      return <Plan steps={entry.steps} />;
    case 'tool':
      return <Tool chat={chat.id} tool={entry} />;
    case 'permission':
      return <Permission asked={entry} agent={chat.agent.title} />;
    case 'question':
      return <Question chat={chat} number={entry.number} question={entry} />;
    case 'ended': {
      const words = endWords(entry.reason);
      const tokens = entry.tokens === undefined ? null : `${amount(entry.tokens)} tokens`;
      if (words === null && tokens === null) return <hr class="turn-end" />;
      return (
        <p class={`turn-end ${entry.reason === 'failed' ? 'danger' : 'dim'}`}>
          <span>{[words, tokens].filter(Boolean).join(' · ')}</span>
        </p>
      );
    }
    case 'note':
      return (
        <div class="note" data-level={entry.level} role={entry.level === 'error' ? 'note' : undefined}>
          <p>
            <span aria-hidden="true">{entry.level === 'error' ? '✗ ' : entry.level === 'warning' ? '! ' : ''}</span>
            {visible(entry.text)}
          </p>
          {entry.details !== undefined && entry.details.trim() !== '' && (
            <details open={entry.level === 'error'}>
              <summary class="dim">What it printed last</summary>
              <pre tabIndex={0} aria-label="What it printed last">{entry.details}</pre>
            </details>
          )}
        </div>
      );
  }
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0]!.replace(/[*_`#]/g, '').slice(0, 120);
}

/** What a person said, or an agent shows: text as it is, files to open, pictures. */
export function Blocks({ blocks }: { blocks: readonly Block[] }) {
  return (
    <div class="blocks">
      {blocks.map((block, index) => (
        <One key={index} block={block} />
      ))}
    </div>
  );
}

function One({ block }: { block: Block }) {
  switch (block.type) {
    case 'text':
      return <span>{block.text}</span>;
    case 'file': {
      const lines = block.line === undefined ? '' : `:${block.line}${block.endLine === undefined ? '' : `-${block.endLine}`}`;
      return (
        <button class="link code" onClick={() => void openFile(block.path, block.line)}>
          @{visible(block.path)}
          {lines}
        </button>
      );
    }
    case 'image':
      // Only pictures: a browser draws nothing else from such an address.
      return <img src={`data:${block.mime};base64,${block.data}`} alt="A picture" loading="lazy" />;
    case 'audio':
      return <span class="dim">Sound ({block.mime})</span>;
    case 'link':
      return /^https?:\/\//i.test(block.uri) ? (
        <a href={block.uri} target="_blank" rel="noopener noreferrer">
          {visible(block.name)}
        </a>
      ) : (
        <span class="code" title={visible(block.uri)}>
          {visible(block.name)}
        </span>
      );
  }
}
