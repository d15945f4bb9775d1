/**
 * NATS has lost the end of the log: a node that has applied it does not start, and says why.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NatsServers, needingNats } from '../support/nats-server.js';
import { runMain, startServer } from '../support/server.js';

test('a node that has applied more than the log holds does not start', needingNats(), async (context) => {
  const nats = await NatsServers.start();
  context.after(() => nats.close());
  const [url = ''] = nats.urls;
  const args = ['--cluster', url, '--cluster-name', 'lost', '--cluster-node', 'one'];
  const server = await startServer({ args });
  context.after(() => server.dispose());
  await server.client.create({ name: 'c', fields: [{ name: 'title', type: 'text' }] });
  await server.stop();
  await nats.kill(0);
  const putBack = nats.copyStore(0);
  await nats.restart(0);
  await server.start();
  await server.client.indexAll('c', [{ id: 'a', title: 'lost' }]);
  await server.stop();
  await nats.kill(0);
  putBack();
  await nats.restart(0);
  const { code, stdout } = await runMain([...args, '--data-dir', server.dataDir, '--listen', '127.0.0.1:0']);
  assert.equal(code, 1);
  assert.match(stdout, /has applied the log of the cluster up to \d+, but that ends at \d+: NATS has lost writes/);
});
