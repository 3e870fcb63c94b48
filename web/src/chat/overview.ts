/** All conversations as they stand, the one that was last used first. Only this file changes them. */

import { signal } from '@preact/signals';
import type { AgentState, Chat } from '../commands';
import { last } from '../hub/link';

export const chats = signal<readonly Chat[]>([]);
/** Whether they are known yet. */
export const chatsKnown = signal(false);

export function watchChats(): void {
  last('flightdeck.chat.overview', () => ({}), (event) => {
    chats.value = event.chats;
    chatsKnown.value = true;
  });
}

export function chatOf(id: string): Chat | undefined {
  return chats.value.find((chat) => chat.id === id);
}

/** The conversation with an agent that the hub runs itself. */
export function chatWith({ number }: Pick<AgentState, 'number'>): Chat | undefined {
  return number === undefined ? undefined : chats.value.find((chat) => chat.agent.number === number);
}
