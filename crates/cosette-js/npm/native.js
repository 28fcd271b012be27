// The native engine, where its addon lies beside and this is Node. No bundler follows what is loaded here: there is no `import` of
// it, and its name is put together when the program runs.

import { isNode } from './platform.js';

/** What the name of the addon ends with. On Linux it is built for glibc; with another C library, such as that of Alpine, there is none. */
const ENDINGS = { linux: '-gnu', darwin: '', win32: '-msvc' };

let loaded;

/** The addon, or `{ refused }` with the reason why there is none. */
export function nativeAddon() {
    loaded ??= load();
    return loaded;
}

function load() {
    if (!isNode) return { refused: 'this is not Node' };
    if (!process.getBuiltinModule) return { refused: 'it needs Node 20.16 or later' };
    const { platform, arch } = process;
    if (!(platform in ENDINGS) || (platform === 'linux' && !usesGlibc())) return { refused: `there is none for ${platform} with this C library` };
    const file = `./native/cosette.${platform}-${arch}${ENDINGS[platform]}.node`;
    try {
        return process.getBuiltinModule('node:module').createRequire(import.meta.url)(file);
    } catch (error) {
        return { refused: error.code === 'MODULE_NOT_FOUND' ? `there is no ${file} in the package` : error.message };
    }
}

function usesGlibc() {
    const { report } = process;
    // Names of hosts, which would take long.
    const before = report.excludeNetwork;
    report.excludeNetwork = true;
    try {
        return Boolean(report.getReport().header.glibcVersionRuntime);
    } finally {
        report.excludeNetwork = before;
    }
}

/** An engine of the addon, with the interface of a worker (`startWorker`). It keeps Node running while it is asked for something. */
export function startNative({ Engine }, onMessage) {
    const engine = new Engine();
    const ask = (id, request) =>
        engine.ask(JSON.stringify(request), text => {
            const { event, answer } = JSON.parse(text);
            onMessage(event ? { event } : { id, answer });
        });
    const tasks = {
        // The table is ready when it answers: it generates without being asked to.
        open: ({ id, table, threads, folder }) =>
            ask(id, { do: 'open', table, threads, folder: folder ?? undefined, inMemory: folder === null }),
        solve: ({ id, request }) => ask(id, request),
        call: ({ id, request }) => ask(id, request),
        stop: () => engine.stop(),
    };
    return { post: message => tasks[message.do](message), end: () => engine.close(), hold() {}, letGo() {} };
}
