// Firefox as it is installed, driven by Playwright over WebDriver BiDi (https://w3c.github.io/webdriver-bidi). Without
// a screen it has no WebGL.

import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { firefox } from "playwright-core";

const FIREFOX = [process.env.FIREFOX, "/usr/bin/firefox-esr", "/usr/bin/firefox"].find(
  (file) => file && existsSync(file),
);

/** The reason to skip tests of Firefox where it is missing, for node:test. */
export const skip =
  !FIREFOX && "there is no Firefox: apt-get install firefox-esr, or name it in FIREFOX";

const options = (preferences) => ({
  channel: "moz-firefox",
  executablePath: FIREFOX,
  // Allows the commands of `emulate`.
  args: ["--remote-allow-system-access"],
  firefoxUserPrefs: {
    "app.update.enabled": false,
    "datareporting.policy.dataSubmissionEnabled": false,
    "network.captive-portal-service.enabled": false,
    // At insecure.test the page is not secure: no service worker, no storage.
    "network.dns.localDomains": "insecure.test",
    // The clipboard is read without a question.
    "dom.events.testing.asyncClipboard": true,
    ...preferences,
  },
});

export async function launchFirefox(preferences = {}) {
  const browser = await firefox.launch(options(preferences));
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (device = {}) => {
    await emulate(browser, device);
    return newContext(device);
  };
  return browser;
}

/** Runs a test with a function that starts Firefox, as one context whose storage is there again at the next start. */
export async function profile(test) {
  const folder = await mkdtemp(join(tmpdir(), "cosette-firefox-"));
  const contexts = [];
  try {
    await test(async (device) => {
      contexts.push(await firefox.launchPersistentContext(folder, { ...options(), ...device }));
      return contexts.at(-1);
    });
  } finally {
    for (const context of contexts) await context.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

/** The part of Playwright that sends commands to the browser. */
const server = (object) => object._connection.toImpl(object);

/** Sets what a context says of the visitor's device, which Playwright cannot, by preferences of the whole browser. */
async function emulate(browser, { colorScheme, reducedMotion, forcedColors, hasTouch }) {
  const [coarse, fineAndHover] = [1, 6];
  const pointer = hasTouch ? coarse : fineAndHover;
  const preferences = {
    "layout.css.prefers-color-scheme.content-override": colorScheme === "dark" ? 0 : 1,
    "ui.prefersReducedMotion": reducedMotion === "reduce" ? 1 : 0,
    "browser.display.document_color_use": forcedColors === "active" ? 2 : 0,
    "ui.primaryPointerCapabilities": pointer,
    "ui.allPointerCapabilities": pointer,
  };
  const session = server(browser)._browserSession;
  const { contexts } = await session.send("browsingContext.getTree", { "moz:scope": "chrome" });
  await session.send("script.callFunction", {
    functionDeclaration: `(text) => {
      for (const [name, value] of Object.entries(JSON.parse(text))) Services.prefs.setIntPref(name, value);
    }`,
    arguments: [{ type: "string", value: JSON.stringify(preferences) }],
    target: { context: contexts[0].context },
    awaitPromise: false,
  });
}

/** Commands that Firefox 153 refuses. `emulate` and the preference for the clipboard stand in for them. */
const REFUSED = ["emulation.setMediaFeaturesOverride", "permissions.setPermission"];

const driver = server(firefox)._bidiFirefox;
const connect = driver.connectToTransport;
driver.connectToTransport = (transport, options) => {
  const send = transport.send;
  transport.send = (message) => {
    if (!REFUSED.includes(message.method)) send.call(transport, message);
    else setImmediate(() => transport.onmessage?.({ id: message.id, type: "success", result: {} }));
  };
  const browser = connect.call(driver, transport, options);
  const receive = transport.onmessage;
  transport.onmessage = (message) => {
    // Playwright takes note of downloads with a number, which Firefox 153 does not give.
    if (message.method?.startsWith("browsingContext.download"))
      message.params.download ??= message.params.url;
    receive(message);
  };
  return browser;
};
