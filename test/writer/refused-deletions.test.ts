/**
 * A deletion by a filter that cannot be carried out to its end deletes nothing, whatever it had found by then, and nothing of
 * the writes that commit with it is lost.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '../../engine/core/errors.js';
import { WritePath } from '../../engine/writer/commit/write-path.js';
import type { DocumentMatcher } from '../../engine/writer/state/document-matcher.js';
import { A, type Harness, idsOf, index, reopen, twoCollections } from '../support/damaged-collections.js';

/** Finds the first document of the first segment, and has no room for the filter in the next. */
const fullHeap: DocumentMatcher = {
  match: (_filter, _schema, _segments, take) => {
    take(0, 1);
    throw new EngineError('overloaded', 'no scratch memory is left');
  },
};

const deleteAll = { kind: 'delete-matching', ticket: 7, collectionId: A, filter: '' } as const;

test('a deletion that ends in its middle is taken back, alone', async () => {
  const harness: Harness = await twoCollections();
  const before = idsOf(harness, A);
  const path = new WritePath(harness.collections, harness.memory, harness.wal, harness, true, fullHeap);
  const { answers } = await path.commit([index(A, ['first'], 1), deleteAll, index(A, ['last'], 2)]);
  assert.deepEqual(answers.map(({ ticket, error }) => [ticket, error?.code ?? null]).sort(), [
    [1, null],
    [2, null],
    [7, 'overloaded'],
  ]);
  assert.deepEqual(idsOf(harness, A), [...before, 'first', 'last']);
  assert.deepEqual(idsOf(reopen(harness), A), [...before, 'first', 'last'], 'as the log has it');
});
