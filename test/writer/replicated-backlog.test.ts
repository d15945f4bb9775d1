/**
 * What a replicated log has brought is taken in its order, once, and its place moves only behind whole deliveries.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Delivery } from '../../engine/replication.js';
import { ReplicatedBacklog } from '../../engine/writer/replicated-backlog.js';
import { encodeRequest } from '../../engine/writer/state/request-records.js';
import type { WriterRequest } from '../../engine/writer/state/write-requests.js';

/** A delivery of deletions (d) and changes of schemas (c), each with the place and its number in it as its id. */
function delivery(sequence: number, kinds: string): Delivery {
  const records = [...kinds].map((kind, i) => {
    const about = { ticket: 1, collectionId: sequence };
    const request: WriterRequest =
      kind === 'c'
        ? { kind: 'change', ...about, change: { at: `${sequence}.${i}` }, isDryRun: false }
        : { kind: 'delete', ...about, documentId: `${sequence}.${i}` };
    return encodeRequest(request, 0);
  });
  return { sequence, isOwn: false, records, replayFrom: sequence + 1 };
}

const idOf = (request: WriterRequest): string => {
  if (request.kind === 'delete') return request.documentId;
  assert.ok(request.kind === 'change');
  return (request.change as { at: string }).at;
};

/** Takes and commits all there is; says what was taken, by commit, and where the log was after each. */
function takeAll(backlog: ReplicatedBacklog, places: number[]): string[][] {
  const commits: string[][] = [];
  while (backlog.count > 0) {
    const lone = backlog.takeLone();
    const taken: WriterRequest[] = lone === null ? backlog.takeGroup() : [lone];
    commits.push(taken.map(idOf));
    backlog.release();
    const last = Number.parseInt(taken.map(idOf).at(-1) ?? '0', 10);
    if (backlog.isInside) assert.ok((places.at(-1) ?? 0) < last, 'the place is behind a delivery that is half taken');
  }
  return commits;
}

test('whatever is delivered, again too, is taken once and in order, and the last place is told when all of it is', () => {
  const anyDeliveries = fc.array(
    fc.record({ kinds: fc.stringMatching(/^[dc]{0,4}$/), back: fc.integer({ min: 0, max: 3 }), take: fc.boolean() }),
    { minLength: 1, maxLength: 20 },
  );
  fc.assert(
    fc.property(anyDeliveries, (steps) => {
      const places: number[] = [];
      const backlog = new ReplicatedBacklog(0, (sequence, replayFrom) => {
        assert.equal(replayFrom, sequence + 1);
        places.push(sequence);
      });
      const all = steps.map(({ kinds }, i) => delivery(i + 1, kinds));
      const taken: string[] = [];
      steps.forEach(({ back, take }, i) => {
        for (const again of all.slice(Math.max(0, i - back), i + 1)) backlog.deliver(again);
        if (take) taken.push(...takeAll(backlog, places).flat());
      });
      taken.push(...takeAll(backlog, places).flat());
      const expected = steps.flatMap(({ kinds }, i) => [...kinds].map((_, at) => `${i + 1}.${at}`));
      assert.deepEqual(taken, expected);
      assert.equal(places.at(-1), steps.length);
      assert.deepEqual(
        places,
        [...places].sort((a, b) => a - b),
      );
      assert.equal(backlog.isInside, false);
      assert.equal(backlog.bytes, 0);
    }),
  );
});

test('a change of a schema is committed alone, between what comes before and after it', () => {
  const backlog = new ReplicatedBacklog(4, () => {});
  backlog.deliver(delivery(5, 'ddcd'));
  backlog.deliver(delivery(6, 'd'));
  assert.deepEqual(takeAll(backlog, []), [['5.0', '5.1'], ['5.2'], ['5.3', '6.0']]);
});

test('no snapshot begins in the middle of a delivery', () => {
  const backlog = new ReplicatedBacklog(0, () => {});
  backlog.deliver(delivery(1, 'dcd'));
  const inside: boolean[] = [];
  while (backlog.count > 0) {
    if (backlog.takeLone() === null) backlog.takeGroup();
    inside.push(backlog.isInside);
  }
  assert.deepEqual(inside, [true, true, false]);
});
