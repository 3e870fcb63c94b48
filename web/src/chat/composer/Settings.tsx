/** What can be chosen of the agent: its mode, its model, how long it thinks. */

import type { Chat, ChatOption } from '../../commands';
import { call } from '../../hub/link';
import { complain } from '../../ui/toasts';

export function Settings({ chat, disabled }: { chat: Chat; disabled: boolean }) {
  const options = chat.options ?? [];
  // Some agents tell their mode in both ways.
  const modes = options.some((option) => option.category === 'mode') ? undefined : chat.modes;
  return (
    <>
      {modes && modes.available.length > 0 && (
        <select
          class="chat-setting"
          aria-label="Mode"
          title={modes.available.find(({ id }) => id === modes.current)?.description ?? 'Mode'}
          value={modes.current}
          disabled={disabled}
          onChange={(event) => {
            const mode = event.currentTarget.value;
            event.currentTarget.value = modes.current;
            call('flightdeck.chat.mode', { id: chat.id, mode }).catch(complain);
          }}
        >
          {modes.available.map((mode) => (
            <option key={mode.id} value={mode.id}>
              {mode.name}
            </option>
          ))}
        </select>
      )}
      {options.map((option) => (
        <Option key={option.id} chat={chat} option={option} disabled={disabled} />
      ))}
    </>
  );
}

function Option({ chat, option, disabled }: { chat: Chat; option: ChatOption; disabled: boolean }) {
  const choose = (value: string) => void call('flightdeck.chat.option', { id: chat.id, option: option.id, value }).catch(complain);
  if (option.kind === 'switch') {
    return (
      <button class="chat-setting" aria-pressed={option.on} disabled={disabled} title={option.description} onClick={() => choose(String(!option.on))}>
        {option.name}: {option.on ? 'on' : 'off'}
      </button>
    );
  }
  const groups = [...new Set(option.values.map(({ group }) => group))];
  const valuesOf = (group: string | undefined) =>
    option.values
      .filter((value) => value.group === group)
      .map((value) => (
        <option key={value.id} value={value.id}>
          {value.name}
        </option>
      ));
  return (
    <select
      class="chat-setting"
      aria-label={option.name}
      title={option.description ?? option.name}
      value={option.current}
      disabled={disabled}
      onChange={(event) => {
        const value = event.currentTarget.value;
        event.currentTarget.value = option.current;
        choose(value);
      }}
    >
      {groups.map((group) =>
        group === undefined ? (
          valuesOf(group)
        ) : (
          <optgroup key={group} label={group}>
            {valuesOf(group)}
          </optgroup>
        ),
      )}
    </select>
  );
}
