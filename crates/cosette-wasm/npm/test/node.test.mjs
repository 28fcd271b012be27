// The package in Node, with one thread and with more, beside what the native program says.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync, closeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { CosetteError, Solver, TABLES } from '../index.js';
import { instantiate } from '../module.js';
import { compile } from '../platform.js';
import { CASES, FILE_24M, LONGER, SUPERFLIP } from './cases.mjs';
import { solves } from './model.mjs';

const home = mkdtempSync(join(tmpdir(), 'cosette-'));
after(() => rmSync(home, { recursive: true }));

const file = (folder = home) => join(folder, 'htm-24M.table');
const hash = path => createHash('sha256').update(readFileSync(path)).digest('hex');
const open = options => Solver.open({ table: '24M', folder: home, ...options });
const isOf = kind => error => error instanceof CosetteError && error.kind === kind && error.message.length > 10;
const sorted = list => [...list].sort();

test('a table is generated into the file of the native program', async () => {
    const progress = [];
    const solver = await open({ threads: 2, onProgress: event => progress.push(event) });
    assert.equal(solver.table, 'htm-24M');
    assert.equal(solver.threads, 2);
    assert.equal(solver.isStored, true);
    solver.close();
    assert.equal(hash(file()), FILE_24M);
    assert.equal(existsSync(`${file()}.part`) || existsSync(`${file()}.journal`), false);
    assert.ok(progress.every(({ event }) => event === 'generating'));
    assert.ok(progress.every(({ done }, i) => i === 0 || done >= progress[i - 1].done));
    assert.equal(progress.at(-1).done, progress.at(-1).total);
});

test('it is loaded the next time', async () => {
    const progress = [];
    const solver = await open({ threads: 1, onProgress: event => progress.push(event) });
    assert.ok(progress.length > 0 && progress.every(({ event }) => event === 'loading'));
    assert.equal(solver.isStored, true);
    solver.close();
});

for (const options of [{ sharedMemory: false }, { threads: 1 }, { threads: 2 }, { threads: 4 }]) {
    test(`solutions, with ${JSON.stringify(options)}`, async () => {
        const solver = await open(options);
        assert.equal(solver.threads, options.threads ?? 1);
        for (const { position, length, one, all, solutions } of CASES) {
            const report = await solver.solve(position);
            assert.equal(report.outcome, 'optimal');
            assert.equal(report.length, length);
            assert.equal(report.lowerBound, length);
            assert.equal(report.solutions.length, 1);
            assert.ok(solutions.includes(report.solutions[0]));
            assert.ok(solves(position, report.solutions[0]));
            const reports = await solver.solveAll(position);
            assert.deepEqual(sorted(reports.solutions), sorted(solutions));
            assert.ok(reports.solutions.every(solution => solves(position, solution)));
            if (solver.threads === 1) {
                assert.deepEqual([report.nodes, report.probes], one, position);
                assert.deepEqual([reports.nodes, reports.probes], all, position);
            }
        }
        const { position, length, one, solutions } = LONGER;
        const report = await solver.solve(position);
        assert.equal(report.length, length);
        assert.deepEqual(report.solutions, solutions);
        if (solver.threads === 1) assert.deepEqual([report.nodes, report.probes], one);
        solver.close();
    });
}

for (const sharedMemory of [false, true]) {
    test(`what a search tells, and how it ends early, with sharedMemory: ${sharedMemory}`, async () => {
        const solver = await open({ sharedMemory, threads: 2 });
        const events = [];
        const { position, length } = CASES[2];
        await solver.solve(position, { onEvent: event => events.push(event) });
        const of = kind => events.filter(({ event }) => event === kind);
        assert.ok(of('solution').some(event => event.length === length && solves(position, event.solution)));
        assert.ok(of('lowerBound').at(-1).length <= length);
        assert.ok(of('lengthSearched').every(({ nodes, probes, exhausted }) => nodes > 0 && probes > 0 && exhausted));

        // Not of one less: the inverse of the given moves is then proven to be shortest.
        const none = await solver.solve(position, { maxLength: length - 2 });
        assert.equal(none.outcome, 'noneWithinLimit');
        assert.equal(none.lowerBound, length - 1);
        assert.equal(none.length, null);
        assert.equal(none.bestKnownLength, length);

        const late = await solver.solve(SUPERFLIP, { timeout: 700 });
        assert.equal(late.outcome, 'stopped');
        assert.equal(late.length, null);
        assert.ok(late.lowerBound > 0 && late.lowerBound <= 20, String(late.lowerBound));
        assert.ok(solves(SUPERFLIP, late.bestKnown));

        const stop = new AbortController();
        const onEvent = ({ event, length }) => event === 'lengthSearched' && length >= 9 && stop.abort();
        await assert.rejects(solver.solve(SUPERFLIP, { signal: stop.signal, onEvent }), { name: 'AbortError' });
        await assert.rejects(solver.solve(SUPERFLIP, { signal: stop.signal }), { name: 'AbortError' });

        // One after the other, and the solver still works.
        const reports = await Promise.all(CASES.slice(2).map(({ position }) => solver.solve(position)));
        assert.deepEqual(reports.map(report => report.length), CASES.slice(2).map(({ length }) => length));
        solver.close();
    });

    test(`a generation that is aborted goes on later, with sharedMemory: ${sharedMemory}`, async () => {
        const folder = mkdtempSync(join(home, 'aborted-'));
        const stop = new AbortController();
        let reached = 0;
        const onProgress = ({ done, total }) => {
            reached = done;
            if (done > total / 4) stop.abort();
        };
        const options = { sharedMemory, threads: 2, folder };
        await assert.rejects(open({ ...options, onProgress, signal: stop.signal }), { name: 'AbortError' });
        assert.ok(existsSync(`${file(folder)}.part`));
        assert.ok(!existsSync(file(folder)));
        let first;
        const solver = await open({ ...options, onProgress: event => (first ??= event) });
        assert.ok(first.event === 'generating' && first.done >= reached, `${first.done} of ${reached} were kept`);
        assert.equal((await solver.solve(CASES[0].position)).length, CASES[0].length);
        solver.close();
        assert.equal(hash(file(folder)), FILE_24M);
    });
}

test('a damaged file is generated again', async () => {
    const damaged = openSync(file(), 'r+');
    writeSync(damaged, 'x', 12_345_678);
    closeSync(damaged);
    assert.notEqual(hash(file()), FILE_24M);
    const solver = await open({ threads: 2 });
    assert.equal(solver.isStored, true);
    assert.equal(hash(file()), FILE_24M);
    solver.close();
});

test('where nothing can be stored, the table is in memory', async () => {
    const inTheWay = join(home, 'a file');
    writeFileSync(inTheWay, '');
    const solver = await open({ threads: 2, folder: join(inTheWay, 'folder') });
    assert.equal(solver.isStored, false);
    assert.equal((await solver.solve(CASES[0].position)).length, CASES[0].length);
    solver.close();
});

test('where the storage becomes full, the table is in memory', async () => {
    let writes = 0;
    const contents = [0, 1, 2].map(() => new Uint8Array());
    const files = {
        length: at => contents[at].length,
        setLength(at, length) {
            const before = contents[at];
            contents[at] = new Uint8Array(length);
            contents[at].set(before.subarray(0, length));
        },
        read(at, bytes, offset) {
            if (offset + bytes.length > contents[at].length) return false;
            bytes.set(contents[at].subarray(offset, offset + bytes.length));
        },
        write(at, bytes, offset) {
            if (++writes >= 500) return false;
            if (offset + bytes.length > contents[at].length) this.setLength(at, offset + bytes.length);
            contents[at].set(bytes, offset);
        },
        sync() {},
    };
    const engine = await instantiate(await compile(false), { files });
    engine.exports._initialize();
    assert.equal(engine.call({ do: 'open', table: 'htm-24M', threads: 1 }).stored, true);
    const state = engine.call({ do: 'generate', milliseconds: 1e9 });
    assert.equal(writes, 500);
    assert.deepEqual(state, { ready: true, stored: false });
    const { position, length } = CASES[0];
    assert.equal(engine.call({ do: 'solve', position }).length, length);
});

test('errors say of what they are', async () => {
    await assert.rejects(open({ table: '25M' }), isOf('table'));
    await assert.rejects(open({ table: '3G', folder: null }), isOf('memory'));
    await assert.rejects(open({ threads: 0 }), isOf('threads'));
    const solver = await open({ threads: 1 });
    await assert.rejects(solver.solve("R U Q'"), isOf('position'));
    await assert.rejects(solver.solve(7), isOf('request'));
    await assert.rejects(solver.solve('R', { maxLength: -1 }), isOf('request'));
    await assert.rejects(solver.solve(''), isOf('position'));
    assert.equal((await solver.solve("R R'")).length, 0);
    const { facelets, solved } = await solver.read('R');
    assert.equal(facelets, 'UUFUUFUUFRRRRRRRRRFFDFFDFFDDDBDDBDDBLLLLLLLLLUBBUBBUBB');
    assert.equal(solved, false);
    const running = solver.solve(SUPERFLIP);
    solver.close();
    await assert.rejects(running, isOf('closed'));
    await assert.rejects(solver.solve('R'), isOf('closed'));
});

test('a solver that does nothing does not keep the program running', () => {
    const program = `
        import { Solver } from ${JSON.stringify(new URL('../index.js', import.meta.url))};
        const solver = await Solver.open({ table: '24M', folder: ${JSON.stringify(home)}, threads: 2 });
        console.log((await solver.solve('R U')).length);`;
    const { status, stdout, stderr, error } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
        encoding: 'utf8',
        timeout: 60_000,
    });
    assert.equal(error, undefined);
    assert.deepEqual([status, stdout, stderr], [0, '2\n', '']);
});

test('the list of tables is that of the engine', async () => {
    const engine = await instantiate(await compile(false), {});
    engine.exports._initialize();
    const { sizes } = engine.call({ do: 'tables' });
    const fit = sizes.filter(({ bytes }) => bytes < 2 ** 31);
    assert.deepEqual(TABLES, Object.fromEntries(fit.map(({ name, bytes }) => [name, bytes])));
});
