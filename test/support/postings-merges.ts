/**
 * Cuts a model of documents into sources, merges their postings, and compares with the postings of what survives.
 */
import assert from 'node:assert/strict';
import { DROPPED_DOC, LAST_SOURCE, type MergeInput } from '../../engine/core/merge-input.js';
import { PostingsReader } from '../../engine/postings/list-reader.js';
import { mergePostings } from '../../engine/postings/postings-merger.js';
import { randomNumbers, resetRegions } from './engine-arena.js';
import { type BuiltPostings, buildPostings, type TokenModel, writeFramed } from './engine-postings.js';

/** The model cut into sources at random places, and which documents a merge drops. */
export interface Split {
  readonly sources: readonly TokenModel[];
  readonly dropped: readonly (readonly boolean[])[];
}

export function splitModel(model: TokenModel, seed: number, count: number, dropPermille: number): Split {
  const random = randomNumbers(seed);
  const cuts = Array.from({ length: count - 1 }, () => random(model.length + 1)).sort((a, b) => a - b);
  const edges = [0, ...cuts, model.length];
  const sources = edges.slice(1).map((to, i) => model.slice(edges[i], to));
  // A source loses none, some or all of its documents.
  const dropped = sources.map((source) => {
    const share = [0, dropPermille, dropPermille, 1000][random(4)];
    return source.map(() => random(1000) < share);
  });
  return { sources, dropped };
}

function mergeInputs({ dropped }: Split, built: readonly BuiltPostings[]): MergeInput<PostingsReader>[] {
  let base = 0;
  return built.map(({ reader }, s) => {
    const maxDoc = dropped[s].length;
    let next = base;
    const map = Uint32Array.from(dropped[s], (isDropped) => (isDropped ? DROPPED_DOC : next++));
    const input = { reader, maxDoc, base, map: next - base === maxDoc ? null : map, liveCount: next - base };
    base = next;
    return input;
  });
}

function concatenate(terms: readonly string[]): { count: number; bytes: Uint8Array; offsets: Uint32Array } {
  const offsets = new Uint32Array(terms.length + 1);
  terms.forEach((term, i) => {
    offsets[i + 1] = offsets[i] + Buffer.byteLength(term);
  });
  return { count: terms.length, bytes: Buffer.from(terms.join('')), offsets };
}

/** Merges, and checks that the outcome is byte for byte what building the surviving documents at once writes. */
export function checkMerge(model: TokenModel, fieldCount: number, split: Split): void {
  resetRegions();
  const built = split.sources.map((source) => buildPostings(source, fieldCount));
  const survivors = split.sources.flatMap((source, s) => source.filter((_, doc) => !split.dropped[s][doc]));
  const wanted = buildPostings(survivors, fieldCount);
  const union = [...new Set(built.flatMap(({ terms }) => terms))].sort();
  const sources = Uint8Array.from(
    union.flatMap((term) => {
      const having = [...built.keys()].filter((s) => built[s].terms.includes(term));
      return having.map((s) => (s === having.at(-1) ? s | LAST_SOURCE : s));
    }),
  );
  let kept: string[] = [];
  const views = writeFramed(65536 + model.length * 64, (out) => {
    const prefixes = built.map(({ prefixPostings }) => prefixPostings);
    const merged = mergePostings(out, mergeInputs(split, built), prefixes, { terms: concatenate(union), sources });
    kept = union.filter((_, i) => merged.keep[i] === 1);
    const { starts, table, count } = merged.entries;
    const reader = new PostingsReader(out.views, starts, table, count);
    assert.equal(reader.firstEntry(kept.length), count);
    return out.align(4);
  });
  assert.deepEqual(kept, wanted.terms);
  assert.ok(Buffer.compare(views.u8, wanted.bytes) === 0, 'merged bytes equal the bytes of postings built at once');
}
