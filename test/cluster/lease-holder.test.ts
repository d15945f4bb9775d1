/**
 * When a lease is taken, from when it counts, and who gives way to whom.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { EngineError } from '../../engine/index.js';
import { LeaseHolder } from '../../src/cluster/lease-holder.js';
import type { LeaseBucket, LeaseEntry, LeaseOutcome, LeaseValue } from '../../src/cluster/lease-port.js';

const LEASE_MS = 1000;

/** A holder with its time and its bucket, whose answers the test gives. */
class Stage {
  now = 0;
  readonly asked: { value: LeaseValue; revision: number; answer: (outcome: LeaseOutcome) => void }[] = [];
  readonly granted: number[] = [];
  readonly lost: string[] = [];
  readonly failures: EngineError[] = [];
  readonly holder: LeaseHolder;

  constructor() {
    const bucket: LeaseBucket = {
      ...{ id: 'bucket', opened: 10 },
      put: (_node, value, revision) =>
        new Promise((answer) => {
          assert.ok(value !== null, 'nobody empties its own key');
          this.asked.push({ value, revision, answer });
        }),
      watch: () => ({ stop: () => {} }),
    };
    this.holder = new LeaseHolder(bucket, {
      ...{ node: 'n', origin: 'mine', leaseMs: LEASE_MS, url: null, version: '1' },
      clock: { now: () => this.now, sleep: async () => {} },
      deadline: { now: () => this.now },
      describe: () => ({ applied: 0, isShort: false }),
      onGranted: (moment) => this.granted.push(moment),
      onLost: (reason) => this.lost.push(reason),
      fail: (error) => this.failures.push(error),
    });
  }

  async answer(outcome: LeaseOutcome): Promise<LeaseValue> {
    const last = this.asked.at(-1);
    assert.ok(last !== undefined);
    last.answer(outcome);
    await turn();
    return last.value;
  }
}

const entry = (
  revision: number,
  origin: string,
  life: string,
  state: LeaseValue['state'],
  renewal = 1,
): LeaseEntry => ({
  node: 'n',
  revision,
  value: {
    ...{ origin, life, state, leaseMs: LEASE_MS, renewal, applied: 0 },
    ...{ isShort: false, url: null, version: '1', over: null },
  },
});

test('a lease counts from before it was asked for, however late the answer, or the watch in its place', async () => {
  const stage = new Stage();
  stage.now = 100;
  assert.ok(stage.holder.claim());
  stage.now = 900;
  await stage.answer({ kind: 'stored', revision: 11 });
  assert.deepEqual(stage.granted, [100]);
  stage.now = 1000;
  stage.holder.tick();
  const value = await stage.answer({ kind: 'unknown' });
  stage.now = 1300;
  stage.holder.tick();
  await stage.answer({ kind: 'conflict' });
  stage.holder.see({ node: 'n', revision: 12, value });
  assert.deepEqual(stage.granted, [100, 1000]);
  stage.now = 1600;
  stage.holder.tick();
  assert.equal(stage.asked.at(-1)?.revision, 12);
});

test('the lease of a process before is waited for, unless that has left', () => {
  const stage = new Stage();
  stage.holder.see(entry(9, 'other', 'life', 'held'));
  stage.now = LEASE_MS - 1;
  assert.equal(stage.holder.claim(), false);
  stage.now = LEASE_MS;
  assert.equal(stage.holder.claim(), true);
  const evicted = new Stage();
  evicted.holder.see(entry(9, 'other', 'life', 'evicted'));
  assert.equal(evicted.holder.claim(), false);
  evicted.holder.see(entry(12, 'other', 'life', 'left'));
  assert.equal(evicted.holder.claim(), true);
});

test('a node that was evicted knows it at once, and may take another life', async () => {
  const stage = new Stage();
  stage.holder.claim();
  const { life } = await stage.answer({ kind: 'stored', revision: 11 });
  stage.holder.see(entry(12, 'mine', life, 'evicted'));
  assert.equal(stage.lost.length, 1);
  assert.equal(stage.holder.life, null);
  assert.ok(stage.holder.claim());
  assert.notEqual(stage.asked.at(-1)?.value.life, life);
  assert.deepEqual(stage.failures, []);
});

test('two processes of one name: the newer gives way to one that renews its lease, and so does one that was replaced', async () => {
  const newer = new Stage();
  for (const revision of [7, 8, 9, 11]) newer.holder.see(entry(revision, 'other', 'life', 'held'));
  assert.equal(newer.failures.length, 0, 'one change may have been under way');
  newer.holder.see(entry(12, 'other', 'life', 'held'));
  assert.match(newer.failures[0]?.message ?? '', /another process is the node n/);
  const replaced = new Stage();
  replaced.holder.claim();
  await replaced.answer({ kind: 'stored', revision: 11 });
  replaced.holder.see(entry(12, 'other', 'life', 'held'));
  assert.equal(replaced.lost.length, 1);
  assert.equal(replaced.failures.length, 1);
});

test('what is given back is not granted again by a late answer', async () => {
  const stage = new Stage();
  stage.holder.claim();
  await stage.answer({ kind: 'stored', revision: 11 });
  stage.now = 300;
  stage.holder.tick();
  const renewal = stage.asked.at(-1);
  const given = stage.holder.giveBack();
  assert.ok(renewal !== undefined);
  renewal.answer({ kind: 'stored', revision: 12 });
  await turn();
  await stage.answer({ kind: 'conflict' });
  await stage.answer({ kind: 'stored', revision: 13 });
  await given;
  assert.deepEqual(stage.granted, [0]);
  assert.equal(stage.asked.at(-1)?.value.state, 'left');
  assert.equal(stage.asked.at(-1)?.revision, 12);
});
