// A headline with a large number.

/** Renders a headline: its first number large, and a proof as a seal. */
export function Emphasized({ text }: { text: string }) {
  const [, before, numeral, unit, seal, after] =
    /^(.*: |\D*)(\d+(?: to \d+)?)?(.*?)(proven optimal)?( with.*)?$/s.exec(text)!;
  return (
    <>
      {before}
      {numeral && <span class="numeral">{numeral}</span>}
      {unit?.replace(/, $/, "")}
      {seal && (
        <>
          <span class="hidden">, </span>
          <span class="seal">{seal}</span>
        </>
      )}
      {after}
    </>
  );
}
