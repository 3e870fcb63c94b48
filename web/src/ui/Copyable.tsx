/** A line to be run or pasted elsewhere, with a button that copies it. */

import { useCopy } from './copy';
import { Icon } from './Icon';
import './copyable.css';

export function Copyable({ text }: { text: string }) {
  const { copied, copy } = useCopy(text);
  return (
    <div class="copyable">
      {/* Long ones scroll, so the keyboard has to reach them. */}
      <pre tabIndex={0}>{text}</pre>
      <button class="button" onClick={copy}>
        <Icon name="copy" /> {copied ? 'Copied' : 'Copy'}
      </button>
    </div>
  );
}
