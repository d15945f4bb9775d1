/**
 * NATS has lost the end of the log: a node that has applied it does not start, and one that runs ends before it takes in what others
 * have written there since. Both say why.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NatsServers, needingNats } from '../support/nats-server.js';
import { runMain, type Server, startServer } from '../support/server.js';
import { until } from './test-node.js';

const OVERWRITTEN =
  /sequence \d+ of the cluster's log: expected message \d+ of one \(.*, got .*: NATS has lost the end of the log/;

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

test('nodes that run end where others have written on behind an older state', needingNats(), async (context) => {
  const nats = await NatsServers.start();
  context.after(() => nats.close());
  const [url = ''] = nats.urls;
  const start = async (name: string): Promise<Server> => {
    const args = ['--cluster', url, '--cluster-name', 'lost', '--cluster-node', name, '--cluster-lease-ms', '1000'];
    const server = await startServer({ args });
    context.after(() => server.dispose());
    return server;
  };
  const one = await start('one');
  await one.client.create({ name: 'c', fields: [{ name: 'title', type: 'text' }] });
  await nats.kill(0);
  const putBack = nats.copyStore(0);
  await nats.restart(0);
  await until(async () => (await one.client.get('/ready')).status === 200, 'ready again');
  for (const id of ['a', 'b', 'c', 'd']) await one.client.indexAll('c', [{ id, title: 'lost' }]);
  await nats.kill(0);
  putBack();
  await nats.restart(0);
  const other = await start('other');
  const untilMs = performance.now() + 60_000;
  for (let id = 0; !OVERWRITTEN.test(one.log); id++) {
    assert.ok(performance.now() < untilMs, 'the node has noticed nothing');
    await other.client.indexAll('c', [{ id: `${id}`, title: 'kept' }]);
  }
  assert.equal((await one.stop()).code, 1);
  assert.equal((await other.client.get('/collections/c/search?q=kept&limit=0')).status, 200);
});
