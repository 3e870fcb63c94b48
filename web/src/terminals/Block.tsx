/** One command: how it went, what it was, who ran it, what it printed, and what can be done with that. */

import { useEffect, useRef, useState } from 'preact/hooks';
import type { CommandRecord } from '../commands';
import { ActorName } from '../ui/actor';
import { age, duration, now } from '../ui/time';
import { complain, toast } from '../ui/toasts';
import { visible } from '../ui/visible';
import { textOf } from './ansi';
import { Comparing } from './Comparing';
import { fold } from './fold';
import { Lines } from './Lines';
import { describe, outcomeOf } from './outcome';
import { latestOf, type Output, outputOf } from './output';
import type { Pane } from './pane';
import { run, whyNot } from './run';
import { bytesInWords, lines as inLines } from './words';

export function Block({ pane, record }: { pane: Pane; record: CommandRecord }) {
  const element = useRef<HTMLElement>(null);
  const near = useNear(element);
  const output = useOutput(pane, record, near);
  const [comparing, setComparing] = useState(false);
  const is = outcomeOf(record);
  const running = is.kind === 'running';

  const copy = async () => {
    // All of it, also what is folded.
    const { lines } = output ?? (await outputOf(pane.id, record));
    await navigator.clipboard.writeText(textOf(lines));
    toast('success', `Copied ${inLines(lines.length)}`);
  };
  const refusal = record.text === undefined ? 'its text is not known' : whyNot(pane);
  const [text = '', ...rest] = (record.text ?? '').trim().split('\n');
  return (
    <article
      ref={element}
      class="block"
      tabIndex={0}
      data-command={record.number}
      data-outcome={is.kind}
      aria-label={describe(record)}
      onFocusIn={() => (pane.chosen.value = record.number)}
    >
      <header>
        <span class="block-sign">
          {is.sign}
          {is.kind === 'failed' && ` ${record.exitCode}`}
        </span>
        <code class="block-text ellipsis" title={record.text && visible(record.text)}>
          {visible(text) || <span class="dim">a command</span>}
        </code>
        {rest.length > 0 && <span class="dim">+{inLines(rest.length)}</span>}
        <span class="block-actions">
          {!running && (
            <button class="link" onClick={() => void copy().catch(complain)}>
              copy
            </button>
          )}
          {!running && (
            <button class="link" disabled={refusal !== null} title={refusal ?? 'Run it again'} onClick={() => run(pane.id, record.text!)}>
              again
            </button>
          )}
          {!running && record.text !== undefined && (
            <button class="link" aria-pressed={comparing} title="What changed since it ran before" onClick={() => setComparing(!comparing)}>
              compare
            </button>
          )}
          <button class="link" title="Show it on the screen" onClick={() => pane.jump(record.number)}>
            jump
          </button>
        </span>
        <Took record={record} />
        {record.actor === undefined ? <span class="person">typed</span> : <ActorName name={record.actor} />}
      </header>
      {comparing ? <Comparing id={pane.id} number={record.number} /> : output && <Printed output={output} running={running} />}
    </article>
  );
}

function Took({ record }: { record: CommandRecord }) {
  if (record.durationMs !== undefined && record.end !== undefined) return <span class="dim">{duration(record.durationMs)}</span>;
  if (record.end === undefined && record.startedAt !== undefined) return <span class="dim">{age(record.startedAt * 1000, now.value)}</span>;
  return null;
}

function Printed({ output, running }: { output: Output; running: boolean }) {
  const [open, setOpen] = useState(false);
  const { lines, omitted } = output;
  if (lines.length === 0) return null;
  // Of one that runs the end counts.
  const { head, hidden, tail } = running ? { head: lines.slice(-24), hidden: 0, tail: [] } : fold(lines, open);
  return (
    <div class="printed">
      {running && (omitted > 0 || lines.length > 24) && <p class="dim">… what came before is on the screen</p>}
      <pre>
        <Lines lines={head} />
      </pre>
      {hidden > 0 && (
        <button class="link unfold" onClick={() => setOpen(true)}>
          show all {inLines(lines.length)}
        </button>
      )}
      {tail.length > 0 && (
        <pre>
          <Lines lines={tail} />
        </pre>
      )}
      {!running && omitted > 0 && <p class="dim">{bytesInWords(omitted)} in the middle are left out here; the log has them</p>}
    </div>
  );
}

/** Whether it is in sight or will be soon: outputs are read when they are. */
function useNear(element: { current: HTMLElement | null }): boolean {
  const [near, setNear] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      root: element.current!.closest('.commands'),
      rootMargin: '600px',
    });
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, []);
  return near;
}

/** What it printed: once when it has ended, again and again while it runs. */
function useOutput(pane: Pane, record: CommandRecord, near: boolean): Output | null {
  const [output, setOutput] = useState<Output | null>(null);
  const running = record.end === undefined;
  const pulse = running ? pane.pulse.value : 0;
  useEffect(() => {
    if (!near) return;
    let gone = false;
    const reading = running ? latestOf(pane.id, record, pane.live.place.end) : outputOf(pane.id, record);
    // What can't be read, while the hub is away, is read when it is in sight again.
    reading.then((found) => !gone && setOutput(found), () => {});
    return () => {
      gone = true;
    };
  }, [near, record.end, pulse]);
  return output;
}
