/**
 * What `sabre` runs is the server that all other tests start, bundled: what is not in its files is found from where they lie.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { STEM_LANGUAGES } from '../../engine/schema/stem-languages.js';
import { expectJson, expectStatus } from '../support/expect.js';
import { BUNDLED_MAIN, type Server, startServer } from '../support/server.js';

let bundled: Server;
let plain: Server;
before(async () => {
  // Every thread that there is.
  bundled = await startServer({ main: BUNDLED_MAIN, args: ['--http-threads', '2'] });
  plain = await startServer();
});
after(() => Promise.all([bundled.dispose(), plain.dispose()]));

const TEXT = 'running houses';

/** What both servers answer to the search for `q`, but for the time it took. */
async function bothFind(name: string, q: string): Promise<object> {
  const [one, other] = await Promise.all(
    [bundled, plain].map(async ({ client }) => {
      const path = `/collections/${name}/search?typo_tolerance=false&prefix=false&q=${q}`;
      const { search_time_ms: _, ...answer } = expectJson<{ search_time_ms: number; found: number }>(
        await client.get(path),
      );
      return answer;
    }),
  );
  assert.deepEqual(one, other, name);
  return one as object;
}

test('each language has its stemmer', async () => {
  for (const language of STEM_LANGUAGES) {
    for (const { client } of [bundled, plain]) {
      await client.create({ name: language, fields: [{ name: 'title', type: 'text', stem: language }] });
      await client.index(language, [{ id: '1', title: TEXT }]);
    }
    for (const q of ['running', 'run', 'houses', 'house']) await bothFind(language, q);
  }
  assert.equal(((await bothFind('english', 'run')) as { found: number }).found, 1);
});

test('its pages, metrics and kernels are found', async () => {
  for (const path of ['/ui', '/docs', '/openapi.json', '/metrics'])
    for (let times = 0; times < 4; times++) expectStatus(await bundled.client.get(path), 200);
});

test('it keeps what it has over a restart from a snapshot', async () => {
  expectStatus(await bundled.client.post('/snapshot', ''), 200);
  assert.deepEqual(await bundled.stop(), { code: 0, signal: null });
  await bundled.start();
  assert.equal(((await bothFind('german', 'houses')) as { found: number }).found, 1);
});
