/**
 * What a commit says it changed: the collections it created, wrote to and dropped, and no others.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertPresent } from '../../engine/core/assert.js';
import { COLLECTION_DOCUMENTS_MAX } from '../../engine/core/limits.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { MemoryDirectory } from '../storage/memory-directory.js';
import { WriteHarness } from '../support/engine-writes.js';

const { collections } = new WriteHarness(new MemoryDirectory());

function create(name: string): number {
  const id = collections.nextId;
  collections.create(id, parseSchema({ name, fields: [{ name: 'title', type: 'text' }] }), 0);
  return id;
}

function index(id: number): void {
  collections.collect(id, new Uint8Array(Buffer.from('{"id":"1","title":"word"}')), 'json');
}

/** The numbers of the collections that a commit changed and dropped, and of those that takeChanged() tells of. */
function publish(): { changed: number[]; dropped: readonly number[]; taken: number[] } {
  collections.stage();
  const { changed, dropped } = collections.publish(0);
  const taken = [...collections.takeChanged()].map(({ id }) => id);
  return { changed: changed.map(({ id }) => id), dropped, taken };
}

test('a commit tells of the collections it changed and dropped, and of no other', () => {
  const [first, second, third] = ['first', 'second', 'third'].map(create);
  assert.deepEqual(publish(), { changed: [first, second, third], dropped: [], taken: [first, second, third] });
  assert.deepEqual(publish(), { changed: [], dropped: [], taken: [] });
  index(second);
  assert.deepEqual(publish(), { changed: [second], dropped: [], taken: [second] });
  index(first);
  collections.drop(first);
  const fourth = create('first');
  index(third);
  assert.deepEqual(publish(), { changed: [third, fourth], dropped: [first], taken: [third, fourth] });
  assert.equal(collections.find(first), null);
});

test('a collection that one commit creates and drops was never there', () => {
  const id = create('fleeting');
  index(id);
  collections.drop(id);
  assert.deepEqual(publish(), { changed: [], dropped: [], taken: [] });
  assert.equal(collections.find(id), null);
});

test('a commit that is discarded creates and drops nothing', () => {
  const kept = create('kept');
  publish();
  collections.drop(kept);
  const never = create('never');
  index(never);
  collections.discard();
  assert.deepEqual(publish(), { changed: [], dropped: [], taken: [] });
  assert.notEqual(collections.find(kept), null);
  assert.equal(collections.find(never), null);
  index(kept);
  create('never');
  assert.equal(publish().changed.length, 2);
});

test('a collection that has all the documents that it may have takes no more, and says so', () => {
  const id = create('crowded');
  index(id);
  publish();
  const [segment] = assertPresent(collections.find(id), 'crowded').segments;
  collections.readOf(id, (collection) => collection.checkCount());
  Object.defineProperty(segment, 'reader', { value: { maxDoc: COLLECTION_DOCUMENTS_MAX } });
  assert.throws(() => collections.readOf(id, (collection) => collection.checkCount()), {
    code: 'memory_full',
    message: /^collection "crowded": expected fewer than 1069547520 documents.*; it holds 1069547520$/u,
  });
});
