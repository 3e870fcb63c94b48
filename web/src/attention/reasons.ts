/** Why a request is made to wait, and where it would run, without what everybody knows anyway. */

import type { Approval } from '../commands';

/** The hub's reasons one by one; that a person has to allow it is what the card says already. */
export function reasonsOf(approval: Pick<Approval, 'reason'>): string[] {
  return approval.reason
    .split('; ')
    .map((one) => one.trim())
    .filter((one) => one !== '' && one !== 'a person has to allow it');
}

/** A folder as one says it: from the workspace on, else as it is. */
export function folderWords(cwd: string, workspace: string | undefined): string {
  if (workspace === undefined) return cwd;
  const name = workspace.split('/').filter(Boolean).at(-1) ?? workspace;
  if (cwd === workspace) return name;
  return cwd.startsWith(`${workspace}/`) ? `${name}${cwd.slice(workspace.length)}` : cwd;
}

/** A file from the workspace on, else as it is. */
export function shortPath(path: string, workspace: string | undefined): string {
  return workspace !== undefined && path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : path;
}
