/** A native modal dialog: focus trap, Escape, the inert page and the top layer come from the browser. */

import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

export function Dialog(props: { label: string; class?: string; onClose(): void; children: ComponentChildren }) {
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    // A dialog that is removed while it is open would lose the focus; closing gives it back.
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={element}
      class={props.class ?? ''}
      aria-label={props.label}
      onCancel={(event) => {
        event.preventDefault();
        props.onClose();
      }}
      onPointerDown={(event) => {
        if (event.target === event.currentTarget) props.onClose();
      }}
    >
      {props.children}
    </dialog>
  );
}
