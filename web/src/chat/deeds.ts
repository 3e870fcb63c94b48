/** What a person does with conversations; each ends in the command that the terminal front end would call. */

import type { Budget, NewChat } from '../commands';
import { call } from '../hub/link';
import { openTerminal } from '../layout/actions';
import { complain, toast } from '../ui/toasts';
import { focusChat, place } from './place';

/** Starts an agent, and shows the conversation with it. Whether it could be started. */
export async function startChat(how: NewChat): Promise<boolean> {
  try {
    const { id } = await call('flightdeck.chat.new', how);
    place.value = { at: 'chat', id };
    focusChat();
    return true;
  } catch (error) {
    complain(error);
    return false;
  }
}

export async function cancelTurn(id: string): Promise<void> {
  await call('flightdeck.chat.cancel', { id }).catch(complain);
}

export async function restartChat(id: string, fresh = false): Promise<void> {
  await call('flightdeck.chat.restart', { id, ...(fresh ? { fresh } : {}) }).catch(complain);
}

/** Ends the agent and starts it again: what was done elsewhere meanwhile, as a sign-in, counts then. */
export async function startAnew(id: string): Promise<void> {
  try {
    await call('flightdeck.chat.stop', { id });
    await call('flightdeck.chat.restart', { id });
  } catch (error) {
    complain(error);
  }
}

export async function stopAgent(id: string): Promise<void> {
  await call('flightdeck.chat.stop', { id }).catch(complain);
}

export async function removeChat(id: string): Promise<void> {
  try {
    await call('flightdeck.chat.remove', { id });
    if (place.peek().at === 'chat') place.value = { at: 'list' };
    toast('info', 'The conversation was removed');
  } catch (error) {
    complain(error);
  }
}

/** Signs in. Where that takes a terminal the person goes on there, and the agent starts again once it has ended well. */
export async function signIn(id: string, method: string): Promise<void> {
  try {
    const { terminal } = await call('flightdeck.chat.authenticate', { id, method });
    if (terminal !== undefined) await openTerminal(terminal);
  } catch (error) {
    complain(error);
  }
}

export async function setBudget(id: string, budget: Budget | null): Promise<boolean> {
  try {
    await call('flightdeck.chat.budget', { id, ...(budget ? { budget } : {}) });
    return true;
  } catch (error) {
    complain(error);
    return false;
  }
}
