/**
 * Loaded before every test file: those of some folders run without coverage, which makes JavaScript take up to twice the
 * time. They drive what other tests drive, too, for long: many servers that start and are killed, many runs of one property.
 */
import { stopCoverage } from 'node:v8';

const FOLDERS =
  'cluster-crash cluster/scenarios concurrency crash deploy docs engine format package perf replication start threads ui'
    .split(' ')
    .map((folder) => `/dist/test/${folder}/`);

/** This process, and the threads and processes that it will start, write no coverage. */
function leaveOut(): void {
  delete process.env['NODE_V8_COVERAGE'];
  stopCoverage();
}

const file = (process.argv[1] ?? '').replaceAll('\\', '/');
if (FOLDERS.some((folder) => file.includes(folder))) leaveOut();
