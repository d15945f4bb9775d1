/**
 * Handles of reads that are asked again.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RestartedReads } from '../../engine/channel/restarted-reads.js';
import { EngineError } from '../../engine/core/errors.js';
import type { ReadCallback } from '../../engine/engine.js';

const GONE = new EngineError('collection_not_found', 'gone');

/** A caller that counts its answers, and reads that answer when they are told to. */
class Asking {
  readonly reads = new RestartedReads();
  readonly started: ReadCallback[] = [];
  answers = 0;
  readonly done: ReadCallback = () => {
    this.answers++;
  };

  restart(first: number, again: number, done = this.done): void {
    this.reads.restart(first, done, (of) => {
      this.started.push(of);
      return again;
    });
  }
}

test('a read stands for itself until it is asked again, and then for the last of its successors', () => {
  const asking = new Asking();
  assert.equal(asking.reads.take(7), 7);
  asking.restart(7, 8);
  asking.restart(8, 9, asking.started[0]);
  asking.restart(17, 18);
  assert.equal(asking.reads.take(7), 9);
  assert.equal(asking.reads.take(7), 7, 'forgotten');
  assert.equal(asking.reads.take(8), 8, 'forgotten, too');
  assert.equal(asking.reads.take(17), 18);
});

test('an answer arrives once, and nothing of its reads is kept', () => {
  const asking = new Asking();
  asking.restart(7, 8);
  asking.restart(8, 9, asking.started[0]);
  asking.started[1](GONE, null);
  assert.equal(asking.answers, 1);
  assert.equal(asking.reads.take(7), 7);
  assert.equal(asking.reads.take(8), 8);
});

test('a read that is answered while it is asked again leaves no successor', () => {
  const asking = new Asking();
  asking.reads.restart(7, asking.done, (done) => {
    done(GONE, null);
    return 8;
  });
  assert.equal(asking.answers, 1);
  assert.equal(asking.reads.take(7), 7);
});
