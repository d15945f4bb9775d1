/**
 * Comparisons of runs: intervals against tables and against counts by hand, how often noise is called a change and how often a change
 * is found, and what is refused as a record.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createRandom, type Random } from '../../perf/random.js';
import { compareRecords } from '../../perf/records/comparison.js';
import { renderComparison } from '../../perf/records/comparison-report.js';
import { medianOf, quantileOf, ratioInterval } from '../../perf/records/ratio-interval.js';
import { REFERENCE_NAME, ReferenceLoop } from '../../perf/records/reference-loop.js';
import { makeRecord, measureOf, readRecord, writeRecord } from '../../perf/records/run-record.js';

const LIMITS = { confidence: 0.95, margin: 0.05 };
const ROUNDS = 8;
const TRIALS = 2000;

/** Standard normal numbers: Box & Muller, 1958. */
const gaussOf = (random: Random): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Figures of rounds around `centre` with noise of 4 %, of which every twentieth was disturbed. */
const drawRounds = (random: Random, centre: number): number[] =>
  Array.from({ length: ROUNDS }, () => centre * Math.exp(0.04 * gaussOf(random)) * (random() < 0.05 ? 1.3 : 1));

const recordOf = (rounds: readonly number[], machine: readonly number[] = []) => ({
  measures: [
    measureOf('m', 'ms', 'lower', rounds),
    ...(machine.length === 0 ? [] : [measureOf(REFERENCE_NAME, 'ms', 'lower', machine)]),
  ],
});

test('quantiles lie between values in proportion', () => {
  assert.equal(medianOf([4, 1, 3, 2]), 2.5);
  assert.equal(quantileOf([1, 2, 3, 4, 5], 0.25), 2);
  assert.equal(quantileOf([7], 0.99), 7);
  assert.ok(Number.isNaN(medianOf([])));
});

test('the interval leaves out as many ratios on each side as the tables of the Mann-Whitney test say', () => {
  // Critical values of U, two-sided, 5 %: 0 for 4 and 4, 2 for 5 and 5, 13 for 8 and 8, 3 for 5 and 6 (Mann & Whitney's tables).
  const values = (count: number, prime: number): number[] =>
    Array.from({ length: count }, (_, i) => 1 + ((i * prime) % 97));
  for (const [m, n, critical] of [
    [4, 4, 0],
    [5, 5, 2],
    [5, 6, 3],
    [8, 8, 13],
  ] as const) {
    const before = values(m, 31);
    const after = values(n, 43);
    const ratios = before.flatMap((base) => after.map((value) => value / base)).sort((a, b) => a - b);
    const { ratio, low, high } = ratioInterval(before, after, 0.95);
    assert.equal(low, ratios[critical], `${m} and ${n}`);
    assert.equal(high, ratios[m * n - 1 - critical], `${m} and ${n}`);
    assert.equal(ratio, medianOf(ratios));
  }
});

test('three rounds are too few for 95 %, and are enough for 90 %', () => {
  const [before, after] = [
    [1, 1.1, 1.2],
    [2, 2.1, 2.2],
  ];
  assert.deepEqual(ratioInterval(before, after, 0.95).high, Number.POSITIVE_INFINITY);
  assert.equal(compareRecords(recordOf(before), recordOf(after), LIMITS).measures[0]?.verdict, 'too few rounds');
  const loose = { ...LIMITS, confidence: 0.9 };
  assert.equal(compareRecords(recordOf(before), recordOf(after), loose).measures[0]?.verdict, 'slower');
});

test('noise is called a change in at most five of a hundred cases without a margin, and hardly ever with one', () => {
  const random = createRandom(1);
  let missing = 0;
  let called = 0;
  for (let trial = 0; trial < TRIALS; trial++) {
    const [before, after] = [drawRounds(random, 1), drawRounds(random, 1)];
    const { low, high } = ratioInterval(before, after, LIMITS.confidence);
    if (low > 1 || high < 1) missing++;
    const [compared] = compareRecords(recordOf(before), recordOf(after), LIMITS).measures;
    if (compared?.verdict !== 'no change seen') called++;
  }
  // Five of a hundred and three standard deviations of what so many trials give.
  assert.ok(missing / TRIALS < 0.065, `${missing} of ${TRIALS} intervals miss 1`);
  assert.ok(missing > 0, 'an interval that never misses is too wide');
  assert.ok(called / TRIALS < 0.005, `${called} of ${TRIALS} called a change`);
});

/** A run of forty measures around `centre`, ten rounds each. */
function drawRun(random: Random, centre: number) {
  const ten = (): number[] => [...drawRounds(random, centre), ...drawRounds(random, centre)].slice(0, 10);
  return { measures: Array.from({ length: 40 }, (_, i) => measureOf(`m${i}`, 'ms', 'lower', ten())) };
}

test('of forty measures that stayed the same, none is called a change in nineteen of twenty runs, without any margin', () => {
  const random = createRandom(6);
  const runs = 200;
  let wrong = 0;
  for (let i = 0; i < runs; i++) {
    const { measures } = compareRecords(drawRun(random, 1), drawRun(random, 1), { ...LIMITS, margin: 0 });
    if (measures.some(({ verdict }) => verdict !== 'no change seen')) wrong++;
  }
  // Five of a hundred and three standard deviations of what so many runs give.
  assert.ok(wrong / runs < 0.1, `${wrong} of ${runs} runs`);
});

test('a change of 20 % among forty measures is found in seven of ten cases', () => {
  const random = createRandom(7);
  const compare = () => compareRecords(drawRun(random, 1), drawRun(random, 1.2), LIMITS).measures;
  const verdicts = Array.from({ length: 20 }, compare).flat();
  const found = verdicts.filter(({ verdict }) => verdict === 'slower').length;
  assert.ok(found / verdicts.length > 0.7, `${found} of ${verdicts.length}`);
});

test('a change of 20 % is found in nine of ten cases, in its direction', () => {
  const random = createRandom(2);
  const counts = new Map<string, number>();
  for (let trial = 0; trial < TRIALS; trial++) {
    const [compared] = compareRecords(
      recordOf(drawRounds(random, 1)),
      recordOf(drawRounds(random, 1.2)),
      LIMITS,
    ).measures;
    const verdict = compared?.verdict ?? '';
    counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  }
  assert.ok((counts.get('slower') ?? 0) / TRIALS > 0.9, JSON.stringify([...counts]));
  assert.equal(counts.get('faster') ?? 0, 0);
});

test('figures that follow the machine are not the change of a build', () => {
  const random = createRandom(3);
  const [before, slow] = [drawRounds(random, 1), drawRounds(random, 1.2)];
  const quiet = Array.from({ length: ROUNDS }, (_, i) => 10 + i / 100);
  const compare = (machineAfter: readonly number[]) =>
    compareRecords(recordOf(before, quiet), recordOf(slow, machineAfter), LIMITS);
  assert.equal(compare(quiet).measures[0]?.verdict, 'slower');
  const slower = compare(quiet.map((value) => value * 1.2));
  assert.equal(slower.measures[0]?.verdict, 'no change seen');
  assert.ok(Math.abs(slower.machineRatio - 1.2) < 1e-9);
  // The machine became quicker, and this did not.
  assert.equal(compare(quiet.map((value) => value / 1.2)).measures[0]?.verdict, 'slower');
});

test('more requests are faster, more bytes are larger whatever the machine did, and what one run lacks is named', () => {
  const [few, many] = [drawRounds(createRandom(4), 1), drawRounds(createRandom(5), 2)];
  const before = {
    measures: [
      measureOf('rate', 'per second', 'higher', few),
      measureOf('memory', 'bytes', 'lower', few),
      measureOf('gone', 'ms', 'lower', few),
      measureOf(
        'never',
        'bytes',
        'lower',
        few.map(() => 0),
      ),
    ],
  };
  const after = {
    measures: [
      measureOf('rate', 'per second', 'higher', many),
      measureOf('memory', 'bytes', 'lower', many),
      measureOf('new', 'ms', 'lower', many),
      measureOf(
        'never',
        'bytes',
        'lower',
        few.map(() => 0),
      ),
    ],
  };
  const { measures, onlyBefore, onlyAfter } = compareRecords(before, after, LIMITS);
  assert.deepEqual(
    measures.map(({ name, verdict, isWorse }) => [name, verdict, isWorse]),
    [
      ['rate', 'faster', false],
      ['memory', 'larger', true],
    ],
  );
  assert.deepEqual([onlyBefore, onlyAfter], [['gone'], ['new']]);
  const back = compareRecords(after, before, LIMITS).measures.map(({ verdict }) => verdict);
  assert.deepEqual(back, ['slower', 'smaller']);
});

test('the report says the ratio, its interval, and what else differed', () => {
  const record = (options: object, rounds: readonly number[]) =>
    makeRecord('perf', { ...options }, [measureOf('one word, p50', 'ms', 'lower', rounds)]);
  const before = record({ corpus: 'a' }, [1, 1.01, 1.02, 1.03]);
  const after = record({ corpus: 'b' }, [2, 2.01, 2.02, 2.03]);
  const comparison = compareRecords(before, after, LIMITS);
  const report = renderComparison(before, after, comparison, LIMITS, false);
  assert.match(
    report,
    /\| one word, p50 +\| +ms \| +1\.0\d \| +2\.0\d \| 1\.98\d \| 1\.942 to 2\.030 \| \*\*slower\*\* +\|/,
  );
  assert.ok(report.includes('Not the same option corpus: "a", then "b".'), report);
  assert.ok(report.includes('different times'), report);
  assert.ok(!renderComparison(before, after, comparison, LIMITS, true).includes('different times'));
});

test('the reference loop has a figure for each round', () => {
  const loop = new ReferenceLoop();
  for (let round = 0; round < 2; round++) {
    loop.sample();
    loop.sample();
    loop.endRound();
  }
  const { rounds } = loop.measure();
  assert.equal(rounds.length, 2);
  assert.ok(rounds.every((ms) => ms > 0));
});

test('a record is read as it was written, and what is none is refused with what was expected', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sabre-records-'));
  try {
    const path = join(folder, 'record.json');
    const record = makeRecord('bench', { tiny: true }, [measureOf('m', 'us', 'lower', [1, 2], [1, 2, 3, 4, 5])]);
    writeRecord(path, record);
    assert.deepEqual(readRecord(path, 'bench'), record);
    const [measure] = record.measures;
    assert.deepEqual([measure?.n, measure?.q1, measure?.median, measure?.q3], [5, 2, 3, 4]);
    assert.throws(
      () => readRecord(path, 'perf'),
      /record\.json cannot be compared with: expected a record of perf, got "bench"/,
    );
    const refuse = (text: string, message: RegExp): void => {
      writeFileSync(path, text);
      assert.throws(() => readRecord(path, 'bench'), message);
    };
    const changed = (change: object): string => JSON.stringify({ ...record, ...change });
    refuse('{', /record\.json cannot be compared with: .*JSON/);
    refuse('[1]', /expected "format": "sabre-measures"/);
    refuse(changed({ version: 2 }), /expected "version": 1, got 2/);
    refuse(changed({ measures: 3 }), /expected "measures" to be an array, got 3/);
    refuse(
      changed({ measures: [{ ...measure, rounds: [1, null] }] }),
      /expected a measure with name, .* got \{"name":"m"/,
    );
    refuse(changed({ machine: undefined }), /expected machine, node and at/);
    assert.throws(() => readRecord(join(folder, 'none.json'), 'bench'), /ENOENT/);
    assert.ok(readFileSync(path, 'utf8').length > 0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
