/** Terminals whose program waits for somebody to type. */

import { computed } from '@preact/signals';
import type { InputKind } from '../commands';
import { terminals } from '../state/hub';

export const asking = computed<ReadonlyMap<string, InputKind>>(
  () => new Map([...terminals.value.values()].flatMap(({ id, asks }) => (asks === undefined ? [] : [[id, asks.kind] as const]))),
);
