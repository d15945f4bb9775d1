/**
 * Aliases on the write side: whose names they may be, what a refused change leaves, what happens to them when collections go or
 * prove to be damaged, and how damage to them is met.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALIASES_MAX } from '../../engine/core/limits.js';
import { RECORD_ALIAS } from '../../engine/storage/log/wal-records.js';
import type { WriteRequest } from '../../engine/writer/state/write-requests.js';
import {
  A,
  B,
  commit,
  create,
  drop,
  flipped,
  type Harness,
  idsOf,
  index,
  reopen,
  replace,
  SEGMENT,
  twoCollections,
  write,
} from '../support/damaged-collections.js';
import { walFrames } from '../support/wal-frames.js';

const alias = (name: string, collectionId: number | null): WriteRequest => ({
  kind: 'alias',
  ticket: 1,
  change: { name, collectionId },
});
const force = (collectionId: number): WriteRequest => ({ kind: 'drop', ticket: 1, collectionId, force: true });

/** Error codes of requests that commit together, in order; '' for none. */
async function codesOf(harness: Harness, ...requests: WriteRequest[]): Promise<string[]> {
  const answers = await commit(harness, ...requests.map((request, ticket) => ({ ...request, ticket })));
  return requests.map((_, ticket) => answers.find((answer) => answer.ticket === ticket)?.error?.code ?? '');
}

const aliasesOf = ({ aliases }: Harness): object => Object.fromEntries([...aliases].sort());

test('a name stands for one collection: each request finds what those before it in its commit have made', async () => {
  const harness = await twoCollections();
  const codes = await codesOf(
    harness,
    ...[alias('x', A), alias('x', B), alias('a', B), alias('b', B), alias('y', 99), alias('y', null), create('x')],
    ...[alias('x', null), alias('x', null), create('x'), alias('x', A)],
  );
  assert.deepEqual(codes, [
    ...['', '', 'collection_exists', 'collection_exists', 'collection_not_found', 'alias_not_found'],
    ...['collection_exists', '', 'alias_not_found', '', 'collection_exists'],
  ]);
  assert.deepEqual(aliasesOf(harness), {});
  assert.deepEqual(aliasesOf(reopen(harness)), {});
});

test('a collection goes with its aliases when it is forced to, and their names are free in the same commit', async () => {
  const harness = await twoCollections();
  await write(harness, alias('x', A));
  await write(harness, alias('y', A));
  await write(harness, alias('z', B));
  assert.deepEqual(await codesOf(harness, drop(A), alias('y', B), force(A), alias('x', B), create('a'), drop(B)), [
    ...['collection_has_aliases', '', '', '', '', 'collection_has_aliases'],
  ]);
  assert.deepEqual(aliasesOf(harness), { x: B, y: B, z: B });
  for (const again of [reopen(harness), reopen(reopen(harness))])
    assert.deepEqual(aliasesOf(again), { x: B, y: B, z: B });
  await harness.snapshot();
  assert.deepEqual(aliasesOf(reopen(harness)), { x: B, y: B, z: B });
});

test(`there are ${ALIASES_MAX} aliases, of which each may still be pointed elsewhere, and not one more`, async () => {
  const harness = await twoCollections();
  const many = Array.from({ length: ALIASES_MAX }, (_, i) => alias(`x${i}`, A));
  assert.ok((await codesOf(harness, ...many)).every((code) => code === ''));
  assert.deepEqual(await codesOf(harness, alias('more', A), alias('x7', B), alias('x8', null), alias('more', A)), [
    ...['invalid_alias', '', '', ''],
  ]);
  const { x7, more, x8 } = aliasesOf(reopen(harness)) as Record<string, number>;
  assert.deepEqual([x7, more, x8], [B, A, undefined]);
});

test('aliases of a damaged collection stay, can be pointed elsewhere, and come back with it', async () => {
  const before = await twoCollections();
  await write(before, alias('old', A));
  await before.snapshot();
  await write(before, alias('x', A));
  await write(before, alias('y', A));
  await write(before, index(A, ['a7']));
  const disk = before.directory.crash({ mode: 'kill' });
  const sound = disk.content(SEGMENT).slice();
  replace(disk, SEGMENT, flipped(sound, 8));
  const harness: Harness = reopen({ directory: disk } as Harness);
  assert.equal(harness.collections.refused.count, 1);
  assert.deepEqual(aliasesOf(harness), { old: A, x: A, y: A });
  assert.deepEqual(await codesOf(harness, alias('z', A), drop(A), alias('x', B), create('old')), [
    ...['corrupt_data', 'collection_has_aliases', '', 'collection_exists'],
  ]);
  await harness.snapshot();
  await write(harness, alias('y', null));
  const later = harness.directory.crash({ mode: 'kill' });
  assert.deepEqual(aliasesOf(reopen(harness)), { old: A, x: B });
  replace(later, SEGMENT, sound);
  const repaired: Harness = reopen({ directory: later } as Harness);
  assert.equal(repaired.collections.refused.count, 0);
  assert.deepEqual(aliasesOf(repaired), { old: A, x: B });
  assert.ok(idsOf(repaired, A).includes('a7'));
  assert.deepEqual(await codesOf(harness, force(A), create('a')), ['', '']);
  assert.deepEqual(aliasesOf(reopen(harness)), { x: B });
});

test('a damaged record of an alias refuses the start: nobody knows what the name stands for', async () => {
  const before = await twoCollections();
  await write(before, alias('x', A));
  await write(before, index(B, ['b7']));
  const disk = before.directory.crash({ mode: 'kill' });
  const file = disk.list().findLast((name) => name.startsWith('wal-')) ?? '';
  const frame = walFrames(disk.content(file)).find(({ type }) => type === RECORD_ALIAS);
  assert.ok(frame);
  replace(disk, file, flipped(disk.content(file), frame.end - 1));
  assert.throws(
    () => reopen({ directory: disk } as Harness),
    /creates or deletes a collection or an alias, and without/,
  );
});
