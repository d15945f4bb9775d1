/**
 * The lines of thousands of collections in a scrape: all of them, as Prometheus reads them, with other work in between.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { CollectionStats } from '../../engine/index.js';
import { describeCollections } from '../../src/metrics/collection-figures.js';
import { findSamples, parseMetrics } from '../support/prometheus.js';

const statsOf = (name: string, documents: number): CollectionStats => ({
  name,
  documents,
  segments: 2,
  segmentBytes: 100 * documents,
});

test('each collection has its figures under its name', async () => {
  const names = ['books', 'a "quoted" one', 'back\\slash', 'two\nlines'];
  const metrics = parseMetrics(await describeCollections(names.map((name, i) => statsOf(name, i + 1))));
  for (const [i, collection] of names.entries()) {
    const values = ['documents', 'segments', 'bytes'].map((figure) =>
      findSamples(metrics, `sabre_collection_${figure}`, { collection }).map(({ value }) => value),
    );
    assert.deepEqual(values, [[i + 1], [2], [100 * (i + 1)]]);
  }
  assert.deepEqual([...metrics.types.values()], ['gauge', 'gauge', 'gauge']);
});

test('other requests come in between the lines of many', async () => {
  const many = Array.from({ length: 3000 }, (_, i) => statsOf(`c${i}`, i));
  let turns = 0;
  let isDone = false;
  const described = describeCollections(many).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    turns++;
    await setImmediate();
  }
  assert.ok(turns > 30, `${turns} turns`);
  assert.equal((await described).split('\n').filter((line) => line.startsWith('sabre_')).length, 9000);
});
