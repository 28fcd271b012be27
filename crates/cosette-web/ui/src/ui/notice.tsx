// Error messages: the problem, how to fix it, and the invalid part of the text.

import type { ComponentChildren } from "preact";
import { capital } from "../format";
import type { ApiError } from "../protocol";
import { VERBATIM } from "./field";
import "./notice.css";
import { Prose } from "./prose";

/** Number of characters quoted on either side. */
const CONTEXT = 40;

/** The options of programs in remedies of the engine, and what one does on the page instead. */
const REMEDIES: [option: RegExp, remedy: string][] = [
  [
    /choose with `--input-format .* \(`format` in programs\)/,
    "repeated moves with amounts, as in U2",
  ],
  [/give `--face-order \w+` \(`face_order` in programs\), or /, ""],
];

interface NoticeProps {
  of: ApiError;
  text?: string | undefined;
  where?: string;
}

/** An error in a text; `where` describes its subject. */
export function Notice(props: NoticeProps) {
  return (
    <div class="notice bad">
      <Explanation {...props} />
    </div>
  );
}

/** The paragraphs of a notice. */
export function Explanation({ of, text = "", where = "" }: NoticeProps) {
  const { error, help, span, needsToken } = of;
  return (
    <>
      <p>
        <strong>
          <Prose text={sentence(error)} />
        </strong>
      </p>
      {span && <Quote text={text} span={span} />}
      {(where || help) && (
        <p>
          {where && `${sentence(where)} `}
          {help && <Prose text={sentence(onPage(help))} />}
        </p>
      )}
      {needsToken && <TokenForm />}
    </>
  );
}

/** The place of errors, which screen readers announce. */
export function Errors({ of, text }: { of: ApiError | undefined; text?: string | undefined }) {
  return <div aria-live="assertive">{of && <Notice of={of} text={text} />}</div>;
}

/** An error, or other news, which screen readers announce; `children` are news with controls. */
export function News(props: { of: ApiError | string | undefined; children?: ComponentChildren }) {
  const { of, children } = props;
  return (
    <div aria-live="polite">
      {typeof of === "object" && <Notice of={of} />}
      {typeof of === "string" && of !== "" && <p class="notice">{sentence(of)}</p>}
      {children}
    </div>
  );
}

/**
 * A form that reopens the page with the entered token; the server removes the token from the
 * address and keeps everything else.
 */
function TokenForm() {
  const open = (event: SubmitEvent & { currentTarget: HTMLFormElement }): void => {
    event.preventDefault();
    const parameters = new URLSearchParams(location.search);
    const token = new FormData(event.currentTarget).get("token") as string;
    parameters.set("token", token.trim());
    location.search = String(parameters);
  };
  return (
    <form class="token-form" onSubmit={open}>
      <input type="text" name="token" aria-label="Token" {...VERBATIM} required />
      <button>Open</button>
    </form>
  );
}

/** The text with the span marked; nothing if the span is the whole text. */
function Quote({ text, span: [start, end] }: { text: string; span: [number, number] }) {
  const marked = text.slice(start, end);
  if (start >= end || marked === text.trim()) return null;
  const before = text.slice(0, start);
  const after = text.slice(end);
  return (
    <code class="quote">
      {before.length > CONTEXT ? `…${before.slice(-CONTEXT)}` : before}
      <mark>{marked}</mark>
      {after.length > CONTEXT ? `${after.slice(0, CONTEXT)}…` : after}
    </code>
  );
}

/** Returns a remedy without options of programs. */
function onPage(help: string): string {
  return REMEDIES.reduce((said, [option, remedy]) => said.replace(option, remedy), help);
}

function sentence(text: string): string {
  return capital(text) + (/[.!?…]$/.test(text) ? "" : ".");
}
