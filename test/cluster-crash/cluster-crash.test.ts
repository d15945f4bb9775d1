/**
 * A real cluster, whose nodes and NATS servers are killed, stopped and cut off under concurrent reads and writes: no acknowledged
 * write is lost or missed, nothing that was refused is there, and all nodes end equal. `npm run cluster:crash` does more rounds.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needingNats } from '../support/nats-server.js';
import { runClusterCampaign } from './campaign/cluster-campaign.js';

const ROUNDS = 10;

test('a cluster under crashes and partitions keeps what it acknowledged, on every node', needingNats(), async (t) => {
  const seed = Number(process.env['FC_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  t.diagnostic(`seed ${seed}`);
  const { figures, undecided, leftOut } = await runClusterCampaign({ rounds: ROUNDS, seed });
  t.diagnostic(JSON.stringify([...figures]));
  if (leftOut.length > 0) process.stderr.write(`\n!!!! NOT MADE HERE: ${leftOut.join('; ')}\n\n`);
  const writes = [...figures.values()].reduce((sum, each) => sum + each.writes.acknowledged, 0);
  assert.ok(writes > 0, 'something was written');
  assert.equal(undecided, 0, 'every key was judged');
});
