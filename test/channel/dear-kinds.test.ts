/**
 * Which kinds of search the HTTP thread does not try any more, because all of them were dear, and when it tries them again.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DearKinds, kindOf } from '../../engine/channel/dear-kinds.js';
import type { Patience } from '../../engine/channel/inline-reader.js';
import { OPERATION_SEARCH, type SearchRequest } from '../../engine/core/requests.js';
import { EstimatedReads } from '../support/inline-reader.js';
import { SEARCH_DEFAULTS } from '../support/search-request.js';

const request = (changes: Partial<SearchRequest>): SearchRequest => ({
  ...SEARCH_DEFAULTS,
  collection: 'c',
  q: '',
  facet: 'brand',
  ...changes,
});

/** More than there have to be in a row, and more than of which one is tried. */
const MANY = 100;

test('a kind is dear once many in a row were, as dear as the last of them, until one is not', () => {
  const kinds = new DearKinds();
  let noted = 0;
  for (; kinds.expectedUs(7) === 0 && noted < MANY; noted++) kinds.note(7, 9000 - noted);
  assert.ok(noted > 4 && noted < MANY, `${noted} in a row`);
  assert.equal(kinds.expectedUs(7), 9001 - noted);
  assert.equal(kinds.expectedUs(8), 0, 'another kind');
  kinds.note(7, 1e6);
  assert.equal(kinds.expectedUs(7), 1e6);
  kinds.note(7, 0);
  for (let i = 0; i < MANY; i++) assert.equal(kinds.expectedUs(7), 0);
  // What was known before counts no more.
  for (let i = 0; kinds.expectedUs(7) === 0 && i < MANY; i++) kinds.note(7, 5000);
  assert.equal(kinds.expectedUs(7), 5000);
});

test('of a kind that is dear some are tried all the same', () => {
  const kinds = new DearKinds();
  for (let i = 0; i < MANY; i++) kinds.note(7, 5000);
  let tried = 0;
  for (let i = 0; i < 10 * MANY; i++) if (kinds.expectedUs(7) === 0) tried++;
  assert.ok(tried > MANY / 10 && tried < MANY, `${tried} tried`);
});

test('of kinds that share a place the last one is known, and what is of none never', () => {
  const kinds = new DearKinds();
  for (let i = 0; i < MANY; i++) kinds.note(7, 5000);
  kinds.note(7 + 256, 0);
  assert.ok(kinds.expectedUs(7) > 0, 'a cheap one takes no place');
  kinds.note(7 + 256, 5000);
  for (let i = 0; i < MANY; i++) assert.equal(kinds.expectedUs(7) + kinds.expectedUs(7 + 256), 0);
  for (let i = 0; i < MANY; i++) kinds.note(0, 5000);
  assert.equal(kinds.expectedUs(0), 0);
});

test('searches for everything are of a kind that differ in filters and pages alone, and no others are', () => {
  const text = (value: string): fc.Arbitrary<string | null> => fc.constantFrom(null, value);
  const asked = fc.record({
    sort: text('price:asc'),
    facet: text('brand,price'),
    facetQuery: text('brand:a'),
    distinct: text('brand'),
    filter: text('price:>1'),
    requiredFilter: text('shop:a'),
  });
  fc.assert(
    fc.property(asked, asked, fc.nat(300), fc.nat(1000), (a, b, limit, offset) => {
      const kind = kindOf(request(a), 1);
      const like = {
        ...request({ ...a, limit, offset }),
        filter: a.filter === null ? null : 'price:<77 && brand:b',
        requiredFilter: a.requiredFilter === null ? null : 'shop:b',
      };
      assert.notEqual(kind, 0);
      assert.equal(kindOf(like, 1), kind);
      assert.notEqual(kindOf(request(a), 2), kind, 'another collection');
      if (JSON.stringify(a) !== JSON.stringify(b)) assert.notEqual(kindOf(request(b), 1), kind);
      // What these take depends on the words, on how many hits there are to write, or is asked for by hand.
      for (const other of [{ q: 'red' }, { q: '*' }, { highlight: 'title' }, { explain: true }, { explainId: 'a' }])
        assert.equal(kindOf(request({ ...a, ...other }), 1), 0);
    }),
    { numRuns: 1000 },
  );
});

test('the HTTP thread does not try searches of a dear kind, but now and then, and says what they are likely to take', () => {
  const reads = new EstimatedReads();
  let filters = 0;
  // No two are the same, of which it would be known.
  const ask = (costUs: number, changes: Partial<SearchRequest> = {}, patience: Patience = 'none'): boolean => {
    reads.costUs = costUs;
    return reads.ask(
      { operation: OPERATION_SEARCH, request: request({ filter: `price:>${filters++}`, ...changes }) },
      patience,
    );
  };
  for (let i = 0; i < MANY; i++) assert.ok(!ask(5000));
  assert.ok(reads.tried < MANY / 2, `${reads.tried} tried`);
  assert.equal(reads.reader.costUs, 5000);
  for (const [changes, patience] of [
    [{ sort: 'price:asc' }, 'none'],
    [{ q: 'red' }, 'none'],
    // Whoever has planned it knows better.
    [{}, 'planned'],
  ] as const) {
    const before = reads.tried;
    assert.ok(ask(10, changes, patience));
    assert.equal(reads.tried, before + 1);
  }
  while (!ask(10));
  const before = reads.tried;
  for (let i = 0; i < 10; i++) assert.ok(ask(10), 'one was cheap');
  assert.equal(reads.tried, before + 10);
  // Dear for this thread alone, not for a reader that is kept free.
  for (let i = 0; i < MANY; i++) assert.ok(!ask(1000));
  assert.equal(reads.tried, before + 10 + MANY);
});
