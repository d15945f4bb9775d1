/**
 * Random damages to segments that a start does not compare with their checksums: the process never crashes or hangs, never writes
 * where it must not, and a damaged segment never spoils what other collections answer.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { WriteHarness } from '../support/engine-writes.js';
import { threadCode } from '../support/project.js';
import { answersOf } from './damage-answers.js';
import { NAMES, openCopy, prepareDirectory } from './damage-directory.js';
import { aimedDamages, BYTE_KINDS, damages, describe } from './damage-model.js';
import { AIMED_RUNS, failureOf, SEED, TRUSTING_RUNS } from './damage-runs.js';
import type { Progress, TrustingData } from './damage-worker.js';

/** A worker that says nothing for so long hangs. */
const SILENCE_MS_MAX = 60_000;

const prepared = await prepareDirectory();

/** Runs the damages in a thread, and ends it when it falls silent. Returns the last that it said. */
function useTrusting(data: TrustingData): Promise<Progress> {
  const worker = new Worker(threadCode('test/crash/damage-worker'), { eval: true, workerData: data });
  let progress: Progress = { done: 0, atStart: 0, later: 0, never: 0 };
  const current = (): string => describe(data.damages[progress.done]);
  return new Promise((resolve, reject) => {
    const watchdog = setTimeout(() => {
      void worker.terminate();
      reject(failureOf(`no end after ${current()}`));
    }, SILENCE_MS_MAX);
    worker.on('message', (message: Progress) => {
      progress = message;
      watchdog.refresh();
    });
    worker.on('error', (error) => reject(failureOf(error)));
    worker.on('exit', (code) => {
      clearTimeout(watchdog);
      if (progress.done === data.damages.length) resolve(progress);
      else reject(failureOf(`the thread ended with code ${code}, about ${current()}`));
    });
  });
}

test(`none of ${TRUSTING_RUNS} damages to segments crashes or hangs a start that trusts its files`, async () => {
  const harness = new WriteHarness(openCopy(prepared.files), true, true);
  const answers = new Map(NAMES.map((name) => [name, answersOf(harness, name)]));
  const all = [
    ...fc.sample(damages(prepared.files, /\.seg$/, BYTE_KINDS), { numRuns: TRUSTING_RUNS - AIMED_RUNS, seed: SEED }),
    ...fc.sample(aimedDamages(prepared, BYTE_KINDS), { numRuns: AIMED_RUNS, seed: SEED }),
  ];
  const { files, owners } = prepared;
  const { atStart, later, never } = await useTrusting({ files, owners, answers, damages: all });
  assert.equal(atStart + later + never, TRUSTING_RUNS);
  assert.ok(later > 0 && never > 0, 'some damage is met in use, and most is where nothing looks');
});
