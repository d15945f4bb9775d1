/**
 * Brings documents into a server in the state in which queries are compared: segments at rest, and a snapshot of them on disk.
 */
import { importFile } from '../src/cli/import.js';
import { post, type ServerProcess } from './server-process.js';

/** What creating a collection takes. */
interface CollectionSchema {
  readonly name: string;
  readonly fields: readonly object[];
}

/** Makes the collection of `files`. Returns the seconds of the imports and the segments that they left, and how
 * long after those the last merge ended, and the segments then. Throws when one fails. */
export async function loadCollection(
  server: ServerProcess,
  { name, fields }: CollectionSchema,
  files: readonly string[],
) {
  const body = JSON.stringify({ name, fields });
  const response = await fetch(`${server.url}/collections`, { method: 'POST', body });
  if (!response.ok) throw new Error(`creating ${name} was answered ${response.status}: ${await response.text()}`);
  let importSeconds = 0;
  for (const file of files) {
    const to = { url: server.url, collection: name, batchDocs: 10_000, concurrency: 1 };
    importSeconds += (await importFile(file, to)).seconds;
  }
  const importSegments = await server.segments(name);
  const importedMs = performance.now();
  const segments = await server.settle(name);
  const restSeconds = Math.max(0, server.mergedAtMs - importedMs) / 1000;
  const { status, body: answer } = await post(server.port, '/snapshot');
  if (status !== 200) throw new Error(`the snapshot was answered ${status}: ${answer}`);
  return { importSeconds, importSegments, restSeconds, segments };
}
