// The list of shortcuts, and the button that shows it where there is a keyboard.

import { useState } from "preact/hooks";
import { SHORTCUTS } from "../shortcuts";
import { Dialog } from "./dialog";
import "./shortcut-list.css";

export function ShortcutsButton() {
  const [isShown, show] = useState(false);
  return (
    <>
      <button type="button" class="link shortcuts-button" onClick={() => show(true)}>
        Keyboard shortcuts
      </button>
      {isShown && (
        <Dialog title="Keyboard shortcuts" class="card shortcuts" onClose={() => show(false)}>
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
      )}
    </>
  );
}
