/**
 * The small parts of the HTTP layer, each alone: router, keys, content negotiation, request ids, key comparison.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { responseFormatOf } from '../../src/http/accept.js';
import { Authenticator } from '../../src/http/auth.js';
import { parseQueryString, readBoolean, readInteger } from '../../src/http/query-string.js';
import { requestIdOf } from '../../src/http/request-id.js';
import { decodePathSegment, Router } from '../../src/http/router.js';

const endpoints = { GET: { access: 'public', handle: () => {} } } as const;
const TEMPLATES = ['/a', '/a/{x}', '/a/{x}/b', '/a/{x}/b/{y}', '/c/d'];
const router = new Router(TEMPLATES.map((template) => ({ template, endpoints })));

function match(path: string): string {
  const found = router.match(path);
  return found === null ? 'none' : [found.route.template, ...found.parameters].join(' ');
}

test('a path finds its route and its raw parameters', () => {
  const expected: Record<string, string> = {
    '/a': '/a',
    '/a/': '/a',
    '/a/1': '/a/{x} 1',
    '/a/b': '/a/{x} b',
    '/a/1/b': '/a/{x}/b 1',
    '/a/1/b/': '/a/{x}/b 1',
    '/a/1/b/p%2Fq': '/a/{x}/b/{y} 1 p%2Fq',
    '/c/d': '/c/d',
    '/c': 'none',
    '/': 'none',
    '//': 'none',
    '': 'none',
    '/a//': 'none',
    '/a//b': 'none',
    '//a': 'none',
    '/a/1/x': 'none',
    '/a/1/b/2/3': 'none',
    '/A': 'none',
    '/c/d/e': 'none',
  };
  for (const _ of ['first', 'remembered'])
    for (const [path, route] of Object.entries(expected)) assert.equal(match(path).replace(/ $/, ''), route, path);
});

test('a path finds its route however many others are asked for', () => {
  for (let round = 0; round < 3; round++)
    for (let i = 1; i < 400; i++) {
      assert.equal(match(`/a/${i}`), `/a/{x} ${i}`);
      assert.equal(match(`/a/${i}/b/${'y'.repeat(i)}`), `/a/{x}/b/{y} ${i} ${'y'.repeat(i)}`);
    }
});

test('a plus in a path stays a plus', () => {
  assert.equal(decodePathSegment('a+b%20c%2B'), 'a+b c+');
  assert.throws(() => decodePathSegment('%E0%A4%A'), /malformed percent-encoding/);
  assert.throws(() => decodePathSegment('%C0%AF'), /no UTF-8/);
});

test('query strings: pairs without a value, empty pairs, encoded names', () => {
  assert.deepEqual(parseQueryString('a&&b=&c=1=2&', ['a', 'b', 'c', 'd']), ['', '', '1=2', null]);
  assert.deepEqual(parseQueryString('query%5Fby=x', ['query_by']), ['x']);
  assert.deepEqual(parseQueryString('a=%2B%26%3D+%20', ['a']), ['+&=  ']);
  assert.deepEqual(parseQueryString('x=1&x=2&a=3', ['a']), ['3']);
  assert.throws(() => parseQueryString('a=1&%61=2', ['a']), /"a": expected once/);
});

test('booleans and integers are read strictly', () => {
  for (const raw of ['true', 'TRUE', 'True', '1']) assert.equal(readBoolean('p', raw, null), true);
  for (const raw of ['false', 'FALSE', '0']) assert.equal(readBoolean('p', raw, null), false);
  for (const raw of ['', 'yes', ' true', '01']) assert.throws(() => readBoolean('p', raw, null), /"p": expected true/);
  assert.equal(readInteger('n', '007', 1), 7);
  assert.equal(readInteger('n', null, 1), 1);
  for (const raw of ['', '-1', '+1', '1.0', '1e3', '٣', ' 1']) assert.throws(() => readInteger('n', raw, 1), /"n"/);
});

test('MessagePack must be asked for, and must not weigh less than JSON', () => {
  const expected: Record<string, string> = {
    '': 'json',
    '*/*': 'json',
    'application/json': 'json',
    'application/msgpack': 'msgpack',
    'Application/MsgPack': 'msgpack',
    'application/msgpack, */*': 'msgpack',
    '*/*, application/msgpack': 'msgpack',
    'application/json, application/msgpack': 'json',
    'application/msgpack, application/json': 'msgpack',
    'application/json;q=0.5, application/msgpack': 'msgpack',
    'application/msgpack;q=0.5, application/json': 'json',
    'application/msgpack;q=0.5, */*;q=0.8': 'json',
    'application/msgpack;q=0': 'json',
    'application/msgpack;q=0.000, */*;q=0': 'json',
    'application/msgpack; q=bad': 'msgpack',
    'text/html, application/xhtml+xml;q=0.9': 'json',
  };
  for (const [accept, format] of Object.entries(expected)) assert.equal(responseFormatOf(accept), format, accept);
});

test('keys that only share a beginning, or bytes after truncation, are different keys', () => {
  const authenticator = new Authenticator('admin', 'search', 0);
  const decide = (key: string): string => authenticator.decide(key, 'admin').kind;
  assert.equal(decide('admin'), 'granted');
  assert.equal(decide('search'), 'forbidden');
  for (const key of ['', 'admi', 'admins', 'admin\0', 'Admin', 'ådmin', 'a'.repeat(100_000)]) {
    assert.equal(decide(key), 'unauthorized');
  }
  assert.equal(authenticator.decide('search', 'search').kind, 'granted');
  assert.equal(authenticator.decide('', 'public').kind, 'granted');
  assert.equal(new Authenticator(null, null, 0).decide('', 'admin').kind, 'granted');
});

test('a client id is kept only when it is short and visible', () => {
  assert.equal(requestIdOf('f47ac10b-58cc'), 'f47ac10b-58cc');
  assert.equal(requestIdOf('x'.repeat(128)), 'x'.repeat(128));
  for (const header of ['', 'x'.repeat(129), 'a b', 'é', 'a\nb']) assert.notEqual(requestIdOf(header), header);
  assert.notEqual(requestIdOf(''), requestIdOf(''));
});
