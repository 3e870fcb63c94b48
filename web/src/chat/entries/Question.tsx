/** A question of the agent's with a form, or with a page to open. */

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Chat, Field, Question as Asked } from '../../commands';
import { call } from '../../hub/link';
import { ActorName } from '../../ui/actor';
import { complain } from '../../ui/toasts';
import { visible } from '../../ui/visible';
import { Markdown } from '../markdown/Markdown';
import { limitWords, tooFewOrMany } from './limits';
import { useSettled } from './settled';

type Values = Record<string, unknown>;

export function Question({ chat, number, question }: { chat: Chat; number: number; question: Asked }) {
  const values = useSignal<Values>(firstValues(question.fields));
  const busy = useSignal(false);
  const { ready, unlessReady } = useSettled(question.outcome === undefined);
  if (question.outcome) return <Settled question={question} />;
  const answer = async (given: Values | null) => {
    if (busy.value) return;
    busy.value = true;
    try {
      await call('flightdeck.chat.answer', { id: chat.id, entry: number, ...(given ? { values: given } : {}) });
    } catch (error) {
      complain(error);
    }
    busy.value = false;
  };
  const missing = question.fields.some(
    (field) => (field.required && isEmpty(values.value[field.name])) || tooFewOrMany(field, values.value[field.name]),
  );
  return (
    <form
      class="card chat-question"
      aria-label={`${chat.agent.title} asks`}
      data-ready={ready}
      onClickCapture={unlessReady}
      onSubmit={(event) => {
        event.preventDefault();
        if (!missing && ready) void answer(filled(values.value));
      }}
    >
      <header>
        <strong>{chat.agent.title}</strong> asks
      </header>
      <Markdown text={question.message} />
      {question.url !== undefined && <Page url={question.url} host={question.host} completed={question.completed ?? false} />}
      {question.fields.map((field) => (
        <OneField
          key={field.name}
          field={field}
          value={values.value[field.name]}
          onValue={(value) => (values.value = { ...values.value, [field.name]: value })}
        />
      ))}
      <div class="answers">
        <button type="button" class="button" disabled={busy.value} onClick={() => void answer(null)}>
          Decline
        </button>
        <button class="button primary" disabled={busy.value || missing}>
          {question.url === undefined ? 'Answer' : 'I have done it'}
        </button>
      </div>
    </form>
  );
}

/** A page to open: whose it is stands apart, since an address can be made to look like another one. */
function Page({ url, host, completed }: { url: string; host: string | undefined; completed: boolean }) {
  return (
    <div class="chat-page">
      {host !== undefined && (
        <p>
          A page of <Host name={host} />
        </p>
      )}
      <p class="code">
        {/^https?:\/\//i.test(url) ? (
          <a href={url} target="_blank" rel="noopener noreferrer">
            {visible(url)}
          </a>
        ) : (
          visible(url)
        )}
      </p>
      {completed && <PageDone />}
    </div>
  );
}

function Host({ name }: { name: string }) {
  const looksLikeAnother = name.split('.').some((part) => part.toLowerCase().startsWith('xn--'));
  return (
    <>
      <strong class="code">{visible(name)}</strong>
      {looksLikeAnother && <span class="warn"> (its name has letters of other alphabets, and can look like another one)</span>}
    </>
  );
}

function PageDone() {
  return (
    <p>
      <span class="ok">✓ done</span>, as the agent says
    </p>
  );
}

function OneField({ field, value, onValue }: { field: Field; value: unknown; onValue(value: unknown): void }) {
  const id = `field-${field.name}`;
  const typed = (text: string) => (text === '' ? undefined : text);
  switch (field.input) {
    case 'switch':
      return (
        <label class="chat-field">
          <span>
            <input type="checkbox" checked={value === true} onChange={(event) => onValue(event.currentTarget.checked)} /> {field.title}
          </span>
          <About field={field} />
        </label>
      );
    case 'many': {
      const chosen = Array.isArray(value) ? (value as unknown[]) : [];
      return (
        <fieldset class="chat-field">
          <legend>{field.title}</legend>
          {field.options.map((option) => (
            <label key={option.value}>
              <input
                type="checkbox"
                checked={chosen.includes(option.value)}
                onChange={(event) =>
                  onValue(event.currentTarget.checked ? [...chosen, option.value] : chosen.filter((one) => one !== option.value))
                }
              />{' '}
              {option.title}
            </label>
          ))}
          <About field={field} />
        </fieldset>
      );
    }
    case 'select':
      return (
        <Titled field={field} id={id}>
          <select id={id} class="field" value={String(value ?? '')} onChange={({ currentTarget }) => onValue(typed(currentTarget.value))}>
            <option value="">{field.required ? 'Choose' : 'None'}</option>
            {field.options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.title}
              </option>
            ))}
          </select>
        </Titled>
      );
    case 'number':
    case 'text': {
      const number = field.input === 'number';
      return (
        <Titled field={field} id={id}>
          <input
            id={id}
            class="field"
            {...(number
              ? { type: 'number', step: field.integer ? 1 : 'any', min: field.minimum, max: field.maximum }
              : { minLength: field.minLength, maxLength: field.maxLength })}
            value={value === undefined ? '' : String(value)}
            onInput={({ currentTarget: { value: text } }) => onValue(number && text !== '' ? Number(text) : typed(text))}
          />
        </Titled>
      );
    }
  }
}

/** A field below its title. */
function Titled({ field, id, children }: { field: Field; id: string; children: ComponentChildren }) {
  return (
    <label class="chat-field" for={id}>
      <span>{visible(field.title)}</span>
      {children}
      <About field={field} />
    </label>
  );
}

function About({ field }: { field: Field }) {
  const words = [field.description, limitWords(field)].filter(Boolean).join(' · ');
  return words === '' ? null : <small class="dim">{visible(words)}</small>;
}

function Settled({ question }: { question: Asked }) {
  const outcome = question.outcome!;
  return (
    <div class="settled dim">
      <p>{visible(question.message)}</p>
      {question.host !== undefined && (
        <p>
          <Host name={question.host} />
        </p>
      )}
      {question.completed && <PageDone />}
      <p>
        {outcome.outcome === 'accepted' && (
          <>
            {Object.entries(outcome.values).map(([name, value]) => (
              <span key={name}>
                {question.fields.find((field) => field.name === name)?.title ?? name}: <strong>{words(value)}</strong>{' '}
              </span>
            ))}
            <ActorName name={outcome.by} />
          </>
        )}
        {outcome.outcome === 'declined' && (
          <>
            declined by <ActorName name={outcome.by} />
          </>
        )}
        {outcome.outcome === 'cancelled' && 'taken back'}
      </p>
    </div>
  );
}

function words(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : value === true ? 'yes' : value === false ? 'no' : String(value);
}

export function firstValues(fields: readonly Field[]): Values {
  return Object.fromEntries(fields.map((field) => [field.name, field.default ?? (field.input === 'switch' ? false : undefined)]));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

function filled(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
