/**
 * The load test of a cluster on so few documents that its figures mean nothing: so that it does not rot.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { needingNats } from '../support/nats-server.js';
import { nodeArguments, PROJECT_ROOT } from '../support/project.js';
import { cleanEnvironment } from '../support/server.js';

const SMALL = [
  '--documents',
  '3000',
  '--new-node-documents',
  '3000',
  '--rounds',
  '1',
  '--seconds',
  '1',
  '--warm-up',
  '20',
  '--upload-within',
  '5',
];

test('a cluster is measured beside one server, each figure with its aim', needingNats(), async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sabre-test-'));
  try {
    const markdown = join(folder, 'report.md');
    const parameters = [...nodeArguments('perf/cluster'), '--data', folder, '--markdown', markdown, ...SMALL];
    const options = { cwd: PROJECT_ROOT, env: cleanEnvironment() };
    const { stdout } = await promisify(execFile)(process.execPath, parameters, options);
    for (const row of [
      /^\| searches per processor-second, three nodes beside one .* \| >= 0\.9 x \| [\d.]+ x \| /m,
      /^\| processor time of a write of 1,000 documents, per node, .* \| <= 2 x \| [\d.]+ x \| /m,
      /^\| one write where nothing is between the hosts, median .* \| <= [\d.]+ ms \| [\d.]+ ms \| /m,
      /^\| one write where hosts are 5 ms apart, .* \| <= [\d.]+ ms \| [\d.]+ ms \| /m,
      /^\| ready again under 1,000 documents\/s .* \| <= 5,000 ms \| [\d,]+ ms \| /m,
      /^\| a new node is ready, [\d,]+ documents .* \| <= 30,000 ms \| [\d,]+ ms \| /m,
      /^\| failed reads of a client whose node is killed, of [1-9][\d,]* .* \| 0 \| 0 \| holds \|/m,
      /^\| the longest write of that client \| <= 2,000 ms \| [\d,]+ ms \| /m,
    ])
      assert.match(stdout, row);
    assert.equal(
      await readFile(markdown, 'utf8'),
      `<!-- cluster: begin -->\n\n${stdout.trimEnd()}\n\n<!-- cluster: end -->\n`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
