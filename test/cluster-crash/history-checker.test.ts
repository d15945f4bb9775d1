/**
 * The checker of histories: it finds what is wrong in histories made by hand, lets right ones pass, and agrees with trying
 * everything on tiny ones.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { FindingKind, History, Outcome, Read, Value, Write } from './campaign/history.js';
import { checkHistory } from './campaign/history-checker.js';
import { isRightByTrying } from './history-oracle.js';

const KEY = 'k';
const write = (value: Value, invoked: number, responded: number, outcome: Outcome = 'acknowledged'): Write => ({
  key: KEY,
  value,
  invoked,
  responded,
  outcome,
});
const read = (value: Value, invoked: number, responded: number, node = 0): Read => ({
  key: KEY,
  value,
  invoked,
  responded,
  node,
});
const last = (value: Value, node = 0): Read => ({ ...read(value, 1000, 1001, node), isFinal: true });
const history = (writes: readonly Write[], reads: readonly Read[], initial: Value = null): History => ({
  initial: new Map([[KEY, initial]]),
  writes,
  reads,
});

const RIGHT: Readonly<Record<string, History>> = {
  'nothing is done': history([], []),
  'a write is seen by all after its answer': history(
    [write('a', 1, 2)],
    [read('a', 3, 4), read('a', 3, 4, 1), last('a')],
  ),
  'a write under way is seen by one node and not yet by another': history(
    [write('a', 1, 10)],
    [read('a', 2, 3, 0), read(null, 4, 5, 1), last('a')],
  ),
  'writes at the same time come in any order': history([write('a', 1, 9), write('b', 2, 8)], [last('a')]),
  'what is unknown is there': history([write('a', 1, 2, 'unknown')], [read(null, 3, 4), last('a')]),
  'what is unknown is not there': history([write('a', 1, 2, 'unknown')], [last(null)]),
  'what is unknown comes later than what was sent after it': history(
    [write('a', 1, 2, 'unknown'), write('b', 3, 4)],
    [read('b', 5, 6), read('a', 7, 8), last('a')],
  ),
  'what was there before stays': history([write('a', 1, 2, 'refused')], [last('old')], 'old'),
  'a deletion, and a write again': history(
    [write('a', 1, 2), write(null, 3, 4), write('b', 5, 6)],
    [read(null, 4.5, 4.6), read('b', 7, 8), last('b')],
  ),
  'reads of nothing before and after': history(
    [write('a', 2, 3), write(null, 4, 5)],
    [read(null, 0, 1), read(null, 6, 7), last(null)],
  ),
};

const WRONG: Readonly<Record<string, readonly [FindingKind, History]>> = {
  'an acknowledged write is lost': ['lost', history([write('a', 1, 2)], [last(null)])],
  'one of two nodes has lost it': ['lost', history([write('a', 1, 2)], [last('a'), last(null, 1)])],
  'a read misses a write that was acknowledged before': [
    'stale',
    history([write('a', 1, 2)], [read(null, 3, 4), last('a')]),
  ],
  'a read of another node is stale': [
    'stale',
    history([write('a', 1, 2), write('b', 3, 4)], [read('b', 5, 6), read('a', 5, 6, 1), last('b')]),
  ],
  'a deletion is forgotten': ['lost', history([write('a', 1, 2), write(null, 3, 4)], [last('a')])],
  'a deletion is done again': [
    'stale',
    history([write('a', 1, 2), write(null, 3, 4), write('b', 5, 6)], [read(null, 7, 8), last('b')]),
  ],
  'what was refused is there': ['unwritten', history([write('a', 1, 2, 'refused')], [last('a')])],
  'what was refused is there for a moment': [
    'unwritten',
    history([write('a', 1, 2, 'refused')], [read('a', 1.5, 3), last(null)]),
  ],
  'a value comes from nowhere': ['unwritten', history([], [read('x', 1, 2)])],
  'nothing is there, and nobody deleted it': ['unwritten', history([], [last(null)], 'old')],
  'a write is seen before it is sent': ['early', history([write('a', 5, 6)], [read('a', 1, 2), last('a')])],
  'a node goes back': ['backwards', history([write('a', 1, 20)], [read('a', 2, 3), read(null, 4, 5), last('a')])],
  'what is unknown is done twice': [
    'stale',
    history(
      [write('a', 1, 2, 'unknown'), write('b', 3, 4)],
      [read('a', 2.1, 2.2), read('b', 5, 6), read('a', 7, 8), last('a')],
    ),
  ],
  'writes of one time are seen in two orders': [
    'backwards',
    history(
      [write('a', 1, 20), write('b', 1, 20)],
      [read('a', 2, 3), read('b', 4, 5), read('b', 2, 3, 1), read('a', 4, 5, 1)],
    ),
  ],
  'two reads of nothing of which each alone is right': [
    'unexplained',
    history(
      [write('a', 1, 50), write(null, 1, 50), write('b', 1, 50)],
      [read('a', 2, 3), read(null, 4, 5), read('b', 6, 7), read(null, 8, 9), read('a', 2, 3, 1), read('b', 4, 5, 1)],
    ),
  ],
};

for (const [name, each] of Object.entries(RIGHT))
  test(`right: ${name}`, () => {
    assert.deepEqual(checkHistory(each), { findings: [], undecided: [] });
    assert.ok(isRightByTrying(each));
  });

for (const [name, [kind, each]] of Object.entries(WRONG))
  test(`wrong: ${name}`, () => {
    const { findings } = checkHistory(each);
    assert.equal(findings.length, 1);
    assert.equal(findings[0]?.kind, kind, findings[0]?.message);
    assert.ok(!isRightByTrying(each));
  });

test('each key is judged alone', () => {
  const lost = history([write('a', 1, 2)], [last(null)]);
  const other = { ...write('a', 1, 2), key: 'other' };
  const { findings } = checkHistory({ ...lost, writes: [...lost.writes, other], reads: lost.reads });
  assert.deepEqual(
    findings.map(({ key }) => key),
    [KEY],
  );
});

const VALUES: readonly Value[] = ['v0', 'v1', 'v2', 'v3', null, 'old'];
const TIME_MAX = 12;
const times = fc.tuple(fc.nat(TIME_MAX), fc.integer({ min: 1, max: 6 }));
const outcomes = fc.constantFrom<Outcome>('acknowledged', 'acknowledged', 'unknown', 'refused');
const anyWrites = fc
  .array(fc.tuple(fc.boolean(), times, outcomes), { maxLength: 4 })
  .map((all) =>
    all.map(([isDeletion, [invoked, ms], outcome], index) =>
      write(isDeletion ? null : `v${index}`, invoked, invoked + ms, outcome),
    ),
  );
const anyReads = fc
  .array(fc.tuple(fc.constantFrom(...VALUES), times, fc.nat(1)), { minLength: 1, maxLength: 4 })
  .map((all) => all.map(([value, [invoked, ms], node]) => read(value, invoked, invoked + ms, node)));
const anyHistory = fc
  .tuple(anyWrites, anyReads, fc.constantFrom<Value>(null, 'old'))
  .map(([writes, reads, initial]) => history(writes, reads, initial));

test('on any tiny history the checker says what trying everything does', () => {
  const counts = { right: 0, wrong: 0 };
  fc.assert(
    fc.property(anyHistory, (each) => {
      const isRight = isRightByTrying(each);
      counts[isRight ? 'right' : 'wrong']++;
      const { findings, undecided } = checkHistory(each);
      assert.deepEqual(undecided, []);
      assert.equal(findings.length === 0, isRight, findings[0]?.message);
    }),
    { numRuns: 4000 },
  );
  assert.ok(counts.right > 200, `${counts.right} were right`);
  assert.ok(counts.wrong > 200, `${counts.wrong} were wrong`);
});

/** Steps of a cluster as it should be: an order of writes, and nodes that follow it. */
const STEPS = fc.array(fc.tuple(fc.nat(99), fc.nat(2), fc.nat(3)), { minLength: 5, maxLength: 120, size: 'max' });

/** A run of a right cluster: writes wait for all nodes, as their acknowledgement promises. */
function simulate(steps: readonly (readonly [number, number, number])[]): History {
  let now = 0;
  const order: Value[] = [null];
  const applied = [0, 0, 0];
  const writes: Write[] = [];
  const reads: Read[] = [];
  let waiting: { readonly write: Write; readonly position: number }[] = [];
  for (const [kind, node, extra] of steps) {
    now++;
    if (kind < 30) {
      const value = extra === 0 ? null : `v${now}`;
      const isUnknown = kind < 6;
      // What is unknown may never be done.
      if (!(isUnknown && extra === 1)) order.push(value);
      const sent = write(value, now, Number.POSITIVE_INFINITY, 'unknown');
      if (isUnknown) writes.push(sent);
      else waiting.push({ write: sent, position: order.length - 1 });
    } else if (kind < 60) {
      applied[node] = Math.min(order.length - 1, (applied[node] ?? 0) + 1 + extra);
    } else {
      reads.push(read(order[applied[node] ?? 0] ?? null, now, now + 0.5, node));
    }
    const everywhere = Math.min(...applied);
    for (const { write: sent, position } of waiting)
      if (position <= everywhere) writes.push({ ...sent, responded: now + 0.7, outcome: 'acknowledged' });
    waiting = waiting.filter(({ position }) => position > everywhere);
  }
  writes.push(...waiting.map(({ write: sent }) => sent));
  return history(writes, reads);
}

test('a run of a right cluster passes, however long', () => {
  fc.assert(
    fc.property(STEPS, (steps) => {
      const { findings, undecided } = checkHistory(simulate(steps));
      assert.deepEqual(findings, []);
      assert.deepEqual(undecided, []);
    }),
    { numRuns: 300 },
  );
});

test('a run in which one value is changed to an older one fails', () => {
  let found = 0;
  fc.assert(
    fc.property(STEPS, fc.nat(), (steps, which) => {
      const right = simulate(steps);
      const done = right.writes.filter(({ outcome, value }) => outcome === 'acknowledged' && value !== null);
      const [older, newer] = [done[which % Math.max(done.length, 1)], done.at(-1)];
      if (older === undefined || newer === undefined || !(older.responded < newer.invoked)) return;
      const stale = { ...read(older.value, newer.responded + 1, newer.responded + 2, 7), isFinal: true };
      found++;
      assert.equal(checkHistory({ ...right, reads: [...right.reads, stale] }).findings.length, 1);
    }),
    { numRuns: 300 },
  );
  assert.ok(found > 20, `${found} runs were changed`);
});
