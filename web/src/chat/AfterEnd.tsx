/** What there is to do below the last entry: wait, sign in, or start the agent again. */

import { asking } from '../layout/asking';
import type { AuthMethod, Chat } from '../commands';
import { openTerminal } from '../layout/actions';
import { shellLine } from '../ui/shell';
import { age, now } from '../ui/time';
import { visible } from '../ui/visible';
import { restartChat, signIn, startAnew } from './deeds';
import { isThere } from './words';

export function AfterEnd({ chat }: { chat: Chat }) {
  switch (chat.state) {
    case 'starting':
      return <Working chat={chat} words="starting" />;
    case 'working':
      return <Working chat={chat} words="working" />;
    case 'waits_for_input':
      return chat.terminal === undefined ? null : <Asking chat={chat} terminal={chat.terminal} />;
    case 'waits_for_sign_in':
      return <SignIn chat={chat} />;
    case 'failed':
    case 'gone':
      return <Again chat={chat} />;
    default:
      return null;
  }
}

/** A line that moves nothing, and shows that somebody is there. */
function Working({ chat, words }: { chat: Chat; words: string }) {
  const seconds = now.value - chat.sinceMs;
  return (
    <p class="chat-working dim">
      <span class="agent pulse" aria-hidden="true">
        ●
      </span>{' '}
      {words}
      {seconds > 3000 && ` · ${age(chat.sinceMs, now.value)}`}
    </p>
  );
}

/** A program that the agent runs asks for something, which only its terminal can take. */
function Asking({ chat, terminal }: { chat: Chat; terminal: string }) {
  return (
    <section class="card chat-offer" aria-label="A program asks for input">
      <header>{chat.reason}</header>
      <div class="answers">
        <button class="button" onClick={() => void openTerminal(terminal)}>
          Open {terminal}
        </button>
        {asking.value.get(terminal) === 'password' && <small class="dim">what you type is hidden from agents</small>}
      </div>
    </section>
  );
}

function SignIn({ chat }: { chat: Chat }) {
  return (
    <section class="card chat-offer" aria-label="Sign in">
      <header>
        <strong>{chat.agent.title}</strong> wants you to sign in
      </header>
      <p class="dim">{chat.reason}</p>
      <ul>
        {(chat.auth ?? []).map((method) => (
          <li key={method.id}>
            <Method chat={chat} method={method} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Method({ chat, method }: { chat: Chat; method: AuthMethod }) {
  const { command } = method;
  const name = visible(method.name);
  const about = method.description !== undefined && <small class="dim"> {visible(method.description)}</small>;
  const begin = () => void signIn(chat.id, method.id);
  if (command === undefined) {
    return (
      <>
        <button class="button" onClick={begin}>
          {name}
        </button>
        {about}
      </>
    );
  }
  return (
    <>
      <strong>{name}</strong>
      {about}
      <pre>{visible(shellLine(command))}</pre>
      <div class="answers">
        <button class="button" onClick={begin}>
          Run it in a terminal
        </button>
        <button class="button" title="Starts the agent again, also when you have signed in elsewhere" onClick={() => void startAnew(chat.id)}>
          I have signed in
        </button>
      </div>
    </>
  );
}

function Again({ chat }: { chat: Chat }) {
  // An agent that has failed and is still there takes the next prompt.
  if (isThere(chat)) return null;
  const begun = chat.session !== undefined;
  const knows = begun && chat.resumable !== 'no';
  return (
    <section class="card chat-offer" data-tone={chat.state} aria-label="Start again">
      <header>
        <strong>{chat.agent.title}</strong> {chat.state === 'failed' ? 'has failed' : 'is gone'}
      </header>
      <p class="dim">{chat.reason}</p>
      <p class="dim">
        {!begun
          ? 'Nothing was said yet: it can be started again.'
          : knows
          ? chat.resumable === 'load'
            ? 'It can be started again with this conversation: it reads its session again, and tells it anew.'
            : 'It can be started again, and goes on with this conversation where it was.'
          : 'It can’t take this conversation up again. Started afresh, it knows nothing of what was said.'}
      </p>
      <div class="answers">
        {(knows || !begun) && (
          <button class="button primary" onClick={() => void restartChat(chat.id)}>
            {begun ? 'Go on with it' : 'Start again'}
          </button>
        )}
        {begun && (
          <button class="button" onClick={() => void restartChat(chat.id, true)}>
            Start afresh
          </button>
        )}
      </div>
    </section>
  );
}
