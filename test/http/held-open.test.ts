/** Connections on which something is on its way have the library's time begun anew, until they are let go. */
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { HeldOpen } from '../../src/http/held-open.js';

/** What is done to a port, in order. */
function recordedPort() {
  const calls: string[] = [];
  return { calls, pause: () => calls.push('pause'), resume: () => calls.push('resume') };
}

test('a port that is held is paused and goes on at once, before eight seconds are over, as long as it is held', () => {
  mock.timers.enable({ apis: ['setInterval'] });
  try {
    const held = new HeldOpen();
    const [one, other] = [recordedPort(), recordedPort()];
    held.add(one);
    mock.timers.tick(8000);
    assert.deepEqual(one.calls, ['pause', 'resume', 'pause', 'resume']);
    held.add(other);
    held.remove(one);
    mock.timers.tick(8000);
    assert.equal(one.calls.length, 4);
    assert.ok(other.calls.length >= 4);
    held.remove(other);
    mock.timers.tick(8000);
    held.add(one);
    mock.timers.tick(8000);
    assert.ok(one.calls.length >= 8);
  } finally {
    mock.timers.reset();
  }
});
