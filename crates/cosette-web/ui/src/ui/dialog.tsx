// Modal dialogs.

import { render, type ComponentChildren, type VNode } from "preact";
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

/** Shows a dialog that is no part of a view, until it calls `close`. */
export function openDialog(dialog: (close: () => void) => VNode): void {
  const root = document.createElement("div");
  document.body.append(root);
  const close = (): void => {
    render(null, root);
    root.remove();
  };
  render(dialog(close), root);
}
