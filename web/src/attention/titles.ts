/** What needs a person in one line, as a notification or a heading has it. */

import type { Chat, DatabaseProblem, InputKind } from '../commands';
import { actorOf } from '../ui/actor';
import { visible } from '../ui/visible';
import { subjectWords } from './answers';
import type { Need } from './needs';

/** What a program asks for, in words. */
export const ASKED: Record<InputKind, string> = { password: 'a password', line: 'input' };
const DATABASE: Record<DatabaseProblem['kind'], string> = {
  lost: 'The database was lost',
  damaged: 'The database is damaged',
  replaced: 'The database was replaced',
  rolled_back: 'The database is an older one',
  rewritten: 'The audit log was rewritten',
  removed: 'The database was removed',
  unwitnessed: 'The database may have been replaced',
};

export function titleOf(need: Need): string {
  switch (need.kind) {
    case 'approval': {
      const who = visible(actorOf(need.approval.agent).name);
      const does = { command: 'wants to run something', permission: 'asks', file_write: 'wants to write a file' };
      const dangerous = need.approval.dangerous && need.approval.subject.kind === 'command' ? ' dangerous' : '';
      return `${who} ${does[need.approval.subject.kind]}${dangerous}`;
    }
    case 'input':
      return `${need.terminal} asks for ${ASKED[need.asks.kind]}`;
    case 'conflict':
      return `${visible(need.path)} has changed on disk`;
    case 'consent':
      return 'May agents control the workbench?';
    case 'policy':
      return need.notice.state === 'broken' ? 'The policy file is broken' : 'The rules were changed from outside';
    case 'database':
      return DATABASE[need.problem.kind];
    case 'finished':
      return `${visible(need.agent.name)} has finished`;
    case 'failed':
      return `${visible(need.agent.name)} stopped after an error`;
    case 'chat':
      return chatTitle(need.chat);
  }
}

export function bodyOf(need: Need): string {
  switch (need.kind) {
    case 'approval':
      return visible(subjectWords(need.approval));
    case 'input':
      return `${visible(actorOf(need.asks.agent).name)} runs what asks`;
    case 'failed':
      return visible(need.agent.reason);
    case 'conflict':
      return 'The editor holds changes that are not saved';
    case 'consent':
      return 'It is asked once';
    case 'policy':
      return need.notice.text;
    case 'database':
      return need.problem.text;
    case 'finished':
      return 'Nothing of it is under way';
    case 'chat':
      return visible(need.chat.state === 'done' ? need.chat.title : need.chat.reason);
  }
}

export function chatTitle({ agent, state }: Chat): string {
  const who = visible(agent.title);
  switch (state) {
    case 'waits_for_sign_in':
      return `${who} wants you to sign in`;
    case 'failed':
      return `${who} has failed`;
    case 'gone':
      return `${who} is gone`;
    case 'done':
      return `${who} has finished`;
    default:
      return `${who} asks you something`;
  }
}
