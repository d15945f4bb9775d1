/**
 * Synonyms and stop words over a real server and a fake engine: bodies, answers, methods.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { checkedBody } from '../../src/api/checked-body.js';
import { assertStopWords } from '../../src/api/generated/validators.js';
import { errorCode, startServer } from './test-server.js';

let server: Awaited<ReturnType<typeof startServer>>;
before(async () => {
  server = await startServer();
});
after(() => server.stop());

const SYNONYM = '/collections/books/synonyms/tv';
const STOP_WORDS = '/collections/books/stop-words';

const put = (path: string, body: unknown) =>
  server.send('PUT', path, { body: typeof body === 'string' ? body : JSON.stringify(body) });

test('a synonym is answered as it was stored, with its id', async () => {
  const both = await put(SYNONYM, { synonyms: ['tv', 'television'] });
  assert.equal(both.status, 200);
  assert.deepEqual(JSON.parse(both.text), { id: 'tv', synonyms: ['tv', 'television'] });
  assert.deepEqual(server.engine.textRules.synonyms.get('tv'), {
    id: 'tv',
    root: null,
    synonyms: ['tv', 'television'],
  });
  const rooted = await put('/collections/books/synonyms/phone', { root: 'phone', synonyms: ['iphone'] });
  assert.deepEqual(JSON.parse(rooted.text), { id: 'phone', root: 'phone', synonyms: ['iphone'] });
  assert.deepEqual(JSON.parse((await server.get('/collections/books/synonyms/phone')).text), JSON.parse(rooted.text));
  const list = await server.get('/collections/books/synonyms');
  assert.deepEqual(JSON.parse(list.text), [JSON.parse(both.text), JSON.parse(rooted.text)]);
});

test('what was shown can be sent back, with its id, and null for what is not given', async () => {
  assert.equal((await put(SYNONYM, { id: 'tv', root: null, synonyms: ['a', 'b'] })).status, 200);
  const other = await put(SYNONYM, { id: 'radio', synonyms: ['a', 'b'] });
  assert.equal(other.status, 400);
  assert.match(other.text, /synonym \\"id\\": expected \\"tv\\" as in the path, or none, got \\"radio\\"/);
});

test('a synonym is deleted with 204, and one that is not there is 404', async () => {
  await put(SYNONYM, { synonyms: ['a', 'b'] });
  const gone = await server.send('DELETE', SYNONYM);
  assert.deepEqual([gone.status, gone.text], [204, '']);
  for (const answer of [await server.send('DELETE', SYNONYM), await server.get(SYNONYM)]) {
    assert.equal(answer.status, 404);
    assert.equal(errorCode(answer), 'synonym_not_found');
  }
});

test('stop words are words or a language', async () => {
  assert.equal(errorCode(await server.get(STOP_WORDS)), 'stop_words_not_found');
  assert.equal(errorCode(await server.send('DELETE', STOP_WORDS)), 'stop_words_not_found');
  for (const body of [{ words: ['the'] }, { language: 'english' }]) {
    const answer = await put(STOP_WORDS, body);
    assert.equal(answer.status, 200);
    assert.deepEqual(JSON.parse(answer.text), body);
    assert.deepEqual(JSON.parse((await server.get(STOP_WORDS)).text), body);
  }
  assert.equal((await server.send('DELETE', STOP_WORDS)).status, 204);
});

for (const [what, path, body, code, message] of [
  ['no body', SYNONYM, '', 'invalid_json', /expected a JSON object, got nothing/],
  ['no JSON', SYNONYM, '{"synonyms"', 'invalid_json', /syntax error/],
  ['an array', SYNONYM, [], 'invalid_synonym', /synonym: expected an object, got an array/],
  ['no synonyms', SYNONYM, {}, 'invalid_synonym', /synonym \\"synonyms\\": expected an array, got nothing/],
  ['a string', SYNONYM, { synonyms: 'tv' }, 'invalid_synonym', /\\"synonyms\\": expected an array, got \\"tv\\"/],
  [
    'a number among them',
    SYNONYM,
    { synonyms: ['a', 1] },
    'invalid_synonym',
    /\\"synonyms\[1\]\\": expected a string, got 1/,
  ],
  [
    'a root that is none',
    SYNONYM,
    { root: 1, synonyms: ['a'] },
    'invalid_synonym',
    /\\"root\\": expected a string, got 1/,
  ],
  ['another key', SYNONYM, { synonyms: ['a'], way: 1 }, 'invalid_synonym', /\\"way\\": expected no such key, got 1/],
  [
    'words that are none',
    STOP_WORDS,
    { words: {} },
    'invalid_stop_words',
    /\\"words\\": expected an array, got an object/,
  ],
  [
    'a language that is none',
    STOP_WORDS,
    { language: ['x'] },
    'invalid_stop_words',
    /\\"language\\": expected a string/,
  ],
] as const) {
  test(`${what} is refused, and the message says where`, async () => {
    const answer = await put(path, body);
    assert.equal(answer.status, 400);
    assert.equal(errorCode(answer), code);
    assert.match(answer.text, message);
  });
}

test('of many faults the first is told, and no other looked at', () => {
  const read: PropertyKey[] = [];
  const get = (words: number[], key: PropertyKey): unknown => {
    read.push(key);
    return Reflect.get(words, key);
  };
  const words = new Proxy(
    Array.from({ length: 9 }, () => 0),
    { get },
  );
  const check = (): unknown => checkedBody(assertStopWords, { words }, 'stop words', 'invalid_stop_words');
  assert.throws(check, /"words\[0\]": expected a string, got 0/);
  assert.ok(read.includes('0') && !read.includes('1'), read.join());
});

test('bytes that are no UTF-8 are invalid_json, and large bodies 413', async () => {
  const bytes = Buffer.from([...Buffer.from('{"synonyms":["a","'), 0xff, ...Buffer.from('"]}')]);
  const answer = await server.send('PUT', SYNONYM, { body: bytes });
  assert.deepEqual([answer.status, errorCode(answer)], [400, 'invalid_json']);
  for (const [path, bytes] of [
    [SYNONYM, 256 * 1024 + 1],
    [STOP_WORDS, 1024 * 1024 + 1],
  ] as const) {
    const large = await put(path, 'x'.repeat(bytes));
    assert.deepEqual([large.status, errorCode(large)], [413, 'payload_too_large']);
  }
});

test('other methods are 405 with the ones that there are', async () => {
  for (const [method, path, allow] of [
    ['POST', SYNONYM, 'GET, HEAD, PUT, DELETE'],
    ['PATCH', STOP_WORDS, 'GET, HEAD, PUT, DELETE'],
    ['PUT', '/collections/books/synonyms', 'GET, HEAD'],
  ] as const) {
    const answer = await server.send(method, path);
    assert.deepEqual([answer.status, answer.headers['allow']], [405, allow]);
  }
});

test('answers are counted by template and method', async () => {
  await put(SYNONYM, { synonyms: ['a', 'b'] });
  const { text } = await server.get('/metrics');
  assert.match(
    text,
    /sabre_http_requests_total\{route="\/collections\/\{name\}\/synonyms\/\{id\}",method="PUT",status="200"\} \d+/,
  );
});
