/**
 * An engine that follows a log and meets damage comes to other outcomes than the others do: it says so for the rest of its life, whatever
 * becomes of the damaged collection, answers nobody with them, and leaves none of them in a snapshot.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { hasCode } from '../storage/expect-error.js';
import { flipBit } from '../upkeep/data-directory.js';
import { ArrayLog, assertEqualStates, Replica } from './replicas.js';

const schemaOf = (name: string): object => ({ name, fields: [{ name: 'title', type: 'text', facet: true }] });
const document = (id: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(JSON.stringify([{ id, title: `red shoe ${id}` }])));

/** Two replicas with the collections a and b in a snapshot, and the alias shop of a. */
async function withTwo(
  use: (sound: Replica, damaged: Replica, bring: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const log = new ArrayLog();
  const [sound, damaged] = [new Replica(log), new Replica(log)];
  const replicas = [sound, damaged];
  const bring = async (): Promise<void> => {
    for (const replica of replicas) {
      replica.deliver(log.last - replica.delivered);
      await replica.caughtUp();
      replica.replicated.release(log.last);
    }
  };
  try {
    for (const replica of replicas) await replica.open();
    const all: Promise<unknown>[] = [];
    const { engine } = sound;
    for (const name of ['a', 'b']) {
      all.push(engine.createCollection(schemaOf(name)));
      await bring();
      all.push(engine.indexDocuments(name, document(name), 'json'));
      await bring();
    }
    all.push(engine.aliases.put('shop', 'a'));
    await bring();
    await Promise.all(all);
    for (const replica of replicas) {
      await replica.close(true);
      assert.equal(replica.delivered, log.last);
    }
    await sound.open();
    await use(sound, damaged, bring);
  } finally {
    await Promise.all(replicas.map((replica) => replica.dispose()));
  }
}

/** Points the alias to b, drops a, which is only then possible, makes c and drops b; `by`: who asks. */
async function changeAll(by: Replica, bring: () => Promise<void>): Promise<string[]> {
  const { engine } = by;
  const outcomes: string[] = [];
  const writes = [
    () => engine.aliases.put('shop', 'b'),
    () => engine.dropCollection('a'),
    () => engine.createCollection(schemaOf('c')),
    () => engine.dropCollection('b', true),
  ];
  for (const write of writes) {
    const told = write().then(
      () => 'done',
      ({ code }: { readonly code: string }) => code,
    );
    await bring();
    outcomes.push(await told);
  }
  return outcomes;
}

test('damage that the start meets is told to the end, also when its collection is dropped, and no snapshot follows', () =>
  withTwo(async (sound, damaged, bring) => {
    const before = damaged.delivered;
    flipBit(join(damaged.folder, 'segment-000002.seg'), 40);
    await damaged.open();
    assert.equal(damaged.replicated.hasMetDamage, true);
    assert.deepEqual(await changeAll(sound, bring), ['done', 'done', 'done', 'done']);
    assert.deepEqual(
      damaged.engine.listCollections().map(({ name }) => name),
      ['a', 'c'],
    );
    assert.equal(damaged.engine.stats().damagedCollections, 0);
    assert.equal(damaged.replicated.hasMetDamage, true);
    await assert.rejects(damaged.engine.snapshot(), hasCode('corrupt_data', 'others'));
    await damaged.close(true);
    // The next start stands where this one did, and meets the damage again.
    await damaged.open();
    assert.equal(damaged.delivered, before);
    assert.equal(damaged.replicated.hasMetDamage, true);
    await damaged.close(false);
    flipBit(join(damaged.folder, 'segment-000002.seg'), 40);
    await damaged.open();
    await bring();
    assert.equal(damaged.replicated.hasMetDamage, false);
    await assertEqualStates([sound, damaged]);
  }));

test('who has met damage tells no outcome of its own writes', () =>
  withTwo(async (_, damaged, bring) => {
    flipBit(join(damaged.folder, 'segment-000002.seg'), 40);
    await damaged.open();
    const [alias, ...others] = await changeAll(damaged, bring);
    assert.equal(alias, 'corrupt_data', 'refused before it was asked for');
    assert.deepEqual(others, ['unknown_outcome', 'unknown_outcome', 'unknown_outcome']);
  }));
