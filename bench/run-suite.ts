/**
 * A process that runs one suite once and sends what it took to its parent, run.ts: each round of each suite has a process of its
 * own, so that what the compiler happened to do in one does not stand for all. Arguments: path of the suite, its size.
 */
import type { Task } from 'tinybench';
import { quantileOf } from '../perf/records/ratio-interval.js';
import { loadSuite, type SuiteRun, type TaskRun } from './suites.js';

function describe(task: Task): TaskRun {
  const { result } = task;
  if (!('latency' in result)) throw new Error(`${task.name} ended as ${result.state}`);
  const { mean, p50, p99, samples, samplesCount } = result.latency;
  if (samples === undefined) throw new Error(`${task.name} kept no samples: its suite has to use benchOptions()`);
  const [q1, q3] = [0.25, 0.75].map((share) => quantileOf(samples, share)) as [number, number];
  return { name: task.name, samples: samplesCount, mean, q1, p50, q3, p99, perSecond: result.throughput.mean };
}

const [path = '', size = ''] = process.argv.slice(2);
const suite = await loadSuite(path);
const bench = await suite(size === 'tiny' ? 'tiny' : 'full');
await bench.run();
const run: SuiteRun = { name: bench.name ?? path, tasks: bench.tasks.map(describe) };
// Threads that a suite started may still wait for work.
process.send?.(run, () => process.exit());
