/**
 * An order that may be taken back, over every interleaving: one of the two threads carries it out, never both, and the
 * writer waits for the other no longer than until its answer is there.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OrderWord } from '../../engine/channel/order-word.js';
import { exploreAll, type ModelThread } from './model/explore.js';

/** Words of the model itself: how often the order was carried out, and whether its answer was posted. */
const DONE_BY = 1;
const ANSWER = 2;

const maintenance: ModelThread = (words) => {
  const order = new OrderWord(words);
  if (!order.begin()) return;
  assert.equal(words.add(DONE_BY, 1), 0, 'carried out once');
  words.store(ANSWER, 1);
  order.end();
};

const writer: ModelThread = (words) => {
  const order = new OrderWord(words);
  // It may see at any time that the answer is there, but not before it is.
  if (order.isDone) assert.equal(words.load(ANSWER), 1);
  if (order.takeBack()) {
    assert.equal(words.add(DONE_BY, 1), 0, 'carried out once');
    return;
  }
  order.wait();
  assert.equal(words.load(ANSWER), 1, 'the answer is there when the wait has ended');
};

test('every interleaving: an order is carried out once, and its answer waited for', () => {
  const { ends } = exploreAll({
    threads: [writer, maintenance],
    check: ({ words, threads }) => {
      if (threads.every(({ isDone }) => isDone)) assert.equal(words.get(DONE_BY), 1);
    },
  });
  assert.ok(ends > 1);
});

test('the exploration finds an answer that nobody is woken for', () => {
  const silent: ModelThread = (words) => {
    const order = new OrderWord(words);
    if (order.begin()) words.store(0, 3);
  };
  assert.throws(() => exploreAll({ threads: [writer, silent] }));
});
