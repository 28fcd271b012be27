// Dark or light: as the system has it, until the user says otherwise.

import { h, setAll } from "./dom";
import { icon } from "./icons";
import { Remembered } from "./memory";

type Theme = "system" | "light" | "dark";
const ORDER: Theme[] = ["system", "light", "dark"];

/** The button that goes through the three. */
export function themeButton(): HTMLElement {
  const remembered = new Remembered<{ theme: Theme }>("theme", { theme: "system" }, localStorage);
  const system = matchMedia("(prefers-color-scheme: dark)");
  let theme = remembered.get().theme;
  const button = h("button", {
    type: "button",
    class: "quiet icon",
    onclick: () => {
      theme = ORDER[(ORDER.indexOf(theme) + 1) % ORDER.length]!;
      remembered.set({ theme });
      show();
    },
  });
  const show = (): void => {
    const isDark = theme === "dark" || (theme === "system" && system.matches);
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
    setAll(button, { "aria-label": `Colours: ${theme}`, title: `Colours: ${theme}` });
    button.replaceChildren(icon(theme));
  };
  system.addEventListener("change", show);
  show();
  return button;
}
