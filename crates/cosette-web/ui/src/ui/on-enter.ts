/**
 * Returns a listener that acts when Enter is pressed in a text field; Shift+Enter begins a new line.
 */
export const onEnter =
  (act: () => void) =>
  (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    act();
  };
