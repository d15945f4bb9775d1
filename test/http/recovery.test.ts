/**
 * What a server says while its engine recovers: how far it is, to probes and to requests that waited in vain.
 */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RecoveryProgress } from '../../engine/index.js';
import { describeRecovery, EngineGate } from '../../src/engine-gate.js';
import type { Exchange } from '../../src/http/exchange.js';
import { FakeEngine } from './fake-engine.js';
import { errorCode, startServer } from './test-server.js';

/** An exchange that is open; `release` is called when it ends. */
const waitingExchange = (release = (): void => {}): Exchange =>
  ({ isOpen: true, release, fail: assert.fail }) as unknown as Exchange;

const HALFWAY: RecoveryProgress = { phase: 'segments', doneBytes: 206_000_000, totalBytes: 412_000_000 };

test('/ready tells how far the recovery is, in words and in numbers, until it is over', async () => {
  const server = await startServer({}, { isRecovering: true });
  const shown = async (): Promise<string | undefined> =>
    /^sabre_ready (\d)$/m.exec((await server.get('/metrics')).text)?.[1];
  try {
    assert.equal(await shown(), '0');
    const first = await server.get('/ready');
    assert.deepEqual([first.status, errorCode(first)], [503, 'overloaded']);
    assert.deepEqual(Object.keys(JSON.parse(first.text)), ['error'], 'nothing is known yet');
    server.gate.noteProgress(HALFWAY);
    const ready = await server.get('/ready');
    assert.deepEqual([ready.status, ready.headers['retry-after']], [503, '1']);
    const { error, progress } = JSON.parse(ready.text);
    assert.equal(error.code, 'overloaded');
    assert.match(error.message, /recovering: opening segments, 50 % of 412 MB/);
    assert.deepEqual(progress, { phase: 'segments', done_bytes: 206_000_000, total_bytes: 412_000_000 });
    server.gate.noteProgress({ phase: 'log', doneBytes: 1, totalBytes: 3 });
    assert.match((await server.get('/ready')).text, /replaying the log, 33 % of 3 B.*"phase":"log"/);
    server.gate.open(server.engine, 2000);
    assert.equal((await server.get('/ready')).text, '{"ready":true}');
    assert.equal(server.gate.progress, null);
    assert.equal(await shown(), '1');
    server.gate.startDraining();
    assert.equal(await shown(), '0');
    const draining = JSON.parse((await server.get('/ready')).text);
    assert.deepEqual(Object.keys(draining), ['error']);
    assert.match(draining.error.message, /draining/);
  } finally {
    server.stop();
  }
});

test('a request that cannot wait is told how far the recovery is', () => {
  const gate = new EngineGate();
  gate.noteProgress(HALFWAY);
  let passed = 0;
  const wait = (): void => gate.pass(waitingExchange(), () => void passed++);
  for (let waiting = 0; waiting < 1024; waiting++) wait();
  assert.throws(wait, /recovering: opening segments, 50 % of 412 MB/);
  gate.open(new FakeEngine(), 0);
  assert.equal(passed, 1024);
});

test('whose client has gone waits no more, takes nobody a place, and lets go what it holds', () => {
  const gate = new EngineGate();
  gate.noteProgress(HALFWAY);
  let released = 0;
  const gone = (): void => assert.fail('its client is gone');
  for (let round = 0; round < 3; round++) {
    const exchanges = Array.from({ length: 1024 }, () => waitingExchange(() => void released++));
    for (const exchange of exchanges) gate.pass(exchange, gone);
    for (const exchange of exchanges) exchange.release();
  }
  assert.equal(released, 3 * 1024);
  gate.pass({ isOpen: false } as Exchange, gone);
  for (let i = 0; i < 2000; i++) gate.passWithin(1000, () => {});
  let passed = 0;
  const exchange = waitingExchange(() => void released++);
  gate.pass(exchange, () => void passed++);
  gate.open(new FakeEngine(), 0);
  assert.equal(passed, 1);
  exchange.release();
  assert.equal(released, 3 * 1024 + 1, 'what it holds is as it was');
});

test('the bodies of clients that have gone are not kept until the engine serves', async () => {
  const server = await startServer({}, { isRecovering: true });
  const inFlight = async (): Promise<number> =>
    Number(/^sabre_http_body_bytes_in_flight (\d+)$/m.exec((await server.get('/metrics')).text)?.[1]);
  const settled = async (bytes: number): Promise<void> => {
    for (let i = 0; i < 200 && (await inFlight()) !== bytes; i++) await sleep(10);
    assert.equal(await inFlight(), bytes);
  };
  try {
    const bodies = {
      '/collections/books/documents': '[]',
      '/multi-search': '{"searches":[{"collection":"books","q":"a"}]}',
      '/collections/books/search': '{"q":"a"}',
    };
    for (const [path, text] of Object.entries(bodies)) {
      const body = text.padEnd(5000);
      const socket = connect({ port: server.port, host: '127.0.0.1' });
      socket.on('error', () => {});
      socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n${body}`);
      // Also of searches, which were read by then.
      await settled(5000);
      socket.destroy();
      await settled(0);
    }
    server.gate.open(server.engine, 1);
    assert.equal(server.engine.batches.length, 0);
  } finally {
    server.stop();
  }
});

test('progress is worded with a percentage that never passes 100 and never divides by nothing', () => {
  const words = (phase: 'segments' | 'log', doneBytes: number, totalBytes: number): string =>
    describeRecovery({ phase, doneBytes, totalBytes });
  assert.equal(describeRecovery(null), 'recovering');
  assert.equal(words('segments', 0, 0), 'recovering: opening segments, 100 % of 0 B');
  assert.equal(words('log', 0, 999_499), 'recovering: replaying the log, 0 % of 999 kB');
  assert.equal(words('log', 999_600, 999_600), 'recovering: replaying the log, 100 % of 1 MB');
  assert.equal(words('log', 5e9 - 1, 5e9), 'recovering: replaying the log, 99 % of 5 GB');
  assert.equal(words('log', 12, 10), 'recovering: replaying the log, 100 % of 10 B');
});
