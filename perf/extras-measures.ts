/**
 * What moving and changing a whole collection takes, measured on a running server: exports, a schema change, a deletion by filter,
 * single patches, and imports of tables. Called by extras.ts.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { DocumentFile, splitLines } from '../src/cli/document-batches.js';
import { type BackgroundWork, percentileOf, type Times } from './background-work.js';
import { importFile } from './import-file.js';
import { OneConnection, requestBytes } from './one-connection.js';
import type { Corpus } from './schemas.js';
import { cleanEnvironment, get, SERVER_FILE, type ServerProcess } from './server-process.js';

const MEMORY_SAMPLE_MS = 20;
const LINE_END = 0x0a;

export const medianOf = (values: readonly number[]): number => percentileOf(values, 0.5);

/** What a client got of an export, and its seconds. */
interface Exported {
  readonly bytes: number;
  readonly lines: number;
  readonly seconds: number;
}

/** Reads all documents of `collection`; counts them only when asked to, for that takes the client longer than to read them. */
export function exportAll({ port }: ServerProcess, collection: string, countsLines = false): Promise<Exported> {
  const startMs = performance.now();
  return new Promise((resolve, reject) => {
    const path = `/collections/${collection}/documents`;
    const request = http.get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      let bytes = 0;
      let lines = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (countsLines) for (const byte of chunk) if (byte === LINE_END) lines++;
      });
      response.on('end', () => resolve({ bytes, lines, seconds: (performance.now() - startMs) / 1000 }));
      response.on('error', reject);
      if (response.statusCode !== 200) reject(new Error(`GET ${path} was answered ${response.statusCode}`));
    });
    request.on('error', reject);
  });
}

/** As exportAll(), by the export command in a process of its own. */
export async function exportBeside({ url }: ServerProcess, collection: string): Promise<void> {
  const parameters = [SERVER_FILE, 'export', '--collection', collection, '--url', url];
  const child = spawn(process.execPath, parameters, { stdio: ['ignore', 'ignore', 'pipe'], env: cleanEnvironment() });
  child.stderr.resume();
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`sabre export ended with ${code}`);
}

/** Runs `work`; returns what it gave, and by how many bytes the server's anonymous memory grew at most. */
export async function watchingMemory<T>(server: ServerProcess, work: () => Promise<T>) {
  const before = server.memory('RssAnon');
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, server.memory('RssAnon'));
  }, MEMORY_SAMPLE_MS);
  try {
    const result = await work();
    most = Math.max(most, server.memory('RssAnon'));
    return { result, grownBytes: most - before };
  } finally {
    clearInterval(timer);
  }
}

/** Sends JSON and returns the answer. Throws when it is not 200. */
export async function send<T>(server: ServerProcess, method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(
    `${server.url}${path}`,
    body === undefined ? { method } : { method, body: JSON.stringify(body) },
  );
  const text = await response.text();
  if (response.status !== 200)
    throw new Error(`${method} ${path} was answered ${response.status}: ${text.slice(0, 300)}`);
  return JSON.parse(text) as T;
}

/** What a change of the schema took, and the searches meanwhile. */
export async function changeSchema(
  server: ServerProcess,
  work: BackgroundWork,
  collection: string,
  field: object,
): Promise<{ readonly seconds: number; readonly times: Times }> {
  return work.whileDoing(() => send(server, 'PATCH', `/collections/${collection}`, { fields: [field] }));
}

/** A filter on `field` that about `wanted` documents of `collection` pass, and how many do. */
export async function findFilter(server: ServerProcess, collection: string, field: string, wanted: number) {
  let best = { filter: '', found: 0 };
  for (let value = 0; value <= 20; value++) {
    const filter = `${field}:>${value}`;
    const query = new URLSearchParams({ filter, limit: '0' });
    const { body } = await get(server.port, `/collections/${collection}/search?${query}`);
    const { found } = JSON.parse(body) as { found: number };
    if (Math.abs(found - wanted) < Math.abs(best.found - wanted)) best = { filter, found };
  }
  return best;
}

/** Asks two kinds of requests in turn on one connection, who comes first changing; returns the median milliseconds of each. */
async function inTurn(
  server: ServerProcess,
  count: number,
  first: (n: number) => Buffer,
  second: (n: number) => Buffer,
): Promise<readonly [number, number]> {
  const connection = await OneConnection.open(server.port);
  const times: [number[], number[]] = [[], []];
  for (let n = 0; n < count; n++) {
    for (const turn of [n % 2, 1 - (n % 2)] as const) {
      const { clientUs } = await connection.ask((turn === 0 ? first : second)(n));
      if (n >= count / 4) times[turn].push(clientUs / 1000);
    }
  }
  connection.close();
  return [medianOf(times[0]), medianOf(times[1])];
}

/** Upserts of whole documents beside merge patches of the same ones: median milliseconds, of requests that wait for the disk. */
export function measurePatches(
  server: ServerProcess,
  collection: string,
  documents: readonly Document[],
  patched: string,
) {
  const path = `/collections/${collection}/documents`;
  const documentOf = (n: number): Document => documents[n % documents.length];
  return inTurn(
    server,
    documents.length,
    (n) => requestBytes('POST', path, { ...documentOf(n), [patched]: n }),
    (n) => requestBytes('PATCH', `${path}/${documentOf(n).id}`, { [patched]: n + 1 }),
  );
}

/** Searches by GET beside the same ones by POST: median milliseconds. */
export function measurePosts(server: ServerProcess, collection: string, paths: readonly string[]) {
  const parametersOf = (path: string): object =>
    Object.fromEntries(new URL(path, 'http://localhost').searchParams.entries());
  return inTurn(
    server,
    paths.length,
    (n) => requestBytes('GET', paths[n]),
    (n) => requestBytes('POST', `/collections/${collection}/search`, parametersOf(paths[n])),
  );
}

export type Document = Readonly<Record<string, unknown>> & { readonly id: string };

/** The first `count` documents of `file`, with the id and the fields of `corpus` alone. */
export async function readDocuments(file: string, corpus: Corpus, count: number): Promise<Document[]> {
  const names = ['id', ...corpus.fields.map(({ name }) => name)];
  const documents: Document[] = [];
  for await (const { body } of new DocumentFile(file).batches({ documents: 10_000, bytes: 1 << 24 })) {
    for (const line of splitLines(body)) {
      const whole = JSON.parse(line.toString()) as Record<string, unknown>;
      const kept = names.filter((name) => whole[name] !== undefined).map((name) => [name, whole[name]]);
      documents.push(Object.fromEntries(kept) as Document);
      if (documents.length === count) return documents;
    }
  }
  return documents;
}

const cellOf = (value: unknown): string => {
  const text = value === undefined ? '' : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/**
 * Imports `documents` as JSON lines and as CSV, in turn and each time into a collection made anew; returns the median seconds of both.
 */
export async function measureTables(
  server: ServerProcess,
  { name, fields }: Corpus,
  documents: readonly Document[],
  rounds: number,
  folder: string,
) {
  const columns = ['id', ...fields.map((field) => field.name)];
  const files = { ndjson: join(folder, 'documents.jsonl'), csv: join(folder, 'documents.csv') };
  writeFileSync(files.ndjson, documents.map((document) => `${JSON.stringify(document)}\n`).join(''));
  const rows = documents.map((document) => columns.map((column) => cellOf(document[column])).join(','));
  writeFileSync(files.csv, [columns.join(','), ...rows, ''].join('\n'));
  const schemaFile = join(folder, 'table-schema.json');
  const collection = `${name}-table`;
  writeFileSync(schemaFile, JSON.stringify({ name: collection, fields }));
  const seconds: Record<keyof typeof files, number[]> = { ndjson: [], csv: [] };
  for (let round = 0; round < rounds; round++) {
    for (const format of ['ndjson', 'csv'] as const) {
      const imported = await importFile(server, files[format], collection, schemaFile);
      if (imported.documents !== documents.length)
        throw new Error(`${files[format]}: expected ${documents.length} documents indexed, got ${imported.documents}`);
      seconds[format].push(imported.seconds);
      await server.settle(collection);
      await fetch(`${server.url}/collections/${collection}`, { method: 'DELETE' });
    }
  }
  return { ndjson: medianOf(seconds.ndjson), csv: medianOf(seconds.csv) };
}
