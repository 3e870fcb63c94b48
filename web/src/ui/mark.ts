/** How a state is told: a mark, a word and a colour, which never stands alone. */

export type Tone = 'agent' | 'warn' | 'danger' | 'ok' | 'dim';

export interface Mark {
  readonly mark: string;
  readonly word: string;
  readonly tone: Tone;
}

/** The states that an agent and its conversation have in common. */
export const SHARED = {
  working: { mark: '●', word: 'working', tone: 'agent' },
  waits_for_input: { mark: '◐', word: 'waits for input', tone: 'warn' },
  failed: { mark: '✗', word: 'failed', tone: 'danger' },
  gone: { mark: '◌', word: 'gone', tone: 'dim' },
} as const satisfies Record<string, Mark>;
