/**
 * Who is waited for, and until when, case by case: what the simulated cluster meets rarely.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LeaseEntry, LeaseValue } from '../../src/cluster/lease-port.js';
import { Membership, validMs } from '../../src/cluster/membership.js';

const LEASE_MS = 1000;
/** By this node's clock, when that of the one that holds it may be slower. */
const OVER_MS = LEASE_MS;
/** When a node that is waited for should have renewed it long ago. */
const SILENT_MS = (7 / 8) * LEASE_MS;
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

const entry = (
  node: string,
  revision: number,
  life: string,
  state: LeaseValue['state'],
  changes: Partial<LeaseValue> = {},
): LeaseEntry => ({
  node,
  revision,
  value: {
    ...{ origin: 'o', life, state, leaseMs: LEASE_MS, renewal: 1, applied: 0 },
    ...{ isShort: false, url: null, version: '1', over: null, ...changes },
  },
});
const join = (life: string, revision: number, bucket = 'bucket') => ({ life, bucket, revision, leaseMs: LEASE_MS });

/** As the node "me" sees it, which has been told of its own key with revision 10, and has applied 100. */
function listed(): Membership {
  const membership = new Membership('me', 'bucket', 0);
  membership.see(0, entry('me', 10, 'mine', 'held'));
  membership.list(0, 10);
  membership.apply(100);
  return membership;
}

test('nothing is released before the bucket is known', () => {
  const membership = new Membership('me', 'bucket', 0);
  membership.apply(100);
  assert.equal(membership.released(0, NO_LIMIT), 0);
  membership.list(0, 10);
  assert.equal(membership.released(0, NO_LIMIT), 100);
  assert.equal(listed().released(0, 40), 40);
});

test('a node that joined before a write is waited for, by its join alone or by its lease alone', () => {
  const byJoin = listed();
  byJoin.join(0, 50, 'other', join('life', 20));
  assert.equal(byJoin.released(0, NO_LIMIT), 50);
  byJoin.progress('life', 70);
  assert.equal(byJoin.released(0, NO_LIMIT), 70);
  const byLease = listed();
  byLease.see(0, entry('other', 20, 'life', 'held', { applied: 60 }));
  assert.equal(byLease.released(0, NO_LIMIT), 60);
});

test('a node that has left is not waited for; one that was evicted is until its last lease is over', () => {
  const left = listed();
  left.see(0, entry('other', 20, 'life', 'held'));
  left.see(5, entry('other', 21, 'life', 'left'));
  assert.equal(left.released(5, NO_LIMIT), 100);
  const evicted = listed();
  evicted.see(100, entry('other', 20, 'life', 'held'));
  evicted.see(300, entry('other', 21, 'life', 'evicted', { over: 20 }));
  assert.equal(evicted.released(100 + OVER_MS - 1, NO_LIMIT), 0);
  assert.equal(evicted.released(100 + OVER_MS, NO_LIMIT), 100);
  const gap = listed();
  gap.see(100, entry('other', 20, 'life', 'held'));
  gap.see(300, entry('other', 22, 'life', 'evicted', { over: 21 }));
  assert.equal(gap.released(300 + OVER_MS - 1, NO_LIMIT), 0);
  assert.equal(gap.released(300 + OVER_MS, NO_LIMIT), 100);
});

test('what is told of an older lease says nothing about a newer one', () => {
  const membership = listed();
  membership.join(0, 50, 'other', join('new', 20));
  membership.see(10, entry('other', 18, 'old', 'left'));
  assert.equal(membership.released(10 + 2 * OVER_MS, NO_LIMIT), 50);
  membership.see(20 + 2 * OVER_MS, entry('other', 20, 'new', 'held', { applied: 55 }));
  assert.equal(membership.released(30 + 5 * OVER_MS, NO_LIMIT), 55);
  const late = listed();
  late.see(0, entry('other', 18, 'old', 'left'));
  late.join(0, 50, 'other', join('new', 20));
  assert.equal(late.released(5 * OVER_MS, NO_LIMIT), 50);
});

test('a node that was evicted just before this one began is waited for, though its join was never seen', () => {
  const membership = listed();
  membership.see(0, entry('other', 8, 'life', 'evicted', { over: 7 }));
  assert.equal(membership.released(OVER_MS - 1, NO_LIMIT), 0);
  assert.equal(membership.released(OVER_MS, NO_LIMIT), 100);
});

test('a join whose lease lies in a bucket that is no more, or whose key is gone, holds up nothing for long', () => {
  const membership = listed();
  membership.join(0, 50, 'other', join('life', 9, 'former bucket'));
  membership.join(0, 51, 'third', join('third life', 9));
  assert.equal(membership.released(OVER_MS - 1, NO_LIMIT), 50);
  assert.equal(membership.released(OVER_MS, NO_LIMIT), 100);
});

test('who is silent is evicted before its lease ends, who is slow after some, and nobody by a node that hears nothing', () => {
  const membership = listed();
  membership.see(0, entry('other', 20, 'life', 'held'));
  const eviction = { node: 'other', life: 'life', revision: 20 };
  assert.deepEqual(membership.evictions(0, 0), []);
  assert.deepEqual(membership.evictions(2.9 * LEASE_MS, 0), [], 'this node waits for nothing');
  membership.propose(100);
  assert.deepEqual(membership.evictions(0, 0), []);
  assert.deepEqual(membership.evictions(SILENT_MS, 0), []);
  assert.deepEqual(membership.evictions(SILENT_MS + 1, OVER_MS), []);
  assert.deepEqual(membership.evictions(SILENT_MS + 1, 0), [eviction]);
  for (let at = 0; at < 4 * LEASE_MS; at += 250) membership.see(at, entry('other', 21 + at / 250, 'life', 'held'));
  assert.deepEqual(membership.evictions(2.9 * LEASE_MS, 0), []);
  assert.deepEqual(membership.evictions(3.1 * LEASE_MS, 0), [{ ...eviction, revision: 36 }]);
});

test('a lease is over for its holder before it is for others, however unlike their clocks', () => {
  assert.ok(validMs(LEASE_MS) * (1 + 1 / 64) < LEASE_MS);
});

test('a second life of a node ends the first', () => {
  const membership = listed();
  membership.join(0, 50, 'other', join('first', 20));
  membership.see(0, entry('other', 20, 'first', 'held'));
  membership.see(100, entry('other', 21, 'second', 'held', { applied: 80 }));
  assert.equal(membership.released(100 + OVER_MS - 1, NO_LIMIT), 50);
  assert.equal(membership.released(100 + OVER_MS, NO_LIMIT), 80);
});
