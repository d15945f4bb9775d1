/**
 * The comparison with other engines: what is drawn, who is asked what, what counts as a disagreement, and how sure a ratio is.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Contestant, Order, Pass } from '../../perf/peers/contestant.js';
import { checkRow, type Field, RowMeasure, warmUp } from '../../perf/peers/measure.js';
import { allRows, drawQuestions, isKept, type Questions, warmUpSlicesOf } from '../../perf/peers/questions.js';
import { renderLines } from '../../perf/peers/report.js';
import { bootstrapRatio, medianOf } from '../../perf/peers/statistics.js';
import { createRandom } from '../../perf/random.js';

const EACH = 4;
const ROUNDS = 3;

function draw(): Questions {
  const samples = Array.from({ length: 200 }, (_, i) => [`a${i}`, `b${i}`, `c${i}`, `d${i % 7}`]);
  const words = [...new Set(samples.flat())];
  const files = { jsonFile: '', tableFile: '', jsonBytes: 0 };
  return drawQuestions({ ...files, count: samples.length, words, samples }, EACH, ROUNDS);
}

/** Answers in `us` microseconds, and counts 1 for each but the text number `wrong`; `orders` gets what was asked. */
function fake(name: string, us: number, orders: Order[] = [], wrong = -1): Contestant {
  const ask = async (order: Order): Promise<Pass> => {
    orders.push(order);
    const texts = Array.from({ length: order.end - order.first }, (_, i) => order.first + i);
    return { counts: texts.map((text) => (text === wrong ? 2 : 1)), us: texts.map((text) => us * (1 + text)) };
  };
  return { name, isExact: true, hasTwoCalls: false, ask };
}

const row = (questions: Questions, name: string) => allRows(questions).filter((each) => each.name === name)[0];

test('a ratio of percentiles has an interval that holds it, and a sure one is narrow', () => {
  const random = createRandom(3);
  const own = Float64Array.from({ length: 200 }, () => 10 + random());
  const twice = own.map((us) => 2 * us);
  const sure = bootstrapRatio(own, [own.map((us) => 3 * us), twice], 0.5, createRandom(1));
  // The least of the others, and exactly twice in every sample: queries are resampled with all their times.
  assert.deepEqual(sure, { ratio: 2, low: 2, high: 2 });
  const noisy = own.map(() => 5 + 30 * random());
  for (const share of [0.5, 0.95]) {
    const { ratio, low, high } = bootstrapRatio(own, [noisy], share, createRandom(1));
    assert.ok(low < ratio);
    assert.ok(ratio < high);
  }
  assert.equal(medianOf([9, 1, 5]), 5);
});

test('the texts are the same in every run, and those asked for the first time are distinct', () => {
  const questions = draw();
  assert.deepEqual(draw(), questions);
  const { kinds, texts } = questions;
  for (const { name, first, each, slices } of Object.values(kinds)) {
    assert.equal(slices, 1 + ROUNDS + warmUpSlicesOf(name));
    const asked = texts.slice(first, first + each * slices);
    const once = asked.slice(each);
    // A phrase of two is one of 400, of which the last words of documents are few.
    if (!name.startsWith('phrase')) assert.equal(new Set(once).size, once.length, name);
    // Words that are asked for alone, by default, are those of no other text.
    for (const word of asked.flatMap((text) => text.split(' ')))
      assert.equal(isKept(word), name === 'default, one word');
  }
  const phrases = kinds['phrase of two'];
  for (const text of texts.slice(phrases.first, phrases.first + phrases.each))
    assert.match(text, /^(a(\d+) b\2|b(\d+) c\3|c\d+ d\d)$/);
});

test('a count that differs ends the run and names the query', async () => {
  const questions = draw();
  const asked = row(questions, 'two words, all');
  const wrong = asked.kind.first + 1;
  const others = [fake('other', 2, [], wrong)];
  const field: Field = { bm25: fake('bm25', 1), ranked: fake('ranked', 1), server: fake('server', 1), others };
  await assert.rejects(checkRow(asked, field, questions.texts), {
    message: `COUNTS DIFFER (two words, all, top+count+documents): "${questions.texts[wrong]}": Sabre 1, Sabre, default ranking 1, its server 1, other 2`,
  });
  await checkRow(asked, { ...field, others: [{ ...others[0], isExact: false }] }, questions.texts);
});

test('another engine is asked in one call and in two, and is to count alike in both', async () => {
  const questions = draw();
  const orders: Order[] = [];
  const others = [{ ...fake('other', 2, orders), hasTwoCalls: true }, fake('library', 3)];
  const field: Field = { bm25: fake('bm25', 1), ranked: fake('ranked', 1), server: fake('server', 1), others };
  const exact = new RowMeasure(row(questions, 'two words, all'), field);
  await exact.askRound(0);
  const ours = ['Sabre', 'Sabre, default ranking', 'its server'];
  assert.deepEqual([...exact.lines()[0].times.keys()], [...ours, 'other', 'other, two calls', 'library']);
  assert.deepEqual([...new Set(orders.map(({ mode }) => mode))], ['top+count+documents', 'top, count+documents']);
  const corrected = new RowMeasure(row(questions, 'default, one word, again'), field);
  await corrected.askRound(0);
  assert.deepEqual([...corrected.lines()[0].times.keys()], [...ours, 'other', 'library']);
  const counting = { ...others[0], ask: async (order: Order) => fake('other', 2, [], wrongIn(order)).ask(order) };
  const wrongIn = ({ mode, first }: Order): number => (mode.startsWith('top, ') ? first : -1);
  await assert.rejects(checkRow(row(questions, 'two words, all'), { ...field, others: [counting] }, questions.texts), {
    message: /other 1, other, two calls 2$/,
  });
});

test('what is asked for the first time is new to everyone in every round', async () => {
  const questions = draw();
  const orders: Order[] = [];
  const server = fake('server', 1);
  const field: Field = { bm25: fake('bm25', 1, orders), ranked: fake('ranked', 1), server, others: [fake('other', 2)] };
  const measure = new RowMeasure(row(questions, 'default, one word, first time'), field);
  for (let round = 0; round < ROUNDS; round++) await measure.askRound(round);
  const lines = measure.lines();
  assert.deepEqual(
    lines.map(({ name, times }) => [name, [...times.keys()], times.get('other')?.length]),
    ['corrected', 'in two steps'].map((shape) => [
      `default, one word, first time, ${shape}`,
      ['Sabre', 'Sabre, default ranking', 'its server', 'other'],
      EACH * ROUNDS,
    ]),
  );
  await warmUp(row(questions, 'default, one word, first time'), field);
  // A slice of its own each round, and all others to warm up, the first one in every round.
  const slices = 1 + ROUNDS + warmUpSlicesOf('default, one word');
  assert.equal(new Set(orders.map(({ first }) => first)).size, slices);
  assert.equal(orders.length, slices + ROUNDS - 1);
});

test('the table says who did not take part, and where Sabre loses', () => {
  const times = (us: number): Float64Array => new Float64Array(10).fill(us);
  const lines = [
    {
      name: 'won',
      times: new Map([
        ['Sabre', times(10)],
        ['x', times(40)],
        ['y', times(50)],
      ]),
    },
    {
      name: 'lost',
      times: new Map([
        ['Sabre', times(1000)],
        ['x', times(100)],
      ]),
    },
  ];
  const rendered = renderLines(lines, ['Sabre', 'x', 'y']);
  assert.match(rendered, /^\| won \| 10 \/ 10 \| 40 \/ 40 \| 50 \/ 50 \| 4\.00 \(4\.00\.\.4\.00\) \| 4\.00/m);
  assert.match(rendered, /^\| lost \| 1,000 \/ 1,000 \| 100 \/ 100 \| - \| \*\*0\.10 \(0\.10\.\.0\.10\)\*\* \|/m);
  assert.match(rendered, /^- Sabre is faster at p95: won \(4\.00\)\.$/m);
  assert.match(rendered, /^- Sabre is slower at p50: lost \(0\.10\)\.$/m);
});
