import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { RequestWindow } from '../../src/cli/request-window.js';

const BYTES_MAX = 100;

/** A window of 3 requests and BYTES_MAX, and how its requests are ended. */
function windowOfThree() {
  const window = new RequestWindow(3, BYTES_MAX);
  const begin = (bytes: number): (() => void) => {
    let end = (): void => {};
    window.add(new Promise((resolve) => (end = resolve)), bytes);
    return end;
  };
  /** Whether a request of `bytes` may begin now; `done` settles once it may. */
  const ask = async (bytes: number) => {
    let isFree = false;
    const done = window.room(bytes).then(() => (isFree = true));
    await turn();
    return { isFree, done };
  };
  return { window, begin, ask };
}

test('A window takes as many requests as it is for, and the next once one of them has ended', async () => {
  const { begin, ask } = windowOfThree();
  const ends = [begin(1), begin(1)];
  assert.ok((await ask(1)).isFree);
  begin(1);
  const fourth = await ask(1);
  assert.ok(!fourth.isFree);
  ends[1]();
  await fourth.done;
});

test('A window takes as many bytes as it is for, and one request of more alone', async () => {
  const { begin, ask } = windowOfThree();
  assert.ok((await ask(BYTES_MAX + 1)).isFree);
  const end = begin(BYTES_MAX - 10);
  assert.ok((await ask(10)).isFree);
  const larger = await ask(11);
  assert.ok(!larger.isFree);
  end();
  await larger.done;
  const endAlone = begin(BYTES_MAX + 1);
  const behind = await ask(0);
  assert.ok(!behind.isFree);
  endAlone();
  await behind.done;
  begin(10);
  assert.ok((await ask(BYTES_MAX - 10)).isFree, 'what has ended does not count');
});

test('A window ends when its last request has', async () => {
  const { window, begin } = windowOfThree();
  const [first, last] = [begin(1), begin(1)];
  let hasEnded = false;
  const done = window.end().then(() => (hasEnded = true));
  first();
  await turn();
  assert.ok(!hasEnded);
  last();
  await done;
});
