/** What the agent means to do, and how far it is. */

import type { PlanStep, StepStatus } from '../../commands';
import { visible } from '../../ui/visible';

const STEPS: Record<StepStatus, { mark: string; word: string; tone: string }> = {
  pending: { mark: '○', word: 'to do', tone: 'dim' },
  in_progress: { mark: '●', word: 'under way', tone: 'agent' },
  completed: { mark: '✓', word: 'done', tone: 'ok' },
};

export function Plan({ steps }: { steps: readonly PlanStep[] }) {
  const done = steps.filter((step) => step.status === 'completed').length;
  return (
    <section class="plan" aria-label="Plan">
      <header>
        <strong>Plan</strong>
        <span class="dim">
          {done} of {steps.length}
        </span>
      </header>
      <ol>
        {steps.map((step, index) => {
          const { mark, word, tone } = STEPS[step.status];
          return (
            <li key={index} data-status={step.status}>
              <span class={tone} aria-hidden="true">
                {mark}
              </span>
              <span>
                {visible(step.text)}
                <span class="visually-hidden"> ({word})</span>
                {step.priority === 'high' && step.status !== 'completed' && <span class="dim"> · first</span>}
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
