/**
 * The server against the oracle on a collection large enough for many blocks of postings, several chunks of documents
 * and merges: where skipping could lose a hit or a count.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import type { OracleDocument, OracleSchema } from '../oracle/collection.js';
import { facetOracle } from '../oracle/facet.js';
import { orderOf, type Ranked } from '../oracle/order.js';
import { searchOracle } from '../oracle/search.js';
import { closeTo } from '../support/expect.js';
import { startServer } from '../support/server.js';
import { createBoth, indexBoth, type Loaded, paramsOf, type Request } from './harness.js';

const server = await startServer();
const { client } = server;
after(() => server.dispose());

/** Beyond one chunk of 65,536 documents. */
const DOCUMENTS = 67_000;
const BATCH = 6_000;

const flags = { index: true, facet: false, filter: false, sort: false, boost: null };
const SCHEMA: OracleSchema = {
  fields: [
    { ...flags, name: 'title', type: 'text', boost: 2 },
    { ...flags, name: 'body', type: 'text' },
    { ...flags, name: 'n', type: 'int', facet: true, filter: true, sort: true },
    { ...flags, name: 'kind', type: 'keyword', facet: true, filter: true },
  ],
  typo_tolerance: { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  default_sorting_field: 'n',
};

/** Numbers in [0, 1) that `seed` determines (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const VOCABULARY = Array.from({ length: 400 }, (_, i) => `w${(i * 7919).toString(36)}${i % 3 === 0 ? 'ing' : 'ed'}`);

function makeDocuments(seed: number): OracleDocument[] {
  const random = randomNumbers(seed);
  // Squaring twice makes the first words frequent and the last ones rare.
  const word = (): string => VOCABULARY[Math.floor(random() ** 4 * VOCABULARY.length)] ?? '';
  const words = (count: number): string => Array.from({ length: count }, word).join(' ');
  return Array.from({ length: DOCUMENTS }, (_, i) => ({
    id: `d${i}`,
    title: words(1 + Math.floor(random() * 4)),
    // At most four words, so that no term frequency is rounded.
    body: random() < 0.5 ? words(1 + Math.floor(random() * 4)) : null,
    n: Math.floor(random() * 50),
    kind: `k${Math.floor(random() * 5)}`,
  }));
}

async function compareTop(loaded: Loaded, request: Request): Promise<void> {
  const { oracle, name } = loaded;
  const matches = searchOracle(oracle, request);
  const params = paramsOf({ ...request, facet: ['kind', 'n'] });
  const response = await client.search(name, { ...params, limit: 250 });
  assert.equal(response.found, matches.length, JSON.stringify(request));
  for (const field of ['kind', 'n']) {
    const expected = facetOracle(
      oracle,
      matches.map(({ stored }) => stored),
      field,
    );
    assert.deepEqual(response.facets?.[field], Object.fromEntries(expected));
  }
  const order = orderOf(oracle, request.sort ?? []);
  const best = [...matches].sort(order);
  const scores = new Map(matches.map((match) => [match.stored, match]));
  const ranked: Ranked[] = response.hits.map(({ document, text_match }) => {
    const stored = oracle.stored.get(String(document.id));
    assert.ok(stored);
    const { text_match: expected = Number.NaN, orElse = Number.NaN } = scores.get(stored) ?? {};
    assert.ok(
      closeTo(text_match, expected, 2e-3) || closeTo(text_match, orElse, 2e-3),
      `text_match of ${document.id}: got ${text_match}, expected ${expected} or ${orElse}`,
    );
    return { stored, text_match };
  });
  assert.deepEqual(ranked, [...ranked].sort(order), 'order of hits');
  ranked.forEach(({ text_match }, i) => {
    assert.ok(closeTo(text_match, best[i]?.text_match ?? Number.NaN, 2e-3), `hit ${i} is not among the best`);
  });
  const ids = response.hits.map(({ document }) => String(document.id));
  for (const page of [
    { limit: 10, offset: 0 },
    { limit: 1, offset: 3 },
    { limit: 40, offset: 100 },
  ]) {
    const shown = await client.ids(name, { ...paramsOf(request), ...page });
    assert.deepEqual(
      shown,
      ids.slice(page.offset, page.offset + page.limit),
      `${JSON.stringify({ ...request, ...page })}`,
    );
  }
}

test('found, facets, the best hits and every page are exact beyond one chunk of documents', async () => {
  const word = fc
    .nat({ max: VOCABULARY.length - 1 })
    .map((i) => VOCABULARY[Math.floor(i ** 2 / VOCABULARY.length)] ?? '');
  const frequent = fc.constantFrom(...VOCABULARY.slice(0, 4));
  const request: fc.Arbitrary<Request> = fc.record(
    {
      q: fc.oneof(
        frequent,
        fc.tuple(frequent, word).map((pair) => pair.join(' ')),
        fc.tuple(word, word, frequent).map((words) => words.join(' ')),
        word.map((text) => text.slice(0, 3)),
        fc.tuple(frequent, frequent).map(([a, b]) => `"${a} ${b}"`),
      ),
      match_mode: fc.constantFrom('all' as const, 'any' as const),
      ranking: fc.constantFrom('best' as const, 'bm25' as const),
      typo_tolerance: fc.boolean(),
      filter: fc.constantFrom({ kind: 'compare' as const, field: 'n', op: '<' as const, value: 3 }),
      prefix: fc.boolean(),
    },
    { requiredKeys: ['q', 'match_mode'] },
  );
  const requests = fc.array(request, { minLength: 14, maxLength: 14 });
  const property = fc.asyncProperty(fc.integer(), requests, async (seed, all) => {
    const loaded = await createBoth(client, SCHEMA);
    const documents = makeDocuments(seed);
    for (let from = 0; from < documents.length; from += BATCH)
      await indexBoth(loaded, documents.slice(from, from + BATCH));
    for (const each of all) await compareTop(loaded, each);
    await client.drop(loaded.name);
  });
  await fc.assert(property, { numRuns: 1, endOnFailure: true });
});
