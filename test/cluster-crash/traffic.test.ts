/**
 * The traffic of the cluster's campaign and what is made of it, without a cluster: one server that is asked as if it were three nodes
 * does nothing wrong, and a node that has only some of the writes is found.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Server, startServer } from '../support/server.js';
import { seededRandom } from '../support/simulated-random.js';
import { Asker } from './campaign/asking.js';
import { settle } from './campaign/final-state.js';
import { checkHistory } from './campaign/history-checker.js';
import { RoundRecord } from './campaign/record.js';
import { longestPause } from './campaign/round-figures.js';
import { createLasting, runTraffic, type Traffic } from './campaign/traffic.js';

const TRAFFIC_MS = 2000;
const EQUAL_WITHIN_MS = 500;
const seed = Number(process.env['FC_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

async function startNode(): Promise<Server> {
  const server = await startServer();
  after(() => server.dispose());
  return server;
}

/** Runs the traffic against `servers` as the nodes of one cluster, and returns everything that was found wrong. */
async function judge(servers: readonly Server[]): Promise<{ readonly wrong: string[]; readonly traffic: Traffic }> {
  const asker = new Asker();
  after(() => asker.close());
  const traffic: Traffic = {
    targets: servers.map(({ port }) => ({ host: '127.0.0.1', port })),
    asker,
    random: seededRandom(seed),
    versions: { count: 0 },
    record: new RoundRecord(new Map()),
    isEnding: false,
  };
  await createLasting(traffic);
  const running = runTraffic(traffic);
  await sleep(TRAFFIC_MS);
  traffic.isEnding = true;
  await running;
  const wrong: string[] = [];
  await settle(traffic, (oddity) => wrong.push(oddity), EQUAL_WITHIN_MS);
  const { findings, undecided } = checkHistory(traffic.record.history);
  assert.deepEqual(undecided, []);
  return { wrong: [...wrong, ...findings.map(({ message }) => message), ...traffic.record.oddities], traffic };
}

test('one server asked as three nodes does nothing wrong', async (t) => {
  t.diagnostic(`seed ${seed}`);
  const server = await startNode();
  const { wrong, traffic } = await judge([server, server, server]);
  assert.deepEqual(wrong, []);
  const { writes, reads } = traffic.record.history;
  assert.ok(writes.filter(({ outcome }) => outcome === 'acknowledged').length > 50, `${writes.length} writes`);
  assert.ok(reads.length > 50, `${reads.length} reads`);
});

test('a node that has only some of the writes is found', async (t) => {
  t.diagnostic(`seed ${seed}`);
  const [server, other] = [await startNode(), await startNode()];
  const { wrong } = await judge([server, server, other]);
  assert.ok(wrong.some((message) => message.includes('are not equal')));
  assert.ok(wrong.some((message) => message.includes('and misses')));
});

test('the longest pause counts the time before the first answer and after the last', () => {
  assert.equal(longestPause([], 0, 10), 10);
  assert.equal(longestPause([6, 5], 0, 10), 5);
  assert.equal(longestPause([1, 2, 3, -5, 20], 0, 10), 7);
});
