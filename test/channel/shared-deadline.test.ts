/**
 * A deadline that threads share: it is over when its time is, and stays so for however long nobody extends it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SharedDeadline } from '../../engine/channel/shared-deadline.js';

const DAY_MS = 24 * 3600 * 1000;

test('what was over days ago is not valid again, and can be extended', () => {
  const deadline = new SharedDeadline();
  const other = new SharedDeadline(deadline.words);
  assert.ok(other.isOver);
  const now = deadline.now();
  for (const days of [0, 1, 20, 25, 30, 49, 50, 70, 75, 100]) {
    deadline.extend(now - days * DAY_MS - 2000, 1000);
    assert.ok(other.isOver, `${days} days`);
  }
  deadline.extend(deadline.now(), 60_000);
  assert.ok(other.leftMs > 0 && other.leftMs <= 60_000);
  other.end();
  assert.ok(deadline.isOver);
});
