/** The panes: absolutely placed from the hub's tree, previewed here while a border or a tab is dragged. */

import { computed, signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { PaneInfo, TabInfo, TerminalState } from '../commands';
import { call } from '../hub/link';
import { shortcutOf } from '../palette/actions';
import { touched } from '../files/touched';
import { terminals } from '../state/hub';
import { documents, focus, panes, workbench } from '../state/workbench';
import { ActorName, actorOf, hueOf } from '../ui/actor';
import { Icon } from '../ui/Icon';
import { complain } from '../ui/toasts';
import { visible } from '../ui/visible';
import { closeTab, maximised, moveTab, newTerminal, showTab } from './actions';
import { type Drop, dropAt, flatten, type PaneBox, type Preview, type Rect, type Sash } from './geometry';
import { asking } from './asking';
import { freshTabs } from './fresh';
import { shownTab } from './shown';
import { TabBody } from './TabBody';
import { Welcome } from './Welcome';
import './dock.css';

const preview = signal<Preview | null>(null);
const drop = signal<Drop | null>(null);
const NARROW = matchMedia('(max-width: 700px)');
const narrow = signal(NARROW.matches);
NARROW.addEventListener('change', () => (narrow.value = NARROW.matches));

const WHOLE: Rect = { x: 0, y: 0, width: 100, height: 100 };

const flat = computed(() => {
  const all = flatten(workbench.value.areas, preview.value);
  const only = narrow.value ? paneOfFocus() : maximised.value;
  const box = only === null ? undefined : all.boxes.find((one) => one.pane === only);
  return box ? { boxes: [{ ...box, ...WHOLE }], sashes: [] } : all;
});

/** On a phone one pane fills the screen. */
function paneOfFocus(): string | null {
  const all = [...panes.value.values()];
  const found = all.find((pane) => pane.tabs.some((tab) => tab.id === focus.value)) ?? all[0];
  return found?.id ?? null;
}

/** There its strip leads to the tabs of all the others too. */
function withAllTabs(pane: PaneInfo): PaneInfo {
  return { ...pane, tabs: workbench.value.panes.flatMap((one) => one.tabs) };
}

export function Dock() {
  const { boxes, sashes } = flat.value;
  if (workbench.value.panes.length === 0) return <Welcome />;
  const visible = new Map(boxes.map((box) => [box.pane, box]));
  return (
    <main class="dock" id="dock" aria-label="Panes" tabIndex={-1}>
      {boxes.map((box) => {
        const pane = panes.value.get(box.pane);
        return pane && <TabStrip key={narrow.value ? 'all' : pane.id} pane={narrow.value ? withAllTabs(pane) : pane} box={box} />;
      })}
      {workbench.value.panes.flatMap((pane) =>
        pane.tabs.map((tab) => {
          const box = visible.get(pane.id);
          const shown = box !== undefined && tab.id === shownTab(pane);
          return <TabBody key={tab.id} tab={tab} rect={box ?? WHOLE} shown={shown} />;
        }),
      )}
      {sashes.map((sash) => (
        <SashView key={sash.key} sash={sash} />
      ))}
      {drop.value && <div class="drop" style={place(drop.value.rect)} />}
    </main>
  );
}

/** Whether the pane is in sight that terminals come into; else the others lead to a new one. */
function terminalsInSight(): boolean {
  return flat.value.boxes.some((box) => panes.value.get(box.pane)?.area === 'bottom');
}

function place(rect: Rect) {
  return { left: `${rect.x}%`, top: `${rect.y}%`, width: `${rect.width}%`, height: `${rect.height}%` };
}

function TabStrip({ pane, box }: { pane: PaneInfo; box: PaneBox }) {
  const shown = shownTab(pane);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const at = pane.tabs.findIndex((tab) => tab.id === shown);
    if (step !== 0) {
      event.preventDefault();
      const next = pane.tabs[(at + step + pane.tabs.length) % pane.tabs.length]!;
      showTab(next.id);
      requestAnimationFrame(() => document.getElementById(`tab-${next.id}`)?.focus());
    } else if (event.key === 'Delete') void closeTab(shown);
  };
  const full = maximised.value === pane.id;
  const strip = useRef<HTMLDivElement>(null);
  useInSight(strip, shown, pane.tabs.map((tab) => tab.id).join());
  return (
    <div class="tab-strip" style={{ left: `${box.x}%`, top: `${box.y}%`, width: `${box.width}%` }} data-pane={pane.id}>
      <div class="tabs" role="tablist" ref={strip} aria-label={`Tabs of ${visible(pane.title)}`} onKeyDown={onKeyDown}>
        {pane.tabs.map((tab) => (
          <Tab key={tab.id} tab={tab} shown={tab.id === shown} pane={pane} />
        ))}
      </div>
      <div class="tab-actions">
        {(pane.area === 'bottom' || narrow.value || !terminalsInSight()) && (
          <button
            class="icon-button"
            aria-label="New terminal"
            title={`New terminal (${shortcutOf('terminal.new')})`}
            onClick={() => void newTerminal()}
          >
            <Icon name={pane.area === 'bottom' ? 'plus' : 'terminal'} />
          </button>
        )}
        <button
          class="icon-button pane-pin"
          aria-pressed={pane.pinned}
          aria-label={pane.pinned ? 'Unpin the pane' : 'Pin the pane'}
          title="Pinned panes stay when the agent that opened them leaves"
          onClick={() => void call('flightdeck.workbench.pin', { paneId: pane.id, pinned: !pane.pinned }).catch(complain)}
        >
          <Icon name="pin" />
        </button>
        <button
          class="icon-button pane-maximise"
          aria-pressed={full}
          aria-label={full ? 'Restore the pane' : 'Maximise the pane'}
          title="Maximise"
          onClick={() => (maximised.value = full ? null : pane.id)}
        >
          <Icon name="maximise" />
        </button>
      </div>
    </div>
  );
}

/** With many tabs the one that is shown stays in sight, also when others come before it, or change what they say. */
function useInSight(strip: RefObject<HTMLDivElement | null>, shown: string, tabs: string): void {
  useLayoutEffect(() => {
    const element = strip.current;
    if (!element) return;
    const keep = () => {
      const tab = element.querySelector(`#tab-${CSS.escape(shown)}`)?.getBoundingClientRect();
      const room = element.getBoundingClientRect();
      if (!tab) return;
      if (tab.left < room.left || tab.width > room.width) element.scrollLeft += tab.left - room.left;
      else if (tab.right > room.right) element.scrollLeft += tab.right - room.right;
    };
    keep();
    const observer = new ResizeObserver(keep);
    observer.observe(element);
    for (const tab of element.children) observer.observe(tab);
    return () => observer.disconnect();
  }, [shown, tabs]);
}

function Tab({ tab, shown, pane }: { tab: TabInfo; shown: boolean; pane: PaneInfo }) {
  const terminal = tab.type === 'terminal' ? terminals.value.get(tab.contentId) : undefined;
  const document = tab.type === 'editor' ? documents.value.get(tab.contentId) : undefined;
  const title = tab.type === 'terminal' ? `${tab.contentId} ${titleOf(terminal?.title ?? tab.title)}` : tab.title;
  return (
    <div
      class="tab"
      role="tab"
      id={`tab-${tab.id}`}
      aria-selected={shown}
      aria-controls={`body-${tab.id}`}
      aria-keyshortcuts="Delete"
      tabIndex={shown ? 0 : -1}
      data-focused={focus.value === tab.id}
      title={visible(tab.contentId)}
      onPointerDown={(event) => dragTab(event, tab.id)}
      onAuxClick={(event) => event.button === 1 && void closeTab(tab.id)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' || event.key === ' ') {
          event.preventDefault();
          showTab(tab.id);
        }
      }}
    >
      <Sign tab={tab} terminal={terminal} />
      <span class="ellipsis">{visible(title)}</span>
      {tab.isDirty && (
        <span class="warn" title="Unsaved changes" role="img" aria-label="unsaved">
          ●
        </span>
      )}
      {freshTabs.value.has(tab.id) && (
        <small class="agent tab-new" data-hue={hueOf(actorOf(tab.createdBy).name)} title={`${visible(actorOf(tab.createdBy).name)} opened it`}>
          new
        </small>
      )}
      {document?.conflict && <span class="danger">conflict</span>}
      {document?.deleted && <span class="dim">deleted</span>}
      {terminal && <Standing terminal={terminal} />}
      {pane.pinned && shown && <span class="visually-hidden">pinned</span>}
      {/* For the pointer: nothing that can be pressed may stand in a tab, and keys have Delete. */}
      <span
        class="icon-button tab-close"
        aria-hidden="true"
        title={`Close ${visible(tab.title)} (Delete)`}
        onPointerDown={(event) => event.stopPropagation()}
        onClick={() => void closeTab(tab.id)}
      >
        <Icon name="close" />
      </span>
    </div>
  );
}

/** A command that was given to a shell goes by what it is. */
const titleOf = (title: string) => title.replace(/^\/\S*\/(?:ba|da|z|fi)?sh -c (?=\S)/, '');

/** What a tab is; or that something goes on in it, in the colour of who is at it. */
function Sign({ tab, terminal }: { tab: TabInfo; terminal: TerminalState | undefined }) {
  if (terminal?.runningCommand !== undefined) {
    return <Dot who={terminal.lease?.actor ?? terminal.createdBy} words={`runs ${terminal.runningCommand}`} />;
  }
  const touch = tab.type === 'editor' ? touched.value.get(tab.contentId) : undefined;
  return touch ? <Dot who={touch.by} words={touch.text} /> : <Icon name={tab.type === 'terminal' ? 'terminal' : 'file'} />;
}

function Dot({ who, words }: { who: string; words: string }) {
  const { kind, name } = actorOf(who);
  return (
    <span class={`tab-busy ${kind}`} data-hue={hueOf(name)} role="img" aria-label={visible(words)} title={visible(words)}>
      ●
    </span>
  );
}

/** What a terminal waits for; else whose it is. */
function Standing({ terminal }: { terminal: TerminalState }) {
  const asked = asking.value.get(terminal.id);
  if (asked) return <span class="warn tab-asks">asks: {asked === 'password' ? 'password' : 'input'}</span>;
  if (!terminal.running) return <span class={terminal.exitCode ? 'danger' : 'dim'}>{terminal.exitCode ? `exit ${terminal.exitCode}` : 'ended'}</span>;
  return <ActorName name={terminal.lease?.actor ?? terminal.createdBy} />;
}

/** A press selects a tab; a drag of more than a few pixels moves it. */
function dragTab(event: PointerEvent, tab: string): void {
  if (event.button !== 0) return;
  const element = event.currentTarget as HTMLElement;
  const dock = document.getElementById('dock')!.getBoundingClientRect();
  const [fromX, fromY] = [event.clientX, event.clientY];
  let dragging = false;
  element.setPointerCapture(event.pointerId);
  const end = (commit: boolean) => {
    element.onpointermove = element.onpointerup = element.onpointercancel = null;
    removeEventListener('keydown', escape, true);
    const target = drop.value;
    drop.value = null;
    if (!commit) return;
    if (!dragging) showTab(tab);
    else if (target) void moveTab(tab, target.pane, target);
  };
  const escape = (key: KeyboardEvent) => {
    if (key.key !== 'Escape') return;
    key.preventDefault();
    end(false);
  };
  addEventListener('keydown', escape, true);
  element.onpointermove = (move) => {
    dragging ||= Math.hypot(move.clientX - fromX, move.clientY - fromY) > 5;
    if (!dragging) return;
    const x = ((move.clientX - dock.left) / dock.width) * 100;
    const y = ((move.clientY - dock.top) / dock.height) * 100;
    drop.value = dropAmongTabs(move, tab, dock) ?? dropAt(flat.value.boxes, x, y);
  };
  element.onpointerup = () => end(true);
  element.onpointercancel = () => end(false);
}

/** Over a strip of tabs a tab goes between two of them; the line shows where. */
function dropAmongTabs({ clientX, clientY }: PointerEvent, dragged: string, dock: DOMRect): Drop | null {
  const strip = document.elementsFromPoint(clientX, clientY).find((element) => element.matches('.tab-strip'));
  const pane = strip?.getAttribute('data-pane');
  if (!strip || !pane) return null;
  const all = [...strip.querySelectorAll('.tab')];
  const others = all.filter((one) => one.id !== `tab-${dragged}`).map((one) => one.getBoundingClientRect());
  const index = others.filter((rect) => rect.left + rect.width / 2 < clientX).length;
  const bounds = strip.getBoundingClientRect();
  const at = others[index]?.left ?? others.at(-1)?.right ?? bounds.left;
  const percent = (length: number, whole: number) => (length / whole) * 100;
  const rect = {
    x: percent(at - 1 - dock.left, dock.width),
    y: percent(bounds.top - dock.top, dock.height),
    width: percent(2, dock.width),
    height: percent(bounds.height, dock.height),
  };
  return { pane, side: 'into', index, rect };
}

const STEP = 2;

function SashView({ sash }: { sash: Sash }) {
  const row = sash.direction === 'row';
  const at = row ? sash.x : sash.y;
  const commit = (place: number) => {
    const size = Math.round((sash.before ? place - sash.anchor : sash.anchor - place) * 100) / 100;
    return call('openspace.pane.resize', { paneId: sash.pane, ...(row ? { width: size } : { height: size }) });
  };
  const onPointerDown = (event: PointerEvent) => {
    const element = event.currentTarget as HTMLElement;
    const dock = element.parentElement!.getBoundingClientRect();
    element.setPointerCapture(event.pointerId);
    element.onpointermove = (move) => {
      const place = row ? (move.clientX - dock.left) / dock.width : (move.clientY - dock.top) / dock.height;
      preview.value = { key: sash.key, at: Math.min(95, Math.max(5, place * 100)) };
    };
    element.onpointerup = element.onpointercancel = async () => {
      element.onpointermove = element.onpointerup = element.onpointercancel = null;
      const tried = preview.value;
      if (tried) await commit(tried.at).catch(complain);
      preview.value = null;
    };
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const less = event.key === (row ? 'ArrowLeft' : 'ArrowUp');
    const more = event.key === (row ? 'ArrowRight' : 'ArrowDown');
    if (!less && !more) return;
    event.preventDefault();
    void commit(at + (more ? STEP : -STEP)).catch(complain);
  };
  return (
    <div
      class="sash"
      data-direction={sash.direction}
      role="separator"
      tabIndex={0}
      aria-label="Resize"
      aria-orientation={row ? 'vertical' : 'horizontal'}
      aria-valuenow={Math.round(at)}
      aria-valuemin={5}
      aria-valuemax={95}
      style={place(sash)}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
    />
  );
}
