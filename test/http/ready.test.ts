/**
 * /ready while reads wait: a backlog above its bound for a while takes the server out of a balancer's turn.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode, type TestServer, withServer } from './test-server.js';

async function untilReady({ get }: TestServer, status: number): Promise<void> {
  const deadline = Date.now() + 20_000;
  while ((await get('/ready')).status !== status && Date.now() < deadline) await sleep(20);
  assert.equal((await get('/ready')).status, status);
}

withServer('reads that wait too long for a while make the server not ready', {}, async (server) => {
  const { engine, get } = server;
  assert.equal((await get('/ready')).status, 200);
  engine.readBacklogMs = 6400;
  await untilReady(server, 503);
  const answer = await get('/ready');
  assert.equal(errorCode(answer), 'overloaded');
  assert.match((await get('/metrics')).text, /^sabre_ready 0$/m);
  assert.match(answer.text, /reads wait for 6400 ms, at most 5000 expected/);
  assert.equal(answer.headers['retry-after'], '7');
  assert.equal((await get('/health')).status, 200);
  assert.equal((await get('/collections/books/search')).status, 200);
  // Not yet far enough below.
  engine.readBacklogMs = 4000;
  await sleep(500);
  assert.equal((await get('/ready')).status, 503);
  engine.readBacklogMs = 2500;
  await untilReady(server, 200);
});

withServer('neither probes nor the look at the backlog go through all collections', {}, async (server) => {
  const { engine, get } = server;
  engine.views = [...engine.views, { ...engine.views[0], name: 'films' }];
  engine.readBacklogMs = 6400;
  await untilReady(server, 503);
  assert.match((await get('/health')).text, /"num_collections":2}/);
  assert.equal(engine.lists, 0);
});

withServer('a bound of 0 is none', { readyBacklogMs: 0 }, async ({ engine, get }) => {
  engine.readBacklogMs = 1e6;
  await sleep(700);
  assert.equal((await get('/ready')).status, 200);
});
