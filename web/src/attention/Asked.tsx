/** What a request is about: the command, the agent's own question, or the change of a file. */

import type { Approval } from '../commands';
import { openFile, openTerminal } from '../layout/actions';
import { status } from '../state/hub';
import { Expiry } from './Age';
import { Command } from './Command';
import { Diff } from './Diff';
import { folderWords, reasonsOf, shortPath } from './reasons';
import { visible } from '../ui/visible';

export function headingOf(approval: Approval): string {
  switch (approval.subject.kind) {
    case 'command':
      return 'wants to run';
    case 'permission':
      return 'asks';
    case 'file_write':
      return 'wants to write';
  }
}

export function Asked({ approval }: { approval: Approval }) {
  const { subject } = approval;
  return (
    <>
      {subject.kind === 'command' && <Command text={subject.text} pieces={subject.pieces} />}
      {subject.kind === 'permission' && (
        <>
          <p class="asked-title">
            {visible(subject.title)} {subject.deed && <span class="dim">({visible(subject.deed)})</span>}
          </p>
          {subject.locations?.map((path) => <FileLink key={path} path={path} />)}
          {subject.diff && <Diff diff={subject.locations?.length ? withoutHead(subject.diff) : subject.diff} />}
        </>
      )}
      {subject.kind === 'file_write' && (
        <>
          <FileLink path={subject.path} />
          <Diff diff={subject.diff} />
        </>
      )}
      {/* An agent's own question has its title for a reason, and that is above. */}
      {subject.kind !== 'permission' && (
        <ul class="asked-why dim">
          {reasonsOf(approval).map((reason) => (
            <li key={reason}>{visible(reason)}</li>
          ))}
        </ul>
      )}
      {approval.origin && (
        <p class="asked-origin">
          from the container <strong>{visible(approval.origin.container)}</strong> ({visible(approval.origin.workspace)},{' '}
          {visible(approval.origin.address)}); it would run on this machine
        </p>
      )}
      <p class="asked-where dim">
        {subject.kind === 'command' && <span title={visible(subject.cwd)}>in {visible(folderWords(subject.cwd, status.value?.workspace))}</span>}
        {approval.terminal && (
          <button class="link" onClick={() => void openTerminal(approval.terminal!)}>
            {approval.terminal}
          </button>
        )}
        <span class="asked-rule">
          rule <code>{visible(approval.rule)}</code>
        </span>
        <Expiry expiresAtMs={approval.expiresAtMs} />
      </p>
      {subject.kind === 'command' && subject.env && subject.env.length > 0 && (
        <p class="asked-env dim">
          with <code>{visible(subject.env.join(' '))}</code>
        </p>
      )}
    </>
  );
}

function FileLink({ path }: { path: string }) {
  return (
    <button class="link code ellipsis" title={visible(path)} onClick={() => void openFile(path)}>
      {visible(shortPath(path, status.value?.workspace))}
    </button>
  );
}

/** The names of the file, which stand above the diff already. */
function withoutHead(diff: string): string {
  return diff.replace(/^--- .*\n\+\+\+ .*\n/, '');
}
