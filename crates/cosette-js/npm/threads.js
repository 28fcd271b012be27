// Threads in workers that are started beforehand: a worker that waits for a long call of the module cannot start another.
//
// A row of three words for each worker: its state, the number that the thread starts with, and the number of the thread. After the
// rows, the number of the last thread, how often a worker has become idle, and the number of the request that is answered.

const IDLE = 0;
const TAKEN = 1;
const STARTED = 2;
const ROW = 3;
const AFTER_ROWS = 3;

/**
 * How long the start of a thread waits for a worker whose last thread has just ended. One that has not ended cannot do so in the
 * meantime: both need the C library's list of threads.
 */
const PATIENCE = 1000;

export function newRows(workers) {
    return new Int32Array(new SharedArrayBuffer(4 * (ROW * workers + AFTER_ROWS)));
}

/** Starts a thread in an idle worker, and returns its number; negative if there is none. */
export function spawnIn(rows) {
    const workers = (rows.length - AFTER_ROWS) / ROW;
    const [lastThread, idleCount] = [ROW * workers, ROW * workers + 1];
    return start => {
        for (const end = Date.now() + PATIENCE; Date.now() < end; ) {
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

/** Runs the threads that are started in this worker, one after the other, for ever. */
export function runThreads(rows, worker, exports) {
    const idleCount = rows.length - 2;
    const state = ROW * worker;
    for (;;) {
        for (let now = Atomics.load(rows, state); now !== STARTED; now = Atomics.load(rows, state)) Atomics.wait(rows, state, now);
        exports.wasi_thread_start(rows[state + 2], rows[state + 1]);
        Atomics.store(rows, state, IDLE);
        Atomics.add(rows, idleCount, 1);
        Atomics.notify(rows, idleCount);
    }
}

/** Says which request the threads work for from now on. */
export function setRequest(rows, id) {
    Atomics.store(rows, rows.length - 1, id);
}

/** The request that the threads work for. */
export function requestOf(rows) {
    return Atomics.load(rows, rows.length - 1);
}
