/**
 * The chart in the README against the table that it is drawn from.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CHART_FILE, drawLatencies, FIGURES_FILE } from '../../perf/latency-chart.js';

const figures = readFileSync(FIGURES_FILE, 'utf8');

test('the chart shows the figures of docs/performance.md', () => {
  const drawn = drawLatencies(figures);
  assert.equal(readFileSync(CHART_FILE, 'utf8'), drawn, 'draw it again: node --import tsx perf/latency-chart.ts');
  const row = /\| two words, default \| 2,000 \| 100 % \| ([\d.]+) \| ([\d.]+) \|/.exec(figures);
  assert.ok(drawn.includes(`>${row?.[1]} / ${row?.[2]} ms<`), 'the first table that has them is that of reddit');
});

test('without the table nothing is drawn', () => {
  assert.throws(() => drawLatencies('# Performance\n'), /expected the table of the reddit corpus/);
});
