/**
 * The conversation itself. It follows its end only while its end is in sight, and never moves what somebody reads: what
 * comes before or after is added around it. Entries are drawn in groups, so that thousands of them cost nothing while
 * they are out of sight.
 */

import { Component, type ComponentChildren } from 'preact';
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Chat, Entry as Told } from '../commands';
import { Icon } from '../ui/Icon';
import { Entry } from './entries/Entry';
import type { Follow } from './follow';
import { groupsOf } from './groups';

/** So near to the end is at the end. */
const NEAR_END = 48;
/** Earlier entries are read before the beginning comes into sight. */
const AHEAD = '1200px';

export function Log({ follow, chat, children }: { follow: Follow; chat: Chat; children?: ComponentChildren }) {
  const { entries, earlier } = follow.transcript.value;
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const top = useRef<HTMLDivElement>(null);
  const away = useSignal(false);
  const seenTo = useSignal(0);
  const lastNumber = entries.at(-1)?.number ?? 0;

  const toEnd = () => {
    const view = scroller.current;
    if (view) view.scrollTop = view.scrollHeight;
  };
  const noteEnd = (atEnd: boolean) => {
    follow.atEnd = atEnd;
    away.value = !atEnd;
    if (atEnd) seenTo.value = follow.transcript.peek().entries.at(-1)?.number ?? 0;
  };

  useEffect(() => {
    const view = scroller.current!;
    let height = view.clientHeight;
    let last = view.scrollTop;
    const onScroll = () => {
      // Only who scrolls up leaves the end: what grows below does not move anybody.
      const rest = view.scrollHeight - view.scrollTop - view.clientHeight;
      if (rest <= NEAR_END) noteEnd(true);
      else if (view.scrollTop < last - 1 || !follow.atEnd) noteEnd(false);
      last = view.scrollTop;
    };
    view.addEventListener('scroll', onScroll, { passive: true });
    const observer = new ResizeObserver(() => {
      if (follow.atEnd) toEnd();
      else if (view.clientHeight !== height) height = view.clientHeight;
    });
    observer.observe(content.current!);
    observer.observe(view);
    toEnd();
    noteEnd(true);
    return () => {
      view.removeEventListener('scroll', onScroll);
      observer.disconnect();
    };
  }, [follow]);

  // Earlier entries, before their place comes into sight.
  useEffect(() => {
    if (!earlier) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && void follow.readEarlier(), {
      root: scroller.current,
      rootMargin: `${AHEAD} 0px 0px 0px`,
    });
    observer.observe(top.current!);
    return () => observer.disconnect();
  }, [follow, earlier, entries[0]?.number]);

  useKeptPlace(scroller, entries[0]?.number, () => follow.atEnd);
  // Before it is painted, so that the end does not flicker.
  useLayoutEffect(() => {
    if (follow.atEnd) {
      toEnd();
      seenTo.value = lastNumber;
    }
  }, [lastNumber]);

  return (
    <div class="chat-room">
      <div class="chat-log" ref={scroller} role="log" aria-live="off" aria-label="Conversation" tabIndex={0}>
        <div class="chat-entries" ref={content}>
          <div ref={top} class="chat-top dim" aria-hidden={!earlier}>
            {earlier ? 'Earlier entries…' : ''}
          </div>
          {groupsOf(entries).map(({ key, entries: own }) => (
            <Group key={key} entries={own} chat={chat} />
          ))}
          {children}
        </div>
      </div>
      {away.value && (
        <button
          class="button chat-end"
          onClick={() => {
            noteEnd(true);
            toEnd();
          }}
        >
          <Icon name="chevronDown" /> {lastNumber > seenTo.value ? 'New below' : 'To the end'}
        </button>
      )}
    </div>
  );
}

/** Entries that are drawn together, and again only when one of them has changed. */
class Group extends Component<{ entries: readonly Told[]; chat: Chat }> {
  override shouldComponentUpdate(next: { entries: readonly Told[]; chat: Chat }): boolean {
    const { entries, chat } = this.props;
    if (next.entries.length !== entries.length || next.chat.agent.title !== chat.agent.title || next.chat.id !== chat.id) return true;
    return next.entries.some((entry, index) => entry !== entries[index]);
  }

  override render() {
    return (
      <div class="chat-group">
        {this.props.entries.map((entry) => (
          <div key={entry.number} class="chat-entry" data-entry={entry.number} data-kind={entry.kind}>
            <Entry entry={entry} chat={this.props.chat} />
          </div>
        ))}
      </div>
    );
  }
}

/** When entries come before what is read, what is read stays where it is. Not every browser does so by itself. */
function useKeptPlace(scroller: { current: HTMLElement | null }, first: number | undefined, atEnd: () => boolean): void {
  const kept = useRef<{ element: Element; top: number } | null>(null);
  const before = useRef(first);
  if (before.current !== first && scroller.current && !atEnd()) {
    const element = firstInSight(scroller.current);
    kept.current = element ? { element, top: element.getBoundingClientRect().top } : null;
  }
  useLayoutEffect(() => {
    before.current = first;
    const place = kept.current;
    kept.current = null;
    if (!place || !scroller.current || !place.element.isConnected) return;
    scroller.current.scrollTop += place.element.getBoundingClientRect().top - place.top;
  }, [first]);
}

/** By groups first: to ask for the place of what is out of sight would draw it. */
function firstInSight(view: HTMLElement): Element | undefined {
  const edge = view.getBoundingClientRect().top;
  const isBelow = (one: Element) => one.getBoundingClientRect().bottom > edge;
  const group = [...view.querySelectorAll('.chat-group')].find(isBelow);
  return group && [...group.children].find(isBelow);
}
