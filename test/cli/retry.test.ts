/**
 * When the client of the commands sends a request again, by a clock that the waits set forward.
 */
import assert from 'node:assert/strict';
import dns from 'node:dns';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { mock, test } from 'node:test';
import { ApiClient, type ApiRequest, UnreachableError } from '../../src/cli/api-client.js';
import { REFUSED_MS_MAX, REPEATED_MS_MAX, retryAfterMs } from '../../src/cli/retry.js';

type Answer = readonly [status: number, retryAfter?: string] | 'lost';

const DOCUMENTS: ApiRequest = { method: 'POST', path: '/documents', isRepeatable: true };
const SNAPSHOT: ApiRequest = { method: 'POST', path: '/snapshot' };

/** Sends `request` to a server that answers as `answer` says at each time; returns the last status and the waits. */
async function send(request: ApiRequest, answer: (atMs: number) => Answer, stopAtMs = Number.POSITIVE_INFINITY) {
  const waits: number[] = [];
  const stop = new AbortController();
  let nowMs = 0;
  const clock = {
    now: () => nowMs,
    async sleep(ms: number) {
      waits.push(ms);
      nowMs += ms;
      if (nowMs >= stopAtMs) stop.abort();
    },
  };
  const server = http.createServer((_, outgoing) => {
    const given = answer(nowMs);
    if (given === 'lost') outgoing.destroy();
    else outgoing.writeHead(given[0], given[1] === undefined ? {} : { 'retry-after': given[1] }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = new ApiClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, '', 1, clock);
  try {
    const { status } = await client.send(request, stop.signal).catch(() => ({ status: 0 }));
    assert.equal(client.retries, waits.length - (stop.signal.aborted ? 1 : 0));
    return { status, waits, nowMs };
  } finally {
    client.close();
    server.closeAllConnections();
    server.close();
  }
}

for (const [what, answer] of [
  ['an overloaded server', [503, '1']],
  ['one that has too much of this client', [429, '1']],
  ['one without memory', [507, '1']],
  ['a proxy that reaches none', [502]],
  ['one that does not know whether it was done', [504]],
  ['one that had to wait for the body', [408]],
  ['one that does not answer', 'lost'],
] as const satisfies readonly (readonly [string, Answer])[]) {
  test(`${what} is sent documents again for minutes, and ever more rarely`, async () => {
    const { status, waits } = await send(DOCUMENTS, (atMs) => (atMs < 240_000 ? answer : [200]));
    assert.equal(status, 200);
    assert.ok(waits.length < 20, `${waits}`);
    assert.ok(
      waits.every((ms) => ms >= (answer[1] === '1' ? 1000 : 250) && ms <= 37_500),
      `${waits}`,
    );
    assert.ok((waits.at(-1) ?? 0) >= 30_000);
  });
  test(`${what} is not waited for without an end`, async () => {
    const { status, nowMs } = await send(DOCUMENTS, () => answer);
    assert.equal(status, answer === 'lost' ? 0 : answer[0]);
    assert.ok(nowMs <= REPEATED_MS_MAX && nowMs > REPEATED_MS_MAX / 2, `${nowMs}`);
  });
}

test('a server that no way leads to is sent documents again for minutes, and nothing that may not be done twice', async () => {
  for (const code of ['ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']) {
    const fault = Object.assign(new Error(`getaddrinfo ${code}`), { code });
    const lookup = mock.method(dns, 'lookup', (_: string, __: object, done: (error: Error) => void) => done(fault));
    try {
      let nowMs = 0;
      const clock = {
        now: () => nowMs,
        async sleep(ms: number) {
          nowMs += ms;
        },
      };
      const client = new ApiClient('http://search.invalid', '', 1, clock);
      await assert.rejects(client.send(SNAPSHOT), new RegExp(`cannot reach .*search\\.invalid.*${code}`));
      assert.equal(client.retries, 0);
      await assert.rejects(client.send(DOCUMENTS), UnreachableError);
      assert.ok(client.retries > 10 && nowMs > REPEATED_MS_MAX / 2, `${code}: ${nowMs}`);
      client.close();
    } finally {
      lookup.mock.restore();
    }
  }
});

test('what may not be done twice is sent again only when nothing was done, and not for long', async () => {
  for (const status of [429, 503]) {
    const given = await send(SNAPSHOT, () => [status, '1']);
    assert.equal(given.status, status);
    assert.ok(given.waits.length > 3 && given.nowMs <= REFUSED_MS_MAX, `${given.waits}`);
  }
  for (const answer of [[408], [502], [504], [507, '1'], [500, '1'], 'lost'] as const)
    assert.deepEqual((await send(SNAPSHOT, () => answer)).waits, []);
});

test('an answer that stays is not asked for again', async () => {
  for (const answer of [[507], [500], [413], [404], [200]] as const)
    assert.deepEqual((await send(DOCUMENTS, () => answer)).waits, []);
});

test('a time that is named is kept, and waiting ends when it is stopped', async () => {
  const { status, waits } = await send(DOCUMENTS, () => [503, '20'], 50_000);
  assert.equal(status, 503);
  assert.equal(waits.length, 3);
  assert.ok(
    waits.every((ms) => ms >= 20_000 && ms <= 25_000),
    `${waits}`,
  );
});

test('Retry-After is read as seconds or as a date, and bounded', () => {
  assert.equal(retryAfterMs('2', 0), 2000);
  assert.equal(retryAfterMs('9999', 0), 30_000);
  assert.equal(retryAfterMs(new Date(5000).toUTCString(), 1000), 4000);
  assert.equal(retryAfterMs('soon', 0), null);
  assert.equal(retryAfterMs(undefined, 0), null);
});
