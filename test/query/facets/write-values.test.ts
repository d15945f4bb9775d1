/**
 * Keywords and their counts as kernels and TypeScript write them, against JSON.stringify(): any bytes and lengths, and damage.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertPresent } from '../../../engine/core/assert.js';
import { FACET_LIMIT_MAX } from '../../../engine/core/limits.js';
import { JsonWriter } from '../../../engine/documents/json-writer.js';
import { ValueRun } from '../../../engine/query/facets/value-run.js';
import { type TopEntries, writeEntries } from '../../../engine/query/facets/write-values.js';
import { NO_LIMIT } from '../../../engine/query/read-budget.js';
import type { SortSource } from '../../../engine/query/sort/sort-source.js';
import { makeSegment } from '../sort/segments.js';

interface Scene {
  readonly source: SortSource;
  readonly run: ValueRun;
  /** By entry of the run. */
  readonly texts: readonly string[];
}

/** A segment of which each text is the value of one document, and a run of all of them. */
function sceneOf(texts: readonly string[], count: (entry: number) => number): Scene {
  const source = makeSegment(0, texts.length, [texts.map((text) => [Buffer.from(text)])]);
  const column = assertPresent(source.column(0), 'column');
  const run = new ValueRun();
  run.begin(column, 0, texts.length);
  texts.forEach((_, doc) => {
    run.add(column.codeLo(doc), 0, count(doc));
  });
  return { source, run, texts };
}

function topOf({ run, texts }: Scene): TopEntries {
  const entries = Uint32Array.from(texts, (_, entry) => entry).reverse();
  return {
    topRuns: new Uint32Array(texts.length),
    topEntries: entries,
    topCounts: Uint32Array.from(entries, (entry) => run.counts[entry]),
  };
}

function write(scene: Scene, writer: JsonWriter): string {
  writeEntries(writer, 'keyword', [scene.run], [scene.source], topOf(scene), scene.texts.length, NO_LIMIT);
  return Buffer.from(writer.bytes()).toString();
}

const expected = ({ run, texts }: Scene): string =>
  texts
    .map((text, entry) => `${JSON.stringify(text)}:${run.counts[entry]}`)
    .reverse()
    .join(',');

const plain = fc.string({ unit: fc.constantFrom('a', 'Z', '7', ' ', '/', 'ü', '日', '🎉', '\u007f'), maxLength: 60 });
const special = fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', '\u0001', '\u001f', '/', 'é'), maxLength: 40 });
const long = fc.integer({ min: 0, max: 30_000 }).map((length) => 'long '.repeat(length / 5));
const mostly = fc.oneof(
  { weight: 60, arbitrary: plain },
  { weight: 1, arbitrary: special },
  { weight: 1, arbitrary: long },
);
const lists = fc.oneof(
  fc.uniqueArray(mostly, { minLength: 1, maxLength: FACET_LIMIT_MAX, size: 'max' }),
  fc.uniqueArray(fc.oneof(plain, special), { minLength: 1, maxLength: 300, size: 'max' }),
);

test('values are written as JSON has them', () => {
  const property = fc.property(lists, fc.nat(0xffffffff), fc.nat(9), (texts, seed, room) => {
    const scene = sceneOf(texts, (entry) => Math.floor(((seed >>> (entry % 32)) % 0xffffffff) + 1));
    // At any place of a word, and with less room than it takes.
    const writer = new JsonWriter(new Uint8Array(4096).subarray(room), 64 << 20);
    assert.equal(write(scene, writer), expected(scene));
  });
  fc.assert(property, { numRuns: 150 });
});

test('a dictionary that is damaged is told, and nothing is read behind the segment', () => {
  const scene = sceneOf(
    Array.from({ length: 40 }, (_, i) => `value ${i}`),
    () => 1,
  );
  const { column } = scene.run;
  for (const damage of [0xffffffff, 0x7fffffff, column.views.u8.length + 1]) {
    const kept = column.dictOffsets[7];
    column.dictOffsets[7] = damage;
    assert.throws(() => write(scene, new JsonWriter(new Uint8Array(4096), 64 << 20)), /the bytes lie in their source/);
    column.dictOffsets[7] = kept;
  }
  assert.equal(write(scene, new JsonWriter(new Uint8Array(4096), 64 << 20)), expected(scene));
});
