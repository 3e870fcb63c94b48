/** One agent: how it stands, what it does, what it holds. */

import { showActivityOf } from '../activity/filter';
import { known as knownCalls } from '../activity/log';
import { Outcome } from '../activity/Outcome';
import { Sentence } from '../activity/Sentence';
import { chatWith } from '../chat/overview';
import { showChat } from '../chat/place';
import { Age } from '../attention/Age';
import type { AgentState } from '../commands';
import { openTerminal } from '../layout/actions';
import { agents, terminals } from '../state/hub';
import { hueOf } from '../ui/actor';
import { clock } from '../ui/time';
import { visible } from '../ui/visible';
import { deedsOf, doingOf, labelOf, standingOf, terminalsOf } from './describe';
import { takeOver } from './takeover';

const LAST = 6;

export function AgentRow({ agent, brief }: { agent: AgentState; brief: boolean }) {
  const { mark, word, tone } = standingOf(agent);
  const { held, own } = terminalsOf(agent, terminals.value.values());
  const calls = knownCalls.value;
  const talk = chatWith(agent);
  const doing = doingOf(agent, calls);
  return (
    <article class="agent-row" data-state={agent.state} aria-label={`${visible(agent.name)}, ${word}`}>
      <span class={tone === 'agent' ? 'agent' : tone} data-hue={hueOf(agent.name)} aria-hidden="true">
        {mark}
      </span>
      <header>
        <strong class="agent ellipsis" data-hue={hueOf(agent.name)}>
          {visible(labelOf(agent, agents.value))}
        </strong>
        <span class={tone === 'agent' ? 'dim' : tone}>{word}</span>
        <span class="dim card-age">
          <Age sinceMs={agent.sinceMs} />
        </span>
      </header>
      {doing !== '' && (
        <p class="dim agent-doing" title={visible(doing)}>
          {visible(doing)}
        </p>
      )}
      {held.length + own.length > 0 && (
        <p class="agent-terminals dim">
          {[...held, ...own].map((terminal) => (
            <span key={terminal.id}>
              {held.includes(terminal) && 'holds '}
              <button class="link" title={visible(terminal.title)} onClick={() => void openTerminal(terminal.id)}>
                {terminal.id}
              </button>
              {terminal.runningCommand && !doing.includes(terminal.runningCommand) && ` ${visible(terminal.runningCommand)}`}
            </span>
          ))}
        </p>
      )}
      {!brief && (
        <>
          <ol class="agent-deeds" aria-label="Last actions">
            {deedsOf(agent, calls)
              .slice(0, LAST)
              .map((call) => (
                <li key={call.seq}>
                  <time class="dim">{clock(call.atMs).slice(0, 5)}</time> <Sentence call={call} /> <Outcome call={call} />
                </li>
              ))}
          </ol>
          <div class="answers">
            {held.length > 0 && (
              <button class="button" onClick={() => void takeOver(held)}>
                Take over {held.length > 1 ? `all ${held.length}` : held[0]!.id}
              </button>
            )}
            <button class="link dim" onClick={() => showActivityOf(agent)}>
              All it did
            </button>
            {talk && (
              <button class="link dim" onClick={() => showChat({ at: 'chat', id: talk.id })}>
                Conversation
              </button>
            )}
          </div>
        </>
      )}
    </article>
  );
}
