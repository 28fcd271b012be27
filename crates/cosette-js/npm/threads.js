// Threads in workers that are started beforehand: a worker in a long call of the module cannot
// start another.
//
// Layout: a row of three words for each worker (its state, the start argument of the thread, and
// the number of the thread); after the rows, the number of the last thread, the count of workers
// that became idle, and the number of the current request.

const IDLE = 0;
const TAKEN = 1;
const STARTED = 2;
const ROW = 3;
const AFTER_ROWS = 3;

/**
 * Time that the start of a thread waits for a worker whose last thread is just ending, in
 * milliseconds. A running thread cannot end meanwhile: both need the C library's list of threads.
 */
const PATIENCE = 1000;

export function newRows(workers) {
  return new Int32Array(new SharedArrayBuffer(4 * (ROW * workers + AFTER_ROWS)));
}

/**
 * Returns a function that starts a thread in an idle worker and returns its number; negative if
 * none is idle.
 */
export function spawnIn(rows) {
  const workers = (rows.length - AFTER_ROWS) / ROW;
  const [lastThread, idleCount] = [ROW * workers, ROW * workers + 1];
  return (start) => {
    for (const end = Date.now() + PATIENCE; Date.now() < end;) {
      const before = Atomics.load(rows, idleCount);
      for (let worker = 0; worker < workers; worker++) {
        if (Atomics.compareExchange(rows, ROW * worker, IDLE, TAKEN) !== IDLE) continue;
        const thread = Atomics.add(rows, lastThread, 1) + 1;
        rows[ROW * worker + 1] = start;
        rows[ROW * worker + 2] = thread;
        Atomics.store(rows, ROW * worker, STARTED);
        Atomics.notify(rows, ROW * worker);
        return thread;
      }
      Atomics.wait(rows, idleCount, before, end - Date.now());
    }
    return -1;
  };
}

/** Runs the threads that are started in this worker, one after another, forever. */
export function runThreads(rows, worker, exports) {
  const idleCount = rows.length - 2;
  const state = ROW * worker;
  for (;;) {
    for (let now = Atomics.load(rows, state); now !== STARTED; now = Atomics.load(rows, state))
      Atomics.wait(rows, state, now);
    exports.wasi_thread_start(rows[state + 2], rows[state + 1]);
    Atomics.store(rows, state, IDLE);
    Atomics.add(rows, idleCount, 1);
    Atomics.notify(rows, idleCount);
  }
}

/** Sets the current request of the threads. */
export function setRequest(rows, id) {
  Atomics.store(rows, rows.length - 1, id);
}

/** Returns the current request of the threads. */
export function requestOf(rows) {
  return Atomics.load(rows, rows.length - 1);
}
