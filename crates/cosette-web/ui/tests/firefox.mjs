// Firefox as it is installed, driven over WebDriver BiDi (https://w3c.github.io/webdriver-bidi). Playwright needs a Firefox of its
// own.

import { spawn } from "node:child_process";
import { accessSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebSocket } from "ws";

/** Where Firefox is; undefined where it is missing. */
export const FIREFOX = [process.env.FIREFOX, "/usr/bin/firefox-esr", "/usr/bin/firefox"].find(
  (file) => {
    try {
      accessSync(file);
      return true;
    } catch {
      return false;
    }
  },
);

/** Why tests are left out, for node:test. */
export const skip = FIREFOX
  ? false
  : "there is no Firefox: apt-get install firefox-esr, or name it in FIREFOX";

/** A folder for what Firefox keeps between visits. */
export async function profile(test) {
  const folder = await mkdtemp(join(tmpdir(), "cosette-firefox-"));
  try {
    await test(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

/** Runs Firefox with this profile; `visit` opens an address. What pages write to the console as errors fails the test, unless it matches `expected`. */
export async function firefox(
  folder,
  test,
  { isPrivate = false, localStorage = {}, expected = /^$/ } = {},
) {
  const prefs = {
    "browser.privatebrowsing.autostart": isPrivate,
    "datareporting.policy.dataSubmissionEnabled": false,
    "app.update.enabled": false,
    "network.captive-portal-service.enabled": false,
  };
  await writeFile(
    join(folder, "user.js"),
    Object.entries(prefs)
      .map(([name, value]) => `user_pref("${name}", ${value});\n`)
      .join(""),
  );
  const child = spawn(
    FIREFOX,
    ["--headless", "--no-remote", "--remote-debugging-port=0", "--profile", folder, "about:blank"],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  const ended = new Promise((resolve) => child.once("exit", resolve));
  try {
    const address = await new Promise((resolve, reject) => {
      let text = "";
      child.stderr.on("data", (data) => {
        text += data;
        const found = /WebDriver BiDi listening on (ws:\S+)/.exec(text);
        if (found) resolve(`${found[1]}/session`);
      });
      child.once("exit", () => reject(new Error(`Firefox ended: ${text}`)));
    });
    const problems = [];
    const send = await connect(address, problems);
    await send("session.new", { capabilities: {} });
    await send("session.subscribe", { events: ["log.entryAdded"] });
    const visit = async (url) => {
      const { context } = await send("browsingContext.create", { type: "tab" });
      for (const [key, value] of Object.entries(localStorage)) {
        const functionDeclaration = `() => location.protocol === "http:" && localStorage.setItem(${JSON.stringify(key)}, ${JSON.stringify(value)})`;
        await send("script.addPreloadScript", { functionDeclaration, contexts: [context] });
      }
      await send("browsingContext.navigate", { context, url, wait: "complete" });
      return new Page(send, context);
    };
    await test(visit);
    const unexpected = problems.filter((problem) => !expected.test(problem));
    if (unexpected.length) throw new Error(unexpected.join("\n"));
    await send("browser.close", {});
  } finally {
    if (child.exitCode === null) setTimeout(() => child.kill("SIGKILL"), 10_000).unref();
    await ended;
  }
}

class Page {
  constructor(send, context) {
    Object.assign(this, { send, context });
  }

  /** The result of a function in the page, which may be asynchronous; arguments and result are JSON. */
  async evaluate(run, ...args) {
    const functionDeclaration = `async text => JSON.stringify(await (${run})(...JSON.parse(text)))`;
    const { result, exceptionDetails } = await this.send("script.callFunction", {
      functionDeclaration,
      arguments: [{ type: "string", value: JSON.stringify(args) }],
      awaitPromise: true,
      target: { context: this.context },
    });
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return result.type === "string" ? JSON.parse(result.value) : undefined;
  }

  /** Waits until a function in the page returns something. The page may load once more meanwhile. */
  async until(run, ...args) {
    for (const end = Date.now() + 300_000; ;) {
      const result = await this.evaluate(run, ...args).catch((error) => {
        if (Date.now() > end) throw error;
      });
      if (result) return result;
      if (Date.now() > end) throw new Error(`in vain: ${run}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** Clicks what matches a selector and has this text. */
  async click(selector, text = "") {
    const [x, y] = await this.until(
      (selector, text) => {
        const found = [...document.querySelectorAll(selector)].find(
          (element) => element.checkVisibility() && element.textContent.includes(text),
        );
        found?.scrollIntoView({ block: "center", behavior: "instant" });
        const box = found?.getBoundingClientRect();
        return box && [box.x + box.width / 2, box.y + box.height / 2].map(Math.round);
      },
      selector,
      text,
    );
    await this.perform({
      type: "pointer",
      id: "mouse",
      actions: [
        { type: "pointerMove", x, y },
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
      ],
    });
  }

  /** Presses keys, one after the other; those without a character have numbers of their own (https://w3c.github.io/webdriver/#keyboard-actions). */
  async press(keys) {
    const actions = [...keys].flatMap((value) => [
      { type: "keyDown", value },
      { type: "keyUp", value },
    ]);
    await this.perform({ type: "key", id: "keyboard", actions });
  }

  perform(action) {
    return this.send("input.performActions", { context: this.context, actions: [action] });
  }

  /** Gives the window this size. */
  resize(width, height) {
    return this.send("browsingContext.setViewport", {
      context: this.context,
      viewport: { width, height },
    });
  }

  close() {
    return this.send("browsingContext.close", { context: this.context });
  }
}

/** A function that sends a command and waits for its result. */
async function connect(address, problems) {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  const waiting = new Map();
  socket.on("message", (data) => {
    const message = JSON.parse(data);
    if (message.type === "event") {
      const { level, text, source, stackTrace } = message.params;
      if (level === "error")
        problems.push(`${text} ${stackTrace?.callFrames?.[0]?.url ?? source?.context ?? ""}`);
      return;
    }
    const { resolve, reject } = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.type === "success") resolve(message.result);
    else reject(new Error(`${message.error}: ${message.message}`));
  });
  socket.on("close", () =>
    waiting.forEach(({ reject }) => reject(new Error("Firefox has closed the connection"))),
  );
  let count = 0;
  return (method, params) =>
    new Promise((resolve, reject) => {
      count += 1;
      waiting.set(count, { resolve, reject });
      socket.send(JSON.stringify({ id: count, method, params }));
    });
}
