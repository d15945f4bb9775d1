/**
 * Single-document writes a second at a number of connections: every request is one new document, and waits for the disk.
 *
 * wrk where it is installed; else connections of this process, which then takes processor time from the server.
 */
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { hasWrk, readWrk, run, type ThroughputRow } from './measure-throughput.js';
import type { ServerProcess } from './server-process.js';

const COLLECTION = 'writes';
const schemaOf = (name: string): string => JSON.stringify({ name, fields: [{ name: 'title', type: 'text' }] });
const PATH = `/collections/${COLLECTION}/documents`;
const JSON_TYPE = { 'content-type': 'application/json' };

const documentOf = (n: number): string => `{"id":"w${n}","title":"the quick brown fox number ${n}"}`;

/** The request is formatted once, around numbers of equal width, so that the client takes little from the server. */
const luaScript = `local n = 1000000000
local body = '{"id":"w%d","title":"the quick brown fox number %d"}'
local whole
init = function()
  local sample = string.format(body, n, n)
  local head = wrk.format("POST", "${PATH}", {["content-type"]="application/json"}, sample)
  whole = string.sub(head, 1, #head - #sample):gsub("%%", "%%%%") .. body
end
request = function()
  n = n + 1
  return string.format(whole, n, n)
end
`;

async function post(url: string, body: string, expected: number): Promise<void> {
  const { status } = await fetch(url, { method: 'POST', headers: JSON_TYPE, body });
  if (status !== expected) throw new Error(`POST ${url}: expected ${expected}, got ${status}`);
}

/** Creates `count` collections of one document each. */
export async function createOthers({ url }: ServerProcess, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    await post(`${url}/collections`, schemaOf(`other${n}`), 201);
    await post(`${url}/collections/other${n}/documents`, documentOf(n), 200);
  }
}

/** Measures for `seconds` seconds, into a collection made anew. `folder` takes the file that wrk reads. */
export async function measureWrites(
  server: ServerProcess,
  connections: number,
  seconds: number,
  folder: string,
): Promise<ThroughputRow> {
  const name = 'single-document writes';
  await fetch(`${server.url}/collections/${COLLECTION}`, { method: 'DELETE' });
  await post(`${server.url}/collections`, schemaOf(COLLECTION), 201);
  if (!hasWrk() || seconds < 1) return { name, connections, ...(await writeHere(server, connections, seconds)) };
  const script = join(folder, 'write.lua');
  writeFileSync(script, luaScript);
  const parameters = ['-t', '1', '-c', String(connections), '-d', `${seconds}s`, '-s', script, server.url];
  return { name, connections, ...readWrk(await run('wrk', parameters)), client: 'wrk' };
}

async function writeHere(
  server: ServerProcess,
  connections: number,
  seconds: number,
): Promise<Pick<ThroughputRow, 'requestsPerSecond' | 'errors' | 'client'>> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  const startedMs = performance.now();
  let written = 0;
  let errors = 0;
  let next = 0;
  const keepBusy = async (): Promise<void> => {
    while (performance.now() - startedMs < seconds * 1000) {
      if ((await write(server.port, agent, documentOf(next++))) === 200) written++;
      else errors++;
    }
  };
  await Promise.all(Array.from({ length: connections }, keepBusy));
  const elapsedS = (performance.now() - startedMs) / 1000;
  agent.destroy();
  return { requestsPerSecond: written / elapsedS, errors, client: 'node' };
}

/** The status of the answer; 0: the connection broke. */
function write(port: number, agent: http.Agent, document: string): Promise<number> {
  return new Promise((resolve) => {
    const headers = { ...JSON_TYPE, 'content-length': Buffer.byteLength(document) };
    const request = http.request(
      { method: 'POST', host: '127.0.0.1', port, path: PATH, agent, headers },
      (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
      },
    );
    request.on('error', () => resolve(0));
    request.end(document);
  });
}
