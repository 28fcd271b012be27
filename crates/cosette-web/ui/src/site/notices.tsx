// Notices of the offline web app about its engine, in plain words: the state of the table, and the
// limits of this browser.

import { hasSimd, hasThreads } from "../../../../cosette-js/npm/index.js";
import { signal } from "@preact/signals";
import { engine, type TableState } from "../engine/browser";
import { capital, left } from "../format";
import { Errors } from "../ui/notice";
import { isolationSettled } from "./isolation";

const state = signal<TableState | undefined>(undefined);
/** The storage of the table, as last reported. */
const storage = signal<TableState["storage"]>(undefined);
const isSettled = signal(false);

engine.watch((now) => {
  state.value = now;
  storage.value = now?.storage ?? storage.value;
});
void isolationSettled().then(() => (isSettled.value = true));

/** The notices, which follow the engine. */
export function EngineNotices() {
  const text = state.value ? said(state.value) : "";
  const limits = limitsOf(isSettled.value, storage.value);
  return (
    <div class="notices">
      <p class="table-state" hidden={text === ""}>
        {text}
      </p>
      <Errors of={state.value?.error} />
      <ul class="limits" aria-label="Limitations of this browser" hidden={limits.length === 0}>
        {limits.map((limit) => (
          <li>{limit}</li>
        ))}
      </ul>
    </div>
  );
}

function said({ name, state, progress, threads }: TableState): string {
  if (state === "ready")
    return `Table ${name} is ready; ${threads === 1 ? "one thread" : `${threads} threads`}.`;
  if (!progress) return "";
  if (state === "stopped")
    return progress.event === "generating"
      ? `Table ${name}: generation stopped at ${progress.percent} %. The next search resumes it.`
      : "";
  return `${capital(progress.event)} table ${name}: ${progress.percent} %${progress.secondsLeft === null ? "" : `, ${left(progress.secondsLeft)}`}.`;
}

/**
 * Describes the limits of this browser, as far as they are known. `storage` is the storage of the
 * table.
 */
function limitsOf(isSettled: boolean, storage: TableState["storage"]): string[] {
  if (!("WebAssembly" in globalThis))
    return [
      "This browser does not support WebAssembly, or it is disabled (for example by " +
        "Apple's Lockdown Mode). The solver needs it.",
    ];
  if (!hasSimd())
    return [
      "This browser does not support WebAssembly SIMD, which the solver needs. Use " +
        "Chrome 100, Firefox 114, Safari 16.4 or later.",
    ];
  const limits =
    isSettled && !hasThreads() ? [`Only one thread can be used, because ${whyOneThread()}.`] : [];
  if (storage === "refused")
    limits.push(
      "The table could not be stored: storage is full or blocked, as in some private " +
        "windows. The next visit generates it again.",
    );
  if (storage === "elsewhere")
    limits.push(
      "The table is only in the memory of this tab: another tab has the stored one open, or storage is full.",
    );
  return limits;
}

/** Describes why threads cannot share memory here. */
function whyOneThread(): string {
  if (!isSecureContext) return "the page was not loaded over HTTPS";
  if (!("serviceWorker" in navigator))
    return "this browser does not support service workers, or blocks them in private windows";
  return crossOriginIsolated
    ? "this browser cannot share memory between threads"
    : "this browser does not isolate the page, even with its service worker";
}
