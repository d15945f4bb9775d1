/**
 * The young generation of the main thread stops growing where it is large enough, and may grow again once it was made small.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { YoungGeneration } from '../../src/young-generation.js';
import { PROJECT_ROOT } from '../support/project.js';

const MIB = 1 << 20;

test('it may double until it is large enough, and again when it was made small; that it may not is said again and again', () => {
  let bytes = 0;
  const set: number[] = [];
  const young = new YoungGeneration(
    () => bytes,
    (factor) => void set.push(factor),
  );
  for (bytes of [1, 2, 4, 8, 8, 16, 8, 2, 4, 8]) {
    bytes *= MIB;
    young.tick();
  }
  assert.deepEqual(set, [1, 1, 1, 1, 2, 1]);
});

/**
 * Has most of what is allocated live through a collection, before and after another thread was started; prints the largest young
 * generation that was seen.
 */
const CHURN = `
const { getHeapSpaceStatistics } = await import('node:v8');
const bytes = () => getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space').space_size;
if (process.argv[1] === 'bounded') {
  const { YoungGeneration } = await import(process.argv[2]);
  new YoungGeneration().start();
}
const { Worker } = await import('node:worker_threads');
let kept = [];
let largest = 0;
async function churn(forMs) {
  const untilMs = performance.now() + forMs;
  while (performance.now() < untilMs) {
    for (let i = 0; i < 800; i++) kept.push({ i, of: [i] });
    if (kept.length > 20000) kept = [];
    largest = Math.max(largest, bytes());
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
await churn(700);
await new Promise((resolve) => new Worker('', { eval: true }).once('exit', resolve));
// A tick has come by.
await new Promise((resolve) => setTimeout(resolve, 300));
await churn(700);
console.log(largest);
`;

test('a process in which much passes through it keeps it small', () => {
  const module = `${PROJECT_ROOT}/src/young-generation.ts`;
  const largestOf = (mode: string): number =>
    Number(execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', CHURN, mode, module]));
  const free = largestOf('free');
  assert.ok(free >= 16 * MIB, `${free} bytes without a bound`);
  const bounded = largestOf('bounded');
  assert.ok(bounded < free, `${bounded} bytes, ${free} without a bound`);
  assert.ok(bounded <= 16 * MIB, `${bounded} bytes`);
});
