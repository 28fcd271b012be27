// Actions on a solution: copy it, share it, open it elsewhere, present it.

import type { SharedAnswer } from "../share/picture";
import { options } from "../stores/options";
import { player } from "../stores/player";
import * as position from "../stores/position";
import { endPresentation, isPresenting, present } from "../stores/presentation";
import { answered, bounds, chosen, fail, solutions } from "../stores/search";
import { CopyButton } from "../ui/copy-button";
import "./actions.css";
import { isTooLong, linkTo } from "./address";
import { claim, headline, headlineOfLonger } from "./bounds";
import { asHeld } from "./notation";

/** The buttons below the player. */
export function Actions() {
  const solution = chosen.value ?? "";
  const query = new URLSearchParams({ "setup-alg": player.setup.value ?? "", alg: solution });
  const share = async (): Promise<void> => {
    const dialog = await import("../share/dialog");
    dialog.shareAnswer(shared());
  };
  return (
    <div class="actions" hidden={!answered.value}>
      <CopyButton name="Copy" title="Copy the moves" text={() => solution} />
      <button
        type="button"
        class="quiet share-answer"
        title="Image, link, other apps (S)"
        onClick={() => void share().catch(fail)}
      >
        Share
      </button>
      <a
        class="button"
        target="_blank"
        rel="noreferrer"
        href={`https://alpha.twizzle.net/edit/?${query}`}
      >
        Twizzle<span class="hidden"> (external site, opens in a new tab)</span>
      </a>
      <button
        type="button"
        class="quiet present"
        title="The cube and the moves alone (F)"
        onClick={isPresenting.value ? endPresentation : present}
      >
        {isPresenting.value ? "Exit" : "Full screen"}
      </button>
    </div>
  );
}

/** Returns the shown answer. */
export function shared(): SharedAnswer {
  const { facelets, format, setup, rotation } = answered.value!;
  const { text } = position.shown.value;
  const query = options.value;
  const known = bounds.value!;
  const length = known.answer
    ? solutions.value.find(({ moves }) => moves === chosen.value)?.length
    : undefined;
  const longer = headlineOfLonger(known, length);
  return {
    facelets: asHeld(facelets, rotation ?? ""),
    // Other formats are of no use with a cube in hand, and moves on the inverse are not a scramble.
    position: format === "moves" && query.niss !== "true" ? text : setup,
    solution: chosen.value!,
    headline: longer || headline(known),
    claim: longer ? "" : claim(known),
    link: isTooLong(text) ? linkTo(setup, { ...query, niss: "false" }) : linkTo(text, query),
  };
}
