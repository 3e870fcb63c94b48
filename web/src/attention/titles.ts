/** What needs a person in one line, as a notification or a heading has it. */

import type { Chat } from '../commands';
import { actorOf } from '../ui/actor';
import { subjectWords } from './answers';
import type { Need } from './needs';

export function titleOf(need: Need): string {
  switch (need.kind) {
    case 'approval': {
      const who = actorOf(need.approval.agent).name;
      const does = { command: 'wants to run something', permission: 'asks', file_write: 'wants to write a file' };
      const dangerous = need.approval.dangerous && need.approval.subject.kind === 'command' ? ' dangerous' : '';
      return `${who} ${does[need.approval.subject.kind]}${dangerous}`;
    }
    case 'input':
      return `${need.agent.terminal ?? 'A program'} asks for ${asksPassword(need.agent.reason) ? 'a password' : 'input'}`;
    case 'conflict':
      return `${need.path} has changed on disk`;
    case 'consent':
      return 'May agents control the workbench?';
    case 'policy':
      return need.notice.state === 'broken' ? 'The policy file is broken' : 'The rules were changed from outside';
    case 'finished':
      return `${need.agent.name} has finished`;
    case 'failed':
      return `${need.agent.name} stopped after an error`;
    case 'chat':
      return chatTitle(need.chat);
  }
}

export function bodyOf(need: Need): string {
  switch (need.kind) {
    case 'approval':
      return subjectWords(need.approval);
    case 'input':
    case 'failed':
      return need.agent.reason;
    case 'conflict':
      return 'The editor holds changes that are not saved';
    case 'consent':
      return 'It is asked once';
    case 'policy':
      return need.notice.text;
    case 'finished':
      return 'Nothing of it is under way';
    case 'chat':
      return need.chat.state === 'done' ? need.chat.title : need.chat.reason;
  }
}

export function chatTitle({ agent, state }: Chat): string {
  switch (state) {
    case 'waits_for_sign_in':
      return `${agent.title} wants you to sign in`;
    case 'failed':
      return `${agent.title} has failed`;
    case 'gone':
      return `${agent.title} is gone`;
    case 'done':
      return `${agent.title} has finished`;
    default:
      return `${agent.title} asks you something`;
  }
}

export function asksPassword(reason: string): boolean {
  return reason.includes('password');
}
