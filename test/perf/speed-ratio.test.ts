/**
 * The table of a comparison of two builds: percentiles, ratios, and which of them are beyond their bound.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ASKED_ALIKE, ASKED_BY_RANKING, renderRatios } from '../../perf/speed-ratio-report.js';

test('ratios are of percentiles, and those beyond their bound stand out', () => {
  const times = [
    [1, 2, 3, 10],
    [1, 2.2, 3, 12],
    [1, 2, 3, 10],
    [2, 2.9, 4, 14],
  ].map((values) => Float64Array.from(values));
  const search = renderRatios([{ name: 'one word', times }], ASKED_BY_RANKING)
    .split('\n')
    .at(-1);
  // p50 is the second of four by nearest rank, p95 the fourth. 1.2 > 1.15, and 1.4 and 1.45 < 1.5.
  assert.equal(
    search,
    '| one word | 4 | 2.00 | 2.20 | 1.10 | 2.00 | 2.90 | 1.45 | 10.00 | 12.00 | **1.20** | 10.00 | 14.00 | 1.40 |',
  );
  assert.match(renderRatios([{ name: 'suggest', times }], ASKED_BY_RANKING), /2\.90 \| \*\*1\.45\*\* \|/);
  const alike = renderRatios([{ name: 'one word', times }], ASKED_ALIKE);
  assert.match(alike, /p50 base \| now \| ratio \| base again \| now again \| ratio/);
  assert.match(alike, /2\.20 \| \*\*1\.10\*\* \|/);
});
