// Dark or light theme: the theme of the system until the user chooses.

import { h, setAll } from "./dom";
import { icon } from "./icons";
import { Stored } from "./browser-storage";

type Theme = "system" | "light" | "dark";
const ORDER: Theme[] = ["system", "light", "dark"];

/** The button that cycles through the three themes. */
export function themeButton(): HTMLElement {
  const stored = new Stored<{ theme: Theme }>("theme", { theme: "system" }, () => localStorage);
  const system = matchMedia("(prefers-color-scheme: dark)");
  let theme = stored.get().theme;
  const button = h("button", {
    type: "button",
    class: "quiet icon",
    onclick: () => {
      theme = ORDER[(ORDER.indexOf(theme) + 1) % ORDER.length]!;
      stored.set({ theme });
      show();
    },
  });
  const show = (): void => {
    const isDark = theme === "dark" || (theme === "system" && system.matches);
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
    setAll(button, { "aria-label": `Theme: ${theme}`, title: `Theme: ${theme}` });
    button.replaceChildren(icon(theme));
  };
  system.addEventListener("change", show);
  show();
  return button;
}
