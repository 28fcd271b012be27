// The field for moves that follow the selected step, or for a whole write-up.

import { useSignal } from "@preact/signals";
import type { ApiError } from "../protocol";
import { paste } from "../stores/attempt";
import { Field, VERBATIM, useNewId } from "../ui/field";
import { Notice } from "../ui/notice";
import { onEnter } from "../ui/on-enter";
import "./adding.css";
import { readWriteUp } from "./writeup";

/** The field and its button. */
export function Adding({ hidden }: { hidden: boolean }) {
  const text = useSignal("");
  const error = useSignal<ApiError | undefined>(undefined);
  const said = useNewId();
  const add = (): void => {
    const found = readWriteUp(text.value);
    error.value =
      "error" in found
        ? found
        : found.steps.length === 0 && found.scramble === ""
          ? { error: "no moves entered", help: "enter moves, for example `F2 (R' D)`" }
          : undefined;
    if ("error" in found || error.value) return;
    text.value = "";
    paste(found);
  };
  const onPaste = (event: ClipboardEvent): void => {
    const pasted = event.clipboardData?.getData("text") ?? "";
    if (!pasted.trim().includes("\n")) return;
    event.preventDefault();
    text.value = pasted;
    add();
  };
  return (
    <div class="adding" hidden={hidden}>
      <Field label="Add moves" hint="Moves on the inverse in parentheses, or a whole write-up.">
        {(ids) => (
          <textarea
            {...ids}
            aria-describedby={`${ids["aria-describedby"]} ${said}`}
            aria-invalid={error.value ? true : undefined}
            rows={1}
            {...VERBATIM}
            enterkeyhint="done"
            placeholder="F2 (R' D)"
            value={text.value}
            onInput={(event) => {
              text.value = event.currentTarget.value;
              error.value = undefined;
            }}
            onKeyDown={onEnter(add)}
            onPaste={onPaste}
          />
        )}
      </Field>
      <button type="button" onClick={add}>
        Add
      </button>
      <div class="said" id={said} aria-live="polite">
        {error.value && <Notice of={error.value} text={text.value} />}
      </div>
    </div>
  );
}
