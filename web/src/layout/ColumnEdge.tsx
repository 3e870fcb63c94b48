/** The edge of a column beside the panes: dragged or moved by arrows, and back to its usual width by a double click. */

import { type Column, widths, WIDTHS } from '../state/preferences';

const STEP = 16;
const LABELS: Record<Column, string> = { panel: 'Width of the panel', attention: 'Width of what needs you', chat: 'Width of the chat' };

export function ColumnEdge({ column }: { column: Column }) {
  const { usual, least, most } = WIDTHS[column];
  const width = widths.value[column];
  const set = (to: number) => {
    // The panes keep at least half of the window.
    const bound = Math.min(most, Math.max(least, innerWidth / 4));
    widths.value = { ...widths.value, [column]: Math.round(Math.min(bound, Math.max(least, to))) };
  };
  const wider = column === 'panel' ? 1 : -1;
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    const element = event.currentTarget as HTMLElement;
    const [fromX, fromWidth] = [event.clientX, width];
    element.setPointerCapture(event.pointerId);
    element.onpointermove = (move) => set(fromWidth + wider * (move.clientX - fromX));
    element.onpointerup = element.onpointercancel = () => {
      element.onpointermove = element.onpointerup = element.onpointercancel = null;
    };
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? STEP : event.key === 'ArrowLeft' ? -STEP : 0;
    if (step === 0) return;
    event.preventDefault();
    set(width + wider * step);
  };
  return (
    <div
      class="column-edge"
      data-column={column}
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={LABELS[column]}
      aria-valuenow={width}
      aria-valuemin={least}
      aria-valuemax={most}
      onPointerDown={onPointerDown}
      onDblClick={() => set(usual)}
      onKeyDown={onKeyDown}
    />
  );
}
