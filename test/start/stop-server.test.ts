/**
 * A stop ends in its time whatever hangs, and what is left of it goes to the engine.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type StoppedParts, stopServer } from '../../src/stop-server.js';

const never = (): Promise<void> => new Promise(() => {});
const nothing = async (): Promise<void> => {};

interface Called {
  readonly order: string[];
  snapshotWithinMs: number;
  nodeWithinMs: number;
}

/** Stops with `parts` in the place of those that do nothing, and an engine that takes `engineMs`. */
async function stop(drainTimeoutMs: number, parts: Partial<StoppedParts>, engineMs = 0): Promise<Called> {
  const called: Called = { order: [], snapshotWithinMs: Number.NaN, nodeWithinMs: Number.NaN };
  const note = (what: string): void => void called.order.push(what);
  const engine = {
    close: async (withinMs: number): Promise<void> => {
      note('engine');
      called.snapshotWithinMs = withinMs;
      await (engineMs === Number.POSITIVE_INFINITY ? never() : sleep(engineMs));
    },
  };
  const node = {
    leave: nothing,
    ...parts.node,
    close: async (withinMs: number): Promise<void> => {
      note('node');
      called.nodeWithinMs = withinMs;
      await parts.node?.close(withinMs);
    },
  };
  const outcome = await stopServer(
    { drainTimeoutMs, snapshotOnStop: true },
    { startDraining: () => note('gate'), opened: engine },
    {
      server: { drain: nothing, close: () => note('server') },
      fronts: { drain: nothing, close: () => note('fronts') },
      exporter: null,
      ...parts,
      node,
    },
  );
  assert.equal(outcome, 'closed');
  return called;
}

test('requests end before the engine, and the engine before the node', async () => {
  const { order, snapshotWithinMs } = await stop(10_000, {});
  assert.deepEqual(order, ['gate', 'server', 'fronts', 'engine', 'node']);
  assert.ok(snapshotWithinMs > 7000 && snapshotWithinMs <= 7425, `${snapshotWithinMs}`);
});

test('requests that came to the main thread while the others drained are waited for, in the time that is left', async () => {
  const waits: number[] = [];
  const drain = async (withinMs: number): Promise<void> => void waits.push(withinMs);
  await stop(1000, {
    server: { drain, close: () => assert.equal(waits.length, 2) },
    fronts: { drain: async () => void (await sleep(100)), close: () => {} },
  });
  assert.equal(waits[0], 600);
  assert.ok((waits[1] ?? 0) > 0 && (waits[1] ?? 0) <= 505, `${waits[1]}`);
});

test('a lease that cannot be given back leaves most of the time to the snapshot', async () => {
  const { snapshotWithinMs } = await stop(2000, { node: { leave: never, close: nothing } });
  // A quarter of 1.9 s is waited; three quarters of the rest are the snapshot's.
  assert.ok(snapshotWithinMs > 0 && snapshotWithinMs <= 1069, `${snapshotWithinMs}`);
});

test('a node has what the engine has left of the time', async () => {
  const startMs = performance.now();
  const { nodeWithinMs } = await stop(2000, { node: { leave: never, close: (withinMs) => sleep(withinMs) } }, 500);
  assert.ok(nodeWithinMs <= 1900 - 475 - 500 + 5, `${nodeWithinMs}`);
  assert.ok(performance.now() - startMs >= 1890);
});

test('an engine that does not close is told of in time', async () => {
  await assert.rejects(stop(1000, {}, Number.POSITIVE_INFINITY), /the engine did not close within 900 ms/);
});
