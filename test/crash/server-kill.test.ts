/**
 * A real server, killed with SIGKILL at random moments under concurrent writes, drops, snapshots and searches, and started
 * again: what was acknowledged is there, nothing else is, and searches are right. `npm run crash` does more rounds.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCampaign } from './campaign/campaign.js';

const ROUNDS = 10;
const WRITES_MAX = 60;

test('a server killed at any moment has what was acknowledged, and nothing that was deleted or superseded', async (t) => {
  const seed = Number(process.env['FC_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  t.diagnostic(`seed ${seed}`);
  const totals = await runCampaign({ rounds: ROUNDS, seed, writesMax: WRITES_MAX });
  t.diagnostic(JSON.stringify(totals));
  assert.ok(totals.writes > 0 && totals.kills > 0, 'something was written and killed');
});
