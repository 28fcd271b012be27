// A client generated from the OpenAPI document by openapi-typescript: it starts, follows and stops
// a search. `.ci/api` compiles and runs it with the address of a server and its token.

import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./api.mjs";

type SolveEvent = components["schemas"]["SolveEvent"];

/** Reid's superflip: twenty moves, which take the smallest table hours. */
const SUPERFLIP = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";

const [address, token] = process.argv.slice(2);
const client = createClient<paths>({
  baseUrl: `${address}/api/v1`,
  headers: { authorization: `Bearer ${token}` },
});

/** Yields the events of a stream. */
async function* eventsOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<SolveEvent> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const part of stream) {
    const blocks = (rest + decoder.decode(part, { stream: true })).split("\n\n");
    rest = blocks.pop()!;
    for (const block of blocks)
      if (block.startsWith("data:")) yield JSON.parse(block.slice(5)) as SolveEvent;
  }
}

/** Solves a position, and returns the result. */
async function solved(position: string) {
  const { data, error } = await client.POST("/solve", {
    body: { position },
    headers: { accept: "application/json" },
  });
  assert.equal(error, undefined);
  assert.ok(data && "solutions" in data);
  return data;
}

assert.deepEqual((await solved("R U")).solutions, ["U' R'"]);

const { error, response } = await client.POST("/solve", {
  body: { position: SUPERFLIP },
  headers: { accept: "text/event-stream" },
  parseAs: "stream",
});
assert.equal(error, undefined);
const id = Number(response.headers.get("search-id"));
const seen = new Set<SolveEvent["event"]>();
let bound: number | undefined;
for await (const event of eventsOf(response.body!)) {
  if (event.event === "queued") assert.equal(event.id, id);
  else if (event.event === "iteration-finished" && !seen.has(event.event)) {
    const list = await client.GET("/solves");
    assert.equal(list.data?.solves.find((search) => search.id === id)?.input, SUPERFLIP);
    const stopped = await client.DELETE("/solves/{id}", { params: { path: { id } } });
    assert.equal(stopped.response.status, 204);
  } else if (event.event === "answer") {
    assert.equal(event.stop_reason, "interrupt");
    bound = event.lower_bound;
  }
  seen.add(event.event);
}
assert.ok(bound !== undefined && bound > 0);
assert.ok(seen.has("started") && seen.has("iteration-started"));

const refused = await client.POST("/solve", { body: { position: "R’ U’ Q" } });
assert.deepEqual(refused.error?.span, [6, 7]);
