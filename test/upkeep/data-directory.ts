/**
 * A small data directory on the real disk: two collections in several segments, deletions, a snapshot, and a log after it.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { openDirectory } from '../../engine/storage/files/node-directory.js';
import type { VerifySummary } from '../../engine/upkeep/verify-directory.js';
import { verifyDirectory } from '../../engine/upkeep/verify-directory.js';
import type { VerifyProblem } from '../../engine/upkeep/verify-problem.js';
import type { WriteRequest } from '../../engine/writer/state/write-requests.js';
import { WriteHarness } from '../support/engine-writes.js';

/** Numbers of the two collections. */
export const SHOP = 1;
export const BOOKS = 2;

const SCHEMAS = ['shop', 'books'].map((name) =>
  parseSchema({
    name,
    fields: [
      { name: 'title', type: 'text' },
      { name: 'price', type: 'int', filter: true },
    ],
  }),
);

/** Gives `act` a new temporary folder, removed afterwards. */
export async function withFolder(act: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sabre-upkeep-'));
  try {
    await act(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const toIndex = (collectionId: number, ids: readonly string[]): WriteRequest => {
  const documents = ids.map((id, price) => ({ id, title: `wireless ${id} number ${price}`, price }));
  const body = new Uint8Array(Buffer.from(JSON.stringify(documents)));
  return { kind: 'index', ticket: 0, collectionId, body, format: 'json' };
};

/** Indexes documents with these ids in one commit. */
export async function indexIds(harness: WriteHarness, collectionId: number, ids: readonly string[]): Promise<void> {
  await harness.path.commit([toIndex(collectionId, ids)]);
}

export async function removeId(harness: WriteHarness, collectionId: number, documentId: string): Promise<void> {
  await harness.path.commit([{ kind: 'delete', ticket: 0, collectionId, documentId }]);
}

export async function dropCollection(harness: WriteHarness, collectionId: number): Promise<void> {
  await harness.path.commit([{ kind: 'drop', ticket: 0, collectionId }]);
}

/** Fills the new folder at `path` and returns what goes on writing to it. */
export async function fillDataDirectory(path: string): Promise<WriteHarness> {
  const harness = new WriteHarness(openDirectory(path));
  for (const schema of SCHEMAS) await harness.path.commit([{ kind: 'create', ticket: 0, schema }]);
  const ids = (prefix: string): string[] => Array.from({ length: 100 }, (_, index) => `${prefix}${index}`);
  for (const prefix of ['a', 'b', 'c']) await indexIds(harness, SHOP, ids(prefix));
  await indexIds(harness, BOOKS, ids('d'));
  await removeId(harness, SHOP, 'a7');
  await harness.snapshot();
  await indexIds(harness, SHOP, ['later']);
  await removeId(harness, BOOKS, 'd3');
  await indexIds(harness, BOOKS, ['last']);
  return harness;
}

/** Everything in a folder by name. */
export const contentsOf = (path: string): Map<string, Buffer> =>
  new Map(readdirSync(path).map((name) => [name, readFileSync(join(path, name))]));

/** Names of files in a folder that match, sorted. */
export const filesOf = (path: string, pattern: RegExp): string[] =>
  readdirSync(path)
    .filter((name) => pattern.test(name))
    .sort();

/** Changes one bit of a file; a negative offset counts from its end. */
export function flipBit(path: string, offset: number, bit = 0): void {
  const bytes = readFileSync(path);
  const at = offset < 0 ? bytes.length + offset : offset;
  bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
  writeFileSync(path, bytes);
}

export interface Verified {
  readonly problems: readonly VerifyProblem[];
  readonly summary: VerifySummary;
}

export async function verified(path: string): Promise<Verified> {
  const problems: VerifyProblem[] = [];
  const summary = await verifyDirectory(path, { onProblem: (problem) => problems.push(problem) });
  return { problems, summary };
}
