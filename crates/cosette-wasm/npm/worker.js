// A worker: the one that has the files and calls the module, or one in which threads of the module run.

import { instantiate } from './module.js';
import { openFiles, parent } from './platform.js';
import { runThreads, spawnIn } from './threads.js';

/** How long the module generates before what it generated is stored and messages are heard, in milliseconds. */
const SLICE = 250;
/** How long it searches before messages are heard, where the flag cannot be set because no memory is shared. */
const SEARCH_SLICE = 200;

const page = await parent();
const onEvent = text => page.post({ event: JSON.parse(text) });

let engine;
let files;
let stopped = false;

/** Lets messages in. */
const pause = () => new Promise(resolve => setTimeout(resolve));

const tasks = {
    async start({ module, memory, rows }) {
        // The files are opened with the table, so the module sees them through this.
        const current = Object.fromEntries(
            ['length', 'setLength', 'read', 'write', 'sync'].map(name => [name, (...rest) => need(files)[name](...rest)]),
        );
        engine = await instantiate(module, { memory, files: current, onEvent, spawn: rows && spawnIn(rows) });
        engine.exports._initialize();
        return { stopFlag: memory ? engine.stopFlag() : null };
    },

    async open({ table, threads, folder }) {
        files = await openFiles(folder, table);
        try {
            let state = engine.call({ do: 'open', table, threads });
            while (!state.error && !state.ready) {
                page.post({ event: { event: 'generating', done: state.done, total: state.total } });
                await pause();
                if (stopped) return { stopped: true };
                state = { ...state, ...engine.call({ do: 'generate', milliseconds: SLICE }) };
                if (!flush()) state.stored = false;
                if (state.ready) page.post({ event: { event: 'generating', done: state.total, total: state.total } });
                if (state.ready && state.stored) state.stored = await isMoved();
            }
            return state;
        } finally {
            files?.close();
            files = null;
        }
    },

    async solve({ request, isShared }) {
        if (isShared) return engine.call(request);
        try {
            for (;;) {
                const report = engine.call({ ...request, milliseconds: SEARCH_SLICE });
                if (report.error || report.outcome !== 'stopped') return report;
                await pause();
                if (stopped) return report;
            }
        } finally {
            engine.call({ do: 'forget' });
        }
    },

    async call({ request }) {
        return engine.call(request);
    },
};

/** Whether what was written has reached the storage, if there is any. */
function flush() {
    try {
        files?.flush();
        return true;
    } catch {
        return false;
    }
}

/** Whether the complete file is where the table is looked for. */
async function isMoved() {
    try {
        await files.complete();
        return true;
    } catch {
        return false;
    }
}

function need(files) {
    if (!files) throw new Error('there are no files');
    return files;
}

page.listen(async message => {
    if (message.do === 'stop') {
        stopped = true;
        return;
    }
    if (message.do === 'runThreads') {
        const { module, memory, rows, number } = message;
        const thread = await instantiate(module, { memory, onEvent, spawn: spawnIn(rows) });
        page.post({ id: message.id, answer: {} });
        runThreads(rows, number, thread.exports);
        return;
    }
    stopped = false;
    try {
        page.post({ id: message.id, answer: await tasks[message.do](message) });
    } catch (error) {
        page.post({ id: message.id, answer: { error: 'engine', message: String(error?.message ?? error) } });
    }
});
