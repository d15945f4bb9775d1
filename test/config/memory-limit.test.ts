/**
 * The default of the memory budget: what files of the system say, on a machine that is made up.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultMemoryBytes, memoryLimit } from '../../src/memory-limit.js';

const GIB = 2 ** 30;

const machine = (files: Record<string, string>): Parameters<typeof memoryLimit>[0] => ({
  read: (path) => files[path] ?? '',
  totalBytes: 16 * GIB,
});

test('without a cgroup it is the memory of the machine', () => {
  assert.equal(memoryLimit(machine({})), 16 * GIB);
  assert.equal(defaultMemoryBytes(machine({})), 12 * GIB);
});

test('version 2: the least limit of the cgroup and of those around it counts', () => {
  const own = { '/proc/self/cgroup': '0::/a/b\n', '/sys/fs/cgroup/a/b/memory.max': 'max\n' };
  assert.equal(memoryLimit(machine(own)), 16 * GIB);
  assert.equal(memoryLimit(machine({ ...own, '/sys/fs/cgroup/a/memory.max': `${2 * GIB}\n` })), 2 * GIB);
  const inner = { ...own, '/sys/fs/cgroup/a/b/memory.max': `${GIB}\n`, '/sys/fs/cgroup/a/memory.max': `${2 * GIB}\n` };
  assert.equal(memoryLimit(machine(inner)), GIB);
});

test('version 1: the limit of the memory controller counts, and the largest number is none', () => {
  const own = { '/proc/self/cgroup': '5:devices:/x\n4:cpu,memory:/y\n1:name=systemd:/\n' };
  const at = '/sys/fs/cgroup/memory/y/memory.limit_in_bytes';
  assert.equal(memoryLimit(machine({ ...own, [at]: '9223372036854771712\n' })), 16 * GIB);
  assert.equal(memoryLimit(machine({ ...own, [at]: `${3 * GIB}\n` })), 3 * GIB);
});

test('in a container the limit at the root of what it sees counts', () => {
  const files = { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/memory.max': `${GIB / 2}\n` };
  assert.equal(defaultMemoryBytes(machine(files)), 0.375 * GIB);
  const outside = {
    '/proc/self/cgroup': '7:memory:/docker/0123\n',
    '/sys/fs/cgroup/memory/memory.limit_in_bytes': `${GIB}\n`,
  };
  assert.equal(memoryLimit(machine(outside)), GIB);
});

test('here it is a number of bytes that the machine has', () => {
  assert.ok(defaultMemoryBytes() > 0);
});
