// Turns as toggle buttons, by layer; the name of a layer toggles all of its turns. One of them is a
// tab stop; arrow keys move between them.

import { useRef, useState } from "preact/hooks";
import { NAMES, type Face } from "../cube/colors";
import { LAYERS, turnsOf } from "./turns";

/** Number of buttons in a row: a layer and its turns. */
const COLUMNS = 4;

const STEPS: Record<string, number> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -COLUMNS,
  ArrowDown: COLUMNS,
};

/** The buttons for some layers; `onChange` is called with all turns after each change. */
export function TurnToggles(props: {
  name: string;
  layers: string[];
  chosen: Set<string>;
  onChange: (turns: Set<string>) => void;
}) {
  const { layers, chosen } = props;
  const [at, moveTo] = useState(0);
  const toggles = useRef<HTMLDivElement>(null);
  const onKey = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    const buttons = [...toggles.current!.querySelectorAll("button")];
    const from = buttons.indexOf(event.target as HTMLButtonElement);
    if (step === undefined || from < 0) return;
    event.preventDefault();
    if (!buttons[from + step]) return;
    moveTo(from + step);
    buttons[from + step]!.focus();
  };
  const toggle = (turns: string[]): void => {
    const isOn = turns.every((turn) => chosen.has(turn));
    const rest = new Set([...chosen].filter((turn) => !turns.includes(turn)));
    props.onChange(isOn ? rest : new Set([...rest, ...turns]));
  };
  const attributes = (place: number, turns: string[]) => {
    const count = turns.filter((turn) => chosen.has(turn)).length;
    const isPressed = count === turns.length || (count > 0 && "mixed");
    return {
      type: "button",
      class: "toggle",
      tabIndex: place === at ? 0 : -1,
      "aria-pressed": isPressed,
      onClick: () => toggle(turns),
    } as const;
  };
  return (
    <div ref={toggles} class="toggles" role="group" aria-label={props.name} onKeyDown={onKey}>
      {layers.map((layer, row) => {
        const turns = turnsOf(layer);
        const face = LAYERS.faces.includes(layer) ? (layer as Face) : undefined;
        return (
          <div class="layer">
            <button
              {...attributes(COLUMNS * row, turns)}
              aria-label={`All ${layer} turns`}
              title={face && NAMES[face]}
            >
              <span class="facelet" data-color={face}>
                {face ? "" : layer}
              </span>
            </button>
            {turns.map((turn, column) => (
              <button {...attributes(COLUMNS * row + column + 1, [turn])} aria-label={turn}>
                {turn}
              </button>
            ))}
          </div>
        );
      })}
    </div>
  );
}
