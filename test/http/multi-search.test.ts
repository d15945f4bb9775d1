/**
 * The reads of several searches in one request: given up together, their memory given back, bounded while some are missing.
 */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from '../../engine/index.js';
import { sharedBytes } from './fake-engine.js';
import { errorCode, withServer } from './test-server.js';

const bodyOf = (count: number): string =>
  JSON.stringify({ searches: Array.from({ length: count }, () => ({ collection: 'books', q: 'x' })) });

withServer('a client that leaves gives up all searches that are under way', {}, async ({ engine, port, server }) => {
  engine.searchDelayMs = 300;
  const body = bodyOf(7);
  const socket = connect(port, '127.0.0.1');
  socket.write(`POST /multi-search HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  for (let i = 0; i < 100 && engine.searches.length < 7; i++) await sleep(5);
  socket.destroy();
  for (let i = 0; i < 100 && engine.cancelled.length < 7; i++) await sleep(5);
  assert.deepEqual(engine.cancelled, [1, 2, 3, 4, 5, 6, 7]);
  await sleep(350);
  assert.equal(server.unsent.bytes, 0);
});

withServer('memory that answers hold is given back as they are taken over', {}, async ({ engine, send, server }) => {
  engine.heldBytes = 4096;
  engine.searchBody = sharedBytes('{"found":1}');
  const answer = await send('POST', '/multi-search', { body: bodyOf(3) });
  assert.equal(answer.text, '{"results":[{"found":1},{"found":1},{"found":1}]}');
  assert.equal(engine.releasedBytes, 3 * 4096);
  assert.equal(server.unsent.bytes, 0);
});

withServer(
  'results that are more than the room for them are joined as those that are less',
  {},
  async ({ engine, send }) => {
    for (const length of [10, 1000, 100_000, 200_000]) {
      const result = `"${'x'.repeat(length)}"`;
      engine.searchBody = sharedBytes(result);
      for (const count of [1, 2, 3]) {
        const answer = await send('POST', '/multi-search', { body: bodyOf(count) });
        assert.equal(answer.text, `{"results":[${new Array(count).fill(result).join(',')}]}`);
      }
    }
  },
);

withServer('errors of the engine stand in their places', {}, async ({ engine, send }) => {
  engine.searchError = new EngineError('query_timeout', 'too "late"');
  const answer = await send('POST', '/multi-search', { body: bodyOf(2) });
  assert.equal(answer.status, 200);
  const error = { error: { code: 'query_timeout', message: 'too "late"' } };
  assert.deepEqual(JSON.parse(answer.text), { results: [error, error] });
});

const BOUND = { maxUnsentBytes: 1_000_000, maxClientUnsentBytes: 500_000 };
withServer(
  'results that find no room while others are missing end the request',
  BOUND,
  async ({ engine, send, server }) => {
    engine.searchBody = sharedBytes(`"${'x'.repeat(100_000)}"`);
    assert.equal((await send('POST', '/multi-search', { body: bodyOf(4) })).status, 200);
    const refused = await send('POST', '/multi-search', { body: bodyOf(6) });
    // They are more than one client may keep, whatever else is kept.
    assert.deepEqual([refused.status, errorCode(refused)], [413, 'payload_too_large']);
    assert.equal(refused.headers['retry-after'], undefined);
    assert.equal(server.unsent.bytes, 0);
  },
);
