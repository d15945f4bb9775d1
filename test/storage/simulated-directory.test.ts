/**
 * The simulated directory itself, rule by rule: what a crash may leave and what it must, and how operations fail. That it
 * is a real one towards a process: simulated-process.test.ts.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { StorageFile } from '../../engine/storage/files/directory.js';
import { SimulatedDirectory } from '../support/simulated-directory.js';
import { SimulatedCrash } from '../support/simulated-faults.js';
import { SECTOR_BYTES } from '../support/simulated-inode.js';
import { choicesArbitrary, type Random, randomOf, seededRandom } from '../support/simulated-random.js';

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const bytesOf = (value: string): Uint8Array => Buffer.from(value, 'latin1');

/** The directory after a power failure, for each of `count` seeds. */
function powerFailures(
  directory: SimulatedDirectory,
  count: number,
  names: 'prefix' | 'any' = 'any',
): SimulatedDirectory[] {
  return Array.from({ length: count }, (_, seed) =>
    directory.crash({ mode: 'power', random: seededRandom(seed), names }),
  );
}

const contentOf = (directory: SimulatedDirectory, name: string): string | null =>
  directory.list().includes(name) ? text(directory.content(name)) : null;

const outcomes = (directories: readonly SimulatedDirectory[], name: string): Set<string | null> =>
  new Set(directories.map((directory) => contentOf(directory, name)));

function put(directory: SimulatedDirectory, name: string, content: string): StorageFile {
  const file = directory.open(name, 'create');
  file.write([bytesOf(content)], 0);
  return file;
}

function putDurably(directory: SimulatedDirectory, name: string, content: string): StorageFile {
  const file = put(directory, name, content);
  file.syncNow();
  directory.sync();
  return file;
}

test('what was synced with its name survives every power failure, whatever is done to other files', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), choicesArbitrary, (bytes, choices) => {
      const directory = new SimulatedDirectory();
      putDurably(directory, 'kept', text(bytes));
      put(directory, 'other', 'x').syncNow();
      directory.rename('other', 'another');
      put(directory, 'third', 'x');
      const crashed = directory.crash({ mode: 'power', random: randomOf(choices), names: 'any' });
      assert.deepEqual(crashed.content('kept'), bytes);
      assert.deepEqual(
        crashed.crash({ mode: 'power', random: () => 0.999 }).list(),
        crashed.list(),
        'all is durable now',
      );
    }),
  );
});

test('no choice at all keeps everything', () => {
  const directory = new SimulatedDirectory();
  put(directory, 'a', 'one');
  put(directory, 'b', 'two').truncate(1);
  directory.rename('a', 'c');
  const crashed = directory.crash({ mode: 'power', random: () => 0 });
  assert.deepEqual([contentOf(crashed, 'c'), contentOf(crashed, 'b'), contentOf(crashed, 'a')], ['one', 't', null]);
});

test('a name needs a sync of the directory, content one of the file', () => {
  const directory = new SimulatedDirectory();
  put(directory, 'content alone', 'abc').syncNow();
  assert.deepEqual(outcomes(powerFailures(directory, 50), 'content alone'), new Set([null, 'abc']));
  put(directory, 'name alone', 'abc');
  directory.sync();
  const seen = outcomes(powerFailures(directory, 200), 'name alone');
  for (const content of ['', '\0\0\0', 'a', 'ab', 'abc']) assert.ok(seen.has(content), `${content} is possible`);
  assert.ok(!seen.has(null));
});

test('a removed or replaced file may come back until the directory is synced', () => {
  const directory = new SimulatedDirectory();
  putDurably(directory, 'removed', 'old');
  putDurably(directory, 'replaced', 'old');
  put(directory, 'new', 'new').syncNow();
  directory.remove('removed');
  directory.rename('new', 'replaced');
  assert.deepEqual(outcomes(powerFailures(directory, 50), 'removed'), new Set([null, 'old']));
  assert.deepEqual(outcomes(powerFailures(directory, 50), 'replaced'), new Set(['new', 'old']));
  directory.sync();
  const after = powerFailures(directory, 50);
  assert.deepEqual(outcomes(after, 'removed'), new Set([null]));
  assert.deepEqual(outcomes(after, 'replaced'), new Set(['new']));
});

test('renaming a file whose content was not synced can leave the new name with nothing in it', () => {
  const directory = new SimulatedDirectory();
  putDurably(directory, 'manifest', 'old');
  put(directory, 'temporary', 'new');
  directory.rename('temporary', 'manifest');
  const seen = outcomes(powerFailures(directory, 200), 'manifest');
  for (const content of ['old', 'new', '', '\0\0\0']) assert.ok(seen.has(content), `${content} is possible`);
});

test('names change in order where a file system has a journal, and in any order where it has none', () => {
  const directory = new SimulatedDirectory();
  for (const name of ['1', '2', '3']) put(directory, name, '').syncNow();
  const lists = (names: 'prefix' | 'any'): Set<string> =>
    new Set(powerFailures(directory, 200, names).map((crashed) => crashed.list().sort().join('')));
  assert.deepEqual(lists('prefix'), new Set(['', '1', '12', '123']));
  assert.deepEqual(lists('any'), new Set(['', '1', '2', '3', '12', '13', '23', '123']));
});

test('an unsynced write of several sectors can be torn anywhere, and each sector be new, old or zeros', () => {
  const old = 'o'.repeat(3 * SECTOR_BYTES);
  const directory = new SimulatedDirectory();
  const file = putDurably(directory, 'f', old);
  file.write([bytesOf('n'.repeat(3 * SECTOR_BYTES))], 0);
  const seen = outcomes(powerFailures(directory, 2000), 'f');
  const sectors = new Set<string>();
  let prefixes = 0;
  for (const content of seen) {
    assert.ok(content !== null);
    assert.match(content, /^n*(o*|[no\0]*)$/);
    if (/^n+o+$/.test(content) && content.lastIndexOf('n') % SECTOR_BYTES !== SECTOR_BYTES - 1) prefixes++;
    sectors.add([0, 1, 2].map((index) => content[index * SECTOR_BYTES]).join(''));
  }
  assert.ok(prefixes > 100, 'torn inside of a sector');
  assert.ok(sectors.has('ono') && sectors.has('non') && sectors.has('n\0n') && sectors.has('\0no'));
});

test('an unsynced cut may be undone while the write after it stays', () => {
  const directory = new SimulatedDirectory();
  const file = putDurably(directory, 'f', 'aaaaaa');
  file.truncate(2);
  file.write([bytesOf('b')], 2);
  const seen = outcomes(powerFailures(directory, 200), 'f');
  for (const content of ['aabaaa', 'aab', 'aa', 'aaaaaa']) assert.ok(seen.has(content), `${content} is possible`);
});

test('a sync covers what was written before it began, and nothing of it is promised before it ended', async () => {
  const ends: (() => void)[] = [];
  const directory = new SimulatedDirectory({ scheduleSync: (end) => ends.push(end) });
  const file = putDurably(directory, 'f', '');
  file.write([bytesOf('a')], 0);
  const synced = file.sync();
  file.write([bytesOf('b')], 1);
  assert.ok(outcomes(powerFailures(directory, 50), 'f').has(''));
  ends[0]();
  await synced;
  const seen = outcomes(powerFailures(directory, 50), 'f');
  assert.deepEqual(seen, new Set(['a', 'ab', 'a\0']));
});

test('what a failed sync covered may be lost although a later one succeeds', async () => {
  for (const later of ['sync', 'syncNow'] as const) {
    const directory = new SimulatedDirectory();
    const file = putDurably(directory, 'f', '');
    file.write([bytesOf('lost')], 0);
    directory.failWhen(({ kind }) => kind === 'sync', { times: 1 });
    await assert.rejects(async () => file[later](), { code: 'io_error', message: /^cannot sync simulated\/f: EIO/ });
    file.write([bytesOf('kept')], 4);
    await file[later]();
    const seen = outcomes(powerFailures(directory, 100), 'f');
    assert.ok(seen.has('lostkept') && seen.has('\0\0\0\0kept'));
    assert.ok([...seen].every((content) => content?.endsWith('kept')));
    assert.equal(text(directory.content('f')), 'lostkept', 'the process still sees it');
    const next = outcomes(powerFailures(directory.crash({ mode: 'kill' }), 100), 'f');
    assert.ok(
      [...next].every((content) => content?.endsWith('kept')),
      'what was synced stays so for the next process',
    );
  }
});

test('the death of the process loses nothing, and makes nothing durable', () => {
  const directory = new SimulatedDirectory();
  putDurably(directory, 'f', 'old').write([bytesOf('new')], 0);
  put(directory, 'g', 'x');
  const next = directory.crash({ mode: 'kill' });
  assert.deepEqual([contentOf(next, 'f'), contentOf(next, 'g')], ['new', 'x']);
  next.open('f', 'write').write([bytesOf('!')], 3);
  assert.equal(text(directory.content('f')), 'new', 'two crashes of one directory are strangers');
  assert.ok(outcomes(powerFailures(next, 50), 'f').has('old'));
  assert.ok(outcomes(powerFailures(next, 50), 'g').has(null));
});

test('the process dies at the operation that was asked for, which may be half done, and stays dead', async () => {
  const run = async (crashAfter: number, random: Random): Promise<SimulatedDirectory> => {
    const directory = new SimulatedDirectory({ crashAfter, random });
    try {
      const file = put(directory, 'f', 'abcdef');
      await file.sync();
      file.truncate(3);
      directory.rename('f', 'g');
      directory.sync();
      directory.remove('g');
    } catch (error) {
      assert.ok(error instanceof SimulatedCrash);
    }
    return directory;
  };
  const whole = await run(0, () => 0);
  const kinds = whole.operations.map(({ kind }) => kind);
  assert.deepEqual(kinds, ['create', 'write', 'sync', 'syncEnd', 'truncate', 'rename', 'syncDirectory', 'remove']);
  for (let crashAfter = 1; crashAfter <= kinds.length; crashAfter++) {
    const died = await run(crashAfter, () => 0.6);
    assert.equal(died.operations.length, crashAfter);
    assert.throws(() => died.list(), SimulatedCrash);
    assert.throws(() => died.open('f', 'read'), SimulatedCrash);
    assert.throws(() => died.sync(), SimulatedCrash);
    assert.equal(died.operations.length, crashAfter);
  }
  const torn = new Set<string | null>();
  for (let seed = 0; seed < 50; seed++)
    torn.add(contentOf((await run(2, seededRandom(seed))).crash({ mode: 'kill' }), 'f'));
  assert.deepEqual(torn, new Set(['', 'a', 'ab', 'abc', 'abcd', 'abcde', 'abcdef']));
});

test('a sync under way is refused when the process dies', async () => {
  const ends: (() => void)[] = [];
  const directory = new SimulatedDirectory({ crashAfter: 4, scheduleSync: (end) => ends.push(end) });
  const file = put(directory, 'f', 'abc');
  const synced = file.sync();
  assert.throws(() => file.truncate(0), SimulatedCrash);
  ends[0]();
  await assert.rejects(synced, SimulatedCrash);
  assert.throws(() => file.close(), SimulatedCrash);
});

test('the chosen operation fails, once or until that is cleared, and a write may be short', () => {
  const directory = new SimulatedDirectory({ random: () => 0.5 });
  const file = put(directory, 'f', 'abcd');
  directory.failWhen(({ index }) => index === 3, { code: 'disk_full' });
  assert.throws(() => file.write([bytesOf('efgh')], 4), {
    code: 'disk_full',
    message: /^cannot write simulated\/f: ENOSPC/,
  });
  assert.equal(text(directory.content('f')), 'abcdef');
  const clear = directory.failWhen(({ kind, name }) => kind === 'rename' && name === 'g');
  for (let time = 0; time < 2; time++) assert.throws(() => directory.rename('f', 'g'), { code: 'io_error' });
  directory.rename('f', 'h');
  clear();
  directory.rename('h', 'g');
  assert.deepEqual(directory.list(), ['g']);
  assert.equal(directory.failures, 3);
});

test('a full disk takes what fits, and a removed file gives its space back once it is closed', () => {
  const directory = new SimulatedDirectory({ capacityBytes: 10 });
  const file = put(directory, 'f', 'abcdef');
  const other = directory.open('g', 'create');
  assert.throws(() => other.write([bytesOf('123456')], 0), { code: 'disk_full' });
  assert.equal(text(directory.content('g')), '1234');
  file.write([bytesOf('ABC')], 0);
  assert.throws(() => directory.open('h', 'create'), { code: 'disk_full' });
  assert.throws(() => other.truncate(5), { code: 'disk_full' });
  directory.remove('f');
  assert.throws(() => other.write([bytesOf('5')], 4), { code: 'disk_full' });
  file.close();
  other.write([bytesOf('567890')], 4);
  assert.equal(directory.usedBytes, 10);
});
