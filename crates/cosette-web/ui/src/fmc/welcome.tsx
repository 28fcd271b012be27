// The content shown before there is an attempt: how to work on one, beside the tree of a finished one.

import { add, attemptOn, totalOf } from "./attempt";
import { Item } from "./tree";
import "./welcome.css";

const EXAMPLE = attemptOn("R' U' F D2 L2 B U2 R2 F' L2 U2 B D' L B' R D2 F2 U B2 R' U' F");
EXAMPLE.root.status = { facelets: "", reductions: [], bad_pieces: [] };
add(EXAMPLE.root, { moves: "(B' R2 L F')", reduction: "eo:FB" });
const FINISH = [
  { moves: "(U' D B' D)", reduction: "eo:UD" },
  { moves: "L B D2 R L' B U2 L' B'", reduction: "dr:RL" },
  { moves: "U2 D2 L'", reduction: "htr" },
  { moves: "F2 B2 D2 R2 U2", reduction: "finish" },
].reduce(add, EXAMPLE.root);

/** The content. */
export function Welcome() {
  return (
    <section class="card" aria-label="Fewest moves">
      <div class="welcome-fmc">
        <p class="lead">One scramble, an hour, and the shortest solution you can find.</p>
        <ol class="getting-started">
          <li>
            <strong>Enter a scramble.</strong> The steps that you find or type form a tree.
          </li>
          <li>
            <strong>Find the next step.</strong> See every way to do it in N moves. Click one to add
            it.
          </li>
          <li>
            <strong>Compare.</strong> Each step shows the number of moves so far and the bad pieces.
          </li>
          <li>
            <strong>Write it up.</strong> Copy, print or link a WCA-style write-up.
          </li>
        </ol>
        <figure>
          <ul class="tree" inert>
            <Item step={EXAMPLE.root} />
          </ul>
          <figcaption class="label">{`An example, with a solution of ${totalOf(FINISH)} moves.`}</figcaption>
        </figure>
      </div>
    </section>
  );
}
