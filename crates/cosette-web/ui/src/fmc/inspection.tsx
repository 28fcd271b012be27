// What is said about an inspection: its error, or that it waits.

import { waitingFor } from "../format";
import type { ApiError } from "../protocol";
import { Notice } from "../ui/notice";

/** The error of an inspection, or the number of searches for which it waits. */
export function Inspection({ of }: { of: ApiError | number | undefined }) {
  return (
    <div aria-live="polite">
      {typeof of === "object" && <Notice of={of} />}
      {typeof of === "number" && of > 0 && <p class="notice">{waitingFor(of)}.</p>}
    </div>
  );
}
