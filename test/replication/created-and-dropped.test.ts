/**
 * A collection that another engine drops before the one that created it has heard of either.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ArrayLog, Replica } from './replicas.js';

test('a creation is answered with what it has made, though that is gone by then', async () => {
  const log = new ArrayLog();
  const [creator, other] = [new Replica(log), new Replica(log)];
  try {
    for (const replica of [creator, other]) await replica.open();
    const created = creator.engine.createCollection({ name: 'short', fields: [{ name: 'title', type: 'text' }] });
    other.deliver(1);
    await other.caughtUp();
    const dropped = other.engine.dropCollection('short');
    for (const replica of [creator, other]) replica.deliver(log.last - replica.delivered);
    for (const replica of [creator, other]) {
      await replica.caughtUp();
      replica.replicated.release(log.last);
    }
    await dropped;
    const { name, num_documents } = await created;
    assert.deepEqual({ name, num_documents }, { name: 'short', num_documents: 0 });
    assert.deepEqual(creator.engine.listCollections(), []);
  } finally {
    for (const replica of [creator, other]) await replica.dispose();
  }
});
