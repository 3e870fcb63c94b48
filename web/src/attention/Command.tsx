/** A command that somebody decides about: every character visible, and what is dangerous underlined. */

import type { ApprovalPiece } from '../commands';
import { spansOf } from './spans';
import { hasUnseen, visible } from '../ui/visible';

export function Command({ text, pieces }: { text: string; pieces: readonly ApprovalPiece[] }) {
  return (
    <>
      {/* Long ones scroll, so the keyboard has to reach them. */}
      <pre class="asked-command" tabIndex={0} aria-label="Command">
        {spansOf(text, pieces).map((span, index) =>
          span.danger === undefined ? (
            <span key={index}>{visible(span.text)}</span>
          ) : (
            <em key={index} class="dangerous" title={span.danger}>
              {visible(span.text)}
            </em>
          ),
        )}
      </pre>
      {hasUnseen(text) && <p class="warn">It holds characters that can’t be seen. They are shown as escapes.</p>}
    </>
  );
}
