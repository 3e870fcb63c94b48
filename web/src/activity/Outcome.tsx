/** What was decided about a call, and how it ended, where there is anything to say. */

import type { AuditCall } from '../commands';
import { type Chip, decisionChip, resultChip } from './chips';
import './activity.css';

export function Outcome({ call }: { call: AuditCall }) {
  return (
    <>
      <Said chip={decisionChip(call)} /> <Said chip={resultChip(call)} />
    </>
  );
}

function Said({ chip }: { chip: Chip | null }) {
  return chip && <span class={`entry-chip ${chip.tone}`}>{chip.text}</span>;
}
