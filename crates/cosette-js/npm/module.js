// The module in one thread: its imports, its memory, and calls with JSON.

/**
 * Initial size of the memory in pages of 64 kB, as linked by `build.rs`, and the maximum that 32
 * bits can address.
 */
const FIRST_PAGES = 512;
const MAX_PAGES = 65536;

const SUCCESS = 0;
const BAD_FILE = 8;
const NOT_SUPPORTED = 58;

/**
 * Creates a memory that workers can share. Some systems, such as phones, reserve the maximum size
 * at once, and refuse the largest one: then half of it is tried, and so on.
 */
export function sharedMemory() {
  for (let maximum = MAX_PAGES; ; maximum /= 2) {
    try {
      return new WebAssembly.Memory({ initial: FIRST_PAGES, maximum, shared: true });
    } catch (error) {
      if (maximum === FIRST_PAGES) throw error;
    }
  }
}

/**
 * Creates an instance of the module. `files` are the files of this thread, if it has any; `onEvent`
 * is called with each event, as text; `spawn` starts `wasi_thread_start` with a number in another
 * thread and returns the number of the thread, negative if there is none.
 */
export async function instantiate(module, { memory, files, onEvent, spawn }) {
  let instance;
  const buffer = () => (memory ?? instance.exports.memory).buffer;
  // Addresses are signed numbers.
  const setNumber = (address, value) =>
    new DataView(buffer()).setUint32(address >>> 0, value, true);
  const number = (address) => new DataView(buffer()).getUint32(address >>> 0, true);
  const bytes = (address, length) => new Uint8Array(buffer(), address >>> 0, length >>> 0);
  // The decoder does not accept shared memory.
  const text = (address, length) => new TextDecoder().decode(bytes(address, length).slice());
  const refused = (work, otherwise) => {
    try {
      return work() ?? true;
    } catch {
      return otherwise;
    }
  };
  const host = {
    file_length: (file) => (files ? refused(() => files.length(file), -1) : 0),
    file_set_length: (file, length) =>
      Number(Boolean(files) && refused(() => files.setLength(file, length), false)),
    file_read: (file, address, length, offset) =>
      Number(
        Boolean(files) && refused(() => files.read(file, bytes(address, length), offset), false),
      ),
    file_write: (file, address, length, offset) =>
      Number(
        Boolean(files) && refused(() => files.write(file, bytes(address, length), offset), false),
      ),
    file_sync: (file) => Number(Boolean(files) && refused(() => files.sync(file), false)),
    event: (address, length) => onEvent?.(text(address, length)),
  };
  // The system calls that Rust's standard library needs.
  const wasi = {
    args_get: () => SUCCESS,
    args_sizes_get: (count, size) => (setNumber(count, 0), setNumber(size, 0), SUCCESS),
    environ_get: () => SUCCESS,
    environ_sizes_get: (count, size) => (setNumber(count, 0), setNumber(size, 0), SUCCESS),
    clock_time_get(_clock, _precision, at) {
      const now = performance.timeOrigin + performance.now();
      new DataView(buffer()).setBigUint64(at >>> 0, BigInt(Math.round(now * 1e6)), true);
      return SUCCESS;
    },
    random_get(address, length) {
      const random = new Uint8Array(length);
      crypto.getRandomValues(random);
      bytes(address, length).set(random);
      return SUCCESS;
    },
    // Messages of a panic.
    fd_write(_file, vectors, count, written) {
      let [all, sum] = ["", 0];
      for (let i = 0; i < count; i++) {
        const [address, length] = [0, 4].map((at) => number(vectors + 8 * i + at));
        all += text(address, length);
        sum += length;
      }
      if (all.trim()) console.error(all.trimEnd());
      setNumber(written, sum);
      return SUCCESS;
    },
    fd_close: () => BAD_FILE,
    fd_fdstat_get: () => BAD_FILE,
    fd_prestat_get: () => BAD_FILE,
    fd_prestat_dir_name: () => BAD_FILE,
    sched_yield: () => SUCCESS,
    proc_exit(code) {
      throw new Error(`the module exited with code ${code}`);
    },
  };
  const imports = {
    cosette: host,
    wasi_snapshot_preview1: wasi,
    wasi: { "thread-spawn": spawn ?? (() => -1) },
    env: { memory },
  };
  for (const { module: name, name: field } of WebAssembly.Module.imports(module)) {
    imports[name] ??= {};
    imports[name][field] ??= () => NOT_SUPPORTED;
  }
  instance = await WebAssembly.instantiate(module, imports);
  const { exports } = instance;
  return {
    exports,
    /** Returns the address of the byte that stops the running call. */
    stopFlag: () => exports.stop_flag(),
    buffer,
    /** Sends a request to the module, and returns its answer. */
    call(request) {
      const encoded = new TextEncoder().encode(JSON.stringify(request));
      const at = exports.reserve(encoded.length);
      bytes(at, encoded.length).set(encoded);
      const answer = exports.call(at, encoded.length);
      const length = number(answer);
      const parsed = JSON.parse(text((answer >>> 0) + 4, length));
      exports.release(answer, length + 4);
      return parsed;
    },
  };
}
