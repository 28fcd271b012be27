// The list of shortcuts, and the button that shows it where there is a keyboard.

import { SHORTCUTS } from "../shortcuts";
import { Dialog, openDialog } from "./dialog";
import "./shortcut-list.css";

/** The button. Its key works where the button is hidden, so the list is no part of the footer. */
export function ShortcutsButton() {
  return (
    <button
      type="button"
      class="link shortcuts-button"
      onClick={() => openDialog((close) => <ShortcutList onClose={close} />)}
    >
      Keyboard shortcuts
    </button>
  );
}

function ShortcutList({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" class="card shortcuts" onClose={onClose}>
      <dl>
        {SHORTCUTS.map(({ name, does }) => (
          <>
            <dt>
              <kbd>{name}</kbd>
            </dt>
            <dd>{does}</dd>
          </>
        ))}
      </dl>
    </Dialog>
  );
}
