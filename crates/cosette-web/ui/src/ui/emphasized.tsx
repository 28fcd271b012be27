// A headline with a large number.

import "./emphasized.css";
import { partsOf } from "./headline";

/** Renders a headline: its first number large, and a proof as a seal. */
export function Emphasized({ text }: { text: string }) {
  const { before, numeral, unit, counting, mark, seal, rest } = partsOf(text);
  return (
    <>
      <span class="before">{before}</span>
      {numeral && <span class="numeral">{numeral}</span>}
      {unit}
      {counting && `(${counting})`}
      {seal ? <span class="hidden">{mark}</span> : mark}
      {seal && <span class="seal">{seal}</span>}
      {seal ? rest : <span class="rest">{rest}</span>}
    </>
  );
}
