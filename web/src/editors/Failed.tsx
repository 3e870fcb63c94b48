/** In place of a text that can't be shown. */

import type { HubError } from '../hub/connection';
import { visible } from '../ui/visible';

export function Failed({ path, error, again }: { path: string; error: HubError; again(): void }) {
  return (
    <div class="editor-failed" role="alert">
      <strong>{visible(path)} can't be shown</strong>
      <p>{error.message}</p>
      {error.hint && <p class="dim">{error.hint}</p>}
      <button class="button" onClick={again}>
        Try again
      </button>
    </div>
  );
}
