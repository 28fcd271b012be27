// Modal dialogs.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** A modal dialog with a title, shown until the user closes it. */
export function Dialog(props: {
  title: string;
  class: string;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current!.showModal(), []);
  return (
    <dialog ref={dialog} class={props.class} aria-label={props.title} onClose={props.onClose}>
      <div class="row">
        <h2>{props.title}</h2>
        <button type="button" class="quiet" onClick={() => dialog.current!.close()}>
          Close
        </button>
      </div>
      {props.children}
    </dialog>
  );
}
