/**
 * The measures of `npm run relevance` against values worked out by hand, and the queries it draws against what their kinds say.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { askFor, drawItems, inflect, isAskable, misspell, QUERY_KINDS } from '../../perf/known-items.js';
import { createRandom } from '../../perf/random.js';
import { ndcgAt, pairedBootstrap, quantile, recallAt, reciprocalRank } from '../../perf/relevance-metrics.js';
import { renderComparison, renderMeasured, renderMisses } from '../../perf/relevance-report.js';
import { editDistance as distance } from '../oracle/edit-distance.js';

const near = (got: number, expected: number): void =>
  assert.ok(Math.abs(got - expected) < 1e-9, `expected ${expected}, got ${got}`);

const judged = new Map([
  ['a', 3],
  ['b', 2],
  ['c', 1],
]);

test('nDCG is the discounted gain over that of the best order', () => {
  // Best: 3/log2(2) + 2/log2(3) + 1/log2(4) = 3 + 1.2618595071 + 0.5. Got: c first, then nothing, then a: 1 + 0 + 3/2.
  near(ndcgAt(['c', 'x', 'a'], judged, 10), 2.5 / (3.5 + 2 / Math.log2(3)));
  near(ndcgAt(['a', 'b', 'c', 'x'], judged, 10), 1);
  assert.equal(ndcgAt(['x', 'y'], judged, 10), 0);
  // Only the first two count, on both sides: (1 + 0) / (3 + 2/log2(3)).
  near(ndcgAt(['c', 'x', 'a'], judged, 2), 1 / (3 + 2 / Math.log2(3)));
  assert.equal(ndcgAt([], judged, 10), 0);
});

test('recall and reciprocal rank count judged documents', () => {
  near(recallAt(['x', 'a', 'y', 'c'], judged, 3), 1 / 3);
  near(recallAt(['x', 'a', 'y', 'c'], judged, 4), 2 / 3);
  near(reciprocalRank(['x', 'y', 'b', 'a'], judged), 1 / 3);
  assert.equal(reciprocalRank(['x'], judged), 0);
});

test('a quantile is the value at its nearest rank', () => {
  assert.equal(quantile([9, 1, 5, 3], 0.5), 3);
  assert.equal(quantile([9, 1, 5, 3], 0.9), 9);
  assert.equal(quantile([7], 0.5), 7);
});

test('the bootstrap tells a difference from none', () => {
  const before = Array.from({ length: 40 }, (_, i) => i / 100);
  const better = pairedBootstrap(
    before,
    before.map((value) => value + 0.25),
  );
  // Every resample of a constant has the same mean.
  near(better.mean, 0.25);
  near(better.low, 0.25);
  near(better.high, 0.25);
  assert.ok(better.p < 0.001);
  const same = pairedBootstrap(before, before);
  assert.deepEqual([same.mean, same.low, same.high, same.p], [0, 0, 0, 1]);
  // One up for one down: no difference, and an interval of about 1.96 / sqrt(40) around it.
  const mixed = pairedBootstrap(
    before,
    before.map((value, i) => value + (i % 2 === 0 ? 1 : -1)),
  );
  near(mixed.mean, 0);
  assert.equal(mixed.p, 1);
  assert.ok(Math.abs(mixed.high - 1.96 / Math.sqrt(40)) < 0.05 && Math.abs(mixed.low + mixed.high) < 0.06);
  assert.throws(() => pairedBootstrap([1], [1, 2]), /1 and 2 values/);
});

const TITLES = [
  'The Spider Man Returns Tomorrow',
  'Planning a Walking Tour of Scotland',
  'Ten Red Balloons over Istanbul',
];

/** Draws from a file of those titles and one that cannot be asked for. */
async function draw(count: number, seed: number, wordsMax = 0) {
  const folder = mkdtempSync(join(tmpdir(), 'sabre-relevance-'));
  const file = join(folder, 'titles.jsonl');
  writeFileSync(file, [...TITLES, 'Oh No'].map((title, id) => JSON.stringify({ id: String(id), title })).join('\n'));
  try {
    return await drawItems(file, 'title', count, seed, wordsMax);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('items are the titles that every kind of query can ask for, the same for a seed', async () => {
  const items = await draw(10, 1);
  const keys = TITLES.map((title) => title.toLowerCase());
  assert.deepEqual(items.map(({ title }) => title).sort(), [...keys].sort());
  assert.equal((await draw(2, 1)).length, 2);
  assert.deepEqual(await draw(2, 5), await draw(2, 5));
  for (const { title, words } of await draw(10, 3, 4)) {
    assert.ok(words.length <= 4 && title.includes(words.join(' ')), `${words} of ${title}`);
  }
});

test('each kind of query is what its name says', async () => {
  const items = await draw(10, 1);
  const seeds = Array.from({ length: 40 }, (_, seed) => seed);
  const ask = (name: string): [string, string][] => {
    const kind = QUERY_KINDS.find((known) => known.name === name);
    assert.ok(kind !== undefined);
    return seeds.flatMap((seed) =>
      askFor(kind, items, seed).map((query, index): [string, string] => [items[index].title, query]),
    );
  };
  for (const [title, query] of ask('full words')) assert.equal(query, title);
  for (const [title, query] of ask('three of its words')) {
    const words = query.split(' ');
    const places = words.map((word) => title.split(' ').indexOf(word));
    assert.ok(places.length === 3 && places.every((place, i) => place > (places[i - 1] ?? -1)), `${query} of ${title}`);
  }
  for (const [title, query] of ask('last word cut')) assert.ok(title.startsWith(query) && query.length < title.length);
  for (const [title, query] of ask('one typo')) assert.equal(distance(title, query), 1);
  for (const [title, query] of ask('last word cut and a typo')) {
    const start = (text: string): string => text.slice(0, text.lastIndexOf(' '));
    assert.equal(distance(start(title), start(query)), 1);
    assert.ok((title.split(' ').at(-1) ?? '').startsWith(query.split(' ').at(-1) ?? '?'));
  }
  for (const [title, query] of ask('typo in the cut word')) {
    const [last, typed] = [title.split(' ').at(-1) ?? '', query.split(' ').at(-1) ?? ''];
    const cuts = [...last].map((_, i) => last.slice(0, i)).filter((cut) => cut.length >= 4);
    assert.ok(
      cuts.some((cut) => distance(cut, typed) === 1),
      `${typed} of ${last}`,
    );
  }
  for (const [title, query] of ask('two words joined')) {
    assert.equal(query.split(' ').length, title.split(' ').length - 1);
    assert.equal(query.replaceAll(' ', ''), title.replaceAll(' ', ''));
  }
  for (const [title, query] of ask('one word split')) {
    assert.equal(query.split(' ').length, title.split(' ').length + 1);
    assert.equal(query.replaceAll(' ', ''), title.replaceAll(' ', ''));
  }
  for (const [title, query] of ask('other word form')) {
    const changed = query.split(' ').filter((word, i) => word !== title.split(' ')[i]);
    assert.equal(changed.length, 1);
  }
  for (const [title, query] of ask('and a foreign word')) {
    const extra = query.split(' ').filter((word) => !title.split(' ').includes(word));
    assert.equal(extra.length, 1);
  }
});

test('a typo is one edit and changes the word; an ending takes the place of another', () => {
  const random = createRandom(3);
  for (let i = 0; i < 500; i++) assert.equal(distance('aabb', misspell(random, 'aabb')), 1);
  assert.deepEqual(['walking', 'walked', 'cats', 'glass', 'cat'].map(inflect), [
    'walked',
    'walking',
    'cat',
    'glasses',
    'cats',
  ]);
  assert.ok(!isAskable(['oh', 'no']));
});

const measured = (setting: string, first: readonly number[], queries = ['q1', 'q2']) => ({
  corpus: 'tiny',
  kind: 'one typo',
  setting,
  queries,
  found: [3, 0],
  refused: 0,
  scores: { 'success@1': first, 'success@10': [1, 0] },
});

test('a run is compared with the same setting, else with the plain one, over the same queries', () => {
  const stored = [measured('', [0, 0]), measured('x', [1, 1])];
  const text = renderComparison([measured('x', [1, 0]), measured('y', [1, 0])], stored);
  assert.match(text, /\| x \| x \| success@1 \| 100\.0 % \| 50\.0 % \| -50\.0 %/);
  assert.match(text, /\| y \| - \| success@1 \| 0\.0 % \| 50\.0 % \| \+50\.0 %/);
  assert.throws(() => renderComparison([measured('', [1, 0], ['q1', 'q3'])], stored), /asked other queries/);
});

test('the tables show shares, counts and misses', () => {
  const text = renderMeasured([measured('', [1, 0])]);
  assert.match(text, /\| one typo \| - \| 50\.0 % \| 50\.0 % \| 50\.0 % \| 0 \| 3 \|/);
  assert.match(renderMisses([measured('', [1, 0])], 5), /1 missed\n\n- item 1, 0 found: q2/);
});
