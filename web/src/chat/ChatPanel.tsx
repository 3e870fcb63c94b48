/** Conversations with agents that the hub runs: all of them, the choice of an agent, or one. */

import { useEffect } from 'preact/hooks';
import { AgentPicker } from './AgentPicker';
import { Conversation } from './Conversation';
import { ConversationList } from './ConversationList';
import { chatOf, chatsKnown } from './overview';
import { place } from './place';
import './chat.css';

export default function ChatPanel() {
  const where = place.value;
  const lost = where.at === 'chat' && chatsKnown.value && chatOf(where.id) === undefined;
  // A conversation of another hub, or one that was removed elsewhere, long ago.
  useEffect(() => {
    if (!lost) return;
    const timer = setTimeout(() => {
      if (place.peek() === where && where.at === 'chat' && chatOf(where.id) === undefined) place.value = { at: 'list' };
    }, 1500);
    return () => clearTimeout(timer);
  }, [lost]);
  return (
    <div class="chat" data-at={where.at}>
      {where.at === 'list' && <ConversationList />}
      {where.at === 'new' && <AgentPicker />}
      {where.at === 'chat' && <Conversation id={where.id} key={where.id} />}
    </div>
  );
}
