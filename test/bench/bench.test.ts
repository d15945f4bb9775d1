/**
 * Runs every benchmark with tiny inputs, so that none rots, and checks what they share.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSuites, loadSuite, parseWork, work } from '../../bench/suites.js';
import { makeProducts } from '../../bench/support/corpus.js';
import { Vocabulary } from '../../bench/support/zipf.js';
import { createRandom } from '../../perf/random.js';

for (const path of findSuites()) {
  test(`bench/${path} runs`, async () => {
    const suite = await loadSuite(path);
    const bench = await suite('tiny');
    await bench.run();
    assert.ok(bench.tasks.length > 0, 'it has tasks');
    for (const task of bench.tasks) assert.ok('latency' in task.result, `${task.name} ended as ${task.result.state}`);
  });
}

test('a name says the work of a call', () => {
  const name = work('scatter', 655, 'postings');
  assert.equal(name, 'scatter [655 postings]');
  assert.deepEqual(parseWork(name), { count: 655, unit: 'postings' });
  assert.equal(parseWork('one word'), null);
});

test('the synthetic corpus is the same from run to run', () => {
  const make = (seed: number): Uint8Array => makeProducts(0, 20, new Vocabulary(100, 1), seed);
  assert.deepEqual(make(3), make(3));
  assert.notDeepEqual(make(3), make(4));
});

test('words are drawn the more often the lower their rank, and each is distinct', () => {
  const vocabulary = new Vocabulary(1000, 1);
  assert.equal(new Set(vocabulary.words).size, 1000);
  const random = createRandom(1);
  const drawn = new Map<string, number>();
  for (let i = 0; i < 20_000; i++) {
    const word = vocabulary.draw(random);
    drawn.set(word, (drawn.get(word) ?? 0) + 1);
  }
  const share = (from: number, to: number): number =>
    vocabulary.words.slice(from, to).reduce((sum, word) => sum + (drawn.get(word) ?? 0), 0) / 20_000;
  // 1 / (rank + 2.7) summed over ten and over a thousand ranks.
  assert.ok(Math.abs(share(0, 10) - 0.26) < 0.03, `${share(0, 10)}`);
  assert.ok(Math.abs(share(500, 1000) - 0.12) < 0.03, `${share(500, 1000)}`);
});
