// Differences between Node and browsers: workers, loading a module, and folders of files.

export const isNode =
  typeof process !== "undefined" &&
  Boolean(process.versions?.node) &&
  typeof window === "undefined";

/** Imports a Node module. Bundlers for browsers ignore an import whose name is computed. */
const node = (name) => import(/* webpackIgnore: true */ /* @vite-ignore */ `node:${name}`);

/** Help for a program or a page in which a file of the package is missing. */
export const BUNDLE_HELP = isNode
  ? "if a bundler has included cosette-solver in the program, mark it as external and ship it in " +
    "node_modules (README, Bundlers for Node)"
  : "if a bundler has included cosette-solver in the page, copy the package's files beside the " +
    "bundle (README, Bundlers for the browser)";

/** Returns the number of threads that the machine runs at once. */
export async function processors() {
  if (!isNode) return navigator.hardwareConcurrency || 1;
  const { availableParallelism } = await node("os");
  return availableParallelism();
}

/**
 * Returns `true` if workers can share memory: always in Node; in a browser, on isolated pages (COOP
 * and COEP). Chrome before 118 has the bug that `compile` avoids in Node.
 */
export function canShareMemory() {
  const chrome = isNode ? null : /Chrom(?:e|ium)\/(\d+)/.exec(navigator.userAgent);
  if (chrome && Number(chrome[1]) < 118) return false;
  return (
    typeof SharedArrayBuffer !== "undefined" && (isNode || globalThis.crossOriginIsolated === true)
  );
}

/** Allows many calls to wait for one signal: by default, Node warns at more than ten. */
export function allowListeners(signal) {
  if (isNode && signal instanceof AbortSignal)
    process.getBuiltinModule?.("node:events").setMaxListeners(0, signal);
}

// Bundlers recognize this expression and find the file.
const newWorker = () => new Worker(new URL("./worker.js", import.meta.url), { type: "module" });

/** Returns `true` if the package is on another origin than the page, such as that of a CDN. */
function isForeign() {
  const { protocol, origin } = new URL(import.meta.url);
  return protocol.startsWith("http") && origin !== location.origin;
}

/** Creates a worker of the page's origin, which may import a file of another one. */
function newForeignWorker() {
  const address = import.meta.url.replace(/[^/]*$/, "worker.js");
  const text = `import ${JSON.stringify(address)};`;
  const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  return new Worker(url, { type: "module" });
}

/** Starts a worker that runs `worker.js`, with the same interface everywhere. */
export async function startWorker(onMessage, onError) {
  if (!isNode) {
    const worker = isForeign() ? newForeignWorker() : newWorker();
    worker.onmessage = (event) => onMessage(event.data);
    // If the file cannot be loaded, browsers give no reason.
    const why =
      "worker.js cannot be loaded: it is missing, or the page is isolated and the " +
      `response with worker.js lacks Cross-Origin-Embedder-Policy; ${BUNDLE_HELP}`;
    worker.onerror = (event) => onError(new Error(event.message || why));
    return {
      post: (message) => worker.postMessage(message),
      end: () => worker.terminate(),
      hold() {},
      letGo() {},
    };
  }
  const { Worker: NodeWorker } = await node("worker_threads");
  // Without Node's own arguments, some of which workers do not accept.
  const worker = new NodeWorker(new URL("./worker.js", import.meta.url), { execArgv: [] });
  worker.on("message", onMessage);
  worker.on("error", (error) =>
    onError(
      error.code === "ERR_MODULE_NOT_FOUND" || error.code === "MODULE_NOT_FOUND"
        ? new Error(`worker.js cannot be loaded: ${error.message}; ${BUNDLE_HELP}`)
        : error,
    ),
  );
  // An idle solver does not keep the program running.
  worker.unref();
  return {
    post: (message) => worker.postMessage(message),
    end: () => worker.terminate(),
    hold: () => worker.ref(),
    letGo: () => worker.unref(),
  };
}

/**
 * Connects a worker to its page: receives messages and sends answers. Not asynchronous, so that
 * bundlers can convert it to a classic script.
 */
export function parent(hear) {
  if (!isNode) {
    self.onmessage = (event) => hear(event.data);
    return { post: (message) => self.postMessage(message) };
  }
  // Messages wait for a listener, so the port exists when the first one is answered.
  let port;
  node("worker_threads").then(({ parentPort }) => {
    port = parentPort;
    port.on("message", hear);
  });
  return { post: (message) => port.postMessage(message) };
}

/** Compiles the module, for shared memory or for one thread. */
export async function compile(isShared) {
  let url = isShared ? "threads.wasm" : "single.wasm";
  try {
    // Bundlers recognize these expressions and find the files.
    url = isShared
      ? new URL("./wasm/threads.wasm", import.meta.url)
      : new URL("./wasm/single.wasm", import.meta.url);
    return await (isNode ? compileInNode(url) : compileInBrowser(url));
  } catch (error) {
    throw new Error(`${url} cannot be loaded: ${error.message}; ${BUNDLE_HELP}`);
  }
}

async function compileInBrowser(url) {
  const { ok, status, body } = await fetch(url);
  if (!ok) throw new Error(`the server responded with status ${status}`);
  // Not every server knows the media type that this requires.
  const headers = { "Content-Type": "application/wasm" };
  return WebAssembly.compileStreaming(new Response(body, { headers }));
}

async function compileInNode(url) {
  // The baseline compiler of V8 11.3, in Node 20, miscompiles functions that wait for another
  // thread: values that the other thread stored before are read as 0. V8 11.8 does not have this
  // bug. Functions are compiled when they are first called, so the flag stays set.
  const [major, minor] = process.versions.v8.split(".").map(Number);
  if (major < 11 || (major === 11 && minor < 8))
    (await node("v8")).setFlagsFromString("--no-liftoff");
  const { readFile } = await node("fs/promises");
  return WebAssembly.compile(await readFile(url));
}

/**
 * Opens the files of a table: the complete table, the partial one, and its journal; null if nothing
 * should or can be stored. In Node the complete file is that of the native program; in a browser,
 * all are in the private files of the page (OPFS). `flush` passes buffered data to the system;
 * `complete` moves the complete file to its place, and nothing is written after it.
 */
export async function openFiles(folder, table) {
  if (folder === null) return null;
  try {
    return isNode ? await openInNode(folder, table) : await openInBrowser(table);
  } catch {
    return null;
  }
}

/** Returns the folder of the native program (`default_folder` of the library). */
export function defaultFolder({ env, platform }, path, home) {
  if (env.COSETTE_TABLES) return env.COSETTE_TABLES;
  const local = path.join(home, ...(platform === "win32" ? ["AppData", "Local"] : [".cache"]));
  const named = platform === "win32" ? env.LOCALAPPDATA : env.XDG_CACHE_HOME;
  return path.join(named && path.isAbsolute(named) ? named : local, "cosette");
}

async function folderInNode(folder) {
  const [path, os] = await Promise.all([node("path"), node("os")]);
  return folder ?? defaultFolder(process, path, os.homedir());
}

async function openInNode(folder, table) {
  const [fs, path, home] = await Promise.all([node("fs"), node("path"), folderInNode(folder)]);
  fs.mkdirSync(home, { recursive: true });
  const whole = path.join(home, `${table}.table`);
  // The native program locks its own partial files (`.part`, `.journal`), which is impossible
  // here.
  const [partial, journal] = ["part", "journal"].map((kind) => `${whole}.wasm-${kind}`);
  const open = (name) => fs.openSync(name, fs.constants.O_RDWR | fs.constants.O_CREAT);
  const numbers = [fs.existsSync(whole) ? fs.openSync(whole, "r") : null];
  const part = () => {
    if (numbers.length === 1) numbers.push(open(partial), open(journal));
  };
  const file = (at) => {
    if (at > 0) part();
    return numbers[at];
  };
  return {
    path: whole,
    length: (at) => (file(at) === null ? 0 : fs.fstatSync(file(at)).size),
    setLength: (at, length) => fs.ftruncateSync(file(at), length),
    read: (at, bytes, offset) =>
      readAll(bytes, (rest, done) => fs.readSync(file(at), rest, 0, rest.length, offset + done)),
    write: (at, bytes, offset) =>
      fs.writeSync(file(at), bytes, 0, bytes.length, offset) === bytes.length,
    sync: (at) => fs.fsyncSync(file(at)),
    flush() {},
    async complete() {
      fs.renameSync(partial, whole);
      fs.rmSync(journal, { force: true });
    },
    close() {
      for (const number of numbers) if (number !== null) fs.closeSync(number);
      numbers.splice(0);
    },
  };
}

/** Time that a visit waits for the files of another visit that is just ending, in milliseconds. */
const PATIENCE = 3000;

/** Opens a handle that can read and write a file; a file can have only one at a time. */
async function openHandle(file) {
  for (const end = Date.now() + PATIENCE; ;) {
    try {
      return await file.createSyncAccessHandle();
    } catch (refused) {
      if (refused.name !== "NoModificationAllowedError" || Date.now() > end) throw refused;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** Size of a write to a file of the browser, in bytes. */
const BUFFER = 1 << 20;

// The header is written last, and without it a file is not a table: so one file is both the partial
// and the complete table.
async function openInBrowser(table) {
  const home = await storageFolder();
  const open = async (name) => openHandle(await home.getFileHandle(name, { create: true }));
  const whole = await open(`${table}.table`);
  const journal = await open(`${table}.table.journal`).catch((refused) => {
    whole.close();
    throw refused;
  });
  // Files 0 and 1 are the same; only 1 is written to.
  const handles = [whole, whole, journal];
  // These handles do not accept shared memory, and a call takes about as long as writing 100 kB:
  // so consecutive writes are buffered. Journal entries may reach the storage before the data
  // that they describe; they have its checksums.
  const buffers = handles.map(() => ({ bytes: new Uint8Array(BUFFER), start: 0, length: 0 }));
  // For the same reason, reads are served from the last piece that was read.
  const last = { bytes: new Uint8Array(BUFFER), at: 0, start: 0, length: 0 };
  const flush = (at) => {
    const { bytes, start, length } = buffers[at];
    if (length === 0) return true;
    buffers[at].length = last.length = 0;
    return handles[at].write(bytes.subarray(0, length), { at: start }) === length;
  };
  const flushed = (at) => {
    if (!flush(at)) throw new Error("the storage is full");
    return handles[at];
  };
  return {
    length: (at) => flushed(at).getSize(),
    setLength(at, length) {
      last.length = 0;
      flushed(at).truncate(length);
    },
    read(at, bytes, offset) {
      const handle = flushed(at);
      return readAll(bytes, (rest, done) => {
        const start = offset + done;
        const isRead = at === last.at && start >= last.start && start < last.start + last.length;
        if (!isRead)
          Object.assign(last, { at, start, length: handle.read(last.bytes, { at: start }) });
        const ahead = last.bytes.subarray(start - last.start, last.length);
        const read = ahead.subarray(0, rest.length);
        rest.set(read);
        return read.length;
      });
    },
    write(at, bytes, offset) {
      const buffer = buffers[at];
      for (let done = 0; done < bytes.length;) {
        const follows = buffer.start + buffer.length === offset + done;
        if ((!follows || buffer.length === BUFFER) && !flush(at)) return false;
        if (buffer.length === 0) buffer.start = offset + done;
        const piece = bytes.subarray(done, done + BUFFER - buffer.length);
        buffer.bytes.set(piece, buffer.length);
        buffer.length += piece.length;
        done += piece.length;
      }
      return true;
    },
    sync: (at) => flushed(at).flush(),
    flush: () => buffers.forEach((_, at) => flushed(at)),
    async complete() {
      flushed(1).flush();
      handles[2].close();
      handles.pop();
      await home.removeEntry(`${table}.table.journal`);
    },
    close() {
      for (const handle of new Set(handles)) handle.close();
    },
  };
}

/**
 * Number of leading bytes that are zero in the file of an incomplete table, and not in a complete
 * one.
 */
const HEAD = 8;

async function storageFolder() {
  if (!navigator.storage)
    throw new DOMException("storage requires HTTPS or localhost", "SecurityError");
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle("cosette", { create: true });
}

/**
 * Returns the stored tables by name, with `ready` or `partial`; in Node, those of the folder that
 * are complete.
 */
export async function listStored(folder) {
  if (isNode) {
    const { readdir } = await node("fs/promises");
    const files = await readdir(await folderInNode(folder));
    const tables = files.filter((name) => name.endsWith(".table"));
    return Object.fromEntries(tables.map((name) => [name.slice(0, -".table".length), "ready"]));
  }
  const home = await storageFolder();
  const stored = {};
  for await (const [name, handle] of home.entries()) {
    const state = name.endsWith(".table") && (await stateOf(handle));
    if (state) stored[name.slice(0, -".table".length)] = state;
  }
  return stored;
}

/** Returns the state of a file of a table; null if it is not a table, or no longer exists. */
async function stateOf(handle) {
  try {
    const file = await handle.getFile();
    const head = new Uint8Array(await file.slice(0, HEAD).arrayBuffer());
    // An attempt that stored nothing leaves an empty file.
    return file.size === 0 ? null : head.some((byte) => byte !== 0) ? "ready" : "partial";
  } catch (error) {
    if (error.name === "NotFoundError") return null;
    // The file was written to since it was opened.
    if (error.name === "NotReadableError") return "partial";
    throw error;
  }
}

export async function removeStored(table) {
  const home = await storageFolder();
  for (const name of [`${table}.table`, `${table}.table.journal`]) {
    await home.removeEntry(name).catch((error) => {
      if (error.name !== "NotFoundError") throw error;
    });
  }
}

/** Fills `bytes`, in as many reads as needed; returns `false` at the end of the file. */
function readAll(bytes, read) {
  let done = 0;
  while (done < bytes.length) {
    const count = read(bytes.subarray(done), done);
    if (count === 0) return false;
    done += count;
  }
  return true;
}
