/** Everything in the list that is no request: what it is, and the one thing to do about it. */

import type { ComponentChildren } from 'preact';
import { showActivityOf } from '../activity/filter';
import { showChat } from '../chat/place';
import { call } from '../hub/link';
import { openFile, openTerminal } from '../layout/actions';
import { reviewPolicy } from '../policy/ChangesDialog';
import { ActorName } from '../ui/actor';
import { duration } from '../ui/time';
import { complain } from '../ui/toasts';
import { visible } from '../ui/visible';
import { Age } from './Age';
import { ApprovalCard } from './ApprovalCard';
import { Question } from './Question';
import { consentOpen } from './consent';
import { dismissible, dismissNeed, type Need } from './needs';
import { bodyOf, titleOf } from './titles';

/** The person knows what has happened to the database, and the card goes. */
const acknowledge = () => call('flightdeck.hub.acknowledge', {}).catch(complain);

export function NeedCard({ need }: { need: Need }) {
  switch (need.kind) {
    case 'approval':
      return <ApprovalCard approval={need.approval} />;
    case 'input': {
      const { terminal, asks } = need;
      return (
        <Card need={need} heading={<>{titleOf(need)}</>} who={asks.agent} more={<Question terminal={terminal} />}>
          <button class="button" onClick={() => void openTerminal(terminal)}>
            Open {terminal}
          </button>
          {asks.kind === 'password' && <small class="dim">what you type is hidden from agents</small>}
        </Card>
      );
    }
    case 'conflict':
      return (
        <Card
          need={need}
          heading={
            <>
              <code>{visible(need.path)}</code> has changed on disk
            </>
          }
          text="The editor holds changes that are not saved. Open it to keep one of the two."
        >
          <button class="button" onClick={() => void openFile(need.path)}>
            Open
          </button>
        </Card>
      );
    case 'consent':
      return (
        <Card need={need} heading={<>May agents control the workbench?</>} text="Panes and editors are yours. It is asked once.">
          <button class="button" onClick={() => (consentOpen.value = true)}>
            Read and decide
          </button>
        </Card>
      );
    case 'policy':
      return (
        <Card need={need} heading={<>{titleOf(need)}</>} text="The last good rules stay in force until you have looked at it.">
          <button class="button" onClick={() => void reviewPolicy()}>
            Review
          </button>
          <small class="dim ellipsis" title={visible(need.notice.file)}>
            {visible(need.notice.file.split('/').at(-1) ?? '')}
          </small>
        </Card>
      );
    case 'database':
      return (
        <Card need={need} heading={<>{titleOf(need)}</>} text={bodyOf(need)} more={<p class="dim">{need.problem.hint}</p>}>
          <button class="button" onClick={() => void acknowledge()}>
            I know
          </button>
          <button class="button" onClick={() => void reviewPolicy()}>
            Review the rules
          </button>
        </Card>
      );
    case 'finished':
      return (
        <Card need={need} quiet heading={<>has finished</>} who={need.agent.name} text={`It worked for ${duration(need.workedMs)}.`}>
          <button class="button" onClick={() => showActivityOf(need.agent)}>
            What it did
          </button>
          <Dismiss need={need} />
        </Card>
      );
    case 'failed':
      return (
        <Card need={need} quiet heading={<>stopped after an error</>} who={need.agent.name} text={need.agent.reason}>
          <button class="button" onClick={() => showActivityOf(need.agent)}>
            What it did
          </button>
          <Dismiss need={need} />
        </Card>
      );
    case 'chat':
      return (
        <Card need={need} quiet={dismissible(need)} heading={<>{titleOf(need)}</>} text={bodyOf(need)}>
          <button class="button" onClick={() => showChat({ at: 'chat', id: need.chat.id })}>
            {dismissible(need) ? 'Look at it' : 'Answer'}
          </button>
          {dismissible(need) && <Dismiss need={need} />}
        </Card>
      );
  }
}

function Card(props: {
  need: Need;
  heading: ComponentChildren;
  who?: string;
  text?: string;
  more?: ComponentChildren;
  /** It tells something, and asks for nothing. */
  quiet?: boolean;
  children: ComponentChildren;
}) {
  return (
    <article class="card" data-need={props.need.key} data-quiet={props.quiet ?? false} aria-label={titleOf(props.need)}>
      <header>
        <span class="card-title">
          {props.who && (
            <strong>
              <ActorName name={props.who} />
            </strong>
          )}{' '}
          {props.who && props.need.kind === 'input' ? '· ' : ''}
          {props.heading}
        </span>
        <span class="dim card-age">
          <Age sinceMs={props.need.sinceMs} />
        </span>
      </header>
      {props.text && <p class="dim">{visible(props.text)}</p>}
      {props.more}
      <div class="answers">{props.children}</div>
    </article>
  );
}

function Dismiss({ need }: { need: Need }) {
  return (
    <button class="button bare" onClick={() => dismissNeed(need.key)}>
      Dismiss
    </button>
  );
}
