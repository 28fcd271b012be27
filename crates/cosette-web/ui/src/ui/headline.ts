// The parts of a headline, which the page and its pictures set in different ways.

/** A headline: a number with the words around it, its proof, and what else it says. */
export interface Headline {
  /** The words before the number: `Cross: cost `. Without a number, these are all words. */
  before: string;
  /** The number, or two of them: `17 to 19`. */
  numeral: string;
  /** The unit, and how it is counted: ` moves `, `M counts as two`. */
  unit: string;
  counting: string;
  /** The mark before the proof or the rest: `, `. */
  mark: string;
  /** The proof, which has a seal. */
  seal: string;
  rest: string;
}

/** A headline with a number that is a word of its own, unlike those of moves and tables. */
const HEADLINE =
  /^((?:.*: )?(?:\D* )?)(\d+(?: to \d+)?)(?![^ ,;])( [^,;(]*)?(?:\((.*?)\))?([,;] )?(proven optimal)?(.*)$/su;

/** Returns the parts of a headline. */
export function partsOf(headline: string): Headline {
  const [
    ,
    before = headline,
    numeral = "",
    unit = "",
    counting = "",
    mark = "",
    seal = "",
    rest = "",
  ] = HEADLINE.exec(headline) ?? [];
  return { before, numeral, unit, counting, mark, seal, rest };
}
