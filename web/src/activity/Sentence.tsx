/** What somebody did, in words, with what can be opened as links. */

import type { AuditCall } from '../commands';
import { openFile, openTerminal } from '../layout/actions';
import { visible } from '../ui/visible';
import { showCommand } from './command';

export function Sentence({ call }: { call: AuditCall }) {
  return (
    <>
      {call.summary.map((part, index) => {
        switch (part.kind) {
          case 'text':
            return <span key={index}>{visible(part.text)}</span>;
          case 'code':
            return <code key={index}>{visible(part.text)}</code>;
          case 'command':
            return (
              <button key={index} class="link code" title="Show this command" onClick={() => void showCommand(call, part.text)}>
                {visible(part.text)}
              </button>
            );
          case 'terminal':
            return (
              <button key={index} class="link" onClick={() => void openTerminal(part.id)}>
                {part.id}
              </button>
            );
          case 'file':
            return (
              <button key={index} class="link" title={visible(part.path)} onClick={() => void openFile(part.path, part.line ?? undefined)}>
                {visible(part.path)}
                {part.line != null && `:${part.line}`}
              </button>
            );
        }
      })}
    </>
  );
}
