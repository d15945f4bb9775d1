import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ToldOnce } from '../../src/cluster/told-once.js';

test('each text is told once until it is forgotten, and no more than 64 of them', () => {
  const told = new ToldOnce();
  assert.deepEqual(
    ['a', 'b', 'a'].map((text) => told.isNews(text)),
    [true, true, false],
  );
  told.forget();
  assert.equal(Array.from({ length: 100 }, (_, i) => told.isNews(`${i}`)).filter((isNews) => isNews).length, 64);
  assert.equal(told.isNews('0'), false);
});
