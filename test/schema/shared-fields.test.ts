/**
 * Collections of equal fields share the objects that say so, wherever they came from, and nothing is kept for those that
 * are gone.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { UpdateUnpacker } from '../../engine/channel/packed-updates.js';
import { unpackView } from '../../engine/channel/posted-views.js';
import { collectGarbage } from '../../engine/memory/collect-garbage.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { SharedFields } from '../../engine/schema/shared-fields.js';
import { viewCollection } from '../../engine/writer/state/collection-views.js';
import { MemoryDirectory } from '../storage/memory-directory.js';
import { WriteHarness } from '../support/engine-writes.js';

const schemaOf = (name: string, ...fields: string[]) =>
  parseSchema({ name, fields: fields.map((field) => ({ name: field, type: 'text' })) });

test('equal fields are shared, and what else a schema says is its own', () => {
  const shared = new SharedFields();
  const one = shared.share(schemaOf('one', 'a', 'b'));
  const two = shared.share(schemaOf('two', 'a', 'b'));
  assert.equal(two.fields, one.fields);
  assert.equal(two.name, 'two');
  assert.equal(shared.share(one), one);
  assert.notEqual(shared.share(schemaOf('three', 'b', 'a')).fields, one.fields);
  assert.equal(shared.size, 2);
  const stemmed = (stem: string) => parseSchema({ name: 'stemmed', fields: [{ name: 'a', type: 'text', stem }] });
  assert.notEqual(shared.share(stemmed('english')).fields, shared.share(schemaOf('plain', 'a')).fields);
  assert.notEqual(shared.share(stemmed('english')).fields, shared.share(stemmed('german')).fields);
  assert.equal(shared.share(stemmed('german')).fields, shared.share(stemmed('german')).fields);
});

test('fields that nobody has are forgotten', async () => {
  const shared = new SharedFields();
  const kept = shared.share(schemaOf('kept', 'a'));
  for (let n = 0; n < 1000; n++) {
    shared.share(schemaOf('gone', `own${n}`));
    // What a job has made stays until it ends.
    if (n % 50 === 0) await sleep(0);
    if (n % 50 === 0) collectGarbage();
  }
  assert.ok(shared.size < 500, `${shared.size} of one that is left`);
  assert.equal(shared.share(schemaOf('other', 'a')).fields, kept.fields);
});

test('the writer shares the fields of what it creates, replays and opens, and each other thread those of what it hears', async () => {
  const harness = new WriteHarness(new MemoryDirectory());
  for (const name of ['one', 'two', 'three'])
    await harness.path.commit([{ kind: 'create', ticket: 1, schema: schemaOf(name, 'a', 'b') }]);
  const assertShared = ({ collections }: WriteHarness, ...others: object[]): void => {
    const all = [...Array.from(collections.all(), ({ schema }) => schema.fields), ...others];
    assert.equal(new Set(all).size, 1);
  };
  assertShared(harness);
  assertShared(new WriteHarness(harness.directory));
  await harness.snapshot();
  const restored = new WriteHarness(harness.directory);
  assertShared(restored, ...restored.snapshots.manifest.collections.map(({ schema }) => schema.fields));

  const unpacker = new UpdateUnpacker();
  const shared = new SharedFields();
  const heard = new Set<object>();
  const viewed = new Set<object>();
  for (const collection of restored.collections.all()) {
    const update = unpacker.unpack(structuredClone({ kind: 'collection', collection: collection.describe() } as const));
    assert.ok(update.kind === 'collection');
    heard.add(update.collection.schema.fields);
    viewed.add(unpackView(structuredClone(viewCollection(collection)), undefined, shared).view.fields);
  }
  assert.equal(heard.size, 1);
  assert.equal(viewed.size, 1);
});
