/**
 * Which build of uWebSockets.js is chosen, and what is said where none can run.
 */
import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { chooseBuild, loadUws, type System } from '../../src/http/uws.js';
import { moduleFile } from '../support/project.js';

const NEWER = 'uWebSockets.js-20.69';
const OLDER = 'uWebSockets.js-20.51';

const linux = (node: string, abi: string, glibc: string): System => ({
  node,
  abi,
  glibc,
  platform: 'linux',
  arch: 'x64',
});

test('the newer build is chosen wherever ABI and glibc allow it, else the older one', () => {
  const chosen = [
    [linux('20.20.2', '115', '2.36'), OLDER],
    [linux('20.20.2', '115', '2.41'), OLDER],
    [linux('22.23.3', '127', '2.36'), OLDER],
    [linux('22.23.3', '127', '2.38'), NEWER],
    [linux('24.21.0', '137', '2.41'), NEWER],
    [linux('26.10.0', '147', '3.0'), NEWER],
    [{ ...linux('24.21.0', '137', ''), platform: 'darwin', arch: 'arm64' }, NEWER],
    [{ ...linux('20.20.2', '115', ''), platform: 'win32' }, OLDER],
  ] as const;
  for (const [system, name] of chosen) assert.equal(chooseBuild(system), name, JSON.stringify(system));
});

test('where no build fits, the message says what is there and what is needed', () => {
  const refused = [
    [linux('24.21.0', '137', '2.36'), 'Node 24.21.0 (ABI 137), linux-x64, glibc 2.36'],
    [linux('26.10.0', '147', '2.4'), 'Node 26.10.0 (ABI 147), linux-x64, glibc 2.4'],
    [linux('20.20.2', '115', '2.17'), 'Node 20.20.2 (ABI 115), linux-x64, glibc 2.17'],
    [linux('22.23.3', '127', ''), 'Node 22.23.3 (ABI 127), linux-x64, no glibc'],
    [linux('18.20.8', '108', '2.41'), 'Node 18.20.8 (ABI 108), linux-x64, glibc 2.41'],
    [linux('23.1.0', '131', '2.41'), 'Node 23.1.0 (ABI 131), linux-x64, glibc 2.41'],
    [{ ...linux('22.23.3', '127', '2.41'), arch: 's390x' }, 'Node 22.23.3 (ABI 127), linux-s390x, glibc 2.41'],
  ] as const;
  const needed =
    'Needed is: Node 22, 24 or 26 (on Linux with glibc 2.38 or later), or Node 20 or 22 (on Linux with glibc 2.27 or later)';
  for (const [system, there] of refused) {
    assert.throws(
      () => chooseBuild(system),
      ({ name, message }: Error) =>
        name === 'UnsupportedSystemError' && message.includes(`There is: ${there}.`) && message.includes(needed),
      there,
    );
  }
});

test('this Node is served by one of the builds', () => {
  assert.equal(typeof loadUws().App, 'function');
});

test('a build that is not installed gets the advice to install again, in one line', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sabre-uws-'));
  try {
    // Outside of the project there are no packages, as after a change of Node there is no binary for it.
    const source = moduleFile('src/http/uws');
    const copy = join(folder, source.endsWith('.ts') ? 'uws.mts' : 'uws.mjs');
    await cp(source, copy);
    const { loadUws: loadThere } = (await import(pathToFileURL(copy).href)) as { loadUws: () => unknown };
    assert.throws(loadThere, ({ name, message }: Error) => {
      assert.equal(name, 'UnsupportedSystemError');
      assert.match(message, /not installed for this Node.*npm ci.*There is: Node .*Cannot find module/);
      assert.ok(!message.includes('\n'), message);
      return true;
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});
