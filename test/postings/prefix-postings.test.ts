/**
 * Prefix postings against the plain union of the lists that they stand for.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIELDS_MAX } from '../../engine/core/limits.js';
import { PREFIX_LISTS_MIN, PREFIX_ROW_ENTRY_COUNT } from '../../engine/layout/postings.js';
import { rankByFrequency } from '../../engine/postings/impacts.js';
import type { PostingsReader } from '../../engine/postings/list-reader.js';
import { PostingsBuilder } from '../../engine/postings/postings-builder.js';
import { prefixPostingsMin } from '../../engine/postings/prefix-postings-writer.js';
import { randomNumbers } from '../support/engine-arena.js';
import { buildPostings, type FieldTokens, type TokenModel, termText, writeFramed } from '../support/engine-postings.js';
import { checkMerge, splitModel } from '../support/postings-merges.js';

const rank = rankByFrequency();
const TERMS = 900;
const NO_TOKENS: FieldTokens[] = [0, 1].map(() => ({ terms: [], positions: [] }));
/** A segment that long lists alone get prefix postings in, and small ones. */
const SIZES = [70_000, 9000, 2500];

/** Two fields; every other document has the second. Terms of low numbers are frequent. */
function makeSkewedModel(docs: number): TokenModel {
  const random = randomNumbers(11);
  const tokens = (count: number): FieldTokens => {
    const terms = Array.from({ length: count }, () => random(1 + random(TERMS)));
    return { terms, positions: terms.map((_, i) => i) };
  };
  return Array.from({ length: docs }, (_, doc) => [tokens(1 + random(6)), tokens(doc % 2 === 0 ? 0 : random(3))]);
}

function readEntry(reader: PostingsReader, entry: number): Map<number, number> {
  const df = reader.df(entry);
  const docs = new Uint32Array(df);
  const impacts = new Uint8Array(df);
  reader.readList(entry, docs, impacts, 0);
  return new Map(Array.from(docs, (doc, i) => [doc, impacts[i]]));
}

/** The best impact of each document over the lists of `field` of terms [low, high). */
function uniteLists(reader: PostingsReader, low: number, high: number, field: number): Map<number, number> {
  const union = new Map<number, number>();
  for (let entry = reader.firstEntry(low); entry < reader.firstEntry(high); entry++) {
    if (reader.field(entry) !== field) continue;
    for (const [doc, impact] of readEntry(reader, entry))
      if (rank[impact] > rank[union.get(doc) ?? 0]) union.set(doc, impact);
  }
  return new Map([...union].sort(([a], [b]) => a - b));
}

for (const docs of SIZES)
  test(`each prefix that begins many postings has the union of its lists, field by field, and no other has one: ${docs} documents`, () => {
    const { reader, prefixPostings, terms } = buildPostings(makeSkewedModel(docs), 2);
    assert.equal(termText(0).length > 2, true);
    let expected = 0;
    for (const length of [1, 2]) {
      const prefixes = new Set(terms.map((term) => term.slice(0, length)));
      for (const prefix of prefixes) {
        const low = terms.findIndex((term) => term.startsWith(prefix));
        const high = terms.findLastIndex((term) => term.startsWith(prefix)) + 1;
        const first = reader.firstEntry(low);
        const end = reader.firstEntry(high);
        let postings = 0;
        for (let entry = first; entry < end; entry++) postings += reader.df(entry);
        const span = prefixPostings.find(low, high);
        const isDue = end - first >= PREFIX_LISTS_MIN && postings >= prefixPostingsMin(docs);
        assert.equal(span !== null, isDue, `prefix ${prefix}`);
        if (span === null) continue;
        expected++;
        for (let entry = span.low; entry < span.high; entry++)
          assert.deepEqual(readEntry(reader, entry), uniteLists(reader, low, high, reader.field(entry)));
      }
    }
    assert.ok(expected > 2, 'there are prefix postings to look at');
    assert.equal(prefixPostings.find(0, 1), null);
  });

test('a damaged prefix has no more entries than a segment has fields', () => {
  const { reader, prefixPostings, terms } = buildPostings(makeSkewedModel(9000), 2);
  const { u32 } = reader.views;
  const letter = terms[0].slice(0, 1);
  const high = terms.findLastIndex((term) => term.startsWith(letter)) + 1;
  const span = prefixPostings.find(0, high);
  assert.ok(span !== null);
  const row = u32.findIndex((word, at) => word === 0 && u32[at + 1] === high && u32[at + 2] === span.low);
  assert.equal(u32[row + PREFIX_ROW_ENTRY_COUNT / 4], span.high - span.low);
  u32[row + PREFIX_ROW_ENTRY_COUNT / 4] = 0x7fffffff;
  const damaged = prefixPostings.find(0, high);
  assert.ok(damaged !== null && damaged.low === span.low && damaged.high <= span.low + FIELDS_MAX);
});

/** Sources that have prefix postings and common impacts, that have none, and both. */
const MERGES = [
  { docs: 70_000, count: 4, drop: 0 },
  { docs: 70_000, count: 3, drop: 300 },
  { docs: 9000, count: 2, drop: 0 },
  { docs: 9000, count: 6, drop: 900 },
  { docs: 2500, count: 5, drop: 20 },
];
for (const { docs, count, drop } of MERGES)
  test(`merged prefix postings are those of the surviving documents: ${docs} documents of ${count} sources, ${drop} of 1,000 dropped`, () => {
    const model = makeSkewedModel(docs);
    for (const seed of [3, 4, 5]) checkMerge(model, 2, splitModel(model, seed, count, drop));
  });

test('a source that loses the first term of a prefix unites its lists anew', () => {
  const model = makeSkewedModel(9000);
  const sources = [model.slice(0, 5000), model.slice(5000)];
  const { terms, prefixPostings } = buildPostings(sources[0], 2);
  const holds = (text: string, fields: readonly FieldTokens[]): boolean =>
    fields.some((field) => field.terms.some((term) => termText(term) === text));
  const firsts = terms.filter((text, i) => i === 0 || text[0] !== terms[i - 1][0]);
  const holders = firsts.map((text) => sources[0].filter((fields) => holds(text, fields)).length);
  const rarest = firsts[holders.indexOf(Math.min(...holders))];
  const low = terms.indexOf(rarest);
  const high = terms.findLastIndex((text) => text[0] === rarest[0]) + 1;
  assert.ok(prefixPostings.find(low, high) !== null && prefixPostings.find(low + 1, high) === null);
  const dropped = sources.map((source, s) => source.map((fields) => s === 0 && holds(rarest, fields)));
  checkMerge(model, 2, { sources, dropped });
});

test('the common impacts of a segment are found behind any of its bitsets, and are the lowest by frequency', () => {
  // Of the first chunk few documents have tokens: only the second has bitsets.
  const model = makeSkewedModel(140_000).map((fields, doc) => (doc < 65_536 && doc % 30 > 0 ? NO_TOKENS : fields));
  const { reader, prefixPostings } = buildPostings(model, 2);
  const lowest = new Uint8Array(model.length);
  for (let entry = 0; entry < reader.entryCount; entry++) {
    if (reader.field(entry) !== 0) continue;
    for (const [doc, impact] of readEntry(reader, entry))
      if (lowest[doc] === 0 || rank[impact] < rank[lowest[doc]]) lowest[doc] = impact;
  }
  const common = prefixPostings.commonImpacts(reader, 0, model.length);
  assert.ok(common !== null && Buffer.compare(common, lowest) === 0);
  assert.equal(prefixPostings.commonImpacts(reader, 7, model.length), null);
  checkMerge(model, 2, {
    sources: [model, model.slice(0, 100)],
    dropped: [model.map(() => false), model.slice(0, 100).map(() => false)],
  });
});

test('a term of one letter is no prefix of two', () => {
  // 40 fields have it, often enough for prefix postings of their own.
  const builder = new PostingsBuilder(new Array<boolean>(40).fill(true));
  const term = Buffer.from('a');
  const docs = 2000;
  for (let field = 0; field < 40; field++) for (let doc = 0; doc < docs; doc++) builder.add(field, doc, 0, term, 0, 1);
  const lengths = new Uint32Array(docs).fill(1);
  writeFramed(1 << 22, (out) => {
    const { prefixPostings } = builder.write(out, () => lengths, docs);
    assert.equal(prefixPostings.count, 1);
    return out.align(4);
  });
});
