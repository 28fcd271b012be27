// Installing the page as an app, if the browser offers it.

import { h } from "../dom";

interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

/** Creates a button that installs the page; hidden until the browser offers it. */
export function installButton(): HTMLElement {
  let offered: InstallPrompt | undefined;
  const button = h(
    "button",
    { type: "button", class: "quiet", hidden: true, onclick: () => void offered?.prompt() },
    "Install",
  );
  window.addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    offered = event as InstallPrompt;
    button.hidden = false;
  });
  window.addEventListener("appinstalled", () => (button.hidden = true));
  return button;
}
