// Installing the page as an app, where the browser offers that.

import { h } from "../dom";

interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

/** A button that installs the page; hidden until the browser offers it. */
export function installButton(): HTMLElement {
  let offered: InstallPrompt | undefined;
  const button = h("button", { type: "button", class: "quiet", hidden: true, onclick: () => void offered?.prompt() }, "Install");
  window.addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    offered = event as InstallPrompt;
    button.hidden = false;
  });
  window.addEventListener("appinstalled", () => (button.hidden = true));
  return button;
}
