/**
 * A real node whose files are damaged: the others go on without it, and it does not come back when its damaged collection is deleted.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { needingNats } from '../../support/nats-server.js';
import { filesOf, flipBit } from '../../upkeep/data-directory.js';
import { eventually, foundOn, post, schemaOf, startCluster } from './asked-cluster.js';

const WITHIN_MS = 60_000;
/** More than it takes a node to join that may. */
const JOINED_MS = 2000;

interface Told {
  readonly cluster: { readonly applied: number };
}

describe('a node with damaged files', () => {
  test('stays out to its end, also when the damaged collection is gone', needingNats(), async (context) => {
    const cluster = await startCluster(context, { nodes: 2, servers: 1 });
    const [sound, damaged] = [cluster.node(0), cluster.node(1)];
    const told = async (node: typeof sound): Promise<Told['cluster']> =>
      (JSON.parse((await node.client.get('/ready')).text) as Told).cluster;
    for (const name of ['kept', 'dropped']) {
      await sound.client.create(schemaOf(name));
      assert.equal((await post(sound, name, { id: '1', title: 'x', version: 1 })).status, 200);
    }
    await damaged.stop();
    const [file = ''] = filesOf(damaged.dataDir, /\.seg$/)
      .sort()
      .slice(-1);
    flipBit(join(damaged.dataDir, file), 40);
    damaged.run();
    await eventually('the damage is told', WITHIN_MS, async () => {
      const state = await damaged.client.get('/ready').catch(() => null);
      return state?.text.includes('are damaged') === true;
    });
    assert.equal((await sound.client.delete('/collections/dropped')).status, 204);
    const { applied } = await told(sound);
    await eventually('it follows the log', WITHIN_MS, async () => (await told(damaged)).applied >= applied);
    await sleep(JOINED_MS);
    const { status, text } = await damaged.client.get('/ready');
    assert.equal(status, 503);
    assert.match(text, /are damaged/);
    assert.equal((await damaged.client.get('/collections/kept')).status, 503);
    assert.equal(await foundOn(sound, 'kept'), 1);
  });
});
