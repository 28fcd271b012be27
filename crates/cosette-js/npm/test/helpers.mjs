// Programs that tests run, and files in memory.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";

/** Where programs import the package from, in quotes. */
export const INDEX = JSON.stringify(new URL("../index.js", import.meta.url));

/** Runs a program of its own. */
export function run(text, ...flags) {
  const node = [...flags, "--input-type=module", "--eval", text];
  const { status, stdout, stderr, error, signal } = spawnSync(process.execPath, node, {
    encoding: "utf8",
    timeout: 60_000,
  });
  assert.deepEqual([error, signal], [undefined, null]);
  return { status, stdout, stderr };
}

/** Files in memory, as those of a worker, of which this write and all after it are refused. */
export function filesThatFill(limit) {
  const contents = [0, 1, 2].map(() => new Uint8Array());
  return {
    writes: 0,
    length: (at) => contents[at].length,
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
      if (++this.writes >= limit) return false;
      if (offset + bytes.length > contents[at].length) this.setLength(at, offset + bytes.length);
      contents[at].set(bytes, offset);
    },
    sync() {},
  };
}
