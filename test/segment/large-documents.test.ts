/**
 * Documents that take far more memory than their bytes tell: room for them is asked for while they are collected, and what is
 * refused leaves nothing. Documents that are many, and not large, never ask.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { IGNORED_OUTCOMES } from '../../engine/documents/batch-report.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { PendingDocuments } from '../../engine/segment/pending-documents.js';
import type { WriteRequest } from '../../engine/writer/state/write-requests.js';
import { MemoryDirectory } from '../storage/memory-directory.js';
import { WriteHarness } from '../support/engine-writes.js';

const MIB = 1 << 20;
const BYTES_MAX = 4 * MIB;
const SCHEMA = parseSchema({
  name: 'c',
  fields: [
    { name: 'title', type: 'text' },
    { name: 'kinds', type: 'keyword', facet: true },
    { name: 'sizes', type: 'int', filter: true },
  ],
});

const bodyOf = (documents: unknown): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(JSON.stringify(documents)));
const inBase36 = (count: number): string[] => Array.from({ length: count }, (_, i) => i.toString(36));

/** What collecting `documents` asks for, one after another, when everything is granted. */
function claimsOf(documents: readonly object[]): number[] {
  const claims: number[] = [];
  const pending = new PendingDocuments(SCHEMA, 1, BYTES_MAX, (bytes) => claims.push(bytes));
  pending.collect(bodyOf(documents), 'json', IGNORED_OUTCOMES, () => pending.reset());
  return claims;
}

const LARGE: readonly (readonly [string, object, number])[] = [
  ['short words', { title: 'a b '.repeat(1_000_000) }, 2_000_000 * 24],
  ['distinct words', { title: inBase36(400_000).join(' ') }, 400_000 * 160],
  ['letters that become several words', { title: '\ufdfa'.repeat(300_000) }, 900_000 * 24],
  ['numbers', { sizes: Array.from({ length: 1_000_000 }, (_, i) => i % 10) }, 1_000_000 * 20],
  ['keywords', { kinds: inBase36(500_000) }, 500_000 * 30],
  ['escaped keywords', { kinds: Array.from({ length: 40 }, () => '\n'.repeat(500_000)) }, 20_000_000],
];

for (const [what, fields, bytesMin] of LARGE) {
  test(`one document of many ${what} asks for room, and may be refused`, () => {
    const claims = claimsOf([{ id: '1', ...fields }]);
    assert.ok(claims.length > 0 && claims.length < 40, `asked ${claims.length} times`);
    assert.deepEqual(
      claims,
      claims.toSorted((a, b) => a - b),
    );
    assert.ok(claims[claims.length - 1] >= bytesMin, `asked for ${claims[claims.length - 1]} bytes`);
    const refusal = new Error('no room');
    let isFull = true;
    const pending = new PendingDocuments(SCHEMA, 1, BYTES_MAX, () => {
      if (isFull) throw refusal;
    });
    const collect = (documents: unknown): void =>
      pending.collect(bodyOf(documents), 'json', IGNORED_OUTCOMES, () =>
        assert.equal(what, 'escaped keywords', 'only what stands alone is written before it is asked for'),
      );
    assert.throws(() => collect([{ id: '0' }, { id: '1', ...fields }]), refusal);
    assert.equal(pending.endsInBatch, true);
    pending.reset();
    collect([{ id: '2', title: 'little' }]);
    assert.equal(pending.documentCount, 1);
    pending.reset();
    isFull = false;
    collect([{ id: '1', ...fields }]);
    assert.equal(pending.documentCount, 1);
  });
}

test('documents of a few kilobytes never ask, however many they are and whatever they hold', () => {
  const word = fc.oneof(fc.constantFrom('a', 'b', '1', 'ﷺ'), fc.base64String({ maxLength: 9 }), fc.string());
  const fields = fc.record(
    {
      title: fc.array(word, { minLength: 10, maxLength: 100 }).map((words) => words.join(' ')),
      kinds: fc.array(word, { maxLength: 40 }),
      sizes: fc.array(fc.integer(), { maxLength: 100 }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(fields, { minLength: 20, maxLength: 40 }), fc.boolean(), (some, isNumbered) => {
      const documents = Array.from({ length: 12_000 }, (_, id) => {
        const { title = '', ...others } = some[id % some.length];
        return { id, title: isNumbered ? title.replaceAll(' ', ` ${id.toString(36)}`) : title, ...others };
      });
      assert.deepEqual(claimsOf(documents), []);
    }),
    { numRuns: 6 },
  );
});

test('a document that the memory has no room for is refused, alone in its batch or not, and leaves nothing', async () => {
  const harness = new WriteHarness(new MemoryDirectory(), true, false, { memoryBytes: 192 * MIB });
  await harness.path.commit([{ kind: 'create', ticket: 0, schema: SCHEMA }]);
  const index = (ticket: number, documents: unknown): WriteRequest => ({
    kind: 'index',
    ticket,
    collectionId: 1,
    body: bodyOf(documents),
    format: 'json',
  });
  const huge = { id: 'huge', title: 'a b '.repeat(1_500_000) };
  const { answers, stats } = await harness.path.commit([
    index(1, [{ id: 'first' }]),
    index(2, [{ id: 'beside' }, huge]),
  ]);
  const codes = [1, 2].map((ticket) => answers.find((answer) => answer.ticket === ticket)?.error?.code ?? '');
  assert.deepEqual(codes, ['', 'memory_full']);
  assert.equal(stats.memoryRefusals, 1);
  const beside: WriteRequest = { kind: 'create', ticket: 4, schema: { ...SCHEMA, name: 'd' } };
  const created = await harness.path.commit([beside, index(5, [huge])]);
  const numbers = created.answers.flatMap((answer) =>
    answer.ticket === 4 && 'collectionId' in answer ? [answer.collectionId] : [],
  );
  assert.deepEqual(numbers, [2], 'numbers do not depend on what was refused beside them');
  const later = await harness.path.commit([index(3, [{ id: 'later', title: 'a b' }])]);
  assert.equal(later.answers[0].error, null);
  assert.equal(harness.documents(1)?.length, 2);
  assert.equal(new WriteHarness(harness.directory.clone()).documents(1)?.length, 2);
});
