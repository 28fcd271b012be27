// The browser of the tests, as it is installed: Chromium, or Firefox where BROWSER is firefox.

import { test as nodeTest } from "node:test";
import { chromium } from "playwright-core";
import { launchFirefox } from "./firefox.mjs";

const isFirefox = process.env.BROWSER === "firefox";

/** Tests that Firefox without a screen, or Playwright with it, cannot do, and why. */
const NOT_IN_FIREFOX = {
  "a list of positions is not taken for one, and leads to Batch":
    "Playwright is not told that a step back removes a fragment",
  "the cube has the colors of the net, in either theme": "there is no WebGL",
  "the cube is shown in the colors, the holding and with the letters that were chosen, also at the next visit":
    "there is no WebGL",
  "the empty page has patterns that look as they are painted, and are solved":
    "Playwright does not tell the bodies of requests",
  "a histogram has marks for random positions": "Playwright does not tell the bodies of requests",
  "a list that was stopped claims what is complete":
    "Playwright does not tell the bodies of requests",
  "during a search, Stop is in the place of Solve, and on a phone beside the result":
    "a double click of Playwright is two single clicks",
  "a presentation is led with the keys of a clicker, and left with back":
    "Escape leaves the full screen, unseen by the page",
  "on a phone held sideways, the cube, the moves and the player are on one screen":
    "the full screen is as large as the screen",
  "a proof names the machine that searched, and its address is a code, also on paper":
    "Playwright does not emulate print",
  "a reconstruction is pasted whole, and a write-up leads to its review":
    "a paste that is made up has no data",
  "a solution that plays is kept if the answer has an equally short one":
    "Playwright does not tell the bodies of requests",
  "on small phones, the buttons of the net are one row, and the cube fills a presentation":
    "Playwright does not resize a window in full screen",
  "an answer is shared as a picture, a link and a code, and written otherwise":
    "the clipboard has no pictures",
  "the write-up alone is printed": "Playwright does not emulate print",
  "a table that another tab has open is in the memory of this one, which says so":
    "Playwright evaluates nothing in workers",
  "what is reached is what the engine says": "Firefox 153 crashes at a query of Playwright",
};

/** A test of either browser. */
export const test = (name, run) => nodeTest(name, { skip: isFirefox && NOT_IN_FIREFOX[name] }, run);

/** A test of Firefox alone. */
export const testFirefox = (name, run) =>
  nodeTest(name, { skip: !isFirefox && "a test of Firefox" }, run);

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
