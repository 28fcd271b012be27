// The name of the project, with a cube in the colors of the user's.

import "./wordmark.css";

/** The wordmark. */
export function Wordmark() {
  return (
    <span class="wordmark">
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <path style={{ fill: "var(--U)" }} d="M16 2 29 9 16 16 3 9z" />
        <path style={{ fill: "var(--F)" }} d="M3 9l13 7v14L3 23z" />
        <path style={{ fill: "var(--R)" }} d="M29 9 16 16v14l13-7z" />
      </svg>
      Cosette
    </span>
  );
}
