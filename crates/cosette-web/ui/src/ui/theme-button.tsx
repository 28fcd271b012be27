// The button that cycles through the three themes.

import { chooseNextTheme, theme } from "../stores/theme";
import { IconSign } from "./icon";

export function ThemeButton() {
  const label = `Theme: ${theme.value}`;
  return (
    <button
      type="button"
      class="quiet icon"
      aria-label={label}
      title={label}
      onClick={chooseNextTheme}
    >
      <IconSign name={theme.value} />
    </button>
  );
}
