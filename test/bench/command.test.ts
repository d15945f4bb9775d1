/**
 * The command line of the benchmarks, as npm runs it: lists, help, records, comparisons and the exit status.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { findSuites } from '../../bench/suites.js';
import { type RunRecord, writeRecord } from '../../perf/records/run-record.js';
import { nodeArguments, PROJECT_ROOT } from '../support/project.js';

function bench(...parameters: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...nodeArguments('bench/run'), ...parameters], {
    cwd: PROJECT_ROOT,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('the list names every suite with what it is for, and measures nothing', () => {
  const { status, stdout } = bench('--list');
  assert.equal(status, 0);
  const lines = stdout.trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => line.split(' ')[0]),
    findSuites(),
  );
  for (const line of lines) assert.match(line, /^\S+ +[A-Z].+[^ ]$/);
});

test('help tells every option and the exit status', () => {
  const { status, stdout } = bench('--help');
  assert.equal(status, 0);
  for (const option of [
    '--list',
    '--rounds',
    '--json',
    '--compare',
    '--confidence',
    '--margin',
    '--fail-on-slower',
    '--tiny',
  ])
    assert.ok(stdout.includes(`  ${option} `), option);
  assert.match(stdout, /Exit status: 0, or 1/);
});

test('a record holds every round, and a later run is compared with it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sabre-bench-'));
  try {
    const [first, second] = [join(folder, 'first.json'), join(folder, 'second.json')];
    const recorded = bench('--tiny', 'crc32c', '--rounds', '6', '--json', first);
    assert.equal(recorded.status, 0, recorded.stderr);
    assert.match(recorded.stdout, /crc32c of 1024 bytes[\s\S]*sixteen tables/);
    const record = JSON.parse(readFileSync(first, 'utf8')) as RunRecord;
    assert.equal(record.command, 'bench');
    assert.deepEqual(record.options, { tiny: true, rounds: 6 });
    assert.ok(record.measures.some(({ name }) => name === 'storage/crc32c: sixteen tables'));
    for (const { name, n, rounds } of record.measures) {
      assert.equal(rounds.length, 6, name);
      assert.ok(n >= 6, name);
    }
    // As if all had taken a thousandth, so that no noise of tiny inputs can hide that it became slower.
    const quicker = ({ rounds, ...measure }: RunRecord['measures'][number]) => ({
      ...measure,
      rounds: measure.name.startsWith('machine') ? rounds : rounds.map((figure) => figure / 1000),
    });
    writeRecord(second, { ...record, measures: record.measures.map(quicker) });
    const again = ['--tiny', 'crc32c', '--rounds', '6', '--compare', second];
    const compared = bench(...again);
    assert.equal(compared.status, 0, compared.stderr);
    assert.match(compared.stdout, /\| storage\/crc32c: sixteen tables +\| +us \|.* to .*\| \*\*slower\*\* +\|/);
    assert.equal(bench(...again, '--fail-on-slower').status, 1);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('what cannot be done is told before anything is measured', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sabre-bench-'));
  try {
    const other = join(folder, 'other.json');
    writeFileSync(other, '{}');
    const fails = (message: RegExp, ...parameters: readonly string[]): void => {
      const { status, stdout, stderr } = bench(...parameters);
      assert.equal(status, 1, message.source);
      assert.match(stderr, message);
      assert.equal(stdout, '');
    };
    fails(/^bench: no benchmark file matches nothing; there are:\n.*crc32c/s, 'nothing');
    fails(/^bench: .*other\.json cannot be compared with: expected "format"/, '--compare', other);
    fails(/^bench: ENOENT.*none/, '--json', join(folder, 'none', 'a.json'));
    fails(/--rounds <count>.*Expected a whole number from 1 to 100/, '--rounds', '0');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
