/** The frame of one editor or terminal. */

import { useEffect, useRef } from 'preact/hooks';
import type { TabInfo } from '../commands';
import { focus, focusTab } from '../state/workbench';
import { hueOf } from '../ui/actor';
import { complain } from '../ui/toasts';
import { visible } from '../ui/visible';
import type { Rect } from './geometry';
import { type Touch, touches } from './touches';
import { openView, openViews, type View } from './view';

export function TabBody(props: { tab: TabInfo; rect: Rect; shown: boolean }) {
  const { tab, rect, shown } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<View | null>(null);
  const inSight = useRef(shown);
  inSight.current = shown;

  useEffect(() => {
    let gone = false;
    const open = async () => {
      const opened = await openView(host.current!, tab);
      if (gone) return opened.dispose();
      view.current = opened;
      openViews.set(tab.id, opened);
      opened.shown(inSight.current);
      if (focus.peek() === tab.id && document.activeElement === document.body) opened.focus();
    };
    open().catch(complain);
    return () => {
      gone = true;
      openViews.delete(tab.id);
      view.current?.dispose();
    };
  }, [tab.id]);
  useEffect(() => view.current?.shown(shown), [shown]);

  const touch: Touch | undefined = touches.value.get(tab.contentId);
  return (
    <section
      class="tab-body"
      id={`body-${tab.id}`}
      role="tabpanel"
      aria-labelledby={`tab-${tab.id}`}
      hidden={!shown}
      data-tab={tab.id}
      data-focused={focus.value === tab.id}
      data-touched={touch !== undefined}
      style={{ left: `${rect.x}%`, top: `${rect.y}%`, width: `${rect.width}%`, height: `${rect.height}%` }}
      onFocusIn={() => focusTab(tab.id)}
    >
      <div class="tab-host" ref={host} />
      {touch && (
        <div class="touch agent" data-hue={hueOf(touch.by)} key={touch.at}>
          {visible(touch.text)}
        </div>
      )}
    </section>
  );
}
