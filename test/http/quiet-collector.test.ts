/**
 * Garbage of an HTTP thread is collected in pauses, once each, and only after enough answers.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QuietCollector } from '../../src/http/quiet-collector.js';

test('a pause of eight seconds after 500 answers has garbage collected once', () => {
  let answers = 0;
  let collections = 0;
  const collector = new QuietCollector(
    () => answers,
    () => void collections++,
  );
  const pass = (ticks: number, answersEach: number): number => {
    for (let i = 0; i < ticks; i++) {
      answers += answersEach;
      collector.tick();
    }
    return collections;
  };
  assert.equal(pass(10, 0), 0, 'nothing was answered');
  assert.equal(pass(10, 100), 0, 'there is no pause');
  assert.equal(pass(7, 0), 0, 'the pause is short');
  assert.equal(pass(1, 0), 1);
  assert.equal(pass(100, 0), 1, 'the same pause');
  pass(1, 499);
  assert.equal(pass(10, 0), 1, 'too few answers since');
  pass(1, 1);
  assert.equal(pass(8, 0), 2, 'together with those before they are enough');
});
