// Dark or light theme: the theme of the system until the user chooses.

import { computed, effect, signal } from "@preact/signals";
import { Stored } from "../browser-storage";

type Theme = "system" | "light" | "dark";
const ORDER: Theme[] = ["system", "light", "dark"];

const stored = new Stored<{ theme: Theme }>("theme", { theme: "system" }, () => localStorage);
export const theme = signal(stored.get().theme);
const system = matchMedia("(prefers-color-scheme: dark)");
const isSystemDark = signal(system.matches);
system.addEventListener("change", () => (isSystemDark.value = system.matches));

export const isDark = computed(
  () => theme.value === "dark" || (theme.value === "system" && isSystemDark.value),
);

effect(() => {
  document.documentElement.dataset.theme = isDark.value ? "dark" : "light";
});

/** Chooses the next theme. */
export function chooseNextTheme(): void {
  theme.value = ORDER[(ORDER.indexOf(theme.value) + 1) % ORDER.length]!;
  stored.set({ theme: theme.value });
}
