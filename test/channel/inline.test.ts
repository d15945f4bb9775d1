/**
 * What the HTTP thread answers itself: how much of its time, after which reads it rests, what it gives up and does not try again.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { InlineBudget } from '../../engine/channel/inline-budget.js';
import type { Patience } from '../../engine/channel/inline-reader.js';
import { RESPONSE_BYTES } from '../../engine/channel/read-mailbox.js';
import { type HashedRead, hashOf, RecentlyDear } from '../../engine/channel/recently-dear.js';
import { TimeShare } from '../../engine/channel/time-share.js';
import { ReadStopped } from '../../engine/core/read-stopped.js';
import {
  type FetchRequest,
  OPERATION_FETCH,
  OPERATION_SEARCH,
  OPERATION_SUGGEST,
  type Read,
  type SearchRequest,
  type SuggestRequest,
} from '../../engine/core/requests.js';
import { EstimatedReads } from '../support/inline-reader.js';
import { SEARCH_DEFAULTS } from '../support/search-request.js';

const DEAR_US = 50;

test('reads have some time at a stretch, and half of what passes; what handing them over takes does not count', () => {
  const time = new TimeShare(0.5, () => 0);
  let nowMs = 1000;
  const read = (expectedUs: number, us = expectedUs): boolean => {
    if (!time.hasTime(expectedUs, nowMs)) return false;
    nowMs += us / 1000;
    time.spend(us, nowMs);
    return true;
  };
  let dear = 0;
  while (read(DEAR_US)) dear++;
  assert.ok(dear >= 15 && dear <= 25, `${dear} reads`);
  for (let i = 0; i < 1000; i++) assert.ok(read(10), 'a cheap read');
  let cheap = 0;
  while (read(10, 60)) cheap++;
  assert.ok(cheap > 50 && cheap < 1000, `${cheap} reads that were dearer than expected`);
  nowMs += 100;
  const startMs = nowMs;
  let readUs = 0;
  while (nowMs < startMs + 100) {
    if (read(DEAR_US)) readUs += DEAR_US;
    else nowMs += 0.01;
  }
  assert.ok(readUs > 60_000 && readUs < 80_000, `${readUs} us of 100 ms`);
});

test('a long read is followed by a pause only when it waited for pages', () => {
  let faults = 0;
  const time = new TimeShare(0.5, () => faults);
  assert.ok(time.hasTime(0, 0));
  time.spend(1500, 10);
  assert.ok(time.hasTime(0, 10), 'the thread was kept from its processor');
  faults++;
  time.spend(1500, 20);
  assert.ok(!time.hasTime(0, 45));
  assert.ok(time.hasTime(0, 51));
});

test('a read is given up for what it is expected to take, and by the clock at last', () => {
  const budget = new InlineBudget(RESPONSE_BYTES);
  const refuses = (step: () => void, isMidway: boolean): void =>
    assert.throws(step, (error) => error instanceof ReadStopped && error.isMidway === isMidway);
  budget.begin(performance.now(), false, false);
  budget.expectCost(5);
  budget.expectBytes(RESPONSE_BYTES);
  budget.expectTerms(10);
  refuses(() => budget.expectCost(1000), false);
  refuses(() => budget.expectBytes(RESPONSE_BYTES + 1), false);
  refuses(() => {
    for (let i = 0; i < 1000; i++) budget.expectTerms(10);
  }, false);
  const scan = (): void => {
    for (let i = 0; i < 10; i++) budget.expectScan(16_384);
  };
  refuses(scan, false);
  budget.begin(performance.now(), false, false);
  budget.expectScan(100_000);
  refuses(scan, false);
  budget.begin(performance.now() - 1000, false, false);
  refuses(() => {
    for (let i = 0; i < 100; i++) budget.check();
  }, true);
  assert.equal(budget.givenUpFor, 'time');
});

test('a read that comes alone may take longer', () => {
  const budget = new InlineBudget(RESPONSE_BYTES);
  budget.begin(performance.now(), false, false);
  assert.throws(() => budget.expectCost(300));
  budget.begin(performance.now(), true, false);
  budget.expectCost(300);
  assert.throws(() => budget.expectCost(1000));
});

test('a read that learns may look at many terms, for a while', () => {
  const budget = new InlineBudget(RESPONSE_BYTES);
  budget.begin(performance.now(), false, false);
  assert.throws(() => budget.expectTerms(100_000));
  assert.equal(budget.givenUpFor, 'terms');
  budget.begin(performance.now(), false, true);
  budget.expectTerms(100_000);
  assert.throws(() => budget.expectCost(1000));
  assert.equal(budget.givenUpFor, 'cost');
  assert.throws(() => budget.expectTerms(10_000_000));
  budget.begin(performance.now() - 1000, false, true);
  budget.expectTerms(10);
  assert.throws(() => budget.expectTerms(100_000));
  assert.equal(budget.givenUpFor, 'time');
});

const search = (changes: Partial<SearchRequest>): HashedRead => ({
  operation: OPERATION_SEARCH,
  request: { ...SEARCH_DEFAULTS, collection: 'c', q: 'a', ...changes },
});

const suggestion = (changes: Partial<SuggestRequest>): HashedRead => ({
  operation: OPERATION_SUGGEST,
  request: { collection: 'c', format: 'json', q: 'a', queryBy: null, limit: 5, typoTolerance: null, ...changes },
});

test('what was too dear is so for a second; what the clock alone says must be said twice', () => {
  const dear = new RecentlyDear();
  const [known, slow] = [hashOf(search({ q: 'known' }), 1), hashOf(search({ q: 'slow' }), 1)];
  assert.ok(!dear.has(known, 0));
  dear.note(known, 'cost', 0);
  dear.note(slow, 'time', 0);
  assert.ok(dear.has(known, 1));
  assert.ok(!dear.has(slow, 1));
  dear.note(slow, 'time', 0);
  assert.ok(dear.has(slow, 1));
  assert.ok(!dear.has(known, 5000) && !dear.has(slow, 5000));
});

test('what a dear read was estimated at is known as long as that it is dear, whoever had the patience for it', () => {
  const dear = new RecentlyDear();
  const [known, waited, other] = ['known', 'waited', 'other'].map((q) => hashOf(search({ q }), 1));
  dear.has(known, 0);
  dear.note(known, 'cost', 1234);
  dear.note(~waited, 'cost', 4321);
  assert.deepEqual(
    [known, waited, other].map((hash) => dear.costUsOf(hash)),
    [1234, 4321, 0],
  );
  dear.note(other, 'time', 0);
  assert.equal(dear.costUsOf(other), 0);
  assert.ok(!dear.has(known, 5000));
  assert.equal(dear.costUsOf(known), 0);
});

test('a reader tells what it has estimated the read at that it was last asked for, tried or known to be dear, and of no other', () => {
  const reads = new EstimatedReads();
  const { reader } = reads;
  const ask = (read: Read, patience: Patience = 'none'): boolean => reader.answer(read, 1, patience, () => {});
  const dear = search({ q: 'dear' });
  reads.costUs = 5000;
  assert.ok(!ask(dear));
  assert.deepEqual([reader.costUs, reads.tried], [5000, 1]);
  assert.ok(!ask(dear));
  assert.deepEqual([reader.costUs, reads.tried], [5000, 1], 'it was not tried again');
  reads.costUs = 1;
  assert.ok(ask(search({ q: 'cheap' })));
  assert.equal(reader.costUs, 0);
  assert.ok(!ask(dear));
  assert.ok(
    !ask({ operation: OPERATION_FETCH, request: { collection: 'c', id: 'a', requiredFilter: 'b:1' } as FetchRequest }),
  );
  assert.equal(reader.costUs, 0, 'of a fetch nothing is estimated');
});

test('a read that was too dear for its terms alone is known until it is learned', () => {
  const dear = new RecentlyDear();
  const hash = hashOf(search({ q: 'misspelt' }), 1);
  assert.ok(!dear.has(hash, 0) && !dear.isUnlearned(hash));
  dear.note(hash, 'terms', 0);
  assert.ok(dear.has(hash, 1) && dear.isUnlearned(hash));
  assert.ok(!dear.has(hash, 5000) && dear.isUnlearned(hash));
  dear.note(hash, 'cost', 0);
  dear.noteLearned(hash);
  assert.ok(!dear.has(hash, 5001) && !dear.isUnlearned(hash));
});

test('of many reads asked for in turn that were too dear for their terms nearly all are known still', () => {
  const dear = new RecentlyDear();
  const hashes = Array.from({ length: 400 }, (_, i) => hashOf(search({ q: `misspelt${i}` }), 1));
  let known = 0;
  for (let round = 0; round < 4; round++) {
    for (const hash of hashes) {
      if (!dear.isUnlearned(hash)) dear.note(hash, 'terms', 0);
      else if (round === 3) known++;
    }
  }
  assert.ok(known >= 396, `${known} of ${hashes.length} were known`);
});

test('a read has another hash in another collection and with other parameters', () => {
  const changes = fc.record(
    {
      q: fc.string({ maxLength: 70 }),
      queryBy: fc.constantFrom(null, 'title'),
      filter: fc.constantFrom(null, 'a:1', 'a:2'),
      sort: fc.constantFrom(null, 'a:asc'),
      facet: fc.constantFrom(null, 'a'),
      limit: fc.nat(250),
      offset: fc.nat(1000),
      prefix: fc.boolean(),
      typoTolerance: fc.constantFrom(null, false),
      matchMode: fc.constantFrom<'any' | 'all'>('any', 'all'),
      ranking: fc.constantFrom<'bm25' | null>('bm25', null),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(changes, changes, fc.integer({ min: 1, max: 3 }), (a, b, collection) => {
      const [first, second] = [search(a), search(b)];
      assert.notEqual(hashOf(first, collection), 0);
      assert.equal(hashOf(first, collection), hashOf({ ...first }, collection));
      assert.notEqual(hashOf(first, collection), hashOf(first, collection + 1));
      if (JSON.stringify(first) !== JSON.stringify(second))
        assert.notEqual(hashOf(first, collection), hashOf(second, collection));
      assert.notEqual(hashOf(first, collection), hashOf(suggestion({ q: a.q ?? 'a' }), collection));
    }),
  );
  assert.notEqual(hashOf(suggestion({}), 1), hashOf(suggestion({ limit: 6 }), 1));
  assert.notEqual(hashOf(suggestion({}), 1), hashOf(suggestion({ typoTolerance: false }), 1));
});
