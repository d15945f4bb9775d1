/**
 * Many writes for a damaged collection among many for a sound one, in one commit: each batch is read once, or once more
 * where the damage is met in the middle of a batch.
 */
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { EngineError } from '../../engine/core/errors.js';
import { BatchReport } from '../../engine/documents/batch-report.js';
import { PendingDocuments } from '../../engine/segment/pending-documents.js';
import type { WriteAnswer, WriteRequest } from '../../engine/writer/state/write-requests.js';
import {
  A,
  B,
  commit,
  drop,
  type Harness,
  idsOf,
  index,
  remove,
  reopen,
  twoCollections,
} from '../support/damaged-collections.js';

const BATCHES = 100;

/** Batches of two documents for A and for B in turn; those for A have even tickets. */
const batches = (): WriteRequest[] =>
  Array.from({ length: 2 * BATCHES }, (_, ticket) =>
    index(ticket % 2 === 0 ? A : B, [`x${ticket}`, `y${ticket}`], ticket),
  );

/** The answers that `work` gives, and how many batches it reads. */
async function countBatches(
  work: () => Promise<readonly WriteAnswer[]>,
): Promise<{ readonly answers: readonly WriteAnswer[]; readonly count: number }> {
  const collect = mock.method(PendingDocuments.prototype, 'collect');
  try {
    const answers = await work();
    return { answers, count: collect.mock.callCount() };
  } finally {
    collect.mock.restore();
  }
}

/** Everything for A was refused as damaged, everything for B done. */
function checkAnswers(harness: Harness, answers: readonly WriteAnswer[]): void {
  const codes = [...answers].sort((a, b) => a.ticket - b.ticket).map(({ error }) => error?.code ?? '');
  assert.deepEqual(
    codes,
    Array.from({ length: 2 * BATCHES }, (_, ticket) => (ticket % 2 === 0 ? 'corrupt_data' : '')),
  );
  const expected = Array.from({ length: BATCHES }, (_, at) => [`x${2 * at + 1}`, `y${2 * at + 1}`]).flat();
  for (const one of [harness, reopen(harness)]) assert.deepEqual(idsOf(one, B).slice(-2 * BATCHES), expected);
}

/** Refuses A, as the writer does between two commits. */
function refuseA(harness: Harness): void {
  const collection = harness.collections.find(A);
  assert.ok(collection !== null);
  harness.collections.suspect(collection, new EngineError('corrupt_data', 'injected'));
  assert.ok(harness.path.refuseSuspects(harness.snapshots.manifest) !== null);
}

test('batches for a refused collection are not read, and those for others once', async () => {
  const harness = reopen(await twoCollections());
  refuseA(harness);
  const { answers, count } = await countBatches(() => commit(harness, ...batches()));
  assert.equal(count, BATCHES);
  checkAnswers(harness, answers);
});

/** Makes each document of A whose id begins with y meet damage. */
function meetDamage(harness: Harness): () => void {
  const { accept } = BatchReport.prototype;
  const met = mock.method(
    BatchReport.prototype,
    'accept',
    function (this: BatchReport, bytes: Uint8Array, start: number, end: number) {
      const id = Buffer.from(bytes.subarray(start, end)).toString();
      if (id.startsWith('y') && Number(id.slice(1)) % 2 === 0)
        throw new EngineError('corrupt_data', 'injected: damage');
      accept.call(this, bytes, start, end);
    },
  );
  assert.equal(harness.collections.refused.count, 0);
  return () => met.mock.restore();
}

test('where a batch meets damage in its middle, the commit is begun anew once, without its collection', async () => {
  const harness = reopen(await twoCollections());
  const restore = meetDamage(harness);
  try {
    const { answers, count } = await countBatches(() => commit(harness, ...batches()));
    assert.ok(count <= BATCHES + 2, `${count} batches were read`);
    checkAnswers(harness, answers);
  } finally {
    restore();
  }
});

test('so it is when the batches were begun while the disk worked on the commit before', async () => {
  const harness = reopen(await twoCollections());
  const all = batches();
  const restore = meetDamage(harness);
  try {
    const { answers, count } = await countBatches(async () => {
      const prepare = (): void => {
        for (const request of all) if (!harness.path.prepare(request)) break;
      };
      await harness.path.commit([index(B, ['before'], 1000)], prepare);
      return commit(harness, ...all);
    });
    assert.ok(count <= BATCHES + 4, `${count} batches were read`);
    checkAnswers(harness, answers);
  } finally {
    restore();
  }
});

test('a collection that proves to be damaged can be dropped in the same commit', async () => {
  const harness = reopen(await twoCollections());
  const restore = meetDamage(harness);
  try {
    const requests = [index(A, ['x0', 'y0'], 0), remove(A, 'a2'), { ...drop(A), ticket: 2 }, index(A, ['x4'], 3)];
    const answers = await commit(harness, ...requests);
    assert.deepEqual(answers.map(({ ticket, error }) => [ticket, error?.code ?? '']).sort(), [
      [0, 'corrupt_data'],
      [1, 'corrupt_data'],
      [2, ''],
      [3, 'collection_not_found'],
    ]);
    assert.equal(harness.documents(A), null);
    assert.equal(reopen(harness).documents(A), null);
  } finally {
    restore();
  }
});
