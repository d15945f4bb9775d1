/**
 * Runs the micro benchmarks and prints a table for each: `npm run bench -- [--tiny] [part of a file name ...]`.
 */
import { parseArgs } from 'node:util';
import type { Bench, Task } from 'tinybench';
import { findSuites, loadSuite, parseWork } from './suites.js';

const { values, positionals } = parseArgs({ options: { tiny: { type: 'boolean' } }, allowPositionals: true });

const microseconds = (ms: number): string => (ms * 1000).toFixed(ms < 0.01 ? 3 : 1);

/** What one unit of the task's work costs, from the median call. */
function unitCost(name: string, p50: number): string {
  const work = parseWork(name);
  if (work === null) return '';
  const ns = (p50 * 1e6) / work.count;
  return ns < 1000 ? ns.toPrecision(3) : ns.toFixed(0);
}

function describe(task: Task): Record<string, string> {
  const { result } = task;
  if (!('latency' in result)) return { task: task.name, 'mean us': result.state };
  const { latency, throughput } = result;
  return {
    task: task.name,
    'mean us': microseconds(latency.mean),
    'p50 us': microseconds(latency.p50),
    'p99 us': microseconds(latency.p99),
    'ns a unit': unitCost(task.name, latency.p50),
    'per second': Math.round(throughput.mean).toLocaleString('en-US'),
    samples: latency.samplesCount.toLocaleString('en-US'),
  };
}

function print(bench: Bench): void {
  process.stdout.write(`\n${bench.name ?? ''}\n`);
  console.table(bench.tasks.map(describe));
}

const isWanted = (path: string): boolean => positionals.length === 0 || positionals.some((part) => path.includes(part));
const wanted = findSuites().filter(isWanted);
if (wanted.length === 0) {
  process.stderr.write(`no benchmark file matches ${positionals.join(', ')}; there are:\n${findSuites().join('\n')}\n`);
  process.exitCode = 1;
}
for (const path of wanted) {
  const suite = await loadSuite(path);
  const bench = await suite(values.tiny === true ? 'tiny' : 'full');
  await bench.run();
  print(bench);
}
