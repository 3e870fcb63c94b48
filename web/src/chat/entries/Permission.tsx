/** An agent's question whether it may, answered where it is asked. It is the same request as in the list of what needs you. */

import type { Asked as Question } from '../../commands';
import { Answers } from '../../attention/Answers';
import { Asked } from '../../attention/Asked';
import { approvals } from '../../state/hub';
import { ActorName } from '../../ui/actor';
import { visible } from '../../ui/visible';
import { useSettled } from './settled';
import '../../attention/approval.css';

export function Permission({ asked, agent }: { asked: Question; agent: string }) {
  const approval = asked.approval === undefined ? undefined : approvals.value.find(({ id }) => id === asked.approval);
  const { ready, unlessReady } = useSettled(approval !== undefined);
  if (!asked.outcome && approval) {
    return (
      <article
        class="card approval chat-permission"
        aria-label={`${agent} asks: ${visible(asked.title)}`}
        data-ready={ready}
        onClickCapture={unlessReady}
        onKeyDownCapture={unlessReady}
      >
        <header>
          <span class="card-title">
            <strong>{agent}</strong> asks
          </span>
        </header>
        <Asked approval={approval} />
        <Answers approval={approval} />
      </article>
    );
  }
  return (
    <p class="settled dim">
      <span aria-hidden="true">⚑ </span>
      {visible(asked.title)}: <Outcome asked={asked} />
    </p>
  );
}

function Outcome({ asked }: { asked: Question }) {
  const { outcome } = asked;
  if (!outcome) return <>waits for an answer</>;
  switch (outcome.outcome) {
    case 'chosen': {
      const option = asked.options.find(({ id }) => id === outcome.option);
      const allowed = option?.kind.startsWith('allow') ?? false;
      return (
        <>
          <span class={allowed ? 'ok' : 'danger'}>{visible(option?.name ?? outcome.option)}</span> · <ActorName name={outcome.by} />
        </>
      );
    }
    case 'unanswered':
      return <>not answered: {outcome.why}</>;
    case 'cancelled':
      return <>taken back</>;
  }
}
