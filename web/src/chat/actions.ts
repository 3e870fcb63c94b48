/** What can be done with conversations by hand, from the palette and the keyboard. */

import { register } from '../palette/actions';
import type { Chat } from '../commands';
import { cancelTurn, restartChat, stopAgent } from './deeds';
import { chats, chatOf, watchChats } from './overview';
import { place, showChat, toggleChat } from './place';
import { watchSeen } from './seen';
import { isBusy } from './words';

/** The conversation that is open, or the one that was last used. */
function current(): Chat | undefined {
  return (place.value.at === 'chat' ? chatOf(place.value.id) : undefined) ?? chats.value[0];
}

export function watchConversations(): void {
  watchChats();
  watchSeen();
  const of = (fits: (chat: Chat) => boolean) => () => {
    const chat = current();
    return chat !== undefined && fits(chat);
  };
  register(
    { id: 'view.chat', title: 'View: Chat', shortcut: 'Ctrl+Shift+K', run: toggleChat },
    { id: 'chat.new', title: 'Chat: New conversation', run: () => showChat({ at: 'new' }) },
    { id: 'chat.list', title: 'Chat: All conversations', run: () => showChat({ at: 'list' }) },
    { id: 'chat.cancel', title: 'Chat: Stop the turn', when: of((chat) => isBusy(chat.state)), run: () => current() && cancelTurn(current()!.id) },
    { id: 'chat.stop', title: 'Chat: Stop the agent', when: of((chat) => chat.agent.number !== undefined), run: () => current() && stopAgent(current()!.id) },
    {
      id: 'chat.restart',
      title: 'Chat: Start the agent again',
      when: of((chat) => chat.agent.number === undefined),
      run: () => {
        const chat = current();
        if (!chat) return;
        showChat({ at: 'chat', id: chat.id });
        if (chat.resumable !== 'no') void restartChat(chat.id);
      },
    },
  );
}
