/**
 * Synonyms and stop words on the write side: what a collection may hold of them, what a refused change leaves, what commits
 * publish, and how damage to them is met.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SYNONYMS_MAX, TEXT_RULES_BYTES_MAX } from '../../engine/core/limits.js';
import type { TextRuleChange } from '../../engine/core/text-rules.js';
import { crc32c } from '../../engine/storage/files/crc32c.js';
import { MANIFEST_FILE } from '../../engine/storage/files/data-files.js';
import { decodeManifest, encodeManifest } from '../../engine/storage/files/manifest-file.js';
import { RECORD_SYNONYM } from '../../engine/storage/log/wal-records.js';
import type { WriteRequest } from '../../engine/writer/state/write-requests.js';
import {
  A,
  B,
  checkRefused,
  commit,
  create,
  drop,
  flipped,
  type Harness,
  idsOf,
  index,
  reopen,
  replace,
  twoCollections,
  write,
} from '../support/damaged-collections.js';
import { WriteHarness } from '../support/engine-writes.js';
import { SimulatedDirectory } from '../support/simulated-directory.js';
import { walFrames } from '../support/wal-frames.js';

const change = (one: TextRuleChange, collectionId = A, ticket = 1): WriteRequest => ({
  kind: 'rule',
  ticket,
  collectionId,
  change: one,
  bytes: 100,
});
const synonym = (id: string, ...synonyms: string[]): TextRuleChange => ({
  kind: 'synonym',
  id,
  rule: synonyms.length === 0 ? null : { root: null, synonyms },
});
const stopWords = (...words: string[]): TextRuleChange => ({
  kind: 'stop-words',
  stopWords: words.length === 0 ? null : { language: null, words },
});

async function codesOf(harness: WriteHarness, ...requests: WriteRequest[]): Promise<string[]> {
  const { answers } = await harness.path.commit(requests.map((request, ticket) => ({ ...request, ticket })));
  return requests.map((_, ticket) => {
    const error = answers.find((answer) => answer.ticket === ticket)?.error;
    return error === null || error === undefined ? '' : `${error.code}: ${error.message}`;
  });
}

async function oneCollection(): Promise<Harness> {
  const harness = new WriteHarness(new SimulatedDirectory());
  await write(harness, create('a'));
  return harness;
}

test('what is removed must be there', async () => {
  const harness = await oneCollection();
  const codes = await codesOf(
    harness,
    ...[synonym('x', 'a', 'b'), synonym('x'), synonym('x'), stopWords(), stopWords('the'), stopWords()].map((one) =>
      change(one),
    ),
    change(synonym('y', 'a', 'b'), 99),
  );
  assert.deepEqual(codes, [
    '',
    '',
    'synonym_not_found: there is no synonym with the id "x"',
    'stop_words_not_found: the collection has no stop words',
    '',
    '',
    'collection_not_found: the collection was deleted',
  ]);
  assert.deepEqual(harness.rules(A), []);
});

test('a collection holds 10,000 synonyms, of which each may still be replaced, and not one more', async () => {
  const harness = await oneCollection();
  const many = Array.from({ length: SYNONYMS_MAX }, (_, i) => change(synonym(`s${i}`, `a${i}`, `b${i}`), A, i));
  for (const { error } of (await harness.path.commit(many)).answers) assert.equal(error, null);
  const codes = await codesOf(harness, change(synonym('one-more', 'x', 'y')), change(synonym('s7', 'x', 'y')));
  assert.match(codes[0], /^invalid_synonym: synonyms of the collection: expected at most 10000, and/);
  assert.equal(codes[1], '');
  assert.equal(harness.rules(A).length, SYNONYMS_MAX);
  const again = reopen(harness);
  assert.deepEqual(again.rules(A), harness.rules(A));
  assert.deepEqual(await codesOf(again, change(synonym('s8')), change(synonym('one-more', 'x', 'y'))), ['', '']);
});

test('a word has at most 64 synonyms listed by all entries together; what is refused leaves what was there', async () => {
  const harness = await oneCollection();
  const words = (from: number, count: number): string[] => Array.from({ length: count }, (_, i) => `w${from + i}`);
  await write(harness, change(synonym('one', 'tv', ...words(0, 63))));
  await write(harness, change(synonym('two', 'TV', 'w63')));
  const before = harness.rules(A);
  const expected = 'invalid_synonym: synonyms of "tv": expected at most 64 words listed for it by all together, got 65';
  assert.deepEqual(await codesOf(harness, change(synonym('three', 'w64', 't-v', 'tv'))), [
    'invalid_synonym: synonyms of "tv": expected at most 64 words listed for it by all together, got 66',
  ]);
  assert.deepEqual(
    await codesOf(harness, change(synonym('two', 'tv', 'w63', 'w64')), change(synonym('new', 'p', 'q'))),
    [expected, ''],
  );
  assert.deepEqual(harness.rules(A), [...before, '["new",null,["p","q"]]'].sort());
  assert.deepEqual(reopen(harness).rules(A), harness.rules(A));
});

test('synonyms and stop words of a collection have a bound of bytes, and count in the memory of all until they are gone', async () => {
  const harness = await oneCollection();
  const large = (n: number): string => `${n}`.padEnd(250, 'x');
  const stop = Array.from({ length: 10_000 }, (_, i) => large(i));
  assert.deepEqual(await codesOf(harness, change(stopWords(...stop))), ['']);
  assert.equal(harness.memory.textRuleBytes, 10_000 * (250 + 32));
  const bytes = (count: number): number => count * (250 + 32);
  const codes: string[] = [];
  for (let i = 0; codes.at(-1) === undefined || codes.at(-1) === ''; i++)
    codes.push(
      ...(await codesOf(
        harness,
        change(synonym(`s${i}`, ...Array.from({ length: 60 }, (_, k) => large(100 * i + k)))),
      )),
    );
  assert.match(
    codes.at(-1) ?? '',
    /^invalid_synonym: synonyms and stop words of the collection: expected at most 4194304 bytes in all, got \d+$/,
  );
  const held = harness.memory.textRuleBytes;
  assert.ok(held <= TEXT_RULES_BYTES_MAX && held > TEXT_RULES_BYTES_MAX - bytes(61), `${held}`);
  assert.match(
    (await codesOf(harness, change(stopWords(...stop, ...stop))))[0],
    /^invalid_stop_words: .*expected at most 4194304 bytes/,
  );
  assert.equal(harness.memory.textRuleBytes, held);
  const again = reopen(harness);
  assert.equal(again.memory.textRuleBytes, held);
  await write(again, drop(A));
  assert.equal(again.memory.textRuleBytes, 0);
});

test('a change is published as what has changed, once, and to a start as all that there is', async () => {
  const harness = await oneCollection();
  const first = await harness.path.commit([change(synonym('x', 'a', 'b')), change(stopWords('the'), A, 2)]);
  assert.deepEqual(first.rules, [{ collectionId: A, changes: [synonym('x', 'a', 'b'), stopWords('the')] }]);
  assert.deepEqual((await harness.path.commit([index(A, ['a1'])])).rules, []);
  const second = await harness.path.commit([change(synonym('y', 'c', 'd')), index(A, ['a2'], 2)]);
  assert.deepEqual(second.rules, [{ collectionId: A, changes: [synonym('y', 'c', 'd')] }]);
  const { rules } = reopen(harness).path.publishAll();
  assert.deepEqual(
    rules.map(({ changes }) => changes.length),
    [3],
  );
});

test('a collection that is given the name of another has none of its synonyms', async () => {
  const harness = await oneCollection();
  await write(harness, change(synonym('x', 'a', 'b')));
  await commit(harness, drop(A), create('a'));
  const [{ id }] = harness.collections.all();
  assert.deepEqual(harness.rules(id), []);
  await harness.snapshot();
  assert.deepEqual(reopen(harness).rules(id), []);
});

test('a damaged record of a synonym refuses its collection alone, until it is repaired', async () => {
  const before = await twoCollections();
  await write(before, change(synonym('x', 'a', 'b')));
  await write(before, change(stopWords('the'), B));
  await write(before, index(B, ['b7']));
  const disk = before.directory.crash({ mode: 'kill' });
  const file =
    disk
      .list()
      .filter((name) => name.startsWith('wal-'))
      .at(-1) ?? '';
  const flip = (directory: SimulatedDirectory): void => {
    const frame = walFrames(directory.content(file)).find(({ type }) => type === RECORD_SYNONYM);
    assert.ok(frame);
    replace(directory, file, flipped(directory.content(file), frame.end - 1));
  };
  flip(disk);
  const harness = new WriteHarness(disk);
  await checkRefused(harness, file);
  assert.deepEqual(
    (await codesOf(harness, change(synonym('y', 'a', 'b')))).map((one) => one.split(':')[0]),
    ['corrupt_data'],
  );
  assert.deepEqual(harness.rules(B), ['{"language":null,"words":["the"]}']);
  const repaired = harness.directory.crash({ mode: 'kill' });
  flip(repaired);
  const again = new WriteHarness(repaired);
  assert.equal(again.collections.refused.count, 0);
  assert.deepEqual(again.rules(A), ['["x",null,["a","b"]]']);
});

test('a manifest that says something else of them refuses the collection alone', async () => {
  const before = await twoCollections();
  await write(before, change(synonym('x', 'a', 'b')));
  await write(before, change(synonym('x', 'a', 'b'), B));
  await before.snapshot();
  const disk = before.directory.crash({ mode: 'kill' });
  const manifest = decodeManifest(disk.content(MANIFEST_FILE), 'MANIFEST', crc32c);
  const collections = manifest.collections.map((entry) =>
    entry.id === A ? { ...entry, textRules: Uint8Array.of(0x93, 0xc0, 0xc0, 0xc0) } : entry,
  );
  replace(disk, MANIFEST_FILE, encodeManifest({ ...manifest, collections }, crc32c));
  const harness = new WriteHarness(disk);
  await checkRefused(harness, MANIFEST_FILE);
  assert.deepEqual(harness.rules(B), ['["x",null,["a","b"]]']);
  assert.equal(idsOf(harness, B).length, 5);
  const bytes = harness.memory.textRuleBytes;
  await harness.snapshot();
  assert.equal(harness.memory.textRuleBytes, bytes);
  await checkRefused(reopen(harness), MANIFEST_FILE);
});
