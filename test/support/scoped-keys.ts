/**
 * A server with documents of three tenants, and keys for some of them: for the tests of scoped keys.
 */
import type { KeyClaims } from '../../src/api/types/keys.js';
import { makeScopedKey } from '../../src/keys/scoped-key.js';
import { Client } from './client.js';
import { expectStatus } from './expect.js';
import { type Server, startServer } from './server.js';

export const ADMIN = 'admin-key-0123456789';
export const SEARCH = 'search-key-0123456789';
export const EPOCH = 3;
const THREADS = 3;

/** The key that says `claims`, for the server of startScopedServer(). */
export const keyOf = (claims: KeyClaims, by = ADMIN): string => makeScopedKey(by, { epoch: EPOCH, ...claims });

/** Collections "shop", with the alias "store", and "vault", both of 60 documents: document i is of tenant i % 3 and costs 7 i. */
export async function startScopedServer(): Promise<Server> {
  const keys = ['--admin-key', ADMIN, '--search-key', SEARCH, '--key-epoch', `${EPOCH}`];
  const args = [...keys, '--log-level', 'debug', '--http-threads', `${THREADS}`];
  const server = await startServer({ args, key: ADMIN });
  const { client } = server;
  for (const name of ['shop', 'vault']) {
    await client.create({
      name,
      fields: [
        { name: 'title', type: 'text', facet: true },
        { name: 'tenant', type: 'int', filter: true, sort: true, facet: true },
        { name: 'brand', type: 'keyword', facet: true },
        { name: 'cost', type: 'int', sort: true, facet: true },
      ],
    });
    await client.indexAll(
      name,
      Array.from({ length: 60 }, (_, i) => ({
        id: `${i}`,
        title: i % 2 === 0 ? `mouse number ${i}` : `keyboard of tenant${i % 3}`,
        tenant: i % 3,
        brand: `brand${i % 3}-${i % 4}`,
        cost: i * 7,
      })),
    );
  }
  expectStatus(await client.request('PUT', '/aliases/store', { body: '{"collection":"shop"}' }), 200);
  return server;
}

/** Asks by `key` over new connections, one on each HTTP thread of the server at `port`. */
export async function onEachThread(port: number, key: string, ask: (client: Client) => Promise<void>): Promise<void> {
  for (let i = 0; i < THREADS; i++) {
    const client = new Client(port, key);
    try {
      await ask(client);
    } finally {
      client.close();
    }
  }
}
