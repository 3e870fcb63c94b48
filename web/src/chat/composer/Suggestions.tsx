/** Files or commands to choose from while typing. The keyboard stays in the text. */

export interface Suggestion {
  value: string;
  label: string;
  about: string;
}

export function Suggestions(props: { label: string; items: readonly Suggestion[]; at: number; empty: string; onPick(item: Suggestion): void }) {
  return (
    <div class="suggestions">
      <ul id="chat-suggestions" role="listbox" aria-label={props.label}>
        {props.items.map((item, index) => (
          <li
            key={item.value}
            id={`suggestion-${index}`}
            role="option"
            aria-selected={index === props.at}
            onPointerDown={(event) => {
              // The text keeps the keyboard.
              event.preventDefault();
              props.onPick(item);
            }}
          >
            <span>{item.label}</span>
            <span class="dim ellipsis">{item.about}</span>
          </li>
        ))}
      </ul>
      {props.items.length === 0 && <p class="dim">{props.empty}</p>}
    </div>
  );
}
