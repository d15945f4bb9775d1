/** A large answer that was handed to a front thread: the main thread counts it until its client has taken it, and holds nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Compressor } from '../../src/http/compressor.js';
import { Exchange, type ExchangeHost, type RequestHead } from '../../src/http/exchange.js';
import { JSON_TYPE, reply } from '../../src/http/reply.js';
import { UnsentBytes } from '../../src/http/unsent-bytes.js';
import type { AnswerMessage } from '../../src/http-threads/messages.js';
import { RelayedResponse } from '../../src/http-threads/relayed-response.js';

const BYTES = 1 << 20;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const HEAD: RequestHead = {
  ...{
    method: 'GET',
    path: '/',
    query: '',
    requestId: 'x',
    traceParent: '',
    accept: '',
    ifNoneMatch: '',
    sequence: '',
    acceptEncoding: '',
    contentType: '',
    contentLength: '',
  },
  ...{ contentEncoding: '', forwardedFor: '', allowedOrigin: null },
};

/** Answers an exchange with a body that nobody else knows; what can tell whether it is still held. */
function answer(exchange: Exchange): WeakRef<ArrayBuffer> {
  const body = new Uint8Array(BYTES).fill(7);
  reply(exchange, { status: 200, contentType: JSON_TYPE, body });
  return new WeakRef(body.buffer);
}

test('a large answer is counted until it was taken, and not held beside the copy that was handed on', async () => {
  const unsent = new UnsentBytes({ maxBytes: 2 * BYTES, clientMaxBytes: 2 * BYTES, rateMin: 1, graceMs: 60_000 });
  const sent: AnswerMessage[] = [];
  const response = new RelayedResponse(
    { answer: (message) => void sent.push(message), drop: () => assert.fail('dropped') },
    1,
    new ArrayBuffer(4),
  );
  let closed = 0;
  const host: ExchangeHost = {
    beginAnswer: () => {},
    onFailed: (_, error) => assert.fail(String(error)),
    onClosed: () => void closed++,
    clientOf: () => 'somebody',
    unsent,
    compressor: new Compressor(0),
  };
  const exchange = new Exchange(host, response, HEAD, 0);
  const held = answer(exchange);
  assert.deepEqual(
    sent.map(({ body, end, isTracked }) => [body.length, end, isTracked]),
    [[BYTES, 'whole', true]],
  );
  assert.ok(sent[0].body.every((byte) => byte === 7));
  for (let round = 0; round < 50 && held.deref() !== undefined; round++) {
    await sleep(10);
    collectGarbage();
  }
  assert.equal(held.deref(), undefined, 'the body is held by nobody');
  assert.equal(unsent.bytes, BYTES);
  assert.equal(unsent.answers, 1);
  response.noteTaken(BYTES / 2);
  assert.equal(unsent.bytes, BYTES);
  assert.equal(closed, 0);
  response.noteTaken(BYTES);
  assert.equal(unsent.bytes, 0);
  assert.equal(unsent.answers, 0);
  assert.equal(closed, 1);
});
