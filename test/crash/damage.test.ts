/**
 * A thousand random damages to the files of a data directory: each is found by verification, and a start that compares
 * checksums never serves a wrong answer.
 */

import assert from 'node:assert/strict';
import { linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { EngineError } from '../../engine/core/errors.js';
import type { EngineLogger } from '../../engine/engine.js';
import { verifyDirectory } from '../../engine/upkeep/verify-directory.js';
import type { VerifyProblem } from '../../engine/upkeep/verify-problem.js';
import type { MemoryDirectory } from '../storage/memory-directory.js';
import { silentLogger, WriteHarness } from '../support/engine-writes.js';
import { answersOf, documentsOf, soundAnswersOf } from './damage-answers.js';
import { type CollectionName, NAMES, openCopy, oracleAfter, prepareDirectory } from './damage-directory.js';
import { aimedDamages, type Damage, damagedBytes, damages, describe, type Outcome, outcomeOf } from './damage-model.js';
import { AIMED_RUNS, failureOf, RUNS, SEED } from './damage-runs.js';

/** Verifications at once: one of the last log file looks again after a while, in case a server is writing to it. */
const VERIFIED_AT_ONCE = 16;

const prepared = await prepareDirectory();
const folder = mkdtempSync(join(tmpdir(), 'sabre-damage-'));
after(() => rmSync(folder, { recursive: true }));

const soundFolder = join(folder, 'sound');
mkdirSync(soundFolder);
for (const [name, bytes] of prepared.files) writeFileSync(join(soundFolder, name), bytes);

const problemsIn = async (path: string): Promise<VerifyProblem[]> => {
  const problems: VerifyProblem[] = [];
  await verifyDirectory(path, { onProblem: (problem) => problems.push(problem) });
  return problems;
};

/** What a sound directory answers of a collection, by the number of writes to it: checked against the oracle once. */
const known = new Map<string, Promise<readonly string[]>>();

function expectedAnswers(harness: WriteHarness, name: CollectionName, writes: number): Promise<readonly string[]> {
  const own = prepared.writes.slice(0, writes).filter((write) => write.name === name).length;
  const key = `${name} ${own}`;
  const found = known.get(key) ?? soundAnswersOf(harness, name, oracleAfter(prepared.writes, name, writes));
  known.set(key, found);
  return found;
}

async function assertAnswers(harness: WriteHarness, name: CollectionName, writes: number): Promise<void> {
  const expected = await expectedAnswers(harness, name, writes);
  assert.deepEqual([...documentsOf(harness, name), ...answersOf(harness, name)], expected);
}

const counts = new Map<string, number>();
const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);

async function checkVerified(damage: Damage, outcome: Outcome, bytes: Uint8Array, number: number): Promise<void> {
  const path = join(folder, String(number));
  mkdirSync(path);
  for (const name of prepared.files.keys()) {
    if (name === damage.file) writeFileSync(join(path, name), bytes);
    else linkSync(join(soundFolder, name), join(path, name));
  }
  const found = await problemsIn(path);
  rmSync(path, { recursive: true });
  const kinds: string[] = [];
  if (outcome.kind === 'refused' || ('names' in outcome && outcome.names.length > 0)) kinds.push('damage');
  if (outcome.kind === 'cut' && outcome.isTold) kinds.push('torn-tail');
  if (kinds.length === 0) assert.deepEqual(found, []);
  for (const kind of kinds) {
    assert.ok(
      found.some((problem) => problem.kind === kind && problem.file === join(path, damage.file)),
      `expected ${kind} of ${damage.file}, got ${JSON.stringify(found)}`,
    );
  }
}

const NAMES_PLACE = /at offset \d+: expected .+, got .+/;

async function checkOpened(damage: Damage, outcome: Outcome, bytes: Uint8Array): Promise<void> {
  const warnings: { file?: unknown }[] = [];
  const logger: EngineLogger = { ...silentLogger, warn: (details) => void warnings.push(details as object) };
  const open = (): WriteHarness<MemoryDirectory> =>
    new WriteHarness(openCopy(prepared.files, new Map([[damage.file, bytes]])), true, true, { logger });
  if (outcome.kind === 'refused') {
    assert.throws(open, (error) => {
      assert.ok(error instanceof EngineError);
      assert.equal(error.code, 'corrupt_data');
      assert.ok(error.message.includes(damage.file), error.message);
      assert.match(error.message, NAMES_PLACE);
      return true;
    });
    return;
  }
  const harness = open();
  const writes = outcome.kind === 'cut' ? outcome.writes : prepared.writes.length;
  const isTold = outcome.kind === 'cut' && outcome.isTold;
  assert.equal(
    warnings.filter(({ file }) => String(file).endsWith(damage.file)).length,
    isTold ? 1 : 0,
    'a cut is told',
  );
  const refused = 'names' in outcome ? outcome.names : [];
  checkRefused(harness, damage, refused);
  for (const name of NAMES) if (!refused.includes(name)) await assertAnswers(harness, name, writes);
  if (!damage.file.endsWith('.log')) return;
  // What the start has told, the next one tells too, a snapshot between them or not.
  const again = new WriteHarness(openCopy(harness.directory.files), true, true);
  checkRefused(again, damage, refused);
  await harness.snapshot();
  const afterSnapshot = new WriteHarness(openCopy(harness.directory.files), true, true);
  checkRefused(afterSnapshot, damage, refused);
  for (const name of NAMES) if (!refused.includes(name)) await assertAnswers(afterSnapshot, name, writes);
}

/** These collections are refused and no others, for the damaged file. */
function checkRefused(harness: WriteHarness, damage: Damage, names: readonly CollectionName[]): void {
  const refused = [...harness.collections.refused.all()];
  assert.deepEqual(refused.map(({ entry }) => entry.schema.name).sort(), [...names].sort());
  for (const { error } of refused) {
    assert.equal(error.code, 'corrupt_data');
    assert.ok(error.message.includes(damage.file), error.message);
    assert.match(error.message, NAMES_PLACE);
  }
}

async function inOrder<T>(
  all: readonly T[],
  atOnce: number,
  act: (one: T, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < all.length) {
      const index = next++;
      await act(all[index], index);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

async function naming(damage: Damage, check: () => Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    throw failureOf(new Error(`after ${describe(damage)}`, { cause: error }));
  }
}

test('the prepared directory is sound, and answers as the oracle says', async () => {
  assert.deepEqual(await problemsIn(soundFolder), []);
  const harness = new WriteHarness(openCopy(prepared.files), true, true);
  for (const name of NAMES) await assertAnswers(harness, name, prepared.writes.length);
});

test('documents are packed and lists ranked in a segment that damages are aimed at', () => {
  const kinds = [...prepared.aims.values()].flatMap((aims) => aims.map(({ what }) => what));
  assert.deepEqual(kinds.sort(), ['dictionary', 'packed documents', 'ranked chunk', 'ranked chunk']);
});

test(`each of ${RUNS} damages is found, and none makes a verifying start answer wrongly`, async () => {
  const all = [
    ...fc.sample(damages(prepared.files), { numRuns: RUNS - AIMED_RUNS, seed: SEED }),
    ...fc.sample(aimedDamages(prepared), { numRuns: AIMED_RUNS, seed: SEED }),
  ];
  await inOrder(all, VERIFIED_AT_ONCE, (damage, index) =>
    naming(damage, async () => {
      const bytes = damagedBytes(prepared.files.get(damage.file) as Uint8Array, damage);
      const outcome = outcomeOf(prepared, damage, bytes);
      count(outcome.kind === 'cut' && !outcome.isTold ? 'cut at a boundary' : outcome.kind);
      if (damage.file.endsWith('.log')) count(`log: ${outcome.kind}`);
      await checkVerified(damage, outcome, bytes, index);
      await checkOpened(damage, outcome, bytes);
    }),
  );
  // Few damages change nothing, or end the log where a record ends: the proof is about the others.
  const exempt = (counts.get('none') ?? 0) + (counts.get('cut at a boundary') ?? 0);
  assert.ok(exempt < RUNS / 20, JSON.stringify([...counts]));
  for (const kind of ['collections refused', 'refused', 'cut'])
    assert.ok((counts.get(`log: ${kind}`) ?? 0) > RUNS / 50);
});
