// The browser of the tests, as it is installed: Chromium, or Firefox where BROWSER is firefox.

import { chromium } from "playwright-core";
import { launchFirefox } from "./firefox.mjs";

const isFirefox = process.env.BROWSER === "firefox";

/** The reason to skip a test in one of the browsers, for node:test. */
export const inFirefox = (reason) => isFirefox && reason;
export const inChromium = (reason) => !isFirefox && reason;

/** Starts the browser. It draws in software; without WebGL that takes less time. */
export function launch({ webgl = true } = {}) {
  if (isFirefox) return launchFirefox();
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      // At insecure.test the page is not secure: no service worker, no storage.
      "--host-resolver-rules=MAP insecure.test 127.0.0.1",
      webgl ? "--enable-unsafe-swiftshader" : "--disable-3d-apis",
    ],
  });
}
