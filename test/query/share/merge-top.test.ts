/**
 * The best documents of several parts put together, against those of all documents: more parts, and larger ones, than a chunk has
 * documents, in one segment and in several of several arenas.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SEARCH_WINDOW_MAX } from '../../../engine/core/limits.js';
import { SCRATCH_LUT } from '../../../engine/layout/scratch.js';
import { addTop, mergeTop } from '../../../engine/query/share/merge-top.js';
import { writePart } from '../../../engine/query/share/search-part.js';
import { type SortSpec, TEXT_MATCH } from '../../../engine/query/sort/parse-sort.js';
import type { SortSource } from '../../../engine/query/sort/sort-source.js';
import { TopDocs } from '../../../engine/query/sort/top-docs.js';
import { eachChunk, makeSegment } from '../sort/segments.js';

const PARTS = 8;
const DOCS = 100_000;
/** Of one segment's constant tables, which are made once and kept. */
const TABLE_WORDS = 64 * 1024;

const BY_VALUE: SortSpec = { keys: [{ field: 0, descending: true, keyword: false }] };
const BY_KEYWORD: SortSpec = { keys: [{ field: 1, descending: false, keyword: true }] };
const BY_SCORE: SortSpec = { keys: [{ field: TEXT_MATCH, descending: true, keyword: false }] };

/** Values that no order of documents sorts, a few of which are alike. */
const numberOf = (doc: number): number => (doc * 7919) % 99_991;
const scoreOf = (doc: number): number => Math.fround(numberOf(doc) / 8);

const sourceOf = (index: number, docs: number): SortSource =>
  makeSegment(index, docs, [
    Array.from({ length: docs }, (_, doc) => [BigInt(numberOf(doc))]),
    Array.from({ length: docs }, (_, doc) => [Buffer.from(`v${numberOf(doc) % 1000}`)]),
  ]);

/** Offers those documents of `source` that part `part` has. */
function offer(top: TopDocs, source: SortSource, index: number, part: number): void {
  const own = Array.from({ length: source.maxDoc }, (_, doc) => doc).filter((doc) => doc % PARTS === part);
  const scores = Array.from({ length: source.maxDoc }, (_, doc) => scoreOf(doc));
  top.beginSegment(source, index);
  eachChunk(source, own, scores, (base, list, count, acc) => top.collectChunk(base, list, count, acc));
}

function partOf(spec: SortSpec, sources: readonly SortSource[], size: number, part: number): Uint32Array {
  const top = new TopDocs();
  top.begin(spec, size);
  for (const [index, source] of sources.entries()) {
    source.binding.heap.reset();
    offer(top, source, index, part);
    top.endSegment();
  }
  const words = new Uint32Array(new SharedArrayBuffer(4 * (2 + 3 * size)));
  writePart(words, 0, top, null);
  return words;
}

const kept = (top: TopDocs): string[] =>
  Array.from({ length: top.finish() }, (_, rank) => `${top.segments[rank]}/${top.docs[rank]} ${top.scores[rank]}`);

/** What one thread finds. */
function expected(spec: SortSpec, sources: readonly SortSource[], size: number): string[] {
  const top = new TopDocs();
  top.begin(spec, size);
  for (const [index, source] of sources.entries()) {
    source.binding.heap.reset();
    const all = Array.from({ length: source.maxDoc }, (_, doc) => doc);
    const scores = all.map(scoreOf);
    top.beginSegment(source, index);
    eachChunk(source, all, scores, (base, list, count, acc) => top.collectChunk(base, list, count, acc));
    top.endSegment();
  }
  return kept(top);
}

for (const [name, spec] of Object.entries({ BY_VALUE, BY_KEYWORD, BY_SCORE })) {
  test(`parts of one segment that have more documents together than a chunk: ${name}`, () => {
    const sources = [sourceOf(0, DOCS)];
    const [{ binding }] = sources;
    const tables = binding.scratch.f32.subarray(SCRATCH_LUT / 4, SCRATCH_LUT / 4 + TABLE_WORDS);
    const parts = Array.from({ length: PARTS }, (_, part) => partOf(spec, sources, SEARCH_WINDOW_MAX, part));
    tables.fill(7);
    const wanted = expected(spec, sources, SEARCH_WINDOW_MAX);
    const top = new TopDocs();
    top.begin(spec, SEARCH_WINDOW_MAX);
    mergeTop(top, parts, sources, () => top.begin(spec, SEARCH_WINDOW_MAX));
    assert.deepEqual(kept(top), wanted);
    top.begin(spec, SEARCH_WINDOW_MAX);
    binding.heap.reset();
    offer(top, sources[0], 0, 0);
    addTop(top, parts.slice(1));
    top.endSegment();
    assert.deepEqual(kept(top), wanted);
    assert.ok(
      tables.every((value) => value === 7),
      'what is kept from search to search is left alone',
    );
    tables.fill(0);
  });

  test(`parts of several segments of several arenas: ${name}`, () => {
    const sources = [0, 1, 2].map((index) => sourceOf(index, 900 + 70 * index));
    const parts = Array.from({ length: PARTS - 1 }, (_, part) => partOf(spec, sources, 100, part + 1));
    const top = new TopDocs();
    top.begin(spec, 100);
    for (const [index, source] of sources.entries()) {
      source.binding.heap.reset();
      offer(top, source, index, 0);
      top.endSegment();
    }
    mergeTop(top, parts, sources, () => top.begin(spec, 100));
    assert.deepEqual(kept(top), expected(spec, sources, 100));
  });
}
