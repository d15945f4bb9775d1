/**
 * Answers that are written together at the end of a turn of the loop: which are, in which order, with which bytes, and which
 * are not.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AnswerBatch } from '../../src/http/answer-batch.js';
import { Compressor } from '../../src/http/compressor.js';
import { Exchange, type ExchangeHost, type RequestHead } from '../../src/http/exchange.js';
import { type Answer, JSON_TYPE, reply } from '../../src/http/reply.js';
import type { ResponsePort } from '../../src/http/response-port.js';
import { UnsentBytes } from '../../src/http/unsent-bytes.js';

const COMPRESSED_FROM = 1000;
/** Turns in which a batch sees that many come at once, or that they do no more. */
const MANY = 200;

const NONE = { traceParent: '', sequence: '', accept: '', ifNoneMatch: '', acceptEncoding: '', contentType: '' };
const HEAD: RequestHead = {
  ...{ method: 'GET', path: '/', query: '', requestId: 'x', ...NONE },
  ...{ contentLength: '', contentEncoding: '', forwardedFor: '', allowedOrigin: null },
};

const host: ExchangeHost = {
  beginAnswer: () => {},
  onFailed: (_, error) => assert.fail(String(error)),
  onClosed: () => {},
  clientOf: () => 'somebody',
  unsent: new UnsentBytes({ maxBytes: 1 << 20, clientMaxBytes: 1 << 20, rateMin: 1, graceMs: 60_000 }),
  compressor: new Compressor(COMPRESSED_FROM),
};

const room = new Uint8Array(new SharedArrayBuffer(1 << 16));

/** An answer whose bytes are lent. */
function lent(text: string): Answer {
  const body = room.subarray(0, Buffer.byteLength(text));
  body.set(Buffer.from(text));
  return { status: 200, contentType: JSON_TYPE, body };
}

/** Exchanges whose answers are noted as they are written. */
function createExchanges(): { readonly written: string[]; readonly create: () => Exchange } {
  const written: string[] = [];
  let corked = 0;
  const response = {
    tryEnd: (bytes: Uint8Array) => {
      assert.equal(corked, 1, 'an answer is written corked, and by itself');
      written.push(Buffer.from(bytes).toString());
      return [true, true];
    },
    cork: (write: () => void) => {
      corked++;
      write();
      corked--;
    },
  } as unknown as ResponsePort;
  return { written, create: () => new Exchange(host, response, HEAD, 0) };
}

/** As the server handles a request that is answered with `text`; whether its answer was held. */
function handle(batch: AnswerBatch, exchange: Exchange, text: string, elapsedUs = 1): boolean {
  const isHeld = batch.take(exchange, lent(text), elapsedUs);
  room.fill(0);
  exchange.isCorked = false;
  return isHeld;
}

/** A batch that has seen that many requests come in a turn. */
async function busyBatch(): Promise<AnswerBatch> {
  const batch = new AnswerBatch();
  const { create } = createExchanges();
  // As many a turn as it looks after: then nothing is left of that turn.
  for (let turn = 0; turn < 4; turn++) {
    for (let i = 0; i < 64; i++) batch.take(create(), lent('x'), 1);
    await nextTurn();
  }
  return batch;
}

test('answers to requests that come one in a turn are never held', async () => {
  const batch = new AnswerBatch();
  const { create } = createExchanges();
  for (let i = 0; i < MANY; i++) {
    assert.equal(handle(batch, create(), 'alone'), false);
    await nextTurn();
  }
});

test('while many come in a turn their answers are written at its end, in order, with the bytes they had', async () => {
  const batch = await busyBatch();
  const { written, create } = createExchanges();
  const texts = Array.from({ length: 40 }, (_, i) => `answer ${i} ${'é'.repeat(i)}`);
  const exchanges = texts.map(create);
  for (const [i, text] of texts.entries()) assert.ok(handle(batch, exchanges[i] as Exchange, text));
  assert.deepEqual(written, []);
  assert.ok(exchanges.every((exchange) => !exchange.isOpen && !exchange.isClosed));
  await nextTurn();
  assert.deepEqual(written, texts);
  assert.ok(exchanges.every((exchange) => exchange.isClosed));
});

test('nobody else answers a request whose answer is held, and none is written to a client that has gone', async () => {
  const batch = await busyBatch();
  const { written, create } = createExchanges();
  const [first, gone, last] = [create(), create(), create()];
  for (const exchange of [first, gone, last]) assert.ok(handle(batch, exchange, 'held'));
  reply(first, { status: 200, contentType: JSON_TYPE, body: 'another' });
  gone.close();
  await nextTurn();
  assert.deepEqual(written, ['held', 'held']);
});

test('what was answered, comes late, is a text, long or compressed is the caller to write', async () => {
  const batch = await busyBatch();
  const { create } = createExchanges();
  const late = create();
  late.isCorked = false;
  assert.equal(batch.take(late, lent('late'), 1), false);
  const answered = create();
  answered.isOpen = false;
  assert.equal(batch.take(answered, lent('answered'), 1), false);
  assert.equal(batch.take(create(), { status: 200, contentType: JSON_TYPE, body: 'text' }, 1), false);
  assert.equal(handle(batch, create(), 'x'.repeat(COMPRESSED_FROM)), false);
  assert.ok(handle(batch, create(), 'x'.repeat(COMPRESSED_FROM - 1)));
  await nextTurn();
});

test('a turn holds so many answers, and so much time, and then no more until the next', async () => {
  const batch = await busyBatch();
  const { written, create } = createExchanges();
  let held = 0;
  while (handle(batch, create(), 'one')) held++;
  assert.equal(held, 64);
  await nextTurn();
  assert.equal(written.length, held);
  for (let i = 0; i < 3; i++) assert.ok(handle(batch, create(), 'slow', 400));
  assert.equal(handle(batch, create(), 'slow', 400), false);
  await nextTurn();
  assert.ok(handle(batch, create(), 'again'));
  await nextTurn();
});

test('answers are no longer held once few come in a turn', async () => {
  const batch = await busyBatch();
  const { create } = createExchanges();
  let turns = 0;
  for (; handle(batch, create(), 'few'); turns++) await nextTurn();
  assert.ok(turns > 0 && turns < MANY);
});
