/**
 * A real server, killed with SIGKILL under concurrent upserts, deletes and drops, and started again: what was
 * acknowledged is there, what was deleted stays deleted, and only the write in flight may have gone either way.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startServer } from '../support/server.js';

const ROUNDS = 3;
const WRITERS = 6;
const IDS_PER_WRITER = 20;
const KILL_AFTER_MS = 400;

/** Version of a document; 0: deleted, or never written. */
type Version = number;

/** What one writer knows of its ids: the last acknowledged version, and the one in flight when the server died. */
interface Ledger {
  readonly acknowledged: Map<string, Version>;
  inFlight: { readonly id: string; readonly version: Version } | null;
}

const server = await startServer();
after(() => server.dispose());

let nextVersion = 1;

async function write(ledger: Ledger, id: string, version: Version): Promise<void> {
  const { client } = server;
  ledger.inFlight = { id, version };
  const path = '/collections/things/documents';
  const reply =
    version === 0
      ? await client.request('DELETE', `${path}/${id}`)
      : await client.request('POST', path, { body: JSON.stringify({ id, title: `version v${version}`, version }) });
  assert.ok([200, 204, 404].includes(reply.status), `status ${reply.status}`);
  ledger.acknowledged.set(id, version);
  ledger.inFlight = null;
}

/** Writes until the connection breaks. */
async function writeUntilKilled(ledger: Ledger, writer: number): Promise<void> {
  for (let step = 0; ; step++) {
    const id = `w${writer}-${(step * 7) % IDS_PER_WRITER}`;
    try {
      await write(ledger, id, step % 4 === 3 ? 0 : nextVersion++);
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      return;
    }
  }
}

async function storedVersion(id: string): Promise<Version> {
  const reply = await server.client.request('GET', `/collections/things/documents/${id}`);
  if (reply.status === 404) return 0;
  assert.equal(reply.status, 200);
  return (JSON.parse(reply.text) as { version: number }).version;
}

async function checkLedger(ledger: Ledger): Promise<number> {
  let live = 0;
  for (const [id, version] of ledger.acknowledged) {
    const stored = await storedVersion(id);
    const inFlight = ledger.inFlight?.id === id ? ledger.inFlight.version : version;
    assert.ok(stored === version || stored === inFlight, `${id}: version ${stored}, acknowledged was ${version}`);
    ledger.acknowledged.set(id, stored);
    if (stored !== 0) live++;
  }
  // An id whose first write was in flight is not in the ledger yet.
  if (ledger.inFlight !== null && !ledger.acknowledged.has(ledger.inFlight.id)) {
    const stored = await storedVersion(ledger.inFlight.id);
    ledger.acknowledged.set(ledger.inFlight.id, stored);
    if (stored !== 0) live++;
  }
  ledger.inFlight = null;
  return live;
}

test('a killed server has every acknowledged write after a restart, and no deleted document comes back', async () => {
  await server.client.create({
    name: 'things',
    fields: [
      { name: 'title', type: 'text' },
      { name: 'version', type: 'int', sort: true },
    ],
  });
  await server.client.create({ name: 'dropped', fields: [{ name: 'title', type: 'text' }] });
  await server.client.index('dropped', { id: '1', title: 'gone' });
  await server.client.drop('dropped');
  const ledgers = Array.from({ length: WRITERS }, (): Ledger => ({ acknowledged: new Map(), inFlight: null }));
  for (let round = 0; round < ROUNDS; round++) {
    const writers = ledgers.map((ledger, writer) => writeUntilKilled(ledger, writer));
    await new Promise((resolve) => setTimeout(resolve, KILL_AFTER_MS));
    await server.kill();
    await Promise.all(writers);
    await server.start();
    let live = 0;
    for (const ledger of ledgers) live += await checkLedger(ledger);
    assert.ok(live > 0, 'something was written');
    const { found, hits } = await server.client.search('things', { q: 'version', limit: 250, sort: 'version:asc' });
    assert.equal(found, live);
    const versions = hits.map(({ document }) => Number(document.version));
    assert.equal(new Set(versions).size, versions.length, 'no document is there twice');
    assert.equal((await server.client.request('GET', '/collections/dropped')).status, 404);
  }
});
