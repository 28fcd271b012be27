import { useLayoutEffect } from "preact/hooks";
import { wanted } from "../stores/attempt";

/** Calls `focus`, which focuses a part of the view, when that is wanted. */
export function useWanted(part: typeof wanted.value, focus: () => void): void {
  const isWanted = wanted.value === part;
  useLayoutEffect(() => {
    if (!isWanted) return;
    wanted.value = undefined;
    focus();
  }, [isWanted]);
}
