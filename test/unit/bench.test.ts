/**
 * Runs every benchmark with tiny inputs, so that none rots.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSuites, loadSuite } from '../../bench/suites.js';

for (const path of findSuites()) {
  test(`bench/${path} runs`, async () => {
    const suite = await loadSuite(path);
    const bench = await suite('tiny');
    await bench.run();
    assert.ok(bench.tasks.length > 0, 'it has tasks');
    for (const task of bench.tasks) assert.ok('latency' in task.result, `${task.name} ended as ${task.result.state}`);
  });
}
