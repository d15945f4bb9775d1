/**
 * Highlights of documents against the naive reading of the rules, and their bounds.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { HIGHLIGHT_READ_BYTES_MAX, HIGHLIGHT_WORDS_MAX, SNIPPET_BYTES_MAX } from '../../../engine/core/limits.js';
import { ReadStopped } from '../../../engine/core/read-stopped.js';
import { JsonWriter } from '../../../engine/documents/json-writer.js';
import { Highlighter } from '../../../engine/query/highlight/highlighter.js';
import type { HighlightSpec } from '../../../engine/query/highlight/parse-highlight.js';
import type { MarkingClause } from '../../../engine/query/highlight/term-marks.js';
import { CHECK_EVERY, NO_LIMIT } from '../../../engine/query/read-budget.js';
import type { SearchableSegment } from '../../../engine/segment/searchable-segment.js';
import type { QueryToken } from '../../../engine/text/query-tokens.js';
import { type Highlight, highlightOracle, type Marker } from '../../oracle/highlight.js';
import { resetRegions } from '../../support/engine-arena.js';
import { buildSegment, engineSchema } from '../../support/engine-collection.js';
import { packRanges } from '../../support/segment-ranges.js';
import type { FieldValue } from '../../support/wire.js';

const FIELDS = ['title', 'body'] as const;
const flags = { index: true, facet: false, filter: false, sort: false, boost: null };
const schema = engineSchema({
  fields: FIELDS.map((name) => ({ ...flags, name, type: 'text' })),
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: null,
});

/** What a clause marks, in words. */
interface Clause {
  readonly terms: readonly string[];
  readonly prefix: string | null;
  readonly phrases: readonly (readonly string[])[];
}

const encoder = new TextEncoder();
const tokenOf = (term: string): QueryToken => ({
  bytes: encoder.encode(term),
  text: term,
  codePoints: 1,
  digitsOnly: false,
});

function marking({ terms, prefix, phrases }: Clause, segments: readonly SearchableSegment[]): MarkingClause {
  const ranges = segments.map(({ reader: { dictionary, postings } }) =>
    terms.flatMap((term) => {
      const { bytes } = tokenOf(term);
      const ord = dictionary.find(bytes, 0, bytes.length);
      return ord < 0 ? [] : [postings.firstEntry(ord), postings.firstEntry(ord + 1), 0];
    }),
  );
  const tokens = phrases.map((phrase) => phrase.map(tokenOf));
  return { prefix: prefix === null ? null : tokenOf(prefix), ranges: packRanges(ranges), phrases: tokens };
}

type Documents = readonly { readonly [field: string]: FieldValue | undefined }[];
type Highlights = Readonly<Record<string, Highlight>>;

/** The highlights of documents, each batch of them a segment, in order. */
function highlight(
  batches: readonly Documents[],
  clauses: readonly Clause[],
  given: Partial<HighlightSpec> = {},
): Highlights[] {
  resetRegions();
  let id = 0;
  const segments = batches.map((batch) =>
    buildSegment(
      schema,
      batch.map((each) => ({ id: `${id++}`, ...each })),
    ),
  );
  const [open, close] = [encoder.encode('<b>'), encoder.encode('</b>')];
  const spec = { fields: [0, 1], open, close, snippetTokens: 0, ...given };
  const highlighter = new Highlighter(NO_LIMIT);
  highlighter.begin(spec, {
    schema,
    segments,
    queried: [0, 1],
    clauses: clauses.map((clause) => marking(clause, segments)),
  });
  for (const [s, batch] of batches.entries()) for (const doc of batch.keys()) highlighter.add(s, doc);
  return batches.flat().map((_, hit) => {
    const out = new JsonWriter(new Uint8Array(0), 1 << 28);
    highlighter.write(out, hit);
    const member = Buffer.from(out.bytes()).toString();
    return (JSON.parse(`{${member.slice(1)}}`) as { highlight: Highlights }).highlight;
  });
}

const WORDS = [
  'wire',
  'Wired',
  'wires',
  'café',
  'a',
  'A',
  'b',
  'c&d',
  '<x>',
  '"q"',
  "it's",
  '東京',
  'ひらかな',
  'ｶﾅ',
  'x½y',
];
const TERMS = [
  'wire',
  'wired',
  'wires',
  'cafe',
  'a',
  'b',
  'c',
  'd',
  'x',
  'q',
  '東',
  '京',
  'ひら',
  'らか',
  'カナ',
  'x1',
  'it',
];
const string = fc
  .array(fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(' ', ' ', ', ', '', '\n')), { maxLength: 14 })
  .map((parts) => parts.map((part) => part.join('')).join(''));
const value: fc.Arbitrary<FieldValue> = fc.oneof(
  { weight: 3, arbitrary: string },
  { weight: 2, arbitrary: fc.array(fc.oneof({ weight: 6, arbitrary: string }, fc.constant(null)), { maxLength: 4 }) },
  fc.constant(null),
) as fc.Arbitrary<FieldValue>;
const batches = fc.array(
  fc.array(fc.record({ title: value, body: value }, { requiredKeys: [] }), { minLength: 1, maxLength: 3 }),
  { minLength: 1, maxLength: 3 },
);
const term = fc.constantFrom(...TERMS);
const clause: fc.Arbitrary<Clause> = fc.record({
  terms: fc.uniqueArray(term, { maxLength: 4 }),
  prefix: fc.option(fc.constantFrom('w', 'wire', '東', 'c'), { freq: 3 }),
  phrases: fc.array(fc.array(term, { minLength: 1, maxLength: 3 }), { maxLength: 2 }),
});
const OPTIONS = { open: '<b>', close: '</b>', tokens: 0 };

test('a field shows its matches as the plainest reading of the rules says, whatever matched and however short', () => {
  const clauses = fc.array(clause, { maxLength: 4 });
  fc.assert(
    fc.property(batches, clauses, fc.integer({ min: 0, max: 8 }), (documents, asked, snippetTokens) => {
      const marker: Marker = {
        clausesOf: (word) =>
          asked.flatMap(({ terms, prefix }, i) =>
            terms.includes(word) || (prefix !== null && word.startsWith(prefix)) ? [i] : [],
          ),
        phrases: asked.flatMap(({ phrases }, i) => phrases.map((terms) => ({ clause: i, terms }))),
      };
      const expected = documents.flat().map((document) => {
        const shown = FIELDS.map((field) => [
          field,
          highlightOracle(document[field], marker, { ...OPTIONS, tokens: snippetTokens }),
        ]);
        return Object.fromEntries(shown.filter(([, each]) => each !== null));
      });
      assert.deepEqual(highlight(documents, asked, { snippetTokens }), expected);
    }),
    { numRuns: 500 },
  );
});

const ALL_WORDS: Clause = { terms: ['wire', 'mouse'], prefix: null, phrases: [] };
const titleOf = (title: FieldValue, clauses: readonly Clause[], snippetTokens: number): Highlight =>
  highlight([[{ title }]], clauses, { snippetTokens })[0]?.['title'] as Highlight;

test('a snippet is the window with the most clauses, its matches in the middle', () => {
  const title = 'wire wire wire one two three four mouse five wire six seven eight nine ten';
  const clauses = [
    { ...ALL_WORDS, terms: ['wire'] },
    { ...ALL_WORDS, terms: ['mouse'] },
  ];
  assert.deepEqual(titleOf(title, clauses, 5), {
    snippet: '…four <b>mouse</b> five <b>wire</b> six…',
    matched: ['wire', 'mouse'],
  });
  assert.equal(titleOf(title, clauses.slice(0, 1), 3).snippet, '<b>wire</b> <b>wire</b> <b>wire</b>…');
});

test('fields come in the order asked for, absent ones not at all, and the text begins where nothing matches', () => {
  const documents = [
    { title: 'one two three four', body: [] },
    { title: null, body: ['five six seven', 'eight'] },
  ];
  assert.deepEqual(highlight([documents], [], { fields: [1, 0], snippetTokens: 2 }), [
    { title: { snippet: 'one two…', matched: [] } },
    { body: { snippet: ['five six…'], matched: [] } },
  ]);
});

test('a value of megabytes is looked at as far as the bound, and a word that the bound cuts is no match', () => {
  const words = 'wire '.repeat(HIGHLIGHT_READ_BYTES_MAX / 5);
  const title = `${words}wire`.padEnd(3 * HIGHLIGHT_READ_BYTES_MAX, ' wire');
  const { snippet, matched } = titleOf(title, [ALL_WORDS], 0);
  assert.deepEqual(matched, ['wire']);
  const marks = String(snippet).split('<b>wire</b>').length - 1;
  // The bound falls inside of a word.
  assert.equal(marks, Math.floor(HIGHLIGHT_READ_BYTES_MAX / 5));
  assert.equal(String(snippet).replaceAll(/<\/?b>/g, ''), title);
  const many = highlight([[{ title: Array.from({ length: 3 }, () => words) }]], [ALL_WORDS], { snippetTokens: 1 });
  assert.deepEqual(many[0]?.['title']?.snippet, ['<b>wire</b>…'], 'the bound is that of the field');
});

test('a snippet of long words is cut around its first match, between characters', () => {
  const long = 'é'.repeat(SNIPPET_BYTES_MAX);
  const { snippet } = titleOf(`${long} wire ${long}`, [ALL_WORDS], 3);
  const [before, behind] = String(snippet).split('<b>wire</b>');
  assert.match(before ?? '', /^…é+ $/);
  assert.match(behind ?? '', /^ é+…$/);
  const shown = Buffer.byteLength(String(snippet).replaceAll(/<\/?b>|…/g, ''));
  assert.ok(shown <= SNIPPET_BYTES_MAX && shown > SNIPPET_BYTES_MAX - 4, `${shown}`);
  assert.match(String(titleOf(`${long} ${long}`, [], 2).snippet), /^é+…$/);
});

test('the words of a field that are listed are bounded', () => {
  const title = Array.from({ length: 2 * HIGHLIGHT_WORDS_MAX }, (_, i) => `w${i}`).join(' ');
  const { matched } = titleOf(title, [{ terms: [], prefix: 'w', phrases: [] }], 5);
  assert.deepEqual(matched, title.split(' ').slice(0, HIGHLIGHT_WORDS_MAX));
});

test('highlights that grow beyond their bound are refused, and the next page is served', () => {
  const title = 'a '.repeat(HIGHLIGHT_READ_BYTES_MAX / 2);
  const documents = Array.from({ length: 2 }, () => ({ title }));
  const open = new Uint8Array(200).fill(0x3c);
  const clauses = [{ terms: ['a'], prefix: null, phrases: [] }];
  assert.throws(() => highlight([documents], clauses, { open }), { code: 'payload_too_large' });
  assert.equal(highlight([documents], clauses, { snippetTokens: 1 }).length, 2);
});

test('the budget is asked at least every so many tokens, and a page that it stops leaves nothing behind', () => {
  const title = 'wire '.repeat(100_000);
  resetRegions();
  const segments = [buildSegment(schema, [{ id: '1', title }])];
  const spec = { fields: [0], open: encoder.encode('<b>'), close: encoder.encode('</b>'), snippetTokens: 2 };
  const source = { schema, segments, queried: [0], clauses: [marking(ALL_WORDS, segments)] };
  let left = Number.POSITIVE_INFINITY;
  let asked = 0;
  const check = (): void => {
    asked++;
    if (left-- <= 0) throw new ReadStopped('interrupted');
  };
  const highlighter = new Highlighter({ ...NO_LIMIT, check });
  const written = (): string => {
    highlighter.begin(spec, source);
    highlighter.add(0, 0);
    const out = new JsonWriter(new Uint8Array(0), 1 << 20);
    highlighter.write(out, 0);
    highlighter.end();
    return Buffer.from(out.bytes()).toString();
  };
  const expected = written();
  assert.match(expected, /"<b>wire<\/b> <b>wire<\/b>…"/);
  assert.ok(asked > (2 * 100_000) / CHECK_EVERY, `${asked}`);
  const times = asked;
  for (let stop = 0; stop < times; stop++) {
    left = stop;
    assert.throws(written, ReadStopped);
  }
  left = Number.POSITIVE_INFINITY;
  assert.equal(written(), expected);
  assert.equal(highlighter.byteCount, 0);
});
