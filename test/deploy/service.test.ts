/**
 * The unit for systemd: that systemd takes it, how far it locks the server in, and that the server can do its work with what is
 * left: every system call that it makes is one that the unit allows.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { serviceUnit } from '../../src/cli/service-unit.js';
import { needing } from '../support/needed-program.js';
import { PROJECT_ROOT } from '../support/project.js';
import { runMain, startServer } from '../support/server.js';

const EXPOSURE_MAX = 3;
/** Where the container image has node and the package, and a manual install may have them, too. */
const USUAL_PLACE = { node: '/usr/local/bin/node', program: '/opt/sabre/node_modules/sabre-search/sabre.mjs' };

const scratch = mkdtempSync(join(tmpdir(), 'sabre-service-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

/** The values of `key` in the text of a unit. */
const valuesOf = (unit: string, key: string): string[] =>
  unit
    .split('\n')
    .filter((line) => line.startsWith(`${key}=`))
    .map((line) => line.slice(key.length + 1));

test('service install prints the unit with the paths of this installation, and writes nothing', async () => {
  const { code, stdout, stderr } = await runMain(['service', 'install']);
  assert.equal(code, 0, stderr);
  const program = join(PROJECT_ROOT, 'sabre.mjs');
  assert.equal(stdout, serviceUnit({ node: process.execPath, program }));
  assert.match(stderr, /nothing was written.*sabre service install \| sudo tee \/etc\/systemd\/system\/sabre\.service/);
});

test('service install takes no argument, and its help says how the unit comes into force', async () => {
  const refused = await runMain(['service', 'install', 'there']);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /too many arguments/);
  const { code, stdout } = await runMain(['service', 'install', '--help']);
  assert.equal(code, 0);
  assert.match(stdout, /systemctl enable --now sabre/);
  assert.match(stdout, /\/etc\/sabre\/sabre\.env/);
});

test('docs/deploy/sabre.service is the unit for the usual place', () => {
  assert.equal(readFileSync(join(PROJECT_ROOT, 'docs', 'deploy', 'sabre.service'), 'utf8'), serviceUnit(USUAL_PLACE));
});

test('what systemd would replace in a path is escaped, and an install in a home folder stays readable', () => {
  const unit = serviceUnit({ node: '/home/ann b/100%/$x/"node"', program: '/srv/sabre.mjs' });
  assert.deepEqual(valuesOf(unit, 'ExecStart'), ['"/home/ann b/100%%/$$x/\\"node\\"" /srv/sabre.mjs']);
  assert.deepEqual(valuesOf(unit, 'ProtectHome'), ['read-only']);
  assert.deepEqual(valuesOf(serviceUnit(USUAL_PLACE), 'ProtectHome'), ['yes']);
});

describe('by systemd itself', needing('systemd-analyze'), () => {
  const path = join(scratch, 'sabre.service');
  writeFileSync(path, serviceUnit({ node: process.execPath, program: join(PROJECT_ROOT, 'sabre.mjs') }));

  test('systemd-analyze verify has nothing to say of the unit', () => {
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path], { encoding: 'utf8' });
    assert.deepEqual({ status, said: stdout + stderr }, { status: 0, said: '' });
  });

  test(`its exposure is at most ${EXPOSURE_MAX}`, () => {
    const args = ['security', '--offline=true', '--no-pager', path];
    const report = execFileSync('systemd-analyze', args, { encoding: 'utf8' });
    const exposure = /Overall exposure level for \S+: ([\d.]+)/.exec(report)?.[1];
    assert.ok(Number(exposure) <= EXPOSURE_MAX, report);
  });
});

/** The system calls of a set such as @system-service, sets within it included. */
function callsOf(set: string): string[] {
  const listed = execFileSync('systemd-analyze', ['syscall-filter', '--no-pager', set], { encoding: 'utf8' });
  const names = listed.split('\n').flatMap((line) => /^ {4}(@?\w[\w-]*|@[\w-]+)$/.exec(line)?.[1] ?? []);
  return names.flatMap((name) => (name.startsWith('@') ? callsOf(name) : [name]));
}

/** The system calls that the unit allows, as systemd reads its filters: the first names what is, the others take away. */
function allowedCalls(): Set<string> {
  const allowed = new Set<string>();
  for (const filter of valuesOf(serviceUnit(USUAL_PLACE), 'SystemCallFilter')) {
    const isTaken = filter.startsWith('~');
    for (const name of filter.replace('~', '').split(' ').flatMap(callsOf)) {
      if (isTaken) allowed.delete(name);
      else allowed.add(name);
    }
  }
  return allowed;
}

/** The system calls in the traces of all threads, a file each, with the lines that have them. */
function tracedCalls(folder: string): Map<string, string> {
  const calls = new Map<string, string>();
  for (const name of readdirSync(folder)) {
    for (const line of readFileSync(join(folder, name), 'utf8').split('\n')) {
      const call = /^(\w+)\(/.exec(line)?.[1];
      if (call !== undefined && !calls.has(call)) calls.set(call, line.slice(0, 200));
    }
  }
  return calls;
}

test('all that the server asks of the system is allowed', needing('systemd-analyze', 'strace'), async () => {
  const traces = mkdtempSync(join(scratch, 'traces-'));
  // strace steps aside (-D), so that the process that is signalled is the server.
  const wrapper = ['strace', '-D', '-ff', '-qq', '-o', join(traces, 'trace')];
  const server = await startServer({ wrapper });
  try {
    const fields = [
      { name: 'title', type: 'text', facet: true },
      { name: 'price', type: 'int', filter: true, sort: true },
    ];
    assert.equal((await server.client.post('/collections', { name: 'things', fields })).status, 201);
    for (let batch = 0; batch < 5; batch++) {
      const documents = Array.from({ length: 500 }, (_, at) => ({
        id: `${at}`,
        title: `thing ${at} ${batch}`,
        price: at,
      }));
      assert.equal((await server.client.post('/collections/things/documents', documents)).status, 200);
    }
    const found = await server.client.get('/collections/things/search?q=thing+42&facet=title&sort=price:desc');
    assert.equal(found.status, 200);
    assert.equal((await server.client.post('/snapshot', {})).status, 200);
    assert.equal((await server.client.get('/metrics')).status, 200);
    assert.equal((await server.client.delete('/collections/things/documents/7')).status, 204);
  } finally {
    await server.dispose();
  }
  for (const deadline = Date.now() + 30_000; !tracedCalls(traces).has('exit_group'); await sleep(100))
    assert.ok(Date.now() < deadline, 'the trace has an end');
  const traced = tracedCalls(traces);
  const allowed = allowedCalls();
  assert.ok(traced.has('fsync') || traced.has('fdatasync'), 'the trace has the work in it');
  assert.deepEqual(
    [...traced].filter(([call]) => !allowed.has(call)).map(([, line]) => line),
    [],
  );
});
