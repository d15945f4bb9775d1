/**
 * The synthetic corpus: the same bytes for the same seed, and the statistics that docs/performance.md tells.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { createRandom } from '../../perf/random.js';
import { lengthWeight, makeDocuments, SYNTHETIC_FIELDS, VOCABULARY, wordWeight } from '../../perf/synthetic-corpus.js';
import { RANKS_MAX, wordOfRank } from '../../perf/synthetic-words.js';
import { WeightedRanks } from '../../perf/weighted-ranks.js';

interface SyntheticDocument {
  readonly id: string;
  readonly title: string;
  readonly topic: string;
  readonly score: number;
  readonly price: number;
  readonly created: number;
  readonly sold: boolean;
}

const DOCUMENTS = 40_000;

const digestOf = (count: number, seed: number): string => {
  const hash = createHash('sha256');
  for (const piece of makeDocuments(count, seed)) hash.update(piece, 'latin1');
  return hash.digest('hex');
};

function read(count: number, seed: number): SyntheticDocument[] {
  const text = [...makeDocuments(count, seed)].join('');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as SyntheticDocument);
}

const documents = read(DOCUMENTS, 1);
const titles = documents.map(({ title }) => title.toLowerCase().split(' '));
const tokens = titles.flat();
const near = (got: number, expected: number, tolerance: number, what: string): void =>
  assert.ok(Math.abs(got - expected) <= tolerance, `${what}: expected ${expected} within ${tolerance}, got ${got}`);

test('the same seed gives the same bytes, on every machine', () => {
  assert.equal(digestOf(20_000, 1), 'd8215cc95dba6c818e6034f66980c7ad68e365fa128306a74398f56fe4d0c51f');
  assert.notEqual(digestOf(20_000, 2), digestOf(20_000, 1));
});

test('fewer documents are the beginning of more', () => {
  assert.deepEqual(read(1000, 1), documents.slice(0, 1000));
});

test('no two ranks have the same word, and every word can be spoken', () => {
  assert.ok(VOCABULARY <= RANKS_MAX);
  const words = new Set<string>();
  for (let rank = 0; rank < VOCABULARY; rank++) words.add(wordOfRank(rank));
  assert.equal(words.size, VOCABULARY);
  for (const rank of [0, 1023, 1024, 65_535, 65_537, VOCABULARY - 1])
    assert.match(wordOfRank(rank), /^([bcdfghjklmnprstvwz][hlrt]?[aeiou]{1,2}[nrlm]?){1,3}$/);
});

test('words occur by Zipf and Mandelbrot with an exponent of 1.25 and a shift of 5', () => {
  const counts = new Map<string, number>();
  for (const word of tokens) counts.set(word, (counts.get(word) ?? 0) + 1);
  let sum = 0;
  for (let rank = 0; rank < VOCABULARY; rank++) sum += wordWeight(rank);
  for (const rank of [0, 1, 10, 100]) {
    const expected = tokens.length * (1 / ((rank + 6) ** 1.25 * sum));
    // Five standard deviations of a count.
    near(counts.get(wordOfRank(rank)) ?? 0, expected, 5 * Math.sqrt(expected), `word ${rank}`);
  }
});

test('the number of different words grows like a power of the number of all, of 0.6 to 0.8', () => {
  const distinct = (share: number): number => new Set(titles.slice(0, DOCUMENTS * share).flat()).size;
  const exponent = Math.log(distinct(1) / distinct(1 / 16)) / Math.log(16);
  near(exponent, 0.7, 0.1, 'exponent');
});

test('titles have the lengths of titles: half of them at most 8 words, 10 on average, 60 at most', () => {
  const lengths = titles.map(({ length }) => length).sort((a, b) => a - b);
  assert.equal(lengths[DOCUMENTS / 2], 8);
  near(tokens.length / DOCUMENTS, 10.2, 0.2, 'mean');
  near(lengths.filter((length) => length <= 4).length / DOCUMENTS, 0.19, 0.02, 'up to 4 words');
  near(lengths.filter((length) => length <= 25).length / DOCUMENTS, 0.95, 0.02, 'up to 25 words');
  assert.deepEqual([lengths[0], (lengths.at(-1) ?? 0) <= 60], [1, true]);
  near(
    Array.from({ length: 60 }, (_, i) => lengthWeight(i + 1)).reduce((sum, weight) => sum + weight, 0),
    0.99,
    0.01,
    'sum',
  );
  near(tokens.reduce((sum, { length }) => sum + length, 0) / tokens.length, 4.5, 0.2, 'letters of a word');
});

test('every other field has the values that are told of it', () => {
  assert.deepEqual(Object.keys(documents[0] ?? {}), ['id', ...SYNTHETIC_FIELDS.map(({ name }) => name)]);
  assert.equal(new Set(documents.map(({ id }) => id)).size, DOCUMENTS);
  assert.equal(new Set(documents.map(({ topic }) => topic)).size, 200);
  const share = (is: (document: SyntheticDocument) => boolean): number => documents.filter(is).length / DOCUMENTS;
  near(
    share(({ score }) => score < 10),
    0.5,
    0.02,
    'scores below 10',
  );
  near(
    share(({ score }) => score >= 900),
    0.011,
    0.005,
    'scores of 900 and more',
  );
  assert.ok(documents.every(({ score }) => Number.isInteger(score) && score >= 0));
  assert.ok(documents.every(({ price }) => price >= 0.99 && price < 501 && Number(price.toFixed(2)) === price));
  near(
    share(({ sold }) => sold),
    0.3,
    0.02,
    'sold',
  );
  const [first, last] = [documents[0], documents.at(-1)];
  near((last?.created ?? 0) - (first?.created ?? 0), (DOCUMENTS - 1) * 60_000, 3_600_000, 'milliseconds');
});

test('ranks are drawn by their weights, the last and the rarest too', () => {
  const ranks = new WeightedRanks(4, (rank) => [5, 0, 4, 1][rank] ?? 0);
  const random = createRandom(1);
  const drawn = [0, 0, 0, 0];
  for (let i = 0; i < 10_000; i++) drawn[ranks.draw(random)]++;
  assert.equal(drawn[1], 0);
  for (const [rank, expected] of [5000, 0, 4000, 1000].entries()) near(drawn[rank] ?? 0, expected, 250, `rank ${rank}`);
});
