/**
 * Reads the list of all collections while another connection asks for /health, and says how long either had to wait.
 */
import http from 'node:http';
import { get } from './server-process.js';

/** Requests for /health that nothing disturbs. */
const QUIET_REQUESTS = 200;
/** How often the list is read. */
const LISTS = 5;

export interface ListFigures {
  /** Of the quickest list. */
  readonly ms: number;
  readonly bytes: number;
  /** The longest that /health took while nothing else went on, and while the list was read. */
  readonly quietMaxMs: number;
  readonly busyMaxMs: number;
}

/** Measures the list of the server on `port`. Throws when it does not have `expected` collections. */
export async function measureList(port: number, expected: number): Promise<ListFigures> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const askHealth = async (): Promise<number> => {
    const startMs = performance.now();
    await get(port, '/health', agent);
    return performance.now() - startMs;
  };
  let quietMaxMs = 0;
  // The first opens the connection.
  await askHealth();
  for (let i = 0; i < QUIET_REQUESTS; i++) quietMaxMs = Math.max(quietMaxMs, await askHealth());
  let busyMaxMs = 0;
  let ms = Number.POSITIVE_INFINITY;
  let bytes = 0;
  for (let i = 0; i < LISTS; i++) {
    const startMs = performance.now();
    let isOver = false;
    const list = readList(port).finally(() => {
      isOver = true;
    });
    while (!isOver) busyMaxMs = Math.max(busyMaxMs, await askHealth());
    const body = await list;
    ms = Math.min(ms, performance.now() - startMs);
    bytes = body.length;
    const views = JSON.parse(body.toString()) as unknown[];
    if (views.length !== expected) throw new Error(`expected ${expected} collections in the list, got ${views.length}`);
  }
  agent.destroy();
  return { ms, bytes, quietMaxMs, busyMaxMs };
}

function readList(port: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const request = http.get({ host: '127.0.0.1', port, path: '/collections' }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) resolve(Buffer.concat(chunks));
        else reject(new Error(`GET /collections was answered ${response.statusCode}`));
      });
    });
    request.on('error', reject);
  });
}
