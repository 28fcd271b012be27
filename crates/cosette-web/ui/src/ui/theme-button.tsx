// Dark or light theme: the theme of the system until the user chooses.

import { effect, signal } from "@preact/signals";
import { Stored } from "../browser-storage";
import { IconSign } from "./icon";

type Theme = "system" | "light" | "dark";
const ORDER: Theme[] = ["system", "light", "dark"];

const stored = new Stored<{ theme: Theme }>("theme", { theme: "system" }, () => localStorage);
const theme = signal(stored.get().theme);
const system = matchMedia("(prefers-color-scheme: dark)");
const isSystemDark = signal(system.matches);
system.addEventListener("change", () => (isSystemDark.value = system.matches));

effect(() => {
  const isDark = theme.value === "dark" || (theme.value === "system" && isSystemDark.value);
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
});

/** The button that cycles through the three themes. */
export function ThemeButton() {
  const next = (): void => {
    theme.value = ORDER[(ORDER.indexOf(theme.value) + 1) % ORDER.length]!;
    stored.set({ theme: theme.value });
  };
  const label = `Theme: ${theme.value}`;
  return (
    <button type="button" class="quiet icon" aria-label={label} title={label} onClick={next}>
      <IconSign name={theme.value} />
    </button>
  );
}
