/**
 * An HTTP thread gives back memory in pauses, once each, and only after enough answers.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QuietReads } from '../../src/http/quiet-reads.js';

test('a pause of eight seconds after 500 answers gives back memory once', () => {
  let answers = 0;
  let rests = 0;
  const reads = new QuietReads(
    () => answers,
    () => void rests++,
  );
  const pass = (ticks: number, answersEach: number): number => {
    for (let i = 0; i < ticks; i++) {
      answers += answersEach;
      reads.tick();
    }
    return rests;
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
