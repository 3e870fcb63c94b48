/** Code that an agent shows, with its colours and a way to take it along. */

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { loadPart } from '../../hub/parts';
import { Icon } from '../../ui/Icon';
import { complain } from '../../ui/toasts';
import type { Coloured } from './colours';

/** Code that still grows is coloured when it rests. */
const REST_MS = 120;
/** Larger code is read without colours. */
const LARGEST = 40_000;

export function Code({ language, text }: { language: string; text: string }) {
  const copied = useSignal(false);
  const parts = useColours(language, text);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    copied.value = true;
    setTimeout(() => (copied.value = false), 1500);
  };
  return (
    <div class="md-code">
      <header>
        <span class="dim">{language || 'text'}</span>
        <button class="icon-button" aria-label={copied.value ? 'Copied' : 'Copy the code'} title="Copy" onClick={() => void copy().catch(complain)}>
          {copied.value ? <span class="ok">✓</span> : <Icon name="copy" />}
        </button>
      </header>
      <pre tabIndex={0} aria-label={language ? `Code in ${language}` : 'Code'}>
        <code>
          {parts === null
            ? text
            : parts.map(({ text: part, look }, index) => (look === '' ? part : <span key={index} class={`tok-${look}`}>{part}</span>))}
        </code>
      </pre>
    </div>
  );
}

function useColours(language: string, text: string): readonly Coloured[] | null {
  const found = useSignal<{ of: string; parts: Coloured[] } | null>(null);
  useEffect(() => {
    if (language === '' || text.length > LARGEST) return;
    let gone = false;
    const timer = setTimeout(() => {
      loadPart(() => import('./colours'))
        .then(({ coloured }) => coloured(text, language))
        .then((parts) => {
          if (!gone && parts) found.value = { of: text, parts };
        })
        // Without colours it is still code.
        .catch((error: unknown) => console.warn('code could not be coloured', error));
    }, REST_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [language, text]);
  return found.value?.of === text ? found.value.parts : null;
}
