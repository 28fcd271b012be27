// The native engine, in Node with its addon. Bundlers do not follow it: it is not loaded by
// `import`, and its name is composed at run time.

import { isNode } from "./platform.js";

/**
 * Endings of the addon's name. On Linux it is built for glibc; there is none for other C libraries,
 * such as that of Alpine.
 */
const ENDINGS = { linux: "-gnu", darwin: "", win32: "-msvc" };

let loaded;

/** Returns the addon, or `{ refused }` with the reason why there is none. */
export function nativeAddon() {
  loaded ??= load();
  return loaded;
}

function load() {
  if (!isNode) return { refused: "it runs only in Node" };
  if (!process.getBuiltinModule) return { refused: "it needs Node 20.16 or later" };
  const { platform, arch } = process;
  if (!(platform in ENDINGS) || (platform === "linux" && !usesGlibc()))
    return { refused: `it is not available for ${platform} with this C library` };
  const file = `./native/cosette.${platform}-${arch}${ENDINGS[platform]}.node`;
  try {
    return process.getBuiltinModule("node:module").createRequire(import.meta.url)(file);
  } catch (error) {
    return {
      refused: error.code === "MODULE_NOT_FOUND" ? `the package has no ${file}` : error.message,
    };
  }
}

function usesGlibc() {
  const { report } = process;
  // Excludes host names, whose look-up is slow.
  const before = report.excludeNetwork;
  report.excludeNetwork = true;
  try {
    return Boolean(report.getReport().header.glibcVersionRuntime);
  } finally {
    report.excludeNetwork = before;
  }
}

/**
 * Starts an engine of the addon, with the interface of a worker (`startWorker`). It keeps Node
 * running while a request is pending.
 */
export function startNative({ Engine }, onMessage) {
  const engine = new Engine();
  const ask = (id, request) =>
    engine.ask(JSON.stringify(request), (text) => {
      const { event, answer } = JSON.parse(text);
      onMessage(event ? { event } : { id, answer });
    });
  const tasks = {
    // The table is ready when this call returns: the engine generates it itself.
    open: ({ id, table, threads, folder }) =>
      ask(id, {
        do: "open",
        table,
        threads,
        folder: folder ?? undefined,
        inMemory: folder === null,
      }),
    solve: ({ id, request }) => ask(id, request),
    call: ({ id, request }) => ask(id, request),
    stop: () => engine.stop(),
  };
  return {
    post: (message) => tasks[message.do](message),
    end: () => engine.close(),
    hold() {},
    letGo() {},
  };
}
